from __future__ import annotations

import numpy as np
import pytest
from tests.made_graphs import empty, random_graph, single, village

from dragoman.kernels import graph as kernel
from dragoman.web.locality import (
    locality,
    page_groups,
    plain_distances,
    plain_joined,
    plain_nearest,
    server_kinds,
)


def test_the_tables_of_a_graph_that_can_be_counted_by_hand() -> None:
    found = locality(village(), "th")
    # Thai pages link 0>1, 1>0 (Thai), 0>2, 0>3, 5>6 (others); 1>7 was only seen.
    assert found.page_table.tolist() == [[2, 3], [2, 1], [1, 2]]
    assert found.page_table_between.tolist() == [[0, 1], [0, 1], [1, 0]]
    # Between servers 1>7 counts too; 6>8 leads to a server that gave no page.
    assert found.server_table.tolist() == [[7, 2], [1, 2]]
    assert found.server_table_between.tolist() == [[1, 2], [1, 0]]
    assert (found.pages, found.target_pages, found.target_servers) == (7, 3, 2)


def test_distances_of_a_graph_that_can_be_counted_by_hand() -> None:
    found = locality(village(), "th")
    assert found.pages_at.tolist() == [1, 3, 1, 1, 1, 0]
    assert found.target_at.tolist() == [1, 1, 0, 1, 0, 0]
    assert found.target_share_within[:2].tolist() == [1.0, 0.5]
    # 0 and 1 link to each other; 5 is three links behind 0, over 3 and 4.
    assert found.nearest_at.tolist() == [0, 2, 0, 1]
    assert found.alone == 0


def test_an_empty_graph_a_single_page_and_no_target_page_have_answers() -> None:
    nothing = locality(empty(), "th")
    assert (nothing.pages, nothing.target_pages) == (0, 0)
    assert nothing.page_table.sum() == 0
    assert all(row["share"] is None for row in nothing.rows())
    alone = locality(single(), "th")
    assert (alone.pages, alone.target_pages, alone.alone) == (1, 1, 1)
    without = locality(village(), "fr")
    assert without.target_pages == 0
    assert without.nearest_at.sum() == 0
    assert without.page_table[2].tolist() == [0, 11]


@pytest.mark.parametrize("seed", range(8))
def test_the_compiled_walks_are_those_of_plain_python(seed: int) -> None:
    graph = random_graph(120, 50 + 60 * seed, seed)
    target = graph.is_in("th")
    group = page_groups(graph, target, server_kinds(graph, target))
    counted = kernel.joined(graph.indptr, graph.targets, group, graph.server, 3)
    assert np.array_equal(counted, plain_joined(graph, group, 3))
    reached = kernel.distances(graph.indptr, graph.targets, graph.seeds)
    assert reached.tolist() == plain_distances(graph, graph.seeds)
    through = kernel.distances(graph.indptr, graph.targets, graph.seeds, target)
    assert through.tolist() == plain_distances(graph, graph.seeds, target)
    assert kernel.nearest(graph.indptr, graph.targets, target).tolist() == plain_nearest(graph, target)


def test_a_path_that_leads_back_to_its_own_page_does_not_count() -> None:
    graph = random_graph(3, 0, 0)
    marked = np.array([True, False, False])
    indptr, targets = np.array([0, 1, 3, 4], np.int64), np.array([1, 0, 2, 0], np.uint32)
    assert kernel.nearest(indptr, targets, marked).tolist() == [-1, -1, -1]
    assert len(graph) == 3


def test_links_turned_round_lead_back() -> None:
    graph = random_graph(50, 200, 1)
    start, sources = kernel.reversed_links(graph.indptr, graph.targets)
    forth = sorted(
        (page, int(end)) for page in range(50) for end in graph.targets[graph.indptr[page] : graph.indptr[page + 1]]
    )
    back = sorted((int(page), end) for end in range(50) for page in sources[start[end] : start[end + 1]])
    assert forth == back
