"""Which format a file has: by its name, or by its first bytes where the name says nothing.

| name ends in                | format  |
|-----------------------------|---------|
| `.parquet`, `.pq`           | Parquet |
| `.csv`                      | CSV, with a header line |
| `.tsv`, `.tab`              | the same with tabs |
| `.jsonl`, `.ndjson`         | JSON lines: one object per line |
| anything else, and stdin    | Parquet if it begins with `PAR1`, JSON lines if with `{`, else text: one URL per line |

`.gz` and `.zst` may follow all but Parquet. Whether a file is really packed is seen from its first bytes, not from its
name.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from dragoman.errors import BadTable
from dragoman.tables.packing import ENDINGS


class Format(StrEnum):
    """The formats that rows are read from and written in; `table` is for people and only written."""

    TEXT = "text"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    TABLE = "table"


_ENDINGS = {
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
}
_FOREIGN = frozenset({".xz", ".bz2", ".zip", ".lz4", ".7z", ".xlsx", ".xls"})

DELIMITERS = {Format.CSV: b",", Format.TSV: b"\t"}


def format_of(name: str) -> Format | None:
    """The format that a file's name tells, or None where it tells nothing.

    >>> format_of("urls.csv.gz"), format_of("urls.txt")
    (<Format.CSV: 'csv'>, None)
    """
    endings = [ending.lower() for ending in PurePath(name).suffixes]
    if endings and endings[-1] in ENDINGS:
        endings.pop()
        if endings and _ENDINGS.get(endings[-1]) is Format.PARQUET:
            raise BadTable(f"'{name}' is Parquet packed again: unpack it first, Parquet is compressed inside")
    if endings and endings[-1] in _FOREIGN:
        raise BadTable(
            f"Cannot read '{name}': unpack or convert it to Parquet, CSV, JSON lines or text (.gz and .zst are fine)"
        )
    return _ENDINGS.get(endings[-1]) if endings else None


def looks_like_a_table(name: str) -> bool:
    """True for a word that ends like a file that we read, so that a mistyped name is not taken for a URL.

    >>> looks_like_a_table("ulrs.parquet"), looks_like_a_table("http://a.de/urls.csv"), looks_like_a_table("a.de")
    (True, False, False)
    """
    endings = PurePath(name).suffixes
    return "://" not in name and bool(endings) and endings[-1].lower() in {*_ENDINGS, *_FOREIGN, *ENDINGS, ".txt"}


def sniff(head: bytes) -> Format:
    """The format that the first bytes tell.

    >>> sniff(b' {"url": 1}'), sniff(b"http://a.de/")
    (<Format.JSONL: 'jsonl'>, <Format.TEXT: 'text'>)
    """
    if head.startswith(b"PAR1"):
        return Format.PARQUET
    return Format.JSONL if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else Format.TEXT
