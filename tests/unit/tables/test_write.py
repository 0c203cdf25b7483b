from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.columns import AnswerColumns
from dragoman.errors import BadTable, UsageError
from dragoman.tables.delimited import DelimitedRows
from dragoman.tables.formats import Format
from dragoman.tables.output import output
from dragoman.tables.pieces import Columns, Lines, RowPiece
from dragoman.tables.write import writer

ADDED = AnswerColumns(("de", "fr"), np.array([0, -1, 1]), np.array([0.97, np.nan, 1.0], np.float32))
TEXT = Lines([b"http://a.de/", b"", b"http://b.fr/fran\xe7ais,\x00"])
CSV = DelimitedRows.of(b"http://a.de/,1\n,2\nhttp://b.fr/,3\n", ("url", "n"), "url", b",", b"url,n\n")
ARROW = Columns(pa.RecordBatch.from_pydict({"url": ["http://a.de/", None, "http://b.fr/"], "n": [1, 2, 3]}), "url")


def written(format: Format, piece: RowPiece, added: AnswerColumns = ADDED) -> bytes:
    stream = io.BytesIO()
    out = writer(format, stream)
    out.write(out.encode(piece, added))
    out.close()
    return stream.getvalue()


def json_rows(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().splitlines()]


@pytest.mark.parametrize("piece", [TEXT, CSV, ARROW])
@pytest.mark.parametrize("format", [Format.JSONL, Format.CSV, Format.TSV, Format.PARQUET])
def test_every_format_in_comes_out_in_every_other(piece: RowPiece, format: Format) -> None:
    data = written(format, piece)
    if format is Format.PARQUET:
        table = pq.read_table(io.BytesIO(data))
        assert table.schema.field("probability").type == pa.float32()
        found = table.column("language").to_pylist()
    elif format is Format.JSONL:
        found = [row["language"] for row in json_rows(data)]
    else:
        rows = csv.DictReader(io.StringIO(data.decode()), delimiter="," if format is Format.CSV else "\t")
        found = [row["language"] or None for row in rows]
    assert found == ["de", None, "fr"]


def test_bytes_that_are_no_text_come_out_percent_escaped() -> None:
    rows = json_rows(written(Format.JSONL, TEXT))
    assert rows[2] == {"url": "http://b.fr/fran%E7ais,\x00", "language": "fr", "probability": 1.0}
    assert rows[1] == {"url": "", "language": None, "probability": None}


def test_json_lines_are_spliced_and_not_written_anew() -> None:
    line = b'{"url" : "http://a.de/", "n":1.10, "d": 1, "d": 2 }'
    piece = Lines([b"http://a.de/", b"", b""], {1: "line 2 is not JSON"}, [line, None, b"{}"])
    lines = written(Format.JSONL, piece).split(b"\n")
    assert lines[0] == line[:-2] + b', "language": "de", "probability": 0.97}'
    assert json.loads(lines[1])["error"] == "line 2 is not JSON"
    assert json.loads(lines[2]) == {"language": "fr", "probability": 1.0}


def test_probabilities_are_written_without_zeros_at_the_end() -> None:
    values = np.array([0.5, 1.0, 0.123456789, 0.0, np.nan, 0.99999999], np.float32)
    given = DelimitedRows.of(b"a\nb\nc\nd\ne\nf\n", ("url",), "url", b",", b"url\r\n")
    data = written(Format.CSV, given, AnswerColumns(("de",), np.array([0, 0, 0, 0, -1, 0]), values))
    assert data.startswith(b"url,language,probability\r\n")
    assert data.split(b"\n")[1:-1] == [b"a,de,0.5", b"b,de,1.0", b"c,de,0.123457", b"d,de,0.0", b"e,,", b"f,de,1.0"]


def test_extra_values_are_json_in_json_and_text_elsewhere() -> None:
    extra = AnswerColumns(
        ADDED.languages, ADDED.language, ADDED.probability, {"scores": [{"de": 0.97}, {}, {"fr": 1.0}]}
    )
    assert json_rows(written(Format.JSONL, CSV, extra))[0]["scores"] == {"de": 0.97}
    rows = list(csv.DictReader(io.StringIO(written(Format.CSV, CSV, extra).decode())))
    assert json.loads(rows[2]["scores"]) == {"fr": 1.0}
    table = pq.read_table(io.BytesIO(written(Format.PARQUET, TEXT, extra)))
    assert json.loads(table.column("scores")[0].as_py()) == {"de": 0.97}


def test_parquet_values_that_json_does_not_know_become_text_or_null() -> None:
    batch = pa.RecordBatch.from_pydict(
        {"url": ["a", "b", "c"], "x": [float("nan"), 1.5, None], "b": [b"\xff", b"", b""]}
    )
    rows = json_rows(written(Format.JSONL, Columns(batch, "url")))
    assert rows[0]["x"] is None
    assert rows[0]["b"] == "%FF"


def test_a_table_that_text_cannot_hold_is_refused() -> None:
    batch = pa.RecordBatch.from_pydict({"url": ["a", "b", "c"], "x": [[1], [2], [3]]})
    with pytest.raises(BadTable, match="write Parquet"):
        written(Format.CSV, Columns(batch, "url"))


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("before")

    def fail() -> None:
        with output(str(target)) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert target.read_text() == "before"
    with output(str(target)) as stream:
        stream.write(b"whole")
    assert target.read_text() == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_packed_file_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    found = []
    for name in ("a.gz", "b.gz"):
        with output(str(tmp_path / name)) as stream:
            stream.write(b"rows")
        found.append((tmp_path / name).read_bytes())
    assert found[0] == found[1]
    assert gzip.decompress(found[0]) == b"rows"


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"), output(str(tmp_path)):
        pass
    with pytest.raises(UsageError, match="make it first"), output(str(tmp_path / "none" / "a.csv")):
        pass


def test_a_device_is_written_and_not_replaced() -> None:
    with output("/dev/null") as stream:
        stream.write(b"gone")
    assert not Path("/dev/null").is_file()
