from __future__ import annotations

import csv
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.made_corpus import write_labelled, write_table
from tests.made_urls import Labelled
from tests.refusals import refused

import dragoman
from dragoman.cli.main import cli
from dragoman.identifiers.models import describe

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["evaluate", *map(str, args)])


def found(*args: str | Path) -> dict[str, Any]:
    result = run(*args, "--format", "json")
    assert result.exit_code == 0, result.stderr
    models: dict[str, Any] = json.loads(result.stdout)["models"]
    return models


@pytest.fixture
def urls(tmp_path: Path, six_languages: Labelled) -> Path:
    halves = ["judge" if row % 3 else "tune" for row in range(len(six_languages.urls))]
    unseen = [row % 2 == 0 for row in range(len(six_languages.urls))]
    return write_labelled(tmp_path / "urls.parquet", six_languages, half=halves, site_unseen=unseen)


def test_tables_for_people_come_from_a_process_of_its_own(urls: Path) -> None:
    command = [*DRAGOMAN, "evaluate", str(urls), "--model", "cctld"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for needle in ("one yes or no per language", "one answer per URL", "Confusion", "explicit code", "German"):
        assert needle in done.stdout
    assert done.stderr == ""


def test_what_a_terminal_shows_has_no_markup(urls: Path) -> None:
    shown = run(urls, "--model", "cctld").stdout
    assert "\\" not in shown
    assert "**" not in shown
    assert "\nQuality, one answer per URL\n" in shown


def test_tables_of_several_models_carry_their_names(urls: Path, tmp_path: Path) -> None:
    names = ("cctld", "cctld-plus")
    result = run(urls, *(f"--model={name}" for name in names), "--languages", "five", "-o", tmp_path)
    assert result.exit_code == 0, result.stderr
    page = (tmp_path / "report.html").read_text()
    report = (tmp_path / "report.md").read_text()
    for name in names:
        for title in ("Quality, one answer per URL", "Confusion, one answer per URL", "Mean F by kind of URL"):
            assert f"\n{name}: {title}\n" in result.stdout
            assert f"<figcaption>{name}: {title}</figcaption>" in page
            assert f"**{name}: {title}**" in report
        assert (tmp_path / "tables" / f"{name}-mean-f-by-kind-of-url.csv").exists()


def test_json_has_both_readings_of_every_model(urls: Path) -> None:
    models = found(urls, "--model", "cctld", "--model", "cctld-plus", "--languages", "five")
    assert set(models) == {"cctld", "cctld-plus"}
    for readings in models.values():
        assert set(readings) == {"binary", "best"}
        assert list(readings["best"]["languages"]) == ["en", "de", "fr", "es", "it"]
        assert readings["best"]["rows"] == 300
    assert (
        models["cctld-plus"]["best"]["languages"]["en"]["recall"] > models["cctld"]["best"]["languages"]["en"]["recall"]
    )
    assert "site" in models["cctld"]["best"]["strata"]


def test_a_closed_test_leaves_other_languages_out_and_an_open_one_keeps_them(urls: Path) -> None:
    closed = found(urls, "--model", "cctld", "--languages", "de,fr")["cctld"]["binary"]
    opened = found(urls, "--model", "cctld", "--languages", "de,fr", "--open")["cctld"]["binary"]
    assert (closed["rows"], opened["rows"]) == (120, 360)
    assert closed["languages"]["de"]["n"] == opened["languages"]["de"]["n"] == 60


def test_where_chooses_rows(urls: Path) -> None:
    assert found(urls, "--model", "cctld", "--open", "--where", "half=tune")["cctld"]["best"]["rows"] == 120
    assert "no column 'halves'; the file has url" in refused(run(urls, "--model", "cctld", "--where", "halves=tune"), 2)
    assert "COLUMN=VALUE" in refused(run(urls, "--model", "cctld", "--where", "half"), 2)


def test_a_report_is_written_where_asked(urls: Path, tmp_path: Path) -> None:
    result = run(urls, "--model", "cctld", "-o", tmp_path / "report")
    assert result.exit_code == 0, result.stderr
    assert "<title>Evaluation on urls.parquet</title>" in (tmp_path / "report" / "report.html").read_text()
    assert list((tmp_path / "report" / "tables").glob("*.csv"))
    assert list((tmp_path / "report" / "figures").iterdir())


def test_a_report_says_what_was_measured_with_what(urls: Path, tmp_path: Path) -> None:
    result = run(urls, "--model", "cctld", "--format", "json", "-o", tmp_path / "report")
    about = json.loads(result.stdout)["about"]
    assert about["dragoman"] == dragoman.__version__
    assert about["data"] == {"file": "urls.parquet", "sha256": hashlib.sha256(urls.read_bytes()).hexdigest()}
    assert about["models"] == {"cctld": describe("cctld")["digest"]}
    assert about["command"].startswith(f"dragoman evaluate {urls} --model cctld --format json -o ")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["date"])
    for text in (run(urls, "--model", "cctld").stdout, (tmp_path / "report" / "report.html").read_text()):
        assert about["data"]["sha256"] in text
        assert about["models"]["cctld"] in text


