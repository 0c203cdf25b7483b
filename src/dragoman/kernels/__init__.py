"""The compiled loops: arrays in, arrays out, and nothing of the rest of Dragoman.

Each function checks shapes and types here, then hands pointers to the C library, which knows no Python and runs
without the GIL. What the loops compute is defined in plain Python elsewhere (`identifiers.url`,
`dragoman.identifiers`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import (
    COUNT,
    DOUBLE,
    POINTER,
    SINGLE,
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
    "COMMON",
    "KINDS",
    "Compact",
    "Table",
    "aligned",
    "choose",
    "custom_counts",
    "custom_scores",
    "descend",
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
_KEYS_PER_BYTE = 4

#: Languages that have a weight in every row of a compact table.
COMMON = 64

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
        "dragoman_compact": (SMALL, [POINTER, POINTER, COUNT, POINTER, POINTER, SMALL, *([POINTER] * 4)]),
        "dragoman_descend": (
            DOUBLE,
            [
                *([POINTER] * 4),
                COUNT,
                *([POINTER] * 2),
                SMALL,
                *([POINTER] * 2),
                *([SINGLE] * 2),
                *([POINTER] * 3),
                UNSIGNED,
            ],
        ),
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
    found = np.empty(_KEYS_PER_BYTE * int(offsets[-1] - offsets[0]) if rows else 0, np.uint64)
    indptr = np.zeros(rows + 1, np.int64)
    kinds = np.empty(rows, np.uint8)
    n = _library.dragoman_keys(
        at(data, np.uint8), at(offsets, np.int64), rows, features,
        at(indptr, np.int64), at(found, np.uint64), at(kinds, np.uint8),
    )  # fmt: skip
    if n < 0:
        raise MemoryError("no memory for the longest URL of the batch")
    return indptr, found[:n].copy(), kinds


def new_slots(size: int) -> Keys:
    """A free table that holds `size` keys and stays at most half full."""
    capacity = 1 << max(4, (2 * size).bit_length())
    return np.zeros(2 * capacity, np.uint64)


def number(found: Keys, slots: Keys, used: int) -> tuple[NDArray[np.int32], Keys, int]:
    """(numbers, slots, used): each key's number in order of first appearance; the table grows as needed."""
    numbers = np.empty(len(found), np.int32)
    size = np.array([used], np.int64)
    done = 0
    while True:
        part = found[done:]
        done += _library.dragoman_number(
            at(part, np.uint64), len(part), at(slots, np.uint64), _mask(slots),
            at(size, np.int64), at(numbers[done:], np.int32),
        )  # fmt: skip
        if done == len(found):
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


def find(found: Keys, slots: Keys) -> NDArray[np.int64]:
    """The value that the table holds for each key, or -1."""
    values = np.empty(len(found), np.int64)
    _library.dragoman_find(at(found, np.uint64), len(found), at(slots, np.uint64), _mask(slots), at(values, np.int64))
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


def descend(
    indptr: Offsets,
    found: Keys,
    labels: NDArray[np.int32],
    importance: NDArray[np.float32],
    order: NDArray[np.int64],
    bits: Sequence[int],
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    rate: tuple[float, float],
    dropout: NDArray[np.float32],
    rates: NDArray[np.float32],
    seed: int,
    kept: Bytes | None = None,
) -> float:
    """One pass of stochastic gradient descent over the rows in `order`; changes weights and bias; the mean log loss.

    `dropout` and `rates` have a value for each of the 16 kinds that a key can have.
    """
    width = len(bias)
    if len(dropout) != 16 or len(rates) != 16 or (kept is not None and len(kept) != len(weights)):
        raise ValueError("there are 16 kinds of keys, and a mark for each bucket")
    if weights.shape != (sum(1 << one for one in bits), width) or width > 1024:
        raise ValueError("weights need a row per bucket and a column per language")
    loss = _library.dragoman_descend(
        at(indptr, np.int64), at(found, np.uint64), at(labels, np.int32), at(importance, np.float32),
        len(order), at(order, np.int64), at(np.array(bits, np.int32), np.int32), width, at(weights, np.float32),
        at(bias, np.float32), rate[0], rate[1], at(dropout, np.float32), at(rates, np.float32),
        None if kept is None else at(kept, np.uint8), seed,
    )  # fmt: skip
    return float(loss)


def aligned(shape: tuple[int, int]) -> NDArray[np.int8]:
    """Zeros that begin with a line of the cache, so that a row of 64 is one line."""
    size = shape[0] * shape[1]
    room = np.zeros(size + 64, np.int8)
    start = -room.ctypes.data % 64
    return room[start : start + size].reshape(shape)


class _Table(ctypes.Structure):
    """The fields of `table` in compact.c."""

    _fields_ = (
        ("bits", ctypes.c_int32),
        ("wide", ctypes.c_uint32),
        *((name, ctypes.c_void_p) for name in ("index", "common", "rare")),
    )


