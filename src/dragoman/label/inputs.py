"""Several inputs become one run of pieces, and what format they leave in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

from dragoman.errors import BadTable, UnfitTable, UsageError
from dragoman.tables.formats import DOCUMENTS, Format, format_of
from dragoman.tables.pieces import Lines, RowPiece
from dragoman.tables.read import check_columns, pieces
from dragoman.tables.source import Source

#: Files and stdin, and URLs that were given as they are.
Inputs = Sequence[Source | Lines]
_TABLES = frozenset({Format.PARQUET, Format.CSV, Format.TSV, Format.JSONL})


def formats_of(inputs: Inputs) -> tuple[set[Format], Format | None]:
    """(formats, shared): those of the inputs, and the one of them all if they are tables of one format."""
    formats = {part.format if isinstance(part, Source) else Format.TEXT for part in inputs}
    return formats, next(iter(formats)) if len(formats) == 1 and formats <= _TABLES else None


def loses_columns(inputs: Inputs, written: Format) -> bool:
    """True if the columns of tables are lost because the rows do not share them."""
    formats, shared = formats_of(inputs)
    if shared is None:
        return bool(formats & _TABLES)
    return shared is Format.JSONL and written not in (Format.JSONL, Format.TABLE)


def is_stdout(path: str | None) -> bool:
    """True if what is written goes to no file."""
    return path in (None, "-")


def output_format(asked: str | None, path: str | None, shared: Format | None, table: bool = False) -> Format:
    """The format to write: as asked, as the file's name says, as the inputs have it, or JSON lines.

    On a terminal Parquet becomes JSON lines, and with `table` everything is a table for people.
    """
    to_terminal = is_stdout(path) and sys.stdout.isatty()
    if asked:
        if asked == Format.PARQUET and to_terminal:
            raise UsageError("Parquet is not for a terminal: give a file to write to")
        return Format(asked)
    if to_terminal and table:
        return Format.TABLE
    if to_terminal and shared is Format.PARQUET:
        return Format.JSONL
    return named_format(path) or shared or Format.JSONL


def named_format(path: str | None) -> Format | None:
    """The format that the name of an output says, if any; UsageError if it is one that nobody here writes."""
    if is_stdout(path):
        return None
    try:
        if PurePath(str(path)).suffix.lower() not in DOCUMENTS:
            return format_of(str(path))
    except BadTable:
        pass
    hint = "end it in .parquet, .csv, .tsv or .jsonl, or say the format"
    raise UsageError(f"Cannot write '{path}': {hint}")


def check_texts(inputs: Inputs, written: Format) -> None:
    """UsageError unless these are tables of texts of one format that can be written so without losing their columns."""
    formats, shared = formats_of(inputs)
    if Format.TEXT in formats:
        raise UsageError("A column is for tables, and this is none: leave it out, or say the format of the table")
    if shared is None:
        raise UsageError(f"These tables have several formats ({', '.join(sorted(formats))}): run them one by one")
    if written is Format.TABLE:
        raise UsageError(f"A table of texts cannot be written as '{written}': write CSV, TSV, JSON lines or Parquet")
    flows = any(isinstance(part, Source) and part.stream is not None for part in inputs)
    if flows and shared is Format.JSONL and written is not Format.JSONL:
        raise UsageError(f"JSON lines are read twice to be written as '{written}': give a file, or write JSON lines")


def all_pieces(
    inputs: Inputs, column: str, whole: bool, progress: Callable[[float | None], None]
) -> Iterator[RowPiece]:
    """The pieces of all inputs; with `whole`, tables keep their columns, which must then agree.

    `progress` is told after each piece how far the reading is: a fraction, or None where that is not known.
    """
    if len(inputs) > 1:  # what is wrong with the last is told before the first is labelled
        for part in inputs:
            if isinstance(part, Source):
                check_columns(part, column)
                if whole:
                    _check_same(inputs[0], part)
    for number, part in enumerate(inputs):
        if isinstance(part, Lines):
            yield part
            continue
        for order, piece in enumerate(pieces(part, column)):
            if order == 0 and whole:
                _check_same(inputs[0], part)
            yield piece
            progress((number + part.position / part.size) / len(inputs) if part.size else None)


def _check_same(first: Source | Lines, other: Source) -> None:
    """BadTable if the columns of two tables are known and are not the same."""
    assert isinstance(first, Source)
    if first.schema is None or other.schema is None:
        return
    same = first.schema.equals(other.schema) if hasattr(first.schema, "equals") else first.schema == other.schema
    if not same:
        raise UnfitTable(f"'{other.name}' does not have the columns of '{first.name}': run them one by one")
