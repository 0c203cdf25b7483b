"""The compiled twins of strategies: loops in C that do what a class and the plain crawl do, to the last event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate.sharded import BURST, Shards
from dragoman.crawl.strategies.base import REASONS, LinkStrategy
from dragoman.crawl.strategies.estimate import INGREDIENTS, SCORE_MEANS, SQUARES, starting_weights
from dragoman.crawl.strategies.scout import Scout
from dragoman.kernels.scout import ScoutWalk, ShardsOfServers
from dragoman.kernels.simulate import GraphArrays, GraphWalk, Walk
from dragoman.types import Language
from dragoman.web.graph import Graph


def compiled_crawl(
    graph: Graph,
    relevant: NDArray[np.bool_],
    strategy: LinkStrategy,
    *,
    score: NDArray[np.float32] | None = None,
    promotion: bool = True,
    shards: Shards | None = None,
) -> GraphWalk:
    """The crawl of the twin that the strategy's class names, set as this strategy is, which has decided nothing yet.

    Only a scout's can be in shards.
    """
    web = GraphArrays(
        graph.indptr, graph.targets, graph.server, graph.directory, graph.language, relevant, graph.fetched, graph.seeds
    )
    if isinstance(strategy, Scout):
        parts = None
        if shards is not None:
            parts = ShardsOfServers(shards.of_servers(graph), shards.count, shards.level, BURST, shards.values_each)
        return _scout(web, graph.languages, strategy, score, parts)
    rule = ServerRule() if strategy.records is None else strategy.records.rule
    return Walk(
        web, strategy.twin, REASONS, grain=strategy.grain, needed=getattr(strategy, "needed", None),
        defer=getattr(strategy, "defer", False), promotion=promotion, **asdict(rule),
    )  # fmt: skip


def _scout(
    web: GraphArrays,
    languages: Sequence[Language],
    strategy: Scout,
    score: NDArray[np.float32] | None,
    shards: ShardsOfServers | None,
) -> GraphWalk:
    quotas, tuning = strategy.quotas, strategy.tuning
    return ScoutWalk(
        web, REASONS, weights=starting_weights(), squares=SQUARES, score_means=SCORE_MEANS, score=score,
        quotas=np.array([quotas.get(language, -1) for language in languages], np.int64),
        quotas_open=sum(pages > 0 for pages in quotas.values()) if quotas else -1, complete=strategy.complete,
        rate=tuning.rate, explore=tuning.explore, server_prior=tuning.server_prior,
        directory_prior=tuning.directory_prior,
        left_out=sum(1 << INGREDIENTS.index(name) for name in set(tuning.without)), shards=shards,
        **asdict(strategy.records.rule),
    )  # fmt: skip
