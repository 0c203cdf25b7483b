"""Frontier: the URLs that wait, best first, one entry each; it knows no clock and no network."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from dragoman.errors import UsageError
from dragoman.types import Decision, Shift

_MASK = (1 << 64) - 1


def shuffled(number: int) -> int:
    """A 64-bit number turned into another, one to one (SplitMix64's last steps): what a seed does to ties."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)


@dataclass(slots=True)
class _Group:
    """One server's (or directory's) URLs: a heap by priority; entries that are no longer true are skipped."""

    entries: dict[Hashable, tuple[float, int]] = field(default_factory=dict)
    heap: list[tuple[float, int, Hashable]] = field(default_factory=list)
    held: set[Hashable] = field(default_factory=set)

    def head(self) -> tuple[float, int, Hashable] | None:
        while self.heap and self.entries.get(self.heap[0][2]) != (-self.heap[0][0], self.heap[0][1]):
            heapq.heappop(self.heap)
        return self.heap[0] if self.heap else None


class Frontier:
    """A priority queue of URLs in groups (servers or directories): put, pop, drop a group, rank a group anew.

    - One entry per URL. A URL that waits and is found again keeps the better of both priorities (`promotion=False`:
      the first); put into another group, it moves there. A URL that was popped is never taken again.
    - Among equals the one that was put first goes first; with a `seed`, an order drawn by it.
    - `drop` lets all waiting URLs of a group go at once, without looking at them. They may be put again.
    - `shift` ranks a whole group anew: its URLs count as offset + scale * priority.
    - `held` URLs wait without ever being popped: counted, dropped with their group (pages whose content is not there).
    - `limit` bounds the memory: whenever more URLs wait, the worst quarter is forgotten, and counted in `forgotten`.
      What was forgotten is taken again when it is found again.

    Costs: put and pop O(log n), drop and shift O(log of the groups). Keys and groups are anything hashable;
    dragoman.crawl.frontier.compact does the same for numbers in a tenth of the memory.

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
        self._groups: dict[Hashable, _Group] = {}
        self._shifts: dict[Hashable, tuple[float, float]] = {}
        self._where: dict[Hashable, Hashable] = {}
        self._done: set[Hashable] = set()
        self._heads: list[tuple[float, int, int, Hashable]] = []
        self._size = 0
        self._forgotten = 0
        self._puts = 0
        self._pushes = 0

    @property
    def forgotten(self) -> int:
        """How many URLs the limit has cost so far; one that is found again counts again."""
        return self._forgotten

    def __len__(self) -> int:
        """How many URLs wait, held ones included."""
        return self._size

    def __contains__(self, key: Hashable) -> bool:
        group = self._groups.get(self._where.get(key))
        return group is not None and (key in group.entries or key in group.held)

    def waiting(self, group: Hashable) -> int:
        """How many URLs of a group wait."""
        found = self._groups.get(group)
        return len(found.entries) + len(found.held) if found else 0

    def groups(self) -> Iterator[Hashable]:
        """The groups of which something waits."""
        return iter(self._groups)

    def done(self, key: Hashable) -> bool:
        """True if the URL was popped."""
        return key in self._done

    def put(self, key: Hashable, group: Hashable, priority: float, *, held: bool = False) -> bool:
        """Let a URL wait; False where nothing changes: it was popped already, or it waits with as good a priority."""
        if key in self._done:
            return False
        if key in self:
            if not self._moves(key, group, priority):
                return False
            held = key in self._groups[self._where[key]].held
            self._remove(key)
        place = self._groups.setdefault(group, _Group())
        self._where[key] = group
        self._size += 1
        if held:
            place.held.add(key)
            return True
        tie = self._puts if self.seed is None else shuffled(self.seed ^ self._puts)
        self._puts += 1
        place.entries[key] = (priority, tie)
        heapq.heappush(place.heap, (-priority, tie, key))
        head = place.head()
        if head is not None and head[2] == key:
            self._push_head(group, head)
        if self.limit is not None and self._size > self.limit:
            self._forget_the_worst(self.limit)
        return True

    def put_all(self, decisions: Iterable[Decision]) -> None:
        """Put what was decided about several links, in their order; those that are rejected are passed over."""
        for one in decisions:
            if one.priority is not None:
                self.put(one.key, one.group, one.priority)

    def _moves(self, key: Hashable, group: Hashable, priority: float) -> bool:
        now = self._where[key]
        if now != group:
            return True
        waits = self._groups[now].entries.get(key)
        return self.promotion and waits is not None and priority > waits[0]

    def _remove(self, key: Hashable) -> None:
        name = self._where[key]
        group = self._groups[name]
        head = group.head()
        group.held.discard(key)
        group.entries.pop(key, None)
        self._size -= 1
        if head is not None and head[2] == key and (following := group.head()) is not None:
            self._push_head(name, following)
        if not group.entries and not group.held:
            del self._groups[name]

    def _rank(self, group: Hashable, head: tuple[float, int, Hashable]) -> float:
        offset, scale = self._shifts.get(group, (0.0, 1.0))
        return -(offset + scale * -head[0])

    def _push_head(self, group: Hashable, head: tuple[float, int, Hashable]) -> None:
        self._pushes += 1
        heapq.heappush(self._heads, (self._rank(group, head), head[1], self._pushes, group))
        if len(self._heads) > 4 * len(self._groups) + 64:
            self._heads = [
                (self._rank(name, first), first[1], place, name)
                for place, (name, one) in enumerate(self._groups.items())
                if (first := one.head()) is not None
            ]
            heapq.heapify(self._heads)
            self._pushes = len(self._heads)

    def pop(self) -> Hashable | None:
        """The best URL that waits, which then is done; None if nothing waits."""
        while self._heads:
            rank, tie, _, name = heapq.heappop(self._heads)
            group = self._groups.get(name)
            head = group.head() if group else None
            if head is None or head[1] != tie or self._rank(name, head) != rank:
                continue
            key = head[2]
            self._remove(key)
            self._where.pop(key)
            self._done.add(key)
            return key
        return None

    def peek(self) -> Hashable | None:
        """The URL that `pop` would give, which goes on waiting; None if nothing waits."""
        while self._heads:
            rank, tie, _, name = self._heads[0]
            group = self._groups.get(name)
            head = group.head() if group else None
            if head is not None and head[1] == tie and self._rank(name, head) == rank:
                return head[2]
            heapq.heappop(self._heads)
        return None

    def take(self, key: Hashable) -> bool:
        """Count a URL as popped, whether it waits or not; False if it was already."""
        if key in self._done:
            return False
        if key in self:
            self._remove(key)
        self._where.pop(key, None)
        self._done.add(key)
        return True

    def drop(self, group: Hashable) -> int:
        """Let go all URLs of a group that wait; how many there were."""
        found = self._groups.pop(group, None)
        self._shifts.pop(group, None)
        if found is None:
            return 0
        gone = len(found.entries) + len(found.held)
        self._size -= gone
        if len(self._where) > 2 * self._size + 1024:  # what still leads to dropped groups goes now and then
            self._where = {key: name for name, one in self._groups.items() for key in (*one.entries, *one.held)}
        return gone

    def shift(self, group: Hashable, offset: float, scale: float = 1.0) -> None:
        """From now on URLs of this group count as offset + scale * priority, those that wait included."""
        check_scale(scale)
        if self._shifts.get(group, (0.0, 1.0)) == (offset, scale):
            return
        self._shifts[group] = (offset, scale)
        found = self._groups.get(group)
        if found is not None and (head := found.head()) is not None:
            self._push_head(group, head)

    def shift_all(self, shifts: Iterable[Shift]) -> None:
        """Rank several groups anew."""
        for one in shifts:
            self.shift(one.group, one.offset, one.scale)

    def _forget_the_worst(self, limit: int) -> None:
        waiting = [
            (self._rank(name, (-priority, tie, key)), tie, key)
            for name, group in self._groups.items()
            for key, (priority, tie) in group.entries.items()
        ]
        for _, _, key in heapq.nlargest(limit // 4 + 1, waiting, key=lambda entry: entry[:2]):
            self._remove(key)
            self._where.pop(key)
            self._forgotten += 1


def check_scale(scale: float) -> None:
    """UsageError unless a group keeps its order at this scale."""
    if not scale > 0:
        raise UsageError(f"scale is {scale:g}; it must be above 0 to keep the order of a group")
