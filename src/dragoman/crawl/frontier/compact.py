"""CompactFrontier: the frontier for keys and groups that are numbers, in a tenth of the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import numpy as np

from dragoman.crawl.frontier.plain import Frontier
from dragoman.crawl.strategies.scout_memory import Shifts
from dragoman.errors import UsageError
from dragoman.kernels.frontier import NumberFrontier
from dragoman.types import Decision, Shift

#: Groups that are pairs, such as a scout's (directory, cell), are one number: this bit, the first, then eight bits.
_PAIR = 1 << 63


def _number(group: Hashable) -> int:
    if isinstance(group, int) and 0 <= group < _PAIR:
        return int(group)
    if isinstance(group, tuple) and len(group) == 2:
        first, second = group
        if isinstance(first, int) and isinstance(second, int) and 0 <= first < 2**48 and 0 <= second < 256:
            return _PAIR | first << 8 | second
    raise UsageError(f"A group is {group!r}; a compact frontier takes numbers, or pairs of a number and one below 256")


def _group(number: int) -> Hashable:
    return ((number ^ _PAIR) >> 8, number & 255) if number & _PAIR else number


class CompactFrontier(Frontier):
    """A Frontier whose keys are numbers from 0 on and whose groups are numbers, or pairs of a number and a small one.

    It does what `Frontier` does, to the last step, with about 44 bytes per URL that waits instead of several hundred:
    pairing heaps (Fredman, Sedgewick, Sleator and Tarjan 1986) in one array instead of dictionaries of tuples. A URL
    that is let go leaves no trace but its 4 bytes. Keys should be dense: memory is needed up to the largest.

    Costs: put O(log of the groups), pop O(log n) amortised, drop O(size of the group), shift O(log of the groups).

    >>> frontier = CompactFrontier()
    >>> [frontier.put(url, 7, priority) for url, priority in ((0, 0.0), (1, 1.0), (0, 2.0))]
    [True, True, True]
    >>> len(frontier), frontier.pop(), frontier.pop(), frontier.pop()
    (2, 0, 1, None)
    """

    def __init__(self, *, promotion: bool = True, seed: int | None = None, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit is {limit}; a frontier needs room for at least 1 URL")
        self.promotion, self.seed, self.limit = promotion, seed, limit
        self._numbers = NumberFrontier(promotion, seed, limit)

    @property
    def forgotten(self) -> int:
        """How many URLs the limit has cost so far; one that is found again counts again."""
        return self._numbers.forgotten

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, key: Hashable) -> bool:
        return isinstance(key, int) and self._numbers.state(key) == 1

    def waiting(self, group: Hashable) -> int:
        """How many URLs of a group wait."""
        return self._numbers.waiting(_number(group))

    def groups(self) -> Iterator[Hashable]:
        """The groups of which something waits."""
        return map(_group, self._numbers.groups())

    def done(self, key: Hashable) -> bool:
        """True if the URL was popped."""
        return isinstance(key, int) and self._numbers.state(key) == 2

    def put(self, key: Hashable, group: Hashable, priority: float, *, held: bool = False) -> bool:
        """Let a URL wait; False where nothing changes: it was popped already, or it waits with as good a priority."""
        assert isinstance(key, int)
        return self._numbers.put(key, _number(group), priority, held)

    def put_all(self, decisions: Iterable[Decision]) -> None:
        """Put what was decided about several links, in their order; those that are rejected are passed over."""
        taken = [one for one in decisions if one.priority is not None]
        if taken:
            self._numbers.put_all(
                [one.key for one in taken],  # type: ignore[misc]
                [_number(one.group) for one in taken],
                [one.priority for one in taken],  # type: ignore[misc]
            )

    def pop(self) -> int | None:
        """The best URL that waits, which then is done; None if nothing waits."""
        key = self._numbers.pop()
        return None if key < 0 else key

    def peek(self) -> int | None:
        """The URL that `pop` would give, which goes on waiting; None if nothing waits."""
        key = self._numbers.peek()
        return None if key < 0 else key

    def take(self, key: Hashable) -> bool:
        """Count a URL as popped, whether it waits or not; False if it was already."""
        assert isinstance(key, int)
        return self._numbers.take(key)

    def drop(self, group: Hashable) -> int:
        """Let go all URLs of a group that wait; how many there were."""
        return self._numbers.drop(_number(group))

    def shift(self, group: Hashable, offset: float, scale: float = 1.0) -> None:
        """From now on URLs of this group count as offset + scale * priority, those that wait included."""
        if not scale > 0:
            raise UsageError(f"scale is {scale:g}; it must be above 0 to keep the order of a group")
        self._numbers.shift(_number(group), offset, scale)

    def shift_all(self, shifts: Iterable[Shift]) -> None:
        """Rank several groups anew."""
        if isinstance(shifts, Shifts) and shifts.of_numbers:
            self._numbers.shift_all(
                np.uint64(_PAIR) | np.array(shifts.directories, np.uint64) << np.uint64(8)
                | np.array(shifts.cells, np.uint64), shifts.offsets, shifts.scales,
            )  # fmt: skip
            return
        given = list(shifts)
        for one in given:
            if not one.scale > 0:
                raise UsageError(f"scale is {one.scale:g}; it must be above 0 to keep the order of a group")
        if given:
            self._numbers.shift_all(
                [_number(one.group) for one in given], [one.offset for one in given], [one.scale for one in given]
            )
