"""Live crawls as the tests run them: the command as a process of its own, and what it left in its folder."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator

from tests.live_web import SmallWeb

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # fastwarc warns about names of its own
    from fastwarc.warc import ArchiveIterator as FastIterator

LOOPBACK = ("--delay", "0", "--resolve", "*=127.0.0.1")


def command(folder: Path, web: SmallWeb, *more: str, seeds: bool = True) -> list[str]:
    """`dragoman crawl` of a small web, from its seeds unless `more` says what to begin with."""
    begin: tuple[str, ...] = ()
    if seeds:
        file = folder.with_suffix(".seeds")
        file.write_text("\n".join(web.seeds), encoding="utf-8")
        begin = ("--seeds", str(file))
    return [sys.executable, "-m", "dragoman", "crawl", *begin, "-o", str(folder), *LOOPBACK, *more]


def crawl(
    folder: Path, web: SmallWeb, *more: str, seeds: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """A crawl to its end."""
    line = command(folder, web, *more, seeds=seeds)
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=300, **options)


def catalogue(folder: Path) -> dict[str, list[Any]]:
    """The columns of the catalogue."""
    found: dict[str, list[Any]] = pq.read_table(folder / "catalogue").to_pydict()
    return found


def pages(folder: Path) -> list[str]:
    """The URLs that gave pages."""
    rows = catalogue(folder)
    return [url for url, reason in zip(rows["url"], rows["reason"], strict=True) if reason is None]


def records(folder: Path, *, robots: bool = False) -> Counter[tuple[str, str]]:
    """(type, URL) of every record, read by both libraries, with all digests checked; robots.txt only if asked for."""
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
                url = record.rec_headers.get_header("WARC-Target-URI") or ""
                found[record.rec_type, url] += robots or not url.endswith("/robots.txt")
        with path.open("rb") as file:
            assert all(record.verify_block_digest() for record in FastIterator(file, parse_http=False))
    return +found  # without what counts nothing
