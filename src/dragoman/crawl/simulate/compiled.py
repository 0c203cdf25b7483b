"""The compiled twins of strategies: loops in C that do what a class and the plain crawl do, to the last event."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies.base import REASONS, LinkStrategy
from dragoman.crawl.strategies.estimate import INGREDIENTS, SCORE_MEANS, SQUARES, starting_weights
from dragoman.crawl.strategies.scout import Scout
from dragoman.kernels.scout import ScoutWalk
from dragoman.kernels.simulate import GraphWalk, Walk
from dragoman.web.graph import Graph


def compiled_crawl(
    graph: Graph,
    relevant: NDArray[np.bool_],
    strategy: LinkStrategy,
    *,
    score: NDArray[np.float32] | None = None,
    promotion: bool = True,
) -> GraphWalk:
    """The crawl of the twin that the strategy's class names, set as this strategy is, which has decided nothing yet."""
    if isinstance(strategy, Scout):
        return _scout(graph, relevant, strategy, score)
    rule = ServerRule() if strategy.records is None else strategy.records.rule
    return Walk(
        (graph.indptr, graph.targets), graph.server if strategy.grain == "server" else graph.directory, graph.server,
        relevant, graph.fetched, graph.seeds, strategy.twin, REASONS, needed=getattr(strategy, "needed", None),
        defer=getattr(strategy, "defer", False), promotion=promotion, **asdict(rule),
    )  # fmt: skip


def _scout(graph: Graph, relevant: NDArray[np.bool_], strategy: Scout, score: NDArray[np.float32] | None) -> GraphWalk:
    tuning = strategy.tuning
    return ScoutWalk(
        (graph.indptr, graph.targets), graph.directory, graph.server, graph.language, relevant, graph.fetched,
        graph.seeds, REASONS, weights=starting_weights(), squares=SQUARES, score_means=SCORE_MEANS, score=score,
        quotas=np.array([strategy.quotas.get(language, -1) for language in graph.languages], np.int64),
        quotas_open=sum(pages > 0 for pages in strategy.quotas.values()) if strategy.quotas else -1,
        complete=strategy.complete, rate=tuning.rate, explore=tuning.explore, server_prior=tuning.server_prior,
        directory_prior=tuning.directory_prior,
        left_out=sum(1 << INGREDIENTS.index(name) for name in set(tuning.without)), **asdict(strategy.records.rule),
    )  # fmt: skip
