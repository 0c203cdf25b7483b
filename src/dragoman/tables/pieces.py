"""The pieces that a table is read in, and what is added to each: a few thousand rows at a time.

All kinds of pieces answer the same few questions: `len`, `urls` (what dragoman.url.batch.UrlBatch takes), `errors`
(by row: why it has no URL) and `plain()` (the same rows with nothing but their URLs).
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import need

#: The columns that are always added.
LANGUAGE, PROBABILITY = "language", "probability"


def _percent(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"%{byte:02X}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("dragoman-percent", _percent)


def text_of(url: bytes) -> str:
    """A URL as text: bytes that are not UTF-8 are percent-escaped, as a browser would send them.

    >>> text_of(b"http://a.fr/fran\\xe7ais")
    'http://a.fr/fran%E7ais'
    """
    return url.decode("utf-8", "dragoman-percent")


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
    """Rows of a Parquet file: an Arrow record batch."""

    batch: Any
    column: str
    errors: Mapping[int, str] = field(default_factory=dict)

    @property
    def urls(self) -> Any:
        """The Arrow column."""
        return self.batch.column(self.batch.schema.get_field_index(self.column))

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def plain(self) -> Lines:
        """The URLs as bytes; a missing one is empty."""
        rows = self.urls.to_pylist()
        return Lines([row.encode() if isinstance(row, str) else row or b"" for row in rows])


@dataclass(frozen=True, eq=False)
class Added:
    """What is added to the rows of a piece: a language (a number into `languages`, -1 for none) and its probability.

    The probability is NaN where there was nothing to judge. `extra` has further values per row, of JSON's kinds.
    """

    languages: tuple[str, ...]
    language: NDArray[np.int64]
    probability: NDArray[np.float32]
    extra: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def tags(self) -> list[str | None]:
        """The languages as Python values: for people and for JSON, not for bulk."""
        named = (*self.languages, None)
        return [named[code] for code in self.language.tolist()]

    def probabilities(self) -> list[float | None]:
        """The probabilities as Python values, to six places."""
        rounded = np.round(self.probability.astype(np.float64), 6).tolist()
        return [value if value == value else None for value in rounded]

    def arrow(self) -> tuple[Any, Any]:
        """(language, probability) as Arrow columns, null where there is no answer: no Python object per row."""
        pa = need("bulk", "pyarrow")
        codes = pa.array(self.language, mask=self.language < 0)
        language = pa.array(self.languages, pa.string()).take(codes)
        return language, pa.array(self.probability, pa.float32(), mask=np.isnan(self.probability))
