"""Labelled URLs as files: tables of every format, and a small folder in the shape that the studies read."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dragoman.languages import FIVE
from tests.made_urls import Labelled, labelled_urls


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
    """The columns as Parquet, CSV, TSV or JSON lines, by the ending of the path."""
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    if path.suffix == ".parquet":
        pq.write_table(pa.table(dict(columns)), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writerow(columns)
            writer.writerows(row.values() for row in rows)
    return path


def write_labelled(path: Path, labelled: Labelled, **extra: Sequence[Any]) -> Path:
    """Labelled URLs with their sites, and further columns."""
    return write_table(path, {"url": labelled.urls, "lang": labelled.labels, "site": labelled.sites, **extra})


def write_corpus(folder: Path, per_language: int = 40, tests: Sequence[str] = ("crawl",)) -> Path:
    """train.parquet and dev_<name>.parquet of the five languages; the test sets have some Russian as well."""
    folder.mkdir(parents=True, exist_ok=True)
    train = labelled_urls(FIVE, per_language, seed=1)
    _write(folder / "train.parquet", train)
    for number, name in enumerate(tests):
        # Half of a test set is on sites of the training set, as in real ones.
        old, new = (
            labelled_urls(FIVE, per_language // 2, seed=1),
            labelled_urls((*FIVE, "ru"), per_language // 2, 2 + number),
        )
        both = Labelled(old.urls + new.urls, old.labels + new.labels, old.sites + new.sites)
        unseen = [site not in set(train.sites) for site in both.sites]
        halves = ["tune" if row % 2 else "judge" for row in range(len(both.urls))]
        _write(folder / f"dev_{name}.parquet", both, site_unseen=unseen, half=halves)
    return folder


def _write(path: Path, labelled: Labelled, **extra: Sequence[Any]) -> None:
    n = len(labelled.urls)
    write_labelled(path, labelled, label_kind=["page"] * n, source=["made"] * n, **extra)
