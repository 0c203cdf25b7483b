"""Columns are added to a Parquet file without taking it apart: its bytes are copied, new columns and a footer follow.

A Parquet file is a body of column chunks and a footer that says where in the body each of them is. The new file is the
old body, byte for byte, then the chunks of the new columns, then the old footer with the new chunks entered. Places in
the old body stay what they were, and with them page indexes, Bloom filters, encodings and compression. Only the URL
column is ever decoded; reading and writing all columns again costs about three times as much as reading that one.

Columns that are to go, because new ones have their names or nobody asked for them, are left out by
tables.parquet.prune. Files that this does not suit (`footer_of` gives None) are written anew by tables.write.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import IO, Any

from dragoman.columns import AnswerColumns
from dragoman.errors import BadTable, need
from dragoman.tables.formats import Format
from dragoman.tables.parquet import thrift
from dragoman.tables.parquet.chunks import BYTES, COLUMNS, GROUPS, MAGIC, META, PACKED, SCHEMA, encode
from dragoman.tables.parquet.prune import CHILDREN, GROUP_BYTES, GROUP_PACKED, ORDERS, Ranges, columns_of, prune
from dragoman.tables.parquet.spark_schema import NOTE, spark_schema
from dragoman.tables.parquet.thrift import BINARY, STRUCT, Value
from dragoman.tables.pieces import RowPiece
from dragoman.tables.source import Source

_ARROW = b"ARROW:schema"
_COPIED = 1 << 22
#: Row groups smaller than this on average are better written anew: every one costs a visit.
_SMALL = 1 << 12
#: The new columns of a row group wait in memory until it is complete: six bytes for each row.
_LARGE = 1 << 24
#: Reading a longer footer in Python would take many seconds.
_LONGEST = 1 << 22
#: Fields of the footer's structs, by the names that the format gives them; others are in tables.parquet.chunks.
PAIRS, ALGORITHM = 5, 8
_GROUP_ROWS = 3


def footer_of(path: str) -> Value | None:
    """The footer of a Parquet file to which columns can be added by splicing, or None."""
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        if size < 12:
            return None
        file.seek(size - 8)
        tail = file.read(8)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != MAGIC or length > min(size - 12, _LONGEST):
            return None
        file.seek(size - 8 - length)
        try:
            footer = thrift.read(file.read(length))
            groups = footer.field(GROUPS, (STRUCT, []))[1]
            counts = [group.field(_GROUP_ROWS) for group in groups]
            chunks = [chunk for group in groups for chunk in group[COLUMNS].items]
            # Chunks in other files, or encrypted ones, are not ours to point at.
            plain = all(META in chunk.value and 1 not in chunk.value and 8 not in chunk.value for chunk in chunks)
            usable = plain and ALGORITHM not in footer.value and CHILDREN in footer[SCHEMA][0].value
            columns_of(footer)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return None
    if not usable or not counts or max(counts) > _LARGE or min(counts) < 1:
        return None
    return footer if sum(counts) >= _SMALL * len(counts) or len(counts) == 1 else None


def splice(source: Source, stream: IO[bytes]) -> Splice | None:
    """A Splice for a Parquet file that suits it; of its rows only the judged column is then read, and by group."""
    footer = footer_of(source.name) if source.stream is None else None
    if footer is None:
        return None
    names = [name for name, _, _ in columns_of(footer)]
    keep = [name for name in source.kept_columns or names if name not in source.new_columns]
    ranges = None
    if keep != names:
        ranges = prune(footer, keep, Path(source.name).stat().st_size)
        if ranges is None:
            return None
    source.one_column = source.by_group = True
    return Splice(stream, source.name, footer, ranges)


class Splice:
    """A Writer: the old file's body, or what stays of it, then new columns group by group, then the footer."""

    format = Format.PARQUET

    def __init__(self, stream: IO[bytes], path: str, footer: Value, ranges: Ranges | None = None) -> None:
        self.stream, self.path, self.footer, self.ranges = stream, path, footer, ranges
        self.groups = footer[GROUPS].items
        self.waiting: list[Any] = []  # tables of new columns
        self.rows = self.group = self.at = 0
        self.new: Value | None = None  # the footer of the latest new columns
        self.fields: Any = None

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> tuple[Any, bool]:
        """(table, coded): the new columns, and whether the first is one of languages; nothing else is needed."""
        return need("bulk", "pyarrow").table(answers.arrow(coded=True)), bool(answers.languages)

    def write(self, encoded: tuple[Any, bool]) -> None:
        """Take the new columns of the next rows; pieces must not reach over the end of a row group."""
        if not self.at:
            self._copy()
        if self.group == len(self.groups):
            raise self._damaged()
        table, coded = encoded
        self.waiting.append(table)
        self.rows += len(table)
        if self.rows == self.groups[self.group].field(_GROUP_ROWS):
            self._add(coded)
            self.waiting, self.rows = [], 0
            self.group += 1

    def _damaged(self) -> BadTable:
        return BadTable(f"'{self.path}' is damaged: its row groups do not have the rows that they say")

    def _copy(self) -> None:
        with Path(self.path).open("rb") as file:
            end = file.seek(0, 2) - 8
            file.seek(end)
            end -= int.from_bytes(file.read(4), "little")
            for start, size in self.ranges or [(0, end)]:
                file.seek(start)
                stop = self.at + size
                while block := file.read(min(stop - self.at, _COPIED)):
                    self.stream.write(block)
                    self.at += len(block)

    def _add(self, coded: bool) -> None:
        """Write the new columns of a row group and enter their chunks."""
        table = need("bulk", "pyarrow").concat_tables(self.waiting)
        new = encode(table, coded, self.at)
        self.new, self.fields = new.footer, table.schema
        group = self.groups[self.group]
        for chunk in new.chunks:
            group[COLUMNS].items.append(chunk)
            group.raise_by(GROUP_BYTES, chunk[META].field(BYTES))
            group.raise_by(GROUP_PACKED, chunk[META].field(PACKED))
        self.stream.write(new.body)
        self.at += len(new.body)

    def close(self) -> None:
        """Write the footer; BadTable if not all rows have come that it tells of."""
        if self.group < len(self.groups) or self.new is None:
            raise self._damaged()
        schema = self.footer[SCHEMA]
        leaves = self.new[SCHEMA].items[1:]
        schema[0].raise_by(CHILDREN, len(leaves))
        schema.items.extend(leaves)
        if ORDERS in self.footer.value:
            self.footer[ORDERS].items.extend(self.new[ORDERS].items)
        self._note_columns()
        footer = thrift.write(self.footer)
        self.stream.write(footer + len(footer).to_bytes(4, "little") + MAGIC)

    def _note_columns(self) -> None:
        """Arrow and Spark note the columns in the footer, as they know them: the new ones too, none that is gone."""
        pa = need("bulk", "pyarrow")
        fields = [pa.field(field.name, _plain(field.type)) for field in self.fields]
        old_names = [name for name, _, _ in columns_of(self.footer)][: -len(fields)]
        pairs = self.footer.field(PAIRS, (STRUCT, []))[1]
        for pair in list(pairs):
            if pair.field(1) == _ARROW:
                schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(pair.field(2))))
                stay = list(schema) if self.ranges is None else [schema.field(name) for name in old_names]
                noted = pa.schema([*stay, *fields], schema.metadata)
                pair.value[2] = Value(BINARY, base64.b64encode(noted.serialize()))
            elif pair.field(1) == NOTE:
                note = spark_schema(pair.field(2, b""), old_names, fields)
                if note is None:
                    pairs.remove(pair)
                else:
                    pair.value[2] = Value(BINARY, note)


def _plain(kind: Any) -> Any:
    """The type of the values, where they are numbers into a dictionary."""
    return kind.value_type if need("bulk", "pyarrow").types.is_dictionary(kind) else kind
