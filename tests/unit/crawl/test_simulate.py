from __future__ import annotations

import numpy as np
import pytest
from tests.made_graphs import made_graph

from dragoman.crawl.drive import drive
from dragoman.crawl.frontier import Frontier
from dragoman.crawl.ideal import distances, needed_pages, plain_needed_pages
from dragoman.crawl.records import Rule
from dragoman.crawl.simulate import Options, Run, misses_by_distance, simulate
from dragoman.crawl.strategies.aggressive_server import AggressiveServer
from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.crawl.strategies.bfs import BreadthFirst
from dragoman.crawl.strategies.conservative_directory import ConservativeDirectory
from dragoman.crawl.strategies.conservative_server import ConservativeServer
from dragoman.crawl.strategies.estimate import INGREDIENTS
from dragoman.crawl.strategies.hard_focused import HardFocused
from dragoman.crawl.strategies.perfect import Perfect
from dragoman.crawl.strategies.scout import Scout, ScoutOptions
from dragoman.crawl.strategies.soft_focused import SoftFocused
from dragoman.errors import UnknownName, UsageError
from dragoman.web.graph import Graph

SERVER_BASED = {one.name: one for one in (AggressiveServer, ConservativeServer, ConservativeDirectory)}
PAGE_BASED = {one.name: one for one in (BreadthFirst, HardFocused, SoftFocused)}
OPTIONS = (
    Options(),
    Options(Rule(tolerance=1)),
    Options(Rule(tolerance=0), defer=True),
    Options(Rule(tolerance=2), defer=True, promotion=False),
    Options(Rule(tolerance=3, share=0.3)),
    Options(Rule(tolerance=8, halve_every=20, least=1)),
    Options(Rule(tolerance=1, readmit=2)),
    Options(Rule(tolerance=2, share=0.4, halve_every=30, readmit=3), defer=True, promotion=False),
)


def plain(graph: Graph, relevant: np.ndarray, name: str, options: Options) -> LinkStrategy:
    if name in SERVER_BASED:
        return SERVER_BASED[name](options.rule, defer=options.defer)
    if name == "scout":
        return Scout(options.rule, options.scout)
    if name in PAGE_BASED:
        return PAGE_BASED[name]()
    return Perfect(set(np.flatnonzero(needed_pages(graph, relevant, fewest=name == "perfect-fewest")).tolist()))


def assert_equal(name: str, options: Options, seed: int, scored: bool = True) -> None:
    graph, relevant, score = made_graph(seed)
    frontier, strategy = Frontier(promotion=options.promotion), plain(graph, relevant, name, options)
    driven = drive(graph, relevant, strategy, frontier, score=score if scored else None)
    run = simulate(graph, relevant, name, options, score=score if scored else None, points=10**9)
    assert run.order.tolist() == driven.order
    assert run.queue.tolist() == driven.queue
    assert run.servers.tolist() == driven.servers
    assert run.reasons == dict(driven.reasons)


@pytest.mark.parametrize("name", [*PAGE_BASED, "perfect", "perfect-fewest"])
def test_the_compiled_crawl_is_the_plain_one_for_page_based_strategies(name: str) -> None:
    for seed in range(6):
        assert_equal(name, Options(promotion=seed % 2 == 0), seed)


@pytest.mark.parametrize("name", SERVER_BASED)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_compiled_crawl_is_the_plain_one_for_server_based_strategies(name: str, options: Options) -> None:
    for seed in range(10, 18):
        assert_equal(name, options, seed)


SCOUTS = (
    Options(),
    Options(Rule(tolerance=1)),
    Options(Rule(tolerance=2, share=0.3, readmit=2)),
    Options(scout=ScoutOptions(complete=True)),
    Options(Rule(tolerance=1), scout=ScoutOptions(complete=True)),
    Options(Rule(tolerance=1, readmit=2), scout=ScoutOptions(complete=True, without=("parents",))),
    Options(scout=ScoutOptions(quotas={"th": 20})),
    Options(scout=ScoutOptions(complete=True, rate=0.5, explore=0.0, quotas={"th": 5, "en": 9})),
    *(Options(Rule(tolerance=3), scout=ScoutOptions(without=(name,))) for name in INGREDIENTS),
)


