from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.made_corpus import write_corpus, write_table
from tests.made_urls import WORDS

from dragoman.cli.main import cli
from dragoman.languages import FIVE
from dragoman.studies.url_2008 import plan
from dragoman.studies.url_2008.plan import UrlPlan

TINY = UrlPlan(
    name="small",
    share=1.0,
    sizes=(0.1,),
    repeats=1,
    strengths=(10.0,),
    content_rows=50,
    greedy_rows=40,
    greedy_steps=1,
    rounds=20,
    neighbours=50,
    pool_sizes=(0.5, 1.0),
    preliminary_rows=50,
)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["papers", *map(str, args)])


def refused(result: Result, code: int) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("dragoman: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def written(folder: Path) -> dict[str, bytes]:
    """The report's files: not the kept pieces, and not how long they took."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "cells" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.name != "timings.csv"}


@pytest.mark.slow
def test_the_study_is_interrupted_goes_on_and_comes_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test for all of it: reading the spelling dictionaries of five languages takes half a minute."""
    data, out = write_corpus(tmp_path / "data" / "urls"), tmp_path / "out"
    (tmp_path / "data" / "text").mkdir()
    texts = {"text": [" ".join(WORDS[tag]) for tag in FIVE], "lang": list(FIVE)}
    write_table(tmp_path / "data" / "text" / "sentences.parquet", texts)

    # A process of its own is interrupted after its first pieces, before it needs any dictionary.
    program = (
        "from dragoman.studies.url_2008 import plan; from dragoman.studies.url_2008.plan import UrlPlan; "
        f"plan.SCALES['small'] = {TINY!r}; from dragoman.cli.main import main; main()"
    )
    args = ["papers", "url-2008", "--data", str(data), "--scale", "small", "-o", str(out)]
    with subprocess.Popen([sys.executable, "-c", program, *args], stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(list(out.rglob("*.npz"))) < 3:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=600)
    assert process.returncode == 130
    assert said.endswith("dragoman: interrupted\n")
    assert written(out) == {}
    finished = {path: path.stat().st_mtime_ns for path in out.rglob("*.npz")}
    assert len(finished) >= 3
    assert not list(out.rglob("*.part"))

    # The same command goes on: what was finished stays as it was.
    monkeypatch.setitem(plan.SCALES, "small", TINY)
    result = run(*args[1:])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [str(out / "report.html"), str(out / "report.md")]
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    files = written(out)
    assert {"report.html", "report.md"} <= set(files)
    assert len([name for name in files if name.startswith("tables/") and name.endswith(".csv")]) >= 15
    assert len([name for name in files if name.startswith("figures/")]) >= 7
    assert (out / "timings.csv").exists()
    page = files["report.html"].decode()
    tables = [f"Table {number}." for number in (1, 2, 3, 4, 5, 6, 7, 10)]
    for needle in (
        *tables,
        "Tables 8 and 9.",
        "Figure 1.",
        "Figure 2.",
        "Figure 3.",
        "The figures behind each verdict",
    ):
        assert needle in page, needle
    assert str(tmp_path) not in page
    assert not re.search(r"\bnan\b", files["report.md"].decode())

    # From nothing, in another folder: the same bytes.
    assert run(*args[1:-1], tmp_path / "other").exit_code == 0
    assert written(tmp_path / "other") == files


def test_without_a_name_the_studies_are_listed() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout.startswith("url-2008       Web Page Language Identification Based on URLs")


def test_usage_mistakes_are_one_line(tmp_path: Path) -> None:
    assert "Did you mean 'url-2008'?" in refused(run("url-2009"), 2)
    assert "Give the data and the output" in refused(run("url-2008"), 2)
    assert "--scale" in refused(run("url-2008", "--scale", "huge"), 2)


def test_a_folder_without_the_files_says_what_is_needed(tmp_path: Path) -> None:
    for data in (tmp_path, tmp_path / "missing"):
        message = refused(run("url-2008", "--data", data, "-o", tmp_path / "out"), 2)
        assert "needs train.parquet and at least one dev_<name>.parquet" in message


def test_files_without_sites_labels_or_languages_say_what_is_needed(tmp_path: Path) -> None:
    good = {"url": ["http://a.de/", "http://b.de/"], "lang": ["de", "de"], "site": ["a.de", "b.de"]}
    for lost, needle in (
        ("site", "no column 'site'"),
        ("lang", "has no labels"),
        ("url", "'url'"),
        ("", "labelled en"),
    ):
        for name in ("train", "dev_crawl"):
            table = {key: values for key, values in good.items() if key != lost}
            write_table(tmp_path / f"{name}.parquet", table)
        assert needle in refused(run("url-2008", "--data", tmp_path, "-o", tmp_path / "out"), 2 if lost else 1)


def test_another_process_refuses_in_one_line_too(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from dragoman.cli.main import main; main()", "papers", "url-2008"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path), "-o", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
