"""A file or stdin that rows are read from, and how it is told what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import BadTable, shorten
from dragoman.tables.formats import Format
from dragoman.tables.packing import DAMAGE

NEW_COLUMNS = (LANGUAGE, PROBABILITY)


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
    schema: Any = field(default=None, init=False)
    #: Of a Parquet file: nothing but the column that is judged is wanted; no piece may reach over the end of a group.
    one_column: bool = field(default=False, init=False)
    by_group: bool = field(default=False, init=False)

    def clashes(self, names: Sequence[str], column: str) -> list[str]:
        """The columns that are there already and are to be replaced; BadTable if nobody asked for that."""
        twice = [name for name in names if name in self.new_columns]
        if twice and not self.replace:
            raise BadTable(
                f"'{self.name}' has a column '{twice[0]}' already: rename it, or write over it "
                "(--replace, or replace=True)"
            )
        if column in twice:
            raise BadTable(f"'{self.name}': what is judged is in '{column}', which would be replaced: rename it")
        return twice


@contextmanager
def reading(name: str) -> Iterator[None]:
    """What goes wrong with a file becomes a BadTable that names it."""
    try:
        yield
    except FileNotFoundError:
        raise BadTable(f"No such file: '{name}'") from None
    except DAMAGE as error:
        raise BadTable(f"'{name}' is damaged or cut off: {shorten(str(error))}") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadTable(f"Cannot read '{name}': {shorten(error.strerror or str(error))}") from error


def no_column(name: str, column: str, names: Sequence[str], judged: bool = True) -> BadTable:
    """The error for a table without a column, which is the one that is judged or another."""
    shown = shorten(", ".join(names), 200)
    hint = ". Name the one to read (--column, or column=)" if judged else ""
    return BadTable(f"'{name}' has no column '{column}'; its columns: {shown}{hint}")
