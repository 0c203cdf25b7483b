"""A file or stdin that rows are read from, and how it is told what is wrong with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import BadTable, UnfitTable, shorten
from dragoman.tables.formats import Format
from dragoman.tables.packing import DAMAGE

NEW_COLUMNS = (LANGUAGE, PROBABILITY)
#: What stands in a header that was read as it was not meant, and what to do about it; the last that is there counts.
_ODD_HEADERS = {
    "|": "Its columns stand between bars: write commas, semicolons or tabs instead",
    "\t": "Its columns stand between tabs: say that it is TSV (--input-format tsv, or input_format='tsv')",
    "://": "Its first line is no header: write the names of the columns above it",
    "\r": "Its lines end in carriage returns alone: save it with other line ends",
    "\0": "It seems to be UTF-16 without its mark: save it as UTF-8",
}


@dataclass(eq=False)
class Source:
    """A file or stdin, ready to be read.

    `position` of `size` are bytes, or rows of a Parquet file (None: not known). `new_columns` are those that will be
    added: where the table has one of these names, `replace` says whether it goes.
    """

    name: str
    format: Format
    stream: Any = None
    size: int | None = None
    position: int = 0
    new_columns: Sequence[str] = NEW_COLUMNS
    replace: bool = False
    #: Of a Parquet file: the columns to keep, in this order (None: all), and the most rows of a piece (None: as usual).
    kept_columns: Sequence[str] | None = None
    piece_rows: int | None = None
    #: What people should know about it, though it is read: a line of text, or nothing.
    remark: str = ""
    schema: Any = field(default=None, init=False)
    #: Of a Parquet file: nothing but the column that is judged is wanted; no piece may reach over the end of a group.
    one_column: bool = field(default=False, init=False)
    by_group: bool = field(default=False, init=False)

    def clashes(self, names: Sequence[str], column: str) -> list[str]:
        """The columns that are there already and are to be replaced; BadTable if nobody asked for that."""
        twice = [name for name in names if name in self.new_columns]
        if twice and not self.replace:
            raise UnfitTable(
                f"'{self.name}' has a column '{twice[0]}' already: rename it, or write over it "
                "(--replace, or replace=True)"
            )
        if column in twice:
            raise UnfitTable(f"'{self.name}': what is judged is in '{column}', which would be replaced: rename it")
        return twice

    def replaced(self, names: Sequence[str], column: str) -> list[str]:
        """The columns of a table that are to be replaced; BadTable unless it has the judged column, and once."""
        if column not in names:
            raise no_column(self.name, column, names)
        if names.count(column) > 1:
            raise UnfitTable(f"'{self.name}' has {names.count(column)} columns '{column}': rename all but one")
        return self.clashes(names, column)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """What goes wrong with a file becomes a BadTable that names it."""
    try:
        yield
    except FileNotFoundError:
        raise UnfitTable(f"No such file: '{name}'; check its name") from None
    except DAMAGE as error:
        raise BadTable(f"'{name}' is damaged or cut off: {shorten(str(error))}") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadTable(f"Cannot read '{name}': {shorten(error.strerror or str(error))}") from error


def no_column(name: str, column: str, names: Sequence[str], judged: bool = True) -> BadTable:
    """The error for a table without a column, which is the one that is judged or another."""
    shown = shorten(", ".join(names), 200)
    near = nearest_column(column, tuple(names))
    hint = ". Name the one to read (--column, or column=)" if judged else ""
    hint += f". Did you mean '{near}'?" if near else ""
    for sign, remedy in () if name.endswith((".parquet", ".pq")) else _ODD_HEADERS.items():
        if any(sign in title for title in names) and (len(names) == 1 or sign not in "|\t"):
            hint = f". {remedy}"
    return UnfitTable(f"'{name}' has no column '{column}'; its columns: {shown}{hint}")


@lru_cache(maxsize=256)
def nearest_column(column: str, names: tuple[str, ...]) -> str | None:
    """The column that somebody who typed this name may have meant, or None.

    >>> nearest_column("URL", ("id", "url")), nearest_column("adress", ("id", "address")), nearest_column("x", ("id",))
    ('url', 'address', None)
    """
    plain = {name.casefold().strip(): name for name in reversed(names)}
    near = difflib.get_close_matches(column.casefold().strip(), plain, n=1, cutoff=0.7)
    return plain[near[0]] if near else None
