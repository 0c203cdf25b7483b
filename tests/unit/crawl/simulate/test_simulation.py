from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.made_graphs import made_graph

from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate import distances, misses_by_distance, simulate
from dragoman.crawl.strategies import LinkStrategy, StrategyOptions
from dragoman.errors import UnknownName, UsageError
from dragoman.types import Candidate, Decision, Decisions, Fetched
from dragoman.web.graph import Graph


def tolerating(tolerance: int) -> StrategyOptions:
    return StrategyOptions(ServerRule(tolerance))


def test_bfs_visits_everything_that_can_be_reached_by_distance() -> None:
    graph, relevant, _ = made_graph(3)
    run = simulate(graph, relevant, "bfs")
    distance = distances(graph)
    assert sorted(run.order.tolist()) == np.flatnonzero(distance >= 0).tolist()
    assert np.all(np.diff(distance[run.order]) >= 0)


def chain(languages: str, server: list[int]) -> tuple[Graph, np.ndarray]:
    links = [[page + 1] if page + 1 < len(languages) else [] for page in range(len(languages))]
    graph = Graph.of(links, server=server, seeds=[0])
    return graph, np.array([letter == "t" for letter in languages])


def test_a_strategy_of_ones_own_runs_without_being_registered() -> None:
    class Backwards(LinkStrategy):
        """The last link of a page first."""

        name = "backwards"

        def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
            return Decisions(
                tuple(Decision(link.key, "all", float(place), "later") for place, link in enumerate(links))
            )

    graph = Graph.of([[1, 2, 3], [4], [], [], []], seeds=[0])
    run = simulate(graph, np.array([True, False, True, False, True]), Backwards())
    assert (run.order.tolist(), run.strategy, run.reasons) == ([0, 3, 2, 1, 4], "backwards", {"later": 4})


def test_a_server_without_a_relevant_page_is_asked_for_one_page_more_than_the_tolerance() -> None:
    graph, relevant = chain("nnnnnn", [0] * 6)
    for tolerance in range(4):
        run = simulate(graph, relevant, "aggressive-server", tolerating(tolerance))
        assert len(run.order) == tolerance + 1


def test_the_urls_of_a_server_leave_the_queue_as_soon_as_it_is_irrelevant() -> None:
    graph = Graph.of([[1], [2, 3, 4, 5], [6], [], [], [], []], server=[0, 1, 1, 1, 1, 1, 0], seeds=[0])
    relevant = np.array([True, *[False] * 6])
    run = simulate(graph, relevant, "aggressive-server", tolerating(1), points=10**9)
    assert run.order.tolist() == [0, 1, 2, 6]
    assert run.queue.tolist() == [1, 4, 1, 0]


def test_step_four_and_a_half_asks_for_downloads_not_for_links_seen() -> None:
    # Page 0 is relevant and names server 2, from which nothing is downloaded when page 1 (undecided) names it again.
    graph = Graph.of([[1, 3], [2], [], []], server=[0, 1, 2, 2], seeds=[0])
    relevant = np.array([True, False, False, False])
    run = simulate(graph, relevant, "conservative-server")
    assert run.order.tolist() == [0, 1, 3]
    assert run.reasons["new server, and the page's own is not relevant"] == 1


def test_urls_only_seen_stay_in_the_queue() -> None:
    graph = Graph.of([[1, 2], [], []], server=[0, 0, 0], fetched=[True, False, True], seeds=[0])
    run = simulate(graph, np.array([True, True, True]), "bfs", points=10**9)
    assert (run.order.tolist(), run.queue.tolist(), run.total) == ([0, 2], [2, 1], 2)


def test_promotion_moves_a_waiting_url_up() -> None:
    # Page 1 (not relevant) names 3 and 4; page 2 (relevant) names 4 again.
    graph = Graph.of([[1, 2], [3, 4], [4], [], []], seeds=[0])
    relevant = np.array([True, False, True, False, True])
    assert simulate(graph, relevant, "soft-focused").order.tolist() == [0, 1, 2, 4, 3]
    without = simulate(graph, relevant, "soft-focused", StrategyOptions(promotion=False))
    assert without.order.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_quota_in_a_language_that_is_nowhere_is_never_full(compiled: bool) -> None:
    graph, relevant, _ = made_graph(4)
    wanted = [
        int(simulate(graph, relevant, "scout", StrategyOptions(quotas=quotas), compiled=compiled).relevant_so_far[-1])
        for quotas in ({"th": 2}, {"th": 2, "ko": 1})
    ]
    assert wanted[0] == 2 < wanted[1]
    none = StrategyOptions(quotas={"th": 0})
    assert len(simulate(graph, relevant, "scout", none, compiled=compiled).order) == 0


def test_misses_are_told_by_distance() -> None:
    graph, relevant = chain("tntnt", [0] * 5)
    run = simulate(graph, relevant, "hard-focused")
    assert run.order.tolist() == [0, 1]
    misses = misses_by_distance(run, distances(graph), relevant)
    assert misses.tolist() == pytest.approx([0, 0, 1 / 2, 1 / 2, 2 / 3])


def test_bad_arguments_are_refused_in_one_line() -> None:
    graph = Graph.of([[]], seeds=[0])
    with pytest.raises(UnknownName, match="Unknown strategy 'hard'"):
        simulate(graph, np.array([True]), "hard")
    with pytest.raises(UsageError, match="1 vertices but 2"):
        simulate(graph, np.array([True, False]), "bfs")
    with pytest.raises(UsageError, match="tolerance is -1"):
        ServerRule(tolerance=-1)
