"""The parts of a URL, read, weighed and trained: tables checked once, then read by loops from URLs to answers."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import (
    COUNT,
    DOUBLE,
    POINTER,
    SINGLE,
    SMALL,
    UNSIGNED,
    Bytes,
    Offsets,
    at,
    library,
    rows_of,
)
from dragoman.kernels.parts_tables import IndexFields, PackedWords, RowIndex, masked_rows

#: Codes of two or three letters as numbers: 27 to the third.
CODES = 27**3
#: Numbers of languages that are none; fewer are languages.
NO_LANGUAGE, PLATFORM, FAMILY, SHORTENER = 255, 254, 253, 252
MOST_LANGUAGES = SHORTENER
#: Codes that are words as well, and those that phrases begin or end with.
WORD, PHRASE, MIXED = 1, 2, 3
#: How a code can stand, the parts that are weighed, the contexts, the codes of a URL.
POSITIONS, WEIGHED, CONTEXTS, MOST_CODES, DOMAIN_KINDS = 11, 7, 36, 4, 3
#: The common languages, for which n-grams of the host speak; how many an n-gram of the path may speak for.
COMMON, PATH_ENTRIES = 64, 16

_library = library(
    {
        "dragoman_parts": (SMALL, [*([POINTER] * 2), COUNT, POINTER, POINTER, SMALL, SINGLE, *([POINTER] * 4)]),
        "dragoman_parts_items": (COUNT, [POINTER, POINTER, COUNT, POINTER, POINTER, COUNT, *([POINTER] * 7)]),
        "dragoman_parts_descend": (DOUBLE, [*([POINTER] * 11), COUNT, POINTER, POINTER, UNSIGNED]),
    }
)


class _SmallFields(ctypes.Structure):
    """The fields of `small_table` in parts.h."""

    _fields_ = (("slots", ctypes.c_void_p), ("mask", ctypes.c_uint64))


class _ReaderFields(ctypes.Structure):
    """The fields of `part_reader` in parts.h."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("language", "country", "wordlike", "meaning", "shares")),
        *((name, _SmallFields) for name in ("names", "query_keys", "sites", "domains")),
        ("script_runs", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in ("script_run_count", "width")),
    )


@dataclass(frozen=True, eq=False)
class PartReader:
    """What is needed to find the words, codes, site and domain of a URL, as arrays of numbers.

    By code: its language, its country, what else it is (WORD, PHRASE, MIXED), and the row of its mixed meaning (-1:
    none). `shares` has the share of each language in each country, to 255. The others are tables of `small_slots`.
    """

    width: int
    code_language: NDArray[np.uint8]
    code_country: NDArray[np.uint8]
    code_wordlike: NDArray[np.uint8]
    code_meaning: NDArray[np.int16]
    shares: NDArray[np.uint8]
    names: NDArray[np.uint64]
    query_keys: NDArray[np.uint64]
    sites: NDArray[np.uint64]
    domains: NDArray[np.uint64]
    script_runs: NDArray[np.uint32]

    def __post_init__(self) -> None:
        language, country = self.code_language, self.code_country
        by_code = (language, country, self.code_wordlike, self.code_meaning)
        if (
            not 1 <= self.width <= MOST_LANGUAGES
            or any(array.shape != (CODES,) for array in by_code)
            or self.shares.shape[1:] != (self.width,)
            or self.script_runs.shape[1:] != (3,)
            or np.any((language != NO_LANGUAGE) & (language >= self.width))
            or np.any((country != NO_LANGUAGE) & (country >= len(self.shares)))
            or np.any(_values(self.names) >= self.width)
            or np.any(self.script_runs[:, 2] > 255)
        ):
            raise ValueError("the tables for reading URLs do not fit each other")

    @cached_property
    def fields(self) -> Any:
        """The arrays as the kernels take them."""
        small = [
            _SmallFields(at(slots, np.uint64), len(slots) - 1)
            for slots in (self.names, self.query_keys, self.sites, self.domains)
        ]
        return _ReaderFields(
            at(self.code_language, np.uint8), at(self.code_country, np.uint8), at(self.code_wordlike, np.uint8),
            at(self.code_meaning, np.int16), at(self.shares, np.uint8), *small,
            at(self.script_runs, np.uint32), len(self.script_runs), self.width,
        )  # fmt: skip


