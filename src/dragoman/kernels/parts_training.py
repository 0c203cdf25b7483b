"""URLs as items, and one pass of descent over them: the loops that train a model of parts."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import Bytes, Offsets, at, rows_of
from dragoman.kernels.parts import CONTEXTS, MOST_CODES, WEIGHED, PartReader, SparseRows, _library

#: An n-gram of the host whose row was not kept: it counts, and says nothing. Those with rows are their numbers.
ITEM_BITS = 29
SILENT_ITEM = np.uint32(6 << ITEM_BITS)


@dataclass(frozen=True, eq=False)
class Items:
    """What stands in each URL: its items behind indptr[row], its codes (positions and meanings), site and domain."""

    indptr: NDArray[np.int64]
    items: NDArray[np.uint32]
    places: NDArray[np.int8]
    meanings: NDArray[np.int16]
    sites: NDArray[np.int16]
    domains: NDArray[np.int16]


def read_items(
    data: Bytes, offsets: Offsets, reader: PartReader, words: NDArray[np.uint64], bits: tuple[int, int]
) -> Items:
    """The items of every URL; `words` gives the number of a word, `bits` the sizes of the tables of n-grams."""
    rows = rows_of(data, offsets)
    indptr, sizes = np.zeros(rows + 1, np.int64), np.array(bits, np.int32)
    given = (at(data, np.uint8), at(offsets, np.int64), rows, ctypes.byref(reader.fields))
    tables = (at(words, np.uint64), len(words), at(sizes, np.int32), at(indptr, np.int64))
    number = _library.dragoman_parts_items(*given, *tables, None, None, None, None, None)
    if number < 0:
        raise MemoryError("no memory for the longest URL of the batch")
    items = Items(
        indptr,
        np.empty(number, np.uint32),
        np.empty((rows, MOST_CODES), np.int8),
        np.empty((rows, MOST_CODES), np.int16),
        np.empty(rows, np.int16),
        np.empty(rows, np.int16),
    )
    number = _library.dragoman_parts_items(
        *given, *tables, at(items.items, np.uint32), at(items.places, np.int8), at(items.meanings, np.int16),
        at(items.sites, np.int16), at(items.domains, np.int16),
    )  # fmt: skip
    if number < 0:
        raise MemoryError("no memory for the longest URL of the batch")
    return items


class Pace(ctypes.Structure):
    """How a pass goes: the rate falls from `start` to `end`, times the rate of each part; and four chances.

    A word of the path is read as a word with the chance `word_kept`, else as n-grams; a known site is known with the
    chance `site_kept`; nothing of the host but its domain is read with the chance `host_dropped`, and else, with the
    chance `domain_dropped`, a domain of one or several languages is not.
    """

    _fields_ = tuple(
        (name, ctypes.c_float)
        for name in (
            *("start", "end", "gram", "text", "word", "host_word", "domain", "gate", "bias"),
            *("word_kept", "site_kept", "host_dropped", "domain_dropped"),
        )
    )


class _LearningFields(ctypes.Structure):
    """The fields of `learning` in parts_train.c."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("width", "meaning_entries")),
        *((name, ctypes.c_void_p) for name in ("host_rows", "host_languages", "path_rows", "path_kept")),
        *((name, ctypes.c_void_p) for name in ("word_starts", "word_languages", "word_weights")),
        *((name, ctypes.c_void_p) for name in ("domains", "domain_kinds")),
        *((name, ctypes.c_void_p) for name in ("script_starts", "script_languages", "script_weights")),
        *((name, ctypes.c_void_p) for name in ("meaning_starts", "meaning_languages", "meaning_weights")),
        *((name, ctypes.c_void_p) for name in ("gates", "bias")),
        ("site_weight", ctypes.c_float),
    )


@dataclass(eq=False)
class Learning:
    """The weights that learn, in float; `path_kept` is 1 where the weight of an n-gram of the path still learns."""

    host_rows: NDArray[np.float32]
    host_languages: NDArray[np.uint8]
    path_rows: NDArray[np.float32]
    word_starts: NDArray[np.int64]
    word_languages: NDArray[np.uint8]
    word_weights: NDArray[np.float32]
    domains: NDArray[np.float32]
    domain_kinds: NDArray[np.uint8]
    scripts: SparseRows
    meanings: SparseRows
    gates: NDArray[np.float32]
    bias: NDArray[np.float32]
    site_weight: float
    path_kept: NDArray[np.uint8] | None = None

    def descend(
        self,
        read: Items,
        labels: NDArray[np.int32],
        importance: NDArray[np.float32],
        host_share: NDArray[np.float32],
        doubt: NDArray[np.float32],
        order: NDArray[np.int64],
        pace: Pace,
        seed: int,
    ) -> float:
        """One pass of stochastic gradient descent over the rows in `order`; the mean log loss.

        `host_share` says for each row how much of the usual its host's n-grams and words learn, `doubt` the power of
        its label's probability by which it moves.
        """
        width = len(self.bias)
        if (
            self.gates.shape != (CONTEXTS, WEIGHED)
            or any(len(rows) != len(read.sites) for rows in (labels, importance, host_share, doubt))
            or (len(labels) and (labels.min() < 0 or labels.max() >= width))
        ):
            raise ValueError("a language and an importance for each URL")
        fields = _LearningFields(
            width, len(self.meanings.languages), at(self.host_rows, np.float32), at(self.host_languages, np.uint8),
            at(self.path_rows, np.float32), None if self.path_kept is None else at(self.path_kept, np.uint8),
            at(self.word_starts, np.int64), at(self.word_languages, np.uint8), at(self.word_weights, np.float32),
            at(self.domains, np.float32), at(self.domain_kinds, np.uint8), *self.scripts.addresses,
            *self.meanings.addresses, at(self.gates, np.float32), at(self.bias, np.float32), self.site_weight,
        )  # fmt: skip
        loss = _library.dragoman_parts_descend(
            at(read.indptr, np.int64), at(read.items, np.uint32), at(read.places, np.int8),
            at(read.meanings, np.int16), at(read.sites, np.int16), at(read.domains, np.int16),
            at(labels, np.int32), at(importance, np.float32), at(host_share, np.float32), at(doubt, np.float32),
            at(order, np.int64), len(order),
            ctypes.byref(fields), ctypes.byref(pace), seed,
        )  # fmt: skip
        if loss < 0:
            raise MemoryError("no memory to train in")
        return float(loss)
