"""What the tables of the two models that ship share: one pass from rows to scores, or to the likeliest column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, Bytes, Offsets, at, rows_of

#: What a loop over rows takes: rows, tables, chosen columns, then where to write scores or answers.
SIGNATURE = (SMALL, [POINTER, POINTER, COUNT, POINTER, POINTER, SMALL, *([POINTER] * 4)])


class ScoringTable(ABC):
    """The weights of a model, a bias for each column, and the compiled loop that reads them."""

    bias: NDArray[np.float32]

    @property
    @abstractmethod
    def _loop(self) -> Callable[..., int]:
        """The compiled loop, of SIGNATURE."""

    @abstractmethod
    def _handed_over(self, sharpness: float = 1.0, slope: float = 0.0) -> Any:
        """The tables as the loop takes them."""

    def scores(self, data: Bytes, offsets: Offsets) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """(scores by column, number of features) of every row; NaN where nothing is known about it."""
        rows = rows_of(data, offsets)
        scores, features = np.empty((rows, len(self.bias)), np.float32), np.zeros(rows, np.int32)
        written = at(scores, np.float32), at(features, np.int32), None, None
        self._run(data, offsets, self._handed_over(), None, written)
        return scores, features

    def best(
        self, data: Bytes, offsets: Offsets, sharpness: float, slope: float, chosen: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(column, probability) of every row in one pass: -1 and NaN where nothing is known about the row.

        1 / temperature is sharpness + slope / sqrt(n), n being the number of features. With `chosen` columns, the
        choice is among them, and the answer is the place in `chosen`. One chosen column is a question: is it this one,
        among all? The answer is 0 where it is the likeliest, else 1, beside its probability among all columns.
        """
        rows = rows_of(data, offsets)
        best, probability = np.empty(rows, np.int32), np.empty(rows, np.float32)
        written = None, None, at(best, np.int32), at(probability, np.float32)
        self._run(data, offsets, self._handed_over(sharpness, slope), self.checked(chosen), written)
        return best, probability

    def _run(
        self, data: Bytes, offsets: Offsets, tables: Any, columns: NDArray[np.int32] | None, written: tuple[Any, ...]
    ) -> None:
        chosen = (None, 0) if columns is None else (at(columns, np.int32), len(columns))
        if self._loop(at(data, np.uint8), at(offsets, np.int64), len(offsets) - 1, tables, *chosen, *written):
            raise MemoryError("no memory for the longest row of the batch")

    def checked(self, chosen: NDArray[np.int32] | None) -> NDArray[np.int32] | None:
        """The chosen columns (None: all); ValueError where there are none, or one that is not there."""
        if chosen is not None and (not len(chosen) or chosen.min() < 0 or chosen.max() >= len(self.bias)):
            raise ValueError("a chosen column is not there")
        return chosen
