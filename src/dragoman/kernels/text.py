"""The compiled loops of the text model: features, scores, and what a text is taken for.

What they compute is defined in dragoman.identifiers.text.grams and dragoman.identifiers.text.algorithms.text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, Bytes, Offsets, at, library, rows_of, structure
from dragoman.kernels.scoring import SIGNATURE, ScoringTable
from dragoman.kernels.strange_letters import StrangeLetters
from dragoman.kernels.word_list import WordList

#: Features of a text per byte, at most: GRAMS_PER_LETTER of text.h.
PER_BYTE = 5
#: Numbers in the vector of a feature, classes of length, scripts and classes: as in text.h.
DIMENSIONS, LENGTHS, MOST_SCRIPTS, MOST_CLASSES = 64, 6, 64, 1024
#: The longest text of each class of length but the last, in letters.
LONGEST = (3, 6, 12, 25, 50)
#: Code points that have a script.
SCRIPT_POINTS = 0x30000
#: The score of a language that is not written in a text's script.
OUTSIDE = -1000.0
#: What a class loses at most for letters that it lacks, and one letter in how many takes all of it.
VETO, ONE_IN = 6.0, 25
#: In Latin texts of so many words and more one of these letters is free: names travel.
FREE_FROM = 4

_library = library(
    {
        "dragoman_text_buckets": (COUNT, [POINTER, POINTER, COUNT, POINTER, SMALL, POINTER, POINTER]),
        "dragoman_text_scripts": (SMALL, [POINTER, POINTER, COUNT, POINTER, POINTER]),
        "dragoman_text_classes": (SMALL, [POINTER, POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_text": SIGNATURE,
    }
)
_Model = structure(
    "TextModel",
    bits=ctypes.c_int32,
    languages=ctypes.c_int32,
    columns=ctypes.c_int32,
    classes=ctypes.c_int32,
    sharpness=ctypes.c_float,
    slope=ctypes.c_float,
    named=ctypes.c_float,
    coded=ctypes.c_float,
    names=ctypes.c_int32,
    codes=ctypes.c_int32,
    scripts=np.uint8,
    index=np.uint32,
    rows=np.int8,
    weights=np.float32,
    bias=np.float32,
    column=np.int32,
    first=np.int32,
    keys=np.uint32,
    bucket=np.uint32,
    entries=np.uint32,
    listed_classes=np.uint16,
    said=np.int8,
    step=ctypes.c_float,
    strange=np.uint16,
    lacking=np.uint8,
)
#: Those of each table, by what they are for (scores, answers): to make one takes longer than to judge a line of text.
_MODELS: WeakKeyDictionary[TextTable, dict[tuple[float, float], Any]] = WeakKeyDictionary()
#: So many of a table are kept.
_MOST_MODELS = 4


def _examined(scripts: NDArray[np.uint8]) -> int:
    if scripts.shape != (SCRIPT_POINTS,):
        raise ValueError("a script for each code point")
    return at(scripts, np.uint8)


def text_buckets(
    data: Bytes, offsets: Offsets, scripts: NDArray[np.uint8], bits: int
) -> tuple[Offsets, NDArray[np.uint32]]:
    """(indptr, buckets): the features of every text, as numbers of `bits` bits."""
    rows = rows_of(data, offsets)
    if not 1 <= bits <= 32:
        raise ValueError(f"a bucket has 1 to 32 bits, not {bits}")
    most = PER_BYTE * int(offsets[-1] - offsets[0]) if rows else 0
    buckets, indptr = np.empty(most, np.uint32), np.zeros(rows + 1, np.int64)
    n = _library.dragoman_text_buckets(
        at(data, np.uint8), at(offsets, np.int64), rows, _examined(scripts), bits, at(indptr, np.int64),
        at(buckets, np.uint32),
    )  # fmt: skip
    if n < 0:
        raise MemoryError("no memory for the features of a text")
    return indptr, buckets[:n].copy()


def text_scripts(data: Bytes, offsets: Offsets, scripts: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The number of the script that each text is written in; -1 where it has no letter of a known one."""
    rows = rows_of(data, offsets)
    written = np.empty(rows, np.int32)
    given = at(data, np.uint8), at(offsets, np.int64), rows, _examined(scripts)
    if _library.dragoman_text_scripts(*given, at(written, np.int32)):
        raise MemoryError("no memory for the letters of a text")
    return written


