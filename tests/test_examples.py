"""The examples run, from a folder with a space in its name, and do what they say."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dragoman
from tests.live_web import serve, small_web
from tests.made_urls import labelled_urls

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "a folder"
    path.mkdir()
    return path


def run(folder: Path, script: str, *arguments: str) -> str:
    environment = {**os.environ, "COLUMNS": "110", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return done.stdout


def test_every_example_is_run_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in sorted(EXAMPLES.glob("*.py")) if f'"{path.name}"' not in text] == []


def test_examples_need_nothing_but_the_package() -> None:
    needs = [
        path.name
        for path in EXAMPLES.glob("*.py")
        if re.search(r"^\s*(from|import) tests\b", path.read_text("utf-8"), re.M)
    ]
    assert needs == []


def test_short_examples_are_short() -> None:
    long = {path.name for path in EXAMPLES.glob("*.py") if len(path.read_text(encoding="utf-8").splitlines()) >= 50}
    assert long <= {"demo.py"}


@pytest.mark.slow
def test_the_demo_runs_twice_and_leaves_its_pictures_and_its_page(folder: Path) -> None:
    for _ in range(2):
        told = run(folder, "demo.py")
    for name in (
        "index.html",
        "urls.png",
        "tracked.html",
        "crawl.png",
        "crawl/report.html",
        "confusion.png",
        "languages.parquet",
        "mine.dragoman",
    ):
        assert str(Path("demo") / name) in told
        assert (folder / "demo" / name).stat().st_size > 1000, name
    page = (folder / "demo" / "index.html").read_text(encoding="utf-8")
    assert page.count("<img") == 3
    assert "http" not in page.partition("<body>")[0]
    labelled = pq.read_table(folder / "demo" / "languages.parquet")
    assert labelled.column_names == ["id", "url", "language", "probability"]
    assert 0 < labelled["language"].null_count < labelled.num_rows / 2, "short URLs that say too little have no answer"


def test_a_parquet_file_gets_its_languages(folder: Path) -> None:
    urls = ["http://www.beispiel.de/wetter", None, "mailto:a@example.org", "http://www.exemple.fr/recettes"]
    pq.write_table(pa.table({"id": range(4), "address": urls}), folder / "in.parquet")
    assert "4 rows" in run(folder, "label_parquet.py", "in.parquet", "out.parquet", "address")
    assert pq.read_table(folder / "out.parquet")["language"].to_pylist() == ["de", None, None, "fr"]


def test_algorithms_are_compared(folder: Path) -> None:
    made = labelled_urls(("de", "en", "fr"))
    with (folder / "labelled.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("url", "lang"), *zip(made.urls, made.labels, strict=True)])
    told = run(folder, "train_and_compare.py", "labelled.csv").splitlines()
    assert [line.split()[0] for line in told] == [
        "cctld-plus",
        "naive-bayes:words",
        "relative-entropy:words",
        "logistic-regression:words",
        "logistic-regression:trigrams",
    ]
    assert all(0 < float(line.split()[2]) <= 1 for line in told)


def test_one_url_is_explained(folder: Path) -> None:
    told = run(folder, "explain_one_url.py", "https://www.beispiel.de/k%C3%BCche")
    assert "tokens    beispiel (host), de (tld), küche (path)" in told
    assert told.rstrip().endswith("answer    German")
    assert run(folder, "explain_one_url.py", "mailto:a@b.de", "cctld").rstrip().endswith("answer    none")


def test_a_small_web_is_crawled_and_gives_a_corpus(folder: Path) -> None:
    told = run(folder, "crawl_a_small_web.py", "120")
    assert "nothing waits any more" in told
    assert (folder / "small-web" / "report.html").exists()
    told = run(folder, "corpus_from_crawl.py", "small-web", "th", "texts.jsonl", "20")
    rows = [json.loads(line) for line in (folder / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert f"kept {len(rows)}" in told
    assert len(rows) == len({row["url"] for row in rows}) > 0
    assert all(dragoman.identify_text(row["text"]).language == "th" for row in rows)


def test_a_spider_of_somebody_else_is_steered_by_the_addon(folder: Path) -> None:
    with serve(small_web(250, share=0.04, seed=6).numbered()) as web:
        told = run(folder, "thai_spider.py", *web.seeds)
    fetched = [line for line in told.splitlines() if line.startswith("http://")]
    assert f"dragoman/pages/wanted: {int(web.relevant('th').sum())}" in told
    assert len(set(fetched)) < 0.7 * len(web.urls)
    assert "dragoman/dropped/server is irrelevant: " in told
    assert "dragoman/language/th: " in told


def test_strategies_are_compared_on_a_made_web(folder: Path) -> None:
    told = run(folder, "simulate_a_crawl.py", "5000").splitlines()
    assert [line.split()[0] for line in told[1:]] == ["bfs", "soft-focused", "conservative-server", "scout", "perfect"]


def test_the_script_for_spark_says_what_it_takes(folder: Path) -> None:
    # What it does is tested in a real session, where there is Java.
    assert "go on" in run(folder, "label_common_crawl.py", "--help")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "package"),
    [("hugging_face.py", "datasets"), ("ray_data.py", "ray.data"), ("dask_frame.py", "dask.dataframe")],
)
def test_engines_of_others_label_batches(folder: Path, script: str, package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    urls = ["http://www.beispiel.de/haus-und-garten", "http://www.exemple.fr/recettes-de-cuisine", None]
    pq.write_table(pa.table({"url": urls}), folder / "in.parquet")
    command = [sys.executable, str(EXAMPLES / script), "in.parquet", "out.parquet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert pq.read_table(folder / "out.parquet")["language"].to_pylist() == ["de", "fr", None]
