"""Graph: pages, servers, directories, languages and the links between them, in arrays and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadGraph
from dragoman.languages import find, normalise
from dragoman.types import Language

#: The largest number of vertices: a link's end is 32 bits.
MOST = 2**32 - 1

#: Servers and directories are numbered up to so many times the number of vertices.
GAPS = 4


@dataclass(frozen=True, eq=False)
class Graph:
    """A web graph as compressed sparse rows: the links of page i are targets[indptr[i]:indptr[i + 1]].

    Every number is checked here, once, so that compiled loops can trust it. A vertex that was only seen as the end of
    a link (`fetched` False) has no links and no known language. Memory: 8 bytes per vertex for `indptr`, 15 for the
    rest, 4 per link; 39 million vertices with 124 million links take 1.4 GB without their URLs.

    >>> graph = Graph.of(links=[[1], [0, 2], []], server=[0, 0, 1], language=[0, 0, -1], languages=("th",),
    ...                  fetched=[True, True, False], seeds=[0])
    >>> len(graph), graph.links, graph.servers, graph.targets[graph.indptr[1] : graph.indptr[2]].tolist()
    (3, 3, 2, [0, 2])
    """

    indptr: NDArray[np.int64]
    targets: NDArray[np.uint32]
    #: The number of a vertex's server.
    server: NDArray[np.int32]
    #: The number of the pair of server and first path segment; `/about.html` is in the root.
    directory: NDArray[np.int32]
    #: The column in `languages`; -1 is not known.
    language: NDArray[np.int16]
    #: Characters of text.
    length: NDArray[np.int32]
    #: False: the URL was only seen.
    fetched: NDArray[np.bool_]
    languages: tuple[Language, ...]
    seeds: NDArray[np.uint32]
    urls: ByteColumn | None = None
    #: How many servers and directories there are (numbers may be unused).
    servers: int = field(init=False)
    directories: int = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.indptr) - 1
        if n < 0:
            raise BadGraph("The graph has no row marks: indptr needs one number more than there are vertices")
        if n > MOST:
            raise BadGraph(f"The graph has {n:,} vertices; at most {MOST:,} can be numbered")
        for name, kind in _KINDS.items():
            _check_array(name, getattr(self, name), kind)
        for name in ("server", "directory", "language", "length", "fetched"):
            if len(getattr(self, name)) != n:
                raise BadGraph(f"The graph has {n:,} vertices but {len(getattr(self, name)):,} values of '{name}'")
        self._check_links(n)
        object.__setattr__(self, "servers", _numbers("server", self.server))
        object.__setattr__(self, "directories", _numbers("directory", self.directory))
        self._check_values(n)

    def _check_links(self, n: int) -> None:
        marks = self.indptr
        if marks[0] != 0 or marks[-1] != len(self.targets) or not np.all(marks[1:] >= marks[:-1]):
            raise BadGraph(
                f"The row marks of the graph must rise from 0 to the number of links, {len(self.targets):,}, "
                f"but they run from {int(marks[0]):,} to {int(marks[-1]):,} or fall on the way"
            )
        for name, ends in (("link", self.targets), ("seed", self.seeds)):
            if len(ends) and int(ends.max()) >= n:
                raise BadGraph(
                    f"A {name} leads to vertex {int(ends.max()):,}, but the graph has {n:,} (0 to {n - 1:,})"
                )

    def _check_values(self, n: int) -> None:
        if n and (int(self.language.min()) < -1 or int(self.language.max()) >= len(self.languages)):
            wrong = int(self.language.min()) if int(self.language.min()) < -1 else int(self.language.max())
            raise BadGraph(f"A page has language number {wrong}, but the graph names {len(self.languages)} languages")
        if n and int(self.length.min()) < 0:
            raise BadGraph(f"A page has {int(self.length.min())} characters of text; lengths are 0 or more")
        if len(set(self.languages)) != len(self.languages):
            raise BadGraph(f"The graph names a language twice: {', '.join(self.languages)}")
        for language in self.languages:
            if find(language) != language:
                raise BadGraph(f"The graph has the unknown language '{language}': use BCP 47 tags such as 'th' or 'de'")
        owner = np.full(self.directories, -1, np.int32)
        owner[self.directory] = self.server
        if n and not np.array_equal(owner[self.directory], self.server):
            raise BadGraph("A directory of the graph has pages on two servers; number directories per server")
        if self.urls is not None and len(self.urls) != n:
            raise BadGraph(f"The graph has {n:,} vertices but {len(self.urls):,} URLs")

    @classmethod
    def of(
        cls,
        links: Any,
        *,
        server: Any = None,
        directory: Any = None,
        language: Any = None,
        length: Any = None,
        fetched: Any = None,
        languages: tuple[Language, ...] = (),
        seeds: Any = (),
        urls: Any = None,
    ) -> Graph:
        """A small graph of Python lists: a list of links per page; what is not given is one server, one directory,
        no language, 1000 characters, fetched."""
        n = len(links)
        indptr = np.zeros(n + 1, np.int64)
        np.cumsum([len(row) for row in links], out=indptr[1:])
        of_server = np.zeros(n, np.int32) if server is None else np.asarray(server, np.int32)
        return cls(
            indptr,
            np.asarray([end for row in links for end in row], np.uint32),
            of_server,
            of_server.copy() if directory is None else np.asarray(directory, np.int32),
            np.full(n, -1, np.int16) if language is None else np.asarray(language, np.int16),
            np.full(n, 1000, np.int32) if length is None else np.asarray(length, np.int32),
            np.ones(n, np.bool_) if fetched is None else np.asarray(fetched, np.bool_),
            tuple(languages),
            np.asarray(seeds, np.uint32),
            None if urls is None else ByteColumn.of(urls),
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def links(self) -> int:
        """How many links there are."""
        return len(self.targets)

    def column(self, language: str) -> int:
        """The number of a language; -1 if no page of the graph can have it."""
        tag = normalise(language)
        return self.languages.index(tag) if tag in self.languages else -1

    def is_in(self, language: str) -> NDArray[np.bool_]:
        """True for each fetched page in this language; all False for a language that the graph does not have."""
        column = self.column(language)
        if column < 0:
            return np.zeros(len(self), np.bool_)
        pages: NDArray[np.bool_] = self.language == column
        pages &= self.fetched
        return pages


_KINDS: dict[str, type[np.generic]] = {
    "indptr": np.int64,
    "targets": np.uint32,
    "server": np.int32,
    "directory": np.int32,
    "language": np.int16,
    "length": np.int32,
    "fetched": np.bool_,
    "seeds": np.uint32,
}


def _check_array(name: str, array: NDArray[Any], kind: type[np.generic]) -> None:
    if array.dtype != kind or array.ndim != 1 or not array.flags.c_contiguous:
        raise BadGraph(f"'{name}' of a graph is one contiguous row of {kind.__name__}, not {array.dtype} {array.shape}")


def _numbers(name: str, array: NDArray[np.int32]) -> int:
    if not len(array):
        return 0
    if int(array.min()) < 0:
        raise BadGraph(f"A vertex has {name} {int(array.min())}; numbers begin with 0")
    if int(array.max()) >= GAPS * len(array) + 1000:  # records are arrays: a stray number must not fill the memory
        raise BadGraph(
            f"A vertex has {name} {int(array.max()):,} of {len(array):,} vertices; number them without large gaps"
        )
    return int(array.max()) + 1
