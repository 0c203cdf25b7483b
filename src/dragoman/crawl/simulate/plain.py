"""A crawl of a stored graph in plain Python: a strategy, a frontier and a graph joined. It runs any strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.types import Candidate, Decisions, Fetched
from dragoman.web.graph import Graph

#: Called with every page and what was decided there.
Watcher = Callable[[Fetched, Decisions], None]


class PlainCrawl:
    """A crawl that can be continued: `advance` visits more pages, the rest is there to be read.

    URLs that were only seen are held: they stay in the queue, as in the paper's Figure 7. A live crawl does the same
    with pages from the web: pop, fetch, decide, then drop, put and shift. Compiled crawls are held to this one.

    >>> from dragoman.crawl.strategies.page_based import HardFocused
    >>> graph = Graph.of([[1, 2], [3], [], [0]], seeds=[0])
    >>> crawl = PlainCrawl(graph, np.array([True, False, True, True]), HardFocused(), Frontier())
    >>> crawl.advance(10), crawl.order.tolist()
    (False, [0, 1, 2])
    """

    def __init__(
        self,
        graph: Graph,
        relevant: NDArray[np.bool_],
        strategy: LinkStrategy,
        frontier: Frontier,
        *,
        score: NDArray[np.float32] | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self.graph, self.relevant, self.strategy, self.frontier = graph, relevant, strategy, frontier
        self.score, self.watcher = score, watcher
        self.finished = False
        #: How many links were decided for each reason.
        self.reasons: Counter[str] = Counter()
        self._order: list[int] = []
        self._servers: set[int] = set()
        self._carry_out(strategy.start(self._candidates(graph.seeds)))

    def advance(self, pages: int) -> bool:
        """Visit up to that many pages more; False once there is nothing left to visit."""
        for _ in range(pages):
            if self.strategy.finished or (key := self.frontier.pop()) is None:
                self.finished = True
                break
            assert isinstance(key, int)
            self._visit(key)
        return not self.finished

    @property
    def order(self) -> NDArray[np.uint32]:
        """The pages in the order in which they were visited."""
        return np.array(self._order, np.uint32)

    @property
    def pages(self) -> int:
        """How many pages were visited."""
        return len(self._order)

    @property
    def queue(self) -> int:
        """How many URLs wait."""
        return len(self.frontier)

    @property
    def servers(self) -> int:
        """From how many servers something was downloaded."""
        return len(self._servers)

    def _page(self, key: int) -> Fetched:
        graph, column = self.graph, int(self.graph.language[key])
        language = graph.languages[column] if column >= 0 else None
        return Fetched(key, int(graph.server[key]), int(graph.directory[key]), bool(self.relevant[key]), language)

    def _links(self, key: int) -> list[Candidate]:
        return self._candidates(self.graph.targets[self.graph.indptr[key] : self.graph.indptr[key + 1]])

    def _visit(self, key: int) -> None:
        page = self._page(key)
        decisions = self.strategy.decide(page, self._links(key))
        self._carry_out(decisions)
        self.reasons.update(decision.reason for decision in (*decisions.released, *decisions.links))
        self._servers.add(int(self.graph.server[key]))
        self._order.append(key)
        if self.watcher is not None:
            self.watcher(page, decisions)

    def _carry_out(self, decisions: Decisions) -> None:
        for group in decisions.dropped:
            self.frontier.drop(group)
        for decision in (*decisions.released, *decisions.links):
            if decision.priority is not None:
                assert isinstance(decision.key, int)
                held = not self.graph.fetched[decision.key]
                self.frontier.put(decision.key, decision.group, decision.priority, held=held)
        self.frontier.shift_all(decisions.shifts)

    def _candidates(self, urls: NDArray[np.uint32]) -> list[Candidate]:
        graph = self.graph
        scores = np.zeros(len(urls)) if self.score is None else self.score[urls].astype(np.float64)
        columns = urls, graph.server[urls], graph.directory[urls], scores
        return [Candidate(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
