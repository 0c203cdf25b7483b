"""Tables as people have them: from spreadsheets, with two columns of one name, with what is no table among them."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.refusals import refused

import dragoman
from dragoman.cli.main import cli

GERMAN, FRENCH = "http://www.beispiel.de/garten", "http://www.exemple.fr/recettes"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def put(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_semicolons_of_a_spreadsheet_are_read_and_stay(tmp_path: Path) -> None:
    source = put(tmp_path / "in.csv", f'id;url;note\r\n1;{GERMAN};"a;b"\r\n2;{FRENCH};1,5\r\n')
    result = run("url", source)
    assert result.exit_code == 0, result.output
    header, first, second = result.stdout.splitlines()
    assert header == "id;url;note;language;probability"
    assert first.startswith(f'1;{GERMAN};"a;b";de;0.')
    assert second.startswith(f"2;{FRENCH};1,5;fr;0.")
    as_json = run("url", source, "--format", "jsonl")
    assert f'"url": "{GERMAN}", "note": "a;b", "language": "de"' in as_json.stdout


def test_tables_with_commas_and_with_semicolons_do_not_become_one(tmp_path: Path) -> None:
    commas = put(tmp_path / "a.csv", f"id,url\n1,{GERMAN}\n")
    semicolons = put(tmp_path / "b.csv", f"id;url\n1;{FRENCH}\n")
    assert "does not have the columns of" in refused(run("url", commas, semicolons), 2)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
@pytest.mark.parametrize(("name", "between"), [("in.csv", ","), ("in.tsv", "\t"), ("in.txt", "\t"), ("in.csv", ";")])
def test_utf_16_of_a_spreadsheet_is_read(tmp_path: Path, encoding: str, name: str, between: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    rows = [("id", "url"), ("Grüße", GERMAN), ("2", FRENCH)]
    source = put(tmp_path / name, mark + "\r\n".join(between.join(row) for row in rows) + "\r\n", encoding)
    lines = run("url", source).stdout.splitlines()
    assert lines[0] == between.join(["id", "url", "language", "probability"])
    assert [line.split(between)[2] for line in lines[1:]] == ["de", "fr"]
    assert lines[1].startswith("Grüße")


def test_lines_of_utf_16_are_urls(tmp_path: Path) -> None:
    result = run("url", put(tmp_path / "in.txt", f"{GERMAN}\n{FRENCH}\n", "utf-16"))
    assert ['"de"' in line for line in result.stdout.splitlines()] == [True, False]
    assert result.stderr == ""


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_two_columns_of_the_judged_name_are_refused(tmp_path: Path, ending: str) -> None:
    source = tmp_path / f"in.{ending}"
    if ending == "csv":
        put(source, f"url,url\n{GERMAN},{FRENCH}\n")
    else:
        pq.write_table(pa.table([pa.array([GERMAN]), pa.array([FRENCH])], names=["url", "url"]), source)
    assert "has 2 columns 'url': rename all but one" in refused(run("url", source, "--format", "jsonl"), 2)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_two_other_columns_of_one_name_stay_or_are_refused(tmp_path: Path, ending: str) -> None:
    source, target = tmp_path / f"in.{ending}", tmp_path / f"out.{ending}"
    if ending == "csv":
        put(source, f"x,url,x\n1,{GERMAN},2\n")
    else:
        columns = [pa.array(["1"]), pa.array([GERMAN]), pa.array(["2"])]
        pq.write_table(pa.table(columns, names=["x", "url", "x"]), source)
    assert run("url", source, "-o", target).exit_code == 0
    if ending == "csv":
        assert target.read_text().splitlines()[0] == "x,url,x,language,probability"
    else:
        assert pq.ParquetFile(target).read().column_names == ["x", "url", "x", "language", "probability"]
    assert "Two columns are named 'x'" in refused(run("url", source, "--format", "jsonl"), 2)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_all_columns_that_have_our_name_are_replaced(tmp_path: Path, ending: str) -> None:
    source, target = tmp_path / f"in.{ending}", tmp_path / f"out.{ending}"
    if ending == "csv":
        put(source, f"language,url,language,id\nxx,{GERMAN},yy,7\n")
    else:
        columns = [pa.array(["xx"]), pa.array([GERMAN]), pa.array(["yy"]), pa.array(["7"])]
        pq.write_table(pa.table(columns, names=["language", "url", "language", "id"]), source)
    assert run("url", source, "--replace", "-o", target).exit_code == 0
    if ending == "csv":
        assert target.read_text().startswith(f"url,id,language,probability\n{GERMAN},7,de,")
    else:
        assert pq.read_table(target).column_names == ["url", "id", "language", "probability"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_that_is_nearly_named_is_proposed(tmp_path: Path, ending: str) -> None:
    source = put(tmp_path / "in.csv", f"id,url\n1,{GERMAN}\n")
    if ending == "parquet":
        source = tmp_path / "in.parquet"
        pq.write_table(pa.table({"id": ["1"], "url": [GERMAN]}), source)
    line = refused(run("url", source, "--column", "URL"), 2)
    assert line.endswith("its columns: id, url. Name the one to read (--column, or column=). Did you mean 'url'?\n")
    lines = run("url", put(tmp_path / "in.jsonl", f'{{"url": "{GERMAN}"}}\n'), "--column", "URL")
    assert "line 1 has no 'URL' (did you mean 'url'?)" in lines.stderr


def test_a_csv_that_has_tabs_is_told_so(tmp_path: Path) -> None:
    line = refused(run("url", put(tmp_path / "in.csv", f"url\tn\n{GERMAN}\t1\n")), 2)
    assert "--input-format tsv" in line
    assert "Did you mean" not in line


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (f"id|url\n1|{GERMAN}\n".encode(), "between bars: write commas, semicolons or tabs"),
        (f"1,{GERMAN}\n".encode(), "is no header: write the names of the columns above it"),
        (f"id,url\r1,{GERMAN}\r".encode(), "end in carriage returns alone: save it with other line ends"),
        (f"id,url\n1,{GERMAN}\n".encode("utf-16-le"), "UTF-16 without its mark: save it as UTF-8"),
    ],
)
def test_a_header_that_is_none_is_told_with_what_to_do(tmp_path: Path, content: bytes, remedy: str) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(content)
    line = refused(run("url", source), 2)
    assert remedy in line
    assert line.rstrip("\n").isprintable()


def test_columns_of_parquet_are_called_as_they_are(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"http://schema.org/url": [GERMAN]}), source)
    assert "no header" not in refused(run("url", source), 2)


def test_columns_of_a_stranger_cannot_steer_the_terminal(tmp_path: Path) -> None:
    assert "its columns: a\\x1b[31mb, c" in refused(run("url", put(tmp_path / "in.csv", "a\x1b[31mb,c\n1,2\n")), 2)


@pytest.mark.parametrize("name", ["in.json", "in.txt", "in"])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_json_is_not_taken_for_urls(tmp_path: Path, name: str, indent: int | None) -> None:
    source = put(tmp_path / name, json.dumps([{"url": GERMAN}], indent=indent))
    assert "jq -c '.[]' FILE > FILE.jsonl" in refused(run("url", source), 2)


def test_a_web_archive_is_not_taken_for_urls(tmp_path: Path) -> None:
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(gzip.compress(b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"))
    assert "'dragoman page' and 'dragoman links' read its pages" in refused(run("url", archive), 2)


def test_a_line_without_the_column_says_what_it_has(tmp_path: Path) -> None:
    source = put(tmp_path / "in.jsonl", f'{{"id": 1, "meta": {{"url": "{GERMAN}"}}}}\n{{}}\n{{"url": "x\n')
    errors = [json.loads(line)["error"] for line in run("url", source).stdout.splitlines()]
    assert errors == [
        "line 1 has no 'url' (it has id, meta)",
        "line 2 has no 'url'",
        "line 3 is not JSON: Unterminated string starting at character 9",
    ]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_what_is_wrong_with_the_second_table_is_told_before_the_first_is_labelled(tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"url": [GERMAN]}), first)
        pq.write_table(pa.table({"url": [GERMAN], "language": ["de"]}), second)
    elif ending == "csv":
        put(first, f"url\n{GERMAN}\n")
        put(second, f"url,language\n{GERMAN},de\n")
    else:
        put(first, f'{{"url": "{GERMAN}"}}\n')
        put(second, f'{{"url": "{GERMAN}", "language": "de"}}\n')
    # nothing on stdout: before, the rows of the first stood there
    assert "'language' already" in refused(run("url", first, second), 2)


@pytest.mark.parametrize("command", ["track", "page", "url"])
def test_a_file_is_not_written_as_what_it_is_not(tmp_path: Path, command: str) -> None:
    document = put(tmp_path / "in.txt", "Der Hund und die Katze spielen im Garten.\n")
    target = tmp_path / "out.pdf"
    assert "Cannot write" in refused(run(command, document, "-o", target), 2)
    assert not target.exists()
    assert run(command, document, "-o", tmp_path / "out.txt").exit_code == 0


def test_a_binary_file_taken_for_urls_is_remarked(tmp_path: Path) -> None:
    source = tmp_path / "picture"
    source.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n")
    result = run("url", source)
    assert result.exit_code == 0
    assert f"note: '{source}' does not look like text: its lines were taken for URLs" in result.stderr


@pytest.mark.parametrize("text", ["<!DOCTYPE html>\n<p>Das Haus", "\n<html>", '<?xml version="1.0"?>\n<urlset/>'])
def test_a_page_taken_for_urls_is_remarked(tmp_path: Path, text: str) -> None:
    result = run("url", put(tmp_path / "saved.html", text))
    assert result.exit_code == 0
    assert "looks like a page: its lines were taken for URLs ('dragoman page' reads pages)" in result.stderr
    assert "looks like" not in run("url", put(tmp_path / "urls.txt", f"<{GERMAN}>\n")).stderr


def test_a_field_of_many_megabytes_costs_no_more_than_its_length(tmp_path: Path) -> None:
    def seconds(megabytes: int) -> float:
        source = tmp_path / "in.csv"
        source.write_bytes(b"text,url\n" + b"x" * (megabytes << 20) + b"," + GERMAN.encode() + b"\n")
        began = time.process_time()
        assert dragoman.label_file(source, tmp_path / "out.csv", model="cctld").rows == 1
        return time.process_time() - began

    seconds(1)
    # 8 times the bytes: 8 times the work, and not 64 times
    assert seconds(48) < 64 * max(seconds(6), 0.02)