@pytest.mark.parametrize("options", SCOUTS, ids=str)
def test_the_compiled_scout_is_the_plain_one(options: Options) -> None:
    for seed in range(30, 36):
        assert_equal("scout", options, seed, scored=seed % 3 > 0)


@pytest.mark.parametrize("fewest", [False, True])
def test_the_pages_of_a_perfect_crawl_are_the_plain_ones(fewest: bool) -> None:
    for seed in range(20, 30):
        graph, relevant, _ = made_graph(seed)
        found = needed_pages(graph, relevant, fewest=fewest)
        assert found.tolist() == plain_needed_pages(graph, relevant, fewest=fewest).tolist()
        reached = distances(graph) >= 0
        assert not np.any(relevant & reached & ~found)
        assert not np.any(found & ~reached)


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


def test_a_server_without_a_relevant_page_is_asked_for_one_page_more_than_the_tolerance() -> None:
    graph, relevant = chain("nnnnnn", [0] * 6)
    for tolerance in range(4):
        run = simulate(graph, relevant, "aggressive-server", Options(Rule(tolerance=tolerance)))
        assert len(run.order) == tolerance + 1


def test_the_urls_of_a_server_leave_the_queue_as_soon_as_it_is_irrelevant() -> None:
    graph = Graph.of([[1], [2, 3, 4, 5], [6], [], [], [], []], server=[0, 1, 1, 1, 1, 1, 0], seeds=[0])
    relevant = np.array([True, *[False] * 6])
    run = simulate(graph, relevant, "aggressive-server", Options(Rule(tolerance=1)), points=10**9)
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
    assert simulate(graph, relevant, "soft-focused", Options(promotion=False)).order.tolist() == [0, 1, 2, 3, 4]


def test_misses_are_told_by_distance() -> None:
    graph, relevant = chain("tntnt", [0] * 5)
    run = simulate(graph, relevant, "hard-focused")
    assert run.order.tolist() == [0, 1]
    misses = misses_by_distance(run, distances(graph), relevant)
    assert misses.tolist() == pytest.approx([0, 0, 1 / 2, 1 / 2, 2 / 3])


def figures(run: Run) -> tuple[object, ...]:
    summary = run.summary()
    return summary["pages"], summary["coverage"], summary["harvest"], summary["max_queue"], summary["servers"]


@pytest.mark.parametrize("name", [*PAGE_BASED, *SERVER_BASED, "perfect", "perfect-fewest"])
def test_degenerate_graphs_have_defined_answers(name: str) -> None:
    nothing = np.zeros(0, np.bool_)
    assert figures(simulate(Graph.of([]), nothing, name)) == (0, None, None, 0, 0)
    one = Graph.of([[]], seeds=[0])
    assert figures(simulate(one, np.array([True]), name)) == (1, 1.0, 1.0, 0, 1)
    unwanted = simulate(one, np.array([False]), name)
    assert unwanted.summary()["coverage"] is None
    assert unwanted.harvest_at(0.5) is None
    assert figures(simulate(Graph.of([[]]), np.array([True]), name)) == (0, 0.0, None, 0, 0)  # no seeds
    unseen = Graph.of([[], []], fetched=[False, True], seeds=[0])
    assert simulate(unseen, np.array([False, True]), name).summary()["pages"] == 0


def test_bad_arguments_are_refused_in_one_line() -> None:
    graph = Graph.of([[]], seeds=[0])
    with pytest.raises(UnknownName, match="Unknown strategy 'hard'"):
        simulate(graph, np.array([True]), "hard")
    with pytest.raises(UsageError, match="1 vertices but 2"):
        simulate(graph, np.array([True, False]), "bfs")
    with pytest.raises(UsageError, match="tolerance is -1"):
        Rule(tolerance=-1)
