"""Records of web archives, written by two libraries, whole and damaged."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

import pyarrow as pa
import pytest
from tests.made_archives import HTML, answer, packed, text
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dragoman.tables import archives
from dragoman.tables.archives import ArchiveRecord, DamagedPlace, is_archive, read_archive
from dragoman.tables.http_answers import parse_answer

# warcio leaves its temporary files to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

RECORDS = [answer(f"http://a.example/{number}", f"<p>page {number}".encode() * 20) for number in range(6)]
URLS = [f"http://a.example/{number}" for number in range(6)]


def read(data: bytes) -> tuple[list[ArchiveRecord], list[DamagedPlace]]:
    parts = list(read_archive(io.BytesIO(data)))
    return (
        [part for part in parts if isinstance(part, ArchiveRecord)],
        [part for part in parts if isinstance(part, DamagedPlace)],
    )


def urls(data: bytes) -> list[str | None]:
    return [part.url for part in read(data)[0]]


@pytest.mark.parametrize("way", ["plain", "by record", "as a whole", "zstd"])
def test_records_are_read_however_they_are_packed(way: str) -> None:
    plain = b"".join(RECORDS)
    data = {
        "plain": plain,
        "by record": packed(*RECORDS),
        "as a whole": gzip.compress(plain),
        "zstd": pa.Codec("zstd").compress(plain).to_pybytes(),
    }[way]
    records, damage = read(data)
    assert not damage
    assert [part.url for part in records] == URLS
    first = records[0]
    assert (first.kind, first.status, first.content_type) == ("response", 200, "text/html")
    assert first.body == b"<p>page 0" * 20
    assert first.date == "2026-01-01T00:00:00Z"
    assert first.record_id == "urn:uuid:http://a.example/0"
    assert is_archive(io.BufferedReader(io.BytesIO(data)))


def test_the_offset_is_where_the_record_begins() -> None:
    for data in (b"".join(RECORDS), packed(*RECORDS)):
        for part in read(data)[0]:
            assert read(data[part.offset :])[0][0].url == part.url


def test_a_file_of_warcio_is_read() -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), ("Content-Language", "de")], "HTTP/1.1")
    made = writer.create_warc_record("http://a.example/", "response", io.BytesIO(b"<p>Hallo"), http_headers=headers)
    writer.write_record(made)
    (part,) = read(out.getvalue())[0]
    assert (part.url, part.body, part.headers["content-language"]) == ("http://a.example/", b"<p>Hallo", "de")


def test_texts_of_wet_files_are_conversion_records() -> None:
    (part,) = read(packed(text("http://a.example/", b"Guten Tag")))[0]
    assert (part.kind, part.content_type, part.body, part.status) == ("conversion", "text/plain", b"Guten Tag", None)


@pytest.mark.parametrize("way", ["plain", "by record"])
def test_a_cut_off_archive_gives_what_is_whole_and_says_so(way: str) -> None:
    data = b"".join(RECORDS) if way == "plain" else packed(*RECORDS)
    records, damage = read(data[:-30])
    assert [part.url for part in records] == URLS[:-1]
    assert [place.reason for place in damage] == ["cut off"]


def test_reading_goes_on_behind_damage_in_the_middle() -> None:
    for data in (b"".join(RECORDS), packed(*RECORDS)):
        starts = [part.offset for part in read(data)[0]]
        torn = data[: starts[2] + 40] + b"\xff" * 60 + data[starts[2] + 100 :]
        records, damage = read(torn)
        assert [part.url for part in records] == [*URLS[:2], *URLS[3:]]
        assert [place.offset for place in damage] == [starts[2]]
        lost = data[: starts[2]] + b"\0noise" * 50 + data[starts[4] :]
        assert urls(lost) == [*URLS[:2], *URLS[4:]]
        assert len(read(lost)[1]) == 1


def test_a_record_that_is_not_as_long_as_it_says_takes_no_other_with_it() -> None:
    length = len(RECORDS[2].partition(b"\r\n\r\n")[2]) - 4
    for wrong in (length + 300, length - 10, 10**12):
        long = RECORDS[2].replace(b"Content-Length: %d" % length, b"Content-Length: %d" % wrong)
        for data in (b"".join([*RECORDS[:2], long, *RECORDS[3:]]), packed(*RECORDS[:2], long, *RECORDS[3:])):
            assert urls(data) == [*URLS[:2], *URLS[3:]], wrong
            assert read(data)[1]


def test_a_wrong_checksum_is_damage() -> None:
    data = bytearray(packed(*RECORDS))
    end = read(bytes(data))[0][1].offset
    data[end - 8] ^= 1  # of the first member
    assert urls(bytes(data)) == URLS[1:]


def test_nothing_is_read_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    bomb = answer("http://a.example/bomb", zlib.compress(b"x" * 10**6), HTML + b"Content-Encoding: deflate\r\n")
    long = answer("http://a.example/long", b"y" * 5000)
    records, damage = read(packed(bomb, long, RECORDS[0]))
    assert not damage
    assert [(part.url, part.cut) for part in records] == [
        ("http://a.example/bomb", True),
        ("http://a.example/long", True),
        (URLS[0], False),
    ]
    assert all(len(part.body) <= 1000 for part in records)


@pytest.mark.parametrize(
    "data", [b"", b"WARC", b"WARC/1.0", b"WARC/1.0\r\n\r\n", b"\x1f\x8b\x08", b"no archive", b"\r\n\r\n", bytes(100)]
)
def test_what_is_no_archive_has_no_records_and_does_not_raise(data: bytes) -> None:
    assert urls(data) == []


def test_a_header_that_never_ends_is_damage() -> None:
    endless = b"WARC/1.0\r\n" + b"X: y\r\n" * 50_000
    records, damage = read(endless + b"".join(RECORDS[:1]))
    assert [part.url for part in records] == URLS[:1]
    assert damage


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(b"abc", mtime=0)),
        ("deflate", zlib.compress(b"abc")),
        ("deflate", zlib.compressobj(wbits=-15).compress(b"") + zlib.compress(b"abc", wbits=-15)),
        ("gzip", b"abc"),
        ("br", b"abc"),
        ("unheard-of", b"abc"),
    ],
)
def test_bodies_are_unpacked_unless_they_were_stored_so(coding: str, body: bytes) -> None:
    found = parse_answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: " + coding.encode() + b"\r\n\r\n" + body, 100)
    assert found is not None
    assert found.body == b"abc"


@pytest.mark.parametrize("block", [b"", b"HTTP/1.1", b"HTTP/1.1 abc\r\n\r\n", b"dns:x 1 2"])
def test_what_is_no_answer_is_none(block: bytes) -> None:
    assert parse_answer(block, 100) is None


def test_chunks_may_be_cut_off_or_be_none() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    bodies = (b"3\r\nabc\r\n", b"<p>not in chunks", b"3\r\nabc\r\nzz\r\n", b"ff\r\nabc")
    found = [parse_answer(head + body, 100) for body in bodies]
    assert [part and part.body for part in found] == [b"abc", b"<p>not in chunks", b"abc", b"abc"]


def test_a_pipe_is_read_as_a_file_is(tmp_path: Path) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    torn = packed(*RECORDS[:2]) + b"noise" + packed(*RECORDS[3:])
    parts = list(read_archive(io.BufferedReader(Pipe(torn))))
    assert [part.url for part in parts if isinstance(part, ArchiveRecord)] == [*URLS[:2], *URLS[3:]]