@dataclass(frozen=True, eq=False)
class TextTable(ScoringTable):
    """The vectors of features and the weights of classes, checked once, so that no number leads outside.

    A feature's bucket leads by `index` to 0 (not known) or to a row of `rows`, of which row 0 is not used. `weights`
    has a number for each dimension and class, `bias_by_length` one for each class of length and class. Classes are in
    the order of their scripts: those of script s are first[s] .. first[s + 1]. `column` says which column of the scores
    each belongs to: the first `languages` columns are languages, those behind them kinds of text in no language.
    """

    index: NDArray[np.uint32]
    rows: NDArray[np.int8]
    weights: NDArray[np.float32]
    bias_by_length: NDArray[np.float32]
    column: NDArray[np.int32]
    first: NDArray[np.int32]
    scripts: NDArray[np.uint8]
    languages: int
    #: Frequent words; what each says about the class of each of its entries, in steps of so much.
    words: WordList
    word_steps: NDArray[np.int8]
    step: float
    #: Letters that classes lack.
    letters: StrangeLetters
    #: The columns of names and of code (-1: there is none), and what is added to them where a short text looks so.
    names: int = -1
    codes: int = -1
    named: float = 0.0
    coded: float = 0.0
    #: A number for each column, as other tables have it; a text's bias depends on its length.
    bias: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        buckets, classes = len(self.index), len(self.column)
        if (
            buckets < 2
            or buckets & (buckets - 1)
            or self.rows.ndim != 2
            or self.rows.shape[1] != DIMENSIONS
            or len(self.rows) < 1
            or int(self.index.max()) >= len(self.rows)
            or not 0 < classes <= MOST_CLASSES
            or self.weights.shape != (DIMENSIONS, classes)
            or self.bias_by_length.shape != (LENGTHS, classes)
            or self.first.shape != (MOST_SCRIPTS + 1,)
            or self.first[0] != 0
            or self.first[-1] != classes
            or np.any(np.diff(self.first) < 0)
            or not 0 < self.languages <= self.columns <= MOST_CLASSES
            or not np.array_equal(np.unique(self.column), np.arange(self.columns))
            or self.scripts.shape != (SCRIPT_POINTS,)
            or not all(-1 <= column < self.columns for column in (self.names, self.codes))
            or self.letters.lacking.shape[1] != classes
            or len(self.word_steps) != len(self.words.classes)
            or (len(self.word_steps) and int(self.words.classes.max()) >= classes)
        ):
            raise ValueError("the tables of a text model do not fit each other")
        object.__setattr__(self, "bias", np.zeros(self.columns, np.float32))

    @property
    def columns(self) -> int:
        """Columns of the scores: languages, and kinds of text in none."""
        return int(self.column.max()) + 1

    @property
    def bits(self) -> int:
        """Bits of a bucket's number."""
        return len(self.index).bit_length() - 1

    def row(self, key: int) -> NDArray[np.int64] | None:
        """The vector of the feature with this hash; None if it is not known."""
        number = int(self.index[key >> (64 - self.bits)])
        return self.rows[number].astype(np.int64) if number else None

    def classes_of(self, data: Bytes, offsets: Offsets) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(class, script) of every text: the likeliest class of all (-1: nothing is known), and the script (-1:
        none)."""
        rows = rows_of(data, offsets)
        best, written = np.empty(rows, np.int32), np.empty(rows, np.int32)
        given = at(data, np.uint8), at(offsets, np.int64), rows, self._handed_over()
        if _library.dragoman_text_classes(*given, at(best, np.int32), at(written, np.int32)):
            raise MemoryError("no memory for the letters of a text")
        return best, written

    @property
    def _loop(self) -> Callable[..., int]:
        loop: Callable[..., int] = _library.dragoman_text
        return loop

    def _handed_over(self, sharpness: float = 1.0, slope: float = 0.0) -> Any:
        models = _MODELS.setdefault(self, {})
        model = models.get((sharpness, slope))
        if model is None:
            if len(models) >= _MOST_MODELS:
                models.clear()
            model = models[sharpness, slope] = self._model(sharpness, slope)
        return ctypes.byref(model)

    def _model(self, sharpness: float, slope: float) -> Any:
        return _Model(
            bits=self.bits,
            languages=self.languages,
            columns=self.columns,
            classes=len(self.column),
            sharpness=sharpness,
            slope=slope,
            named=self.named,
            coded=self.coded,
            names=self.names,
            codes=self.codes,
            scripts=self.scripts,
            index=self.index,
            rows=self.rows,
            weights=self.weights,
            bias=self.bias_by_length,
            column=self.column,
            first=self.first,
            **self.words.fields,
            said=self.word_steps,
            step=self.step,
            **self.letters.fields,
        )

    def checked(self, chosen: NDArray[np.int32] | None) -> NDArray[np.int32] | None:
        """The chosen columns (None: all); ValueError where there are none, or one that is no language."""
        if chosen is not None and len(chosen) and chosen.max() >= self.languages:
            raise ValueError("a chosen column is no language")
        return super().checked(chosen)
