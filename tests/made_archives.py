"""Web archives of a few records, made byte by byte, so that tests know where everything stands."""

from __future__ import annotations

import zlib

HTML = b"Content-Type: text/html\r\n"


def record(kind: str, url: str, content_type: str, block: bytes) -> bytes:
    """A WARC record."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{url}>\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(url: str, body: bytes, headers: bytes = HTML) -> bytes:
    """The record of an HTTP answer."""
    block = b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n" + body
    return record("response", url, "application/http; msgtype=response", block)


def text(url: str, body: bytes) -> bytes:
    """A record of a WET file."""
    return record("conversion", url, "text/plain", body)


def packed(*records: bytes) -> bytes:
    """An archive whose records are gzip members."""
    return b"".join(zlib.compress(part, 6, 31) for part in records)
