from __future__ import annotations

import csv
import gzip
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.refusals import refused

from dragoman import identify
from dragoman.cli.main import cli

#: The probability that the rule gives to a domain that it knows, as it is written.
SURE = repr(round(identify("http://a.de/", "cctld").probability or 0.0, 6))
DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()", "url", "--model", "cctld"]


def run(*args: str, stdin: bytes | None = None, model: str = "cctld") -> Result:
    return CliRunner().invoke(cli, ["url", "--model", model, *args], input=stdin)


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout_bytes.decode().splitlines()]


def languages(result: Result) -> list[str | None]:
    return [row["language"] for row in rows(result)]


def test_arguments_give_json_lines_of_the_contract() -> None:
    found = rows(run("http://a.de/", "mailto:x@y.de"))
    assert list(found[0]) == ["url", "language", "probability"]
    assert found[0]["language"] == "de"
    assert 0 < found[0]["probability"] <= 1
    assert found[1] == {"url": "mailto:x@y.de", "language": None, "probability": None}


def test_an_empty_argument_is_a_url_that_says_nothing() -> None:
    rows = [json.loads(line) for line in run("http://a.de/", "").stdout.splitlines()]
    assert [(row["url"], row["language"]) for row in rows] == [("http://a.de/", "de"), ("", None)]


def test_top_and_explain_add_what_the_contract_says() -> None:
    (row,) = rows(run("http://a.de/", "--top", "2", "--explain"))
    assert next(iter(row["scores"])) == "de"
    assert len(row["scores"]) == 2
    assert row["contributions"][0] == {"feature": "tld:de", "language": "de", "weight": 1.0}


@pytest.mark.parametrize(("more", "count"), [([], 3), (["--top", "1"], 1), (["--top", "2"], 2), (["--top", "5"], 5)])
def test_explain_tells_as_many_languages_as_top_asks_for_and_as_the_call_does(more: list[str], count: int) -> None:
    url = "http://www.beispiel.com/haus-und-garten"
    (row,) = rows(run(url, "--explain", *more, model="default"))
    told = row["contributions"]
    assert len({one["language"] for one in told}) == count
    called = identify(url, explain=True, top=int(more[1]) if more else 0)
    assert [(one["feature"], one["language"]) for one in told] == [
        (one.feature, one.language) for one in called.contributions
    ]


def test_languages_and_threshold() -> None:
    assert languages(run("http://a.de/", "--languages", "French,it")) == [None]
    assert languages(run("http://a.de/", "--languages", "five")) == ["de"]
    (row,) = rows(run("http://a.de/", "--threshold", "0.99"))
    assert row["language"] is None
    assert row["probability"] is not None


@pytest.mark.parametrize("format", ["table", "jsonl", "csv"])
def test_the_script_comes_with_an_answer_where_it_is_asked_for(format: str) -> None:
    done = run("https://example.com/zh-TW/", "mailto:a@example.org", "--script", "--format", format, model="default")
    assert done.exit_code == 0, done.stderr
    assert "zho_Hant" in done.stdout
    assert done.stdout.count("_") == 1


@pytest.mark.parametrize(
    ("other", "why"), [(["--by-site"], "--script"), (["--language", "de", "--precision", ".9"], "script")]
)
def test_a_script_is_refused_where_there_is_no_language(other: list[str], why: str) -> None:
    done = run("https://example.com/zh-TW/", "--script", *other, model="default")
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_table_for_people_has_a_line_per_url_and_one_for_reasons() -> None:
    text = run("http://a.de/\x1b[2J", "--format", "table", "--explain").stdout.splitlines()
    assert text[0].split() == ["language", "probability", "url"]
    assert text[1].split() == ["de", f"{float(SURE):.3f}", "http://a.de/\\x1b[2J"]
    assert "tld:de +1.00" in text[2]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ulrs.parquet"], "No such file: 'ulrs.parquet'"),
        ([], "give URLs, files, or -"),
        (["a.de", "--model", "nope"], "Unknown model 'nope'. Known: "),
        (["a.de", "--languages", "ja"], "It has: en, de, fr, es, it"),
        (["a.de", "--languages", "Klingonish"], "Unknown language"),
        (["a.de", "--threshold", "2"], "from 0 to 1"),
        (["a.de", "--top", "0"], "x>=1"),
        (["a.de", "-o", "none/out.csv"], "make it first"),
        (["a.de", "-o", "out.xz"], "end it in"),
        (["-", "-"], "only once"),
        (["urls"], "'urls' is neither a URL nor a file: check its name, or write http://urls if it is a host"),
        (["localhost"], "neither a URL nor a file"),
        (["http://a.de/", "liste_2"], "'liste_2' is neither a URL nor a file"),
        (["a.de", "--languages", "klingon"], "does not have the language 'klingon' (tlh). It has: en, de, fr, es, it"),
        (["a.de", "--language", "klingon", "--recall", "0.9"], "does not have the language 'klingon' (tlh)"),
    ],
)
def test_a_bad_argument_is_one_line_that_says_what_to_do(args: list[str], message: str) -> None:
    assert message in refused(run(*args), 2)


