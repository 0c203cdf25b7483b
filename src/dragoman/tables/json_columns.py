"""JSON lines become a table with fixed columns: a first reading finds the columns and their types, a second fills them.

A column is there for every name that some object has, in the order in which they come. It holds booleans, whole
numbers, numbers or text where all its values do, and JSON text where they differ or are lists and objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dragoman.columns import json_text
from dragoman.errors import need
from dragoman.tables.pieces import Columns, Lines
from dragoman.tables.read import pieces
from dragoman.tables.source import Source

_WHOLE = range(-(1 << 63), 1 << 63)
JSON = "json"


def column_types(sources: Iterable[Source], column: str) -> dict[str, str]:
    """The columns of some files of JSON lines and the types of their values, as Arrow names them, or JSON."""
    types: dict[str, str] = {}
    for source in sources:
        for piece in pieces(source, column):
            assert isinstance(piece, Lines)
            for fields in _rows(piece):
                for name, value in fields.items():
                    types[name] = _joined(types.get(name, "null"), _type(value))
    return types | {column: "string"}


def with_columns(piece: Lines, types: Mapping[str, str]) -> Columns:
    """The objects of a piece as columns of these types; a row that is no object is null everywhere."""
    pa = need("bulk", "pyarrow")
    rows = list(_rows(piece))
    arrays = {}
    for name, kind in types.items():
        values = [row.get(name) for row in rows]
        texts = kind == JSON
        arrays[name] = pa.array(
            list(map(json_text, values)) if texts else values, pa.string() if texts else pa.type_for_alias(kind)
        )
    return Columns(pa.RecordBatch.from_pydict(arrays), piece.column, piece.errors)


def _rows(piece: Lines) -> Iterable[dict[str, Any]]:
    for row, line in enumerate(piece.objects or ()):
        fields = {} if line is None or row in piece.errors else json.loads(line)
        yield {_legible(name): _legible(value) for name, value in fields.items()}


def _legible(value: Any) -> Any:
    """Text without halves of characters, which JSON may have and UTF-8 has not."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int64" if value in _WHOLE else JSON
    return {float: "float64", str: "string"}.get(type(value), JSON)


def _joined(first: str, second: str) -> str:
    """The type of a column that has values of both."""
    if "null" in (first, second):
        return second if first == "null" else first
    return first if first == second else "float64" if {first, second} == {"int64", "float64"} else JSON
