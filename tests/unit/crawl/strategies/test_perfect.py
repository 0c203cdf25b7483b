from __future__ import annotations

import numpy as np
import pytest
from tests.made_graphs import made_graph

from dragoman.crawl.simulate import distances
from dragoman.crawl.strategies.perfect import needed_pages, plain_needed_pages


@pytest.mark.parametrize("fewest", [False, True])
def test_the_pages_of_a_perfect_crawl_are_the_plain_ones(fewest: bool) -> None:
    for seed in range(20, 30):
        graph, relevant, _ = made_graph(seed)
        needed = needed_pages(graph, relevant, fewest=fewest)
        assert needed.tolist() == plain_needed_pages(graph, relevant, fewest=fewest).tolist()
        reached = distances(graph) >= 0
        assert not np.any(relevant & reached & ~needed)
        assert not np.any(needed & ~reached)
