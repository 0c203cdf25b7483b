"""Scores become the numbers of the paper's tables: on the judge halves, among URLs of the five languages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.evaluate.corpus import UrlSet
from dragoman.evaluate.judging import answers
from dragoman.evaluate.strata import Strata, mixed_sites, strata
from dragoman.identifiers.url.algorithms.combined import Rule, best_rules
from dragoman.identifiers.url.algorithms.custom_columns import SELECTION
from dragoman.measures import Interval, Judgement
from dragoman.studies.url_2008.plan import LINEAR, PAPER_FEATURES, Cell, main_cells
from dragoman.studies.url_2008.published import published_pairs
from dragoman.studies.url_2008.study import Study
from dragoman.studies.url_2008.training import Trainer

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def spec(cell: Cell) -> str:
    """A cell's classifier as `algorithm:features`."""
    return f"{cell.algorithm}:{cell.features}"


@dataclass
class Figures:
    """Everything that the tables, plots and findings ask of a study."""

    study: Study

    @property
    def languages(self) -> tuple[str, ...]:
        """The columns."""
        return self.study.corpus.languages

    @property
    def tests(self) -> dict[str, UrlSet]:
        """The test sets."""
        return self.study.corpus.tests

    def rows(self, test: str, half: str = "judge", closed: bool = True) -> Bools:
        """Which rows count: one half, and in a closed test only the URLs of our languages."""
        one = self.tests[test]
        chosen = one.judge if half == "judge" else ~one.judge
        return chosen & (one.truth >= 0) if closed else chosen

    def said(self, cell: Cell, test: str, reading: str = "binary") -> Bools:
        """A cell's yes/no matrix on a whole test set."""
        return answers(self.study.scores(cell, test), reading)

    def judgements(self, said: Bools, test: str, mask: Bools | None = None, closed: bool = True) -> list[Judgement]:
        """Figures of each language on the judge half."""
        rows = self.rows(test, closed=closed) & (mask if mask is not None else True)
        return measures.judge_all(self.tests[test].truth[rows], said[rows])

    def macro(self, said: Bools, test: str, mask: Bools | None = None) -> float:
        """Macro F on the judge half."""
        rows = self.rows(test) & (mask if mask is not None else True)
        return measures.macro_f(self.tests[test].truth[rows], said[rows])

    def interval(self, said: Bools, test: str, other: Bools | None = None, mask: Bools | None = None) -> Interval:
        """Macro F, or its difference to another's, with a 95 % interval by sites."""
        rows = self.rows(test) & (mask if mask is not None else True)
        one = self.tests[test]
        return measures.site_bootstrap(
            one.truth[rows],
            one.sites[rows],
            said[rows],
            None if other is None else other[rows],
            rounds=self.study.plan.rounds,
        )

    @cached_property
    def members(self) -> list[Cell]:
        """The paper's classifiers that may be paired."""
        return [
            cell
            for cell in main_cells()
            if cell.features in PAPER_FEATURES and cell.algorithm in (*LINEAR, "decision-tree")
        ]

    @cached_property
    def rules(self) -> list[Rule]:
        """The best pair of each language, searched on the tuning halves."""
        return self._search("tune")

    def _search(self, half: str) -> list[Rule]:
        masks = {test: self.rows(test, half) for test in self.tests}
        return best_rules(
            {spec(cell): [self.said(cell, test)[masks[test]] for test in self.tests] for cell in self.members},
            [self.tests[test].truth[masks[test]] for test in self.tests],
            len(self.languages),
        )

    def combined(self, test: str, rules: list[Rule] | None = None) -> Bools:
        """The yes/no matrix of pairs (the best ones unless given) on a whole test set."""
        said = {spec(cell): self.said(cell, test) for cell in self.members}
        return np.stack(
            [
                (np.logical_or if rule.how == "or" else np.logical_and)(
                    said[rule.main][:, column], said[rule.helper][:, column]
                )
                for column, rule in enumerate(rules or self.rules)
            ],
            axis=1,
        )

    @cached_property
    def best_single(self) -> Cell:
        """The classifier with the highest macro F on the tuning halves, averaged over the sets."""
        return max(self.members, key=self._tune_f)

    def _tune_f(self, cell: Cell) -> float:
        return float(
            np.mean(
                [
                    measures.macro_f(self.tests[test].truth[rows], self.said(cell, test)[rows])
                    for test in self.tests
                    for rows in [self.rows(test, "tune")]
                ]
            )
        )

    def curve(self, features: str, algorithm: str, test: str) -> list[tuple[float, list[float]]]:
        """(share, macro F of each drawn sample) by training size."""
        plan = self.study.plan
        points = []
        for share in (*plan.sizes, 1.0):
            seeds = range(plan.repeats if share <= 0.03 else 1)
            cells = [Cell(features, algorithm, share, seed) for seed in seeds]
            points.append((share, [self.macro(self.said(cell, test), test) for cell in cells]))
        return points

    def seen_share(self, test: str) -> list[tuple[float, float]]:
        """(training share, share of test URLs whose site is among the training URLs)."""
        train, one, rows = self.study.corpus.train, self.tests[test], self.rows(test)
        trainer = Trainer(self.study.corpus, self.study.plan, {})
        return [
            (share, float(np.isin(one.sites[rows], train.sites[trainer.rows(Cell("words", "", share))]).mean()))
            for share in (*self.study.plan.sizes, 1.0)
        ]

    def mixed(self, test: str) -> Bools:
        """Which test URLs lie on sites that are labelled with several of our languages, in training or test."""
        train = self.study.corpus.train
        everything = [train, *self.tests.values()]
        return mixed_sites(
            np.concatenate([one.sites for one in everything]),
            np.concatenate([one.truth for one in everything]),
            self.tests[test].sites,
        )

    def strata_of(self, test: str) -> Strata:
        """Masks of the test set by kind of URL."""
        one = self.tests[test]
        return strata(one.urls, one.unseen, self.mixed(test))


def paper_rules() -> dict[str, Rule]:
    """The paper's own best pairs (section 5.6), by language."""
    return {pair.language: Rule(":".join(pair.first), ":".join(pair.second), pair.mode) for pair in published_pairs()}


NB_WORDS = Cell("words", "naive-bayes")
ME_TRIGRAMS = Cell("trigrams", "max-entropy")
TREE = Cell(SELECTION, "decision-tree")
CCTLD, CCTLD_PLUS = Cell("tld", "cctld"), Cell("tld", "cctld-plus")
