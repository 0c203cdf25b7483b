from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.tables import compact
from dragoman.tables.pieces import Added
from dragoman.tables.read import pieces, source
from dragoman.tables.splice import Splice, footer_of

ROWS = 20_000


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


def added(start: int, rows: int) -> Added:
    number = np.arange(start, start + rows)
    probability = np.where(number % 11 == 0, np.nan, (number % 100) / 100).astype(np.float32)
    return Added(("de", "fr"), number % 3 - 1, probability)


def spliced(path: Path) -> bytes:
    footer = footer_of(str(path))
    assert footer is not None
    given, out, start = source(str(path)), io.BytesIO(), 0
    given.alone = given.grouped = True
    writer = Splice(out, str(path), footer)
    for piece in pieces(given):
        writer.write(piece, added(start, len(piece)))
        start += len(piece)
    writer.close()
    return out.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": "none", "row_group_size": 6000},
        {"compression": "snappy", "row_group_size": 7000, "write_page_index": True, "data_page_size": 500},
        {"compression": "gzip", "version": "1.0", "store_schema": False, "write_statistics": False},
        {"compression": "zstd", "data_page_version": "2.0", "write_page_checksum": True, "use_dictionary": False},
    ],
)
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
    assert after["probability"].to_pylist() == expected.arrow()[1].to_pylist()
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
    given = source(str(path))
    given.alone = given.grouped = True
    piece = next(iter(pieces(given)))
    writer.write(piece, added(0, len(piece)))
    writer.close()
    assert not out.getvalue().endswith(b"PAR1")


def test_a_footer_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, write_page_index=True)
    data = path.read_bytes()
    footer = data[-8 - int.from_bytes(data[-8:-4], "little") : -8]
    assert compact.write(compact.read(footer)) == footer


@pytest.mark.parametrize(
    "data",
    [b"", b"\x15", b"\x15\x04", b"\x15\x04\x00\x00", b"\x1b\x00\x00", b"\x18\x7f", b"\x1c" * 100, b"\x15\x84\x00\x00"],
)
def test_bytes_that_are_no_footer_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        compact.read(data)
