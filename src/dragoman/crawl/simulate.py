"""Simulation: a strategy's crawl of a stored graph, as curves of coverage, harvest, queue and servers.

The loop is compiled (kernels/simulate.c); dragoman.crawl.drive is the same in plain Python, and tests hold both equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.ideal import READINGS, needed_pages
from dragoman.crawl.records import Rule
from dragoman.crawl.strategies import known
from dragoman.crawl.strategies.base import REASONS
from dragoman.crawl.strategies.estimate import INGREDIENTS, SCORE_MEANS, SQUARES, starting_weights
from dragoman.crawl.strategies.scout import ScoutOptions
from dragoman.errors import UsageError
from dragoman.kernels.scout import ScoutWalk
from dragoman.kernels.simulate import Walk
from dragoman.web.graph import Graph

#: The shares of coverage at which harvest is told.
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98)
#: Points of a curve, about.
POINTS = 500

_KINDS = {
    "bfs": "breadth-first",
    "hard-focused": "hard-focused",
    "soft-focused": "soft-focused",
    "aggressive-server": "aggressive",
    "conservative-server": "conservative",
    "conservative-directory": "conservative",
    "perfect": "perfect",
    "perfect-fewest": "perfect",
}


@dataclass(frozen=True)
class Options:
    """How strategies behave beyond their names; each takes what concerns it."""

    rule: Rule = field(default_factory=Rule)
    #: Keep links of undecided servers aside instead of rejecting them (step 4.5).
    defer: bool = False
    #: A URL that waits with low priority and is found on a relevant page moves up (the paper leaves it open).
    promotion: bool = True
    scout: ScoutOptions = field(default_factory=ScoutOptions)


#: What crawls, compiled.
Crawl = Walk | ScoutWalk


@dataclass(frozen=True, eq=False)
class Run:
    """One strategy's crawl: the pages in their order, and the curves' points (pages, queue and servers)."""

    strategy: str
    tolerance: int
    order: NDArray[np.uint32]
    pages: NDArray[np.int64]
    queue: NDArray[np.int64]
    servers: NDArray[np.int64]
    #: Relevant pages after each page of the crawl.
    found: NDArray[np.int64]
    #: Relevant pages in the graph.
    total: int
    reasons: dict[str, int]
    #: False if the crawl was stopped before the queue ran dry.
    finished: bool = True

    @property
    def coverage(self) -> float:
        """The share of the graph's relevant pages that were visited; NaN where there are none."""
        return self._last / self.total if self.total else math.nan

    @property
    def harvest(self) -> float:
        """The share of the visited pages that are relevant; NaN where none was visited."""
        return self._last / len(self.order) if len(self.order) else math.nan

    @property
    def _last(self) -> int:
        return int(self.found[-1]) if len(self.found) else 0

    def pages_at(self, coverage: float) -> int | None:
        """After how many pages that share of the relevant pages was reached; None if it never was."""
        wanted = max(1, math.ceil(coverage * self.total - 1e-9))
        if not self.total or wanted > self._last:
            return None
        return int(np.searchsorted(self.found, wanted)) + 1

    def harvest_at(self, coverage: float) -> float | None:
        """Harvest when that share of the relevant pages was reached; None if it never was."""
        pages = self.pages_at(coverage)
        return None if pages is None else float(self.found[pages - 1]) / pages

    def curve(self) -> dict[str, NDArray[Any]]:
        """The columns of the curves: pages, relevant, coverage, harvest, queue, servers."""
        relevant = self.found[self.pages - 1] if len(self.pages) else np.empty(0, np.int64)
        return {
            "pages": self.pages,
            "relevant": relevant,
            "coverage": relevant / max(self.total, 1),
            "harvest": relevant / np.maximum(self.pages, 1),
            "queue": self.queue,
            "servers": self.servers,
        }

    def summary(self) -> dict[str, object]:
        """What `summary.json` says of it; null where there is no such figure."""
        return {
            "strategy": self.strategy,
            "tolerance": self.tolerance,
            "coverage": _number(self.coverage),
            "harvest": _number(self.harvest),
            "pages": len(self.order),
            "max_queue": int(self.queue.max()) if len(self.queue) else 0,
            "servers": int(self.servers[-1]) if len(self.servers) else 0,
            "harvest_at": {f"{level:g}": self.harvest_at(level) for level in LEVELS},
            "finished": self.finished,
            "reasons": self.reasons,
        }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


