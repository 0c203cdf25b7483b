from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.made_graphs import made_graph

from dragoman.cli.main import cli
from dragoman.web.graph import Graph
from dragoman.web.graph_file import write_graph

KEYS = {"strategy", "tolerance", "coverage", "harvest", "pages", "max_queue", "servers", "harvest_at"}


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["simulate", *map(str, args)])


def stored(graph: Graph, folder: Path) -> Path:
    path = folder / "graph.arrow"
    write_graph(graph, path)
    return path


def summary(folder: Path) -> dict[str, dict[str, object]]:
    found = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return {one["strategy"]: one for one in found["strategies"]}


def test_a_stored_graph_gives_curves_a_summary_and_plots(tmp_path: Path) -> None:
    graph, _, _ = made_graph(1, pages=600)
    out = tmp_path / "out"
    strategies = ["bfs", "hard-focused", "conservative-server", "perfect", "scout"]
    args = [part for name in strategies for part in ("--strategy", name)]
    done = run("--graph", stored(graph, tmp_path), "--language", "th", "--tolerance", "3", *args, "--events", "-o", out)
    assert done.exit_code == 0, done.output
    found = summary(out)
    assert list(found) == strategies
    for one in found.values():
        assert set(one) >= KEYS
        assert one["tolerance"] == 3
        assert list(one["harvest_at"]) == ["0.5", "0.8", "0.9", "0.95", "0.98"]  # type: ignore[call-overload]
    curves = pq.read_table(out / "curves.parquet")
    assert {"strategy", "tolerance", "pages", "coverage", "harvest", "queue", "servers"} <= set(curves.column_names)
    assert pq.read_table(out / "misses.parquet").num_rows
    assert len(list(out.glob("figure-*.svg"))) == 5
    events = pq.read_table(out / "events.parquet").to_pylist()
    assert len(events) == sum(one["pages"] for one in found.values())  # type: ignore[misc]
    assert [one["step"] for one in events if one["strategy"] == "scout"] == list(range(found["scout"]["pages"]))  # type: ignore[call-overload]


def test_the_same_seed_gives_the_same_files_and_the_noise_needs_no_urls(tmp_path: Path) -> None:
    for name in ("one", "two"):
        args = ("--synth", "--pages", "3000", "--seed", "4", "--strategy", "scout", "--no-plots", "-o", tmp_path / name)
        assert run(*args).exit_code == 0
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two


def test_our_url_model_runs_on_the_urls_of_a_made_web(tmp_path: Path) -> None:
    args = ("--synth", "--pages", "3000", "--strategy", "scout", "--url-score", "model", "--no-plots", "-o", tmp_path)
    done = run(*args)
    assert done.exit_code == 0, done.output
    assert summary(tmp_path)["scout"]["coverage"] > 0.9  # type: ignore[operator]


@pytest.mark.parametrize(
    "graph",
    [
        Graph.of([]),
        Graph.of([[]], language=[0], languages=("th",), seeds=[0]),
        Graph.of([[1], []], language=[0, 0], languages=("en",), seeds=[0]),
        Graph.of([[1], []], languages=("th",)),
    ],
    ids=["empty", "one page", "no target page", "no seeds"],
)
def test_degenerate_graphs_have_defined_answers(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("--graph", stored(graph, tmp_path), "--language", "th", "--no-plots", "-o", out)
    assert done.exit_code == 0, done.output
    for one in summary(out).values():
        assert one["coverage"] in (None, 0.0, 1.0)


def refused(*args: str | Path) -> str:
    done = run(*args)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_bad_arguments_are_refused_in_one_line(tmp_path: Path) -> None:
    assert "either a graph" in refused("-o", tmp_path)
    assert "Unknown strategy 'hard'" in refused("--synth", "--strategy", "hard", "-o", tmp_path)
    assert "tolerance is -1" in refused("--synth", "--tolerance", "-1", "-o", tmp_path)
    assert "--quota is 'th'" in refused("--synth", "--quota", "th", "-o", tmp_path)
    assert "d-prime is 0" in refused("--synth", "--pages", "3000", "--d-prime", "0", "-o", tmp_path)
    graph, _, _ = made_graph(1)
    path = stored(graph, tmp_path)
    assert "has no URLs" in refused("--graph", path, "--language", "th", "--url-score", "model", "-o", tmp_path)


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "out"
    args = ["--synth", "--pages", "200000", "--strategy", "hard-focused"]
    args += ["--strategy", "scout", "--complete", "--url-score", "none", "--no-plots", "-o", str(out)]
    command = [sys.executable, "-m", "dragoman", "simulate", *args]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (out / "summary.json").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert said.endswith("dragoman: interrupted\n")
    found = summary(out)
    assert found["hard-focused"]["finished"] is True
    assert found.get("scout", {"finished": False})["finished"] is False
    assert pq.read_table(out / "curves.parquet").num_rows


def test_a_simulation_without_plots_says_so_and_ends_well(tmp_path: Path) -> None:
    code = "import sys; sys.modules['matplotlib'] = None\nfrom dragoman.cli.main import main\nmain()"
    command = [sys.executable, "-c", code, "simulate", "--synth", "--pages", "2000", "--strategy", "bfs", "-o"]
    ended = subprocess.run([*command, str(tmp_path)], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    assert "note: no plots, for want of matplotlib: pip install 'dragoman[plot]'" in ended.stderr
    assert (tmp_path / "summary.json").exists()
    asked = subprocess.run([*command, str(tmp_path), "--plots"], capture_output=True, encoding="utf-8", check=False)
    assert asked.returncode == 1
    assert asked.stderr.startswith("dragoman: This needs 'matplotlib', which is not installed")
