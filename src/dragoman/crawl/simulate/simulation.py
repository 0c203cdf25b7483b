"""Simulation: a strategy's crawl of a stored graph, step by step or to its end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.simulate.compiled import compiled_crawl
from dragoman.crawl.simulate.plain import PlainCrawl
from dragoman.crawl.simulate.runs import Run
from dragoman.crawl.simulate.sharded import ShardedCrawl, Shards
from dragoman.crawl.strategies import STRATEGIES, LinkStrategy, StrategyOptions
from dragoman.crawl.strategies.scout import Scout
from dragoman.errors import UsageError
from dragoman.kernels.simulate import GraphWalk
from dragoman.web.graph import Graph

#: Points of a curve, about.
POINTS = 500


class Simulation:
    """A crawl in steps: `advance` until it answers False, then (or before) read `run`.

    `strategy` is a registered name, or a strategy that has decided nothing yet. Where its class names a compiled twin
    that crawls in its place, unless `compiled` is False. In several `shards`, every one has a strategy of its own,
    made of a registered name.
    """

    def __init__(
        self,
        graph: Graph,
        relevant: NDArray[np.bool_],
        strategy: str | LinkStrategy,
        options: StrategyOptions | None = None,
        *,
        score: NDArray[np.float32] | None = None,
        points: int = POINTS,
        compiled: bool = True,
        shards: Shards | None = None,
    ) -> None:
        if len(relevant) != len(graph):
            raise UsageError(
                f"The graph has {len(graph):,} vertices but {len(relevant):,} are said to be relevant or not"
            )
        options, shards = options or StrategyOptions(), shards or Shards()
        kind = STRATEGIES[strategy] if isinstance(strategy, str) else type(strategy)
        if shards.count > 1:
            _check_shards(strategy, kind, options)
        if isinstance(strategy, str):
            strategy = kind.with_options(options)
        self.relevant = np.ascontiguousarray(relevant & graph.fetched)
        self.total = int(np.count_nonzero(self.relevant))
        self.most = int(np.count_nonzero(graph.fetched))
        self.step = max(1, self.most // max(points, 1))
        self._class = type(strategy)
        self._tolerance = (options.rule if strategy.records is None else strategy.records.rule).tolerance
        self._points: list[tuple[int, int, int]] = []
        if strategy.omniscient:
            strategy.foresee(graph, self.relevant)
        compiled = compiled and not getattr(strategy, "wander", False)  # the twin does not
        self.crawl: GraphWalk | PlainCrawl
        if shards.count > 1 and not (compiled and strategy.twin == Scout.twin):
            self.crawl = ShardedCrawl(
                graph, self.relevant, lambda: kind.with_options(options),
                lambda: Frontier(promotion=options.promotion), shards, score=score,
            )  # fmt: skip
        elif compiled and strategy.twin:
            self.crawl = compiled_crawl(
                graph, self.relevant, strategy, score=score, promotion=options.promotion,
                shards=shards if shards.count > 1 else None,
            )  # fmt: skip
        else:
            frontier = Frontier(promotion=options.promotion)
            self.crawl = PlainCrawl(graph, self.relevant, strategy, frontier, score=score)

    def advance(self) -> bool:
        """Crawl on to the next point of the curves; False once nothing waits."""
        more, pages = self.crawl.advance(self.step), self.crawl.pages
        if pages > (self._points[-1][0] if self._points else 0):
            self._points.append((pages, self.crawl.queue, self.crawl.servers))
        return more

    @property
    def run(self) -> Run:
        """What has come of it so far."""
        points = np.array(self._points, np.int64).reshape(-1, 3)
        order = self.crawl.order.copy()
        relevant = np.cumsum(self.relevant[order], dtype=np.int64)
        pages, queue, servers = (np.ascontiguousarray(points[:, column]) for column in range(3))
        return Run(
            self._class, self._tolerance, order, pages, queue, servers, relevant, self.total, dict(self.crawl.reasons),
            self.crawl.finished,
        )  # fmt: skip


def _check_shards(strategy: str | LinkStrategy, kind: type[LinkStrategy], options: StrategyOptions) -> None:
    if not isinstance(strategy, str):
        raise UsageError("Every shard has a strategy of its own: give a registered name")
    if kind.receive is LinkStrategy.receive:
        raise UsageError(f"'{kind.name}' cannot crawl in shards: leave out --shards, or take another strategy")
    if options.quotas:
        raise UsageError("Quotas are of the whole crawl, which no shard knows: leave out --quota or --shards")


def simulate(
    graph: Graph,
    relevant: NDArray[np.bool_],
    strategy: str | LinkStrategy,
    options: StrategyOptions | None = None,
    *,
    score: NDArray[np.float32] | None = None,
    points: int = POINTS,
    compiled: bool = True,
    shards: Shards | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """The crawl of a strategy over a graph, to its end.

    `strategy` is a registered name, or an object of a class of your own. `relevant` says which pages are wanted,
    `score` how much each URL speaks for relevance (log-odds, for strategies that read scores); `progress` is told
    pages visited and pages there are. With `compiled=False` the Python class runs even where it has a compiled twin.

    >>> graph = Graph.of([[1, 2], [3], [], [0]], seeds=[0])
    >>> run = simulate(graph, np.array([True, False, True, True]), "hard-focused")
    >>> run.order.tolist(), round(run.coverage, 2), round(run.harvest, 2), run.harvest_at(0.9)
    ([0, 1, 2], 0.67, 0.67, None)
    """
    simulation = Simulation(
        graph, relevant, strategy, options, score=score, points=points, compiled=compiled, shards=shards
    )
    while simulation.advance():
        if progress is not None:
            progress(simulation.crawl.pages, simulation.most)
    return simulation.run
