from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.made_corpus import write_labelled, write_table
from tests.made_urls import Labelled
from tests.refusals import refused

from dragoman.cli.main import cli

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]


def run(*args: str | Path, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(cli, ["quiz", "--model", "cctld-plus", *map(str, args)], input=stdin)


def found(*args: str | Path, stdin: str | bytes = "") -> dict[str, Any]:
    result = run(*args, "--format", "json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    value: dict[str, Any] = json.loads(result.stdout)
    return value


@pytest.fixture
def urls(tmp_path: Path, six_languages: Labelled) -> Path:
    return write_labelled(tmp_path / "urls.parquet", six_languages)


def test_a_pipe_answers_line_by_line_and_gets_tables(urls: Path) -> None:
    command = [*DRAGOMAN, "quiz", str(urls), "--model", "cctld", "--number", "25", "--seed", "1"]
    done = subprocess.run(command, input="1\nnonsense\nde\n\nItalian\nq\n", capture_output=True, text=True, check=True)
    assert "Scores on 4 URLs" in done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("two people (the 2008 paper, its URLs) "))
    assert line.split()[-3:] == ["–", ".75", ".67"]
    assert "\\" not in done.stdout
    assert "you with model cctld" in done.stdout
    assert ".77" in done.stdout
    assert "5/25" in done.stderr
    assert "Not one of the choices" in done.stderr
    assert "5/25" not in done.stdout


def test_both_are_judged_on_exactly_the_urls_that_were_answered(urls: Path) -> None:
    result = found(urls, "--seed", "4", "--number", "10", stdin="en\n" * 7)
    assert result["n"] == 7
    assert set(result["judges"]) == {"you", "model cctld-plus"}
    assert all(row["answers"]["you"] == "en" for row in result["urls"])
    right = sum(row["language"] == "en" for row in result["urls"])
    assert result["judges"]["you"]["accuracy"] == pytest.approx(right / 7, abs=1e-6)
    assert result["published"]["human_f"] == 0.75


def test_urls_are_drawn_evenly_or_as_they_come_and_the_seed_repeats_them(urls: Path) -> None:
    args = (urls, "--number", "20", "--seed", "5")
    first = found(*args, stdin="\n" * 20)
    languages = [row["language"] for row in first["urls"]]
    assert {languages.count(language) for language in ("en", "de", "fr", "es", "it")} == {4}
    assert found(*args, stdin="\n" * 20) == first
    other = found(*args, "--as-they-come", stdin="\n" * 20)
    assert other["urls"] != first["urls"]


def test_without_a_seed_it_is_told_and_others_are_drawn(urls: Path) -> None:
    first, other = (run(urls, stdin="\n\n\n") for _ in range(2))
    assert "--seed " in first.stderr
    assert first.stderr != other.stderr


def test_answers_are_kept_replayed_and_compared(urls: Path, tmp_path: Path) -> None:
    kept = [tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"]
    args = (urls, "--number", "6", "--seed", "2", "--languages", "en,de,Italian")
    asked = [
        found(*args, "--answers", path, stdin=stdin)
        for path, stdin in zip(kept, ("1\n2\n3\n" * 2, "1\n" * 5), strict=True)
    ]
    assert [len(path.read_text().splitlines()) for path in kept] == [6, 5]
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == ["anna.jsonl", "ben.jsonl"]
    alone = found("--replay", kept[0])
    assert alone["choices"] == ["en", "de", "it"]
    assert alone["judges"]["anna"] == asked[0]["judges"]["you"]
    assert alone["judges"]["model cctld-plus"] == asked[0]["judges"]["model cctld-plus"]
    both = found("--replay", kept[0], "--replay", kept[1])
    assert both["n"] == 5
    assert [pair["judges"] for pair in both["correlations"]] == [
        ["anna", "ben"],
        ["anna", "model cctld-plus"],
        ["ben", "model cctld-plus"],
    ]


def test_what_was_missed_is_shown_with_the_truth(tmp_path: Path) -> None:
    columns = {"url": ["http://a.de/\x1b[2J", "http://b.fr/"], "lang": ["de", "fr"]}
    table = write_table(tmp_path / "urls.jsonl", columns)
    result = run(table, "--languages", "de,fr", stdin="fr\n" * 2)
    assert ["de", "fr", "de", "http://a.de/\\x1b[2J"] in [line.split() for line in result.stdout.splitlines()]
    assert "http://b.fr/" not in result.stdout, "where both are right there is nothing to tell"
    assert "\x1b" not in result.stdout + result.stderr


def test_no_answer_at_all_is_no_failure(urls: Path) -> None:
    for stdin in ("", "q\n"):
        result = run(urls, stdin=stdin)
        assert result.exit_code == 0
        assert result.stdout == ""
        assert "nothing was answered" in result.stderr
    assert found(urls, stdin="q\n")["n"] == 0


def test_bytes_that_are_no_text_are_asked_again(urls: Path) -> None:
    assert found(urls, stdin=b"\xff\xfe\n\x00\nde\n")["n"] == 1


def test_an_interrupt_scores_what_was_answered(urls: Path, tmp_path: Path) -> None:
    kept = tmp_path / "answers.jsonl"
    command = [*DRAGOMAN, "quiz", str(urls), "--model", "cctld", "--answers", str(kept), "--format", "json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(b"de\nfr\n")
        process.stdin.flush()
        said = b""
        while b"3/20" not in said:
            said += os.read(process.stderr.fileno(), 4096)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
    assert json.loads(out)["n"] == 2
    assert len(kept.read_text().splitlines()) == 2


def test_files_that_cannot_be_used_are_refused_in_one_line(tmp_path: Path) -> None:
    one = write_table(tmp_path / "one.csv", {"url": ["http://a.de/"] * 2, "lang": ["de", "de"]})
    needed = "needs URLs of two languages or more that the model knows, of en, de, fr, es, it; found de"
    assert needed in refused(run(one))
    other = write_table(tmp_path / "other.csv", {"url": ["http://a.ru/"], "lang": ["ru"]})
    assert "found none" in refused(run(other))
    nothing = write_table(tmp_path / "nothing.csv", {"url": ["http://a.ru/"]})
    assert "has no labels" in refused(run(nothing), 2)
    assert "No such file" in refused(run(tmp_path / "missing.csv"), 2)


def test_usage_mistakes_are_said_before_anything_is_asked(urls: Path, tmp_path: Path) -> None:
    assert "Give a file of labelled URLs, or --replay" in refused(run(), 2)
    assert "Give a file of labelled URLs, or --replay" in refused(run(urls, "--replay", urls), 2)
    assert "two languages or more that the model knows, of de" in refused(run(urls, "--languages", "de"), 2)
    assert "there is no folder" in refused(run(urls, "--answers", tmp_path / "no" / "a.jsonl"), 2)
    assert "Unknown language" in refused(run(urls, "--languages", "de,qqq"), 2)
    assert "--number" in refused(run(urls, "--number", "0"), 2)
    answers = tmp_path / "a.jsonl"
    answers.write_text("not answers\n")
    assert "labelled URLs are needed" in refused(run("--replay", answers))
    assert "No such file" in refused(run("--replay", tmp_path / "missing.jsonl"), 2)
