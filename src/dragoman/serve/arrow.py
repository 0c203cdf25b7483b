"""The column of URLs in an Arrow stream from anybody: nothing is trusted, and nothing grows beyond what was sent.

Compressed buffers and dictionaries are refused: a few bytes of them can stand for gigabytes.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from dragoman.errors import need, shorten
from dragoman.serve.problems import Problem

COLUMN = "url"
#: Kinds of messages in the format's Message table, and the place of `compression` in its RecordBatch table.
_DICTIONARY, _BATCH = 2, 3
_COMPRESSION = 3


def read_column(body: bytes, most: int, longest: int) -> tuple[Any, dict[int, str]]:
    """(column, errors): the column `url` of a stream as binaries without nulls, and why some rows are no URL."""
    pa = need("bulk", "pyarrow")
    buffer = pa.py_buffer(body)
    try:
        _refuse_compressed(pa, buffer)
        with pa.ipc.open_stream(buffer) as reader:
            schema = reader.schema
            if schema.names.count(COLUMN) != 1:
                raise Problem(422, f"The Arrow stream needs one column '{COLUMN}'; its columns: {_names(schema)}")
            kind = schema.field(COLUMN).type
            binary = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}.get(kind, kind)
            if binary not in (pa.binary(), pa.large_binary()):
                raise Problem(422, f"The column '{COLUMN}' holds {shorten(str(kind))}: send string or binary")
            parts = []
            rows = 0
            for batch in reader:
                rows += batch.num_rows
                if rows > most:
                    raise Problem(413, f"A batch may have {most:,} URLs: send several")
                # As bytes, because text that is not UTF-8 is a row's own affair; then every offset is checked.
                part = batch.column(batch.schema.get_field_index(COLUMN)).view(binary)
                part.validate(full=True)
                parts.append(part)
            column = pa.chunked_array(parts, binary).combine_chunks() if parts else pa.array([], binary)
    except (pa.ArrowException, OSError, ValueError, TypeError, struct.error, OverflowError) as error:
        raise Problem(422, f"The body is not an Arrow stream: {shorten(str(error), 200)}") from None
    return _without_bad_rows(pa, column, longest)


def _names(schema: Any) -> str:
    return shorten(", ".join(schema.names) or "none", 200)


def _without_bad_rows(pa: Any, column: Any, longest: int) -> tuple[Any, dict[int, str]]:
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    errors = {int(row): "null" for row in np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))}
    lengths = pa.compute.binary_length(column).fill_null(0).to_numpy(zero_copy_only=False)
    long = np.flatnonzero(lengths > longest)
    if len(long):
        errors |= {int(row): f"longer than {longest:,} bytes" for row in long}
        column = pa.compute.if_else(pa.array(lengths > longest), pa.scalar(b"", column.type), column)
    return column, errors


def _refuse_compressed(pa: Any, buffer: Any) -> None:
    """A Problem if any batch says that its buffers are compressed, or is a dictionary."""
    for message in pa.ipc.MessageReader.open_stream(buffer):
        kind, table = _header(message.metadata.to_pybytes())
        if kind == _DICTIONARY:
            raise Problem(422, "The Arrow stream has dictionaries: send plain columns")
        if kind == _BATCH and _field(*table, _COMPRESSION):
            raise Problem(422, "The Arrow stream is compressed: send it without compression")


def _header(data: bytes) -> tuple[int, tuple[bytes, int]]:
    """(kind, table) of a message: which table of the format follows, and where it is in these bytes."""
    (root,) = struct.unpack_from("<I", data, 0)
    kind = _field(data, root, 1)
    header = _field(data, root, 2)
    if not kind or not header:
        return 0, (data, 0)
    (skip,) = struct.unpack_from("<I", data, header)
    return data[kind], (data, header + skip)


def _field(data: bytes, table: int, number: int) -> int:
    """Where a table's field is in these bytes; 0 if the table does not have it (FlatBuffers)."""
    (back,) = struct.unpack_from("<i", data, table)
    places = table - back
    if places < 0:
        raise ValueError("a table outside its message")
    (size,) = struct.unpack_from("<H", data, places)
    at = 4 + 2 * number
    if at + 2 > size:
        return 0
    (offset,) = struct.unpack_from("<H", data, places + at)
    return table + offset if offset else 0
