"""The compiled loops: arrays in, arrays out, and nothing of the rest of Dragoman.

Each function checks shapes and types here, then hands pointers to the C library, which knows no Python and runs
without the GIL. What the loops compute is defined in plain Python elsewhere (`identifiers.url`,
`dragoman.identifiers`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import (
    COUNT,
    POINTER,
    SMALL,
    UNSIGNED,
    UNSIGNED_SMALL,
    Bytes,
    Offsets,
    at,
    library,
    rows_of,
)

__all__ = [
    "KINDS",
    "choose",
    "custom_counts",
    "custom_scores",
    "find",
    "fold",
    "keys",
    "linear_scores",
    "new_slots",
    "number",
]

Keys = NDArray[np.uint64]

#: What a row turned out to be; the position is the number that the kernels write.
KINDS = ("web", "empty", "other scheme", "not a URL")

#: The most keys that a byte can give, KEYS_PER_BYTE of native.h; memory that is never touched costs nothing.
_KEYS_PER_BYTE = 2

_library = library(
    {
        "dragoman_choose": (SMALL, [SMALL]),
        "dragoman_fold": (UNSIGNED_SMALL, [UNSIGNED_SMALL]),
        "dragoman_keys": (COUNT, [POINTER, POINTER, COUNT, SMALL, POINTER, POINTER, POINTER]),
        "dragoman_number": (COUNT, [POINTER, COUNT, POINTER, UNSIGNED, POINTER, POINTER]),
        "dragoman_find": (None, [POINTER, COUNT, POINTER, UNSIGNED, POINTER]),
        "dragoman_linear": (
            SMALL,
            [POINTER, POINTER, COUNT, SMALL, SMALL, POINTER, UNSIGNED, POINTER, SMALL, POINTER, POINTER, POINTER],
        ),
        "dragoman_custom_linear": (
            SMALL,
            [
                POINTER,
                POINTER,
                COUNT,
                POINTER,
                UNSIGNED,
                SMALL,
                POINTER,
                SMALL,
                SMALL,
                POINTER,
                POINTER,
                SMALL,
                POINTER,
                POINTER,
            ],
        ),
        "dragoman_custom": (SMALL, [POINTER, POINTER, COUNT, POINTER, UNSIGNED, SMALL, POINTER, POINTER]),
    }
)


def _mask(slots: Keys) -> int:
    capacity = len(slots) // 2
    if capacity < 1 or capacity & (capacity - 1) or len(slots) % 2:
        raise ValueError("a table of keys has a power of two of slots")
    return capacity - 1


def fold(point: int) -> int:
    """The lower case of a letter's code point, or 0 for what is no letter."""
    return int(_library.dragoman_fold(point))


def choose(plain: bool) -> bool:
    """Use the plain loops, or again the best that the processor has; True if those in use are not the plain ones."""
    return bool(_library.dragoman_choose(int(plain)))


def keys(data: Bytes, offsets: Offsets, features: int) -> tuple[Offsets, Keys, Bytes]:
    """(indptr, keys, kinds): the feature keys of every row, and what each row is."""
    rows = rows_of(data, offsets)
    row_keys = np.empty(_KEYS_PER_BYTE * int(offsets[-1] - offsets[0]) if rows else 0, np.uint64)
    indptr = np.zeros(rows + 1, np.int64)
    kinds = np.empty(rows, np.uint8)
    n = _library.dragoman_keys(
        at(data, np.uint8), at(offsets, np.int64), rows, features,
        at(indptr, np.int64), at(row_keys, np.uint64), at(kinds, np.uint8),
    )  # fmt: skip
    if n < 0:
        raise MemoryError("no memory for the longest URL of the batch")
    return indptr, row_keys[:n].copy(), kinds


def new_slots(size: int) -> Keys:
    """A free table that holds `size` keys and stays at most half full."""
    capacity = 1 << max(4, (2 * size).bit_length())
    return np.zeros(2 * capacity, np.uint64)


