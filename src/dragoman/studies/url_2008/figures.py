"""Scores become the numbers of the paper's tables: on the judge halves, among URLs of the five languages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.evaluate.corpus import Corpus, UrlSet
from dragoman.evaluate.judging import answers
from dragoman.evaluate.strata import Strata, mixed_sites, strata
from dragoman.identifiers.url.algorithms.combined import Rule, best_rules
from dragoman.measures import Interval, Judgement
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.url_2008.plan import LINEAR, PAPER_FEATURES, UrlCell, UrlPlan, main_cells
from dragoman.studies.url_2008.training import sampled_rows
from dragoman.types import Scores

Bools = NDArray[np.bool_]

#: The test set of the paper's human judges, training sizes and trees.
FOCUS = "crawl"


@dataclass
class UrlFigures:
    """Everything that the tables, plots and findings ask of a study."""

    corpus: Corpus
    plan: UrlPlan
    cells: Cells
    has_text: bool
    _answers: dict[tuple[UrlCell, str, str], Bools] = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The columns."""
        return self.corpus.languages

    @property
    def tests(self) -> dict[str, UrlSet]:
        """The test sets."""
        return self.corpus.tests

    @property
    def greedy(self) -> list[tuple[str, str, float]]:
        """(language, feature, F reached) of every step of greedy selection."""
        steps = self.cells.get("greedy")
        columns = (steps[name].tolist() for name in ("language", "feature", "f"))
        return list(zip(*columns, strict=True))

    @property
    def tree(self) -> Arrays:
        """A tree to read: see dragoman.studies.url_2008.tree."""
        return self.cells.get("tree")

    def protocol(self, name: str) -> Arrays:
        """What came of a protocol: see dragoman.studies.url_2008.protocols."""
        return self.cells.get(f"protocol/{name}")

    def leads(self, name: str, algorithm: str) -> dict[float, float]:
        """F of words less F of trigrams under a protocol, by share of the training URLs."""
        words, trigrams = self.protocol(name)["f"][:, LINEAR.index(algorithm)]
        return dict(zip(self.plan.pool_sizes, (words - trigrams).tolist(), strict=True))

    def preliminary(self, method: str, test: str) -> Bools:
        """The yes/no matrix of a method that the paper tried first, one answer per URL."""
        return measures.one_hot(self.cells.get("preliminary")[f"{method}/{test}"], len(self.languages))

    def token_share(self, kind: str, token: str) -> tuple[float, float]:
        """(share of the language's URLs that have the token, how likely the language is given the token)."""
        inside, likely = self.cells.get("shares")[f"{kind}/{token}"].tolist()
        return inside, likely

    @property
    def hyphens(self) -> dict[str, float]:
        """Hyphens per training URL."""
        return dict(zip(self.languages, self.cells.get("hyphens")["means"].tolist(), strict=True))

    def seconds(self, cell: UrlCell) -> float:
        """How long a cell took to train."""
        return float(self.cells.get(cell.name)["seconds"])

    def rows(self, test: str, half: str = "judge", closed: bool = True) -> Bools:
        """Which rows count: one half, and in a closed test only the URLs of our languages."""
        urls = self.tests[test]
        chosen = urls.judge if half == "judge" else ~urls.judge
        return chosen & (urls.truth >= 0) if closed else chosen

    def answers(self, cell: UrlCell, test: str, reading: str = "binary") -> Bools:
        """A cell's yes/no matrix on a whole test set."""
        key = (cell, test, reading)
        if key not in self._answers:
            scores = Scores(self.languages, self.cells.get(cell.name)[test])
            self._answers[key] = answers(scores, reading)
        return self._answers[key]

    def judgements(self, answers: Bools, test: str, mask: Bools | None = None, closed: bool = True) -> list[Judgement]:
        """Figures of each language on the judge half."""
        rows = self.rows(test, closed=closed) & (mask if mask is not None else True)
        return measures.judge_all(self.tests[test].truth[rows], answers[rows])

    def mean(self, cell: UrlCell, test: str, figure: str) -> float:
        """The mean over the languages of a cell's precision, recall or the like."""
        judgements = self.judgements(self.answers(cell, test), test)
        return float(np.mean([getattr(judgement, figure) for judgement in judgements]))

    def macro(self, answers: Bools, test: str, mask: Bools | None = None, half: str = "judge") -> float:
        """Macro F, on the judge half unless another is asked for."""
        rows = self.rows(test, half) & (mask if mask is not None else True)
        return measures.macro_f(self.tests[test].truth[rows], answers[rows])

    def interval(self, answers: Bools, test: str, other: Bools | None = None) -> Interval:
        """Macro F, or its difference to another's, with a 95 % interval by sites."""
        rows, urls = self.rows(test), self.tests[test]
        less = None if other is None else other[rows]
        return measures.site_bootstrap(urls.truth[rows], urls.sites[rows], answers[rows], less, rounds=self.plan.rounds)

    @cached_property
    def members(self) -> list[UrlCell]:
        """The paper's classifiers that may be paired."""
        algorithms = (*LINEAR, "decision-tree")
        return [cell for cell in main_cells() if cell.features in PAPER_FEATURES and cell.algorithm in algorithms]

    @cached_property
    def rules(self) -> list[Rule]:
        """The best pair of each language, searched on the tuning halves."""
        masks = {test: self.rows(test, "tune") for test in self.tests}
        return best_rules(
            {cell.classifier: [self.answers(cell, test)[masks[test]] for test in self.tests] for cell in self.members},
            [self.tests[test].truth[masks[test]] for test in self.tests],
            len(self.languages),
        )

    def combined(self, test: str, rules: list[Rule] | None = None) -> Bools:
        """The yes/no matrix of pairs (the best ones unless given) on a whole test set."""
        answers = {cell.classifier: self.answers(cell, test) for cell in self.members}
        return np.stack(
            [
                (np.logical_or if rule.how == "or" else np.logical_and)(
                    answers[rule.main][:, column], answers[rule.helper][:, column]
                )
                for column, rule in enumerate(rules or self.rules)
            ],
            axis=1,
        )

    @cached_property
    def best_single(self) -> UrlCell:
        """The classifier with the highest macro F on the tuning halves, averaged over the sets."""

        def tuned(cell: UrlCell) -> float:
            return float(np.mean([self.macro(self.answers(cell, test), test, half="tune") for test in self.tests]))

        return max(self.members, key=tuned)

    def curve(self, features: str, algorithm: str, test: str = FOCUS) -> dict[float, list[float]]:
        """The macro F of each drawn sample by training share."""
        cells = {
            share: [UrlCell(features, algorithm, share, seed) for seed in self.plan.seeds(share)]
            for share in (*self.plan.sizes, 1.0)
        }
        return {share: [self.macro(self.answers(cell, test), test) for cell in row] for share, row in cells.items()}

    def seen_share(self, test: str) -> dict[float, float]:
        """The share of test URLs whose site is among the training URLs, by training share."""
        train, sites = self.corpus.train, self.tests[test].sites[self.rows(test)]
        return {
            share: float(np.isin(sites, train.sites[sampled_rows(len(train), share, seed=0)]).mean())
            for share in (*self.plan.sizes, 1.0)
        }

    def mixed(self, test: str) -> Bools:
        """Which test URLs lie on sites that are labelled with several of our languages, in training or test."""
        everything = [self.corpus.train, *self.tests.values()]
        sites, truth = (np.concatenate([getattr(urls, name) for urls in everything]) for name in ("sites", "truth"))
        return mixed_sites(sites, truth, self.tests[test].sites)

    def strata_of(self, test: str) -> Strata:
        """Masks of the test set by kind of URL."""
        urls = self.tests[test]
        return strata(urls.urls, urls.unseen, self.mixed(test))
