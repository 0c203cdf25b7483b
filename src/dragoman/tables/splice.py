"""Columns are added to a Parquet file without taking it apart: its bytes are copied, new columns and a footer follow.

A Parquet file is a body of column chunks and a footer that says where in the body each of them is. The new file is the
old body, byte for byte, then the chunks of the new columns, then the old footer with the new chunks entered. Places in
the old body stay what they were, and with them page indexes, Bloom filters, encodings and compression. Only the URL
column is ever decoded; reading and writing all columns again costs about three times as much as reading that one.

Files that this does not suit (`footer_of` gives None) are written anew by dragoman.tables.write.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import IO, Any

from dragoman.errors import need
from dragoman.tables import compact
from dragoman.tables.chunks import BYTES, COLUMNS, GROUPS, MAGIC, META, PACKED, SCHEMA, Encoded, encode, joined
from dragoman.tables.compact import BINARY, STRUCT, Value
from dragoman.tables.pieces import Added, Piece

_ARROW = b"ARROW:schema"
_COPIED = 1 << 22
#: Row groups smaller than this on average are better written anew: every one costs a visit.
_SMALL = 1 << 12
#: The new columns of a row group wait in memory, encoded, until it is complete.
_LARGE = 1 << 24
#: Reading a longer footer in Python would take many seconds.
_LONGEST = 1 << 22
#: Fields of the footer's structs, by the names that the format gives them; others are in dragoman.tables.chunks.
PAIRS, ORDERS, ALGORITHM = 5, 7, 8
_CHILDREN = 5
_BYTES, _GROUP_ROWS, _PACKED = 2, 3, 6


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
            footer = compact.read(file.read(length))
            groups = footer.field(GROUPS, (STRUCT, []))[1]
            counts = [group.field(_GROUP_ROWS) for group in groups]
            chunks = [chunk for group in groups for chunk in group[COLUMNS].items]
            # Chunks in other files, or encrypted ones, are not ours to point at.
            plain = all(META in chunk.value and 1 not in chunk.value and 8 not in chunk.value for chunk in chunks)
            usable = plain and ALGORITHM not in footer.value and _CHILDREN in footer[SCHEMA][0].value
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return None
    if not usable or not counts or max(counts) > _LARGE or min(counts) < 1:
        return None
    return footer if sum(counts) >= _SMALL * len(counts) or len(counts) == 1 else None


class Splice:
    """A Writer: the old file's body, then new columns row group by row group, then the footer."""

    def __init__(self, stream: IO[bytes], path: str, footer: Value) -> None:
        self.stream, self.path, self.footer = stream, path, footer
        self.groups = footer[GROUPS].items
        self.waiting: list[Encoded] = []
        self.rows = self.group = self.at = 0
        self.new: Value | None = None  # the footer of the latest new columns
        self.fields: Any = None

    def write(self, piece: Piece, added: Added) -> None:
        """Take the answers of the next rows; pieces must not reach over the end of a row group."""
        self.take(len(piece), encode(added))

    def take(self, rows: int, part: Encoded) -> None:
        """The same with what `encode` has made of the answers, perhaps in another thread."""
        if not self.at:
            self._copy()
        self.waiting.append(part)
        self.rows += rows
        if self.rows == self.groups[self.group].field(_GROUP_ROWS):
            self._add()
            self.waiting, self.rows = [], 0
            self.group += 1

    def _copy(self) -> None:
        with Path(self.path).open("rb") as file:
            left = file.seek(0, 2) - 8
            file.seek(left)
            left -= int.from_bytes(file.read(4), "little")
            file.seek(0)
            while block := file.read(min(left, _COPIED)):
                self.stream.write(block)
                self.at += len(block)
                left -= len(block)

    def _add(self) -> None:
        """Write the new columns of a row group and enter their chunks."""
        body, chunks = joined(self.waiting, self.at)
        self.new, self.fields = self.waiting[0].footer, self.waiting[0].schema
        group = self.groups[self.group]
        for chunk in chunks:
            group[COLUMNS].items.append(chunk)
            group.raise_by(_BYTES, chunk[META].field(BYTES))
            group.raise_by(_PACKED, chunk[META].field(PACKED))
        for part in body:
            self.stream.write(part)
            self.at += len(part)

    def close(self) -> None:
        """Write the footer, if all rows have come."""
        if self.group < len(self.groups) or self.new is None:
            return
        schema = self.footer[SCHEMA]
        leaves = self.new[SCHEMA].items[1:]
        schema[0].raise_by(_CHILDREN, len(leaves))
        schema.items.extend(leaves)
        if ORDERS in self.footer.value:
            self.footer[ORDERS].items.extend(self.new[ORDERS].items)
        self._tell_arrow()
        footer = compact.write(self.footer)
        self.stream.write(footer + len(footer).to_bytes(4, "little") + MAGIC)

    def _tell_arrow(self) -> None:
        """Arrow writes its own schema into the footer, for types that Parquet does not have: the new columns too."""
        pa = need("bulk", "pyarrow")
        for pair in self.footer.field(PAIRS, (STRUCT, []))[1]:
            if pair.field(1) == _ARROW:
                schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(pair.field(2))))
                for field in self.fields:
                    plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
                    schema = schema.append(pa.field(field.name, plain))
                pair.value[2] = Value(BINARY, base64.b64encode(schema.serialize()))
