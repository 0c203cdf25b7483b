"""New columns of a Parquet file are encoded piece by piece, by any thread, and joined to column chunks.

A column chunk is a dictionary page, if there is one, and data pages, each of which says by itself how it is encoded and
packed. So the pages of several pieces behind each other are the pages of one chunk, as long as they mean the same
dictionary; the languages of a model are one. What the footer says about a chunk is added up: values, bytes and missing
values are sums, the least and the most of all are the least and the most of the pieces. Sizes that only help a reader
to plan (`size_statistics`) are left out.

Joining costs a copy of the packed bytes, about three per row. What takes time, encoding and packing, is in `encode`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.columns import AnswerColumns
from dragoman.errors import need
from dragoman.tables.parquet import thrift
from dragoman.tables.parquet.thrift import INT, LIST, STRUCT, Value

MAGIC = b"PAR1"
#: Fields of the footer's structs, by the names that the format gives them.
SCHEMA, GROUPS = 2, 4
COLUMNS, META = 1, 3
ENCODINGS, VALUES, BYTES, PACKED = 2, 5, 6, 7
DATA_PAGE, DICTIONARY_PAGE, STATISTICS, PAGES, SIZES = 9, 11, 12, 13, 16
_FILE_OFFSET, _INDEXES = 2, (4, 5, 6, 7)
#: Of statistics: what is largest, what is smallest (in the old and the new way), and how many values are missing.
_LARGEST, _SMALLEST, _MISSING, _EXACT = (1, 5), (2, 6), 3, (7, 8)
_IS_DICTIONARY = 2


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """The pages of a column of a piece, and what its footer says about them."""

    dictionary: bytes
    pages: bytes
    chunk: Value


@dataclass(frozen=True, eq=False)
class Encoded:
    """The new columns of a piece; `footer` and `schema` are those of the small file that they were written to."""

    rows: int
    columns: list[EncodedColumn]
    footer: Value
    schema: Any


def encode(answers: AnswerColumns) -> Encoded:
    """The new columns of one piece as Parquet's pages; changes nothing, and may be called by several threads."""
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    table = pa.table(answers.arrow(coded=True))
    sink = pa.BufferOutputStream()
    # Few languages, many rows: a dictionary is small and quick. Probabilities hardly repeat. What is least and
    # most lets a reader skip row groups that have no URL in a language.
    coded: Any = table.column_names[:1] if answers.languages else False
    pq.write_table(
        table, sink, row_group_size=len(table), compression="zstd", compression_level=1, store_schema=False,
        use_dictionary=coded, write_statistics=coded,
    )  # fmt: skip
    made = memoryview(sink.getvalue())
    length = int.from_bytes(made[-8:-4], "little")
    footer = thrift.read(bytes(made[-8 - length : -8]))
    columns = []
    for chunk in footer[GROUPS][0][COLUMNS].items:
        meta = chunk[META]
        data = meta.field(DATA_PAGE)
        start = meta.field(DICTIONARY_PAGE, data)
        columns.append(EncodedColumn(bytes(made[start:data]), bytes(made[data : start + meta.field(PACKED)]), chunk))
    return Encoded(len(table), columns, footer, table.schema)


def joined(parts: Sequence[Encoded], at: int) -> tuple[list[bytes], list[Value]]:
    """(body, chunks): the bytes of the columns of all pieces, to be written at the place `at`, and what they are."""
    body: list[bytes] = []
    chunks = []
    for number in range(len(parts[0].columns)):
        columns = [part.columns[number] for part in parts]
        dictionary = columns[0].dictionary
        # The same languages, written in the same way: otherwise the numbers in the pages would mean something else.
        assert all(column.dictionary == dictionary for column in columns)
        pages = [dictionary, *(column.pages for column in columns)]
        chunks.append(_chunk(columns, at))
        body += pages
        at += sum(map(len, pages))
    return body, chunks


def _chunk(columns: Sequence[EncodedColumn], at: int) -> Value:
    """The entry for one column of all pieces, whose pages begin at this place."""
    chunk, dictionary = columns[0].chunk, columns[0].dictionary
    metas = [column.chunk[META] for column in columns]
    fields = dict(metas[0].value)
    again = len(columns) - 1
    totals = {name: sum(meta.field(name) for meta in metas) for name in (VALUES, BYTES, PACKED)}
    totals[BYTES] -= again * _unpacked(dictionary)
    totals[PACKED] -= again * len(dictionary)
    totals[DATA_PAGE] = at + len(dictionary)
    if dictionary:
        totals[DICTIONARY_PAGE] = at
    for name, total in totals.items():
        fields[name] = Value(fields[name].kind, total)
    used = {one.value: one for meta in metas for one in meta[ENCODINGS].items}
    fields[ENCODINGS] = Value(LIST, (INT, list(used.values())))
    if STATISTICS in fields:
        fields[STATISTICS] = _statistics([meta[STATISTICS] for meta in metas])
    if PAGES in fields:
        fields[PAGES] = _page_counts([meta[PAGES] for meta in metas])
    fields.pop(SIZES, None)
    entry = {name: value for name, value in chunk.value.items() if name not in _INDEXES}
    entry[_FILE_OFFSET] = Value(entry[_FILE_OFFSET].kind, 0)
    entry[META] = Value(STRUCT, fields)
    return Value(STRUCT, entry)


def _unpacked(page: bytes) -> int:
    """The size of a page before it was packed, its header included."""
    if not page:
        return 0
    header, length = thrift.read_first(page)
    return length + int(header.field(2))


def _statistics(parts: Sequence[Value]) -> Value:
    """The statistics of all pieces; what is largest of texts is so byte by byte, as in UTF-8."""
    found: dict[int, Value] = {}
    for part in parts:
        for name, value in part.value.items():
            if name not in found or name in _EXACT:
                found[name] = Value(value.kind, value.value)
            elif name == _MISSING:
                found[name].value += value.value
            elif name in _LARGEST:
                found[name].value = max(found[name].value, value.value)
            elif name in _SMALLEST:
                found[name].value = min(found[name].value, value.value)
    known = (*_LARGEST, *_SMALLEST, _MISSING, *_EXACT)
    return Value(STRUCT, {name: found[name] for name in sorted(found) if name in known})


def _page_counts(parts: Sequence[Value]) -> Value:
    """How many pages of each kind and encoding; the dictionary is there once."""
    counts: dict[tuple[int, int], int] = {}
    for part in parts:
        for one in part.items:
            kind, encoding, count = (int(one.field(number)) for number in (1, 2, 3))
            known = counts.get((kind, encoding), 0)
            counts[kind, encoding] = 1 if kind == _IS_DICTIONARY else known + count
    rows = [
        Value(STRUCT, {1: Value(INT, kind), 2: Value(INT, encoding), 3: Value(INT, count)})
        for (kind, encoding), count in counts.items()
    ]
    return Value(LIST, (STRUCT, rows))
