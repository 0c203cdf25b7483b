"""The study of language identification on the web: every cell trained and tested."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial

import numpy as np

from dragoman.languages import PRESETS
from dragoman.report.html import ReportPage
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding
from dragoman.studies.hayati_2004.domains import UrlDomains, load_domains
from dragoman.studies.hayati_2004.figures import HayatiFigures, published
from dragoman.studies.hayati_2004.findings import findings
from dragoman.studies.hayati_2004.links import AS_MADE, AS_REPORTED, LinkedPages
from dragoman.studies.hayati_2004.page import study_page
from dragoman.studies.hayati_2004.plan import (
    COMBINED,
    COMBINED_LENGTHS,
    PAGES,
    SCALES,
    SENTENCE_TEXT,
    HayatiCell,
    HayatiPlan,
    all_cells,
    tests_of,
)
from dragoman.studies.study import Piece, Progress, Study
from dragoman.studies.text_draws import Half, LabelledTexts, load_texts, range_name


class HayatiStudy(Study[HayatiPlan]):
    """Language Identification on the World Wide Web (Hayati, 2004), on our data."""

    scales = SCALES

    def load(self, progress: Progress) -> None:
        """Read the text and, for the domains, the URLs; --urls defaults to the folder urls beside the data."""
        progress(0, 1, "reading the text")
        self.texts = load_texts(self.request.data, PRESETS["eleven"])
        self.digests = self.texts.digests
        self.domains: UrlDomains | None = None
        urls = self.request.urls or self.request.data.parent / "urls"
        if (urls / "train.parquet").exists():
            progress(0, 1, "reading the URLs")
            self.domains = load_domains(urls, sorted(PRESETS["eleven"]), self.plan.urls, self.seed)
            self.digests = self.digests | self.domains.digests
        # Cells of one kind follow each other: one draw at a time is enough.
        self.training = lru_cache(maxsize=1)(self._training)

    @cached_property
    def figures(self) -> HayatiFigures:
        """What the finished pieces say."""
        return HayatiFigures(self.texts, self.plan, self.seed, self.cells, self.domains)

    def report(self) -> tuple[list[Finding], ReportPage]:
        """What came of the claims, and the page."""
        claims = list(findings(self.figures))
        return claims, study_page(self.figures, claims, self.footer)

    def pieces(self) -> Sequence[Piece]:
        """Every cell, then the links."""
        cells = [Piece(cell.name, partial(self._answers, cell)) for cell in all_cells(self.plan)]
        links = [(links, draw) for links in (AS_MADE, AS_REPORTED) for draw in range(self.plan.draws)]
        return [*cells, *(Piece(f"links/{links}/{draw}", partial(self._links, links, draw)) for links, draw in links)]

    def _training(self, languages: str, draw: int, characters: int, tests: str, training: str) -> LabelledTexts:
        texts, seed = self.texts.only(PRESETS[languages]), self.seed * 1000 + draw
        if training == SENTENCE_TEXT:
            return texts.training_sentences(seed, characters)
        half: Half | None = "tune" if tests == PAGES else None
        return texts.training(seed, characters, half=half)

    def _answers(self, cell: HayatiCell) -> Arrays:
        """The answers of a cell's classifier to its tests, and its scores where they are combined with domains."""
        train = self.training(cell.languages, cell.draw, cell.characters, cell.tests, cell.training)
        model = cell.variant.make().fit(train.texts, train.labels)
        answers: Arrays = {}
        if cell.tests == PAGES:
            pages = self.figures.test(cell.languages, cell.draw, None)
            answers[f"said {PAGES}"] = model.scores(pages.texts).best.astype(np.int8)
        for lengths in tests_of(cell):
            name, test = range_name(lengths), partial(self.figures.test, cell.languages, cell.draw, lengths)
            scores = model.scores(test().texts)
            answers[f"said {name}"] = scores.best.astype(np.int8)
            combined = cell.variant in COMBINED and cell.languages == "eleven" and cell.training == PAGES
            if combined and lengths in COMBINED_LENGTHS:
                answers[f"scores {name}"] = scores.matrix
                answers[f"tune {name}"] = model.scores(test(half="tune").texts).matrix
        return answers

    def _links(self, links: str, draw: int) -> Arrays:
        """The answers of the text alone, of INLINKS and of OUTLINKS to the short pages of a web."""
        share = published()["links-of-one-language"]
        web = LinkedPages.made(self.plan.web, 11 + 100 * self.seed + draw, links, share)
        pieces = web.about()
        for variant in COMBINED:
            chance = np.random.default_rng([self.seed, draw, len(variant.name)])
            answers = web.answered(partial(self.figures.answers_in, variant, draw), chance)
            pieces |= {f"{variant.name} {method}": columns for method, columns in answers.items()}
        return pieces
