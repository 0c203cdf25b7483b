"""Which format a file has: by its name, or by its first bytes where the name says nothing.

| name ends in                | format  |
|-----------------------------|---------|
| `.parquet`, `.pq`           | Parquet |
| `.csv`                      | CSV, with a header line |
| `.tsv`, `.tab`              | the same with tabs |
| `.jsonl`, `.ndjson`         | JSON lines: one object per line |
| anything else, and stdin    | see below |

Where the name tells nothing: Parquet if it begins with `PAR1`, JSON lines if with `{`, CSV or TSV if its first line is
a header with the name of the URL column, else text with one URL per line. CSV may have semicolons instead of commas.
`.gz` and `.zst` may follow all but Parquet. Whether a file is really packed is seen from its first bytes, not from its
name.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath

from dragoman.errors import BadTable, UnfitTable, UnknownName
from dragoman.tables.packing import ENDINGS


class Format(StrEnum):
    """The formats that rows are read from and written in; `table` is for people and only written."""

    TEXT = "text"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    TABLE = "table"

    @classmethod
    def _missing_(cls, value: object) -> Format | None:
        raise UnknownName("format", str(value), list(cls))


_ENDINGS = {
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
}
_FOREIGN = frozenset({".xz", ".bz2", ".zip", ".lz4", ".7z", ".xlsx", ".xlsm", ".xls"})
#: What is not written as a table by anybody; it may be read, and be the name of a host.
DOCUMENTS = frozenset({".pdf", ".doc", ".docx", ".odt", ".ods", ".rtf", ".png", ".jpg", ".html", ".htm", ".xml"})

DELIMITERS = {Format.CSV: b",", Format.TSV: b"\t"}
#: What spreadsheets write for a comma, where a comma is the decimal point.
SEMICOLON = b";"


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
        raise UnfitTable(
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


def is_bare_word(word: str) -> bool:
    """True for one word of letters, digits, hyphens and underscores: the name of a file that is not there, or a host
    that nobody can tell from one.

    >>> is_bare_word("urls"), is_bare_word("localhost"), is_bare_word("localhost:8080"), is_bare_word("a.de")
    (True, True, False, False)
    """
    return bool(re.fullmatch(r"[\w-]+", word))


def _names(line: bytes, delimiter: bytes) -> list[bytes]:
    return [name.strip(b'"') for name in line.split(delimiter)]


def delimiter_of(head: bytes, format: Format, column: str) -> bytes:
    """What stands between the columns of a table with this beginning: of CSV a comma, or a semicolon.

    >>> delimiter_of(b"id;url", Format.CSV, "url"), delimiter_of(b"id,a;url", Format.CSV, "URL")
    (b';', b',')
    """
    usual = DELIMITERS[format]
    if format is Format.TSV:
        return usual
    line = head.lstrip(b"\r\n").partition(b"\n")[0].rstrip(b"\r")
    if column.encode() in _names(line, usual) or SEMICOLON not in line:
        return usual
    return SEMICOLON if usual not in line or column.encode() in _names(line, SEMICOLON) else usual


def sniff(head: bytes, column: str | None = None) -> Format:
    """The format that the first bytes tell; a header is one if it has the column of this name.

    >>> sniff(b' {"url": 1}'), sniff(b"http://a.de/"), sniff(b'id,"url"', "url"), sniff(b"url\\tid", "url")
    (<Format.JSONL: 'jsonl'>, <Format.TEXT: 'text'>, <Format.CSV: 'csv'>, <Format.TSV: 'tsv'>)
    """
    if head.startswith(b"PAR1"):
        return Format.PARQUET
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        return Format.JSONL
    line = text.partition(b"\n")[0].rstrip(b"\r")
    # A line with a URL in it is a row, even where a comma cuts the name of the column out of it.
    if column is not None and b"://" not in line:
        for format in (Format.TSV, Format.CSV):
            names = _names(line, delimiter_of(line, format, column))
            if column.encode() in names and (format is Format.CSV or len(names) > 1):
                return format
    return Format.TEXT
