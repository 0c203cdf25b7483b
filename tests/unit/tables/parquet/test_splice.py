from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.columns import AnswerColumns
from dragoman.errors import BadTable
from dragoman.tables.parquet import thrift
from dragoman.tables.parquet.prune import prune
from dragoman.tables.parquet.splice import Splice, footer_of, splice
from dragoman.tables.read import open_source, pieces
from dragoman.tables.source import NEW_COLUMNS, Source
from dragoman.tables.write import Parquet, Writer

ROWS = 20_000
OPTIONS: list[dict[str, Any]] = [
    {},
    {"compression": "none", "row_group_size": 6000},
    {"compression": "snappy", "row_group_size": 7000, "write_page_index": True, "data_page_size": 500},
    {"compression": "gzip", "version": "1.0", "store_schema": False, "write_statistics": False},
    {"compression": "zstd", "data_page_version": "2.0", "write_page_checksum": True, "use_dictionary": False},
]


def table(rows: int = ROWS) -> Any:
    """Columns of all kinds: numbers, lists, structs, dictionaries, nulls, wide strings, dates."""
    number = np.arange(rows)
    return pa.table(
        {
            "id": pa.array(number, pa.uint16()),
            "url": pa.array([None if n % 7 == 0 else f"http://a.de/{n}" for n in number], pa.large_string()),
            "list": pa.array([[int(n)] * (n % 3) for n in number]),
            "struct": pa.array([{"a": int(n), "b": {"c": str(n)}} if n % 5 else None for n in number]),
            "coded": pa.array([f"k{n % 4}" for n in number]).dictionary_encode(),
            "when": pa.array(number, pa.timestamp("us", "UTC")),
        }
    ).replace_schema_metadata({"mine": "kept"})


def added(start: int, rows: int) -> AnswerColumns:
    number = np.arange(start, start + rows)
    probability = np.where(number % 11 == 0, np.nan, (number % 100) / 100).astype(np.float32)
    return AnswerColumns(("de", "fr"), number % 3 - 1, probability)


def spliced(path: Path) -> bytes:
    footer = footer_of(str(path))
    assert footer is not None
    given, out = open_source(str(path)), io.BytesIO()
    given.one_column = given.by_group = True
    write(Splice(out, str(path), footer), given)
    return out.getvalue()


def write(writer: Writer, given: Source) -> None:
    start = 0
    for piece in pieces(given):
        writer.write(writer.encode(piece, added(start, len(piece))))
        start += len(piece)
    writer.close()


@pytest.mark.parametrize("options", OPTIONS)
def test_every_column_comes_back_and_two_more(tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, **options)
    made = spliced(path)
    before, after = pq.read_table(path), pq.read_table(io.BytesIO(made))
    assert after.select(before.column_names).equals(before)
    assert after.schema.metadata == before.schema.metadata
    assert after.column_names[-2:] == ["language", "probability"]
    expected = added(0, ROWS)
    assert after["language"].type == pa.string()
    assert after["language"].to_pylist() == expected.tags()
    assert after["probability"].to_pylist() == expected.arrow()["probability"].to_pylist()
    assert pq.ParquetFile(io.BytesIO(made)).metadata.num_row_groups == pq.ParquetFile(path).metadata.num_row_groups


def test_the_old_bytes_are_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path)
    old = path.read_bytes()
    body = len(old) - 8 - int.from_bytes(old[-8:-4], "little")
    assert spliced(path)[:body] == old[:body]


def test_a_spliced_file_can_be_spliced_filtered_and_read_by_column(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, row_group_size=6000)
    path.write_bytes(spliced(path))
    assert footer_of(str(path)) is not None
    found = pq.read_table(path, columns=["id"], filters=[("language", "=", "fr")])
    assert found["id"].to_pylist() == [n for n in range(ROWS) if n % 3 - 1 == 1]
    group = pq.ParquetFile(path).metadata.row_group(0)
    assert group.column(group.num_columns - 2).statistics.max == "fr"
    assert group.total_byte_size == sum(group.column(n).total_uncompressed_size for n in range(group.num_columns))


def test_a_file_that_does_not_suit_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for given in (b"", b"PAR1", b"PAR1" + bytes(20) + b"PAR1", b"PAR1" + b"\xff" * 20 + b"\x0f\x00\x00\x00PAR1"):
        path.write_bytes(given)
        assert footer_of(str(path)) is None
    pq.write_table(table(0), path)
    assert footer_of(str(path)) is None
    pq.write_table(table(1000), path, row_group_size=10)
    assert footer_of(str(path)) is None


def test_an_interrupted_splice_has_no_footer(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, row_group_size=6000)
    footer = footer_of(str(path))
    assert footer is not None
    out = io.BytesIO()
    writer = Splice(out, str(path), footer)
    given = open_source(str(path))
    given.one_column = given.by_group = True
    piece = next(iter(pieces(given)))
    writer.write(writer.encode(piece, added(0, len(piece))))
    with pytest.raises(BadTable, match="row groups do not have the rows that they say"):
        writer.close()
    assert not out.getvalue().endswith(b"PAR1")


def test_a_footer_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, write_page_index=True)
    data = path.read_bytes()
    footer = data[-8 - int.from_bytes(data[-8:-4], "little") : -8]
    assert thrift.write(thrift.read(footer)) == footer


@pytest.mark.parametrize(
    "data",
    [b"", b"\x15", b"\x15\x04", b"\x15\x04\x00\x00", b"\x1b\x00\x00", b"\x18\x7f", b"\x1c" * 100, b"\x15\x84\x00\x00"],
)
def test_bytes_that_are_no_footer_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        thrift.read(data)


