"""Counted n-grams of text and the scores made from them, compiled; the plain versions are in identifiers.text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, UNSIGNED, Bytes, Offsets, at, library, rows_of

__all__ = ["EDGES", "LONGEST", "cosines", "count", "rank_scores"]

#: How the ends of a text meet, in the order of the enumeration in counting.c.
EDGES = ("wrap", "space", "words")
#: The longest n-grams.
LONGEST = 8
_WIDTH_LIMIT = 4096

Keys = NDArray[np.uint64]

_ROWS = [POINTER, POINTER, COUNT, SMALL, SMALL, SMALL]
_library = library(
    {
        "dragoman_count": (SMALL, [*_ROWS, POINTER, POINTER, POINTER]),
        "dragoman_rank_order": (
            SMALL,
            [*_ROWS, POINTER, UNSIGNED, POINTER, SMALL, COUNT, SMALL, SMALL, SMALL, POINTER],
        ),
        "dragoman_cosine": (SMALL, [*_ROWS, POINTER, UNSIGNED, POINTER, SMALL, SMALL, POINTER]),
    }
)


def _sizes(shortest: int, longest: int, edges: str) -> tuple[int, int, int]:
    if not 1 <= shortest <= longest <= LONGEST:
        raise ValueError(f"n-grams have 1 to {LONGEST} characters, not {shortest} to {longest}")
    return shortest, longest, EDGES.index(edges)


def _table(slots: Keys, values: NDArray[np.generic]) -> int:
    """The mask of a table, after a check that it fits and that no value leads outside `values`."""
    capacity = len(slots) // 2
    if capacity < 2 or capacity & (capacity - 1) or len(slots) % 2 or not 1 <= values.shape[1] <= _WIDTH_LIMIT:
        raise ValueError(f"a table has a power of two of slots, and values for 1 to {_WIDTH_LIMIT} languages")
    keys, numbers = slots[0::2], slots[1::2]
    if np.any(numbers[keys != 0] >= len(values)) or np.all(keys != 0):
        raise ValueError("a table has a free slot, and no number that leads outside")
    return capacity - 1


def count(
    data: Bytes, offsets: Offsets, shortest: int, longest: int, edges: str
) -> tuple[Offsets, Keys, NDArray[np.int64]]:
    """(indptr, keys, counts): the different n-grams of every row and how often each is there.

    They are in the order of their first appearance, shorter ones first.
    """
    rows = rows_of(data, offsets)
    indptr = np.zeros(rows + 1, np.int64)
    keys, counts = np.empty(0, np.uint64), np.empty(0, np.int64)
    sizes = _sizes(shortest, longest, edges)
    for write in (False, True):  # the first pass finds how much room is needed
        failed = _library.dragoman_count(
            at(data, np.uint8), at(offsets, np.int64), rows, *sizes, at(indptr, np.int64),
            at(keys, np.uint64) if write else None, at(counts, np.int64) if write else None,
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the n-grams of a text")
        if not write:
            keys, counts = np.empty(int(indptr[-1]), np.uint64), np.empty(int(indptr[-1]), np.int64)
    return indptr, keys, counts


def rank_scores(
    data: Bytes,
    offsets: Offsets,
    sizes: tuple[int, int, str],
    slots: Keys,
    ranks: NDArray[np.int32],
    common: int,
    *,
    shared: bool,
    placed: bool,
    far: bool,
) -> NDArray[np.float32]:
    """Minus the scaled rank distance of every row to every language; NaN where a row has no n-gram."""
    rows = rows_of(data, offsets)
    scores = np.empty((rows, ranks.shape[1]), np.float32)
    failed = _library.dragoman_rank_order(
        at(data, np.uint8), at(offsets, np.int64), rows, *_sizes(*sizes), at(slots, np.uint64), _table(slots, ranks),
        at(ranks, np.int32), ranks.shape[1], common, shared, placed, far, at(scores, np.float32),
    )  # fmt: skip
    if failed:
        raise MemoryError("no memory for the n-grams of a text")
    return scores


def cosines(
    data: Bytes,
    offsets: Offsets,
    sizes: tuple[int, int, str],
    slots: Keys,
    weights: NDArray[np.float32],
    *,
    root: bool,
) -> NDArray[np.float32]:
    """The cosine of every row with every language; NaN where a row has none of the features."""
    rows = rows_of(data, offsets)
    scores = np.empty((rows, weights.shape[1]), np.float32)
    failed = _library.dragoman_cosine(
        at(data, np.uint8), at(offsets, np.int64), rows, *_sizes(*sizes), at(slots, np.uint64), _table(slots, weights),
        at(weights, np.float32), weights.shape[1], root, at(scores, np.float32),
    )  # fmt: skip
    if failed:
        raise MemoryError("no memory for the n-grams of a text")
    return scores
