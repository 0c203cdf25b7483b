"""WARC files of a crawl: a request and a response record per answer, rotated by size, whole after a kill."""

from __future__ import annotations

import base64
import io
import os
import uuid
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dragoman.errors import need
from dragoman.tables.archives import digest_of

#: A file is closed when it has grown beyond this.
SIZE = 1_000_000_000
#: Headers that describe how the body was sent, not the body as it is stored.
_SENT_AS = (b"content-encoding", b"transfer-encoding", b"content-length")

#: Why a page that was visited before is kept without its body: it is the same, or the server says so.
PROFILES = tuple(
    f"http://netpreserve.org/warc/1.1/revisit/{name}" for name in ("identical-payload-digest", "server-not-modified")
)
MESSAGES = {"revisit": "response"}

Headers = Iterable[tuple[bytes, bytes]]


class WarcFolder:
    """Appends to the newest file of a folder; `file` and `length` say what is safely there.

    Records are whole gzip members. After a kill, `WarcFolder(folder, file, length)` with the last values that were
    kept elsewhere cuts off what came after them, a torn record included.
    """

    def __init__(
        self, folder: Path, file: str | None = None, length: int = 0, size: int = SIZE, prefix: str = "pages-"
    ) -> None:
        self.folder, self.size, self.prefix = folder, size, prefix
        self._warc = need("crawl", "fastwarc.warc")
        folder.mkdir(parents=True, exist_ok=True)
        self._cut(file, length)
        self.file, self.length = file, length
        self._out: io.BufferedWriter | None = None
        if file is not None and (folder / file).exists():
            self._out = (folder / file).open("ab")

    def _cut(self, file: str | None, length: int) -> None:
        """Files newer than the last that was kept hold nothing that anybody knows of."""
        for path in self.folder.glob(f"{self.prefix}*.warc.gz"):
            if file is None or path.name > file:
                path.unlink()
        if file is not None and (self.folder / file).exists():
            with (self.folder / file).open("ab") as out:
                if out.tell() > length:
                    out.truncate(length)

    def write(
        self,
        url: str,
        request: tuple[str, Headers],
        response: tuple[int, Headers, bytes],
        address: str | None,
        when: float,
        known: str | None = None,
    ) -> tuple[str, int, int, str]:
        """(file, where the response record begins, its length, SHA-1 of the body) of one exchange.

        The body is the decoded one: headers say so, and what the server said of its coding stands in X-Crawler ones.
        `known` is the digest of an earlier visit: an answer that says or shows that nothing has changed is a `revisit`
        record without a body.
        """
        status, headers, body = response
        digest = digest_of(body)
        same = known is not None and (status == HTTPStatus.NOT_MODIFIED or digest == known)
        if same:
            body, digest = b"", known or digest
        date = datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        number = f"urn:uuid:{uuid.uuid4()}"
        common = {"WARC-Target-URI": url, "WARC-Date": date} | ({"WARC-IP-Address": address} if address else {})
        profile = PROFILES[status == HTTPStatus.NOT_MODIFIED]
        fields = common | ({"WARC-Profile": profile, "WARC-Refers-To-Target-URI": url} if same else {})
        answer = self._record("revisit" if same else "response", number, fields, _answer(status, headers, body), digest)
        asked = common | {"WARC-Concurrent-To": f"<{number}>"}
        question = self._record("request", f"urn:uuid:{uuid.uuid4()}", asked, _question(url, *request), None)
        if self._out is None or self.length > self.size:
            self._next()
        assert self._out is not None
        assert self.file is not None
        offset = self.length
        self._out.write(answer + question)
        self._out.flush()
        self.length += len(answer) + len(question)
        return self.file, offset, len(answer), digest

    def _next(self) -> None:
        self.sync()
        self.close()
        number = int(self.file.split(".")[0].rpartition("-")[2]) + 1 if self.file else 0
        self.file, self.length = f"{self.prefix}{number:05}.warc.gz", 0
        self._out = (self.folder / self.file).open("wb")
        about = b"software: dragoman\r\nformat: WARC File Format 1.1\r\n"
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields = {"WARC-Date": now, "WARC-Filename": self.file}
        first = self._record("warcinfo", f"urn:uuid:{uuid.uuid4()}", fields, about, None)
        self._out.write(first)
        self.length = len(first)

    def _record(self, kind: str, number: str, fields: dict[str, str], block: bytes, payload: str | None) -> bytes:
        record: Any = self._warc.WarcRecord()
        record.init_headers(
            record_type=getattr(self._warc.WarcRecordType, kind), record_urn=number.removeprefix("urn:").encode()
        )
        kind_of_block = (
            "application/warc-fields" if kind == "warcinfo" else f"application/http; msgtype={MESSAGES.get(kind, kind)}"
        )
        for name, value in {**fields, "Content-Type": kind_of_block}.items():
            record.headers[name] = value
        record.set_bytes_content(block)
        raw = io.BytesIO()
        record.write(
            raw, checksum_data=True, **({} if payload is None else {"payload_digest": base64.b32decode(payload[5:])})
        )
        return zlib.compress(raw.getvalue(), 3, 31)  # a gzip member of its own

    def sync(self) -> None:
        """Let the disk have it."""
        if self._out is not None:
            self._out.flush()
            os.fsync(self._out.fileno())

    def close(self) -> None:
        """Close the file; what is written after that begins another one."""
        if self._out is not None:
            self._out.close()
            self._out = None


def _answer(status: int, headers: Headers, body: bytes) -> bytes:
    phrase = next((f" {known.phrase}" for known in HTTPStatus if known == status), "")
    lines = [f"HTTP/1.1 {status}{phrase}".encode()]
    for name, value in headers:
        lines.append((b"X-Crawler-" if name.lower() in _SENT_AS else b"") + name + b": " + _one_line(value))
    lines.append(b"Content-Length: " + str(len(body)).encode())
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _question(url: str, method: str, headers: Headers) -> bytes:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{method} {path} HTTP/1.1".encode(), b"Host: " + parts.netloc.encode()]
    lines += [name + b": " + _one_line(value) for name, value in headers if name.lower() != b"host"]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _one_line(value: bytes) -> bytes:
    return value.replace(b"\r", b" ").replace(b"\n", b" ")
