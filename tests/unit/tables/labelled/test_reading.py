from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.errors import BadTable
from dragoman.tables.labelled.reading import read_labelled

ROWS: list[dict[str, Any]] = [
    {"url": "http://a.de/", "lang": "de-AT", "site": "a.de", "half": "judge"},
    {"url": "http://b.com/,x", "lang": "English", "site": "b.com", "half": "tune"},
    {"url": "http://c.com/", "lang": "zxx", "site": "c.com", "half": "tune"},
    {"url": "http://d.no/", "lang": "nb", "site": "d.no", "half": "judge"},
]


def save(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        mark = "," if path.suffix == ".csv" else "\t"
        lines = [list(rows[0]), *(list(row.values()) for row in rows)]
        path.write_text("".join(mark.join(f'"{value}"' for value in line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.tsv", "a.jsonl"])
def test_labels_are_normalised_and_unknown_ones_counted(tmp_path: Path, name: str) -> None:
    found = read_labelled(save(tmp_path / name, ROWS))
    assert found.languages.tolist() == ["de", "en", None, "no"]
    assert found.urls.to_pylist() == [row["url"] for row in ROWS]
    assert found.sites is not None
    assert found.sites.tolist() == ["a.de", "b.com", "c.com", "d.no"]
    assert found.table.column("half").to_pylist() == ["judge", "tune", "tune", "judge"]
    assert len(found.warnings) == 1
    assert "1 of 4 rows have no known language: 'zxx' (1)" in found.warnings[0]


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.jsonl"])
def test_a_limit_takes_the_first_rows(tmp_path: Path, name: str) -> None:
    assert len(read_labelled(save(tmp_path / name, ROWS), limit=2)) == 2


@pytest.mark.parametrize("column", ["language", "label"])
def test_labels_are_found_under_their_usual_names(tmp_path: Path, column: str) -> None:
    path = save(tmp_path / "a.jsonl", [{"url": "http://a.de/", column: "de"}])
    assert read_labelled(path).languages.tolist() == ["de"]


def test_other_columns_can_be_named(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", [{"link": "http://a.de/", "truth": "de"}])
    assert read_labelled(path, "link", "truth").languages.tolist() == ["de"]
    assert read_labelled(path, "link", "truth").sites is None


def test_rows_without_a_label_are_kept_and_counted(tmp_path: Path) -> None:
    path = save(
        tmp_path / "a.jsonl", [{"url": "a", "lang": "de"}, {"url": "b", "lang": None}, {"url": "c", "lang": ""}]
    )
    found = read_labelled(path)
    assert found.languages.tolist() == ["de", None, None]
    assert "2 of 3 rows have no label" in found.warnings[0]


def test_a_bad_line_stays_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"url": "a", "lang": "de"}\nnonsense\n{"url": "b", "lang": "fr", "x": 1}\n{"url": 5, "lang": "fr"}\n'
    )
    found = read_labelled(path)
    assert found.languages.tolist() == ["de", None, "fr", "fr"]
    assert found.urls.to_pylist() == ["a", None, "b", "5"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "link,lang\nx,de\n", "no column 'url'; its columns: link, lang.*--column"),
        ("a.csv", "url,x\na,b\n", "no labels: no column 'lang' or 'language' or 'label'; its columns: url, x"),
        ("a.csv", "url,lang\n", "no rows"),
        ("a.csv", "url,lang\na,\nb,\n", "no labels: column 'lang' holds nothing"),
        ("a.csv", "url,lang\na,qqq\nb,1\n", "no labels: column 'lang' holds 'qqq', '1'"),
        ("a.jsonl", "", "no rows"),
        ("a.parquet", "hello", "not Parquet"),
        ("a.txt", "http://a.de/\n", "no labels"),
    ],
)
def test_a_file_without_what_is_needed_is_refused_in_one_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadTable, match=message) as caught:
        read_labelled(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"No such file: '.*none\.parquet'"):
        read_labelled(tmp_path / "none.parquet")