def test_spark_finds_the_new_columns_in_what_it_noted(tmp_path: Path) -> None:
    path, note = tmp_path / "in.parquet", b"org.apache.spark.sql.parquet.row.metadata"
    plain = table().select(["id", "url", "struct"])
    field = {"type": "string", "nullable": True, "metadata": {"comment": "Größe"}}
    fields = [field | {"name": name} for name in plain.column_names]
    for told, expected in (
        (json.dumps({"type": "struct", "fields": fields}), [*plain.column_names, "language", "probability"]),
        (json.dumps({"type": "struct", "fields": fields[:2]}), None),  # of another table
        ("no JSON", None),
    ):
        pq.write_table(plain.replace_schema_metadata({note: told, "mine": "kept"}), path)
        with path.open("rb") as file:
            old = pq.ParquetFile(file).metadata.metadata
            assert old[note] == told.encode()
        anew = io.BytesIO()
        write(Parquet(anew), open_source(str(path)))
        for made in (spliced(path), anew.getvalue()):
            found = pq.ParquetFile(io.BytesIO(made)).metadata.metadata
            assert found[b"mine"] == b"kept"
            noted = json.loads(found[note])["fields"] if expected else found.get(note)
            assert (noted and [one["name"] for one in noted]) == expected
            if expected:
                assert noted[:3] == fields
                assert [one["type"] for one in noted[3:]] == ["string", "float"]


def labelled(path: Path, columns: list[str] | None = None, new: Sequence[str] = NEW_COLUMNS) -> bytes:
    """The file with columns added, of which others may go."""
    given, out = open_source(str(path), new_columns=new, replace=True), io.BytesIO()
    given.kept_columns = columns
    writer = splice(given, out) or Parquet(out)
    assert isinstance(writer, Splice) == given.one_column == given.by_group
    write(writer, given)
    return out.getvalue()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keep", [["url"], ["when", "struct", "url", "list"], ["coded", "id", "url"], None])
def test_columns_that_go_are_left_out_and_the_others_keep_their_bytes(
    tmp_path: Path, options: dict[str, Any], keep: list[str] | None
) -> None:
    path, given = tmp_path / "in.parquet", table()
    given = given.append_column("probability", given["struct"])
    pq.write_table(given, path, **options)
    whole, old = pq.read_table(path), pq.ParquetFile(path).metadata
    made = labelled(path, keep)
    new = pq.ParquetFile(io.BytesIO(made))
    names = keep or [name for name in given.column_names if name != "probability"]
    found = new.read()
    assert found.column_names == [*names, "language", "probability"]
    assert found.schema.metadata == whole.schema.metadata
    assert found.select(names).equals(whole.select(names))
    assert found["language"].to_pylist()[:6] == [None, "de", "fr", None, "de", "fr"]
    assert new.metadata.num_row_groups == old.num_row_groups
    sizes = {path.path_in_schema: path for path in map(old.row_group(0).column, range(old.num_columns))}
    group = new.metadata.row_group(0)
    columns = [group.column(number) for number in range(new.metadata.num_columns)]
    assert group.total_byte_size == sum(column.total_uncompressed_size for column in columns)
    for column in columns[:-2]:
        before = sizes[column.path_in_schema]
        assert column.total_compressed_size == before.total_compressed_size
        assert (column.compression, column.encodings) == (before.compression, before.encodings)
    assert len(made) < 1.2 * path.stat().st_size
    # a second time: what was made is a file as good as any
    again = tmp_path / "again.parquet"
    again.write_bytes(made)
    assert pq.read_table(io.BytesIO(labelled(again))).equals(found)


def test_a_file_with_a_column_twice_or_chunks_that_lie_nowhere_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(table(), path)
    size = path.stat().st_size
    for keep, end, suits in ((["url"], size, True), (["url", "url"], size, False), (["gone"], size, False),
                             (["when"], size // 2, False)):  # fmt: skip
        footer, before = footer_of(str(path)), footer_of(str(path))
        assert footer is not None
        assert (prune(footer, keep, end) is not None) == suits
        assert (footer == before) != suits
    twice = pa.table([["http://a.de/"], [1], [2], [3]], names=["url", "n", "n", "language"])
    pq.write_table(twice, path)
    assert pq.ParquetFile(io.BytesIO(labelled(path))).schema_arrow.names == ["url", "n", "n", "language", "probability"]
    # names inside of columns are no columns
    pq.write_table(table(), path)
    given = open_source(str(path), new_columns=["a", "b", "c", "element"], replace=True)
    out = splice(given, io.BytesIO())
    assert out is not None
    assert out.ranges is None


def test_columns_come_in_the_order_asked_for_and_timestamps_in_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    for rows in (ROWS, 0):
        pq.write_table(table(rows), path, use_deprecated_int96_timestamps=True)
        given, out = open_source(str(path), new_columns=["list"], replace=True), io.BytesIO()
        given.kept_columns = ["when", "list", "url", "struct"]
        write(Parquet(out), given)
        found = pq.ParquetFile(out)
        assert found.schema_arrow.names == ["when", "url", "struct", "language", "probability"]
        assert found.schema.column(0).physical_type == "INT96"
        assert found.read()["struct"].equals(table(rows)["struct"])
    given.kept_columns = ["url", "gone"]
    with pytest.raises(BadTable, match="has no column 'gone'; its columns: id, url"):
        list(pieces(given))
