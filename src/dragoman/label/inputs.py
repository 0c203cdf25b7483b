"""Several inputs become one run of pieces, and what format they leave in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dragoman.errors import BadTable, UsageError
from dragoman.tables.formats import Format, format_of
from dragoman.tables.pieces import Lines, RowPiece
from dragoman.tables.read import pieces
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


def named_format(path: str, otherwise: Format | None = None) -> Format:
    """The format that the name of a new file asks for; where it tells nothing, another or JSON lines."""
    try:
        return format_of(path) or otherwise or Format.JSONL
    except BadTable:
        raise UsageError(
            f"Cannot write '{path}': end it in .parquet, .csv, .tsv or .jsonl, or say the format"
        ) from None


def shared_format(inputs: Inputs) -> Format:
    """The format of tables of texts, which must be one; UsageError for what is no table."""
    formats, shared = formats_of(inputs)
    if Format.TEXT in formats:
        raise UsageError("A column is for tables, and this is none: leave it out, or say the format of the table")
    if shared is None:
        raise UsageError(f"These tables have several formats ({', '.join(sorted(formats))}): run them one by one")
    return shared


def check_texts_format(shared: Format, written: Format) -> None:
    """UsageError if a table of texts would lose its columns on the way to another format."""
    if written is Format.TABLE or (shared is Format.JSONL and written is not Format.JSONL):
        hint = "write JSON lines" if shared is Format.JSONL else "write CSV, TSV, JSON lines or Parquet"
        raise UsageError(f"A table of texts cannot be written as '{written}': {hint}")


def all_pieces(
    inputs: Inputs, column: str, whole: bool, progress: Callable[[float | None], None]
) -> Iterator[RowPiece]:
    """The pieces of all inputs; with `whole`, tables keep their columns, which must then agree.

    `progress` is told after each piece how far the reading is: a fraction, or None where that is not known.
    """
    schema: Any = None
    for number, part in enumerate(inputs):
        if isinstance(part, Lines):
            yield part
            continue
        for order, piece in enumerate(pieces(part, column)):
            if order == 0 and whole and part.schema is not None:
                if schema is not None and not _agree(schema, part.schema):
                    first = inputs[0]
                    assert isinstance(first, Source)
                    raise BadTable(f"'{part.name}' does not have the columns of '{first.name}': run them one by one")
                schema = schema if schema is not None else part.schema
            yield piece
            progress((number + part.position / part.size) / len(inputs) if part.size else None)


def _agree(schema: Any, other: Any) -> bool:
    return bool(schema.equals(other)) if hasattr(schema, "equals") else bool(schema == other)
