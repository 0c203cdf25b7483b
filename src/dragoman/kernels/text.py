"""The compiled loops of the text model: features and scores.

What they compute is defined in dragoman.identifiers.text.grams and dragoman.identifiers.text.algorithms.text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, Bytes, Offsets, at, library, rows_of
from dragoman.kernels.scoring import SIGNATURE, ScoringTable

#: Features of a text per byte, at most: GRAMS_PER_LETTER of text.h.
PER_BYTE = 5
#: Languages that a model can have: their columns are bytes.
MOST_LANGUAGES = 256
#: Rows with a weight for every language that there can be.
MOST_ROWS = 1 << 16
#: Pairs of close languages that a model can have.
MOST_PAIRS = 8

_library = library(
    {
        "dragoman_text_buckets": (COUNT, [POINTER, POINTER, COUNT, SMALL, POINTER, POINTER]),
        "dragoman_text": SIGNATURE,
    }
)


def text_buckets(data: Bytes, offsets: Offsets, bits: int) -> tuple[Offsets, NDArray[np.uint32]]:
    """(indptr, buckets): the features of every text, as numbers of `bits` bits."""
    rows = rows_of(data, offsets)
    if not 1 <= bits <= 32:
        raise ValueError(f"a bucket has 1 to 32 bits, not {bits}")
    most = PER_BYTE * int(offsets[-1] - offsets[0]) if rows else 0
    found, indptr = np.empty(most, np.uint32), np.zeros(rows + 1, np.int64)
    n = _library.dragoman_text_buckets(
        at(data, np.uint8), at(offsets, np.int64), rows, bits, at(indptr, np.int64), at(found, np.uint32)
    )
    if n < 0:
        raise MemoryError("no memory for the features of a text")
    return indptr, found[:n].copy()


class _ClosePair(ctypes.Structure):
    """The fields of `close_pair` in text.c."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("first", "second", "bits")),
        *((name, ctypes.c_float) for name in ("keep", "step")),
        *((name, ctypes.c_void_p) for name in ("prints", "weights")),
    )


