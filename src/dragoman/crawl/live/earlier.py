"""What an earlier crawl left: URLs of WARC, CDX and CDXJ files, as seeds of another one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from dragoman.crawl.live.addresses import canonical
from dragoman.errors import UsageError, need

ENDINGS = (".warc", ".warc.gz", ".cdx", ".cdx.gz", ".cdxj", ".cdxj.gz")


def is_archive(path: str) -> bool:
    """True for the name of a WARC, CDX or CDXJ file."""
    return path.lower().endswith(ENDINGS)


def archived_urls(path: Path) -> list[str]:
    """The URLs of the pages that a WARC, CDX or CDXJ file tells of, each once, in their order.

    Only answers with status 200 and HTML or plain text count, where the file says so.
    """
    rows = _warc(path) if ".warc" in path.name.lower() else _cdx(path)
    found = dict.fromkeys(url for one in rows if (url := canonical(one)) is not None)
    if not found:
        raise UsageError(f"'{path}' tells of no page: give a WARC, CDX or CDXJ file with answers in it")
    return list(found)


def _warc(path: Path) -> Iterator[str]:
    warc = need("crawl", "fastwarc.warc")
    with path.open("rb") as file:
        for record in warc.ArchiveIterator(file, record_types=warc.WarcRecordType.response):
            said = record.http_headers
            kind = (record.http_content_type or "").lower()
            if (
                said is not None
                and said.status_code == 200
                and (not kind or kind.startswith(("text/html", "text/plain")))
            ):
                yield str(record.headers["WARC-Target-URI"])


def _cdx(path: Path) -> Iterator[str]:
    """Lines of CDXJ (key, time, JSON), or of CDX with its letters in the first line (` CDX N b a m s ...`)."""
    packed = path.name.lower().endswith(".gz")
    letters = ["N", "b", "a", "m", "s", "k", "r", "M", "S", "V", "g"]
    with (
        gzip.open(path, "rt", encoding="utf-8", errors="replace")
        if packed
        else path.open(encoding="utf-8", errors="replace") as file
    ):
        for line in file:
            if line.startswith(" CDX"):
                letters = line.split()[1:]
                continue
            if "{" in line:
                try:
                    row = json.loads(line[line.index("{") :])
                except ValueError:
                    continue
                kind, status, url = str(row.get("mime", "")), str(row.get("status", "200")), row.get("url")
            else:
                fields = dict(zip(letters, line.split(), strict=False))
                kind, status, url = fields.get("m", ""), fields.get("s", "200"), fields.get("a")
            if url and status == "200" and (kind in ("", "-") or kind.startswith(("text/html", "text/plain"))):
                yield str(url)
