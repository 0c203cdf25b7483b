"""CompactFrontier: the frontier for keys that are numbers, compiled, in a tenth of the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.frontier.plain import Frontier, check_scale
from dragoman.crawl.strategies.scout_memory import Shifts
from dragoman.errors import UsageError
from dragoman.kernels.frontier import LARGEST_KEY, new_queue, queue
from dragoman.kernels.library import at
from dragoman.types import Decision, Shift

#: Groups that are pairs, such as a scout's (directory, cell), are one number: this bit, the first, then eight bits.
_PAIR = 1 << 63
#: Groups that are neither numbers nor such pairs are counted, from this bit on.
_OTHER = 1 << 62
_WAITS, _DONE = 1, 2


class CompactFrontier(Frontier):
    """A Frontier whose keys are numbers from 0 on.

    It does what `Frontier` does, to the last step, with about 44 bytes per URL that waits instead of several hundred:
    pairing heaps (Fredman, Sedgewick, Sleator and Tarjan 1986) in one array instead of dictionaries of tuples. A URL
    that is let go leaves no trace but its 4 bytes. Keys should be dense: memory is needed up to the largest. Groups
    are anything; numbers, and pairs of a number and one below 256, need no Python object each.

    Costs: put O(log of the groups), pop O(log n) amortised, drop O(size of the group), shift O(log of the groups).

    >>> frontier = CompactFrontier()
    >>> [frontier.put(url, "a.example", priority) for url, priority in ((0, 0.0), (1, 1.0), (0, 2.0))]
    [True, True, True]
    >>> len(frontier), frontier.pop(), frontier.pop(), frontier.pop()
    (2, 0, 1, None)
    """

    def __init__(self, *, promotion: bool = True, seed: int | None = None, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit is {limit}; a frontier needs room for at least 1 URL")
        self.promotion, self.seed, self.limit = promotion, seed, limit
        self._others: dict[Hashable, int] = {}
        self._names: list[Hashable] = []
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
        return bool(_checked(queue.dragoman_frontier_put(self._at, _key(key), number, priority, held)))

    def put_all(self, decisions: Iterable[Decision]) -> None:
        """Put what was decided about several links, in their order; those that are rejected are passed over."""
        taken = [decision for decision in decisions if decision.priority is not None]
        keys = np.array([decision.key for decision in taken], np.uint32)
        groups = np.array([self._number(decision.group) for decision in taken], np.uint64)
        priorities = np.array([decision.priority for decision in taken], np.float64)
        _checked(queue.dragoman_frontier_put_all(
            self._at, len(taken), at(keys, np.uint32), at(groups, np.uint64), at(priorities, np.float64)
        ))  # fmt: skip

    def pop(self) -> int | None:
        """The best URL that waits, which then is done; None if nothing waits."""
        key = int(queue.dragoman_frontier_pop(self._at))
        return None if key < 0 else key

    def peek(self) -> int | None:
        """The URL that `pop` would give, which goes on waiting; None if nothing waits."""
        key = int(queue.dragoman_frontier_peek(self._at))
        return None if key < 0 else key

    def take(self, key: Hashable) -> bool:
        """Count a URL as popped, whether it waits or not; False if it was already."""
        return bool(_checked(queue.dragoman_frontier_take(self._at, _key(key))))

    def drop(self, group: Hashable) -> int:
        """Let go all URLs of a group that wait; how many there were."""
        return int(queue.dragoman_frontier_drop(self._at, self._number(group)))

    def shift(self, group: Hashable, offset: float, scale: float = 1.0) -> None:
        """From now on URLs of this group count as offset + scale * priority, those that wait included."""
        check_scale(scale)
        _checked(queue.dragoman_frontier_shift(self._at, self._number(group), offset, scale))

    def shift_all(self, shifts: Iterable[Shift]) -> None:
        """Rank several groups anew."""
        if isinstance(shifts, Shifts) and shifts.of_numbers:
            directories, cells = np.array(shifts.directories, np.uint64), np.array(shifts.cells, np.uint64)
            self._shift_all(np.uint64(_PAIR) | directories << np.uint64(8) | cells, shifts.offsets, shifts.scales)
            return
        every = list(shifts)
        for shift in every:
            check_scale(shift.scale)
        numbers = np.array([self._number(shift.group) for shift in every], np.uint64)
        self._shift_all(numbers, [shift.offset for shift in every], [shift.scale for shift in every])

    def _shift_all(self, groups: NDArray[np.uint64], offsets: Sequence[float], scales: Sequence[float]) -> None:
        every_offset, every_scale = np.array(offsets, np.float64), np.array(scales, np.float64)
        _checked(queue.dragoman_frontier_shift_all(
            self._at, len(groups), at(groups, np.uint64), at(every_offset, np.float64), at(every_scale, np.float64)
        ))  # fmt: skip

    def _state(self, key: Hashable) -> int:
        """0: unknown or let go, _WAITS, or _DONE."""
        known = isinstance(key, int) and 0 <= key < LARGEST_KEY
        return int(queue.dragoman_frontier_state(self._at, key)) if known else 0

    def _number(self, group: Hashable) -> int:
        if isinstance(group, int) and 0 <= group < _OTHER:
            return group
        if isinstance(group, tuple) and len(group) == 2:
            first, second = group
            if isinstance(first, int) and isinstance(second, int) and 0 <= first < 2**48 and 0 <= second < 256:
                return _PAIR | first << 8 | second
        number = self._others.get(group)
        if number is None:
            number = self._others[group] = _OTHER | len(self._names)
            self._names.append(group)
        return number

    def _group(self, number: int) -> Hashable:
        if number & _PAIR:
            return (number ^ _PAIR) >> 8, number & 255
        return self._names[number ^ _OTHER] if number & _OTHER else number


def _key(key: Hashable) -> int:
    if not isinstance(key, int) or not 0 <= key < LARGEST_KEY:
        raise UsageError(f"A key is {key!r}; a compact frontier takes numbers from 0 to below {LARGEST_KEY}")
    return key


def _checked(answer: int) -> int:
    if answer < 0:
        raise MemoryError("no memory for more URLs in the queue")
    return answer
