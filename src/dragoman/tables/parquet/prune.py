"""Columns are left out of a Parquet file without taking it apart: the chunks that stay are copied, a footer follows.

What stays keeps its encodings and its compression; nothing is decoded. Page indexes, Bloom filters and the note by
which columns a row group is sorted are left out: they say where things were, or name columns that may be gone. Readers
do without them. Cost: a copy of the bytes that stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.tables.parquet.chunks import (
    BYTES,
    COLUMNS,
    DATA_PAGE,
    DICTIONARY_PAGE,
    GROUPS,
    META,
    PACKED,
    SCHEMA,
    move,
)
from dragoman.tables.parquet.thrift import STRUCT, Value

#: Fields of the footer's structs, by the names that the format gives them; others are in tables.parquet.chunks.
CREATED_BY, ORDERS = 6, 7
NAME, CHILDREN = 4, 5
GROUP_BYTES, GROUP_PACKED = 2, 6
_SORTING, _GROUP_PLACE = 4, 5
#: Writers of long ago that counted the bytes of a chunk wrongly.
_MISCOUNTED = b"parquet-cpp version"
_MAGIC = 4

#: (where they begin, how many) of bytes that are copied.
Ranges = list[tuple[int, int]]


def columns_of(footer: Value) -> list[tuple[str, int, int]]:
    """(name, first, end) of the columns of a table: the elements of the schema that each of them is."""
    elements, columns, at = footer[SCHEMA].items, [], 1
    while at < len(elements):
        first, open_ = at, 1
        while open_:
            open_ += elements[at].field(CHILDREN, 0) - 1
            at += 1
        columns.append((elements[first].field(NAME).decode(), first, at))
    return columns


def prune(footer: Value, keep: Sequence[str], end: int) -> Ranges | None:
    """Leave all columns but these out of a footer, and give what is to be copied of a file of `end` bytes, in order.

    None, and the footer as it was, if that cannot be done: a column is missing or there twice, or chunks do not lie
    where they should. What Arrow and Spark noted about the columns stays as it was.
    """
    try:
        elements = footer[SCHEMA].items
        order = [at for first, last in _places(footer, keep) for at in range(first, last)]
        numbers = {at: number for number, at in enumerate(_leaves(elements, range(1, len(elements))))}
        leaves = [numbers[at] for at in _leaves(elements, order)]
        groups = footer[GROUPS].items
        if any(len(group[COLUMNS].items) != len(numbers) for group in groups):
            return None
        chosen = [[group[COLUMNS].items[leaf] for leaf in leaves] for group in groups]
        ranges = [_range(chunk[META]) for chunks in chosen for chunk in chunks]
        if footer.field(CREATED_BY, b"").startswith(_MISCOUNTED):
            return None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None
    if any(start < _MAGIC or size < 1 or start + size > end for start, size in ranges):
        return None
    places, at = iter(ranges), _MAGIC
    for group, chunks in zip(groups, chosen, strict=True):
        if _GROUP_PLACE in group.value:
            group.value[_GROUP_PLACE].value = at
        for chunk in chunks:
            start, size = next(places)
            move(chunk, at - start)
            at += size
        group.value.pop(_SORTING, None)
        group[COLUMNS].value = STRUCT, chunks
        for number, part in ((GROUP_BYTES, BYTES), (GROUP_PACKED, PACKED)):
            if number in group.value:
                group[number].value = sum(chunk[META].field(part, 0) for chunk in chunks)
    elements[0].value[CHILDREN].value = len(keep)
    footer[SCHEMA].value = STRUCT, [elements[0], *(elements[at] for at in order)]
    if ORDERS in footer.value:
        orders = footer[ORDERS].items
        footer[ORDERS].value = STRUCT, [orders[leaf] for leaf in leaves if leaf < len(orders)]
    return [(0, _MAGIC), *ranges]


def _places(footer: Value, keep: Sequence[str]) -> Ranges:
    """(first, end) of the elements of each column that stays; ValueError where a name is there twice."""
    columns = columns_of(footer)
    places = {name: (first, last) for name, first, last in columns}
    if len(places) < len(columns) or len(set(keep)) < len(keep):
        raise ValueError("a name is there twice")
    return [places[name] for name in keep]


def _leaves(elements: Sequence[Value], numbers: Iterable[int]) -> list[int]:
    """Those of the elements that have values, and so a chunk in each row group."""
    return [at for at in numbers if not elements[at].field(CHILDREN, 0)]


def _range(meta: Value) -> tuple[int, int]:
    """(where it begins, how many) of the bytes of a chunk."""
    data = int(meta.field(DATA_PAGE, 0))
    # Some writers say that the dictionary is at 0 where there is none.
    return min(data, int(meta.field(DICTIONARY_PAGE, 0)) or data), int(meta.field(PACKED, 0))
