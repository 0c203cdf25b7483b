from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from dragoman.tables.delimited import DelimitedRows
from dragoman.tables.formats import Format
from dragoman.tables.legible import legible
from dragoman.tables.pieces import Columns, Lines

TEXT = [Format.JSONL, Format.CSV, Format.TSV, Format.TABLE]


def texts(*rows: bytes | None, kind: Any = None) -> Any:
    """A column that says text and holds these bytes."""
    raw = pa.array(rows, pa.binary())
    column = pa.Array.from_buffers(pa.string(), len(rows), raw.buffers(), raw.null_count)
    return column if kind is None else column.cast(kind)


def columns(**named: Any) -> Columns:
    return Columns(pa.RecordBatch.from_pydict(named), next(iter(named)))


@pytest.mark.parametrize("written", TEXT)
def test_a_column_that_is_not_utf_8_is_escaped_and_its_rows_are_counted(written: Format) -> None:
    given = columns(url=texts(b"http://a.fr/\xe7", None, b"http://b.de/"), note=texts(b"\xff", b"x", b"\xfe\xfd"))
    found, escaped = legible(given, written)
    assert escaped == 2
    assert isinstance(found, Columns)
    assert found.batch.to_pydict() == {
        "url": ["http://a.fr/%E7", None, "http://b.de/"],
        "note": ["%FF", "x", "%FE%FD"],
    }
    assert found.batch.schema.equals(given.batch.schema)


def test_parquet_keeps_what_parquet_had() -> None:
    given = columns(url=texts(b"\xff"))
    assert legible(given, Format.PARQUET) == (given, 0)


def test_good_columns_are_passed_on_as_they_are() -> None:
    given = columns(url=texts("http://a.fr/ç".encode(), None), n=[1, 2], raw=pa.array([b"\xff", None]))
    assert legible(given, Format.JSONL) == (given, 0)


@pytest.mark.parametrize(
    "column",
    [
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), texts(b"\xff", b"b")),
        texts(b"\xff", b"b", b"\xff", kind=pa.large_string()),
    ],
)
def test_text_of_any_layout_is_escaped(column: Any) -> None:
    found, escaped = legible(columns(url=column), Format.JSONL)
    assert isinstance(found, Columns)
    assert (found.batch.to_pydict(), escaped) == ({"url": ["%FF", "b", "%FF"]}, 2)
    assert columns(url=column).plain().values == [b"\xff", b"b", b"\xff"]


def test_text_inside_lists_structs_and_maps_is_escaped() -> None:
    inner = texts(b"\xff", b"b")
    named = {
        "list": pa.ListArray.from_arrays([0, 1, 2], inner),
        "large": pa.LargeListArray.from_arrays([0, 1, 2], inner),
        "fixed": pa.FixedSizeListArray.from_arrays(inner, 1),
        "struct": pa.StructArray.from_arrays([inner, pa.array([1, 2])], ["text", "n"]),
        "map": pa.MapArray.from_arrays([0, 1, 2], pa.array(["k", "l"]), inner),
    }
    found, escaped = legible(columns(**named), Format.JSONL)
    assert isinstance(found, Columns)
    assert escaped == 1
    assert found.batch.to_pydict() == {
        "list": [["%FF"], ["b"]],
        "large": [["%FF"], ["b"]],
        "fixed": [["%FF"], ["b"]],
        "struct": [{"text": "%FF", "n": 1}, {"text": "b", "n": 2}],
        "map": [[("k", "%FF")], [("l", "b")]],
    }


def test_csv_is_counted_only_where_it_is_written_in_another_way() -> None:
    given = DelimitedRows.of(b"a,\xff\nb,2\n\xfe\xfe,\xff\n", ("url", "n"), "url", b",")
    assert legible(given, Format.CSV) == (given, 0)
    for written in (Format.JSONL, Format.TSV, Format.PARQUET):
        assert legible(given, written) == (given, 2)


def test_lines_of_text_are_counted_and_lines_of_json_have_their_errors() -> None:
    assert legible(Lines([b"a\xe9", "é".encode(), b"\xff"]), Format.JSONL)[1] == 2
    assert legible(Lines([b"\xff"], objects=[None]), Format.JSONL)[1] == 0
