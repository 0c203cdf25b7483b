"""Frequent words that are listed with the classes that they say something about, as the loops of text.c read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, Bytes, Offsets, at, library, rows_of

#: Bits of a word's key that lead to where it is listed: as in text.h.
WORD_BITS = 18

_library = library({"dragoman_text_keys": (COUNT, [POINTER, POINTER, COUNT, POINTER, POINTER, POINTER])})


def word_keys(data: Bytes, offsets: Offsets, scripts: NDArray[np.uint8]) -> tuple[Offsets, NDArray[np.uint32]]:
    """(indptr, keys): the words of every text that can be listed, by the upper half of their hash."""
    rows = rows_of(data, offsets)
    most = int(offsets[-1] - offsets[0]) if rows else 0
    keys, indptr = np.empty(most, np.uint32), np.zeros(rows + 1, np.int64)
    n = _library.dragoman_text_keys(
        at(data, np.uint8), at(offsets, np.int64), rows, at(scripts, np.uint8), at(indptr, np.int64),
        at(keys, np.uint32),
    )  # fmt: skip
    if n < 0:
        raise MemoryError("no memory for the words of a text")
    return indptr, keys[:n].copy()


def _starts(sizes: NDArray[Any]) -> NDArray[np.uint32]:
    """Where runs of these sizes begin, one behind the other, and where the last ends."""
    return np.append(0, np.cumsum(sizes, dtype=np.int64)).astype(np.uint32)


@dataclass(frozen=True, eq=False)
class WordList:
    """Words by their keys, which rise; how many classes each says something about, and these classes, word by word."""

    keys: NDArray[np.uint32]
    sizes: NDArray[np.uint8]
    classes: NDArray[np.uint16]
    #: Where the keys of each value of their upper bits begin, and where the entries of each word begin.
    bucket: NDArray[np.uint32] = field(init=False)
    entries: NDArray[np.uint32] = field(init=False)

    def __post_init__(self) -> None:
        if (
            len(self.keys) != len(self.sizes)
            or int(self.sizes.sum(dtype=np.int64)) != len(self.classes)
            or np.any(self.keys[1:] <= self.keys[:-1])
        ):
            raise ValueError("words, their number of classes and these do not fit each other")
        counts = np.bincount(self.keys >> np.uint32(32 - WORD_BITS), minlength=1 << WORD_BITS)
        object.__setattr__(self, "bucket", _starts(counts))
        object.__setattr__(self, "entries", _starts(self.sizes))

    @classmethod
    def empty(cls) -> Self:
        """A list without words."""
        return cls(np.zeros(0, np.uint32), np.zeros(0, np.uint8), np.zeros(0, np.uint16))

    def entries_of(self, key: int) -> slice | None:
        """The entries of the word with this key; None if it is not listed."""
        row = int(np.searchsorted(self.keys, np.uint32(key)))
        if row == len(self.keys) or int(self.keys[row]) != key:
            return None
        return slice(int(self.entries[row]), int(self.entries[row + 1]))

    @property
    def fields(self) -> dict[str, NDArray[Any]]:
        """The fields of `word_list` in text.h."""
        return {"keys": self.keys, "bucket": self.bucket, "entries": self.entries, "listed_classes": self.classes}
