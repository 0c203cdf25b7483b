"""Pages that a perfect crawl visits, and how far every page is from the seeds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.simulate import branches, reach
from dragoman.web.graph import Graph

#: The two readings of the paper's "links that are known to lead to relevant pages".
READINGS = {"perfect": False, "perfect-fewest": True}


def distances(graph: Graph) -> NDArray[np.int32]:
    """The number of links from the nearest seed to every page over fetched pages; -1 where none leads to it."""
    return reach((graph.indptr, graph.targets), graph.fetched, graph.fetched, graph.seeds)[0]


def needed_pages(graph: Graph, relevant: NDArray[np.bool_], *, fewest: bool = False) -> NDArray[np.bool_]:
    """True for the pages of a perfect crawl: the relevant ones that can be reached, and those on the way to them.

    The way is that of the breadth-first tree from the seeds, as the paper determined it (section 5.1), or, with
    `fewest`, the one with the fewest pages that are not relevant, counted for each relevant page on its own (the
    smallest set of pages for all of them together is a Steiner tree, which nobody can compute at this size). The first
    way found is taken where several are as good. Cost: one pass over the links.

    >>> graph = Graph.of([[1, 2], [3], [4], [], [3]], seeds=[0])
    >>> relevant = np.array([True, False, True, True, True])
    >>> needed_pages(graph, relevant).tolist(), needed_pages(graph, relevant, fewest=True).tolist()
    ([True, True, True, True, True], [True, False, True, True, True])
    """
    links = graph.indptr, graph.targets
    distance, parent = reach(links, relevant, graph.fetched, graph.seeds, fewest=fewest)
    return branches(relevant & graph.fetched, distance, parent)


def plain_needed_pages(graph: Graph, relevant: NDArray[np.bool_], *, fewest: bool = False) -> NDArray[np.bool_]:
    """The same in plain Python: what the compiled one is held to."""
    parent: dict[int, int] = {}
    levels: list[list[int]] = [[], []]
    for cost in (0, 1):
        for seed in graph.seeds.tolist():
            if graph.fetched[seed] and seed not in parent and cost == (fewest and not relevant[seed]):
                parent[seed] = seed
                levels[cost].append(seed)
    while levels[0] or levels[1]:
        now, later = levels[0], levels[1]
        for page in now:  # grows while it is read
            for end in graph.targets[graph.indptr[page] : graph.indptr[page + 1]].tolist():
                if end not in parent and graph.fetched[end]:
                    parent[end] = page
                    (now if fewest and relevant[end] else later).append(end)
        levels = [later, []]
    needed = np.zeros(len(graph), np.bool_)
    for found in parent:
        page = found
        while relevant[found] and not needed[page]:
            needed[page] = True
            page = parent[page]
    return needed
