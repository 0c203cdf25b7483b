from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from dragoman.cli.main import COMMANDS, cli
from dragoman.models import shelf, store
from dragoman.models.cctld import CountryCode


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
