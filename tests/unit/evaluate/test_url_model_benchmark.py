"""The commands that judge the shipped model, run on a handful of made URLs: that they run, not what they find."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.made_corpus import write_corpus

SCRIPTS = Path(__file__).resolve().parents[3] / "benchmarks" / "url_model"


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("script", ["judge.py", "cross_validation.py", "ablation.py"])
def test_without_data_a_command_says_so_and_ends_well(script: str, tmp_path: Path) -> None:
    found = run(script, "--data", tmp_path)
    assert found.returncode == 0, found.stderr
    assert "skipped" in found.stdout


@pytest.mark.slow
def test_judging_prints_a_verdict_per_target_and_writes_a_page(tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data", per_language=20, tests=("directory", "news", "crawl"))
    out = tmp_path / "out"
    found = run("judge.py", "--data", data, "--quick", "--output", out)
    assert found.returncode == 0, found.stderr
    kept = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert len(kept["targets"]) == found.stdout.count("PASS  ") + found.stdout.count("MISS  ")
    assert set(kept["five"]) == {"directory", "news", "crawl", "crawl, unseen sites"}
    text = (out / "README.md").read_text(encoding="utf-8")
    pictures = list(out.glob("*.png"))
    assert len(pictures) == 3
    assert all(f"({path.name})" in text for path in pictures)


@pytest.mark.slow
def test_a_missed_target_fails_only_where_asked(tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data", per_language=12)
    found = run("judge.py", "--data", data, "--quick", "--strict")
    assert found.returncode == ("MISS  must" in found.stdout)
    assert not list(tmp_path.glob("*.md"))


@pytest.mark.slow
def test_cross_validation_gives_every_language_its_f1(tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data", per_language=30)
    found = run("cross_validation.py", "--data", data, "--folds", "2", "--only", "random", "--output", tmp_path / "out")
    assert found.returncode == 0, found.stderr
    kept = json.loads((tmp_path / "out" / "cross_validation.json").read_text(encoding="utf-8"))
    f1 = kept["random"]["all URLs"]["likeliest, balanced"]
    assert list(f1) == ["en", "de", "fr", "es", "it"]
    assert all(0 <= one["lowest"] <= one["f1"] <= one["highest"] <= 1 for one in f1.values())
