"""`dragoman papers hayati-2004` on made-up text: the whole way from files to the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.made_corpus import write_table
from tests.made_text import write_texts

from dragoman.cli.main import cli
from dragoman.languages import ELEVEN
from dragoman.studies.hayati_2004 import plan
from dragoman.studies.hayati_2004.plan import MAIN, SCALES, HayatiCell, HayatiPlan, all_cells

TINY = HayatiPlan("small", draws=1, per_language=3, pages=2, sizes=(2_098, 22_446), urls=5, web=6_000)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["papers", "hayati-2004", *map(str, args)])


def written(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and "cells" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def write_urls(folder: Path) -> Path:
    folder.mkdir()
    rows = [(f"http://site{n}.{tag}/x", tag, f"site{n}.{tag}") for tag in ELEVEN for n in range(8)]
    columns = {name: [row[place] for row in rows] for place, name in enumerate(("url", "lang", "site"))}
    write_table(folder / "train.parquet", columns)
    halves = ["tune" if n % 2 else "judge" for n in range(len(rows))]
    write_table(folder / "dev_crawl.parquet", columns | {"half": halves, "site_unseen": [True] * len(rows)})
    return folder


@pytest.mark.slow
def test_the_study_writes_its_report_and_goes_on_from_its_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(plan.SCALES, "small", TINY)
    data, out = write_texts(tmp_path / "data" / "text", pages=4, sentences=40), tmp_path / "out"
    write_urls(tmp_path / "data" / "urls")
    args = ("--data", data, "--scale", "small", "-o", out)
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [str(out / "report.html"), str(out / "report.md")]
    files = written(out)
    page = files["report.md"].decode()
    for needle in ("theirs", "Figure 1.", "Figure 5.", "BASE", "INLINKS", "domain alone", "One change at a time"):
        assert needle in page, needle
    assert not re.search(r"\bnan\b", page)
    assert str(tmp_path) not in page
    pieces = {path: path.stat().st_mtime_ns for path in out.rglob("*.npz")}
    assert len(pieces) == len(all_cells(TINY)) + 2  # and the links, as made and as reported
    next(iter(pieces)).unlink()
    assert run(*args).exit_code == 0
    assert written(out) == files


def test_cells_have_names_of_their_own() -> None:
    for one in SCALES.values():
        cells = all_cells(one)
        assert len({cell.name for cell in cells}) == len(cells)
        assert {HayatiCell(variant, "five", 0) for variant in MAIN} <= set(cells)


def test_what_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    result = run("--data", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "needs pages.parquet and sentences.parquet" in result.stderr
    assert result.stderr.count("\n") == 1
    assert run().exit_code == 2
