from __future__ import annotations

import gzip
import io
import json
import os
import random
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.errors import BadTable
from dragoman.tables import read
from dragoman.tables.delimited import DelimitedRows
from dragoman.tables.formats import Format
from dragoman.tables.pieces import Lines, RowPiece
from dragoman.tables.read import open_source, pieces
from dragoman.tables.source import Source


def all_of(path: Path, column: str = "url", **options: Any) -> list[RowPiece]:
    return list(pieces(open_source(str(path), **options), column))


def urls_of(path: Path, column: str = "url", **options: Any) -> list[bytes]:
    return [url for piece in all_of(path, column, **options) for url in piece.plain().values]


HOSTILE = [b"http://a.de/", b"", b"\xff\xfe", b"nul\x00nul", b"x" * (1 << 20), "http://é.fr/".encode(), b"http://z.de/"]


@pytest.mark.parametrize("block", [1, 7, 1 << 21])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_every_line_of_text_is_a_row_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, block: int
) -> None:
    monkeypatch.setattr(read, "BLOCK", block)
    rows = HOSTILE if block > 7 else [row[:50] for row in HOSTILE]
    path = tmp_path / "urls.txt"
    path.write_bytes(b"\xef\xbb\xbf" + end.join(rows))
    assert urls_of(path) == rows
    path.write_bytes(end.join(rows) + end)
    assert urls_of(path) == rows


def test_a_packed_file_is_unpacked_and_a_cut_off_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt.gz"
    path.write_bytes(gzip.compress(b"http://a.de/\nhttp://b.fr/\n" * 1000))
    assert len(urls_of(path)) == 2000
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadTable, match="cut off"):
        urls_of(path)


def test_a_line_that_is_no_object_is_a_row_with_an_error(tmp_path: Path) -> None:
    lines = [
        b'{"url": "http://a.de/", "n": 1.10}',
        b"nonsense",
        b"",
        b'{"x": 1}',
        b'{"url": 5}',
        b'{"url": null}',
        b"[1]",
        b'{"url": "\xff"}',
        b"[" * 100_000,
        b'{"url": "http://b.fr/"}',
    ]
    path = tmp_path / "urls.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    (piece,) = all_of(path)
    assert isinstance(piece, Lines)
    assert piece.values == [b"http://a.de/", *[b""] * 8, b"http://b.fr/"]
    assert sorted(piece.errors) == [1, 2, 3, 4, 6, 7, 8]
    assert piece.errors[3] == "line 4 has no 'url' (it has x)"
    assert piece.objects is not None
    assert piece.objects[0] == lines[0]


@pytest.mark.parametrize("block", [1, 5, 64, 1 << 21])
def test_csv_is_the_same_however_it_is_cut_into_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(read, "BLOCK", block)
    path = tmp_path / "urls.csv"
    path.write_bytes(b'\xef\xbb\xbf"url",id\r\n"http://a.de/,""x""",1\r\nhttp://b.fr/"q,2\r\n\r\n"c\nc",3')
    found = all_of(path)
    assert [url for piece in found for url in piece.plain().values] == [b'http://a.de/,"x"', b'http://b.fr/"q', b"c\nc"]
    assert all(isinstance(piece, DelimitedRows) and piece.names == ("url", "id") for piece in found)


def test_parquet_comes_in_pieces_with_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "urls.parquet"
    pq.write_table(pa.table({"url": ["http://a.de/", None], "n": [1, 2]}), path)
    (piece,) = all_of(path)
    assert piece.plain().values == [b"http://a.de/", b""]


@pytest.mark.parametrize("name", ["e.txt", "e.jsonl", "e.csv", "e.parquet"])
def test_a_table_without_rows_is_an_empty_piece(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({"url": pa.array([], pa.string())}), path)
    else:
        path.write_text("url\n" if name.endswith("csv") else "")
    found = all_of(path)
    assert found
    assert sum(map(len, found)) == 0


def test_what_cannot_be_used_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="No such file"):
        all_of(tmp_path / "none.csv")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(BadTable, match="not Parquet"):
        all_of(tmp_path / "bad.parquet")
    (tmp_path / "a.csv").write_text("link,title\nx,y\n")
    with pytest.raises(BadTable, match=r"no column 'url'; its columns: link, title.*--column"):
        all_of(tmp_path / "a.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(BadTable, match="header line"):
        all_of(tmp_path / "empty.csv")
    pq.write_table(pa.table({"url": [1, 2]}), tmp_path / "n.parquet")
    with pytest.raises(BadTable, match="holds int64, not text"):
        all_of(tmp_path / "n.parquet")
    with pytest.raises(BadTable, match="directory"):
        all_of(tmp_path)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_column_of_our_name_is_never_written_over_unasked(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    row = {"url": "http://a.de/", "language": "x", "n": "1"}
    if name.endswith("parquet"):
        pq.write_table(pa.Table.from_pylist([row]), path)
    elif name.endswith("csv"):
        path.write_text("language,url,n\nx,http://a.de/,1\n")
    else:
        path.write_text(json.dumps(row) + "\n")
    with pytest.raises(BadTable, match=r"'language' already.*--replace"):
        all_of(path)
    assert urls_of(path, replace=True) == [b"http://a.de/"]
    with pytest.raises(BadTable, match="would be replaced"):
        all_of(path, "language", replace=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once_from_its_start(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeder = threading.Thread(target=pipe.write_bytes, args=(b"http://a.de/\nhttp://b.de/\n",))
    feeder.start()
    given = open_source(str(pipe))
    assert given.format is Format.TEXT
    assert [url for piece in pieces(given) for url in piece.plain().values] == [b"http://a.de/", b"http://b.de/"]
    feeder.join()
    given.stream.close()


@pytest.mark.parametrize(("format", "mark"), [(Format.CSV, b","), (Format.TSV, b"\t")])
def test_how_a_table_is_cut_into_blocks_changes_no_row_and_no_fault(
    monkeypatch: pytest.MonkeyPatch, format: Format, mark: bytes
) -> None:
    rng = random.Random(7)
    for _ in range(200):
        body = b"".join(rng.choice([b"a", b'"', b'"', mark, mark, b"\n", b"\r\n", b"\r"]) for _ in range(40))
        found = []
        for size in (1 << 20, 1, 3, 7):
            monkeypatch.setattr(read, "BLOCK", size)
            urls: list[bytes] = []
            faults: list[str] = []
            for piece in pieces(Source("made", format, io.BytesIO(b"url" + mark + b"n\n" + body))):
                urls += piece.plain().values
                faults += piece.errors.values()
            found.append((urls, faults))
        assert all(one == found[0] for one in found), body
