from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import cli

URLS = (
    "http://a.de/1",
    "https://www.a.de/2",
    "http://user@A.de:80/3?x=http://b.fr/",
    "http://b.fr/",
    "http://c.com/1",
    "http://c.com/2",
    "mailto:someone@a.de",
    "",
    "http://[::1]/",
)
#: host, urls, language, share, shares, unanswered
ROWS = [
    ("a.de", 3, "de", 1.0, {"de": 1.0}, 0),
    ("c.com", 2, None, 0.0, {}, 2),
    (None, 2, None, 0.0, {}, 2),
    ("[::1]", 1, None, 0.0, {}, 1),
    ("b.fr", 1, "fr", 1.0, {"fr": 1.0}, 0),
]
NAMES = ["host", "urls", "language", "share", "shares", "unanswered"]


def run(*args: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["url", "--model", "cctld", "--by-site", *args], input=stdin)


def rows(result: Result) -> list[tuple[Any, ...]]:
    assert result.exit_code == 0, result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(list(row) == NAMES for row in found)
    return [tuple(row.values()) for row in found]


def test_one_row_per_host_those_with_the_most_urls_first() -> None:
    assert rows(run(*URLS[:6], "-", stdin="\n".join(URLS[6:]).encode())) == ROWS


def inputs(folder: Path) -> dict[str, Path]:
    """The same URLs in every format."""
    table = pa.table({"url": list(URLS), "language": ["kept"] * len(URLS)})
    pq.write_table(table, folder / "a.parquet", row_group_size=2)
    quoted = ["url,n", *(f'"{url}",1' for url in URLS)]
    tabs = ["url\tn", *(f"{url}\t1" for url in URLS)]
    objects = [json.dumps({"url": url}) for url in URLS]
    for name, lines in {"a.csv": quoted, "a.tsv": tabs, "a.jsonl": objects, "a.txt": list(URLS)}.items():
        text = "\n".join(lines).encode() + b"\n"
        (folder / name).write_bytes(text)
        (folder / f"{name}.gz").write_bytes(gzip.compress(text))
        (folder / f"{name}.zst").write_bytes(pa.compress(text, "zstd", asbytes=True))
    return {path.name: path for path in folder.iterdir()}


@pytest.mark.parametrize("threads", ["1", "2"])
def test_every_format_gives_the_same_rows(tmp_path: Path, threads: str) -> None:
    found = inputs(tmp_path)
    assert len(found) == 13
    for name, path in found.items():
        assert rows(run(str(path), "--threads", threads)) == ROWS, name
        assert rows(run("-", stdin=path.read_bytes())) == ROWS, name


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "csv.gz", "jsonl.zst"])
def test_every_format_can_be_written(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"sites.{ending}"
    result = run(*URLS[:6], "-o", str(out), "-", stdin="\n".join(URLS[6:]).encode())
    assert (result.exit_code, result.stdout) == (0, "")
    data = out.read_bytes()
    if ending.endswith("gz"):
        data = gzip.decompress(data)
    if ending.endswith("zst"):
        data = pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()
    if ending == "parquet":
        found = [tuple(row.values()) for row in pq.read_table(out).to_pylist()]
        found = [(*row[:4], json.loads(row[4]), row[5]) for row in found]
    elif ending.startswith("jsonl"):
        found = [tuple(json.loads(line).values()) for line in data.splitlines()]
    else:
        lines = csv.reader(io.StringIO(data.decode()), delimiter="\t" if ending == "tsv" else ",")
        assert next(lines) == NAMES
        found = [
            (host or None, int(urls), tag or None, float(share), json.loads(shares), int(none))
            for host, urls, tag, share, shares, none in lines
        ]
    assert found == ROWS


def test_a_table_for_people_shows_what_a_host_also_has() -> None:
    text = run("http://a.de/", "http://x.com/\x1b[2J", "--format", "table").stdout.splitlines()
    assert text[0].split() == ["urls", "language", "share", "none", "host"]
    assert text[1].split() == ["1", "de", "1.00", "0.00", "a.de"]
    assert text[2].split() == ["1", "-", "0.00", "1.00", "x.com"]


def test_languages_and_threshold_apply() -> None:
    assert rows(run("http://a.de/", "--languages", "fr,it"))[0][2] is None
    assert rows(run("http://a.de/", "--threshold", "0.99")) == [("a.de", 1, None, 0.0, {}, 1)]
    assert rows(run("http://a.de/", "http://a.de/x", "--language", "de")) == [("a.de", 2, "de", 1.0, {"de": 1.0}, 0)]


def test_no_url_gives_no_row(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    pq.write_table(pa.table({"url": pa.array([], pa.string())}), tmp_path / "a.parquet")
    for name in ("a.txt", "a.parquet"):
        assert rows(run(str(tmp_path / name))) == []


def test_reasons_and_scores_are_refused_because_there_is_no_row_per_url() -> None:
    for more in (["--top", "2"], ["--explain"]):
        result = run("http://a.de/", *more)
        assert result.exit_code == 2
        assert "one row per host" in result.stderr


def test_unreadable_rows_are_counted_and_told() -> None:
    result = run("-", stdin=b'{"url": "http://a.de/"}\nnonsense\n')
    assert [(row[0], row[1]) for row in rows(result)] == [("a.de", 1), (None, 1)]
    assert "1 of 2 rows could not be read" in result.stderr


WITHOUT_PYARROW = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
sys.meta_path.insert(0, Block())
from dragoman.cli.main import main
main()
"""


def test_text_needs_no_extra(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(URLS) + "\n")
    command = [sys.executable, "-c", WITHOUT_PYARROW, "url", "--model", "cctld", "--by-site", "a.txt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [tuple(json.loads(line).values()) for line in done.stdout.splitlines()] == ROWS


def test_a_host_with_a_folder_for_each_language_has_a_row_for_each() -> None:
    urls = "http://a.org/de/1\nhttps://www.a.org/de/2\nhttp://a.org/fr/\nhttp://a.org/x\n"
    found = rows(run("--folders", "-", stdin=urls.encode()))
    assert [(host, number) for host, number, *_ in found] == [("a.org/de/", 2), ("a.org", 1), ("a.org/fr/", 1)]
    alone = CliRunner().invoke(cli, ["url", "--folders", "a.org"])
    assert (alone.exit_code, "give both" in alone.stderr) == (2, True)