class _TextModel(ctypes.Structure):
    """The fields of `text_model` in text.c."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("bits", "width", "stride")),
        ("rows", ctypes.c_uint32),
        *((name, ctypes.c_float) for name in ("step", "sharpness", "slope")),
        *((name, ctypes.c_void_p) for name in ("index", "dense", "sparse", "floor", "bias", "pairs")),
        ("pair_count", ctypes.c_int32),
    )


@dataclass(frozen=True, eq=False)
class ClosePair:
    """Words that tell two close languages apart: columns `first` and `second`, weights above 0 for the first.

    The first bits of a word's hash (text.grams) are its place; the 16 bits behind them must be the print that
    is kept there.
    """

    first: int
    second: int
    prints: NDArray[np.uint16]
    weights: NDArray[np.int8]
    keep: float
    step: float

    @property
    def bits(self) -> int:
        """Bits of a place."""
        return len(self.prints).bit_length() - 1

    def fits(self, width: int) -> bool:
        """True if no number leads outside."""
        size = len(self.prints)
        return (
            2 <= size <= 1 << 24
            and not size & (size - 1)
            and self.prints.shape == self.weights.shape == (size,)
            and 0 <= self.first < width
            and 0 <= self.second < width
            and self.first != self.second
        )

    def weight(self, key: int) -> int:
        """What the word with this hash says, in steps; 0 if it is not known."""
        place, mark = key >> (64 - self.bits), key >> (48 - self.bits) & 0xFFFF
        return int(self.weights[place]) if self.prints[place] == mark else 0

    def settled(self, first: np.float32, second: np.float32, words: int, n: int) -> tuple[np.float32, np.float32]:
        """The scores of both languages once the words have had their say, n being the number of features that count."""
        most = max(first, second)
        said = np.float32(words) * (np.float32(self.step) / np.sqrt(np.float32(n)))
        apart = (first - second) * np.float32(self.keep) + said
        return (most + apart, most) if apart < 0 else (most, most - apart)

    def _handed_over(self) -> _ClosePair:
        return _ClosePair(
            self.first, self.second, self.bits, self.keep, self.step, at(self.prints, np.uint16),
            at(self.weights, np.int8),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class TextTable(ScoringTable):
    """The weights of a text model, checked once, so that no number leads outside.

    A feature's bucket leads by `index` to 0 (not known), to a row of `dense` (a weight for every language), or, from
    len(dense) on, to a record in `sparse`: a count, then so many pairs of column and weight, all other languages having
    0. To each known feature `floor` is added. `starts` are the places of the records, in order.
    """

    index: NDArray[np.uint32]
    dense: NDArray[np.int8]
    sparse: NDArray[np.uint8]
    starts: NDArray[np.int64]
    floor: NDArray[np.int32]
    bias: NDArray[np.float32]
    step: float
    pairs: tuple[ClosePair, ...] = ()

    def __post_init__(self) -> None:
        buckets, (rows, stride), width = len(self.index), self.dense.shape, len(self.bias)
        counts = self.sparse[self.starts].astype(np.int64) if len(self.starts) else np.empty(0, np.int64)
        ends = self.starts + 1 + 2 * counts
        pairs = np.ones(len(self.sparse), bool)
        pairs[self.starts] = False
        columns = self.sparse[pairs].reshape(-1, 2)[:, 0] if len(self.starts) else np.empty(0, np.uint8)
        places = self.index[self.index >= rows].astype(np.int64) - rows
        if (
            buckets < 2
            or buckets & (buckets - 1)
            or stride % 32
            or not 0 < width <= stride <= MOST_LANGUAGES
            or len(self.floor) != width
            or not 0 < rows <= MOST_ROWS
            or not np.array_equal(self.starts, np.concatenate([np.zeros(1, np.int64), ends])[: len(self.starts)])
            or (int(ends[-1]) if len(ends) else 0) != len(self.sparse)
            or (len(columns) and int(columns.max()) >= width)
            or not np.array_equal(np.sort(places), self.starts)
            or len(self.pairs) > MOST_PAIRS
            or not all(pair.fits(width) for pair in self.pairs)
        ):
            raise ValueError("the tables of a text model do not fit each other")

    @property
    def bits(self) -> int:
        """Bits of a bucket's number."""
        return len(self.index).bit_length() - 1

    def row(self, bucket: int) -> NDArray[np.int64] | None:
        """The weights of a feature in steps, for every language; None if it is not known."""
        place, width = int(self.index[bucket]), len(self.bias)
        if not place:
            return None
        whole = self.floor.astype(np.int64)
        if place < len(self.dense):
            return whole + self.dense[place, :width]
        first = place - len(self.dense)
        record = self.sparse[first + 1 : first + 1 + 2 * int(self.sparse[first])].reshape(-1, 2)
        whole[record[:, 0]] += record[:, 1]
        return whole

    @property
    def _loop(self) -> Callable[..., int]:
        loop: Callable[..., int] = _library.dragoman_text
        return loop

    def _handed_over(self, sharpness: float = 1.0, slope: float = 0.0) -> Any:
        return ctypes.byref(
            _TextModel(
                self.bits, len(self.bias), self.dense.shape[1], len(self.dense), self.step, sharpness, slope,
                at(self.index, np.uint32), at(self.dense, np.int8), at(self.sparse, np.uint8),
                at(self.floor, np.int32), at(self.bias, np.float32), ctypes.addressof(self._pairs), len(self.pairs),
            )
        )  # fmt: skip

    @cached_property
    def _pairs(self) -> Any:
        return (_ClosePair * max(1, len(self.pairs)))(*(pair._handed_over() for pair in self.pairs))

    def checked(self, chosen: NDArray[np.int32] | None) -> NDArray[np.int32]:
        """The chosen columns, or all."""
        columns = np.arange(len(self.bias), dtype=np.int32) if chosen is None else chosen
        super().checked(columns)
        return columns
