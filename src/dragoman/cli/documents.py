"""What `dragoman page` was given becomes documents: files, stdin, and the answers that web archives hold."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from dragoman.errors import BadTable, need
from dragoman.tables.packing import unpacked
from dragoman.tables.source import told

_ARCHIVES = (".warc", ".warc.gz", ".warc.zst")


@dataclass(frozen=True)
class Document:
    """Bytes, where they came from, and what the server said about them."""

    source: str
    data: bytes
    content_type: str | None = None
    content_language: str | None = None
    url: str | None = None


def is_archive(name: str) -> bool:
    """True for the name of a WARC file.

    >>> is_archive("crawl.warc.gz"), is_archive("page.html.gz")
    (True, False)
    """
    return PurePath(name).name.lower().endswith(_ARCHIVES)


def documents(name: str, content_type: str | None = None) -> Iterator[Document]:
    """The document in a file (`-` is stdin), unpacked if it is packed; one for each answer in a web archive."""
    if is_archive(name):
        yield from _answers(name)
        return
    with told(name):
        if name == "-":
            raw: Any = getattr(sys.stdin, "buffer", sys.stdin)
            stream, _ = unpacked(raw if hasattr(raw, "peek") else io.BufferedReader(raw))
            yield Document("-", stream.read(), content_type)
            return
        with Path(name).open("rb") as raw:
            stream, _ = unpacked(raw)
            data = stream.read()
    # A name may hold bytes that are no text; what is written must be.
    yield Document(os.fsencode(name).decode("utf-8", "replace"), data, content_type)


def _answers(name: str) -> Iterator[Document]:
    """The HTTP answers in a WARC file, in their order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package warns of its own older parts
        warc = need("page", "fastwarc.warc")
    with told(name), Path(name).open("rb") as raw:
        head = raw.read(5)
        raw.seek(0)
        if not head.startswith((b"WARC/", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
            raise BadTable(f"'{name}' is no web archive: it begins with {head!r}")
        for record in warc.ArchiveIterator(raw, record_types=warc.WarcRecordType.response, parse_http=True):
            headers = record.http_headers or {}
            address = record.headers.get("WARC-Target-URI")
            yield Document(
                address or str(record.record_id),
                record.reader.read(),
                headers.get("Content-Type"),
                headers.get("Content-Language"),
                address,
            )
