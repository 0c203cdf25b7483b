"""Parquet files become pieces: some thousands of rows of all columns, or of the URLs alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dragoman.errors import BadTable, need, shorten
from dragoman.tables.pieces import PACKED, Columns
from dragoman.tables.source import Source, lacks, told

#: Rows of a piece: enough to keep everybody busy, few enough that their bytes stay near the processor.
ROWS = 1 << 15
_BUFFER = 1 << 18


def read_parquet(given: Source, column: str) -> Iterator[Columns]:
    """The rows of a Parquet file, piece by piece; at least one piece, which may have no row."""
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    given.done, given.total = 0, None
    with told(given.name):
        try:
            where = pa.BufferReader(given.stream.read()) if given.stream is not None else given.name
            # With a buffer, a column of a large row group is read bit by bit.
            with pq.ParquetFile(where, buffer_size=_BUFFER) as file:
                yield from _batches(given, file, column)
        except pa.ArrowInvalid as error:
            raise BadTable(f"'{given.name}' is not Parquet, or damaged: {shorten(str(error))}") from error


def _batches(given: Source, file: Any, column: str) -> Iterator[Columns]:
    pa = need("bulk", "pyarrow")
    given.schema, given.total = file.schema_arrow, file.metadata.num_rows
    for name in (column, *(given.columns or ())):
        if name not in given.schema.names:
            raise BadTable(lacks(given.name, name, given.schema.names, name == column))
    check_text(given.name, column, given.schema.field(column).type)
    drop = given.clashes(given.schema.names, column)
    keep = [column] if given.alone else given.columns and [name for name in given.columns if name not in drop]

    def kept(batch: Any) -> Any:
        if keep:
            return batch.select(keep)
        return batch.drop_columns(drop) if drop else batch

    packed, int96 = _compression(file.metadata), _has_int96(file.schema)
    groups = range(file.metadata.num_row_groups)
    parts = [[group] for group in groups] if given.grouped else [list(groups)]
    empty = True
    for part in parts:
        # Threads are ours to give (dragoman.tables.overlap): the reader gets none.
        for batch in file.iter_batches(ROWS, part, keep, use_threads=False):
            empty = False
            for slice_ in _shares(kept(batch), given.total - given.done):
                given.done += slice_.num_rows
                yield Columns(slice_, column, compression=packed, int96=int96)
    if given.done != given.total:
        raise BadTable(f"'{given.name}' is damaged: it says {given.total:,} rows and has {given.done:,}")
    if empty:
        yield Columns(kept(pa.RecordBatch.from_pylist([], schema=given.schema)), column, int96=int96)


def _shares(batch: Any, left: int) -> Iterator[Any]:
    """The batch, in smaller shares where few rows are left: nobody waits long for the one that has the last."""
    size = ROWS if left > 2 * ROWS else ROWS // 4
    for start in range(0, max(batch.num_rows, 1), size):
        yield batch.slice(start, size)


def _compression(metadata: Any) -> str:
    """How the first column is compressed, in the word that a writer takes."""
    if not metadata.num_row_groups or not metadata.num_columns:
        return PACKED
    found = str(metadata.row_group(0).column(0).compression).lower()
    return {"uncompressed": "none"}.get(found, found if found in ("snappy", "gzip", "brotli", "zstd") else PACKED)


def _has_int96(schema: Any) -> bool:
    """True if the timestamps are of the old kind that Spark writes; nobody else's reader takes nanoseconds for them."""
    leaves = [schema.column(number) for number in range(len(schema))]
    new = any(leaf.logical_type.type == "TIMESTAMP" for leaf in leaves)
    return not new and any(leaf.physical_type == "INT96" for leaf in leaves)


def check_text(name: str, column: str, kind: Any) -> None:
    """BadTable unless an Arrow type holds text (or bytes, or nothing but nulls)."""
    types = need("bulk", "pyarrow").types
    inner = kind.value_type if types.is_dictionary(kind) else kind
    tests = ("string", "large_string", "binary", "large_binary", "string_view", "binary_view", "null")
    if not any(getattr(types, f"is_{test}")(inner) for test in tests if hasattr(types, f"is_{test}")):
        raise BadTable(f"'{name}': column '{column}' holds {kind}, not text: name the URL column with --column")
