"""The study of hidden Markov models of letters: every cell on every draw, and the network on mixed documents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property, lru_cache, partial

import numpy as np

from dragoman.languages import FIVE
from dragoman.report.html import ReportPage
from dragoman.report.tables import Table
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding
from dragoman.studies.hmm_2004.draws import training
from dragoman.studies.hmm_2004.figures import HmmFigures
from dragoman.studies.hmm_2004.findings import findings
from dragoman.studies.hmm_2004.page import study_page
from dragoman.studies.hmm_2004.plan import SCALES, HmmCell, HmmPlan, all_cells, tests_of
from dragoman.studies.hmm_2004.tables import training_times
from dragoman.studies.hmm_2004.tracking import PARTS, track
from dragoman.studies.hmm_2004.two_languages import read_page
from dragoman.studies.study import Piece, Progress, Study
from dragoman.studies.text_draws import CHARACTERS, LabelledTexts, load_texts, range_name


class HmmStudy(Study[HmmPlan]):
    """Language identification in web documents using discrete HMMs (Xafopoulos and others, 2004), on our data."""

    scales = SCALES

    def load(self, progress: Progress) -> None:
        """Read the text."""
        progress(0, 1, "reading the text")
        self.texts = load_texts(self.request.data, FIVE)
        self.digests = self.texts.digests
        # The training texts of one draw are used by all of its cells.
        self.training = lru_cache(maxsize=3)(self._training)

    @cached_property
    def figures(self) -> HmmFigures:
        """What the finished pieces say."""
        return HmmFigures(self.texts, self.plan, self.seed, self.cells)

    def report(self) -> tuple[list[Finding], ReportPage]:
        """What came of the claims, and the page."""
        claims = list(findings(self.figures))
        return claims, study_page(self.figures, claims, self.footer)

    def pieces(self) -> Sequence[Piece]:
        """Every cell on every draw, then the network."""
        pieces = [
            Piece(f"{cell.name}/{draw}", partial(self._answers, cell, draw))
            for draw in range(self.plan.draws)
            for cell in all_cells(self.plan)
        ]
        pieces += [Piece(f"page/{draw}", partial(self._read, draw)) for draw in range(self.plan.draws)]
        return [*pieces, *(Piece(f"tracking/{part}", partial(self._tracked, part)) for part in PARTS)]

    def timings(self) -> Table:
        """How long each cell took to train."""
        return training_times(self.figures)

    def _training(self, draw: int, training_set: str, writing: str = "clean") -> LabelledTexts:
        seed = self.figures.seed_of(draw)
        return training(
            self.texts,
            seed,
            CHARACTERS,
            "pages" if training_set == "pages" else "sentences",
            one_in=10 if training_set == "tenth" else 1,
            writing=writing,
        )

    def _answers(self, cell: HmmCell, draw: int) -> Arrays:
        """The answers of a cell's classifier to the test sentences of a draw."""
        train = self.training(draw, cell.training, cell.writing)
        started = time.perf_counter()
        model = cell.make().fit(train.texts, train.labels)
        answers: Arrays = {"seconds": np.array(time.perf_counter() - started)}
        column = np.array([*(FIVE.index(language) for language in model.languages_), -1], np.int8)
        for lengths in tests_of(cell):
            answers[range_name(lengths)] = column[
                model.scores(self.figures.test(draw, lengths, cell.writing).texts).best
            ]
        return answers

    def _read(self, draw: int) -> Arrays:
        return read_page(self.training(draw, "same"))

    def _tracked(self, part: str) -> Arrays:
        return track(self.training(0, "same"), self.texts, self.plan, self.seed, part)
