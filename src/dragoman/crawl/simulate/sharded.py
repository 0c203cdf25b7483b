"""A crawl of a stored graph in shards, as many machines would do it: each has its own hosts, queue and strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.frontier.plain import shuffled
from dragoman.crawl.records import Status
from dragoman.crawl.simulate.plain import PlainCrawl
from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.errors import UsageError
from dragoman.types import Candidate
from dragoman.web.graph import Graph

#: Pages that a shard may fetch in a tick; on average they fetch one.
BURST = 4
MOST_SHARDS = 65_536
#: Priorities that a shard tells for a level, at most: where these are too few, the level is too low for a few ticks.
MOST_TOLD = 1_000


@dataclass(frozen=True)
class Shards:
    """So many shards, with a new level for all every so many ticks.

    A tick is the time in which the crawl fetches as many pages as it has shards. The level is the priority that so many
    of the waiting URLs reach as can be fetched until the next one: a shard fetches what reaches it, BURST pages a tick
    at most, and rests otherwise. When nothing anywhere reaches it there is a new one at once. With level 0 there is
    none: all shards fetch at the same rate.
    """

    count: int = 1
    level: int = 4

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SHARDS:
            raise UsageError(f"--shards is {self.count}; give a number from 1 to {MOST_SHARDS:,}")
        if not 0 <= self.level <= 1_000_000:
            raise UsageError(f"--level is {self.level}; give the ticks from one level to the next, or 0 for none")

    @property
    def values_each(self) -> int:
        """How many priorities a shard tells for a level."""
        return min(self.count * self.level, MOST_TOLD)

    def of_servers(self, graph: Graph) -> NDArray[np.uint32]:
        """The shard of each server."""
        servers = int(graph.server.max()) + 1 if len(graph) else 0
        return np.array([shuffled(server) % self.count for server in range(servers)], np.uint32)


class ShardedCrawl(PlainCrawl):
    """A crawl in shards, one strategy and one frontier each. A link is decided by the shard of the host it leads to.

    >>> from dragoman.crawl.strategies.page_based import BreadthFirst
    >>> graph = Graph.of([[1, 2], [3], [], [0]], seeds=[0], server=[0, 1, 2, 3])
    >>> crawl = ShardedCrawl(graph, np.ones(4, np.bool_), BreadthFirst, Frontier, Shards(2))
    >>> crawl.advance(10), sorted(crawl.order.tolist())
    (False, [0, 1, 2, 3])
    """

    def __init__(
        self,
        graph: Graph,
        relevant: NDArray[np.bool_],
        new_strategy: Callable[[], LinkStrategy],
        new_frontier: Callable[[], Frontier],
        shards: Shards,
        *,
        score: NDArray[np.float32] | None = None,
    ) -> None:
        self.graph, self.relevant, self.score, self.watcher = graph, relevant, score, None
        self.finished = False
        self.reasons: Counter[str] = Counter()
        self._order: list[int] = []
        self._servers: set[int] = set()
        self.shards, self._of_server = shards, shards.of_servers(graph).tolist()
        self._parts = [(new_strategy(), new_frontier()) for _ in range(shards.count)]
        self._level, self._tick = -np.inf, 0
        for shard, seeds in self._by_shard(self._candidates(graph.seeds)).items():
            strategy, self.frontier = self._parts[shard]
            self._carry_out(strategy.start(seeds))

    def advance(self, pages: int) -> bool:
        """Visit that many pages more, to the end of the tick in which they are reached; False if nothing is left."""
        goal = self.pages + pages
        while not self.finished and self.pages < goal:
            renewed = not self.shards.level or self._tick % self.shards.level == 0
            self._tick += 1
            if renewed and self.shards.level:
                self._level = self._new_level()
            before = self.pages
            for shard in range(self.shards.count):
                self._work(shard)
            if self.pages == before:
                self._tick, self.finished = 0, renewed
        return not self.finished

    @property
    def queue(self) -> int:
        """How many URLs wait."""
        return sum(len(frontier) for _, frontier in self._parts)

    def _new_level(self) -> float:
        shards = self.shards
        values = np.concatenate([frontier.values(shards.values_each) for _, frontier in self._parts])
        wanted = shards.count * shards.level
        return -np.inf if len(values) < wanted else float(np.partition(values, len(values) - wanted)[-wanted])

    def _work(self, shard: int) -> None:
        strategy, frontier = self._parts[shard]
        for _ in range(BURST):
            best = frontier.values(1)
            if strategy.finished or not len(best) or best[0] < self._level:
                return
            key = frontier.pop()
            assert isinstance(key, int)
            self._visit_in(shard, key)

    def _visit_in(self, shard: int, key: int) -> None:
        page, links = self._page(key), self._by_shard(self._links(key))
        strategy, self.frontier = self._parts[shard]
        decided = [strategy.decide(page, links.pop(shard, []))]
        self._carry_out(decided[0])
        records = strategy.records
        status = Status.UNDECIDED if records is None else records.status(strategy.group_of(page))
        for owner, sent in links.items():
            strategy, self.frontier = self._parts[owner]
            decided.append(strategy.receive(page, status, sent))
            self._carry_out(decided[-1])
        for decisions in decided:
            self.reasons.update(decision.reason for decision in (*decisions.released, *decisions.links))
        self._servers.add(int(self.graph.server[key]))
        self._order.append(key)

    def _by_shard(self, links: Sequence[Candidate]) -> dict[int, list[Candidate]]:
        parted: dict[int, list[Candidate]] = {}
        for link in links:
            assert isinstance(link.server, int)
            parted.setdefault(self._of_server[link.server], []).append(link)
        return parted
