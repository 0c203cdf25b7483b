"""Graphs in files: Arrow IPC, memory-mapped, or Parquet with the same columns. docs/reference/graph-format.md.

One row per vertex; the column `links` is a list of vertex numbers, whose offsets and values are the graph's arrays as
they are: opening a file of 39 million vertices reads only what its check needs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadGraph, UsageError, need, shorten
from dragoman.files import new_file
from dragoman.kernels.graph import digests
from dragoman.web.graph import Graph

FORMAT = "dragoman-graph/1"
SUFFIXES = (".arrow", ".parquet")

_COLUMNS = {"server": "int32", "directory": "int32", "language": "int16", "length": "int32", "fetched": "bool"}


def write_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph, whole or not at all; `.parquet` makes a smaller file that cannot be memory-mapped."""
    pa = need("bulk", "pyarrow")
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise UsageError(f"A graph is written to a file that ends in {' or '.join(SUFFIXES)}, not '{target.name}'")
    table = _table(pa, graph)
    with new_file(target) as stream:
        if target.suffix == ".parquet":
            need("bulk", "pyarrow.parquet").write_table(table, stream, compression="zstd")
        else:
            with pa.ipc.new_file(stream, table.schema) as writer:
                writer.write_table(table)


def _table(pa: Any, graph: Graph) -> Any:
    links = pa.LargeListArray.from_arrays(pa.array(graph.indptr), pa.array(graph.targets))
    columns = {name: pa.array(getattr(graph, name)) for name in _COLUMNS} | {"links": links}
    if graph.urls is not None:
        columns = {"url": _url_column(pa, graph.urls)} | columns
    about = {"format": FORMAT, "languages": list(graph.languages), "seeds": graph.seeds.tolist()}
    return pa.table(columns).replace_schema_metadata({"dragoman": json.dumps(about)})


def _url_column(pa: Any, urls: ByteColumn) -> Any:
    marks = urls.offsets - urls.offsets[0]
    data = np.ascontiguousarray(urls.data[urls.offsets[0] : urls.offsets[-1]])
    column = pa.Array.from_buffers(
        pa.large_binary(), len(urls), [None, pa.py_buffer(np.ascontiguousarray(marks)), pa.py_buffer(data)]
    )
    try:
        return column.cast(pa.large_string())
    except pa.ArrowInvalid:  # bytes that are no UTF-8 stay bytes
        return column


def read_graph(path: str | os.PathLike[str], *, check_urls: bool = True) -> Graph:
    """The graph in a file, checked; BadGraph says in one line what is wrong with it.

    Arrow files are memory-mapped: pages of the file that nobody looks at are never read. The check of the numbers reads
    every column once; that of the URLs for duplicates (which `check_urls` can leave out) needs 16 bytes per vertex.
    """
    pa = need("bulk", "pyarrow")
    target = Path(path)
    table = _opened(pa, target)
    try:
        about = json.loads((table.schema.metadata or {})[b"dragoman"])
        if about["format"] != FORMAT:
            raise BadGraph(
                f"'{target.name}' has the format {shorten(str(about['format']))}; this version reads {FORMAT}"
            )
        languages, seeds = tuple(map(str, about["languages"])), [int(seed) for seed in about["seeds"]]
    except (KeyError, TypeError, ValueError) as error:
        raise BadGraph(f"'{target.name}' is no graph file: its schema does not name the format {FORMAT}") from error
    if any(not 0 <= seed < len(table) for seed in seeds):
        raise BadGraph(f"'{target.name}': a seed is no vertex; the graph has {len(table):,}")
    indptr, targets = _links(pa, table, target.name)
    columns = {name: _column(pa, table, name, kind, target.name) for name, kind in _COLUMNS.items()}
    urls = ByteColumn.of(table["url"]) if "url" in table.column_names else None
    try:
        graph = Graph(
            indptr, targets, columns["server"], columns["directory"], columns["language"], columns["length"],
            columns["fetched"], languages, np.array(seeds, np.uint32), urls,
        )  # fmt: skip
    except BadGraph as error:
        raise BadGraph(f"'{target.name}': {error}") from error
    if check_urls and urls is not None:
        check_duplicates(urls, target.name)
    return graph


def _opened(pa: Any, path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(2, "A folder, not a file" if path.is_dir() else "No such file", str(path))
    try:
        if path.suffix == ".parquet":
            table = need("bulk", "pyarrow.parquet").read_table(path)
        else:
            with pa.memory_map(str(path)) as source:
                table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)  # Arrow itself trusts what a file says about its own layout
        return table
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise BadGraph(f"'{path.name}' is truncated or no graph file: {shorten(str(error), 120)}") from error


def _links(pa: Any, table: Any, name: str) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    if "links" not in table.column_names or table.schema.field("links").type not in (
        pa.large_list(pa.uint32()),
        pa.list_(pa.uint32()),
    ):
        raise BadGraph(f"'{name}' has no column 'links' of lists of 32-bit vertex numbers")
    column = table["links"].cast(pa.large_list(pa.uint32()))
    if column.null_count:
        raise BadGraph(f"'{name}' has {column.null_count:,} missing values in 'links'; use empty lists")
    if not len(column):
        return np.zeros(1, np.int64), np.empty(0, np.uint32)
    lists = _whole(pa, column)
    indptr = _numbers(lists.offsets)
    values = lists.values
    if values.null_count:
        raise BadGraph(f"'{name}' has missing vertex numbers in 'links'")
    # Only whole arrays are handed on: offsets of a part begin elsewhere than with 0.
    first, last = int(indptr[0]), int(indptr[-1])
    if first < 0 or last > len(values) or last < first:
        raise BadGraph(f"'{name}' is damaged: its lists of links lead outside the file")
    return (indptr - first if first else indptr), _numbers(values)[first:last]


def _column(pa: Any, table: Any, name: str, kind: str, file: str) -> NDArray[Any]:
    if name not in table.column_names or str(table.schema.field(name).type) != kind:
        kind_there = str(table.schema.field(name).type) if name in table.column_names else "nothing"
        raise BadGraph(f"'{file}' needs a column '{name}' of {kind}, and has {kind_there}")
    column = table[name]
    if column.null_count:
        raise BadGraph(f"'{file}' has {column.null_count:,} missing values in '{name}'")
    values = _whole(pa, column)
    return np.asarray(values.to_numpy(zero_copy_only=False)) if kind == "bool" else _numbers(values)


def _whole(pa: Any, column: Any) -> Any:
    """A column in one piece, which is not copied if it is one already: a memory-mapped file is not read."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _numbers(column: Any) -> NDArray[Any]:
    """An Arrow array of numbers as a view, without a copy."""
    return np.asarray(column.to_numpy(zero_copy_only=True))


def check_duplicates(urls: ByteColumn, name: str) -> None:
    """BadGraph if a URL is there twice."""
    digest = digests(np.ascontiguousarray(urls.data), np.ascontiguousarray(urls.offsets))
    order = np.argsort(digest, kind="stable")
    ranked = digest[order]
    for rank in np.flatnonzero(ranked[1:] == ranked[:-1]):
        row, other = int(order[rank]), int(order[rank + 1])
        if urls[row] == urls[other]:
            text = shorten(urls[row].decode("utf-8", "replace"))
            raise BadGraph(f"'{name}' has a URL twice, in rows {row:,} and {other:,}: {text}")
