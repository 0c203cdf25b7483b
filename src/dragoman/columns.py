"""ByteColumn: a column of URLs in Arrow's layout, so that no Python object is made per URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import need


@dataclass(frozen=True, eq=False)
class ByteColumn:
    """URLs as bytes: row i is data[offsets[i]:offsets[i + 1]]. Any bytes are allowed; a missing value is empty."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, urls: ByteColumn | Iterable[str | bytes | None] | Any) -> ByteColumn:
        """A batch of whatever holds URLs: a batch, an Arrow array or chunked array, or any iterable of them."""
        if isinstance(urls, ByteColumn):
            return urls
        if hasattr(urls, "__arrow_c_array__") or hasattr(urls, "__arrow_c_stream__"):
            return cls.from_arrow(urls)
        if isinstance(urls, str | bytes):
            raise TypeError("give a list of URLs, not one URL: [url]")
        return cls.from_rows(urls)

    @classmethod
    def from_rows(cls, urls: Iterable[str | bytes | None]) -> ByteColumn:
        """A batch of Python strings or bytes."""
        rows = [_bytes(url) for url in urls]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(rows), np.uint8), offsets)

    @classmethod
    def from_arrow(cls, column: Any) -> ByteColumn:
        """A batch that shares the bytes of an Arrow column of strings or binaries (only offsets are widened)."""
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
    def joined(cls, batches: Sequence[ByteColumn]) -> ByteColumn:
        """The rows of several batches, one behind the other."""
        parts = [one.data[one.offsets[0] : one.offsets[-1]] for one in batches]
        starts = np.cumsum([0, *(len(part) for part in parts)])
        ends = [one.offsets[1:] - one.offsets[0] + start for one, start in zip(batches, starts, strict=False)]
        return cls(np.concatenate([np.empty(0, np.uint8), *parts]), np.concatenate([np.zeros(1, np.int64), *ends]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[bytes]:
        """The rows as bytes: for the plain path and for people, not for bulk."""
        return (self[i] for i in range(len(self)))

    def __getitem__(self, row: int) -> bytes:
        return self.data[self.offsets[row] : self.offsets[row + 1]].tobytes()

    def slice(self, start: int, stop: int) -> ByteColumn:
        """Rows start to stop, sharing the bytes."""
        return ByteColumn(self.data, self.offsets[start : max(start, stop) + 1])

    def take(self, rows: Sequence[int] | NDArray[Any]) -> ByteColumn:
        """The rows with these numbers, in this order."""
        chosen = np.asarray(rows, np.int64)
        starts, lengths = self.offsets[chosen], np.diff(self.offsets)[chosen]
        offsets = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        # Byte k of new row i is byte starts[i] + (k - offsets[i]) of the data: one gather, no loop over rows.
        source = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return ByteColumn(self.data[source], offsets)


def _bytes(url: str | bytes | None) -> bytes:
    """UTF-8; a lone surrogate, which has no UTF-8, still becomes bytes instead of an error."""
    if isinstance(url, str):
        return url.encode("utf-8", "surrogatepass")
    return url or b""


def _large(pa: Any, column: Any) -> Any:
    binary = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    return pa.large_binary() if binary else pa.large_string()