def _values(slots: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.asarray(slots[slots != 0] & np.uint64(0xFFFF))


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Rows of (language, weight): row i has the entries starts[i] to starts[i + 1]; weights may be of several kinds."""

    starts: NDArray[np.int32]
    languages: NDArray[np.uint8]
    weights: NDArray[np.float32]

    def fits(self, width: int, rows: int) -> bool:
        """True if no number leads outside, for at least so many rows."""
        return bool(
            len(self.starts) > rows
            and self.starts[0] == 0
            and self.starts[-1] == len(self.languages) == self.weights.shape[-1]
            and np.all(np.diff(self.starts) >= 0)
            and np.all(self.languages < width)
        )

    def row(self, number: int) -> slice:
        """Where the entries of a row are."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    @property
    def addresses(self) -> tuple[int, int, int]:
        """The three arrays as the kernels take them."""
        return at(self.starts, np.int32), at(self.languages, np.uint8), at(self.weights, np.float32)


class _ModelFields(ctypes.Structure):
    """The fields of `part_model` in parts.c."""

    _fields_ = (
        ("reader", _ReaderFields),
        ("word_slots", ctypes.c_void_p),
        ("slot_count", ctypes.c_int64),
        ("word_rows", ctypes.c_void_p),
        ("host_index", IndexFields),
        *((name, ctypes.c_void_p) for name in ("host_rows", "host_columns")),
        ("path_index", IndexFields),
        ("path_rows", ctypes.c_void_p),
        ("steps", ctypes.c_float * 3),
        *((name, ctypes.c_void_p) for name in ("domains", "domain_kinds")),
        *((name, ctypes.c_void_p) for name in ("script_starts", "script_languages", "script_weights")),
        *((name, ctypes.c_void_p) for name in ("meaning_starts", "meaning_languages", "meaning_weights")),
        *((name, ctypes.c_void_p) for name in ("gates", "sharpness", "bias", "site_weights")),
        *((name, ctypes.c_int32) for name in ("meaning_entries", "masks")),
    )


@dataclass(frozen=True, eq=False)
class PartTables:
    """The weights of a model of parts, checked once, so that no number leads outside.

    For each bucket of n-grams that `host_index` has, `host_rows` has a weight for each of the common languages,
    `host_languages` (NO_LANGUAGE where there are fewer); for those of `path_index`, `path_rows` has sixteen languages
    and their weights. `steps` are those of the weights of host n-grams, path n-grams and words. `meanings` has a row
    for each language alone, then for each mixed meaning, and weights for each position.
    """

    reader: PartReader
    words: PackedWords
    host_index: RowIndex
    host_rows: NDArray[np.int8]
    host_languages: NDArray[np.uint8]
    path_index: RowIndex
    path_rows: NDArray[np.uint8]
    steps: tuple[float, float, float]
    domains: NDArray[np.float32]
    domain_kinds: NDArray[np.uint8]
    scripts: SparseRows
    meanings: SparseRows
    gates: NDArray[np.float32]
    bias: NDArray[np.float32]
    site_weights: NDArray[np.float32]

    def __post_init__(self) -> None:
        width = self.reader.width
        if (
            self.host_rows.shape != (len(self.host_index), COMMON)
            or self.path_rows.shape != (len(self.path_index), 2 * PATH_ENTRIES)
            or np.any(self.path_rows[:, :PATH_ENTRIES] >= width)
            or self.host_languages.shape != (COMMON,)
            or np.any((self.host_languages != NO_LANGUAGE) & (self.host_languages >= width))
            or np.any(self.words.entries[:, 0] >= width)
            or self.domains.shape != (len(self.domain_kinds), width)
            or np.any(_values(self.reader.domains) >= len(self.domains))
            or np.any(self.domain_kinds >= DOMAIN_KINDS)
            or not self.scripts.fits(width, int(self.reader.script_runs[:, 2].max(initial=0)) + 1)
            or not self.meanings.fits(width, width + int(self.reader.code_meaning.max(initial=-1)) + 1)
            or self.scripts.weights.ndim != 1
            or self.meanings.weights.shape[:-1] != (POSITIONS,)
            or self.gates.shape != (CONTEXTS, WEIGHED)
            or self.bias.shape != (CONTEXTS, width)
            or self.site_weights.shape != (width,)
        ):
            raise ValueError("the tables of a model of parts do not fit each other")

    @cached_property
    def _summed_rows(self) -> tuple[int, list[NDArray[np.uint8]]]:
        return masked_rows([self.words.rows(), self.path_rows], self.reader.width)

    @cached_property
    def _host_columns(self) -> NDArray[np.uint8]:
        """By language, its place among the common ones, or their number."""
        columns = np.full(self.reader.width, COMMON, np.uint8)
        places = np.flatnonzero(self.host_languages != NO_LANGUAGE)
        columns[self.host_languages[places]] = places
        return columns

    def _fields(self, sharpness: NDArray[np.float32]) -> Any:
        if sharpness.shape != (CONTEXTS,):
            raise ValueError("a sharpness for each context")
        masks, (word_rows, path_rows) = self._summed_rows
        return _ModelFields(
            self.reader.fields, at(self.words.slots, np.uint64), len(self.words.slots),
            at(word_rows, np.uint8), self.host_index.fields, at(self.host_rows, np.int8),
            at(self._host_columns, np.uint8), self.path_index.fields, at(path_rows, np.uint8),
            (ctypes.c_float * 3)(*self.steps), at(self.domains, np.float32), at(self.domain_kinds, np.uint8),
            *self.scripts.addresses, *self.meanings.addresses, at(self.gates, np.float32), at(sharpness, np.float32),
            at(self.bias, np.float32), at(self.site_weights, np.float32), len(self.meanings.languages), masks,
        )  # fmt: skip

    @cached_property
    def _plain_fields(self) -> Any:
        return self._fields(np.ones(CONTEXTS, np.float32))

    @cached_property
    def _latest_fields(self) -> list[tuple[NDArray[np.float32], Any]]:
        return []

    def _fields_with(self, sharpness: NDArray[np.float32]) -> Any:
        """The fields, made once for an array: half of the time of a call with one URL."""
        known = self._latest_fields[0] if self._latest_fields else None
        if known is None or known[0] is not sharpness:
            known = sharpness, self._fields(sharpness)
            self._latest_fields[:] = [known]
        return known[1]

    def scores(self, data: Bytes, offsets: Offsets) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """(scores by language, context) of every row; NaN where nothing stands in it."""
        rows = rows_of(data, offsets)
        scores, contexts = np.empty((rows, self.reader.width), np.float32), np.zeros(rows, np.uint8)
        failed = _library.dragoman_parts(
            at(data, np.uint8), at(offsets, np.int64), rows, ctypes.byref(self._plain_fields), None, 0, 1.0,
            at(scores, np.float32), at(contexts, np.uint8), None, None,
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the longest URL of the batch")
        return scores, contexts

    def best(
        self,
        data: Bytes,
        offsets: Offsets,
        sharpness: NDArray[np.float32],
        temperature: float,
        chosen: NDArray[np.int32] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every row in one pass: -1 and NaN where nothing stands in the row.

        The scores are multiplied by the sharpness of their context and divided by the temperature before the softmax.
        With `chosen` languages, the choice is among them, and the language is the place in `chosen`. One alone is a
        question: 0 where it is the likeliest of all, else 1, and its probability among all.
        """
        rows = rows_of(data, offsets)
        best, probability = np.empty(rows, np.int32), np.empty(rows, np.float32)
        if chosen is not None and (not len(chosen) or chosen.min() < 0 or chosen.max() >= self.reader.width):
            raise ValueError("a chosen language is not there")
        failed = _library.dragoman_parts(
            at(data, np.uint8), at(offsets, np.int64), rows, ctypes.byref(self._fields_with(sharpness)),
            None if chosen is None else at(chosen, np.int32), 0 if chosen is None else len(chosen), temperature,
            None, None, at(best, np.int32), at(probability, np.float32),
        )  # fmt: skip
        if failed:
            raise MemoryError("no memory for the longest URL of the batch")
        return best, probability
