"""The production model's tables, in bytes: checked once, then read by one loop from URLs to answers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import at, library
from dragoman.kernels.scoring import SIGNATURE, ScoringTable

#: Languages that have a weight in every row of a compact table.
COMMON = 64

_library = library({"dragoman_compact": SIGNATURE})


class _TableFields(ctypes.Structure):
    """The fields of `table` in compact.c."""

    _fields_ = (
        ("bits", ctypes.c_int32),
        ("wide", ctypes.c_uint32),
        *((name, ctypes.c_void_p) for name in ("index", "common", "rare")),
    )


class _CompactFields(ctypes.Structure):
    """The fields of `compact` in compact.c."""

    _fields_ = (
        ("tables", _TableFields * 3),
        *((name, ctypes.c_int32) for name in ("width", "rest")),
        *((name, ctypes.c_float) for name in ("step", "sharpness", "slope")),
        *((name, ctypes.c_void_p) for name in ("bias", "order")),
    )


@dataclass(frozen=True, eq=False)
class CompactTable:
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
class Compact(ScoringTable):
    """The tables of a production model, checked once, so that no number leads outside.

    `grams` has a row of COMMON columns for every bucket of n-grams, `words` and `codes` have tables. `order` gives the
    number of each column's language.
    """

    grams: NDArray[np.int8]
    words: CompactTable
    codes: CompactTable
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

    @property
    def _loop(self) -> Callable[..., int]:
        loop: Callable[..., int] = _library.dragoman_compact
        return loop

    def _handed_over(self, sharpness: float = 1.0, slope: float = 0.0) -> Any:
        """The tables as the kernel takes them; kept, because collecting them costs more than judging one URL."""
        known = _handed_over.get(self)
        if known is None or known[:2] != (sharpness, slope):
            known = _handed_over[self] = (sharpness, slope, self._collected(sharpness, slope))
        return known[2]

    def _collected(self, sharpness: float, slope: float) -> Any:
        tables = [_TableFields(len(self.grams).bit_length() - 1, 0, None, at(self.grams, np.int8), None)]
        tables += [
            _TableFields(
                len(table.index).bit_length() - 1, len(table.rare) - 1,
                at(table.index, np.uint32), at(table.common, np.int8), at(table.rare, np.int8),
            )
            for table in (self.words, self.codes)
        ]  # fmt: skip
        return ctypes.byref(
            _CompactFields(
                (_TableFields * 3)(*tables), len(self.bias), self.words.rare.shape[1], self.step, sharpness, slope,
                at(self.bias, np.float32), at(self.order, np.int32),
            )
        )  # fmt: skip
