"""`dragoman.label_file` does what the command line does with a table, and nothing is ever half-written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import dragoman
from dragoman.cli.main import cli
from dragoman.errors import BadTable, UsageError
from dragoman.label import file as module
from dragoman.tables.parquet import thrift
from dragoman.tables.parquet.chunks import GROUPS

URLS = ["http://a.de/garten", None, "http://b.fr/recettes", "mailto:x@y.de"]
GERMAN = "Der Hund und die Katze spielen im Garten, weil heute die Sonne scheint."
ENGLISH = "The children are playing in the forest because the weather is nice today."
PAGES = [f"<p>{GERMAN}</p><script>the of and</script>", None, f"<p>{ENGLISH}</p>"]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        lines = [",".join("" if value is None else str(value) for value in row.values()) for row in rows]
        path.write_text("\n".join([",".join(rows[0]), *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ([], {}),
        (["--languages", "de,fr", "--threshold", "0.5"], {"languages": ["de", "fr"], "threshold": 0.5}),
        (["--top", "2", "--explain", "--threads", "2"], {"top": 2, "explain": True, "threads": 2}),
        (["--language", "de"], {"language": "de"}),
        (["--by-site"], {"by_site": True}),
    ],
)
def test_urls_are_labelled_as_on_the_command_line(
    tmp_path: Path, ending: str, options: list[str], settings: dict[str, Any]
) -> None:
    source = written(tmp_path / f"in.{ending}", [{"id": row, "url": url} for row, url in enumerate(URLS)])
    called, asked = tmp_path / f"called.{ending}", tmp_path / f"asked.{ending}"
    counts = dragoman.label_file(source, called, **settings)
    assert (counts.rows, counts.unreadable, counts.notes()) == (len(URLS), 0, [])
    assert CliRunner().invoke(cli, ["url", str(source), "-o", str(asked), *options]).exit_code == 0
    assert called.read_bytes() == asked.read_bytes()


@pytest.mark.parametrize(("holds", "values"), [("texts", [GERMAN, None, ENGLISH]), ("html", PAGES)])
@pytest.mark.parametrize("spans", [False, True])
def test_texts_and_pages_are_labelled_as_on_the_command_line(
    tmp_path: Path, holds: str, values: list[str | None], spans: bool
) -> None:
    column = module.HOLDS[holds]
    source = written(tmp_path / "in.parquet", [{"id": row, column: text} for row, text in enumerate(values)])
    called, asked = tmp_path / "called.jsonl", tmp_path / "asked.jsonl"
    assert dragoman.label_file(source, called, holds=holds, spans=spans).rows == 3
    command = "track" if spans else "page"
    assert CliRunner().invoke(cli, [command, str(source), "--column", column, "-o", str(asked)]).exit_code == 0
    assert called.read_bytes() == asked.read_bytes()
    rows = [json.loads(line) for line in called.read_text(encoding="utf-8").splitlines()]
    answers = [row["spans"] and row["spans"][0]["language"] if spans else row["language"] for row in rows]
    assert answers == ["de", None, "en"]


def test_several_tables_of_the_same_columns_become_one_and_bad_rows_are_counted(tmp_path: Path) -> None:
    first, second, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "out.jsonl"
    first.write_text('{"link": "http://a.de/"}\nnonsense\n')
    second.write_text('{"link": "http://b.fr/"}\n')
    said: list[tuple[float | None, int]] = []
    counts = dragoman.label_file(
        [first, str(second)], out, "link", model="cctld", progress=lambda fraction, rows: said.append((fraction, rows))
    )
    assert (counts.rows, counts.unreadable) == (3, 1)
    assert counts.notes()[0].startswith("1 of 3 rows could not be read (the first: line 2 is not JSON")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["language"] for row in rows] == ["de", None, "fr"]
    assert "error" in rows[1]
    assert said[-1][0] == 1.0


def test_columns_of_parquet_are_chosen_and_written_over(tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"language": ["x"], "url": ["http://a.de/"], "n": [1], "m": [2]}), source)
    with pytest.raises(BadTable, match="has a column 'language' already"):
        dragoman.label_file(source, out)
    dragoman.label_file(source, out, model="cctld", columns=["m", "url"], replace=True)
    assert pq.read_table(out).column_names == ["m", "url", "language", "probability"]
    lines = written(tmp_path / "in.csv", [{"url": "http://a.de/"}])
    with pytest.raises(UsageError, match="of Parquet files only"):
        dragoman.label_file(lines, out, columns=["url"])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"holds": "nonsense"}, "Unknown kind of column 'nonsense'"),
        ({"spans": True}, "holds='texts' or holds='html'"),
        ({"spans": True, "holds": "texts", "top": 2}, "none of the other settings"),
        ({"spans": True, "holds": "texts", "model": "nope"}, "Unknown method 'nope'"),
        ({"by_site": True, "holds": "texts"}, "leave out by_site"),
        ({"model": "text"}, "reads text, not URLs"),
        ({"holds": "texts", "model": "nope"}, "Unknown method 'nope'"),
        ({"precision": 0.9}, "say which with 'language'"),
        ({"threshold": 3}, "from 0 to 1"),
        ({"input_format": "xml"}, "Unknown format 'xml'. Known: csv, jsonl"),
    ],
)
def test_settings_that_make_no_sense_are_refused_before_anything_is_read(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        dragoman.label_file(tmp_path / "not there", tmp_path / "out.csv", **settings)
    with pytest.raises(UsageError, match="Nothing to label"):
        dragoman.label_file([], tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def with_rows_too_many(path: Path, more: int = 5) -> None:
    """Change what the last row group of a Parquet file says about its number of rows, and nothing else."""
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = thrift.read(data[-8 - length : -8])
    footer[GROUPS].items[-1].raise_by(3, more)
    changed = thrift.write(footer)
    path.write_bytes(data[: -8 - length] + changed + len(changed).to_bytes(4, "little") + data[-4:])


@pytest.mark.parametrize("more", [5, -5])
@pytest.mark.parametrize("holds", ["urls", "texts"])
def test_a_row_group_that_says_too_many_rows_leaves_no_file(tmp_path: Path, holds: str, more: int) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({module.HOLDS[holds]: ["http://a.de/"] * 9000}), source, row_group_size=4500)
    with_rows_too_many(source, more)
    with pytest.raises(BadTable, match="damaged"):
        dragoman.label_file(source, out, holds=holds)
    command = "url" if holds == "urls" else "page"
    result = CliRunner().invoke(cli, [command, str(source), "-o", str(out)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is damaged" in result.stderr
    assert list(tmp_path.iterdir()) == [source]


def test_an_error_on_the_way_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"url": ["http://a.de/"] * 60_000}), source, row_group_size=10_000)
    out.write_text("before")

    def stop(fraction: float | None, rows: int) -> None:
        if rows > 8_000:
            raise KeyboardInterrupt

    for format in ("parquet", "csv", "jsonl"):
        with pytest.raises(KeyboardInterrupt):
            dragoman.label_file(source, out, model="cctld", output_format=format, threads=2, progress=stop)
    assert out.read_text() == "before"
    assert sorted(tmp_path.iterdir()) == [source, out]


def test_rows_that_hold_whole_pages_are_read_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.tables.parquet.reading._BYTES", 1 << 20)
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    text = GERMAN * 300
    pq.write_table(pa.table({"text": [f"{row} {text}" for row in range(100)]}), source, use_dictionary=False)
    sizes: list[int] = []
    dragoman.label_file(source, out, holds="texts", progress=lambda fraction, rows: sizes.append(rows))
    assert max(after - before for before, after in zip([0, *sizes], sizes, strict=False)) < 60
    assert set(pq.read_table(out)["language"].to_pylist()) == {"de"}
