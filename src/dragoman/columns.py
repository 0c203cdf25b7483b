"""A column of bytes (URLs or texts) in Arrow's layout, and the answers to it: no Python object is made per row."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import need

#: The columns of answers: the first two, and the third instead of the first where a yes or no was asked for.
LANGUAGE, PROBABILITY, WANTED = "language", "probability", "wanted"


def _percent(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"%{byte:02X}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("dragoman-percent", _percent)


def text_of(row: bytes) -> str:
    """A URL as text: bytes that are not UTF-8 are percent-escaped, as a browser would send them.

    >>> text_of(b"http://a.fr/fran\\xe7ais")
    'http://a.fr/fran%E7ais'
    """
    return row.decode("utf-8", "dragoman-percent")


@dataclass(frozen=True, eq=False)
class ByteColumn:
    """URLs or texts: row i is data[offsets[i]:offsets[i + 1]]. Any bytes are allowed; a missing value is empty."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, values: ByteColumn | Iterable[str | bytes | None] | Any) -> ByteColumn:
        """A column of whatever holds the rows: a column, an Arrow array or chunked array, or any iterable of them."""
        if isinstance(values, ByteColumn):
            return values
        if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
            return cls.from_arrow(values)
        if isinstance(values, str | bytes):
            raise TypeError("give a list of URLs, not one URL: [url]")
        return cls.from_rows(values)

    @classmethod
    def from_rows(cls, values: Iterable[str | bytes | None]) -> ByteColumn:
        """A column of Python strings or bytes."""
        rows = [_bytes(value) for value in values]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(rows), np.uint8), offsets)

    @classmethod
    def from_arrow(cls, column: Any) -> ByteColumn:
        """A column that shares the bytes of an Arrow column of strings or binaries (only offsets are widened)."""
        pa = need("bulk", "pyarrow")
        if not isinstance(column, pa.Array | pa.ChunkedArray):
            column = pa.chunked_array(column) if hasattr(column, "__arrow_c_stream__") else pa.array(column)
        if isinstance(column, pa.ChunkedArray):
            if column.num_chunks == 0:
                return cls.from_rows([])
            column = (
                column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.cast(_large(pa, column)).chunks)
            )
        kind = column.type
        if pa.types.is_dictionary(kind) or not (
            pa.types.is_string(kind)
            or pa.types.is_large_string(kind)
            or pa.types.is_binary(kind)
            or pa.types.is_large_binary(kind)
        ):
            column = column.cast(pa.large_string())
            kind = column.type
        if column.null_count:
            column = column.fill_null("")  # the bytes under a null may be anything
        _, offsets, data = column.buffers()
        wide = pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)
        n, start = len(column), column.offset
        if n == 0:
            return cls(np.empty(0, np.uint8), np.zeros(1, np.int64))
        marks = np.frombuffer(offsets, np.int64 if wide else np.int32)[start : start + n + 1].astype(np.int64)
        return cls(np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8), marks)

    @classmethod
    def joined(cls, columns: Sequence[ByteColumn]) -> ByteColumn:
        """The rows of several columns, one behind the other."""
        parts = [column.data[column.offsets[0] : column.offsets[-1]] for column in columns]
        starts = np.cumsum([0, *(len(part) for part in parts)])
        ends = [column.offsets[1:] - column.offsets[0] + start for column, start in zip(columns, starts, strict=False)]
        return cls(np.concatenate([np.empty(0, np.uint8), *parts]), np.concatenate([np.zeros(1, np.int64), *ends]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[bytes]:
        """The rows as bytes: for the plain path and for people, not for bulk."""
        first, last = (int(self.offsets[0]), int(self.offsets[-1])) if len(self) else (0, 0)
        whole, marks = self.data[first:last].tobytes(), (self.offsets - first).tolist()
        return (whole[start:end] for start, end in pairwise(marks))

    def __getitem__(self, row: int) -> bytes:
        return self.data[self.offsets[row] : self.offsets[row + 1]].tobytes()

    def slice(self, start: int, stop: int) -> ByteColumn:
        """Rows start to stop, sharing the bytes."""
        return ByteColumn(self.data, self.offsets[start : max(start, stop) + 1])

    def take(self, rows: Sequence[int] | NDArray[Any]) -> ByteColumn:
        """The rows with these numbers, in this order."""
        chosen = np.asarray(rows, np.int64)
        return cut_out(self.data, self.offsets[chosen], np.diff(self.offsets)[chosen])


#: Rows of more bytes than this, in the mean, are copied one by one.
LONG_ROWS = 128


def cut_out(data: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> ByteColumn:
    """Some stretches of bytes as the rows of a column."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    if offsets[-1] > LONG_ROWS * len(lengths):
        ends = starts + lengths
        parts = [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return ByteColumn(np.concatenate(parts), offsets)
    # Byte k of row i is byte starts[i] + (k - offsets[i]) of the data: one gather, no loop over rows. It needs 16 bytes
    # for every one, which are many where rows are long.
    return ByteColumn(data[np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)], offsets)


@dataclass(frozen=True, eq=False)
class AnswerColumns:
    """The answers to a column: a language (a number into `languages`, -1 for none) and its probability.

    The probability is NaN where there was nothing to judge. `extra` has further values per row, of JSON's kinds. Where
    a yes or no was asked for (`decides`), the languages are the words `false` and `true` and the column is `wanted`.
    Without any `languages` there are only the extra columns.
    """

    languages: tuple[str, ...]
    language: NDArray[np.int64] | NDArray[np.int16]
    probability: NDArray[np.float32]
    extra: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    decides: bool = False

    @classmethod
    def of_values(cls, rows: int, extra: Mapping[str, Sequence[Any]]) -> AnswerColumns:
        """Values for each row where nobody asked for a language: the extra columns alone."""
        return cls((), np.full(rows, -1, np.int16), np.full(rows, np.nan, np.float32), extra)

    @classmethod
    def decisions(
        cls, yes: NDArray[np.bool_], probability: NDArray[np.float32], extra: Mapping[str, Sequence[Any]]
    ) -> AnswerColumns:
        """A yes or no for each row, and the probability that it went by."""
        return cls(("false", "true"), yes.astype(np.int16), probability, extra, True)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (*((WANTED if self.decides else LANGUAGE, PROBABILITY) if self.languages else ()), *self.extra)

    def tags(self) -> list[str | None]:
        """The languages as Python values: for people and for JSON, not for bulk."""
        named = (*self.languages, None)
        return [named[code] for code in self.language.tolist()]

    def probabilities(self) -> list[float | None]:
        """The probabilities as Python values, to six places."""
        rounded = np.round(self.probability.astype(np.float64), 6).tolist()
        return [value if value == value else None for value in rounded]

    def arrow(self, coded: bool = False) -> dict[str, Any]:
        """The Arrow columns by name, null where there is no answer: no Python object per row, but for the extra ones.

        With `coded` the languages are numbers into a dictionary; extra values are texts as they are, or JSON text.
        """
        pa = need("bulk", "pyarrow")
        columns: dict[str, Any] = {}
        if self.decides:
            columns[WANTED] = pa.array(self.language.astype(bool))
        elif self.languages:
            # 16 bits are enough for the languages of any model, and make a smaller file.
            codes = pa.array(self.language.astype(np.int16), mask=self.language < 0)
            named = pa.array(self.languages, pa.string())
            columns[LANGUAGE] = pa.DictionaryArray.from_arrays(codes, named) if coded else named.take(codes)
        if self.languages:
            columns[PROBABILITY] = pa.array(self.probability, pa.float32(), mask=np.isnan(self.probability))
        for name, values in self.extra.items():
            columns[name] = pa.array(map(cell_text, values), pa.string())
        return columns


def cell_text(value: Any) -> str | None:
    """A value as text for a column of texts: a text as it is, anything else as JSON; what is missing stays missing."""
    return value if isinstance(value, str) else json_text(value)


def json_text(value: Any) -> str | None:
    """A value as text for a column that knows no other; what is missing stays missing."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _bytes(value: str | bytes | None) -> bytes:
    """UTF-8; a lone surrogate, which has no UTF-8, still becomes bytes instead of an error."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return value or b""


def _large(pa: Any, column: Any) -> Any:
    binary = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    return pa.large_binary() if binary else pa.large_string()
