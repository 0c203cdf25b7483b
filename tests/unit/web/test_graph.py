from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.made_graphs import empty, single, village

from dragoman.errors import BadGraph
from dragoman.web.graph import Graph


def test_a_graph_counts_its_pages_links_servers_and_directories() -> None:
    graph = village()
    assert (len(graph), graph.links, graph.servers, graph.directories) == (9, 13, 4, 6)


def test_an_empty_graph_and_a_single_page_are_graphs() -> None:
    assert (len(empty()), empty().links, empty().servers) == (0, 0, 0)
    assert (len(single()), single().links, single().servers) == (1, 0, 1)


def test_pages_in_a_language_are_fetched_ones_only() -> None:
    graph = replace(village(), language=np.zeros(9, np.int16))
    assert np.flatnonzero(graph.is_in("Thai")).tolist() == list(range(7))


def test_a_language_that_the_graph_does_not_have_has_no_pages() -> None:
    assert not village().is_in("fr").any()
    assert village().column("fr") == -1


WRONG: dict[str, Any] = {
    "targets": np.full(13, 9, np.uint32),
    "seeds": np.array([9], np.uint32),
    "indptr": np.array([0, 3, 2, 7, 8, 10, 11, 13, 13, 13], np.int64),
    "server": np.array([0, 0, 0, 1, 1, 2, 2, 2, -3], np.int32),
    "directory": np.zeros(9, np.int32),
    "language": np.full(9, 2, np.int16),
    "length": np.full(9, -1, np.int32),
    "fetched": np.ones(9, np.int8),
    "languages": ("th", "klingonese"),
    "urls": village().urls.slice(0, 3),  # type: ignore[union-attr]
}


@pytest.mark.parametrize("field", WRONG)
def test_a_number_that_leads_outside_is_refused_in_one_line(field: str) -> None:
    with pytest.raises(BadGraph) as caught:
        replace(village(), **{field: WRONG[field]})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_arrays_of_another_length_type_or_shape_are_refused() -> None:
    with pytest.raises(BadGraph, match="9 vertices but 8"):
        replace(village(), server=village().server[:8])
    with pytest.raises(BadGraph, match="int64"):
        replace(village(), server=village().server.astype(np.int64))
    with pytest.raises(BadGraph, match="contiguous"):
        replace(village(), server=np.zeros(18, np.int32)[::2])


def test_numbers_of_servers_with_large_gaps_are_refused() -> None:
    with pytest.raises(BadGraph, match="gaps"):
        replace(single(), server=np.array([2**31 - 1], np.int32))


def test_a_language_named_twice_is_refused() -> None:
    with pytest.raises(BadGraph, match="twice"):
        Graph.of([[]], languages=("th", "th"))
