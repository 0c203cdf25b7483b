"""`dragoman page`: documents, tables and web archives."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.made_archives import answer, packed, record, text

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
    assert result.exit_code == 2
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
    http = b"Content-Type: text/html; charset=utf-8\r\nContent-Language: de\r\n"
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(
        packed(
            record("request", "http://a.example/", "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
            answer("http://a.example/", f"<p>{GERMAN}".encode(), http),
            answer("http://b.example/", f"<p>{FRENCH}".encode(), http),
        )
    )
    found = rows(run(path))
    assert [(row["source"], row["language"], row["declared"]) for row in found] == [
        ("http://a.example/", "de", "de"),
        ("http://b.example/", "fr", "de"),
    ]
    assert [row["record_id"] for row in found] == ["urn:uuid:http://a.example/", "urn:uuid:http://b.example/"]
    assert [row["date"] for row in found] == ["2026-01-01T00:00:00Z"] * 2
    assert [row["archive"] for row in found] == [str(path)] * 2
    offset = found[1]["offset"]
    assert isinstance(offset, int)
    assert gzip.decompress(path.read_bytes()[offset:]).startswith(b"WARC/1.0\r\nWARC-Type: response")
    path.write_bytes(b"no archive at all")
    assert run(path).exit_code == 1


def test_wet_files_are_read_record_by_record(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.wet.gz"
    path.write_bytes(packed(text("http://a.example/", GERMAN.encode()), text("http://b.example/", FRENCH.encode())))
    found = rows(run(path))
    assert [(row["source"], row["language"]) for row in found] == [
        ("http://a.example/", "de"),
        ("http://b.example/", "fr"),
    ]


def test_an_archive_is_known_by_its_content(tmp_path: Path) -> None:
    data = packed(answer("http://a.example/", GERMAN.encode()), answer("http://b.example/", FRENCH.encode()))
    (tmp_path / "segment-17").write_bytes(data)
    for result in (run(tmp_path / "segment-17"), run("-", input=data)):
        assert [row["language"] for row in rows(result)] == ["de", "fr"]


def test_a_damaged_archive_gives_the_rest_an_error_row_and_code_1(tmp_path: Path) -> None:
    first, second = answer("http://a.example/", GERMAN.encode()), answer("http://b.example/", FRENCH.encode())
    path, out = tmp_path / "crawl.warc.gz", tmp_path / "out.parquet"
    path.write_bytes(packed(first) + packed(second)[:-60] + packed(first, second)[:-20])
    result = run(path)
    found = rows(result)
    assert [row["language"] for row in found] == ["de", None, "de", None]
    assert [bool(row["error"]) for row in found] == [False, True, False, True]
    assert result.exit_code == 1
    assert "crawl.warc.gz: cut off at byte" in result.stderr
    assert run(path, "-o", out).exit_code == 1
    assert pq.read_table(out)["error"].null_count == 2


def test_what_is_read_of_a_packed_file_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"<p>" + GERMAN.encode() * 200_000))
    result = run(path)
    assert [row["language"] for row in rows(result)] == ["de"]
    assert "only its first 8 MB are read" in result.stderr
    assert result.exit_code == 0


def test_json_lines_become_parquet_with_all_their_columns(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    objects = [
        {"id": 1, "text": GERMAN, "score": 1, "tags": ["a"]},
        {"id": 2, "text": FRENCH, "score": 0.5, "new": "x"},
        {"id": 3, "text": None},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in objects) + "broken\n", encoding="utf-8")
    assert run(path, "-o", out).exit_code == 0
    table = pq.read_table(out)
    assert table.column_names == ["id", "text", "score", "tags", "new", "language", "probability"]
    assert table["id"].to_pylist() == [1, 2, 3, None]
    assert table["score"].to_pylist() == [1.0, 0.5, None, None]
    assert table["tags"].to_pylist() == ['["a"]', None, None, None]
    assert table["language"].to_pylist() == ["de", "fr", None, None]
    result = run("-", "--column", "text", "--format", "csv", input=path.read_bytes())
    assert (result.exit_code, "give a file" in result.stderr) == (2, True)


def test_shares_and_the_fused_answer_are_columns_behind_the_others(german: Path) -> None:
    (row,) = rows(run(german, "--shares", "--fused", "--top", "2"))
    assert list(row) == ["source", "language", "probability", "declared", "charset", "scores", "languages", "fused"]
    assert row["languages"] == {"de": 1.0}
    assert isinstance(row["fused"], dict)
    assert (row["fused"]["language"], row["fused"]["declared"]) == ("de", {"language": "nl", "where": "html"})
    shown = run(german, "--shares", "--fused", "--format", "table").stdout
    assert "de 1.00" in shown
    assert "fused de, text de, declared nl" in shown


def test_an_archive_tells_header_and_url_in_the_fused_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    head = b"Content-Type: text/html; charset=utf-8\r\nContent-Language: de\r\n"
    path.write_bytes(answer("http://www.beispiel.de/", f"<p>{GERMAN}".encode(), head))
    (row,) = rows(run(path, "--fused"))
    assert isinstance(row["fused"], dict)
    assert {name: row["fused"][name]["language"] for name in ("text", "url")} == {"text": "de", "url": "de"}
    assert row["declared"] == "de"


def test_a_table_for_people_has_scripts_shares_and_reasons(german: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("2024-05-01")
    done = run(german, nothing, "--script", "--outcome", "--shares", "--format", "table")
    assert done.exit_code == 0, done.stderr
    assert "written deu_Latn" in done.stdout
    assert "outcome too little" in done.stdout


def test_a_table_of_pages_and_of_texts_gets_shares(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"html": f"<p>{GERMAN}<p>{FRENCH}", "text": f"{GERMAN}\n{FRENCH}"}) + "\n")
    for column in ("html", "text"):
        (row,) = rows(run(path, "--column", column, "--shares"))
        assert row["languages"] == {"de": pytest.approx(0.53, abs=0.05), "fr": pytest.approx(0.47, abs=0.05)}
    (row,) = rows(run(path, "--column", "html", "--fused"))
    assert isinstance(row["fused"], dict)
    assert list(row["fused"]) == ["language", "probability", "text"]
    refused = run(path, "--column", "text", "--fused")
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)


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


@pytest.mark.parametrize("format", ["tsv", "csv", "parquet"])
def test_script_and_written_form_are_plain_texts_in_every_format(german: Path, tmp_path: Path, format: str) -> None:
    table = tmp_path / "in.jsonl"
    table.write_text(json.dumps({"text": GERMAN}) + "\n", encoding="utf-8")
    for number, source in enumerate((german, table)):
        out = tmp_path / f"{number}.{format}"
        assert run(source, "--script", "--outcome", "--format", format, "-o", out).exit_code == 0
        if format == "parquet":
            (row,) = pq.read_table(out).to_pylist()
        else:
            with out.open(encoding="utf-8", newline="") as file:
                (row,) = csv.DictReader(file, delimiter="\t" if format == "tsv" else ",")
        assert (row["script"], row["written"], row["outcome"] or None) == ("Latn", "deu_Latn", None)


def test_a_table_says_which_line_has_the_shares(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Morgen scheint die Sonne, und im Norden regnet es.", encoding="utf-8")
    command = ["page", str(tmp_path / "a.txt"), "--format", "table", "--shares", "--top", "1"]
    told = CliRunner().invoke(cli, command, prog_name="dragoman")
    assert [line.split()[:2] for line in told.stdout.splitlines()[2:]] == [["de", "1.000"], ["languages", "de"]]
