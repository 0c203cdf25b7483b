"""HTTP answers as archives keep them: status, headers and the body, unpacked and in one piece."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class HttpAnswer:
    """An answer; the names of its headers are in small letters, and the first of each name counts."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    #: True if the unpacked body is longer than what was wanted of it.
    cut: bool = False


def parse_answer(block: bytes, most: int) -> HttpAnswer | None:
    """The answer in these bytes, with `most` bytes of its body; None if they are no answer.

    Chunks are joined, and gzip, deflate and (where the package `brotli` is there) br unpacked. A body that is not what
    its headers say, since it was stored unpacked, is taken as it is.

    >>> chunks = b"3\\r\\nabc\\r\\n0\\r\\n\\r\\n"
    >>> answer = parse_answer(b"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" + chunks, 100)
    >>> answer.status, answer.body
    (200, b'abc')
    """
    if not block.startswith(b"HTTP/"):
        return None
    ends = [(at, width) for mark, width in ((b"\r\n\r\n", 4), (b"\n\n", 2)) if (at := block.find(mark)) >= 0]
    end, width = min(ends, default=(len(block), 0))
    lines = block[:end].decode("latin-1").splitlines()
    words = lines[0].split(None, 2)
    if len(words) < 2 or not words[1].isascii() or not words[1].isdigit():
        return None
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    body = block[end + width :]
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _joined(body)
    for coding in reversed(headers.get("content-encoding", "").lower().split(",")):
        body = _unpacked(body, coding.strip(), most)
    return HttpAnswer(int(words[1]), headers, body[:most], len(body) > most)


def _joined(body: bytes) -> bytes:
    """The chunks of a body, those that are whole; the body itself where it is not in chunks."""
    parts, at = list[bytes](), 0
    while (end := body.find(b"\r\n", at, at + 1000)) >= 0:
        try:
            size = int(body[at:end].partition(b";")[0], 16)
        except ValueError:
            return b"".join(parts) if parts else body
        if size <= 0:
            return b"".join(parts) if size == 0 else body
        parts.append(body[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return b"".join(parts) if parts else body


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    """At most one byte more than `most` of what is packed so; the body itself where it is not."""
    if coding in ("gzip", "x-gzip", "deflate"):
        for window in (47, -15):  # gzip or zlib by their first bytes, else what some servers call deflate
            try:
                return zlib.decompressobj(window).decompress(body, most + 1) or body
            except zlib.error:
                continue
    if coding == "br":
        with suppress(ImportError, TypeError, ValueError):  # not there, too old to stop in time, or no br
            return _brotli(body, most + 1) or body
    return body


def _brotli(body: bytes, most: int) -> bytes:
    brotli: Any = import_module("brotli")
    try:
        return bytes(brotli.Decompressor().process(body, output_buffer_limit=most))
    except brotli.error as error:
        raise ValueError(str(error)) from error