def number(keys: Keys, slots: Keys, used: int) -> tuple[NDArray[np.int32], Keys, int]:
    """(numbers, slots, used): each key's number in order of first appearance; the table grows as needed."""
    numbers = np.empty(len(keys), np.int32)
    size = np.array([used], np.int64)
    done = 0
    while True:
        part = keys[done:]
        done += _library.dragoman_number(
            at(part, np.uint64), len(part), at(slots, np.uint64), _mask(slots),
            at(size, np.int64), at(numbers[done:], np.int32),
        )  # fmt: skip
        if done == len(keys):
            return numbers, slots, int(size[0])
        pairs = slots.reshape(-1, 2)
        pairs = pairs[pairs[:, 0] != 0]
        old = np.ascontiguousarray(pairs[np.argsort(pairs[:, 1]), 0])
        slots = np.zeros(4 * len(slots), np.uint64)
        again = np.empty(len(old), np.int32)
        size[0] = 0
        _library.dragoman_number(
            at(old, np.uint64),
            len(old),
            at(slots, np.uint64),
            _mask(slots),
            at(size, np.int64),
            at(again, np.int32),
        )


def find(keys: Keys, slots: Keys) -> NDArray[np.int64]:
    """The value that the table holds for each key, or -1."""
    values = np.empty(len(keys), np.int64)
    _library.dragoman_find(at(keys, np.uint64), len(keys), at(slots, np.uint64), _mask(slots), at(values, np.int64))
    return values


def linear_scores(
    data: Bytes,
    offsets: Offsets,
    features: int,
    scaling: int,
    slots: Keys,
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
) -> tuple[NDArray[np.float32], Bytes]:
    """(scores, kinds): from bytes to one score per row and language in one pass; NaN for what is no web address."""
    rows, width = rows_of(data, offsets), len(bias)
    if weights.ndim != 2 or weights.shape[1] != width:
        raise ValueError("weights need one column per language")
    scores = np.empty((rows, width), np.float32)
    kinds = np.empty(rows, np.uint8)
    failed = _library.dragoman_linear(
        at(data, np.uint8), at(offsets, np.int64), rows, features, scaling, at(slots, np.uint64), _mask(slots),
        at(weights, np.float32), width, at(bias, np.float32), at(scores, np.float32), at(kinds, np.uint8),
    )  # fmt: skip
    if failed:
        raise MemoryError("no memory for the longest URL of the batch, or more than 1,024 languages")
    return scores, kinds


def custom_counts(data: Bytes, offsets: Offsets, slots: Keys, width: int) -> tuple[NDArray[np.float32], Bytes]:
    """(counts, kinds): the 13 * width + 9 custom-made features of every row."""
    rows = rows_of(data, offsets)
    if not 0 <= width <= 16:
        raise ValueError(f"four bits per language must fit 64, so there are at most 16 languages, not {width}")
    counts = np.empty((rows, 13 * width + 9), np.float32)
    kinds = np.empty(rows, np.uint8)
    failed = _library.dragoman_custom(
        at(data, np.uint8), at(offsets, np.int64), rows, at(slots, np.uint64), _mask(slots), width,
        at(counts, np.float32), at(kinds, np.uint8),
    )  # fmt: skip
    if failed:
        raise MemoryError("no memory for the longest URL of the batch")
    return counts, kinds


def custom_scores(
    data: Bytes,
    offsets: Offsets,
    slots: Keys,
    width: int,
    columns: NDArray[np.int64],
    scaling: int,
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
) -> NDArray[np.float32]:
    """One score per row and language from chosen custom-made features; NaN for what is no web address."""
    rows = rows_of(data, offsets)
    outside = len(columns) and (columns.min() < 0 or columns.max() >= 13 * width + 9)
    if weights.shape != (len(columns), len(bias)) or outside:
        raise ValueError("weights need one row per chosen column and one column per language")
    scores = np.empty((rows, len(bias)), np.float32)
    kinds = np.empty(rows, np.uint8)
    failed = _library.dragoman_custom_linear(
        at(data, np.uint8), at(offsets, np.int64), rows, at(slots, np.uint64), _mask(slots), width,
        at(columns, np.int64), len(columns), scaling, at(weights, np.float32), at(bias, np.float32), len(bias),
        at(scores, np.float32), at(kinds, np.uint8),
    )  # fmt: skip
    if failed:
        raise MemoryError("no memory for the longest URL of the batch, or more than 16 languages")
    return scores
