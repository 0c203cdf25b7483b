"""The pieces that a table is read in: a few thousand rows at a time.

All kinds of pieces answer the same few questions: `len`, `byte_column` (the URLs or texts that are judged), `errors`
(by row: why it has none), `missing` (rows that hold null instead) and `plain()` (the same rows with nothing beside).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.errors import need

#: How Parquet is compressed where nothing else is said.
PACKED = "zstd"


class RowPiece(Protocol):
    """Some consecutive rows of a table."""

    @property
    def byte_column(self) -> ByteColumn:
        """The URLs or texts that are judged; empty in rows that have none."""

    @property
    def errors(self) -> Mapping[int, str]:
        """Why a row has no URL or text, by its number in the piece."""

    @property
    def missing(self) -> Collection[int]:
        """The rows that hold null."""

    def __len__(self) -> int: ...

    def plain(self) -> Lines:
        """The rows without their other columns."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Rows of text or JSON lines. `objects` are the JSON lines as they stood, None where a line is no object."""

    values: list[bytes]
    errors: Mapping[int, str] = field(default_factory=dict)
    objects: list[bytes | None] | None = None
    column: str = "url"
    missing: Collection[int] = ()

    @property
    def byte_column(self) -> ByteColumn:
        """The lines, or the values in the objects."""
        return ByteColumn.from_rows(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def plain(self) -> Lines:
        """Itself without the objects."""
        return Lines(self.values, self.errors)


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of a Parquet file: an Arrow record batch, and how the file packs it and writes its timestamps."""

    batch: Any
    column: str
    errors: Mapping[int, str] = field(default_factory=dict)
    compression: str = PACKED
    int96: bool = False

    @property
    def _arrow_column(self) -> Any:
        return self.batch.column(self.batch.schema.get_field_index(self.column))

    @property
    def byte_column(self) -> ByteColumn:
        """The bytes of the Arrow column, shared."""
        return ByteColumn.from_arrow(self._arrow_column)

    @property
    def missing(self) -> Collection[int]:
        """The rows that hold null."""
        nulls = self._arrow_column.is_null()
        return frozenset(np.flatnonzero(nulls.to_numpy(zero_copy_only=False)).tolist())

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def plain(self) -> Lines:
        """The values as bytes; a missing one is empty."""
        pa, values = need("bulk", "pyarrow"), self._arrow_column
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        # A column of text may hold anything: as bytes nothing is refused.
        return Lines([row or b"" for row in values.cast(pa.large_binary()).to_pylist()])
