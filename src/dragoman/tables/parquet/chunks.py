"""Column chunks of Parquet files: what the footer says about them, new ones, and such as move to another place.

A column chunk is a dictionary page, if there is one, and data pages. The footer says where they begin. So a chunk that
pyarrow has written to a small file in memory is one of any other file, once its places are told anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.errors import need
from dragoman.tables.parquet import thrift
from dragoman.tables.parquet.thrift import Value

MAGIC = b"PAR1"
#: Fields of the footer's structs, by the names that the format gives them.
SCHEMA, GROUPS = 2, 4
COLUMNS, META = 1, 3
BYTES, PACKED = 6, 7
DATA_PAGE, DICTIONARY_PAGE = 9, 11
_FILE_OFFSET, _INDEXES = 2, (4, 5, 6, 7)
_INDEX_PAGE, _BLOOM = 10, (14, 15)


@dataclass(frozen=True, eq=False)
class NewColumns:
    """The bytes of new columns of a row group, their chunks, and the footer of the small file that they come from."""

    body: bytes
    chunks: list[Value]
    footer: Value


def encode(table: Any, coded: bool, at: int) -> NewColumns:
    """An Arrow table as columns of one row group that begin at the place `at`; with `coded`, the first is languages."""
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    sink = pa.BufferOutputStream()
    # Few languages, many rows: a dictionary is small and quick. Probabilities hardly repeat. What is least and
    # most lets a reader skip row groups that have no URL in a language.
    first: Any = table.column_names[:1] if coded else False
    pq.write_table(
        table, sink, row_group_size=len(table), compression="zstd", compression_level=1, store_schema=False,
        use_dictionary=first, write_statistics=first,
    )  # fmt: skip
    made = memoryview(sink.getvalue())
    length = int.from_bytes(made[-8:-4], "little")
    footer = thrift.read(bytes(made[-8 - length : -8]))
    chunks = footer[GROUPS][0][COLUMNS].items
    for chunk in chunks:
        move(chunk, at - len(MAGIC))
    return NewColumns(bytes(made[len(MAGIC) : -8 - length]), chunks, footer)


def move(chunk: Value, by: int) -> None:
    """Enter that the pages of a chunk lie elsewhere; what tells places of other things about it is left out."""
    meta = chunk[META]
    if not meta.field(DICTIONARY_PAGE, 0):  # some writers say 0 where there is none
        meta.value.pop(DICTIONARY_PAGE, None)
    for number in (DATA_PAGE, DICTIONARY_PAGE):
        meta.raise_by(number, by)
    for number in (_INDEX_PAGE, *_BLOOM):
        meta.value.pop(number, None)
    for number in _INDEXES:
        chunk.value.pop(number, None)
    if _FILE_OFFSET in chunk.value:
        chunk[_FILE_OFFSET].value = 0
