"""Frontier: the URLs that wait, best first, one entry each, in compiled heaps; it knows no clock and no network."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.key_numbers import KeyNumbers
from dragoman.crawl.strategies.scout_memory import Shifts
from dragoman.errors import UsageError
from dragoman.kernels.frontier import new_queue, queue
from dragoman.kernels.library import at
from dragoman.types import Decision, Shift

#: Groups that are pairs, such as a scout's (directory, cell), are one number: this bit, the first, then eight bits.
_PAIR = 1 << 63
#: Groups that are neither such pairs nor numbers up to this one are counted, from here on.
_OTHER = 1 << 62
_WAITS, _DONE = 1, 2
#: Shifts that are handed over at once.
_AT_ONCE = 65_536


class Frontier:
    """A priority queue of URLs in groups (servers or directories): put, pop, drop a group, rank a group anew.

    - One entry per URL. A URL that waits and is found again keeps the better of both priorities (`promotion=False`:
      the first); put into another group, it moves there. A URL that was popped is never taken again.
    - Among equals the one that was put first goes first; with a `seed`, an order drawn by it.
    - Priorities count in single precision.
    - `drop` lets all waiting URLs of a group go at once. They may be put again.
    - `shift` ranks a whole group anew: its URLs count as offset + scale * priority.
    - `held` URLs wait without ever being popped: counted, dropped with their group (pages whose content is not there).
    - `limit` bounds the memory: whenever more URLs wait, the worst quarter is forgotten, and counted in `forgotten`.
      What was forgotten is taken again when it is found again.

    Keys and groups are anything hashable. Keys that are numbers, dense and from 0 on, need no Python object: about 28
    bytes per URL that waits, and 4 per URL that is gone. So do groups that are numbers, or pairs of a number and one
    below 256. The URLs of a group are a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986), all in one array.
    Costs: put O(log of the groups), pop O(log n) amortised, drop O(size of the group), shift O(log of the groups).

    >>> frontier = Frontier()
    >>> [frontier.put(url, "a.example", priority) for url, priority in (("/low", 0.0), ("/high", 1.0), ("/low", 2.0))]
    [True, True, True]
    >>> len(frontier), frontier.pop(), frontier.pop(), frontier.pop()
    (2, '/low', '/high', None)
    """

    def __init__(self, *, promotion: bool = True, seed: int | None = None, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit is {limit}; a frontier needs room for at least 1 URL")
        self.promotion, self.seed, self.limit = promotion, seed, limit
        self._keys, self._others = KeyNumbers(), KeyNumbers()
        self._at = new_queue(self, promotion, seed, limit)

    @property
    def forgotten(self) -> int:
        """How many URLs the limit has cost so far; one that is found again counts again."""
        return int(queue.dragoman_frontier_forgotten(self._at))

    def __len__(self) -> int:
        return int(queue.dragoman_frontier_size(self._at))

    def __contains__(self, key: Hashable) -> bool:
        return self._state(key) == _WAITS

    def waiting(self, group: Hashable) -> int:
        """How many URLs of a group wait."""
        return int(queue.dragoman_frontier_waiting(self._at, self._number(group)))

    def groups(self) -> Iterator[Hashable]:
        """The groups of which something waits."""
        numbers = np.empty(queue.dragoman_frontier_groups(self._at, None, 0), np.uint64)
        queue.dragoman_frontier_groups(self._at, at(numbers, np.uint64), len(numbers))
        return map(self._group, numbers.tolist())

    def done(self, key: Hashable) -> bool:
        """True if the URL was popped."""
        return self._state(key) == _DONE

    def put(self, key: Hashable, group: Hashable, priority: float, *, held: bool = False) -> bool:
        """Let a URL wait; False where nothing changes: it was popped already, or it waits with as good a priority."""
        number = self._number(group)
        return bool(_checked(queue.dragoman_frontier_put(self._at, self._keys.of(key), number, priority, held)))

    def put_all(self, decisions: Iterable[Decision]) -> None:
        """Put what was decided about several links, in their order; those that are rejected are passed over."""
        taken = [decision for decision in decisions if decision.priority is not None]
        keys = np.array([self._keys.of(decision.key) for decision in taken], np.uint32)
        groups = np.array([self._number(decision.group) for decision in taken], np.uint64)
        priorities = np.array([decision.priority for decision in taken], np.float64)
        _checked(queue.dragoman_frontier_put_all(
            self._at, len(taken), at(keys, np.uint32), at(groups, np.uint64), at(priorities, np.float64)
        ))  # fmt: skip

    def pop(self) -> Hashable | None:
        """The best URL that waits, which then is done; None if nothing waits."""
        number = queue.dragoman_frontier_pop(self._at)
        return None if number < 0 else self._keys.key(number)

    def peek(self) -> Hashable | None:
        """The URL that `pop` would give, which goes on waiting; None if nothing waits."""
        number = queue.dragoman_frontier_peek(self._at)
        return None if number < 0 else self._keys.key(number)

    def values(self, count: int) -> NDArray[np.float64]:
        """What the best `count` of the URLs that can be popped count, falling; all of them where there are fewer."""
        values = np.empty(min(count, len(self)), np.float64)
        return values[: _checked(queue.dragoman_frontier_values(self._at, len(values), at(values, np.float64)))]

    def take(self, key: Hashable) -> bool:
        """Count a URL as popped, whether it waits or not; False if it was already."""
        return bool(_checked(queue.dragoman_frontier_take(self._at, self._keys.of(key))))

    def rest(self, key: Hashable) -> int:
        """Pass over the group of a URL that waits, whatever happens to it, until it is woken; what to wake it by."""
        return int(queue.dragoman_frontier_rest(self._at, self._keys.of(key)))

    def wake(self, group: int) -> None:
        """Pass over a group no longer; `group` is what `rest` gave."""
        queue.dragoman_frontier_wake(self._at, group)

    def drop(self, group: Hashable) -> int:
        """Let go all URLs of a group that wait; how many there were."""
        return int(queue.dragoman_frontier_drop(self._at, self._number(group)))

    def shift(self, group: Hashable, offset: float, scale: float = 1.0) -> None:
        """From now on URLs of this group count as offset + scale * priority, those that wait included."""
        self.shift_all([Shift(group, offset, scale)])

    def shift_all(self, shifts: Iterable[Shift]) -> None:
        """Rank several groups anew."""
        if isinstance(shifts, Shifts) and shifts.of_numbers:
            for begin in range(0, len(shifts), _AT_ONCE):  # all of a large crawl's would be copied
                part = slice(begin, begin + _AT_ONCE)
                directories = np.array(shifts.directories[part], np.uint64) << np.uint64(8)
                groups = np.uint64(_PAIR) | directories | np.array(shifts.cells[part], np.uint64)
                self._shift_all(groups, shifts.offsets[part], shifts.scales[part])
            return
        ranked = list(shifts)
        for shift in ranked:
            if not shift.scale > 0:
                raise UsageError(f"scale is {shift.scale:g}; it must be above 0 to keep the order of a group")
        numbers = np.array([self._number(shift.group) for shift in ranked], np.uint64)
        self._shift_all(numbers, [shift.offset for shift in ranked], [shift.scale for shift in ranked])

    def _shift_all(self, groups: NDArray[np.uint64], offsets: Sequence[float], scales: Sequence[float]) -> None:
        every_offset, every_scale = np.array(offsets, np.float64), np.array(scales, np.float64)
        _checked(queue.dragoman_frontier_shift_all(
            self._at, len(groups), at(groups, np.uint64), at(every_offset, np.float64), at(every_scale, np.float64)
        ))  # fmt: skip

    def _state(self, key: Hashable) -> int:
        """0: unknown or let go, _WAITS, or _DONE."""
        number = self._keys.find(key)
        return 0 if number is None else int(queue.dragoman_frontier_state(self._at, number))

    def _number(self, group: Hashable) -> int:
        if isinstance(group, int) and 0 <= group < _OTHER:
            return group
        if isinstance(group, tuple) and len(group) == 2:
            first, second = group
            if isinstance(first, int) and isinstance(second, int) and 0 <= first < 2**48 and 0 <= second < 256:
                return _PAIR | first << 8 | second
        return _OTHER | self._others.of(group)

    def _group(self, number: int) -> Hashable:
        if number & _PAIR:
            return (number ^ _PAIR) >> 8, number & 255
        return self._others.key(number ^ _OTHER) if number & _OTHER else number


def _checked(answer: int) -> int:
    if answer < 0:
        raise MemoryError("no memory for more URLs in the queue")
    return answer
