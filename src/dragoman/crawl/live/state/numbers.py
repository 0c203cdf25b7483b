"""NumberSet: a set of small whole numbers, a byte for each number up to the largest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet

import numpy as np
from numpy.typing import NDArray


class NumberSet(MutableSet[int]):
    """A set of numbers from 0 on. For URLs of a crawl, whose numbers are dense: a set of Python's needs 60 times more.

    >>> numbers = NumberSet([3, 5])
    >>> numbers.add(3)
    >>> 3 in numbers, 4 in numbers, len(numbers), list(numbers)
    (True, False, 2, [3, 5])
    """

    __slots__ = ("_count", "_there")

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self._there = bytearray()
        self._count = 0
        self.update(numbers)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 0 <= number < len(self._there) and self._there[number] == 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        """In rising order."""
        number = self._there.find(1)
        while number >= 0:
            yield number
            number = self._there.find(1, number + 1)

    def add(self, value: int) -> None:
        """Let a number be in it."""
        if value >= len(self._there):
            self._there.extend(bytes(value + 1 - len(self._there) + len(self._there) // 8))
        self._count += 1 - self._there[value]
        self._there[value] = 1

    def discard(self, value: int) -> None:
        """Let a number not be in it."""
        if value in self:
            self._there[value] = 0
            self._count -= 1

    def flags(self, count: int) -> NDArray[np.bool_]:
        """For each of the numbers below `count`, whether it is in it."""
        flags = np.zeros(count, np.bool_)
        flags[: len(self._there)] = np.frombuffer(bytes(self._there[:count]), np.bool_)
        return flags

    def update(self, numbers: Iterable[int]) -> None:
        """Let many numbers be in it."""
        for number in numbers:
            self.add(number)
