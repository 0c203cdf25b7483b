from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import COMMANDS, cli
from dragoman.cli.models import _table
from dragoman.identifiers import model_file as store
from dragoman.identifiers import models as shelf
from dragoman.identifiers.url.algorithms.cctld import CountryCode


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def test_the_list_has_every_model() -> None:
    result = run("models")
    assert result.exit_code == 0
    for name in shelf.names():
        assert name in result.stdout


def test_json_has_what_scripts_need() -> None:
    rows = json.loads(run("models", "--format", "json").stdout)
    assert [row["name"] for row in rows] == list(shelf.names())
    assert {"languages", "size", "digest", "algorithm", "features", "notes"} <= set(rows[0])
    assert json.loads(run("models", "cctld", "--format", "json").stdout)["name"] == "cctld"


def test_one_model_in_detail(tmp_path: Path) -> None:
    path = tmp_path / "mine.dragoman"
    model = CountryCode.ready(("de", "yue"))
    model.notes_ = {"quality": {"F": 0.9}}
    store.save(model, path)
    text = run("models", str(path), "--detail").stdout
    assert "de (German), yue (" in text
    assert '{"F": 0.9}' in text
    assert "mine.dragoman" in text


JUDGED = {
    "training_rows": {"en": 9000, "de": 5000},
    "judged": {
        "crawl": {"rows": 2, "accuracy": 0.9},
        "languages": {
            "en": {"n": 2408, "f": 0.981, "precision": 0.972, "recall": 0.963},
            "de": {"n": 59, "f": 0.338, "precision": 0.9, "recall": 0.2},
            "fr": {"n": 3, "f": None, "precision": None, "recall": None},
        },
    },
    "operating": {
        "languages": {"en": {"n": 2408, "threshold": [0.5], "precision": [0.9], "recall": [0.8]}, "fr": {"n": 3}},
        "answering": {
            "asked": 0.05,
            "threshold": 0.571,
            "coverage": 0.897,
            "risk": 0.05,
            "sets": {"news": {"coverage": 0.983, "risk": 0.01}},
        },
        "risk_coverage": [[0.9, 0.5, 0.01], [0.4, 0.9, 0.05], [0.1, 1.0, 0.1]],
    },
}


def judged_model(folder: Path) -> str:
    model = CountryCode.ready(("en", "de", "fr"))
    model.notes_ = JUDGED
    store.save(model, folder / "judged.dragoman")
    return str(folder / "judged.dragoman")


def test_detail_tells_supported_from_experimental_and_marks_the_weak(tmp_path: Path) -> None:
    lines = run("models", judged_model(tmp_path), "--detail").stdout.splitlines()
    by_tag = {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line.strip()}
    assert by_tag["en"] == "English 9,000 2,408 0.981 0.972 0.963 supported, points"
    assert by_tag["de"] == "German 5,000 59 0.338 0.900 0.200 supported, WEAK"
    assert by_tag["fr"] == "French 0 3 - - - experimental"
    assert by_tag["threshold"] == "0.571: answers 89.7% of the URLs, 5.0% of the answers wrong"
    assert by_tag["news:"] == "answers 98.3%, 1.0% wrong"
    assert by_tag["wrong"].startswith("10.0% of 100%, ")
    assert "risk_coverage" not in by_tag
    assert not any('"threshold"' in line for line in lines)


def test_detail_explains_its_columns_in_a_line_and_only_the_words_it_uses(tmp_path: Path) -> None:
    lines = [line.strip() for line in run("models", judged_model(tmp_path), "--detail").stdout.splitlines()]
    (columns,) = [line for line in lines if line.startswith("columns: ")]
    for word in ("train", "judge", "F", "precision", "recall", "threshold"):
        assert word in columns
    assert "1 WEAK: supported, but F is under 0.667, which a yes to every URL would reach" in lines
    model = CountryCode.ready(("en",))
    model.notes_ = {"judged": {"languages": {"en": JUDGED["judged"]["languages"]["en"]}}}  # type: ignore[index]
    store.save(model, tmp_path / "good.dragoman")
    text = run("models", str(tmp_path / "good.dragoman"), "--detail").stdout
    assert "1 supported" in text
    assert not any(word in text for word in ("WEAK", "experimental", "points"))


def test_a_poor_language_with_few_urls_is_experimental_and_not_called_weak(tmp_path: Path) -> None:
    model = CountryCode.ready(("en",))
    model.notes_ = {"judged": {"languages": {"en": {"n": 3, "f": 0.1, "precision": 0.1, "recall": 0.1}}}}
    store.save(model, tmp_path / "few.dragoman")
    text = run("models", str(tmp_path / "few.dragoman"), "--detail").stdout
    assert "experimental" in text
    assert "WEAK" not in text


@pytest.mark.parametrize("width", [20, 40, 80, 120, None])
def test_no_width_hides_a_name_or_a_number_of_languages(width: int | None) -> None:
    found = [shelf.describe(name) for name in ("default", "cctld", "cctld-plus")]
    lines = list(_table(found, width))
    for one in found:
        row = next(line.split() for line in lines if line.split()[0] == one["name"])
        assert row[1] == str(len(one["languages"]))
        assert one["digest"][:12] in row
    assert all(len(line) <= 80 for line in lines if width == 80)
    assert width is not None or len(lines) == 1 + len(found)


def test_json_has_a_row_per_language(tmp_path: Path) -> None:
    found = json.loads(run("models", judged_model(tmp_path), "--format", "json").stdout)
    assert [row["status"] for row in found["by_language"]] == ["supported", "supported", "experimental"]
    assert [row["weak"] for row in found["by_language"]] == [False, True, False]
    assert found["notes"]["operating"]["answering"]["threshold"] == 0.571
    assert json.loads(run("models", "cctld", "--format", "json").stdout)["by_language"] == []


def test_an_unknown_model_is_one_line_and_usage() -> None:
    result = run("models", "cctdl")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("dragoman: Unknown model 'cctdl'")
    assert result.stderr.count("\n") == 1


def test_help_lists_every_command_with_a_line() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for name, (_, about) in COMMANDS.items():
        assert f"  {name} " in result.stdout
        assert about.split()[0] in result.stdout


def test_version_is_told() -> None:
    assert run("--version").stdout.startswith("dragoman 0.")


def test_usage_mistakes_are_one_line_and_two() -> None:
    for args in (["ulr"], ["--bogus"], ["url", "--bogus"], ["models", "--format", "xml"]):
        result = run(*args)
        assert result.exit_code == 2, args
        assert result.stderr.startswith("dragoman: ")
        assert result.stderr.count("\n") == 1
    assert "Did you mean 'url'?" in run("ulr").stderr


def test_a_broken_file_on_the_shelf_hides_no_other_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.dragoman"
    broken.write_bytes(b"dragoman?")
    monkeypatch.setattr(shelf, "shipped", lambda: {"broken": broken})
    result = run("models")
    assert "broken.dragoman" in result.stderr
    assert "cctld-plus" in result.stdout


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("name", shelf.names())
def test_every_model_that_ships_has_its_details(name: str, form: str) -> None:
    result = run("models", name, "--detail", "--format", form)
    assert result.exit_code == 0, result.stderr
    assert name in result.stdout.splitlines()[0] + result.stdout.splitlines()[1]
    if name == "text" and form == "table":
        assert "  columns: real texts in the language" in result.stdout


def test_algorithms_are_json_where_that_is_asked_for() -> None:
    known = json.loads(run("models", "--algorithms", "--format", "json").stdout)
    assert known["algorithms"]["cctld"] == "the top-level domain alone"
    assert "words" in known["feature sets"]
