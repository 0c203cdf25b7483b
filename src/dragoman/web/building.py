"""A graph from pages that come one after the other: URLs become numbers, hosts servers, first segments directories."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.errors import BadGraph, UnknownLanguage, shorten
from dragoman.languages import normalise
from dragoman.types import Language
from dragoman.web.addresses import plain_spelling, server_and_directory
from dragoman.web.graph import Graph

#: Characters of a page of which nobody said how long it is: neither short nor long.
UNKNOWN_LENGTH = 1000


class Building:
    """Pages are added in any order; `graph` gives what there is. URLs that only links name become seen vertices."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._fetched = bytearray()
        self._language = array("h")
        self._length = array("i")
        self._languages: dict[Language, int] = {}
        self._sources, self._ends = array("I"), array("I")
        self.seeds: list[int] = []

    def vertex(self, url: str) -> int:
        """The number of a URL, a new one if it was not seen before."""
        number = self._number.setdefault(url, len(self._number))
        if number == len(self._fetched):
            self._fetched.append(0)
            self._language.append(-1)
            self._length.append(0)
        return number

    def page(self, url: str, language: str | None, length: int, links: Iterable[str]) -> int:
        """Add a fetched page; its vertex. Loops and repeated links are left out. BadGraph if the page is there."""
        source = self.vertex(plain_spelling(url))
        if self._fetched[source]:
            raise BadGraph(f"The page is there twice: {shorten(url)}")
        self._fetched[source] = 1
        self._language[source] = self._column(language)
        self._length[source] = max(0, min(int(length), 2**31 - 1))
        ends = dict.fromkeys(self.vertex(plain_spelling(link)) for link in links)
        ends.pop(source, None)
        self._sources.extend([source] * len(ends))
        self._ends.extend(ends)
        return source

    def link(self, source: str, end: str, times: int = 1) -> None:
        """Add a link between two vertices of an edge list; both count as fetched, since nothing else is known."""
        pair = self.vertex(source), self.vertex(end)
        for number in pair:
            self._fetched[number] = 1
            self._length[number] = UNKNOWN_LENGTH
        self._sources.extend([pair[0]] * times)
        self._ends.extend([pair[1]] * times)

    def label(self, url: str, language: str | None) -> bool:
        """Give a vertex its language; False if there is no such vertex."""
        if url not in self._number:
            return False
        self._language[self._number[url]] = self._column(language)
        return True

    def _column(self, language: str | None) -> int:
        if language is None or language == "":
            return -1
        try:
            return self._languages.setdefault(normalise(language), len(self._languages))
        except UnknownLanguage as error:
            raise BadGraph(str(error)) from error

    def graph(self) -> Graph:
        """The graph; the first page is the seed where none was named."""
        n = len(self._fetched)
        server, directory = np.empty(n, np.int32), np.empty(n, np.int32)
        servers: dict[str, int] = {}
        directories: dict[str, int] = {}
        for number, url in enumerate(self._number):
            server_name, directory_name = server_and_directory(url)
            server[number] = servers.setdefault(server_name, len(servers))
            directory[number] = directories.setdefault(directory_name, len(directories))
        sources = np.frombuffer(self._sources, np.uint32) if self._sources else np.empty(0, np.uint32)
        ends = np.frombuffer(self._ends, np.uint32) if self._ends else np.empty(0, np.uint32)
        indptr = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(sources, minlength=n), out=indptr[1:])
        fetched = np.frombuffer(bytes(self._fetched), np.bool_)
        seeds = self.seeds or np.flatnonzero(fetched)[:1].tolist()
        return Graph(
            indptr, ends[np.argsort(sources, kind="stable")], server, directory,
            np.array(self._language, np.int16), np.array(self._length, np.int32), fetched.copy(),
            tuple(self._languages), np.array(seeds, np.uint32), ByteColumn.of(list(self._number)),
        )  # fmt: skip
