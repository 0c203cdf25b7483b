from __future__ import annotations

import numpy as np
import pytest
from tests.made_graphs import empty, random_graph, single

from dragoman.errors import UsageError
from dragoman.web.graph import Graph
from dragoman.web.inlinks import by_inlinks, by_outlinks, counted_inlinks, plain_inlinks


def test_a_short_page_takes_the_majority_of_the_pages_that_link_to_it() -> None:
    graph = Graph.of([[3], [3], [3], []], length=[500, 500, 500, 10])
    assert by_inlinks(graph, np.array([1, 1, 0, 0], np.int16)).tolist() == [1, 1, 0, 0]  # its own answer is the second
    assert by_inlinks(graph, np.array([1, 1, 1, 0], np.int16)).tolist() == [1, 1, 1, 1]


def test_long_pages_keep_their_answer_and_short_ones_do_not_vote() -> None:
    graph = Graph.of([[2], [2], []], length=[500, 500, 51])
    assert by_inlinks(graph, np.array([1, 1, 0], np.int16))[2] == 0
    graph = Graph.of([[2], [2], []], length=[149, 149, 10])
    assert by_inlinks(graph, np.array([1, 1, 0], np.int16))[2] == 0


def test_a_tie_goes_to_the_own_answer_then_to_the_earlier_page() -> None:
    graph = Graph.of([[2], [2], []], length=[500, 500, 10])
    assert by_inlinks(graph, np.array([2, 1, 1], np.int16))[2] == 1
    assert by_inlinks(graph, np.array([2, 1, -1], np.int16))[2] == 2


def test_a_page_without_votes_keeps_what_it_had() -> None:
    graph = Graph.of([[], []], length=[10, 10])
    assert by_inlinks(graph, np.array([1, -1], np.int16)).tolist() == [1, -1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limits", [(50, 10, 150), (200, 2, 0), (400, 3, 300)])
def test_votes_are_those_of_the_definition(seed: int, limits: tuple[int, int, int]) -> None:
    graph = random_graph(80, 400, seed)
    answers = np.random.default_rng(seed).integers(-1, 4, 80).astype(np.int16)
    found = by_inlinks(graph, answers, min_length=limits[0], max_inlinks=limits[1], min_ref_length=limits[2])
    assert found.tolist() == [plain_inlinks(graph, answers, page, limits) for page in range(80)]


def test_outlinks_are_followed_the_other_way() -> None:
    graph = Graph.of([[1, 2], [], []], length=[10, 500, 500])
    assert by_outlinks(graph, np.array([0, 1, 1], np.int16)).tolist() == [1, 1, 1]


def test_graphs_without_links_have_answers() -> None:
    assert by_inlinks(empty(), np.empty(0, np.int16)).tolist() == []
    assert by_inlinks(single(), np.array([0], np.int16)).tolist() == [0]
    assert counted_inlinks(single()).tolist() == [0]


def test_answers_that_do_not_fit_the_graph_are_refused() -> None:
    with pytest.raises(UsageError):
        by_inlinks(single(), np.array([0, 1], np.int16))
