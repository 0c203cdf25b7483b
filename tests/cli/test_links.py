from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.made_graphs import empty, single, village

from dragoman.cli.main import cli
from dragoman.web.graph_file import read_graph, write_graph


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["links", *map(str, arguments)], prog_name="dragoman")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "village.arrow"
    write_graph(village(), path)
    return path


def test_tables_and_distances_of_a_graph(graph: Path) -> None:
    result = run(graph)
    assert result.exit_code == 0
    assert "th: 3 of 7 pages, on 2 servers" in result.stdout
    assert "40.0 %" in result.stdout


def test_json_has_everything(graph: Path) -> None:
    whole = json.loads(run(graph, "--format", "json", "--language", "th", "--language", "English").stdout)
    assert [one["language"] for one in whole["locality"]] == ["th", "en"]
    assert whole["graph"]["vertices"] == 9
    assert whole["locality"][0]["distance_to_nearest"]["target_pages"] == [0, 2, 0, 1]
    assert whole["short_pages"]["labels"][0]["url"] == "http://www.siam.co.th/khao.html"


def test_short_pages_take_the_language_of_their_inlinks(graph: Path, tmp_path: Path) -> None:
    run(graph, "--labels", tmp_path / "labels.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    # Two English pages link to the short Thai page 5; 0 (Thai) and 2 (English) link to 1, whose own answer decides.
    assert [(row["page"], row["own"], row["language"], row["inlinks"]) for row in rows] == [
        (1, "th", "th", 2),
        (5, "th", "en", 2),
    ]


def test_labels_on_stdout_are_alone_there(graph: Path) -> None:
    result = run(graph, "--labels", "-")
    assert len(result.stdout.splitlines()) == 2
    assert "th: 3 of 7" in result.stderr


def test_pages_as_json_lines_become_a_graph_file(tmp_path: Path) -> None:
    lines = [{"url": "http://a.th/", "language": "th", "links": ["http://b.com/"]}, {"url": "http://b.com/"}]
    (tmp_path / "web.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = run(tmp_path / "web.jsonl", "-o", tmp_path / "web.parquet")
    assert result.exit_code == 0, result.stderr
    assert len(read_graph(tmp_path / "web.parquet")) == 2


def test_an_edge_list_is_labelled_by_its_urls(tmp_path: Path) -> None:
    (tmp_path / "hosts.tsv").write_text("www.a.de\twww.b.de\t2\nwww.b.de\twww.c.it\t1\n")
    whole = json.loads(run(tmp_path / "hosts.tsv", "--model", "cctld", "--language", "de", "--format", "json").stdout)
    assert whole["graph"]["languages"]["de"] == 2
    assert "no page of the graph has a language" in run(tmp_path / "hosts.tsv").stdout


def test_a_made_web_stands_beside_the_paper(tmp_path: Path) -> None:
    result = run("--synth", "--pages", 5000, "-o", tmp_path / "web.arrow")
    assert result.exit_code == 0, result.stderr
    assert "links from target page to target pages" in result.stdout
    made = read_graph(tmp_path / "web.arrow")
    assert made.urls is not None


@pytest.mark.parametrize("made", [empty(), single()], ids=["empty", "single"])
@pytest.mark.parametrize("form", ["table", "json"])
def test_an_empty_graph_and_a_single_page_have_answers(tmp_path: Path, made: object, form: str) -> None:
    path = tmp_path / "web.arrow"
    write_graph(made, path)  # type: ignore[arg-type]
    assert run(path, "--format", form).exit_code == 0


def test_what_goes_wrong_is_told_in_one_line(graph: Path, tmp_path: Path) -> None:
    graph.write_bytes(graph.read_bytes()[:500])
    (tmp_path / "bad.jsonl").write_text("{\n")
    cases = {
        (graph,): 1,
        (tmp_path / "nothing.arrow",): 2,
        (tmp_path / "bad.jsonl",): 1,
        (): 2,
        ("--synth", "--pages", 5): 2,
        ("--synth", "--language", "klingonese"): 2,
        ("--synth", "--pages", 5000, "-o", tmp_path / "web.csv"): 2,
    }
    for arguments, code in cases.items():
        result = run(*arguments)
        assert result.exit_code == code, arguments
        assert result.stderr.startswith("dragoman: ")
        assert result.stderr.count("\n") == 1
