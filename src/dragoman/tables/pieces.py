"""The pieces that a table is read in: a few thousand rows at a time.

All kinds of pieces answer the same few questions: `len`, `urls` (what dragoman.columns.ByteColumn takes), `errors`
(by row: why it has no URL) and `plain()` (the same rows with nothing but their URLs).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from dragoman.errors import need

#: How Parquet is compressed where nothing else is said.
PACKED = "zstd"


class Piece(Protocol):
    """Some consecutive rows of a table."""

    @property
    def urls(self) -> Any:
        """The URLs: a list of bytes, an Arrow column, or (data, offsets)."""

    @property
    def errors(self) -> Mapping[int, str]:
        """Why a row has no URL, by its number in the piece."""

    def __len__(self) -> int: ...

    def plain(self) -> Lines:
        """The rows without their other columns."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Rows of text or JSON lines. `objects` are the JSON lines as they stood, None where a line is no object."""

    urls: list[bytes]
    errors: Mapping[int, str] = field(default_factory=dict)
    objects: list[bytes | None] | None = None
    column: str = "url"

    def __len__(self) -> int:
        return len(self.urls)

    def plain(self) -> Lines:
        """Itself without the objects."""
        return Lines(self.urls, self.errors)


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of a Parquet file: an Arrow record batch, and how the file packs it and writes its timestamps."""

    batch: Any
    column: str
    errors: Mapping[int, str] = field(default_factory=dict)
    compression: str = PACKED
    int96: bool = False

    @property
    def urls(self) -> Any:
        """The Arrow column."""
        return self.batch.column(self.batch.schema.get_field_index(self.column))

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def plain(self) -> Lines:
        """The URLs as bytes; a missing one is empty."""
        pa, urls = need("bulk", "pyarrow"), self.urls
        if pa.types.is_dictionary(urls.type):
            urls = urls.dictionary_decode()
        # A column of text may hold anything: as bytes nothing is refused.
        return Lines([row or b"" for row in urls.cast(pa.large_binary()).to_pylist()])
