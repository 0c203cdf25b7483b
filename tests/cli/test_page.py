"""`dragoman page`: documents, tables and web archives."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import cli

GERMAN = "Der Hund und die Katze spielen im Garten, weil heute die Sonne scheint und es nicht regnet."
FRENCH = "Les enfants jouent dans la forêt près de l'école parce qu'il fait beau aujourd'hui."


def run(*arguments: str | Path, input: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["page", *map(str, arguments)], input=input)


def rows(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def german(tmp_path: Path) -> Path:
    path = tmp_path / "seite.html"
    path.write_bytes(f"<html lang=nl><meta charset=iso-8859-1><p>{GERMAN} Größe".encode("latin-1"))
    return path


def test_a_document_is_a_row(german: Path) -> None:
    (row,) = rows(run(german))
    assert list(row) == ["source", "language", "probability", "declared", "charset"]
    assert (row["source"], row["language"], row["declared"]) == (str(german), "de", "nl")
    assert row["charset"] == "windows-1252"
    assert isinstance(row["probability"], float)


def test_text_packed_empty_and_binary_documents_all_have_an_answer(tmp_path: Path) -> None:
    packed, empty, binary = tmp_path / "a.txt.gz", tmp_path / "empty", tmp_path / "b.png"
    packed.write_bytes(gzip.compress(FRENCH.encode()))
    empty.write_bytes(b"")
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    found = rows(run(packed, empty, binary))
    assert [row["language"] for row in found] == ["fr", None, None]
    assert [row["charset"] for row in found] == ["utf-8", "utf-8", None]


def test_a_name_that_is_no_text_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.txt")
    path.write_text(FRENCH, encoding="utf-8")
    (row,) = rows(run(path))
    assert (str(row["source"])[-5:], row["language"]) == ("\ufffd.txt", "fr")


def test_stdin_is_a_document(german: Path) -> None:
    (row,) = rows(run("-", input=german.read_bytes()))
    assert (row["source"], row["language"]) == ("-", "de")


def test_a_file_that_is_not_there_is_told_and_the_rest_goes_on(german: Path, tmp_path: Path) -> None:
    result = run(tmp_path / "nope.html", german, tmp_path)
    assert [row["language"] for row in rows(result)] == ["de"]
    assert result.exit_code == 1
    assert "nope.html: No such file" in result.stderr
    assert "2 of 3 inputs could not be read" in result.stderr


def test_nothing_readable_leaves_no_file(tmp_path: Path) -> None:
    result = run(tmp_path / "nope.html", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_languages_threshold_top_and_content_type(german: Path, tmp_path: Path) -> None:
    (row,) = rows(run(german, "--languages", "fr,Dutch", "--top", "2"))
    assert set(row["scores"]) == {"fr", "nl"}  # type: ignore[call-overload]
    assert row["language"] in {"fr", "nl"}
    text = tmp_path / "x"
    text.write_bytes("Дети играют в лесу".encode("koi8-r"))
    (row,) = rows(run(text, "--content-type", "text/plain; charset=koi8-r"))
    assert (row["language"], row["charset"]) == ("ru", "koi8-r")
    (row,) = rows(run(text, "--content-type", "text/plain; charset=koi8-r", "--threshold", "1"))
    assert row["language"] is None or row["probability"] == 1.0


def test_the_charset_rule_is_a_method(tmp_path: Path) -> None:
    page = tmp_path / "hotel.html"
    page.write_bytes(b"<meta charset=TIS-620><p>Our hotel is near the river and the old town, and breakfast is free.")
    assert [rows(run(page, "--method", f"charset-rule{how}"))[0]["language"] for how in ("", "-both")] == ["th", "en"]
    result = run(page, "--method", "charset-rule", "--top", "2")
    assert result.exit_code == 2


def test_a_table_for_people_and_one_for_programs(german: Path, tmp_path: Path) -> None:
    shown = run(german, "--format", "table", "--top", "1").stdout
    assert shown.splitlines()[0].split() == ["language", "probability", "declared", "charset", "source"]
    assert shown.splitlines()[1].split()[0] == "de"
    out = tmp_path / "out.parquet"
    assert run(german, "-o", out).exit_code == 0
    assert pq.read_table(out).to_pylist()[0]["language"] == "de"


@pytest.mark.parametrize("format", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("column", ["text", "html"])
def test_a_table_comes_back_with_its_columns_and_ours(format: str, column: str, tmp_path: Path) -> None:
    wrapped = "<p>{}</p><script>var the = 'of and to in is that for'</script>" if column == "html" else "{}"
    texts = [wrapped.format(GERMAN), None, wrapped.format(FRENCH), "1 2 3"]
    path, out = tmp_path / f"in.{format}", tmp_path / f"out.{format}"
    if format == "parquet":
        pq.write_table(pa.table({"id": [1, 2, 3, 4], column: texts}), path)
    elif format == "jsonl":
        path.write_text("".join(json.dumps({"id": i, column: text}) + "\n" for i, text in enumerate(texts)))
    else:
        body = "".join(f'{i},"{(text or "").replace(chr(34), chr(34) * 2)}"\n' for i, text in enumerate(texts))
        path.write_text(f"id,{column}\n{body}", encoding="utf-8")
    result = run(path, "--column", column, "-o", out)
    assert result.exit_code == 0, result.stderr
    if format == "parquet":
        table = pq.read_table(out)
        assert table.column_names == ["id", column, "language", "probability"]
        assert table.schema.field("probability").type == pa.float32()
        found = table["language"].to_pylist()
    elif format == "jsonl":
        found = [json.loads(line)["language"] for line in out.read_text(encoding="utf-8").splitlines()]
    else:
        found = [line.split(",")[-2] or None for line in out.read_text(encoding="utf-8").splitlines()[1:]]
    assert found == ["de", None, "fr", None]


def test_bad_rows_get_null_and_their_neighbours_their_answer() -> None:
    data = b'{"text": "' + GERMAN.encode() + b'"}\nnot json\n{"text": 5}\n{"text": "' + FRENCH.encode() + b'"}\n'
    result = run("-", "--column", "text", input=data)
    assert [row["language"] for row in rows(result)] == ["de", None, None, "fr"]
    assert "2 of 4 rows could not be read" in result.stderr


def test_a_web_archive_has_a_row_for_every_answer(tmp_path: Path) -> None:
    def record(kind: str, url: str, body: bytes) -> bytes:
        head = (
            f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
            f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return gzip.compress(head.encode() + body + b"\r\n\r\n")

    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Language: de\r\n\r\n"
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(
        record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n")
        + record("response", "http://a.example/", http + f"<p>{GERMAN}".encode())
        + record("response", "http://b.example/", http + f"<p>{FRENCH}".encode())
    )
    found = rows(run(path))
    assert [(row["source"], row["language"], row["declared"]) for row in found] == [
        ("http://a.example/", "de", "de"),
        ("http://b.example/", "fr", "de"),
    ]
    path.write_bytes(b"no archive at all")
    assert run(path).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [[], ["-", "-"], ["a.html", "b.csv"], ["x.csv", "y.jsonl"], ["-", "--threshold", "2"], ["-", "--method", "nope"],
     ["-", "--languages", "nonsense"], ["t.csv", "--format", "table"], ["-", "--column", "text"]],
)  # fmt: skip
def test_bad_arguments_get_one_line_and_code_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x.csv", "t.csv"):
        Path(name).write_text("text\na\n")
    Path("y.jsonl").write_text('{"text": "a"}\n')
    result = run(*arguments)
    assert result.exit_code == 2, result.stderr
    assert len(result.stderr.splitlines()) == 1