class Simulation:
    """A crawl in steps: `advance` until it answers False, then (or before) read `run`."""

    def __init__(
        self,
        graph: Graph,
        relevant: NDArray[np.bool_],
        strategy: str,
        options: Options | None = None,
        *,
        score: NDArray[np.float32] | None = None,
        points: int = POINTS,
    ) -> None:
        self.strategy, self.options = known(strategy), options or Options()
        self.relevant = np.ascontiguousarray(relevant & graph.fetched)
        self.total = int(np.count_nonzero(self.relevant))
        self.most = int(np.count_nonzero(graph.fetched))
        self.step = max(1, self.most // max(points, 1))
        self.crawl = self._crawl(graph, score)
        self._points: list[tuple[int, int, int]] = []

    def _crawl(self, graph: Graph, score: NDArray[np.float32] | None) -> Crawl:
        links = graph.indptr, graph.targets
        rule = self.options.rule
        if self.strategy == "scout":
            return self._scout(graph, score)
        needed = None
        if self.strategy in READINGS:
            needed = needed_pages(graph, self.relevant, fewest=READINGS[self.strategy])
        group = graph.directory if self.strategy == "conservative-directory" else graph.server
        return Walk(
            links, group, graph.server, self.relevant, graph.fetched, graph.seeds, _KINDS[self.strategy],
            needed=needed, tolerance=rule.tolerance, share=rule.share, halve_every=rule.halve_every, least=rule.least,
            readmit=rule.readmit, defer=self.options.defer, promotion=self.options.promotion,
        )  # fmt: skip

    def _scout(self, graph: Graph, score: NDArray[np.float32] | None) -> Crawl:
        rule, options = self.options.rule, self.options.scout
        quotas = np.array([options.quotas.get(language, -1) for language in graph.languages], np.int64)
        return ScoutWalk(
            (graph.indptr, graph.targets), graph.directory, graph.server, graph.language, self.relevant, graph.fetched,
            graph.seeds, weights=starting_weights(), squares=SQUARES, score_means=SCORE_MEANS, score=score,
            quotas=quotas, tolerance=rule.tolerance, share=rule.share, halve_every=rule.halve_every, least=rule.least,
            readmit=rule.readmit, complete=options.complete, rate=options.rate, explore=options.explore,
            server_prior=options.server_prior, directory_prior=options.directory_prior,
            left_out=sum(1 << INGREDIENTS.index(name) for name in set(options.without)),
        )  # fmt: skip

    def advance(self) -> bool:
        """Crawl on to the next point of the curves; False once nothing waits."""
        more = self.crawl.advance(self.step)
        if self.crawl.pages > (self._points[-1][0] if self._points else 0):
            self._points.append((self.crawl.pages, self.crawl.queue, self.crawl.servers))
        return more

    @property
    def run(self) -> Run:
        """What has come of it so far."""
        points = np.array(self._points, np.int64).reshape(-1, 3)
        order = self.crawl.order.copy()
        found = np.cumsum(self.relevant[order], dtype=np.int64)
        reasons = {name: count for name, count in zip(REASONS, self.crawl.reasons, strict=True) if count}
        pages, queue, servers = (np.ascontiguousarray(points[:, column]) for column in range(3))
        return Run(
            self.strategy, self.options.rule.tolerance, order, pages, queue, servers, found, self.total, reasons,
            self.crawl.finished,
        )  # fmt: skip


def simulate(
    graph: Graph,
    relevant: NDArray[np.bool_],
    strategy: str,
    options: Options | None = None,
    *,
    score: NDArray[np.float32] | None = None,
    points: int = POINTS,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """The crawl of a strategy over a graph, to its end.

    `relevant` says which pages are wanted, `score` how much each URL speaks for relevance (log-odds, for `scout`);
    `progress` is told pages visited and pages there are.

    >>> graph = Graph.of([[1, 2], [3], [], [0]], seeds=[0])
    >>> run = simulate(graph, np.array([True, False, True, True]), "hard-focused")
    >>> run.order.tolist(), round(run.coverage, 2), round(run.harvest, 2), run.harvest_at(0.9)
    ([0, 1, 2], 0.67, 0.67, None)
    """
    if len(relevant) != len(graph):
        raise UsageError(f"The graph has {len(graph):,} vertices but {len(relevant):,} are said to be relevant or not")
    one = Simulation(graph, relevant, strategy, options, score=score, points=points)
    while one.advance():
        if progress is not None:
            progress(one.crawl.pages, one.most)
    return one.run


def misses_by_distance(run: Run, distance: NDArray[np.int32], relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of relevant pages within each distance from the seeds that were missed (the paper's Figure 4).

    Cumulative: entry d is for distance at most d. NaN while there is no relevant page that near.
    """
    missed = relevant.copy()
    missed[run.order] = False
    reached = relevant & (distance >= 0)
    far = int(distance.max()) + 1 if len(distance) else 0
    there = np.cumsum(np.bincount(distance[reached], minlength=far))
    gone = np.cumsum(np.bincount(distance[reached & missed], minlength=far))
    shares: NDArray[np.float64] = np.divide(gone, there, out=np.full(len(there), np.nan), where=there > 0)
    return shares