class _Compact(ctypes.Structure):
    """The fields of `compact` in compact.c."""

    _fields_ = (
        ("tables", _Table * 3),
        *((name, ctypes.c_int32) for name in ("width", "rest")),
        *((name, ctypes.c_float) for name in ("step", "sharpness", "slope")),
        *((name, ctypes.c_void_p) for name in ("bias", "order")),
    )


@dataclass(frozen=True, eq=False)
class Table:
    """Weights of words or codes as bytes. `index` has the row of each bucket, 0 where it is not kept.

    `common` has COMMON columns for every row, `rare` the columns beyond for the rows that have them: the first. Row 0
    is all zeros.
    """

    index: NDArray[np.uint32]
    common: NDArray[np.int8]
    rare: NDArray[np.int8]

    def fits(self, rest: int) -> bool:
        """True if no number in the table leads outside it."""
        size = len(self.index)
        return (
            self.index.dtype == np.uint32
            and size > 1
            and size & (size - 1) == 0
            and self.common.shape[1:] == (COMMON,)
            and self.rare.shape[1:] == (rest,)
            and int(self.index.max()) < len(self.common)
            and 0 < len(self.rare) <= len(self.common)
        )

    def row(self, number: int, width: int) -> NDArray[np.int64]:
        """A row's weights by column."""
        whole = np.zeros(COMMON + self.rare.shape[1], np.int64)
        whole[:COMMON] = self.common[number]
        if number < len(self.rare):
            whole[COMMON:] = self.rare[number]
        return whole[:width]


#: What was last handed over for each model: (sharpness, slope, tables).
_handed_over: WeakKeyDictionary[Compact, tuple[float, float, Any]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Compact:
    """The tables of a production model, checked once, so that no number leads outside.

    `grams` has a row of COMMON columns for every bucket of n-grams, `words` and `codes` have tables. `order` gives the
    number of each column's language.
    """

    grams: NDArray[np.int8]
    words: Table
    codes: Table
    bias: NDArray[np.float32]
    order: NDArray[np.int32]
    step: float

    def __post_init__(self) -> None:
        width, rest, buckets = len(self.bias), self.words.rare.shape[-1], len(self.grams)
        if (
            not (self.words.fits(rest) and self.codes.fits(rest))
            or self.grams.shape[1:] != (COMMON,)
            or buckets < 2
            or buckets & (buckets - 1)
            or rest % 32
            or not width <= COMMON + rest <= 1024
            or not np.array_equal(np.sort(self.order), np.arange(width))
        ):
            raise ValueError("the tables of a compact model do not fit each other")

    def _handed_over(self, sharpness: float = 1.0, slope: float = 0.0) -> Any:
        """The tables as the kernel takes them; kept, because collecting them costs more than judging one URL."""
        known = _handed_over.get(self)
        if known is None or known[:2] != (sharpness, slope):
            known = _handed_over[self] = (sharpness, slope, self._collected(sharpness, slope))
        return known[2]

    def _collected(self, sharpness: float, slope: float) -> Any:
        tables = [_Table(len(self.grams).bit_length() - 1, 0, None, at(self.grams, np.int8), None)]
        tables += [
            _Table(
                len(table.index).bit_length() - 1, len(table.rare) - 1,
                at(table.index, np.uint32), at(table.common, np.int8), at(table.rare, np.int8),
            )
            for table in (self.words, self.codes)
        ]  # fmt: skip
        return ctypes.byref(
            _Compact(
                (_Table * 3)(*tables), len(self.bias), self.words.rare.shape[1], self.step, sharpness, slope,
                at(self.bias, np.float32), at(self.order, np.int32),
            )
        )  # fmt: skip

    def scores(self, data: Bytes, offsets: Offsets) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """(scores by column, number of features) of every row; NaN where nothing is known about it."""
        rows = rows_of(data, offsets)
        scores, features = np.empty((rows, len(self.bias)), np.float32), np.zeros(rows, np.int32)
        failed = _library.dragoman_compact(
            at(data, np.uint8), at(offsets, np.int64), rows, self._handed_over(), None, 0,
            at(scores, np.float32), at(features, np.int32), None, None,
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the longest URL of the batch")
        return scores, features

    def best(
        self, data: Bytes, offsets: Offsets, sharpness: float, slope: float, chosen: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every row in one pass: -1 and NaN where nothing is known about the row.

        1 / temperature is sharpness + slope / sqrt(n), n being the number of features. With `chosen` columns, the
        choice is among them, and the language is the place in `chosen`.
        """
        rows = rows_of(data, offsets)
        best, probability = np.empty(rows, np.int32), np.empty(rows, np.float32)
        if chosen is not None and (not len(chosen) or chosen.min() < 0 or chosen.max() >= len(self.bias)):
            raise ValueError("a chosen column is not there")
        failed = _library.dragoman_compact(
            at(data, np.uint8), at(offsets, np.int64), rows, self._handed_over(sharpness, slope),
            None if chosen is None else at(chosen, np.int32), 0 if chosen is None else len(chosen),
            None, None, at(best, np.int32), at(probability, np.float32),
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the longest URL of the batch")
        return best, probability
