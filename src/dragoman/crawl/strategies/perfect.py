"""perfect and perfect-fewest: only pages that are relevant or lie on the way to relevant ones, known in advance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.strategies.base import HIGH, NOT_NEEDED, ON_OTHER, ON_RELEVANT, LinkStrategy
from dragoman.kernels import simulate as kernel
from dragoman.types import Candidate, Decision, Decisions, Fetched
from dragoman.web.graph import Graph


class Perfect(LinkStrategy, twin="perfect"):
    """Follows only links that lead to relevant pages, which must be known beforehand (section 5.1).

    The pages to visit are those of the breadth-first tree's branches that end in relevant pages.

    >>> perfect = Perfect()
    >>> perfect.foresee(Graph.of([[1, 2], [], []], seeds=[0]), np.array([True, True, False]))
    >>> perfect.decide(Fetched(0, 0, 0, relevant=True), [Candidate(2, 0, 0)]).links[0].reason
    'leads to no relevant page'
    """

    name = "perfect"
    reads_scores = False
    omniscient = True
    #: The other reading of the paper's "links that are known to lead to relevant pages".
    fewest: ClassVar[bool] = False
    #: True for the pages to visit.
    needed: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def foresee(self, graph: Graph, relevant: NDArray[np.bool_]) -> None:
        """The pages to visit are found."""
        self.needed = needed_pages(graph, relevant, fewest=self.fewest)

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """The needed ones, breadth first."""
        taken, rejected = (HIGH, ON_RELEVANT if page.relevant else ON_OTHER), (None, NOT_NEEDED)
        needed = self.needed[np.array([link.key for link in links], np.intp)]
        return Decisions(
            tuple(
                Decision(link.key, self.group_of(link), *(taken if wanted else rejected))
                for link, wanted in zip(links, needed, strict=True)
            )
        )


class PerfectFewest(Perfect, twin="perfect"):
    """The same with the ways to relevant pages that pass through the fewest others."""

    name = "perfect-fewest"
    fewest = True


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
    arrays = kernel.GraphArrays(
        graph.indptr, graph.targets, graph.server, graph.directory, graph.language, relevant & graph.fetched,
        graph.fetched, graph.seeds,
    )  # fmt: skip
    return kernel.needed_pages(arrays, fewest=fewest)


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
    for reached in parent:
        page = reached
        while relevant[reached] and not needed[page]:
            needed[page] = True
            page = parent[page]
    return needed
