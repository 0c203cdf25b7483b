"""Run folders as the page reads them: crawls while they run and after, simulations, and folders that are neither."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.live_web import serve, small_web

from dragoman.crawl.live.state import progress
from dragoman.serve.folders import POINTS, QUIET, BadRun, find_runs, kind, outline, read_run


def state(**changed: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "format": progress.FORMAT, "time": time.time(), "wanted": ["th"], "strategy": "scout", "tolerance": 3,
        "ended": None, "seconds": 10.0, "pages": 20, "relevant": 10, "bytes": 5, "waiting": 10,
        "curve": [[10, 5, 10, 5.0], [20, 10, 10, 5.0]], "expected": 5.0,
        "servers": {"relevant": 1}, "languages": [["th", 10], [None, 10]],
        "reasons": [["seed", 1]], "answers": [["page", 20]], "guesses": [[True, True, 1], [False, True, 3]],
        "largest": [["a.th", 20]],
    }  # fmt: skip
    return told | changed


def crawl(folder: Path, **changed: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / progress.NAME).write_text(json.dumps(state(**changed)), encoding="utf-8")
    return folder


def test_a_folder_is_a_run_or_holds_runs_and_names_are_told_apart(tmp_path: Path) -> None:
    first, second = crawl(tmp_path / "a" / "thai"), crawl(tmp_path / "b" / "thai")
    (tmp_path / "b" / "other").mkdir()
    (tmp_path / "b" / "away").symlink_to(tmp_path / "a" / "thai")
    assert find_runs([first, tmp_path / "b", tmp_path / "nowhere"]) == {"thai": first, "thai-2": second}
    assert kind(tmp_path / "b" / "other") is None


def test_a_crawl_runs_is_quiet_or_has_ended(tmp_path: Path) -> None:
    long_ago = time.time() - 2 * QUIET
    assert read_run("x", crawl(tmp_path / "now"))["state"] == "running"
    assert read_run("x", crawl(tmp_path / "then", time=long_ago))["state"] == "quiet"
    done = read_run("x", crawl(tmp_path / "done", time=long_ago, ended="10 pages"))
    assert (done["state"], done["ended"], done["harvest"]) == ("ended", "10 pages", 0.5)
    assert done["url_model"] == {"precision": 1.0, "recall": 0.25}
    assert done["coverage"] == pytest.approx(10 / (10 + 5))


def test_a_curve_has_its_times_where_the_crawl_wrote_them(tmp_path: Path) -> None:
    points = [[10, 5, 10, 5.0, 11, 2.5], [20, 10, 10, 5.0, 22, 7.0]]
    (curve,) = read_run("x", crawl(tmp_path / "new", curve=points))["curves"]
    assert (curve["seconds"], curve["relevant"]) == ([2.5, 7.0], [5, 10])
    assert read_run("x", crawl(tmp_path / "old"))["curves"][0]["seconds"] == []


def test_long_curves_and_lists_become_short(tmp_path: Path) -> None:
    curve = [[pages, pages // 2, 7, 3.5] for pages in range(1, 5001)]
    reasons = [[f"reason {number}", 1] for number in range(500)]
    run = read_run("x", crawl(tmp_path / "long", curve=curve, reasons=reasons))
    assert run["curves"][0]["pages"][0::299] == [1, 5000]
    assert {len(run["curves"][0][key]) for key in ("pages", "harvest", "coverage", "queue")} == {POINTS}
    assert len(run["reasons"]) == 40
    assert progress.thinned([(one, one, one) for one in range(1000)])[-1] == (999, 999, 999)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"pages": 3}', json.dumps(state(curve=[[1, 2]])), "[" * 100_000])
def test_a_file_that_no_crawl_wrote_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / progress.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(BadRun, match=progress.NAME):
        read_run("x", tmp_path)
    told = outline("x", tmp_path)
    assert told["state"] == "unreadable"
    assert "\n" not in told["error"]


def test_a_crawl_from_before_is_read_from_its_catalogue(tmp_path: Path) -> None:
    (tmp_path / "crawl.sqlite").touch()
    with pytest.raises(BadRun, match="no catalogue"):
        read_run("x", tmp_path)
    rows = {
        "reason": [None, "timeout", None], "relevant": [True, False, False], "language": ["th", None, "en"],
        "server": ["a.th", "a.th", "b.com"], "bytes": [5, None, 6],
    }  # fmt: skip
    (tmp_path / "catalogue").mkdir()
    pq.write_table(pa.table(rows), tmp_path / "catalogue" / "part-00000.parquet")
    run = read_run("x", tmp_path)
    assert (run["pages"], run["relevant"], run["bytes"], run["wanted"]) == (2, 1, 11, ["th"])
    assert run["curves"][0]["harvest"] == [1.0, 0.5]
    assert run["answers"] == [["page", 2], ["timeout", 1]]


def test_a_simulation_is_thinned_and_tolerances_are_told_apart(tmp_path: Path) -> None:
    rows = 1000
    both = {
        "strategy": ["bfs"] * rows + ["scout"] * rows + ["scout"] * rows,
        "tolerance": [10] * (2 * rows) + [3] * rows,
    } | {name: [float(one) for one in range(rows)] * 3 for name in ("pages", "coverage", "harvest", "queue", "servers")}
    pq.write_table(pa.table(both), tmp_path / "curves.parquet")
    one = {"strategy": "bfs", "tolerance": 10, "coverage": 1.0, "harvest": None, "pages": 5, "max_queue": 2,
           "servers": 1, "harvest_at": {}, "finished": True, "reasons": {"seed": 1}}  # fmt: skip
    (tmp_path / "summary.json").write_text(json.dumps({"languages": ["th"], "vertices": 9, "strategies": [one]}))
    run = read_run("x", tmp_path)
    assert [curve["name"] for curve in run["curves"]] == ["bfs", "scout, T 10", "scout, T 3"]
    assert {len(curve["pages"]) for curve in run["curves"]} == {POINTS}
    assert (run["state"], run["vertices"], run["strategies"][0]["reasons"]) == ("ended", 9, [["seed", 1]])
    (tmp_path / "curves.parquet").write_bytes(b"no table")
    with pytest.raises(BadRun, match=r"curves\.parquet"):
        read_run("x", tmp_path)


def test_a_real_crawl_tells_what_its_catalogue_holds(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with serve(small_web(60, share=0.1, seed=5)) as web:
        seeds = tmp_path / "seeds"
        seeds.write_text("\n".join(web.seeds), encoding="utf-8")
        options = ["--language", "th", "--delay", "0", "--resolve", "*=127.0.0.1", "--allow-private", "--pages", "40"]
        command = [sys.executable, "-m", "dragoman", "crawl", "--seeds", str(seeds), "-o", str(folder), *options]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    run = read_run("crawl", folder)
    (folder / progress.NAME).unlink()
    kept = read_run("crawl", folder)
    assert run["state"] == "ended"
    for key in ("pages", "relevant", "bytes", "answers"):
        assert run[key] == kept[key], key
    assert sorted(run["languages"], key=str) == sorted(kept["languages"], key=str)
    assert run["curves"][0]["pages"][-1] == run["pages"] > 0
