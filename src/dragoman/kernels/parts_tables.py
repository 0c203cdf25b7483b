"""Tables in which the parts of a URL are looked up: sites and names, words, and the rows of n-grams."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, UNSIGNED, Bytes, Offsets, aligned, at, library, rows_of

#: How many languages a word may speak for.
WORD_ENTRIES = 16
#: Words for each hundred slots of their table.
_FULL = 80
#: In the value of a word: it speaks for several languages.
SEVERAL = 1 << 31
_FREE_WORD = np.uint64((1 << 64) - 1)

_library = library(
    {
        "dragoman_parts_text_keys": (None, [POINTER, POINTER, COUNT, POINTER]),
        "dragoman_parts_small": (None, [POINTER, POINTER, COUNT, POINTER, UNSIGNED]),
        "dragoman_parts_words": (None, [POINTER, POINTER, COUNT, POINTER, COUNT]),
        "dragoman_parts_rows": (None, [POINTER, POINTER, COUNT, POINTER]),
        "dragoman_parts_masks": (SMALL, [POINTER, COUNT, SMALL, POINTER]),
    }
)


def text_keys(data: Bytes, offsets: Offsets) -> NDArray[np.uint64]:
    """The key of every text (in lower case already): what words, sites and domains are known by."""
    keys = np.empty(rows_of(data, offsets), np.uint64)
    _library.dragoman_parts_text_keys(at(data, np.uint8), at(offsets, np.int64), len(keys), at(keys, np.uint64))
    return keys


def small_slots(keys: NDArray[np.uint64], values: NDArray[np.uint16]) -> NDArray[np.uint64]:
    """A table that gives the value of a key; of equal keys the first counts."""
    if len(keys) != len(values):
        raise ValueError("a value for each key")
    slots = np.zeros(1 << max(3, (2 * len(keys)).bit_length()), np.uint64)
    _library.dragoman_parts_small(
        at(keys, np.uint64), at(values, np.uint16), len(keys), at(slots, np.uint64), len(slots) - 1
    )
    return slots


def small_entries(slots: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys of a table with their values in the lowest 16 bits, sorted: what a file keeps of it."""
    return np.sort(slots[slots != 0])


def small_value(slots: NDArray[np.uint64], key: int) -> int:
    """The value of a key in such a table, or -1: the plain definition of the kernel's look-up."""
    mask = len(slots) - 1
    at, wanted = key >> 17 & mask, key >> 16 | 1
    while slot := int(slots[at]):
        if slot >> 16 == wanted:
            return slot & 0xFFFF
        at = (at + 1) & mask
    return -1


def word_value(slots: NDArray[np.uint64], key: int) -> int:
    """The value of a word in such a table, or -1."""
    wanted = key >> 32
    at = wanted * len(slots) >> 32
    while slots[at] != _FREE_WORD:
        if int(slots[at]) >> 32 == wanted:
            return int(slots[at]) & 0xFFFFFFFF
        at = (at + 1) % len(slots)
    return -1


