"""`dragoman track`: documents and tables, in every format."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import cli

GERMAN = "Der Hund und die Katze spielen im Garten, weil heute die Sonne scheint."
ENGLISH = "The children are playing in the forest because the weather is nice today."
TEXT = f"{GERMAN} {ENGLISH}"
SPANS = [
    {"start": 0, "end": len(GERMAN), "language": "de", "probability": 1.0},
    {"start": len(GERMAN) + 1, "end": len(TEXT), "language": "en", "probability": 1.0},
]


def run(*arguments: str | Path, input: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["track", *map(str, arguments)], input=input)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_text_is_a_row_of_json(text: Path) -> None:
    result = run(text)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"source": str(text), "spans": SPANS}


def test_stdin_and_packed_files_are_read(tmp_path: Path) -> None:
    assert json.loads(run("-", input=TEXT.encode()).stdout) == {"source": "-", "spans": SPANS}
    packed = tmp_path / "text.txt.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert json.loads(run(packed).stdout)["spans"] == SPANS


def test_languages_and_methods_can_be_chosen(text: Path) -> None:
    languages = {span["language"] for span in json.loads(run(text, "--languages", "fr,it").stdout)["spans"]}
    assert languages <= {"fr", "it"}
    refused = run(text, "--method", "magic")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "Known: default, hmm-network, sentences" in refused.stderr


def test_a_page_tells_places_in_its_source(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{GERMAN}<p>{ENGLISH}", encoding="utf-8")
    first, second = json.loads(run(path).stdout)["spans"]
    assert (first["source_start"], first["source_end"]) == (3, 3 + len(GERMAN))
    assert (second["start"], second["source_start"]) == (len(GERMAN) + 1, len(GERMAN) + 6)


def test_html_of_a_page_is_its_own_markup_with_lang_attributes(tmp_path: Path) -> None:
    path, out = tmp_path / "page.html", tmp_path / "out.html"
    path.write_text(f"<body><p>{GERMAN}<p><b>{ENGLISH}</b>", encoding="utf-8")
    assert run(path, "-o", out).exit_code == 0
    expected = f'<body><p><span lang="de">{GERMAN}</span><p><b><span lang="en">{ENGLISH}</span></b>'
    assert out.read_text(encoding="utf-8") == expected


def test_html_of_a_text_is_a_coloured_page_and_xml_has_languages(text: Path) -> None:
    page = run(text, "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert f">{GERMAN}</mark>" in page
    root = ElementTree.fromstring(run(text, "--format", "xml").stdout.encode())  # noqa: S314
    assert [one.text for one in root] == [GERMAN, ENGLISH]


def test_the_terminal_has_a_legend(text: Path) -> None:
    shown = run(text, "--format", "terminal").stdout
    assert shown.startswith(f"[de] {GERMAN}")
    assert f"[en] {ENGLISH}" in shown
    assert "German (de) 4" in shown


def test_tables_come_back_with_spans(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": 1, "text": TEXT}, {"id": 2, "text": ""}, {"id": 3, "text": None}]
    lines = tmp_path / "in.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    parquet = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    expected = [rows[0] | {"spans": SPANS}, rows[1] | {"spans": []}, rows[2] | {"spans": None}]
    for path in (lines, parquet):
        result = run(path, "--column", "text")
        assert [json.loads(line) for line in result.stdout.splitlines()] == expected, path
    piped = run("-", "--column", "text", input=lines.read_bytes())
    assert [json.loads(line) for line in piped.stdout.splitlines()] == expected


def test_a_bad_row_says_so_and_the_rest_goes_on(tmp_path: Path) -> None:
    lines = [json.dumps({"text": TEXT}), "[1]", "no JSON", '{"a": 1}', '{"text": 5}', "", json.dumps({"text": ENGLISH})]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for result in (run(path, "--column", "text"), run("-", "--column", "text", input=path.read_bytes())):
        assert result.exit_code == 0, result.stderr
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert [row["spans"] is not None for row in found] == [True, False, False, False, False, False, True]
        assert found[0]["spans"] == SPANS
        assert found[1]["error"] == "line 2 is not a JSON object"
        assert found[3] == {"a": 1, "spans": None, "error": "line 4 has no 'text' (it has a)"}
        assert "5 of 7 rows could not be read (the first: line 2 is not a JSON object)" in result.stderr


def test_rows_keep_what_they_had_and_offsets_count_characters(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"n":1.10,  "text": "\\ud800 ' + GERMAN + '"}\n', encoding="utf-8")
    (line,) = run(path).stdout.splitlines()
    assert line.startswith('{"n":1.10,  "text": "\\ud800 Der Hund')
    assert json.loads(line)["spans"][-1]["end"] == len(GERMAN) + 2


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl.gz"])
def test_the_name_of_the_output_chooses_the_format_of_a_table(tmp_path: Path, ending: str) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / f"out.{ending}"
    pq.write_table(pa.table({"text": [TEXT, None], "n": [1, 2]}), path)
    result = run(path, "-o", out)
    assert result.exit_code == 0, result.stderr
    if ending == "parquet":
        found = [spans and json.loads(spans) for spans in pq.read_table(out)["spans"].to_pylist()]
    elif ending == "csv":
        rows = csv.DictReader(out.read_text(encoding="utf-8").splitlines())
        found = [json.loads(row["spans"]) if row["spans"] else None for row in rows]
    else:
        found = [json.loads(line)["spans"] for line in gzip.decompress(out.read_bytes()).splitlines()]
    assert found == [SPANS, None]


def test_a_document_that_cannot_be_read_is_told_and_the_rest_is_written(text: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = run(tmp_path / "no.txt", text, "-o", out)
    assert result.exit_code == 1
    assert "no.txt" in result.stderr
    assert "1 of 2 inputs could not be read" in result.stderr
    assert json.loads(out.read_text(encoding="utf-8"))["spans"] == SPANS


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ('{"text": "a", "spans": 1}', ("--column", "text"), "--replace"),
        ('{"text": "a"}', ("--format", "xml"), "comes back as JSON lines"),
    ],
)
def test_tables_that_cannot_be_used_are_told_in_one_line(
    tmp_path: Path, content: str, arguments: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(content + "\n", encoding="utf-8")
    result = run(path, *arguments)
    assert result.exit_code in (1, 2)
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_nothing_to_do_and_missing_files_are_told(tmp_path: Path) -> None:
    assert run().exit_code == 2
    assert run("-", "-").exit_code == 2
    out = tmp_path / "out.jsonl"
    missing = run(tmp_path / "no.txt", "-o", out)
    assert missing.exit_code == 2
    assert "no.txt" in missing.stderr
    assert not out.exists()
