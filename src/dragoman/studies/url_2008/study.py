"""The whole study: every cell trained, scored and kept; then read again by the figures."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import BadTable, need
from dragoman.evaluate.corpus import Corpus, load_corpus
from dragoman.languages import FIVE
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.url_2008.greedy import greedy_selection
from dragoman.studies.url_2008.plan import SCALES, Cell, Plan, all_cells, size_cells
from dragoman.studies.url_2008.training import Trainer
from dragoman.studies.url_2008.tree import small_tree
from dragoman.types import Scores

#: Changes with the meaning of the kept pieces, so that old ones are not read as new.
EDITION = 2
#: URLs kept per site of the training set.
CAP = 30

#: The test set of the paper's human judges, training sizes and trees.
FOCUS = "crawl"

Report = Callable[[int, int, str], None]


@dataclass
class Study:
    """A finished study, ready to be read."""

    corpus: Corpus
    plan: Plan
    cells: Cells
    has_text: bool
    greedy: list[tuple[str, str, float]] = field(default_factory=list)
    tree: Arrays = field(default_factory=dict)

    def scores(self, cell: Cell, test: str) -> Scores:
        """A cell's scores of a test set."""
        return Scores(self.corpus.languages, self.cells.get(cell.name)[test])

    def seconds(self, cell: Cell) -> float:
        """How long a cell took to train."""
        return float(self.cells.get(cell.name)["seconds"])


def run_study(data: Path, out: Path, scale: str, report: Report, text: Path | None = None, seed: int = 0) -> Study:
    """Train what is not there yet; `report(done, total, what)` is told about each piece."""
    plan = SCALES[scale]
    report(0, 1, "reading the URLs")
    corpus = load_corpus(data, FIVE, cap=CAP, share=plan.share, seed=seed)
    texts = read_texts(text, corpus.languages)
    _check(data, corpus)
    recipe = {"edition": EDITION, "plan": repr(plan), "cap": CAP, "seed": seed, "data": corpus.digests}
    kept = Cells(out, recipe | {"text": hashlib.sha256(text.read_bytes()).hexdigest() if text and texts else ""})
    trainer = Trainer(corpus, plan, texts)
    _check_sizes(data, trainer)
    cells = [cell for cell in all_cells(plan) if texts or not cell.content]
    for number, cell in enumerate(cells):
        report(number, len(cells) + 2, cell.name)
        kept.compute(cell.name, lambda cell=cell: trainer.run(cell))  # type: ignore[misc]
    report(len(cells), len(cells) + 2, "a tree to look at")
    tree = kept.compute("tree", lambda: small_tree(corpus))
    report(len(cells) + 1, len(cells) + 2, "greedy selection")
    steps = kept.compute("greedy", lambda: _steps(greedy_selection(corpus, plan)))
    report(len(cells) + 2, len(cells) + 2, "done")
    greedy = [
        (str(language), str(feature), float(f))
        for language, feature, f in zip(steps["language"], steps["feature"], steps["f"], strict=True)
    ]
    return Study(corpus, plan, kept, bool(texts), greedy, tree)


def _check(data: Path, corpus: Corpus) -> None:
    """BadTable unless the URLs suffice: a crawl set, and every language for training, tuning and judging."""
    if FOCUS not in corpus.tests:
        found = ", ".join(f"dev_{name}.parquet" for name in corpus.tests)
        raise BadTable(f"'{data}' has {found}; the study needs dev_{FOCUS}.parquet: half of it is about that set")
    parts = {f"train.parquet ({len(corpus.train):,} URLs drawn)": corpus.train.truth}
    for name, test in corpus.tests.items():
        halves = {"tune": ~test.judge, "judge": test.judge}
        parts |= {f"half '{half}' of dev_{name}.parquet": test.truth[rows] for half, rows in halves.items()}
    for part, truth in parts.items():
        missing = [tag for place, tag in enumerate(corpus.languages) if not np.any(truth == place)]
        if missing:
            needed = ", ".join(corpus.languages)
            raise BadTable(f"'{data}': {part} has no URL labelled {', '.join(missing)}; each needs {needed}")


def _check_sizes(data: Path, trainer: Trainer) -> None:
    """BadTable where the smallest samples would leave a language without any URL."""
    train = trainer.corpus.train
    for cell in size_cells(trainer.plan):
        if len(np.unique(train.truth[trainer.rows(cell)])) < len(trainer.corpus.languages):
            raise BadTable(
                f"'{data}': train.parquet gives {len(train):,} URLs, of which a sample of {100 * cell.share:g} % lacks "
                "a language; give more URLs, or a smaller --scale, which draws larger samples"
            )


def _steps(rows: list[tuple[str, str, float]]) -> dict[str, NDArray[np.generic]]:
    return {
        "language": np.array([row[0] for row in rows], np.str_),
        "feature": np.array([row[1] for row in rows], np.str_),
        "f": np.array([row[2] for row in rows]),
    }


def read_texts(path: Path | None, languages: tuple[str, ...]) -> dict[str, list[str]]:
    """Text by language from a Parquet file (text, lang); nothing where there is no file."""
    if path is None or not path.exists():
        return {}
    table = need("bulk", "pyarrow.parquet").read_table(path, columns=["text", "lang"])
    names, texts = table["lang"].to_pylist(), table["text"].to_pylist()
    found = {
        language: [text for name, text in zip(names, texts, strict=True) if name == language] for language in languages
    }
    return found if all(found.values()) else {}
