"""Text that is not UTF-8 is found, counted and escaped before it is written as text, so that no row is lost.

A column of a Parquet file may say that it holds text and hold any bytes; CSV and lines of text promise nothing. What is
judged are the bytes as they stand. What is written as JSON, CSV, TSV or for people has `%FF` for a byte FF that is not
UTF-8, as a browser would send it, in every column; all other bytes stay. Parquet to Parquet, and CSV, TSV and
JSON lines in their own format, keep their bytes and never come here.

Cost: one look at all bytes of the columns (Arrow's check of UTF-8); only columns that fail it are taken apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dragoman.columns import text_of
from dragoman.errors import need
from dragoman.tables.delimited import DelimitedRows
from dragoman.tables.formats import Format
from dragoman.tables.pieces import Columns, Lines, RowPiece


def legible(piece: RowPiece, written: Format) -> tuple[RowPiece, int]:
    """The piece as it can be written in this format, and in how many of its rows bytes are escaped.

    >>> legible(Lines([b"http://a.fr/fran\\xe7ais", b"http://b.de/"]), Format.JSONL)[1]
    1
    """
    if isinstance(piece, Columns):
        return _columns(piece) if written is not Format.PARQUET else (piece, 0)
    if isinstance(piece, DelimitedRows):
        return piece, 0 if written is piece.format or _is_text(piece.data) else _bad_records(piece)
    assert isinstance(piece, Lines)
    # Lines of JSON that are not UTF-8 are rows with an error already.
    if piece.objects is not None or _is_text(b"\n".join(piece.values)):
        return piece, 0
    return piece, sum(not _is_text(value) for value in piece.values)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _bad_records(piece: DelimitedRows) -> int:
    bounds = zip(piece.starts.tolist(), piece.ends.tolist(), strict=True)
    return sum(not _is_text(piece.data[start:end]) for start, end in bounds)


def _columns(piece: Columns) -> tuple[RowPiece, int]:
    pa = need("bulk", "pyarrow")
    batch, bad = piece.batch, set[int]()
    for number, field in enumerate(batch.schema):
        column = batch.column(number)
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            if pa.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            texts = []
            for row, value in enumerate(column.cast(_as_bytes(column.type)).to_pylist()):
                text, changed = _text(value, column.type)
                texts.append(text)
                if changed:
                    bad.add(row)
            column = pa.array(texts, column.type)
            batch = batch.set_column(number, field.with_type(column.type), column)
    return (replace(piece, batch=batch), len(bad)) if bad else (piece, 0)


def _as_bytes(kind: Any) -> Any:
    """The type with bytes wherever it has text."""
    pa = need("bulk", "pyarrow")
    if _holds_text(kind):
        return pa.large_binary()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_as_bytes(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_as_bytes(kind.key_type), _as_bytes(kind.item_type))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_as_bytes(kind.value_type), kind.list_size)
    if pa.types.is_large_list(kind):
        return pa.large_list(_as_bytes(kind.value_type))
    return pa.list_(_as_bytes(kind.value_type)) if pa.types.is_list(kind) else kind


def _holds_text(kind: Any) -> bool:
    types = need("bulk", "pyarrow").types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _text(value: Any, kind: Any) -> tuple[Any, bool]:
    """(value, changed): bytes become text where the type says text, at any depth."""
    types = need("bulk", "pyarrow").types
    if value is None:
        return None, False
    if _holds_text(kind):
        text = text_of(value)
        return text, text.encode() != value
    if types.is_struct(kind):
        parts = {field.name: _text(value[field.name], field.type) for field in kind}
        return {name: part for name, (part, _) in parts.items()}, any(changed for _, changed in parts.values())
    if types.is_map(kind):
        pairs = [(_text(key, kind.key_type), _text(item, kind.item_type)) for key, item in value]
        return [(key[0], item[0]) for key, item in pairs], any(key[1] or item[1] for key, item in pairs)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        items = [_text(item, kind.value_type) for item in value]
        return [item for item, _ in items], any(changed for _, changed in items)
    return value, False
