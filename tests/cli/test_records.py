"""`dragoman records`: pages by their places in an index, from files and over HTTP, as WARC and WET."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.made_archives import answer, packed
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.tables.archives import ArchiveRecord, read_archive

TEXTS = {
    "http://a.example/": "Das Museum öffnet um zehn Uhr morgens, und Kinder brauchen keine Karte.",
    "http://b.example/": "The museum opens at ten in the morning, and children need no ticket.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    members = [packed(answer(url, f"<p>{text}</p>".encode())) for url, text in TEXTS.items()]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.warc.gz").write_bytes(b"".join(members))
    offsets = [0, len(members[0])]
    rows = [
        {"warc_filename": "crawl/a.warc.gz", "warc_record_offset": offset, "warc_record_length": len(member)}
        for offset, member in zip(offsets, members, strict=True)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "index.parquet")
    cdx = [
        {"filename": "crawl/a.warc.gz", "offset": str(rows[1]["warc_record_offset"]), "length": str(len(members[1]))}
    ]
    (tmp_path / "b.cdxj").write_text("".join(f"example,b)/ 20260101 {json.dumps(row)}\n" for row in cdx))
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[str]:
    class Ranges(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
            part = (folder / self.path[1:]).read_bytes()[first : last + 1]
            self.send_response(206)
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part)

        def log_message(self, *parts: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Ranges) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["records", *map(str, arguments)], prog_name="dragoman")


def told(path: Path) -> list[ArchiveRecord]:
    with path.open("rb") as stream:
        return [record for record in read_archive(stream) if isinstance(record, ArchiveRecord)]


def test_records_of_an_index_come_from_files_as_they_are(folder: Path) -> None:
    out = folder / "out.warc.gz"
    assert run(folder / "index.parquet", "--from", folder, "-o", out).exit_code == 0
    assert out.read_bytes() == (folder / "crawl" / "a.warc.gz").read_bytes()
    assert run(folder / "index.parquet", "--from", folder, "-o", out, "--language", "German").exit_code == 0
    assert [record.url for record in told(out)] == ["http://a.example/"]


def test_records_come_over_http_by_their_ranges_as_texts(folder: Path, server: str) -> None:
    out = folder / "out.wet.gz"
    assert run(folder / "b.cdxj", "--from", server, "-o", out).exit_code == 0
    (record,) = told(out)
    assert (record.kind, record.url, record.body.decode().strip()) == ("conversion", *list(TEXTS.items())[1])
    assert out.read_bytes() != b""


def test_an_archive_becomes_wet_and_wet_is_read_again(folder: Path) -> None:
    out = folder / "out.wet.gz"
    assert run(folder / "crawl" / "a.warc.gz", "-o", out, "--language", "en,de").exit_code == 0
    judged = CliRunner().invoke(cli, ["page", str(out)], prog_name="dragoman").stdout.splitlines()
    assert [json.loads(row)["language"] for row in judged] == ["de", "en"]


def test_what_cannot_be_read_is_told_and_the_rest_is_written(folder: Path) -> None:
    out = folder / "out.warc.gz"
    out.write_bytes(b"of yesterday")
    result = run(folder / "index.parquet", "--from", folder / "nowhere", "-o", out)
    assert result.exit_code == 1
    assert "2 of 2 records could not be read" in result.stderr
    assert out.read_bytes() == b"of yesterday"
    assert "end it in .warc.gz or .wet.gz" in refused(run(folder / "index.parquet", "-o", folder / "out.zip"), 2)
    (folder / "odd.csv").write_text("url\nhttp://a.example/\n")
    assert "an index that says where records are" in refused(run(folder / "odd.csv", "-o", out), 2)
    assert "is an archive already" in refused(run(folder / "crawl" / "a.warc.gz", "-o", out), 2)
