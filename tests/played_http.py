"""Pages that are played on loopback: HTTP/1.1 with connections that stay open, and nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping


class PlayedHttp(asyncio.Protocol):
    """A connection; whoever plays a web says in `answer` what is sent for each request."""

    def __init__(self) -> None:
        self.unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.unread += data
        while b"\r\n\r\n" in self.unread:
            head, _, self.unread = self.unread.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in lines)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            self.answer(headers.get("host", ""), first.split(" ")[1], headers)

    def answer(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        """Send what belongs there; the names of headers are in lower case."""
        raise NotImplementedError

    def send(self, status: int, headers: Mapping[str, str], body: bytes, delay: float = 0.0) -> None:
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
        lines.append(f"Content-Length: {len(body)}")
        answer = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        if delay:
            asyncio.get_running_loop().call_later(delay, self.transport.write, answer)
        else:
            self.transport.write(answer)
