"""Labelled URLs from Common Crawl's columnar index: Parquet files, here or far away, sampled as they stream by.

The index has a row per page with `url`, `url_host_registered_domain`, `fetch_status` and `content_languages`, the
languages that were found in its text as ISO 639-3 codes, the main one first (`deu,eng`). It has billions of rows and
some sites have millions of them, so a sample is taken:

    of each site and language the `per_site` rows with the smallest numbers, then of each language the `per_language`
    rows with the smallest numbers, where every row has been given a number at random.

That is the same as drawing without replacement, and can be done while rows stream by: a row that is dropped is dropped
for good, because what pushed it out has smaller numbers and can only be replaced by something with smaller ones. The
same seed and files give the same rows. Memory grows with what is kept, not with what is read.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import BadTable, UnfitTable, need, shorten
from dragoman.files import file_system, is_remote
from dragoman.tables.parquet.folders import Folder, below, foreign, is_part
from dragoman.tables.parquet.reading import check_text
from dragoman.tables.source import reading

URL, LANGUAGES, STATUS = "url", "content_languages", "fetch_status"
SITES = ("url_host_registered_domain", "url_host_name")
#: Rows that are read at a time, and rows that may wait until the sample is thinned out.
ROWS, WAITING = 1 << 16, 1 << 20


@dataclass(frozen=True)
class Sample:
    """How many rows are kept at most of each language, and of each site in each language."""

    per_language: int = 100_000
    per_site: int = 30
    seed: int = 0


def is_many(name: str) -> bool:
    """True for what names several files, or one that only fsspec can open: a folder, a pattern, a remote path."""
    return is_remote(name) or Path(name).is_dir() or (not Path(name).exists() and any(mark in name for mark in "*?["))


def is_index(names: list[str]) -> bool:
    """True if a table with these columns is the index."""
    return URL in names and LANGUAGES in names


def read_index(names: str | Sequence[str], sample: Sample | None = None) -> Any:
    """A table with the columns `url`, `lang` and `site`: a sample of the index.

    A name is a file, a folder, a pattern (`index/*.parquet`) or a remote path; several are one index. Rows whose page
    was not fetched, or has no language, are left out.
    """
    pa = need("bulk", "pyarrow")
    chosen = sample or Sample()
    patterns = [names] if isinstance(names, str) else list(names)
    drawn: list[Any] = []  # what was drawn of the rows before, and rows that wait to be drawn from
    for number, (file, opener) in enumerate(file for name in patterns for file in _files(name)):
        rng = np.random.default_rng([chosen.seed, number])
        with reading(file), foreign(file), opener() as stream:
            for rows in _rows(file, stream, rng):
                drawn.append(rows)
                if sum(map(len, drawn[1:])) > WAITING:
                    drawn = [_thinned(pa.concat_tables(drawn), chosen)]
        drawn = [_thinned(pa.concat_tables(drawn), chosen)] if drawn else []
    if not drawn or not len(drawn[0]):
        raise BadTable(f"'{', '.join(patterns)}' has no rows with a language in '{LANGUAGES}'")
    order = np.argsort(drawn[0]["number"].to_numpy(), kind="stable")
    return drawn[0].take(pa.array(order)).drop_columns(["number"])


def _rows(file: str, stream: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Tables of url, lang, site and number: the rows that can be used, each with its random number."""
    pa, pc, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.compute"), need("bulk", "pyarrow.parquet")
    try:
        parquet = pq.ParquetFile(stream)
    except pa.ArrowInvalid as error:
        raise BadTable(f"'{file}' is no Parquet file: {shorten(str(error))}") from error
    names = parquet.schema_arrow.names
    if not is_index(names):
        raise UnfitTable(
            f"'{file}' has no columns '{URL}' and '{LANGUAGES}'; its columns: {shorten(', '.join(names), 200)}"
        )
    for name in (URL, LANGUAGES):
        check_text(file, name, parquet.schema_arrow.field(name).type)
    site = next((name for name in SITES if name in names), None)
    wanted = [URL, LANGUAGES, *([site] if site else []), *([STATUS] if STATUS in names else [])]
    for batch in parquet.iter_batches(ROWS, columns=wanted):
        numbers = rng.random(batch.num_rows)  # for every row, so that what is left out moves no other row
        url, languages = (batch.column(batch.schema.get_field_index(name)) for name in (URL, LANGUAGES))
        good = pc.and_(pc.is_valid(url), pc.fill_null(pc.not_equal(languages, ""), False))
        if STATUS in names:
            good = pc.and_(good, pc.fill_null(pc.equal(batch.column(batch.schema.get_field_index(STATUS)), 200), False))
        main = pc.replace_substring_regex(languages, ",.*", "")
        host = batch.column(batch.schema.get_field_index(site)) if site else pc.extract_regex(
            url, r"^[a-z]+://(?P<host>[^/?#]*)").field(0)  # fmt: skip
        columns = {"url": url, "lang": main, "site": host, "number": pa.array(numbers)}
        table = pa.table({key: value.cast(pa.large_string()) if key != "number" else value
                          for key, value in columns.items()})  # fmt: skip
        yield table.filter(good)


def _thinned(table: Any, sample: Sample) -> Any:
    """The rows that stay: by site and language, then by language."""
    pa = need("bulk", "pyarrow")
    table = table.combine_chunks()
    number = table["number"].to_numpy()
    language, site = (_codes(table[name]) for name in ("lang", "site"))
    pair = site * (language.max(initial=0) + 1) + language
    first = _ranks(pair, number) < sample.per_site
    first[first] = _ranks(language[first], number[first]) < sample.per_language
    return table.filter(pa.array(first))


def _codes(column: Any) -> NDArray[np.int64]:
    coded = column.combine_chunks().dictionary_encode()
    coded = coded.chunk(0) if hasattr(coded, "chunk") else coded
    return np.asarray(coded.indices.fill_null(len(coded.dictionary)).to_numpy(), np.int64)


def _ranks(group: NDArray[np.int64], number: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many rows of the same group have smaller numbers."""
    order = np.lexsort((number, group))
    ordered = group[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else np.zeros(0, np.int64)
    lengths = np.diff(np.r_[starts, len(ordered)])
    ranks = np.empty(len(group), np.int64)
    ranks[order] = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return ranks


def _files(name: str) -> list[tuple[str, Any]]:
    """(path, a function that opens it) of the Parquet files that a path names, in order of their names.

    In a folder, names that begin with `_` or `.` are passed over, as Spark does (dragoman.tables.parquet.folders).
    """
    if is_remote(name):
        with reading(name), foreign(name):
            system, path = file_system(name)
            remote_paths = system.glob(path) if any(mark in path for mark in "*?[") else [path]
            if len(remote_paths) == 1 and system.isdir(remote_paths[0]):
                root = remote_paths[0].rstrip("/")
                remote_paths = [f"{root}/{part}" for part in below(system, root) if is_part(part)]
        files = [(system.unstrip_protocol(file), partial(system.open, file, "rb")) for file in sorted(remote_paths)]
    else:
        if (folder := Path(name)).is_dir():
            paths = [str(folder / part) for part in Folder(name).parts()]
        else:
            paths = glob.glob(name, recursive=True) if not folder.exists() else [name]  # noqa: PTH207
        files = [(path, partial(open, path, "rb")) for path in sorted(paths)]
    if not files:
        raise UnfitTable(f"No Parquet files: '{name}'")
    return files
