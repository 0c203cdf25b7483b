"""Walks over a graph in compressed sparse rows, compiled; the plain versions are in dragoman.web."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, Bytes, Offsets, at, library, rows_of

__all__ = ["LEFT_OUT", "digests", "distances", "joined", "nearest", "reversed_links", "spread_round"]

#: The group of vertices that `joined` leaves out.
LEFT_OUT = 255

_ROWS = [POINTER, POINTER, COUNT]
_library = library(
    {
        "dragoman_graph_joined": (None, [*_ROWS, POINTER, POINTER, SMALL, POINTER]),
        "dragoman_graph_distances": (COUNT, [*_ROWS, POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_graph_nearest": (SMALL, [*_ROWS, POINTER, POINTER]),
        "dragoman_graph_reversed": (None, [*_ROWS, POINTER, POINTER]),
        "dragoman_graph_spread": (
            DOUBLE,
            [*([POINTER] * 4), COUNT, POINTER, POINTER, SMALL, *([POINTER] * 5)],
        ),
        "dragoman_graph_digests": (None, [POINTER, POINTER, COUNT, POINTER]),
    }
)

Marks = NDArray[np.int64]
Ends = NDArray[np.uint32]


def _rows(indptr: Marks, targets: Ends) -> tuple[int, int, int]:
    """The first three arguments; the values were checked when the graph was made."""
    if indptr[-1] != len(targets):
        raise ValueError("the row marks do not fit the links")
    return at(indptr, np.int64), at(targets, np.uint32), len(indptr) - 1


def joined(
    indptr: Marks, targets: Ends, group: NDArray[np.uint8], server: NDArray[np.int32], groups: int
) -> NDArray[np.int64]:
    """counts[0, a, b]: links from group a to group b; counts[1, a, b]: those between servers."""
    rows = _rows(indptr, targets)
    if len(group) != rows[2] or len(server) != rows[2] or not 0 < groups < LEFT_OUT:
        raise ValueError("each vertex needs a group and a server")
    if np.any((group >= groups) & (group != LEFT_OUT)):
        raise ValueError("a vertex is in a group that is not there")
    counts = np.zeros((2, groups, groups), np.int64)
    _library.dragoman_graph_joined(
        *rows, at(group, np.uint8), at(server, np.int32), groups, at(counts, np.int64)
    )  # fmt: skip
    return counts


def distances(
    indptr: Marks, targets: Ends, sources: Ends, through: NDArray[np.bool_] | None = None
) -> NDArray[np.int32]:
    """Links on the shortest path from any source to each vertex, -1 where none leads; only `through` pass it on."""
    rows = _rows(indptr, targets)
    n = rows[2]
    if (len(sources) and int(sources.max()) >= n) or (through is not None and len(through) != n):
        raise ValueError("a source is no vertex")
    distance, queue = np.empty(n, np.int32), np.empty(n, np.uint32)
    _library.dragoman_graph_distances(
        *rows, at(sources, np.uint32), len(sources), None if through is None else at(through, np.bool_),
        at(queue, np.uint32), at(distance, np.int32),
    )  # fmt: skip
    return distance


def nearest(indptr: Marks, targets: Ends, marked: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Links on the shortest path to each marked vertex from another marked one; -1 where none leads, or not marked."""
    rows = _rows(indptr, targets)
    if len(marked) != rows[2]:
        raise ValueError("each vertex is marked or not")
    distance = np.empty(rows[2], np.int32)
    if _library.dragoman_graph_nearest(*rows, at(marked, np.bool_), at(distance, np.int32)):
        raise MemoryError("no memory for the walk over the graph")
    return distance


def reversed_links(indptr: Marks, targets: Ends) -> tuple[Marks, Ends]:
    """(start, sources): the vertices that link to i are sources[start[i]:start[i + 1]], in rising order."""
    rows = _rows(indptr, targets)
    start, sources = np.empty(rows[2] + 1, np.int64), np.empty(len(targets), np.uint32)
    _library.dragoman_graph_reversed(*rows, at(start, np.int64), at(sources, np.uint32))
    return start, sources


def digests(data: Bytes, offsets: Offsets) -> NDArray[np.uint64]:
    """A number for each row: equal rows have equal numbers, and different ones almost never."""
    rows = rows_of(data, offsets)
    numbers = np.empty(rows, np.uint64)
    _library.dragoman_graph_digests(at(data, np.uint8), at(offsets, np.int64), rows, at(numbers, np.uint64))
    return numbers


def spread_round(
    links: tuple[Marks, Ends],
    reversed_: tuple[Marks, Ends],
    places: tuple[NDArray[np.int32], NDArray[np.int32]],
    evidence: NDArray[np.float32],
    weight: NDArray[np.float64],
    scale: NDArray[np.float64],
    belief: NDArray[np.float32],
) -> float:
    """One round of label spreading, in place; the largest change of a belief. `places` are servers and directories.

    For benchmarks/links/spreading.py, which has the definition.
    """
    ahead, back = _rows(*links), _rows(*reversed_)
    n, width = evidence.shape
    if ahead[2] != n or back[2] != n or belief.shape != evidence.shape or weight.shape != (3, width):
        raise ValueError("evidence and beliefs need a row per vertex and a column per language")
    if any(len(column) != n for column in (*places, scale)):
        raise ValueError("each vertex needs a server, a directory and a scale")
    sums = np.empty(3 * width, np.float64)
    return float(
        _library.dragoman_graph_spread(
            *ahead[:2], *back[:2], n, *(at(column, np.int32) for column in places), width, at(evidence, np.float32),
            at(weight, np.float64), at(scale, np.float64), at(sums, np.float64), at(belief, np.float32),
        )
    )  # fmt: skip
