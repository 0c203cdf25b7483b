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

ADDED = (LANGUAGE, PROBABILITY)


@dataclass(eq=False)
class Source:
    """A file or stdin, ready to be read. `done` of `total` are bytes, or rows of a Parquet file (None: not known)."""

    name: str
    format: Format
    stream: Any = None
    total: int | None = None
    done: int = 0
    added: Sequence[str] = ADDED
    replace: bool = False
    #: Of a Parquet file: the columns to keep, in this order (None: all).
    columns: Sequence[str] | None = None
    schema: Any = field(default=None, init=False)
    #: Of a Parquet file: only the URLs are wanted; no piece may reach over the end of a row group.
    alone: bool = field(default=False, init=False)
    grouped: bool = field(default=False, init=False)

    def clashes(self, names: Sequence[str], column: str) -> list[str]:
        """The columns that are there already and are to be replaced; BadTable if nobody asked for that."""
        found = [name for name in names if name in self.added]
        if found and not self.replace:
            raise BadTable(
                f"'{self.name}' has a column '{found[0]}' already: rename it, or write over it with --replace"
            )
        if column in found:
            raise BadTable(f"'{self.name}': the URLs are in '{column}', a column that would be replaced: rename it")
        return found


@contextmanager
def told(name: str) -> Iterator[None]:
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


def lacks(name: str, column: str, names: Sequence[str], urls: bool = True) -> str:
    """The message for a table without the column, which is that of the URLs or another."""
    shown = shorten(", ".join(names), 200)
    return f"'{name}' has no column '{column}'; its columns: {shown}" + ". Name the URL column with --column" * urls
