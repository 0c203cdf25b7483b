"""Small rows with fixed columns, written in any format: for summaries, where rows are few beside what they sum up."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import IO, Any

from dragoman.columns import cell_text
from dragoman.errors import need
from dragoman.tables.formats import DELIMITERS, Format

#: The types of columns, in Arrow's words; "json" is a JSON value in JSON lines, elsewhere a text as it is or JSON text.
Columns = Mapping[str, str]
_ROWS = 1 << 16
_json = json.JSONEncoder(ensure_ascii=False).encode


def write_rows(format: Format, stream: IO[bytes], columns: Columns, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write the rows, some thousands at a time; None is null, or empty in CSV and TSV."""
    if format is Format.PARQUET:
        _parquet(stream, columns, rows)
    elif format in DELIMITERS:
        _delimited(stream, columns, rows, DELIMITERS[format].decode())
    else:
        for row in rows:
            stream.write(_json(dict(zip(columns, row, strict=True))).encode() + b"\n")


def _texts(columns: Columns, row: tuple[Any, ...]) -> list[Any]:
    return [cell_text(value) if kind == "json" else value for kind, value in zip(columns.values(), row, strict=True)]


def _delimited(stream: IO[bytes], columns: Columns, rows: Iterable[tuple[Any, ...]], delimiter: str) -> None:
    out = io.StringIO(newline="")
    lines = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    lines.writerow(columns)
    source = iter(rows)
    while True:
        part = list(islice(source, _ROWS))
        lines.writerows(_texts(columns, row) for row in part)
        stream.write(out.getvalue().encode())
        out.seek(out.truncate(0))
        if not part:
            return


def _parquet(stream: IO[bytes], columns: Columns, rows: Iterable[tuple[Any, ...]]) -> None:
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    kinds = ["string" if kind == "json" else kind for kind in columns.values()]
    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in zip(columns, kinds, strict=True)])
    source = iter(rows)
    with pq.ParquetWriter(pa.PythonFile(stream, mode="w"), schema, compression="zstd") as file:
        while part := list(islice(source, _ROWS)):
            values = zip(*(_texts(columns, row) for row in part), strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(values, schema, strict=True)]
            file.write_table(pa.table(arrays, schema=schema))
