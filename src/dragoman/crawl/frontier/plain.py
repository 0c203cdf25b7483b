"""PlainFrontier: what a frontier does, in the plainest way. The compiled Frontier is held to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1


def shuffled(number: int) -> int:
    """A 64-bit number turned into another, one to one (SplitMix64's last steps): what a seed does to ties."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)


class _Waiting(NamedTuple):
    group: Hashable
    priority: float
    #: Among equals the smallest goes first; None: held.
    tie: int | None


class PlainFrontier:
    """The definition of Frontier: all URLs that wait in one dictionary, which is searched for the best each time.

    >>> frontier = PlainFrontier()
    >>> [frontier.put(url, "a.example", priority) for url, priority in (("/low", 0.0), ("/high", 1.0), ("/low", 2.0))]
    [True, True, True]
    >>> len(frontier), frontier.pop(), frontier.pop(), frontier.pop()
    (2, '/low', '/high', None)
    """

    def __init__(self, *, promotion: bool = True, seed: int | None = None, limit: int | None = None) -> None:
        self.promotion, self.seed, self.limit = promotion, seed, limit
        self.forgotten = 0
        self._waiting: dict[Hashable, _Waiting] = {}
        self._shifts: dict[Hashable, tuple[float, float]] = {}
        self._done: set[Hashable] = set()
        self._rested: list[Hashable] = []
        self._resting: set[Hashable] = set()
        self._puts = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._waiting

    def waiting(self, group: Hashable) -> int:
        """How many URLs of a group wait."""
        return sum(url.group == group for url in self._waiting.values())

    def groups(self) -> Iterator[Hashable]:
        """The groups of which something waits."""
        return iter(dict.fromkeys(url.group for url in self._waiting.values()))

    def done(self, key: Hashable) -> bool:
        """True if the URL was popped."""
        return key in self._done

    def put(self, key: Hashable, group: Hashable, priority: float, *, held: bool = False) -> bool:
        """Let a URL wait; False where nothing changes: it was popped already, or it waits with as good a priority."""
        if key in self._done:
            return False
        priority = float(np.float32(priority))
        now = self._waiting.pop(key, None)
        if now is not None:
            held = now.tie is None
            if now.group == group and (held or not self.promotion or priority <= now.priority):
                self._waiting[key] = now
                return False
        if held:
            self._waiting[key] = _Waiting(group, priority, None)
            return True
        self._waiting[key] = _Waiting(group, priority, self._next_tie())
        if self.limit is not None and len(self) > self.limit:
            worst = sorted(self._poppable(), key=self._rank)[-(self.limit // 4 + 1) :]
            self.forgotten += len(worst)
            for forgotten in worst:
                del self._waiting[forgotten]
        return True

    def _next_tie(self) -> int:
        self._puts += 1
        return self._puts - 1 if self.seed is None else shuffled(self.seed ^ (self._puts - 1))

    def _poppable(self) -> list[Hashable]:
        return [key for key, url in self._waiting.items() if url.tie is not None]

    def _awake(self) -> list[Hashable]:
        return [key for key in self._poppable() if self._waiting[key].group not in self._resting]

    def _rank(self, key: Hashable) -> tuple[float, int]:
        """The smallest goes first."""
        group, priority, tie = self._waiting[key]
        offset, scale = self._shifts.get(group, (0.0, 1.0))
        return -(offset + scale * priority), tie or 0

    def peek(self) -> Hashable | None:
        """The URL that `pop` would give, which goes on waiting; None if nothing waits."""
        return min(self._awake(), key=self._rank, default=None)

    def pop(self) -> Hashable | None:
        """The best URL that waits, which then is done; None if nothing waits."""
        key = self.peek()
        if key is not None:
            self.take(key)
        return key

    def values(self, count: int) -> NDArray[np.float64]:
        """What the best `count` of the URLs that can be popped count, falling; all of them where there are fewer."""
        return np.array(sorted((-self._rank(key)[0] for key in self._awake()), reverse=True)[:count], np.float64)

    def take(self, key: Hashable) -> bool:
        """Count a URL as popped, whether it waits or not; False if it was already."""
        self._waiting.pop(key, None)
        known = key in self._done
        self._done.add(key)
        return not known

    def rest(self, key: Hashable) -> int:
        """Pass over the group of a URL that waits, whatever happens to it, until it is woken; what to wake it by."""
        if key not in self._waiting:
            return 0
        self._rested.append(self._waiting[key].group)
        self._resting.add(self._rested[-1])
        return len(self._rested)

    def wake(self, group: int) -> None:
        """Pass over a group no longer; `group` is what `rest` gave."""
        self._resting.discard(self._rested[group - 1])

    def drop(self, group: Hashable) -> int:
        """Let go all URLs of a group that wait; how many there were."""
        gone = [key for key, url in self._waiting.items() if url.group == group]
        for key in gone:
            del self._waiting[key]
        self._shifts.pop(group, None)
        return len(gone)

    def shift(self, group: Hashable, offset: float, scale: float = 1.0) -> None:
        """From now on URLs of this group count as offset + scale * priority, those that wait included."""
        self._shifts[group] = offset, scale
