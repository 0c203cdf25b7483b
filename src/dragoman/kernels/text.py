"""The compiled loops of the text model: features, scores, and the weights of every character.

What they compute is defined in dragoman.identifiers.text.grams and dragoman.identifiers.text.algorithms.text.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, Bytes, Offsets, at, library, rows_of

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
        "dragoman_text": (SMALL, [POINTER, POINTER, COUNT, POINTER, POINTER, SMALL, *([POINTER] * 4)]),
        "dragoman_text_emissions": (SMALL, [POINTER, COUNT, POINTER, POINTER, SMALL, POINTER]),
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
class TextTable:
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

    def _columns(self, chosen: NDArray[np.int32] | None) -> NDArray[np.int32]:
        columns = np.arange(len(self.bias), dtype=np.int32) if chosen is None else chosen
        if not len(columns) or columns.min() < 0 or columns.max() >= len(self.bias):
            raise ValueError("a chosen column is not there")
        return columns

    def scores(self, data: Bytes, offsets: Offsets) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """(scores, number of features) of every text; NaN where nothing is known about it."""
        rows = rows_of(data, offsets)
        scores, features = np.empty((rows, len(self.bias)), np.float32), np.zeros(rows, np.int32)
        failed = _library.dragoman_text(
            at(data, np.uint8), at(offsets, np.int64), rows, self._handed_over(), None, 0,
            at(scores, np.float32), at(features, np.int32), None, None,
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the letters of a text")
        return scores, features

    def best(
        self, data: Bytes, offsets: Offsets, sharpness: float, slope: float, chosen: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every text in one pass: -1 and NaN where nothing is known about it.

        1 / temperature is sharpness + slope / sqrt(n), n being the number of features. With `chosen` columns, the
        choice is among them, and the language is the place in `chosen`.
        """
        rows = rows_of(data, offsets)
        best, probability = np.empty(rows, np.int32), np.empty(rows, np.float32)
        columns = self._columns(chosen)
        failed = _library.dragoman_text(
            at(data, np.uint8), at(offsets, np.int64), rows, self._handed_over(sharpness, slope),
            at(columns, np.int32), len(columns), None, None, at(best, np.int32), at(probability, np.float32),
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the letters of a text")
        return best, probability

    def emissions(self, points: NDArray[np.uint32], chosen: NDArray[np.int32] | None = None) -> NDArray[np.int16]:
        """A row for each character: the weights, in steps, of the features that end there, for the chosen columns.

        `points` are code points, one for each character as Python counts them. What is no letter has a row of zeros.
        The rows of a text sum to what its score is made of (text.algorithms.text) where it is short enough to be
        read as a whole, and where no word is longer than 4,096 letters. Cost: characters x 5 x columns.
        """
        columns = self._columns(chosen)
        out = np.empty((len(points), len(columns)), np.int16)
        failed = _library.dragoman_text_emissions(
            at(points, np.uint32), len(points), self._handed_over(), at(columns, np.int32), len(columns),
            at(out, np.int16),
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the letters of a word")
        return out
