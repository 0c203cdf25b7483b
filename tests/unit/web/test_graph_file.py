from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.made_graphs import empty, random_graph, single, village

from dragoman.columns import ByteColumn
from dragoman.errors import BadGraph, UsageError
from dragoman.web.graph import Graph
from dragoman.web.graph_file import read_graph, write_graph

ARRAYS = ("indptr", "targets", "server", "directory", "language", "length", "fetched", "seeds")


def same(one: Graph, other: Graph) -> bool:
    urls = [None if graph.urls is None else list(graph.urls) for graph in (one, other)]
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)
        and one.languages == other.languages
        and urls[0] == urls[1]
    )


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
@pytest.mark.parametrize("graph", [village(), empty(), single(), random_graph(500, 2000, 1)], ids=range(4))
def test_a_graph_comes_back_as_it_was(tmp_path: Path, graph: Graph, suffix: str) -> None:
    path = tmp_path / f"web{suffix}"
    write_graph(graph, path)
    assert same(read_graph(path), graph)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_urls_that_are_no_utf_8_keep_their_bytes(tmp_path: Path) -> None:
    graph = replace(single(), urls=ByteColumn.of([b"http://a.fr/caf\xe9"]))
    write_graph(graph, tmp_path / "web.arrow")
    assert same(read_graph(tmp_path / "web.arrow"), graph)


def refused(path: Path) -> str:
    with pytest.raises(BadGraph) as caught:
        read_graph(path)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300
    return text


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"web{suffix}"
    write_graph(village(), path)
    whole = path.read_bytes()
    for size in (0, 4, 8, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        assert "truncated" in refused(path)


def changed(path: Path, **columns: Any) -> None:
    """The village's file with other columns."""
    write_graph(village(), path)
    with pa.memory_map(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
    for name, column in columns.items():
        if column is None:
            table = table.drop_columns([name])
        else:
            table = table.set_column(table.column_names.index(name), name, column)
    path.unlink()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def test_numbers_that_lead_outside_duplicates_and_unknown_languages_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "web.arrow"
    changed(path, links=pa.array([[9]] + [[]] * 8, pa.large_list(pa.uint32())))
    assert "vertex 9" in refused(path)
    changed(path, language=pa.array([7] * 9, pa.int16()))
    assert "language number 7" in refused(path)
    changed(path, url=pa.array(["http://a.de/"] * 9))
    assert "twice" in refused(path)
    changed(path, server=None)
    assert "'server'" in refused(path)
    changed(path, server=pa.array([0.5] * 9))
    assert "double" in refused(path)
    changed(path, length=pa.array([None] * 9, pa.int32()))
    assert "missing" in refused(path)
    changed(path, links=pa.array([[None]] + [[]] * 8, pa.large_list(pa.uint32())))
    assert "missing" in refused(path)


def test_a_file_in_several_parts_is_one_graph(tmp_path: Path) -> None:
    path = tmp_path / "web.arrow"
    write_graph(village(), path)
    with pa.memory_map(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
        path2 = tmp_path / "parts.arrow"
        with pa.OSFile(str(path2), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    assert same(read_graph(path2), village())


def test_other_files_and_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "web.arrow"
    table = pa.table({"a": [1]})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert "no graph file" in refused(path)
    with pytest.raises(UsageError, match="arrow"):
        write_graph(village(), tmp_path / "web.csv")
    with pytest.raises(FileNotFoundError):
        read_graph(tmp_path / "nothing.arrow")


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_a_damaged_file_is_a_graph_or_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"web{suffix}"
    write_graph(village(), path)
    whole = path.read_bytes()
    chance = np.random.default_rng(3)
    for _ in range(150):
        damaged = bytearray(whole)
        for place in chance.integers(0, len(whole), 3):
            damaged[place] = chance.integers(0, 256)
        path.unlink()
        path.write_bytes(damaged)
        # Whatever the bytes say, nothing but BadGraph comes out.
        with contextlib.suppress(BadGraph):
            read_graph(path)
