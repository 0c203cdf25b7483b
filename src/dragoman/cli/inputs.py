"""What `dragoman url` was given, URLs, files and stdin in any order, becomes pieces of rows; and what to write."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dragoman.errors import BadTable, UsageError, shorten
from dragoman.tables.formats import Format, format_of, is_bare_word, looks_like_a_table
from dragoman.tables.pieces import Lines, Piece
from dragoman.tables.read import pieces, source
from dragoman.tables.source import Source

Inputs = list[Source | Lines]
#: Told how far the work is: a fraction, or None where that is not known.
Told = Callable[[float | None], None]
_TABLES = frozenset({Format.PARQUET, Format.CSV, Format.TSV, Format.JSONL})


def inputs_of(
    given: Sequence[str], format: Format | None, added: Sequence[str], replace: bool, column: str | None = None
) -> Inputs:
    """The inputs in their order: files and stdin as sources, URLs beside each other as one piece.

    No input at all is stdin, where something is piped in.
    """
    if not given:
        if not _piped():
            raise UsageError("Nothing to do: give URLs, files, or - for stdin (dragoman url --help)")
        given = ("-",)
    found: Inputs = []
    if given.count("-") > 1:
        raise UsageError("'-' (stdin) can be read only once: give it once")
    for one in given:
        if one == "-" or _is_there(one):
            found.append(source(one, format, added, replace, column))
        elif looks_like_a_table(one):
            hint = "if it is a URL, write http:// before it"
            raise UsageError(f"No such file: '{shorten(one)}'; check its name, or {hint}")
        elif is_bare_word(one):
            hint = f"write http://{shorten(one)} if it is a host"
            raise UsageError(f"'{shorten(one)}' is neither a URL nor a file: check its name, or {hint}")
        else:
            if not found or not isinstance(found[-1], Lines):
                found.append(Lines([]))
            found[-1].urls.append(os.fsencode(one))  # type: ignore[union-attr]
    return found


def _piped() -> bool:
    """True if stdin is a pipe or a file, and not a terminal or the nothing that a service starts with."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or not a stream of the system
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None or not stream.seekable():
            return False
        place = stream.tell()
        return bool(stream.read(1)) and stream.seek(place) >= 0
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _is_there(given: str) -> bool:
    try:
        return bool(given) and Path(given).exists()  # no name at all would be this folder
    except (OSError, ValueError):  # too long for a name, or NUL in it
        return False


def formats_of(found: Inputs) -> tuple[set[Format], Format | None]:
    """(formats, kept): those of the inputs, and the one of them all if they are tables of one format."""
    formats = {one.format if isinstance(one, Source) else Format.TEXT for one in found}
    return formats, next(iter(formats)) if len(formats) == 1 and formats <= _TABLES else None


def mixed(formats: set[Format], kept: Format | None, written: Format) -> bool:
    """True if the columns of tables are lost because the rows do not share them."""
    return bool(kept is None and formats & _TABLES) or (
        kept is Format.JSONL and written not in (Format.JSONL, Format.TABLE)
    )


def output_format(asked: str | None, path: str | None, kept: Format | None) -> Format:
    """The format to write: as asked, as the file's name says, a table on a terminal, as it came in, or JSON lines."""
    if asked:
        chosen = Format(asked)
        if chosen is Format.PARQUET and path in (None, "-") and sys.stdout.isatty():
            raise UsageError("Parquet is not for a terminal: give a file with -o FILE")
        return chosen
    if path not in (None, "-"):
        try:
            by_name = format_of(str(path))
        except BadTable:
            raise UsageError(
                f"Cannot write '{path}': end it in .parquet, .csv, .tsv or .jsonl (or give --format)"
            ) from None
        return by_name or kept or Format.JSONL
    return Format.TABLE if sys.stdout.isatty() else kept or Format.JSONL


def all_pieces(found: Inputs, column: str, whole: bool, told: Told) -> Iterator[Piece]:
    """The pieces of all inputs; with `whole`, tables keep their columns, which must then agree."""
    schema: Any = None
    for number, one in enumerate(found):
        if isinstance(one, Lines):
            yield one
            continue
        first = True
        for piece in pieces(one, column):
            if first and whole and one.schema is not None:
                if schema is not None and not _same(schema, one.schema):
                    raise BadTable(f"'{one.name}' does not have the columns of '{found[0].name}': run them one by one")  # type: ignore[union-attr]
                schema = schema if schema is not None else one.schema
            first = False
            yield piece
            told((number + one.done / one.total) / len(found) if one.total else None)


def _same(one: Any, other: Any) -> bool:
    return bool(one.equals(other)) if hasattr(one, "equals") else bool(one == other)
