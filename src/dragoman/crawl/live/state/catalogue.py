"""The catalogue of answers and the decisions about links, as Parquet parts that are written whole or not at all."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.crawl.live.state.store import Store
from dragoman.errors import UsageError, need
from dragoman.files import new_file
from dragoman.types import Decision

#: Answers in a part of the catalogue; pages in a part of the decisions, and decisions after which one is full anyway.
ROWS, PAGES, DECISIONS = 10_000, 1_000, 200_000

_QUERY = """SELECT asked.url, ended.url, pages.time, pages.status, pages.language, pages.probability,
    pages.declared, pages.charset, pages.bytes, pages.digest, servers.name AS server, asked.depth,
    parent.url AS parent, asked.guess, pages.relevant, pages.reason, pages.warc, pages.place, pages.length,
    pages.languages, pages.script, pages.seq
    FROM pages JOIN urls AS asked ON asked.id = pages.url JOIN urls AS ended ON ended.id = pages.final
    JOIN servers ON servers.id = ended.server LEFT JOIN urls AS parent ON parent.id = asked.parent
    WHERE pages.seq > ? ORDER BY pages.seq LIMIT ?"""


def export_catalogue(store: Store, folder: Path, *, all_rows: bool) -> int:
    """How many parts there are once every full one is written; with `all_rows` the last is there too, full or not.

    A part holds the same rows whenever it is written, except the last, which grows: a kill between writing and
    remembering changes nothing. Where there are no rows at all the last part is empty: there is a table to read.
    """
    written = store.get("catalogue", {"parts": 0, "seq": -1})
    while True:
        rows = store.rows(_QUERY, (written["seq"], ROWS))
        if len(rows) < ROWS and not (all_rows and (rows or not written["parts"])):
            return int(written["parts"])
        _write(folder / store.part(written["parts"]), _answers(rows))
        if len(rows) < ROWS:
            return int(written["parts"]) + 1
        written = {"parts": written["parts"] + 1, "seq": rows[-1][-1]}
        store.set("catalogue", written)


def _answers(rows: Sequence[tuple[Any, ...]]) -> Any:
    pa = need("crawl", "pyarrow")
    text, number = pa.string(), pa.int64()
    kinds = {
        "url": text, "final_url": text, "time": pa.timestamp("ms", tz="UTC"), "status": pa.int16(), "language": text,
        "probability": pa.float32(), "declared": text, "charset": text, "bytes": number, "digest": text,
        "server": text, "depth": pa.int32(), "parent": text, "url_guess": text, "relevant": pa.bool_(),
        "reason": text, "warc": text, "warc_offset": number, "warc_length": number, "languages": text,
        "script": text,
    }  # fmt: skip
    columns: list[tuple[Any, ...]] = list(zip(*rows, strict=True)) or [()] * len(kinds)
    columns[2] = tuple(int(1000 * when) for when in columns[2])
    columns[3] = tuple(status if status is not None and 0 <= status < 1000 else None for status in columns[3])
    columns[14] = tuple(bool(flag) for flag in columns[14])
    return pa.table({name: pa.array(columns[number], kind) for number, (name, kind) in enumerate(kinds.items())})


def _write(path: Path, table: Any) -> None:
    parquet = need("crawl", "pyarrow.parquet")
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as stream:
        parquet.write_table(table, stream, compression="zstd")


def labelled_pages(folder: Path, surely: float = 0.8) -> Path:
    """A table of the pages of a crawl whose language is known well enough (url, lang), written into its folder."""
    parts = sorted((folder / "catalogue").glob("part-*.parquet"))
    if not parts:
        raise UsageError(f"'{folder}' has no catalogue: give the folder of a crawl that has ended or was stopped")
    parquet, compute = need("crawl", "pyarrow.parquet"), need("crawl", "pyarrow.compute")
    table = parquet.read_table(parts, columns=["url", "language", "probability", "reason"])
    sure = compute.and_(compute.is_null(table["reason"]), compute.greater_equal(table["probability"], surely))
    sure_pages = table.filter(sure).select(["url", "language"]).rename_columns(["url", "lang"])
    _write(folder / "labelled.parquet", sure_pages)
    return folder / "labelled.parquet"


class DecisionRows:
    """Every decision about a link with its reason, in parts of 1,000 pages, or fewer where these have very many links.

    What was not written when the crawl was killed comes again when its log is replayed, in the same parts.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._written = int(store.get("decision_parts", 0))
        self._part = self._pages = self._count = 0
        self._reasons: dict[str, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._of, self._keys = array("q"), array("q")
        self._priorities, self._why = array("d"), array("H")

    def add(self, page: int | None, decisions: Sequence[Decision]) -> None:
        """The decisions about a page's links; None as the page of the seeds."""
        self._pages += page is not None
        self._count += len(decisions)
        full = self._pages >= PAGES or self._count >= DECISIONS
        if self._part >= self._written:
            self._keep(-1 if page is None else page, decisions)
            if full:
                self._write(self._part)
                self._written = self._part + 1
                self._clear()
                self._store.set("decision_parts", self._written)
        if full:
            self._part += 1
            self._pages = self._count = 0

    def _keep(self, page: int, decisions: Sequence[Decision]) -> None:
        reasons = self._reasons
        self._of.extend([page] * len(decisions))
        self._keys.extend([decision.key for decision in decisions])  # type: ignore[misc]
        self._priorities.extend(
            [math.nan if decision.priority is None else decision.priority for decision in decisions]
        )
        self._why.extend([reasons.setdefault(decision.reason, len(reasons)) for decision in decisions])

    def close(self) -> None:
        """Write what there is of the last part; an empty one where there are no decisions at all."""
        if self._keys or not (self._part or self._written):
            self._write(self._part)

    def _write(self, number: int) -> None:
        pa = need("crawl", "pyarrow")
        keys = sorted({*self._of, *self._keys} - {-1})
        names = pa.array([self._store.url(key) for key in keys], pa.string())
        row = {key: row for row, key in enumerate(keys)} | {-1: None}
        pages, links = ([row[key] for key in column] for column in (self._of, self._keys))
        reasons = pa.DictionaryArray.from_arrays(
            pa.array(self._why, pa.int32()), pa.array(list(self._reasons), pa.string())
        )
        table = pa.table(
            {
                "page": names.take(pa.array(pages, pa.int64())),
                "url": names.take(pa.array(links, pa.int64())),
                "priority": pa.array(np.asarray(self._priorities), from_pandas=True),  # NaN is null
                "reason": reasons,
            }
        )
        _write(self._folder / self._store.part(number), table)
