"""The loops that train a text model: counting the features of what is drawn, and one pass of descent over it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import DOUBLE, POINTER, SMALL, Bytes, Offsets, library, rows_of, structure
from dragoman.kernels.text import DIMENSIONS, LENGTHS, MOST_CLASSES, MOST_SCRIPTS, SCRIPT_POINTS
from dragoman.kernels.word_list import WordList

_library = library(
    {
        "dragoman_text_count": (SMALL, [POINTER, POINTER]),
        "dragoman_text_descend": (DOUBLE, [POINTER, POINTER]),
    }
)
_Drawing = structure(
    "TextDrawing",
    data=np.uint8,
    offsets=np.int64,
    labels=np.int32,
    order=np.int32,
    cuts=np.uint8,
    draws=ctypes.c_int64,
    scripts=np.uint8,
    class_script=np.int32,
    bits=ctypes.c_int32,
    seed=ctypes.c_uint64,
)
_Learning = structure(
    "TextLearning",
    classes=ctypes.c_int32,
    index=np.uint32,
    rows=np.float32,
    weights=np.float32,
    bias=np.float32,
    first=np.int32,
    keys=np.uint32,
    bucket=np.uint32,
    entries=np.uint32,
    listed_classes=np.uint16,
    said=np.float32,
    start=ctypes.c_float,
    end=ctypes.c_float,
    faster=ctypes.c_float,
    unheard=ctypes.c_float,
)


@dataclass(frozen=True, eq=False)
class TextDrawing:
    """Texts and their classes, the rows to read in their order, and how much of each: 0 all of it, 1 a word, 2 two
    words, 3 three to six words next to each other."""

    data: Bytes
    offsets: Offsets
    labels: NDArray[np.int32]
    order: NDArray[np.int32]
    cuts: NDArray[np.uint8]
    scripts: NDArray[np.uint8]
    class_script: NDArray[np.int32]
    bits: int
    seed: int

    def __post_init__(self) -> None:
        rows, classes = rows_of(self.data, self.offsets), len(self.class_script)
        numbers: list[tuple[NDArray[Any], int]] = [
            (self.labels, classes),
            (self.order, rows),
            (self.class_script, MOST_SCRIPTS),
            (self.cuts, 4),
        ]
        if (
            len(self.labels) != rows
            or len(self.cuts) != len(self.order)
            or not 1 <= self.bits <= 30
            or self.scripts.shape != (SCRIPT_POINTS,)
            or any(len(column) and (int(column.min()) < 0 or int(column.max()) >= end) for column, end in numbers)
        ):
            raise ValueError("texts, labels and the order of the draws do not fit each other")

    def _handed_over(self, draws: int | None = None) -> Any:
        return ctypes.byref(
            _Drawing(
                data=self.data,
                offsets=self.offsets,
                labels=self.labels,
                order=self.order,
                cuts=self.cuts,
                draws=len(self.order) if draws is None else min(draws, len(self.order)),
                scripts=self.scripts,
                class_script=self.class_script,
                bits=self.bits,
                seed=self.seed,
            )
        )

    def counted(self, draws: int) -> NDArray[np.uint32]:
        """How often each bucket is met in the first draws."""
        counts = np.zeros(1 << self.bits, np.uint32)
        if _library.dragoman_text_count(self._handed_over(draws), counts.ctypes.data):
            raise MemoryError("no memory for the features of a text")
        return counts

    def descend(
        self,
        index: NDArray[np.uint32],
        rows: NDArray[np.float32],
        weights: NDArray[np.float32],
        bias: NDArray[np.float32],
        first: NDArray[np.int32],
        words: WordList,
        word_weights: NDArray[np.float32],
        rates: tuple[float, float, float, float],
    ) -> float:
        """One pass over all draws, which changes rows, weights, bias and what words say; the mean log loss.

        `rates`: that at the beginning and at the end, how many times faster what words say changes, and the share of
        draws in which they are not heard.
        """
        classes = len(self.class_script)
        if (
            classes > MOST_CLASSES
            or index.shape != (1 << self.bits,)
            or int(index.max()) >= len(rows)
            or rows.shape[1:] != (DIMENSIONS,)
            or weights.shape != (classes, DIMENSIONS)
            or bias.shape != (LENGTHS, classes)
            or first.shape != (MOST_SCRIPTS + 1,)
            or word_weights.shape != words.classes.shape
            or (len(word_weights) and int(words.classes.max()) >= classes)
        ):
            raise ValueError("what learns does not fit the texts")
        model = _Learning(
            classes=classes,
            index=index,
            rows=rows,
            weights=weights,
            bias=bias,
            first=first,
            **words.fields,
            said=word_weights,
            start=rates[0],
            end=rates[1],
            faster=rates[2],
            unheard=rates[3],
        )
        loss = _library.dragoman_text_descend(self._handed_over(), ctypes.byref(model))
        if loss < 0:
            raise MemoryError("no memory to train in")
        return float(loss)
