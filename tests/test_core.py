"""What works where nothing but the core is installed (numpy, click, rich). `make test-core` lets none of it be skipped.

Where extras are there, their import fails here: the answers are those of an installation without them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dragoman

ROOT = Path(__file__).resolve().parents[1]
GERMAN, FRENCH = "http://www.beispiel.de/haus-und-garten", "http://www.exemple.fr/recettes-de-cuisine"
TEXT = "Dies ist ein deutscher Satz, der lang genug ist, um ihn zu erkennen."
#: What only extras carry.
OPTIONAL = (
    *("pyarrow", "scipy", "sklearn", "matplotlib", "resiliparse", "fastwarc", "tldextract", "wordfreq", "scrapy"),
    *("fastapi", "uvicorn", "starlette", "orjson", "fsspec", "pandas", "polars", "duckdb", "ray", "pyspark"),
)


def python(code: str, *arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A program that finds none of the optional packages."""
    command = [sys.executable, "-c", f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL!r}))\n{code}"]
    return subprocess.run(
        [*command, *map(str, arguments)], input=stdin, capture_output=True, encoding="utf-8", check=False
    )


def run(*arguments: str | Path, stdin: str = "", code: int = 0) -> str:
    """What a command prints, talk included, where it ends with this exit code."""
    ended = python("from dragoman.cli.main import main\nmain()", *arguments, stdin=stdin)
    assert ended.returncode == code, ended.stderr
    return ended.stdout + ended.stderr


def test_the_core_asks_for_three_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [one.partition(">")[0] for one in project["dependencies"]] == ["numpy", "click", "rich"]


def test_every_public_name_is_there() -> None:
    ended = python("import dragoman\nprint(len([getattr(dragoman, name) for name in dragoman.__all__]))")
    assert ended.stdout.strip() == str(len(dragoman.__all__)), ended.stderr


def test_every_command_says_what_it_does() -> None:
    code = (
        "from click.testing import CliRunner\nfrom dragoman.cli.main import COMMANDS, cli\n"
        "print([name for name in COMMANDS if 'Usage:' not in CliRunner().invoke(cli, [name, '--help']).output])"
    )
    assert python(code).stdout.strip() == "[]", python(code).stderr


def test_urls_given_as_arguments() -> None:
    answers = [json.loads(line) for line in run("url", GERMAN, FRENCH, "--explain").splitlines()]
    assert [answer["language"] for answer in answers] == ["de", "fr"]
    assert answers[0]["contributions"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("in.csv", f"id,url\n1,{GERMAN}\n"),
        ("in.tsv", f"id\turl\n1\t{GERMAN}\n"),
        ("in.jsonl", json.dumps({"id": 1, "url": GERMAN}) + "\n"),
        ("in.txt", GERMAN + "\n"),
    ],
)
def test_tables_that_are_text(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    out = tmp_path / f"out{Path(name).suffix}" if not name.endswith("txt") else tmp_path / "out.jsonl"
    run("url", tmp_path / name, "-o", out)
    assert "de" in out.read_text(encoding="utf-8").splitlines()[-1].replace(GERMAN, "")


@pytest.mark.parametrize("method", ["text", "rank-order", "fisher-cosine", "hmm"])
def test_pages(method: str) -> None:
    page = f"<html lang=de><title>Haus</title><p>{TEXT}</p></html>"
    answer = json.loads(run("page", "-", "--method", method, stdin=page))
    assert (answer["language"], answer["declared"]) == ("de", "de")


def test_where_the_language_changes() -> None:
    answer = json.loads(
        run("track", "-", stdin=f"{TEXT}\n\nThis sentence is in English, and the one before it is not.\n")
    )
    assert [span["language"] for span in answer["spans"]] == ["de", "en"]


def test_models_are_listed() -> None:
    assert "default" in run("models", "--format", "json")


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("bulk", ("url", "in.parquet")),
        ("train", ("train", "in.csv", "-o", "out.dragoman")),
        ("train", ("evaluate", "in.csv")),
        ("bulk", ("simulate", "--synth", "--pages", "2000", "-o", "out")),
        ("crawl", ("crawl", "--language", "th", "--seeds", "in.txt", "-o", "out")),
        ("serve", ("serve",)),
        ("all", ("papers", "crawling-2007", "--scale", "small", "-o", "out")),
        ("all", ("papers", "hmm-2004", "--data", "out", "-o", "out")),
    ],
)
def test_what_needs_an_extra_says_so_in_one_line(tmp_path: Path, extra: str, arguments: tuple[str, ...]) -> None:
    (tmp_path / "in.csv").write_text(f"url,language\n{GERMAN},de\n{FRENCH},fr\n", encoding="utf-8")
    (tmp_path / "in.txt").write_text(GERMAN + "\n", encoding="utf-8")
    (tmp_path / "in.parquet").write_bytes(b"PAR1PAR1")
    here = [str(tmp_path / part) if "." in part or part == "out" else part for part in arguments]
    told = run(*here, code=1)
    assert f"pip install 'dragoman[{extra}]'" in told
    assert len(told.strip().splitlines()) == 1
