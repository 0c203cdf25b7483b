"""The study of language from the URL alone: every cell trained and scored, a tree to read, and features selected."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from dragoman.errors import BadTable, UnfitTable, need
from dragoman.evaluate.corpus import Corpus, UrlSet, load_corpus
from dragoman.languages import FIVE
from dragoman.report.html import ReportPage
from dragoman.report.tables import Table
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding
from dragoman.studies.study import Piece, Progress, Study
from dragoman.studies.url_2008.figures import FOCUS, UrlFigures
from dragoman.studies.url_2008.findings import findings
from dragoman.studies.url_2008.greedy import greedy_selection
from dragoman.studies.url_2008.page import study_page
from dragoman.studies.url_2008.plan import CAP, SCALES, UrlPlan, all_cells, size_cells
from dragoman.studies.url_2008.preliminary import preliminary
from dragoman.studies.url_2008.protocols import PROTOCOLS, run_protocol
from dragoman.studies.url_2008.tables import training_times
from dragoman.studies.url_2008.tallies import hyphens, token_shares
from dragoman.studies.url_2008.training import Trainer
from dragoman.studies.url_2008.tree import small_tree

#: More URLs than any site has.
NO_CAP = 1 << 40


class UrlStudy(Study[UrlPlan]):
    """Web Page Language Identification Based on URLs (Baykan, Henzinger, Weber, 2008), on our data."""

    scales = SCALES

    def load(self, progress: Progress) -> None:
        """Read URLs and, for Table 10, text: --text, or sentences.parquet in the folder text beside the data."""
        progress(0, 1, "reading the URLs")
        folder = self.request.data
        self.corpus = load_corpus(folder, FIVE, cap=CAP, share=self.plan.share, seed=self.seed)
        self.digests = self.corpus.digests
        self.text = self.request.text or folder.parent / "text" / "sentences.parquet"
        self.texts = read_texts(self.text, self.corpus.languages)
        self.trainer = Trainer(self.corpus, self.plan, self.texts)
        _check(folder, self.corpus)
        _check_sizes(folder, self.trainer)

    def recipe(self) -> dict[str, object]:
        """The text, where there is some."""
        return {"text": hashlib.sha256(self.text.read_bytes()).hexdigest() if self.texts else ""}

    @cached_property
    def figures(self) -> UrlFigures:
        """What the finished pieces say."""
        return UrlFigures(self.corpus, self.plan, self.cells, bool(self.texts))

    def report(self) -> tuple[list[Finding], ReportPage]:
        """What came of the claims, and the page."""
        claims = list(findings(self.figures))
        return claims, study_page(self.figures, claims, self.footer)

    def pieces(self) -> Sequence[Piece]:
        """Every cell, the tree, and greedy selection."""
        cells = [cell for cell in all_cells(self.plan) if self.texts or not cell.content]
        return [
            *(Piece(cell.name, partial(self.trainer.run, cell)) for cell in cells),
            *(Piece(f"protocol/{name}", partial(self._protocol, name)) for name in PROTOCOLS),
            Piece("preliminary", partial(preliminary, self.corpus, self.plan)),
            Piece("shares", partial(token_shares, self.trainer)),
            Piece("hyphens", partial(hyphens, self.corpus)),
            Piece("tree", partial(small_tree, self.trainer)),
            Piece("greedy", partial(greedy_selection, self.trainer)),
        ]

    @cached_property
    def pool(self) -> UrlSet:
        """The training URLs without a limit per site."""
        return load_corpus(self.request.data, FIVE, cap=NO_CAP, share=self.plan.share, seed=self.seed).train

    def _protocol(self, name: str) -> Arrays:
        return run_protocol(self.pool, self.corpus.languages, self.plan, name)

    def timings(self) -> Table:
        """How long each classifier took to train."""
        return training_times(self.figures)


def _check(folder: Path, corpus: Corpus) -> None:
    """BadTable unless the URLs suffice: a crawl set, and every language for training, tuning and judging."""
    if FOCUS not in corpus.tests:
        there = ", ".join(f"dev_{name}.parquet" for name in corpus.tests)
        raise UnfitTable(f"'{folder}' has {there}; the study needs dev_{FOCUS}.parquet: half of it is about that set")
    parts = {f"train.parquet ({len(corpus.train):,} URLs drawn)": corpus.train.truth}
    for name, test in corpus.tests.items():
        halves = {"tune": ~test.judge, "judge": test.judge}
        parts |= {f"half '{half}' of dev_{name}.parquet": test.truth[rows] for half, rows in halves.items()}
    for part, truth in parts.items():
        missing = [tag for column, tag in enumerate(corpus.languages) if not np.any(truth == column)]
        if missing:
            needed = ", ".join(corpus.languages)
            raise BadTable(f"'{folder}': {part} has no URL labelled {', '.join(missing)}; each needs {needed}")


def _check_sizes(folder: Path, trainer: Trainer) -> None:
    """BadTable where the smallest samples would leave a language without any URL."""
    train = trainer.corpus.train
    for cell in size_cells(trainer.plan):
        if len(np.unique(train.truth[trainer.rows(cell)])) < len(trainer.corpus.languages):
            raise BadTable(
                f"'{folder}': train.parquet gives {len(train):,} URLs, of which a sample of {100 * cell.share:g} % "
                "lacks a language; give more URLs, or a smaller --scale, which draws larger samples"
            )


def read_texts(path: Path, languages: Sequence[str]) -> dict[str, list[str]]:
    """Text by language from a Parquet file (text, lang); nothing where there is no file, or a language has none."""
    if not path.exists():
        return {}
    table = need("bulk", "pyarrow.parquet").read_table(path, columns=["text", "lang"])
    texts: dict[str, list[str]] = {language: [] for language in languages}
    for label, text in zip(table["lang"].to_pylist(), table["text"].to_pylist(), strict=True):
        if label in texts:
            texts[label].append(text)
    return texts if all(texts.values()) else {}
