"""The scout's estimate: log-odds that a URL is relevant, from what is known before it is fetched, learnt online."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dragoman.crawl.strategies.scout_memory import SeenTable
from dragoman.errors import UnknownName

#: Cells of link evidence and states of a record; the weights are laid out as in kernels/scout.h.
CELLS, STATES = 20, 3
SEED_CELL = CELLS - 1
#: No link that counts leads to the first cell: it holds what only a complete crawl takes. Without `parents` all else
#: is in one cell.
LATE_CELL, ONE_CELL = 0, 1
RECORD = CELLS * STATES
SCORE, RESIDUAL, SEEN, SEEN_SERVER = (RECORD + STATES * kind for kind in range(1, 5))
WEIGHTS = RECORD + 5 * STATES

#: What a scout can do without, in the order of the bits in kernels/scout.h.
INGREDIENTS = (
    "score", "parents", "directory", "server", "residual", "seen", "learning", "exploring", "reranking",
)  # fmt: skip

#: The smallest weight of a score in ranking: within a group a higher score always goes first.
LEAST_SCALE = 0.01
#: The scores of relevant and other pages before any was fetched count as ten pages with these means.
SCORE_MEANS = (-1.0, 1.0)
SCORE_PAGES = 10.0
#: Log-odds in learning stay within these bounds, so that no page is taken for impossible.
WIDEST = 30.0
#: The weight of anchor texts before anything was fetched.
ANCHOR = 0.5
#: AdaGrad's sum of squares at the start: the first steps are no longer than the rate.
SQUARES = 1.0


def check_ingredients(names: Iterable[str]) -> None:
    """UnknownName unless all of them are ingredients."""
    for name in names:
        if name not in INGREDIENTS:
            raise UnknownName("ingredient", name, INGREDIENTS)


def starting_weights() -> list[float]:
    """The weights before anything was fetched: no opinion about cells, trust in records and scores."""
    weights = [0.0] * WEIGHTS
    weights[RECORD : RECORD + STATES] = [0.0, 0.8, 1.0]
    weights[SCORE : SCORE + STATES] = [1.0, 1.0, 1.0]
    weights[RESIDUAL : RESIDUAL + STATES] = [0.0, -0.7, -0.7]
    weights[SEEN : SEEN + STATES] = [0.3, 0.3, 0.3]
    weights[SEEN_SERVER : SEEN_SERVER + STATES] = [0.3, 0.3, 0.3]
    return weights


def link_cell(counts: Sequence[int]) -> int:
    """The cell of a URL by links on relevant and other pages of its own server, then of other servers.

    >>> link_cell([0, 0, 1, 0]), link_cell([1, 0, 0, 0]), link_cell([2, 1, 3, 0]), link_cell([1, 2, 0, 5])
    (2, 12, 19, 9)
    """
    relevant, other, away, other_away = counts
    if not relevant:
        own = 1 if other else 0
    elif other > relevant:
        own = 2
    else:
        own = 4 if relevant > 1 else 3
    foreign = (3 if away > 1 else 2) if away else (1 if other_away else 0)
    return own * 4 + foreign


class Evidence(NamedTuple):
    """What is known of the URLs of a directory: the state of its record, and the terms of the estimate."""

    state: int
    record: float
    residual: float
    seen: float
    seen_server: float


class Estimate:
    """Logistic regression with a step of AdaGrad per page; ranks use the weights of the last `settle`."""

    def __init__(self, weights: Sequence[float], rate: float, without: frozenset[str] = frozenset()) -> None:
        self.rate, self.without = rate, without
        self._server, self._directory = "server" not in without, "directory" not in without
        self._residual, self._seen = "residual" not in without, "seen" not in without
        self.weights, self.ranking = list(weights), list(weights)
        self.squares = [SQUARES] * WEIGHTS
        #: The weight of what anchor texts say beside what URLs say.
        self.anchor, self._anchor_squares = ANCHOR, SQUARES
        self.score_sums = [SCORE_PAGES * mean for mean in SCORE_MEANS]
        self.score_counts = [SCORE_PAGES, SCORE_PAGES]

    def evidence(
        self, directories: SeenTable, directory: int, servers: SeenTable, server: int, pages: float,
        relevant: float,        server_prior: float, directory_prior: float,
    ) -> Evidence:  # fmt: skip
        """The evidence about a directory's URLs; `pages` and `relevant` are its server's record.

        Errors count as pages that were not relevant.
        """
        rate, state, pages = 0.5, 0, pages + servers.errors[server]
        if self._server:
            rate = (relevant + server_prior * 0.5) / (pages + server_prior)
            state = 1 if pages else 0
        if self._directory:
            tried = directories.pages[directory] + directories.errors[directory]
            rate = (directories.relevant[directory] + directory_prior * rate) / (tried + directory_prior)
            state = 2 if tried else state
        known = self._seen
        return Evidence(
            state,
            math.log(rate / (1.0 - rate)),
            servers.residual[server] / (pages + 1.0) if self._residual else 0.0,
            directories.scores[directory] / (directories.seen[directory] + 1.0) if known else 0.0,
            servers.scores[server] / (servers.seen[server] + 1.0) if known else 0.0,
        )

    def _offset(self, weights: Sequence[float], evidence: Evidence, cell: int) -> float:
        state = evidence.state
        return (
            weights[cell * STATES + state]
            + weights[RECORD + state] * evidence.record
            + weights[RESIDUAL + state] * evidence.residual
            + weights[SEEN + state] * evidence.seen
            + weights[SEEN_SERVER + state] * evidence.seen_server
        )

    def offset(self, evidence: Evidence, cell: int) -> float:
        """The log-odds of a URL in this cell, without its own score."""
        return self._offset(self.ranking, evidence, cell)

    def scale(self, evidence: Evidence) -> float:
        """What a URL's score is multiplied with."""
        return max(self.ranking[SCORE + evidence.state], LEAST_SCALE)

    def learn(self, evidence: Evidence, cell: int, score: float, relevant: bool, anchor: float = 0.0) -> float:
        """What a fetched page teaches: a step of the weights. By how much its score was too high comes out.

        What its anchor text says is a part of the score, with the weight that is learnt here.
        """
        if "learning" not in self.without:
            error = self._step(evidence, cell, score, relevant)
            if anchor:
                slope = error * self.weights[SCORE + evidence.state] * anchor
                self._anchor_squares += slope * slope
                self.anchor += self.rate * slope / math.sqrt(self._anchor_squares)
        self.score_sums[relevant] += score
        self.score_counts[relevant] += 1.0
        return score - self.score_sums[relevant] / self.score_counts[relevant]

    def _step(self, evidence: Evidence, cell: int, score: float, relevant: bool) -> float:
        state = evidence.state
        logit = self._offset(self.weights, evidence, cell) + self.weights[SCORE + state] * score
        logit = min(max(logit, -WIDEST), WIDEST)
        error = relevant - 1.0 / (1.0 + math.exp(-logit))
        steps = (
            (cell * STATES + state, 1.0),
            (RECORD + state, evidence.record),
            (SCORE + state, score),
            (RESIDUAL + state, evidence.residual),
            (SEEN + state, evidence.seen),
            (SEEN_SERVER + state, evidence.seen_server),
        )
        for weight, value in steps:
            slope = error * value
            self.squares[weight] += slope * slope
            self.weights[weight] += self.rate * slope / math.sqrt(self.squares[weight])
        return error

    def settle(self) -> None:
        """Rank by what has been learnt until now."""
        self.ranking = list(self.weights)