@pytest.mark.parametrize("word", ["localhost:8080", "localhost/", "http://localhost", "a.de", "not a url", "//urls"])
def test_what_can_be_a_url_is_not_asked_to_be_a_file(word: str) -> None:
    assert rows(run(word))[0]["url"] == word


def test_a_file_without_an_ending_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urls").write_text("http://a.de/\n")
    Path("table").write_text("n,url\n1,http://a.de/\n")
    assert languages(run("urls")) == ["de"]
    assert run("table").stdout == f"n,url,language,probability\n1,http://a.de/,de,{SURE}\n"


def test_without_an_input_what_is_piped_in_is_read(tmp_path: Path) -> None:
    assert languages(run(stdin=b"http://a.de/\n")) == ["de"]
    done = subprocess.run(DRAGOMAN, input=b"http://a.de/\n", capture_output=True, check=True)
    assert json.loads(done.stdout)["language"] == "de"
    path = tmp_path / "a"
    for text, expected in (("http://a.de/\n", b'"de"'), ("", b"")):
        path.write_text(text)
        with path.open() as file:
            done = subprocess.run(DRAGOMAN, stdin=file, capture_output=True, check=True)
        assert expected in done.stdout
        assert done.stderr == b""
    done = subprocess.run(DRAGOMAN, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize(
    ("table", "column", "expected"),
    [
        (b"n,url\n1,http://a.de/\n", "url", "n,url,language,probability\n1,http://a.de/,de,SURE\n"),
        (b'\xef\xbb\xbf"url","n"\r\nhttp://a.de/,1\r\n', "url",
         '\ufeff"url","n",language,probability\r\nhttp://a.de/,1,de,SURE\r\n'),
        (b"n\turl\n1\thttp://a.de/\n", "url", "n\turl\tlanguage\tprobability\n1\thttp://a.de/\tde\tSURE\n"),
        (b"url\nhttp://a.de/\n", "url", "url,language,probability\nhttp://a.de/,de,SURE\n"),
        (b"n,link\n1,http://a.de/\n", "link", "n,link,language,probability\n1,http://a.de/,de,SURE\n"),
        (b'{"link": "http://a.de/"}\n', "link", '{"link": "http://a.de/", "language": "de", "probability": SURE}\n'),
    ],
)  # fmt: skip
def test_a_header_with_the_column_makes_a_table_of_stdin(table: bytes, column: str, expected: str) -> None:
    for given in ([], ["-"]):
        result = run(*given, "--column", column, stdin=table)
        assert result.stdout_bytes.decode() == expected.replace("SURE", SURE), result.stderr


def test_a_first_line_with_a_url_is_a_row_and_a_told_format_counts_more() -> None:
    assert languages(run(stdin=b"http://a.de/?x,url\nhttp://b.fr/\n")) == ["de", "fr"]
    assert languages(run("--input-format", "text", stdin=b"n,url\nhttp://b.fr/\n")) == [None, "fr"]


def test_hostile_rows_stay_in_their_places() -> None:
    lines = [
        b"http://a.de/",
        b"",
        b"not a url",
        b"\xff\xfe\x00",
        b"x" * (1 << 20),
        b"http://[::1]:80/",
        b"http://u:p@b.fr:8080/",
        b"javascript:void(0)",
        b"../relative",
        b"http://xn--mnchen-3ya.de/",
        b"http://c.it/%E7%zz",
    ]
    found = languages(run("-", stdin=b"\xef\xbb\xbf" + b"\r\n".join(lines)))
    assert found == ["de", None, None, None, None, None, "fr", None, None, "de", "it"]


def test_stdin_is_sniffed_and_may_be_told() -> None:
    assert languages(run("-", stdin=b'{"url": "http://a.de/"}\nx\n')) == ["de", None]
    result = run("-", "--input-format", "csv", stdin=b"url,n\nhttp://a.de/,1\n")
    assert result.stdout == f"url,n,language,probability\nhttp://a.de/,1,de,{SURE}\n"
    assert languages(run("-", stdin=gzip.compress(b"http://a.de/\n"))) == ["de"]
    assert languages(run("-", stdin=pa.compress(b"http://a.de/\n", "zstd", asbytes=True))) == ["de"]


def test_csv_comes_back_with_two_columns_and_every_byte_it_had(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,link\r\n00123,"http://a.de/,""x"""\r\n 7 ,http://b.fr/\r\n\r\nlong,x,y\r\nlast,http://c.it/')
    result = run(str(path), "--column", "link")
    assert result.stdout_bytes.decode() == (
        f'id,link,language,probability\r\n00123,"http://a.de/,""x""",de,{SURE}\r\n 7 ,http://b.fr/,fr,{SURE}\r\n\r\n'
        f"long,x,,,y\r\nlast,http://c.it/,it,{SURE}\n"
    )
    assert "1 of 4 rows could not be read (the first: line 5 has 3 fields and the header 2)" in result.stderr


def test_bad_rows_of_csv_keep_their_bytes_and_are_counted_once_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'url,n\nhttp://a.de/,1\n"http://b.de/,2\nhttp://c.de/\nhttp://d.de/,4,"5,5"\nhttp://e.fr/,"5"\n')
    result = run(str(path))
    assert result.stdout_bytes.decode() == (
        f"url,n,language,probability\nhttp://a.de/,1,de,{SURE}\n"
        f'"http://b.de/,2,,\nhttp://c.de/,,,\nhttp://d.de/,4,,,"5,5"\nhttp://e.fr/,"5",fr,{SURE}\n'
    )
    assert result.stderr == (
        "dragoman: note: 3 of 5 rows could not be read (the first: line 3 has a quote that is not closed)\n"
    )
    assert languages(run(str(path), "--format", "jsonl")) == ["de", None, None, None, "fr"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_parquet_with_bytes_that_are_no_text_loses_no_row_on_the_way_to_text(tmp_path: Path, ending: str) -> None:
    raw = pa.array([b"http://a.de/\xff", None, b"http://b.fr/"], pa.binary())
    url = pa.Array.from_buffers(pa.string(), 3, raw.buffers(), 1)
    note = pa.Array.from_buffers(pa.string(), 3, pa.array([b"x", b"\xe9t\xe9", b"z"]).buffers())
    path, out = tmp_path / "a.parquet", tmp_path / f"b.{ending}"
    pq.write_table(pa.table({"url": url, "note": note}), path)
    result = run(str(path), "-o", str(out))
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ("dragoman: note: 2 of 3 rows hold bytes that are not UTF-8: they are written as %XX\n")
    text = out.read_text(encoding="utf-8")
    if ending == "jsonl":
        found = [tuple(json.loads(line).values())[:3] for line in text.splitlines()]
    else:
        lines = list(csv.reader(io.StringIO(text), delimiter="\t" if ending == "tsv" else ","))[1:]
        found = [(a or None, b, c or None) for a, b, c, _ in lines]
    assert found == [("http://a.de/%FF", "x", "de"), (None, "%E9t%E9", None), ("http://b.fr/", "z", "fr")]
    for more in (["--format", "table"], ["--by-site"], ["--explain"], [str(path), "--format", "csv"]):
        again = run(str(path), *more)
        assert again.exit_code == 0, again.stderr


def test_parquet_comes_back_with_float32_and_its_own_types(tmp_path: Path) -> None:
    path, out = tmp_path / "a.parquet", tmp_path / "b.parquet"
    table = pa.table({"url": ["http://a.de/", None, "x"], "n": pa.array([1, 2, 3], pa.int8()), "l": [[1], [], None]})
    pq.write_table(table.replace_schema_metadata({"mine": "kept"}), path)
    assert run(str(path), "-o", str(out)).exit_code == 0
    found = pq.read_table(out)
    assert found.select(table.column_names).equals(table)
    assert found.schema.metadata[b"mine"] == b"kept"
    assert found.schema.field("probability").type == pa.float32()
    assert found.column("language").to_pylist() == ["de", None, None]
    assert pq.read_table(io.BytesIO(run(str(path)).stdout_bytes)).equals(found)


def test_json_lines_come_back_with_errors_where_a_line_is_bad(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"url":"http://a.de/","n":1.10}\nnonsense\n{"link":1}\n{"url":"http://b.fr/"}')
    result = run(str(path))
    assert languages(result) == ["de", None, None, "fr"]
    assert b'"n":1.10, "language": "de"' in result.stdout_bytes
    assert "error" in rows(result)[1]
    assert rows(result)[2]["error"] == "line 3 has no 'url' (it has link)"


def test_a_column_of_our_name_needs_replace(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("language,url\nx,http://a.de/\n")
    assert "--replace" in refused(run(str(path)), 2)
    assert run(str(path), "--replace").stdout == f"url,language,probability\nhttp://a.de/,de,{SURE}\n"


def test_a_missing_column_is_answered_with_those_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("link,title\nx,y\n")
    assert "has no column 'url'; its columns: link, title. Name the one to read (--column" in refused(run(str(path)), 2)


def test_urls_and_files_may_be_mixed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("url,n\nhttp://a.de/,1\n")
    (tmp_path / "b.txt").write_text("http://b.fr/\n")
    result = run("http://x.it/", str(tmp_path / "a.csv"), "-", str(tmp_path / "b.txt"), stdin=b"http://y.es/\n")
    assert languages(result) == ["it", "de", "es", "fr"]
    assert "only the URLs" in result.stderr


def test_tables_of_one_shape_become_one_and_others_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"url,n\nhttp://{name}.de/,1\n")
    (tmp_path / "c.csv").write_text("url,m\nhttp://c.de/,1\n")
    paths = [str(tmp_path / f"{name}.csv") for name in "abc"]
    found = list(csv.DictReader(io.StringIO(run(*paths[:2]).stdout)))
    assert [row["url"] for row in found] == ["http://a.de/", "http://b.de/"]
    out = tmp_path / "out.csv"
    assert "does not have the columns" in refused(run(paths[0], paths[2], "-o", str(out)), 2)
    assert not out.exists()


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz", "tsv.zst", "jsonl.zst"])
def test_the_name_of_the_output_chooses_its_format(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    result = run("http://a.de/", "-o", str(out))
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    again = run(str(out), "--replace", "--format", "jsonl")
    assert languages(again) == ["de"]
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_file_may_be_written_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("url\nhttp://a.de/\n")
    assert run(str(path), "-o", str(path)).exit_code == 0
    assert path.read_text() == f"url,language,probability\nhttp://a.de/,de,{SURE}\n"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_large_files_come_out_the_same_on_any_number_of_threads(tmp_path: Path, threads: str) -> None:
    urls = [f"http://{n}.{'de' if n % 2 else 'fr'}/" for n in range(100_000)]
    path, out = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(pa.table({"url": urls, "n": range(len(urls))}), path, row_group_size=40_000)
    assert run(str(path), "-o", str(out), "--threads", threads).exit_code == 0
    found = pq.read_table(out)
    assert found.column_names == ["url", "n", "language", "probability"]
    assert found["url"].to_pylist() == urls
    assert found["language"].to_pylist() == ["de" if n % 2 else "fr" for n in range(len(urls))]
    text = tmp_path / "a.txt.gz"
    text.write_bytes(gzip.compress("\n".join(urls).encode(), 1))
    assert [row["url"] for row in rows(run(str(text), "--threads", threads))] == urls


def test_parquet_written_anew_keeps_its_compression(tmp_path: Path) -> None:
    path, out = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(pa.table({"language": ["x"], "url": ["http://a.de/"]}), path, compression="snappy")
    assert run(str(path), "-o", str(out), "--replace").exit_code == 0
    found = pq.ParquetFile(out)
    assert found.read().to_pylist()[0]["language"] == "de"
    assert found.metadata.row_group(0).column(0).compression == "SNAPPY"


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "txt"])
@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_file_that_is_cut_off_leaves_nothing_behind(tmp_path: Path, format: str, ending: str) -> None:
    line = b'{"url": "http://a.de/"}\n' if format == "jsonl" else b"http://a.de/\n"
    whole = (b"url\n" if format in ("csv", "tsv") else b"") + line * 1000
    packed = gzip.compress(whole) if ending == "gz" else pa.compress(whole, "zstd", asbytes=True)
    path, out = tmp_path / f"a.{format}.{ending}", tmp_path / "out.jsonl"
    path.write_bytes(packed)
    assert run(str(path), "-o", str(out), "--format", "jsonl").exit_code == 0
    assert len(out.read_bytes().splitlines()) == 1000
    out.unlink()
    for damaged in (packed[:-2], packed[: len(packed) // 2]):
        path.write_bytes(damaged)
        for more in ([], ["--by-site"]):
            assert "damaged or cut off" in refused(run(str(path), "-o", str(out), *more), 1)
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_parquet_is_one_line_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path, out = tmp_path / "a.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"url": [f"http://a{n}.de/" for n in range(50_000)]}), path, row_group_size=20_000)
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:1000] + bytes(5000) + whole[6000:], b"PAR1" + whole[-8:]):
        path.write_bytes(damaged)
        for more in ([], ["--by-site"]):
            assert "damaged" in refused(run(str(path), "-o", str(out), *more), 1)
    assert list(tmp_path.iterdir()) == [path]


def test_a_process_keeps_data_and_talk_apart(tmp_path: Path) -> None:
    done = subprocess.run([*DRAGOMAN, "-"], input=b'{"url": "http://a.de/"}\nbad\n', capture_output=True, check=False)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr.startswith(b"dragoman: note: 1 of 2 rows")
    done = subprocess.run([*DRAGOMAN, "none.csv"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    done = subprocess.run([*DRAGOMAN, str(tmp_path)], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


def test_rows_come_out_before_the_input_ends() -> None:
    with subprocess.Popen([*DRAGOMAN, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"http://a.de/\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["language"] == "de"
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("http://a.de/\n" * 300_000)
    with subprocess.Popen([*DRAGOMAN, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told otherwise there")
@pytest.mark.parametrize("more", [[], ["--by-site"], ["--threads", "2"]])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_no_half_file(tmp_path: Path, number: signal.Signals, code: int, more: list[str]) -> None:
    out = tmp_path / "out.csv"
    out.write_text("before")
    command = [*DRAGOMAN, "-", "-o", str(out), *more]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(b"http://a.de/\n" * 1000)
        process.stdin.flush()
        until = time.monotonic() + 20
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(number)
        assert process.wait(20) == code
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text() == "before"


WITHOUT_PYARROW = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyarrow", "scipy", "sklearn", "matplotlib"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Block())
from dragoman.cli.main import main
main()
"""


def test_a_missing_extra_is_one_line_and_the_core_does_without(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("url,n\nhttp://a.de/,1\n")
    (tmp_path / "a.txt").write_text("http://b.fr/\n")
    pq.write_table(pa.table({"url": ["http://a.de/"]}), tmp_path / "a.parquet")
    command = [sys.executable, "-c", WITHOUT_PYARROW, "url", "--model", "cctld"]
    done = subprocess.run([*command, "a.parquet"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "dragoman: This needs 'pyarrow', which is not installed: pip install 'dragoman[bulk]'\n"
    for name in ("a.csv", "a.txt"):
        done = subprocess.run([*command, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, "a.txt", "a.csv", "http://c.it/", "--format", "csv"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert [line.split(",")[1] for line in done.stdout.splitlines()] == ["language", "fr", "de", "it"]


@pytest.mark.parametrize(
    "url",
    ["HTTP://A.DE/URLS.CSV", "ftp://a.de/urls.csv.gz", "a.de/?u=http://b.fr/urls.csv", "http://a.de/x?s3://b.csv"],
)
def test_a_url_that_ends_like_a_table_is_a_url(url: str) -> None:
    assert languages(run(url)) == ["de"]


def test_a_model_of_texts_is_refused() -> None:
    assert "reads text, not URLs" in refused(run("http://a.de/", model="text"), 2)
