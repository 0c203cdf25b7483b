"""A crawl of a stored graph in plain Python: strategy, frontier and graph joined. What the compiled loop is held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.types import Candidate, Decisions, Fetched
from dragoman.web.graph import Graph

#: Told about every page: its place in the crawl, the page, what was decided.
Events = Callable[[int, Fetched, Decisions], None]


@dataclass
class Driven:
    """What came of a crawl: pages in their order; after each of them the queue and the servers; links by reason."""

    order: list[int] = field(default_factory=list)
    queue: list[int] = field(default_factory=list)
    servers: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


def drive(
    graph: Graph,
    relevant: NDArray[np.bool_],
    strategy: LinkStrategy,
    frontier: Frontier,
    *,
    score: NDArray[np.float32] | None = None,
    events: Events | None = None,
) -> Driven:
    """Crawl until nothing waits. URLs that were only seen are held: they stay in the queue, as in the paper's Figure 7.

    A live crawl does the same with pages from the web: pop, fetch, decide, then drop, shift and put.

    >>> from dragoman.crawl.strategies.hard_focused import HardFocused
    >>> graph = Graph.of([[1, 2], [3], [], [0]], seeds=[0])
    >>> drive(graph, np.array([True, False, True, True]), HardFocused(), Frontier()).order
    [0, 1, 2]
    """
    done, seen = Driven(), set()
    start = strategy.start([_candidate(graph, place, score) for place in graph.seeds.tolist()])
    _carry_out(start, frontier, graph)
    while not strategy.finished and (key := frontier.pop()) is not None:
        assert isinstance(key, int)
        page = _fetched(graph, key, relevant)
        ends = graph.targets[graph.indptr[key] : graph.indptr[key + 1]].tolist()
        decisions = strategy.decide(page, [_candidate(graph, end, score) for end in ends])
        _carry_out(decisions, frontier, graph)
        done.reasons.update(decision.reason for decision in (*decisions.released, *decisions.links))
        seen.add(page.server)
        done.order.append(key)
        done.queue.append(len(frontier))
        done.servers.append(len(seen))
        if events is not None:
            events(len(done.order), page, decisions)
    return done


def _carry_out(decisions: Decisions, frontier: Frontier, graph: Graph) -> None:
    for group in decisions.dropped:
        frontier.drop(group)
    for decision in (*decisions.released, *decisions.links):
        if decision.priority is not None:
            assert isinstance(decision.key, int)
            held = not graph.fetched[decision.key]
            frontier.put(decision.key, decision.group, decision.priority, held=held)
    for shift in decisions.shifts:
        frontier.shift(shift.group, shift.offset, shift.scale)


def _fetched(graph: Graph, place: int, relevant: NDArray[np.bool_]) -> Fetched:
    column = int(graph.language[place])
    language = graph.languages[column] if column >= 0 else None
    return Fetched(place, int(graph.server[place]), int(graph.directory[place]), bool(relevant[place]), language)


def _candidate(graph: Graph, place: int, score: NDArray[np.float32] | None) -> Candidate:
    value = 0.0 if score is None else float(score[place])
    return Candidate(place, int(graph.server[place]), int(graph.directory[place]), value)