@dataclass(frozen=True, eq=False)
class PackedWords:
    """Words by the upper halves of their keys, rising, with one to sixteen entries (language, weight) each, in bytes.

    In memory a slot has the key and a value: the only entry, or SEVERAL and the number of the word among those that
    have several, which is the number of its row in `rows`.
    """

    keys: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    entries: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if (
            len(self.keys) != len(self.counts)
            or self.entries.shape[1:] != (2,)
            or int(self.counts.sum(dtype=np.int64)) != len(self.entries)
            or len(self.entries) >= 1 << 28
            or (len(self.counts) and not (self.counts.min() >= 1 and self.counts.max() <= WORD_ENTRIES))
            or np.any(self.keys[1:] <= self.keys[:-1])
        ):
            raise ValueError("the words of a model do not fit their entries")

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """What a file keeps: the lower halves of the keys, how many have each upper half, the numbers of entries less
        one in four bits each, and the entries: half as much as it takes in memory.
        """
        counts = np.append(self.counts - 1, np.zeros(len(self.counts) % 2, np.uint8)).reshape(-1, 2)
        return {
            "word-keys": (self.keys & 0xFFFF).astype(np.uint16),
            "word-halves": np.bincount(self.keys >> 16, minlength=1 << 16).astype(np.uint32),
            "word-counts": (counts[:, 0] << 4 | counts[:, 1]).astype(np.uint8),
            "words": self.entries,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PackedWords:
        """The words of such arrays."""
        lower, halves, packed = arrays["word-keys"], arrays["word-halves"], arrays["word-counts"]
        if len(halves) != 1 << 16 or int(halves.sum(dtype=np.int64)) != len(lower) or 2 * len(packed) < len(lower):
            raise ValueError("the words of a model do not fit their keys")
        upper = np.repeat(np.arange(1 << 16, dtype=np.uint32), halves)
        counts = np.stack([packed >> 4, packed & 15], axis=1).ravel()[: len(lower)]
        return cls(upper << 16 | lower, counts + np.uint8(1), arrays["words"])

    @cached_property
    def _firsts(self) -> NDArray[np.uint32]:
        return np.asarray(np.cumsum(self.counts, dtype=np.uint32) - self.counts, np.uint32)

    @cached_property
    def _several(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.counts > 1)

    @cached_property
    def slots(self) -> NDArray[np.uint64]:
        """The table in which words are looked up."""
        single = self.entries.astype(np.uint32)[self._firsts] if len(self.keys) else np.empty((0, 2), np.uint32)
        values = np.asarray(single[:, 0] | single[:, 1] << 8, np.uint32)
        values[self._several] = SEVERAL | np.arange(len(self._several), dtype=np.uint32)
        return word_slots(self.keys, values)

    def entries_of(self, value: int) -> NDArray[np.uint8]:
        """The entries of a word that has this value."""
        if not value & SEVERAL:
            return np.array([[value & 0xFF, value >> 8 & 0xFF]], np.uint8)
        word = self._several[value & ~SEVERAL]
        return self.entries[self._firsts[word] :][: self.counts[word]]

    def rows(self) -> NDArray[np.uint8]:
        """For each word that has several entries sixteen languages and their weights, zeros behind the last."""
        rows = np.zeros((len(self._several), 2 * WORD_ENTRIES), np.uint8)
        _library.dragoman_parts_rows(
            at(self.counts, np.uint8), at(self.entries, np.uint8), len(self.counts), at(rows, np.uint8)
        )
        return rows


def masked_rows(tables: Sequence[NDArray[np.uint8]], width: int) -> tuple[int, list[NDArray[np.uint8]]]:
    """(masks in each row, tables) of rows of sixteen languages and their weights, as this processor adds them fastest.

    Without masks the rows are as they were. With them a row has the weights of the languages that are marked, in their
    order, and then a bit for each language.
    """
    masked = [aligned((len(rows), 8 * -(-width // 64) + WORD_ENTRIES)).view(np.uint8) for rows in tables]
    masks = [
        int(_library.dragoman_parts_masks(at(rows, np.uint8), len(rows), width, at(out, np.uint8)))
        for rows, out in zip(tables, masked, strict=True)
    ]
    return (masks[0], masked) if all(masks) else (0, list(tables))


def word_slots(keys: NDArray[np.uint32], values: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """A table that gives the value of a word by the upper half of its key; keys must rise."""
    if len(keys) != len(values) or np.any(keys[1:] <= keys[:-1]):
        raise ValueError("a value for each key, and keys that rise")
    slots = np.full(8 + 100 * len(keys) // _FULL, _FREE_WORD, np.uint64)
    _library.dragoman_parts_words(
        at(keys, np.uint32), at(values, np.uint32), len(keys), at(slots, np.uint64), len(slots)
    )
    return slots


class IndexFields(ctypes.Structure):
    """The fields of `row_index` in parts.c."""

    _fields_ = (("blocks", ctypes.c_void_p), ("bits", ctypes.c_int64))


@dataclass(frozen=True, eq=False)
class RowIndex:
    """Which buckets of n-grams have a row: a bit for each, the lowest first, in a power of two of words of 32."""

    marks: NDArray[np.uint32]

    def __post_init__(self) -> None:
        if not len(self.marks) or len(self.marks) & (len(self.marks) - 1):
            raise ValueError("the buckets of n-grams do not fit a power of two")

    @classmethod
    def of(cls, marked: NDArray[np.bool_]) -> RowIndex:
        """The index of marked buckets."""
        return cls.of_bytes(np.packbits(marked, bitorder="little"))

    @classmethod
    def of_bytes(cls, packed: NDArray[np.uint8]) -> RowIndex:
        """The index of bits as a file keeps them."""
        if len(packed) % 4:
            raise ValueError("the buckets of n-grams do not fit a power of two")
        return cls(np.frombuffer(packed.tobytes(), "<u4").astype(np.uint32))

    def to_bytes(self) -> NDArray[np.uint8]:
        """The bits as a file keeps them."""
        return np.frombuffer(self.marks.astype("<u4").tobytes(), np.uint8)

    @property
    def bits(self) -> int:
        """The number of buckets, as a power of two."""
        return len(self.marks).bit_length() + 4

    @cached_property
    def ranks(self) -> NDArray[np.uint32]:
        """For every 32 buckets how many rows there are before theirs."""
        marked = np.unpackbits(self.to_bytes()).reshape(-1, 32).sum(axis=1, dtype=np.uint32)
        return np.asarray(np.cumsum(marked, dtype=np.uint32) - marked, np.uint32)

    def __len__(self) -> int:
        return int(self.ranks[-1]) + int(self.marks[-1]).bit_count()

    def rows(self, buckets: Sequence[int]) -> list[int]:
        """The rows of those buckets that have one: the plain definition of the kernel's look-up."""
        row_numbers = []
        for bucket in buckets:
            marks, bit = int(self.marks[bucket >> 5]), 1 << (bucket & 31)
            if marks & bit:
                row_numbers.append(int(self.ranks[bucket >> 5]) + (marks & bit - 1).bit_count())
        return row_numbers

    @cached_property
    def blocks(self) -> NDArray[np.uint64]:
        """The same side by side, so that a look-up reads one number: ranks in the upper half, marks in the lower."""
        return np.asarray(self.ranks.astype(np.uint64) << np.uint64(32) | self.marks, np.uint64)

    @property
    def fields(self) -> Any:
        """The index as the kernels take it."""
        return IndexFields(at(self.blocks, np.uint64), self.bits)
