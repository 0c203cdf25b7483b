"""Parquet files become pieces: some thousands of rows of all columns, or of the URLs alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dragoman.errors import BadTable, UnfitTable, need, shorten
from dragoman.tables.pieces import PACKED, Columns
from dragoman.tables.source import Source, no_column, reading

#: Rows of a piece: enough to keep everybody busy, few enough that their bytes stay near the processor.
ROWS = 1 << 15
#: Bytes of a piece at most, as far as the file tells: rows may hold whole pages.
_BYTES = 1 << 26
_BUFFER = 1 << 18


def read_parquet(source: Source, column: str) -> Iterator[Columns]:
    """The rows of a Parquet file, piece by piece; at least one piece, which may have no row."""
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    source.position, source.size = 0, None
    with reading(source.name):
        try:
            where = pa.BufferReader(source.stream.read()) if source.stream is not None else source.name
            # With a buffer, a column of a large row group is read bit by bit.
            with pq.ParquetFile(where, buffer_size=_BUFFER) as file:
                yield from _batches(source, file, column)
        except pa.ArrowInvalid as error:
            raise not_parquet(source.name, error) from error


def not_parquet(name: str, error: Exception) -> BadTable:
    """What is told of a file that Arrow cannot read."""
    return BadTable(f"'{name}' is not Parquet, or damaged: {shorten(str(error))}")


def check_schema(source: Source, schema: Any, column: str) -> list[str]:
    """The columns of a Parquet file that will be replaced; BadTable if it cannot be judged."""
    source.schema = schema
    drop = source.replaced(schema.names, column)
    for name in source.kept_columns or ():
        if name not in schema.names:
            raise no_column(source.name, name, schema.names, False)
    check_text(source.name, column, schema.field(column).type)
    return drop


def _batches(source: Source, file: Any, column: str) -> Iterator[Columns]:
    pa = need("bulk", "pyarrow")
    drop = check_schema(source, file.schema_arrow, column)
    source.size = file.metadata.num_rows
    wanted = [column] if source.one_column else source.kept_columns
    keep = wanted and [name for name in wanted if name not in drop]

    def without_others(batch: Any) -> Any:
        names = batch.schema.names  # a name may be that of several columns
        if keep:
            return batch.select([number for name in keep for number, other in enumerate(names) if other == name])
        return batch.select([number for number, name in enumerate(names) if name not in drop]) if drop else batch

    rows = min(source.piece_rows or ROWS, _rows_that_fit(file.metadata, keep))
    packed, int96 = _compression(file.metadata), _has_int96(file.schema)
    groups = range(file.metadata.num_row_groups)
    parts = [[group] for group in groups] if source.by_group else [list(groups)]
    empty = True
    for part in parts:
        # Threads are ours to give (dragoman.label.overlap): the reader gets none.
        for batch in file.iter_batches(rows, part, keep, use_threads=False):
            empty = False
            for slice_ in _shares(without_others(batch), rows, source.size - source.position):
                source.position += slice_.num_rows
                yield Columns(slice_, column, compression=packed, int96=int96)
    if source.position != source.size:
        raise BadTable(f"'{source.name}' is damaged: it says {source.size:,} rows and has {source.position:,}")
    if empty:
        yield Columns(without_others(pa.RecordBatch.from_pylist([], schema=source.schema)), column, int96=int96)


def _rows_that_fit(metadata: Any, keep: Sequence[str] | None) -> int:
    """How many rows of these columns take no more memory than a piece may, by what the first row group says."""
    if not metadata.num_row_groups:
        return ROWS
    group = metadata.row_group(0)
    chunks = [group.column(number) for number in range(group.num_columns)]
    read = [chunk for chunk in chunks if not keep or chunk.path_in_schema.split(".")[0] in keep]
    size = sum(chunk.total_uncompressed_size for chunk in read)
    return max(1, min(ROWS, _BYTES * int(group.num_rows) // max(int(size), 1)))


def _shares(batch: Any, rows: int, left: int) -> Iterator[Any]:
    """The batch, in smaller shares where few rows are left: nobody waits long for the one that has the last."""
    size = rows if left > 2 * rows else max(1, rows // 4)
    for start in range(0, max(batch.num_rows, 1), size):
        yield batch.slice(start, size)


def _compression(metadata: Any) -> str:
    """How the first column is compressed, in the word that a writer takes."""
    if not metadata.num_row_groups or not metadata.num_columns:
        return PACKED
    codec = str(metadata.row_group(0).column(0).compression).lower()
    return {"uncompressed": "none"}.get(codec, codec if codec in ("snappy", "gzip", "brotli", "zstd") else PACKED)


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
        raise UnfitTable(f"'{name}': column '{column}' holds {kind}, not text: name the URL column with --column")
