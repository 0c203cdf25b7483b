"""Simulated crawls in shards: the compiled one is held to the plain one, and a level keeps many shards in one order."""

from __future__ import annotations

import numpy as np
import pytest
from tests.made_graphs import made_graph

from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate import Run, Shards, Simulation, simulate
from dragoman.crawl.strategies import StrategyOptions
from dragoman.crawl.strategies.scout import Scout
from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.url_scores import noisy_score
from dragoman.errors import UsageError


def events(run: Run) -> tuple[object, ...]:
    return run.order.tolist(), run.queue.tolist(), run.servers.tolist(), run.reasons, run.finished


@pytest.mark.parametrize("shards", [Shards(2, 1), Shards(3, 4), Shards(7, 0), Shards(40, 2)])
@pytest.mark.parametrize(
    "options", [StrategyOptions(), StrategyOptions(ServerRule(1, readmit=2)), StrategyOptions(complete=True)]
)
def test_the_compiled_scouts_of_shards_do_what_the_plain_ones_do(shards: Shards, options: StrategyOptions) -> None:
    for seed in range(3):
        graph, relevant, score = made_graph(seed)
        plain, compiled = (
            simulate(graph, relevant, "scout", options, score=score, points=10**9, shards=shards, compiled=compiled)
            for compiled in (False, True)
        )
        assert events(plain) == events(compiled)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("strategy", ["scout", "bfs", "conservative-server"])
def test_one_shard_is_the_crawl_as_it_was(strategy: str, compiled: bool) -> None:
    graph, relevant, score = made_graph(4)
    alone = simulate(graph, relevant, strategy, score=score, compiled=compiled)
    assert events(simulate(graph, relevant, strategy, score=score, shards=Shards(1), compiled=compiled)) == events(
        alone
    )


@pytest.mark.parametrize("strategy", ["bfs", "soft-focused", "aggressive-server"])
def test_shards_visit_every_page_once_whatever_decides(strategy: str) -> None:
    graph, relevant, score = made_graph(2)
    options = StrategyOptions(ServerRule(1_000))
    alone = simulate(graph, relevant, strategy, options, score=score)
    several = simulate(graph, relevant, strategy, options, score=score, shards=Shards(5, 2))
    assert sorted(several.order.tolist()) == sorted(set(several.order.tolist())) == sorted(alone.order.tolist())


def test_a_level_keeps_the_order_that_equal_rates_lose() -> None:
    web = make(Recipe(pages=100_000, seed=4))
    graph, relevant = web.graph, web.graph.is_in("th")
    score = noisy_score(web.latent == 0, graph.server, seed=4)
    alone, level, rates = (
        simulate(graph, relevant, "scout", score=score, shards=shards).harvest_at(0.9) or 0.0
        for shards in (Shards(), Shards(16, 4), Shards(16, 0))
    )
    assert level > alone - 0.03
    assert rates < alone - 0.15


def test_what_cannot_be_parted_is_refused_in_one_line() -> None:
    graph, relevant, _ = made_graph(1)
    for strategy, options, shards in (
        ("perfect", StrategyOptions(), 2),
        (Scout(), StrategyOptions(), 2),
        ("scout", StrategyOptions(quotas={"th": 5}), 2),
    ):
        with pytest.raises(UsageError) as refused:
            Simulation(graph, relevant, strategy, options, shards=Shards(shards))
        assert "\n" not in str(refused.value)
    for count, level in ((0, 4), (70_000, 4), (2, -1)):
        with pytest.raises(UsageError):
            Shards(count, level)
    assert len(np.unique(Shards(7).of_servers(graph))) <= 7
