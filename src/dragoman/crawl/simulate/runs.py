"""Run: one strategy's crawl of a graph, as curves of coverage, harvest, queue and servers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.kernels import graph as kernel
from dragoman.web.graph import Graph

#: The shares of coverage at which harvest is told.
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True, eq=False)
class Run:
    """One strategy's crawl: the pages in their order, and the curves' points (pages, queue and servers)."""

    strategy_class: type[LinkStrategy]
    tolerance: int
    order: NDArray[np.uint32]
    pages: NDArray[np.int64]
    queue: NDArray[np.int64]
    servers: NDArray[np.int64]
    #: Relevant pages after each page of the crawl.
    relevant_so_far: NDArray[np.int64]
    #: Relevant pages in the graph.
    total: int
    reasons: dict[str, int]
    #: False if the crawl was stopped before the queue ran dry.
    finished: bool = True

    @property
    def strategy(self) -> str:
        """The name of the strategy."""
        return self.strategy_class.name

    @property
    def tolerant(self) -> bool:
        """True if the tolerance matters for the strategy."""
        return "rule" in self.strategy_class.options()

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
        return int(self.relevant_so_far[-1]) if len(self.relevant_so_far) else 0

    def pages_at(self, coverage: float) -> int | None:
        """After how many pages that share of the relevant pages was reached; None if it never was."""
        wanted = max(1, math.ceil(coverage * self.total - 1e-9))
        if not self.total or wanted > self._last:
            return None
        return int(np.searchsorted(self.relevant_so_far, wanted)) + 1

    def harvest_at(self, coverage: float) -> float | None:
        """Harvest when that share of the relevant pages was reached; None if it never was."""
        pages = self.pages_at(coverage)
        return None if pages is None else float(self.relevant_so_far[pages - 1]) / pages

    def curve(self) -> dict[str, NDArray[Any]]:
        """The columns of the curves: pages, relevant, coverage, harvest, queue, servers."""
        relevant = self.relevant_so_far[self.pages - 1] if len(self.pages) else np.empty(0, np.int64)
        return {
            "pages": self.pages,
            "relevant": relevant,
            "coverage": relevant / max(self.total, 1),
            "harvest": relevant / np.maximum(self.pages, 1),
            "queue": self.queue,
            "servers": self.servers,
        }

    def summary(self) -> dict[str, Any]:
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


def distances(graph: Graph) -> NDArray[np.int32]:
    """The number of links from the nearest seed to every fetched page; -1 where none leads, and for URLs only seen."""
    distance = kernel.distances(graph.indptr, graph.targets, graph.seeds, graph.fetched)
    distance[~graph.fetched] = -1
    return distance


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