def test_two_models_are_compared_row_by_row(urls: Path, tmp_path: Path) -> None:
    names = ("--model=cctld-plus", "--model=cctld", "--languages=five")
    result = run(urls, *names, "--format", "json", "-o", tmp_path)
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    (comparison,) = answer["compared"]
    assert (comparison["models"], comparison["rows"], comparison["languages"]) == (["cctld-plus", "cctld"], 300, 5)
    plus, plain = (answer["models"][name] for name in ("cctld-plus", "cctld"))
    for reading, difference in comparison["macro_f"].items():
        if not reading.endswith("_interval"):
            assert difference == pytest.approx(plus[reading]["macro_f"] - plain[reading]["macro_f"], abs=2e-6)
            low, high = comparison["macro_f"][f"{reading}_interval"]
            assert low <= difference <= high
    assert comparison["accuracy"] == pytest.approx(plus["best"]["accuracy"] - plain["best"]["accuracy"], abs=2e-6)
    rows = comparison["disagreements"]
    assert rows
    assert all(row["first"] != row["second"] for row in rows)
    gain = sum((row["right"] == "first") - (row["right"] == "second") for row in rows)
    assert comparison["accuracy"] == pytest.approx(gain / 300, abs=2e-6)
    with (tmp_path / "disagreements-cctld-plus-cctld.csv").open(newline="", encoding="utf-8") as file:
        assert [row["url"] for row in csv.DictReader(file)] == [row["url"] for row in rows]
    shown = run(urls, *names).stdout
    assert "\nWhere cctld-plus and cctld disagree\n" in shown
    assert "cctld-plus less cctld" in shown


def test_models_without_a_language_in_common_are_not_compared(urls: Path, tmp_path: Path) -> None:
    rows = [(f"http://a{number}.xx/{word}", tag) for number in range(40) for word, tag in (("uno", "la"), ("du", "eo"))]
    table = write_table(tmp_path / "other.csv", {"url": [url for url, _ in rows], "lang": [tag for _, tag in rows]})
    options = ["-o", str(tmp_path / "m.dragoman"), "--algorithm", "naive-bayes"]
    trained = CliRunner().invoke(cli, ["train", str(table), *options])
    assert trained.exit_code == 0, trained.output
    both = [*rows[:2], ("http://a.de/", "de"), ("http://b.fr/", "fr")]
    mixed = write_table(tmp_path / "mixed.csv", {"url": [url for url, _ in both], "lang": [tag for _, tag in both]})
    result = run(mixed, "--model", "cctld", "--model", tmp_path / "m.dragoman", "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["compared"] == []


def test_the_same_file_gives_the_same_bytes(urls: Path) -> None:
    first, again = (run(urls, "--model", "cctld", "--format", "json").stdout for _ in range(2))
    assert first == again


def test_a_file_without_the_column_says_which_it_has(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"address": ["http://a.de/"], "lang": ["de"]})
    message = refused(run(table, "--model", "cctld"), 2)
    assert "'url'" in message
    assert "address" in message


def test_a_file_without_labels_says_what_is_needed(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"url": ["http://a.de/"], "note": ["x"]})
    assert "has no labels: no column 'lang'" in refused(run(table, "--model", "cctld"), 2)


def test_a_file_of_one_language_is_refused(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"url": ["http://a.de/", "http://b.de/"], "lang": ["de", "de"]})
    message = refused(run(table, "--model", "cctld"))
    assert "has URLs of 'de' only; judging needs two languages or more" in message


def test_a_file_of_other_languages_says_what_the_model_has(tmp_path: Path) -> None:
    columns = {"url": ["http://a.de/", "http://b.fr/"], "lang": ["de", "fr"]}
    table = write_table(tmp_path / "urls.csv", columns)
    assert "no URL labelled with a language of 'cctld': en, it" in refused(
        run(table, "--model", "cctld", "--languages", "en,it")
    )


def test_unknown_models_and_languages_are_usage(urls: Path) -> None:
    assert "Unknown model 'cctdl'" in refused(run(urls, "--model", "cctdl"), 2)
    assert "Unknown language" in refused(run(urls, "--model", "cctld", "--languages", "qqq"), 2)
    assert refused(run("missing.parquet", "--model", "cctld"), 2)


def test_a_model_that_reads_texts_is_refused(urls: Path) -> None:
    assert "reads text, not URLs" in refused(run(urls, "--model", "rank-order"), 2)
