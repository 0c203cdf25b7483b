"""Servers that are not ready: what waits of them is passed over until they are, and may be worth waiting for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

#: A URL that counts so much less in log-odds than one whose server is not ready is 150 times less likely to be wanted.
FAR_BETTER = 5.0


class RestingServers:
    """The groups of the frontier that rest, by server, and what the best URL of each counts.

    >>> resting = RestingServers()
    >>> resting.add(7, 1, -2.0)
    >>> resting.have_better(-6.0, 0.0), resting.have_better(-8.0, 0.0), 7 in resting, list(resting.wake(7))
    (False, True, True, [1])
    >>> resting.have_better(-8.0, 0.0)
    False
    """

    def __init__(self) -> None:
        self._groups: dict[int, list[int]] = {}
        #: What the best URL of each server counts that is worth waiting for; the best first, with some that were woken.
        self._best: dict[int, float] = {}
        self._order: list[tuple[float, int]] = []

    def __contains__(self, server: object) -> bool:
        return server in self._groups

    def add(self, server: int, group: int, value: float, *, soon: bool = True) -> None:
        """A group rests whose best URL counts this much; it is not waited for unless its server is ready soon."""
        self._groups.setdefault(server, []).append(group)
        if soon and value > self._best.get(server, -math.inf):
            self._best[server] = value
            heappush(self._order, (-value, server))
            if len(self._order) > 2 * len(self._best) + 64:  # most are of servers that were woken
                self._order = [(-best, number) for number, best in self._best.items()]
                heapify(self._order)

    def wake(self, server: int) -> Sequence[int]:
        """The groups that rest no longer."""
        self._best.pop(server, None)
        return self._groups.pop(server, ())

    @property
    def best(self) -> float:
        """What the best URL counts that is worth waiting for."""
        while self._order and self._best.get(self._order[0][1]) != -self._order[0][0]:
            heappop(self._order)
        return -self._order[0][0] if self._order else -math.inf

    def have_better(self, value: float, least: float) -> bool:
        """True if a URL that counts less than `least` has to wait for better ones: those that count that much, and
        those that count far more than it does, however little that is."""
        return value < least and (self.best >= least or self.best > value + FAR_BETTER)
