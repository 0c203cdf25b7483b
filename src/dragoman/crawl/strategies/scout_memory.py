"""What a scout remembers of URLs, servers and directories, in arrays: Python objects would fill the memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from dragoman.crawl.key_numbers import KeyNumbers
from dragoman.types import Language, Shift

#: The cell of a URL that no link has been counted for.
NO_CELL = -1
#: What stands for it, and for a URL that was fetched, in the array of cells.
_NO_CELL, _FETCHED = 0, 255


class UrlTable(KeyNumbers):
    """What is known of URLs that were found: links to each by kind, its cell and its score; 8 bytes each."""

    __slots__ = ("_cells", "_links", "score")

    def __init__(self) -> None:
        super().__init__()
        #: Three numbers per URL: links on relevant and other pages of its own server, up to 255; what tells of other
        #: servers: 0 to 2 of their relevant pages, and 4 more if one that is not relevant links to it.
        self._links = bytearray()
        self.score = array("f")
        self._cells = bytearray()

    def widen(self, more: int) -> None:
        """Make room for so many keys more."""
        self._links.extend(bytes(3 * more))
        self._cells.extend(bytes(more))
        self.score.frombytes(bytes(4 * more))

    def is_linked(self, number: int) -> bool:
        """True if a link to the URL was counted."""
        return any(self._links[3 * number : 3 * number + 3])

    def link(self, number: int, relevant: bool, own: bool) -> tuple[int, int, int, int]:
        """Count a link; how many there are, on relevant and other pages of its own server, then of other servers."""
        links, first = self._links, 3 * number
        if own:
            column = first + (not relevant)
            links[column] = min(links[column] + 1, 255)
        elif not relevant:
            links[first + 2] |= 4
        elif links[first + 2] & 3 < 2:
            links[first + 2] += 1
        elsewhere = links[first + 2]
        return links[first], links[first + 1], elsewhere & 3, elsewhere >> 2

    def cell(self, number: int) -> int:
        """The cell of a URL, or NO_CELL."""
        cell = self._cells[number]
        return NO_CELL if cell in (_NO_CELL, _FETCHED) else cell - 1

    def enter(self, number: int, cell: int, score: float) -> None:
        """The URL is in this cell now."""
        self._cells[number] = cell + 1
        self.score[number] = score

    def fetched(self, number: int) -> bool:
        """True if the URL was fetched: then there is nothing more to know."""
        return self._cells[number] == _FETCHED

    def fetch(self, number: int) -> None:
        """The URL is fetched now."""
        self._cells[number] = _FETCHED
        self.score[number] = 0.0


class SeenTable(KeyNumbers):
    """What a scout remembers of servers or directories beyond their records: 30 bytes for each, of servers 42."""

    __slots__ = (
        "_languages",
        "_of_servers",
        "_tongues",
        "errors",
        "next",
        "next_seen",
        "pages",
        "relevant",
        "residual",
        "scores",
        "seen",
    )

    def __init__(self, *, of_servers: bool) -> None:
        super().__init__()
        self._of_servers = of_servers
        self.pages, self.relevant, self.errors = array("i"), array("i"), array("i")
        #: URLs seen, the sum of their scores, and the number at which ranks are renewed.
        self.seen, self.scores, self.next_seen = array("i"), array("d"), array("i")
        #: Of servers the number of pages at which ranks are renewed, and by how much scores were too high.
        self.next, self.residual = array("i"), array("d")
        self._tongues = array("H")
        self._languages: list[Language | None] = [None]

    def widen(self, more: int) -> None:
        """Make room for so many keys more."""
        for column in (self.pages, self.relevant, self.errors, self.seen, self.next_seen):
            column.frombytes(bytes(column.itemsize * more))
        self.scores.frombytes(bytes(8 * more))
        if self._of_servers:
            self.next.frombytes(bytes(4 * more))
            self.residual.frombytes(bytes(8 * more))
        self._tongues.frombytes(bytes(2 * more))

    def see(self, number: int, score: float) -> bool:
        """Count a URL; True if the URLs seen have grown by a quarter."""
        self.scores[number] += score
        seen = self.seen[number] + 1
        self.seen[number] = seen
        if seen < self.next_seen[number]:
            return False
        self.next_seen[number] = seen + seen // 4 + 1
        return True

    def language(self, number: int) -> Language | None:
        """The language of the last relevant page."""
        return self._languages[self._tongues[number]]

    def speaks(self, number: int, language: Language) -> None:
        """A relevant page was in this language."""
        if language not in self._languages:
            self._languages.append(language)
        self._tongues[number] = self._languages.index(language)


class Shifts(Iterable[Shift]):
    """Ranks of groups (directory, cell), in the order in which they were found: of several for a group the last holds.

    A scout ranks all groups anew now and then, which are as many as there are directories: 21 bytes for each.
    """

    __slots__ = ("_numbers", "cells", "directories", "offsets", "scales")

    def __init__(self, numbers: KeyNumbers) -> None:
        self._numbers = numbers
        self.directories, self.cells = array("I"), array("B")
        self.offsets, self.scales = array("d"), array("d")

    @property
    def of_numbers(self) -> bool:
        """True if the directories are numbers by themselves."""
        return self._numbers.of_numbers

    def add(self, directory: int, cell: int, offset: float, scale: float) -> None:
        """From now on URLs of the group count as offset + scale * priority."""
        self.directories.append(directory)
        self.cells.append(cell)
        self.offsets.append(offset)
        self.scales.append(scale)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Shift]:
        for directory, cell, offset, scale in zip(self.directories, self.cells, self.offsets, self.scales, strict=True):
            yield Shift((self._numbers.key(directory), cell), offset, scale)


class GroupTable:
    """The cells that each directory of a server has had URLs in; 8 bytes per directory and 4 per server."""

    __slots__ = ("_cells", "_first", "_next")

    def __init__(self) -> None:
        #: Linked lists of directories: 1 + the place of the first or next one.
        self._first, self._next, self._cells = array("I"), array("I"), array("I")

    def add(self, server: int, directory: int, cell: int) -> None:
        """From now on the server has URLs of this directory and cell."""
        for column, number in ((self._first, server), (self._next, directory), (self._cells, directory)):
            if number >= len(column):
                column.frombytes(bytes(column.itemsize * (number + 1 - len(column) + len(column) // 32 + 16)))
        if not self._cells[directory]:
            self._next[directory] = self._first[server]
            self._first[server] = directory + 1
        self._cells[directory] |= 1 << cell

    def servers(self) -> Iterator[int]:
        """The servers that have any."""
        return (server for server, first in enumerate(self._first) if first)

    def directories(self, server: int) -> Iterator[int]:
        """The directories of a server."""
        directory = self._first[server] if server < len(self._first) else 0
        while directory:
            yield directory - 1
            directory = self._next[directory - 1]

    def cells(self, directory: int) -> Iterator[int]:
        """The cells of a directory."""
        left = self._cells[directory] if directory < len(self._cells) else 0
        while left:
            lowest = left & -left
            yield lowest.bit_length() - 1
            left ^= lowest

    def forget(self, server: int) -> None:
        """The server has none any more."""
        for directory in list(self.directories(server)):
            self._cells[directory] = self._next[directory] = 0
        if server < len(self._first):
            self._first[server] = 0
