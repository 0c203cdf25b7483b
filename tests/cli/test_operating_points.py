from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from dragoman import identify
from dragoman.cli.main import cli
from dragoman.identifiers import model_file as store
from dragoman.identifiers.url.algorithms.cctld import CountryCode

SURE = identify("http://a.de/", "cctld", threshold=0.0).probability or 0.0
OTHER = (1 - SURE) / 4  # what each of the five languages gets for the domain of another one
CURVE = {
    "n": 1234,
    "threshold": [round(OTHER - 0.01, 6), round(SURE - 0.01, 6), 0.99],
    "precision": [0.5, 0.9, 0.98],
    "recall": [0.95, 0.8, 0.1],
}


@pytest.fixture
def model(tmp_path: Path) -> str:
    """The rule by country codes, with a curve for German as if it had been measured."""
    ready = CountryCode.ready()
    ready.notes_ = {"operating": {"languages": {"de": CURVE, "fr": {"n": 3}}}}
    path = tmp_path / "curves.dragoman"
    store.save(ready, path)
    return str(path)


def run(model: str, *args: str) -> Result:
    return CliRunner().invoke(cli, ["url", "--model", model, *args])


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


URLS = ("http://a.de/", "http://b.fr/", "mailto:x@y.de")


def test_a_precision_picks_the_threshold_and_answers_yes_or_no(model: str) -> None:
    result = run(model, *URLS, "--language", "German", "--precision", "0.85")
    found = rows(result)
    assert list(found[0]) == ["url", "wanted", "probability"]
    assert [row["wanted"] for row in found] == [True, False, False]
    assert found[0]["probability"] == pytest.approx(SURE, abs=1e-6)
    assert found[2]["probability"] is None
    threshold = f"{CURVE['threshold'][1]:g}"  # type: ignore[index]
    assert result.stderr == (
        f"dragoman: note: 'de' is wanted from probability {threshold} on: precision 0.900, recall 0.800, "
        "measured on 1,234 URLs in it\n"
    )


def test_a_recall_that_makes_most_answers_wrong_is_told_with_its_precision(tmp_path: Path) -> None:
    ready = CountryCode.ready()
    curve = {"n": 31, "threshold": [0.000024, 0.9], "precision": [0.003, 0.6], "recall": [0.91, 0.2]}
    ready.notes_ = {"operating": {"languages": {"de": curve}}}
    path = tmp_path / "thai.dragoman"
    store.save(ready, path)
    result = run(str(path), *URLS, "--language", "de", "--recall", "0.9")
    assert result.stderr == (
        "dragoman: note: 'de' is wanted from probability 2.4e-05 on: recall 0.910, but precision only 0.003: "
        "about 997 of 1,000 yes are wrong (measured on 31 URLs in it)\n"
    )
    assert "only" not in run(str(path), *URLS, "--language", "de", "--recall", "0.2").stderr


def test_the_point_is_told_before_the_first_row(model: str, tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("http://a.de/\n" * 300_000)
    asked = ["url", "--model", model, str(path), "--language", "de", "--precision", "0.9"]
    command = [sys.executable, "-c", "from dragoman.cli.main import main; main()", *asked]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert b"'de' is wanted from probability" in process.stderr.readline()
        process.stdout.readline()
        process.stdout.close()  # as `| head` does
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


def test_a_recall_may_say_yes_where_another_language_is_likelier(model: str) -> None:
    found = rows(run(model, *URLS, "--language", "de", "--recall", "0.9"))
    assert [row["wanted"] for row in found] == [True, True, False]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_every_format_has_the_column_wanted(model: str, tmp_path: Path, ending: str) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / f"out.{ending}"
    pq.write_table(pa.table({"url": URLS, "n": [1, 2, 3]}), path)
    assert run(model, str(path), "--language", "de", "--precision", "0.9", "-o", str(out)).exit_code == 0
    if ending == "parquet":
        found = pq.read_table(out)
        assert found.column_names == ["url", "n", "wanted", "probability"]
        assert found["wanted"].type == pa.bool_()
        assert found["wanted"].to_pylist() == [True, False, False]
    elif ending == "jsonl":
        assert [json.loads(line)["wanted"] for line in out.read_text().splitlines()] == [True, False, False]
    else:
        lines = [line.replace('"', "").split("\t" if ending == "tsv" else ",") for line in out.read_text().splitlines()]
        assert lines[0] == ["url", "n", "wanted", "probability"]
        assert [line[2] for line in lines[1:]] == ["true", "false", "false"]


def test_csv_comes_back_with_true_and_false(model: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("url,n\nhttp://a.de/,1\nhttp://b.fr/,2\n")
    lines = run(model, str(path), "--language", "de", "--precision", "0.9").stdout.splitlines()
    assert lines[0] == "url,n,wanted,probability"
    assert [line.split(",")[2] for line in lines[1:]] == ["true", "false"]


def test_a_column_wanted_that_is_there_needs_replace(model: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("url,wanted\nhttp://a.de/,x\n")
    asked = ["--language", "de", "--precision", "0.9"]
    assert "'wanted' already" in run(model, str(path), *asked).stderr
    assert run(model, str(path), "--replace", *asked).stdout.startswith("url,wanted,probability\nhttp://a.de/,true,")


def test_sites_are_counted_by_the_same_yes_or_no(model: str) -> None:
    (row,) = rows(run(model, "http://a.de/", "http://a.de/x", "--language", "de", "--recall", "0.5", "--by-site"))
    assert (row["language"], row["share"]) == ("de", 1.0)


def test_one_language_without_a_promise_is_the_question_that_it_was(model: str) -> None:
    found = rows(run(model, *URLS, "--language", "de", "--threshold", "0"))
    assert found == rows(run(model, *URLS, "--languages", "de", "--threshold", "0"))
    assert [row["language"] for row in found] == ["de", None, None]


def test_a_threshold_of_zero_answers_where_the_models_own_would_not(tmp_path: Path) -> None:
    ready = CountryCode.ready()
    ready.notes_ = {
        "operating": {"answering": {"asked": 0.05, "threshold": SURE + 0.01, "coverage": 0.5, "risk": 0.05}}
    }
    path = tmp_path / "careful.dragoman"
    store.save(ready, path)
    assert rows(run(str(path), "http://a.de/"))[0]["language"] is None
    assert rows(run(str(path), "http://a.de/", "--threshold", "0"))[0]["language"] == "de"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--precision", "0.9"], "say which with 'language'"),
        (["--recall", "0.9"], "say which with 'language'"),
        (["--language", "de", "--languages", "de,fr"], "give one of the two"),
        (["--language", "de,fr"], "takes one language"),
        (["--language", "de", "--precision", "0.9", "--recall", "0.9"], "give one"),
        (["--language", "de", "--precision", "0.9", "--threshold", "0.5"], "leave out 'threshold'"),
        (["--language", "de", "--precision", "0.999"], "highest precision"),
        (["--language", "de", "--precision", "2"], "at most 1"),
        (["--language", "fr", "--precision", "0.9"], "Too few URLs"),
        (["--language", "ja", "--precision", "0.9"], "It has: "),
    ],
)
def test_a_promise_that_cannot_be_made_is_one_line(model: str, args: list[str], message: str) -> None:
    result = run(model, "http://a.de/", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("dragoman: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
