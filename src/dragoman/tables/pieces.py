"""The pieces that a table is read in, and what is added to each: a few thousand rows at a time.

All kinds of pieces answer the same few questions: `len`, `urls` (what dragoman.columns.ByteColumn takes), `errors`
(by row: why it has no URL) and `plain()` (the same rows with nothing but their URLs).
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import need

#: The columns that are added: the first two always, the third instead of the first where a yes or no was asked for.
LANGUAGE, PROBABILITY, WANTED = "language", "probability", "wanted"
#: How Parquet is compressed where nothing else is said.
PACKED = "zstd"


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


@dataclass(frozen=True, eq=False)
class Added:
    """What is added to the rows of a piece: a language (a number into `languages`, -1 for none) and its probability.

    The probability is NaN where there was nothing to judge. `extra` has further values per row, of JSON's kinds. Where
    a yes or no was asked for (`decides`), the languages are the words `false` and `true` and the column is `wanted`.
    """

    languages: tuple[str, ...]
    language: NDArray[np.int64] | NDArray[np.int16]
    probability: NDArray[np.float32]
    extra: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    decides: bool = False

    @classmethod
    def decisions(
        cls, yes: NDArray[np.bool_], probability: NDArray[np.float32], extra: Mapping[str, Sequence[Any]]
    ) -> Added:
        """A yes or no for each row, and the probability that it went by."""
        return cls(("false", "true"), yes.astype(np.int16), probability, extra, True)

    @classmethod
    def joined(cls, parts: Sequence[Added]) -> Added:
        """What is added to several pieces, one behind the other; they must be of the same kind."""
        first = parts[0]
        return cls(
            first.languages,
            np.concatenate([part.language for part in parts]),
            np.concatenate([part.probability for part in parts]),
            {name: [value for part in parts for value in part.extra[name]] for name in first.extra},
            first.decides,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (WANTED if self.decides else LANGUAGE, PROBABILITY, *self.extra)

    def small(self) -> Added:
        """The same in less memory."""
        return Added(self.languages, self.language.astype(np.int16), self.probability, self.extra, self.decides)

    def tags(self) -> list[str | None]:
        """The languages as Python values: for people and for JSON, not for bulk."""
        named = (*self.languages, None)
        return [named[code] for code in self.language.tolist()]

    def probabilities(self) -> list[float | None]:
        """The probabilities as Python values, to six places."""
        rounded = np.round(self.probability.astype(np.float64), 6).tolist()
        return [value if value == value else None for value in rounded]

    def arrow(self) -> tuple[Any, Any]:
        """(language, probability) as Arrow columns."""
        first, second, *_ = self.columns().values()
        return first, second

    def columns(self, coded: bool = False) -> dict[str, Any]:
        """The Arrow columns by name, null where there is no answer: no Python object per row, but for the extra ones.

        With `coded` the languages are numbers into a dictionary; extra values are JSON text.
        """
        pa = need("bulk", "pyarrow")
        if self.decides:
            first = pa.array(self.language.astype(bool))
        else:
            codes = pa.array(self.language, mask=self.language < 0)
            named = pa.array(self.languages, pa.string())
            first = pa.DictionaryArray.from_arrays(codes, named) if coded else named.take(codes)
        found = {self.names[0]: first}
        found[PROBABILITY] = pa.array(self.probability, pa.float32(), mask=np.isnan(self.probability))
        for name, values in self.extra.items():
            found[name] = pa.array([json.dumps(value, ensure_ascii=False) for value in values], pa.string())
        return found
