"""Numbers of a crawl, small and dense, in little memory: sets of them, and the servers of URLs."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Iterator, MutableSet, Sequence

import numpy as np
from numpy.typing import NDArray

#: glibc's number of its option, and bytes from which on memory is taken from the system by itself.
_M_MMAP_THRESHOLD, _LARGE = -3, 1 << 20


def grow_in_place() -> None:
    """From now on arrays of a megabyte and more grow where they are, in this process, where its C library can do that.

    glibc would take up to 32 megabytes from its common heap, where a column that grows leaves a hole each time; with
    ten million URLs these were a quarter of a gigabyte.
    """
    library = ctypes.CDLL(None)
    if (option := getattr(library, "mallopt", None)) is not None:
        option(_M_MMAP_THRESHOLD, _LARGE)
    if (trim := getattr(library, "malloc_trim", None)) is not None:
        trim(0)  # what loading the models left


class NumberSet(MutableSet[int]):
    """A set of numbers from 0 on, a bit for each. For URLs of a crawl, whose numbers are dense: a set of Python's needs
    500 times more.

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
        there = self._there
        return isinstance(number, int) and 0 <= number >> 3 < len(there) and there[number >> 3] >> (number & 7) & 1 == 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        """In rising order."""
        for first, eight in enumerate(self._there):
            if eight:
                yield from (8 * first + bit for bit in range(8) if eight >> bit & 1)

    def add(self, value: int) -> None:
        """Let a number be in it."""
        if value >> 3 >= len(self._there):
            self._there.extend(bytes((value >> 3) + 1 - len(self._there) + len(self._there) // 32))
        self._count += value not in self
        self._there[value >> 3] |= 1 << (value & 7)

    def discard(self, value: int) -> None:
        """Let a number not be in it."""
        if value in self:
            self._there[value >> 3] ^= 1 << (value & 7)
            self._count -= 1

    def flags(self, count: int) -> NDArray[np.bool_]:
        """For each of the numbers below `count`, whether it is in it."""
        with memoryview(self._there) as there:
            bits = np.unpackbits(np.frombuffer(there, np.uint8), count=count, bitorder="little")
        return bits.view(np.bool_)

    def update(self, numbers: Iterable[int]) -> None:
        """Let many numbers be in it."""
        for number in numbers:
            self.add(number)


class ServerColumn:
    """The server of each URL, by its directory, which is of one server: a number for each directory, none for a URL.

    >>> servers = ServerColumn(directories := array("i", [0, 1, 1]))
    >>> servers.add(0, 5), servers.add(1, 6)
    (None, None)
    >>> servers[0], servers[2], servers.of([1, 2]).tolist()
    (5, 6, [6, 6])
    """

    __slots__ = ("_directories", "_servers")

    def __init__(self, directories: array[int]) -> None:
        self._directories, self._servers = directories, array("i")

    def add(self, directory: int, server: int) -> None:
        """A directory is of this server."""
        if directory >= len(self._servers):
            self._servers.frombytes(bytes(4 * (directory + 1 - len(self._servers))))
        self._servers[directory] = server

    def __getitem__(self, url: int) -> int:
        return self._servers[self._directories[url]]

    def __iter__(self) -> Iterator[int]:
        return (self._servers[directory] for directory in self._directories)

    def there(self) -> set[int]:
        """All servers that have URLs."""
        return set(self.of(range(len(self._directories))).tolist())

    def of(self, urls: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int32]:
        """The servers of some URLs."""
        directories = np.frombuffer(self._directories, np.int32)[np.asarray(urls, np.int64)]
        return np.asarray(np.frombuffer(self._servers, np.int32)[directories])
