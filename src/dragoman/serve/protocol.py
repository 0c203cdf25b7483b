"""Connections: how many there may be, and how slow they may be.

uvicorn waits forever for a header that does not come, and for a client that does not read what it asked for. Here both
have an end, and a header has a size. An answer's header leaves with its body, where uvicorn sends one after the other.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from dragoman.serve.problems import CONTENT_TYPE, problem_body
from dragoman.serve.settings import Limits

#: What a client is told that asks before it sends a body. It comes before the header of the answer.
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
#: Bytes of a body that is sooner copied than sent beside its header.
_SMALL = 1 << 14


class OneWrite:
    """What an answer is written to: its header is kept until the body comes, and both go out as one.

    Otherwise a client wakes up for the header, finds that it has to wait for more, and goes to sleep again; where it
    shares a processor with the service, the service waits meanwhile.
    """

    __slots__ = ("_begun", "_header", "_transport")

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._header: bytes | None = None
        self._begun = False

    def write(self, data: bytes) -> None:
        """Keep the header, which is what comes first; send what follows."""
        if self._header is not None:
            header, self._header = self._header, None
            if len(data) < _SMALL:
                self._transport.write(header + data)
            else:
                self._transport.writelines((header, data))
        elif self._begun or data == _CONTINUE:
            self._transport.write(data)
        else:
            self._begun, self._header = True, data

    def flush(self) -> None:
        """Send a header that no body came for: an answer to HEAD."""
        if self._header is not None:
            self.write(b"")

    def close(self) -> None:
        """No more will come."""
        self.flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether the connection has ended, or is about to."""
        return bool(self._transport.is_closing())


class Connection(HttpToolsProtocol):
    """A connection with limits."""

    limits = Limits()
    #: Requests whose header has come; True while a body comes; bytes that have come since, and belong to no body.
    headers_read = 0
    in_body = False
    header_bytes = 0
    header_timer: TimerHandle | None = None
    write_timer: TimerHandle | None = None
    #: The request that is being answered, of several that may have come at once.
    answered: RequestResponseCycle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._refuse(503, "Too many connections are open: try again")
            return
        self._await_header()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answered = cycle
        cycle.transport = OneWrite(self.transport)  # type: ignore[assignment]
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        if self.answered is not None:  # uvicorn only tells the request that came last
            self.answered.disconnected = True
            self.answered.message_event.set()
        self._end(self.header_timer)
        self._end(self.write_timer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        if self.transport.is_closing():
            return
        read, in_body = self.headers_read, self.in_body
        super().data_received(data)
        if self.transport.is_closing():
            return
        if not (in_body or self.in_body or self.headers_read > read):
            self.header_bytes += len(data)
            if self.header_bytes > self.limits.header:
                self._refuse(431, f"The header is larger than {self.limits.header:,} bytes")
                return
        # Bytes that nobody waits for, such as the body of a request that has been answered, are no reason to stay.
        if self.cycle is None or self.cycle.response_complete:
            self._await_header()

    def on_headers_complete(self) -> None:
        """The header of a request is there."""
        self.headers_read += 1
        self.in_body, self.header_bytes = True, 0
        self._end(self.header_timer)
        self.header_timer = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Its body is there, too."""
        self.in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request has been answered."""
        if self.answered is not None and isinstance(self.answered.transport, OneWrite):
            self.answered.transport.flush()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client reads more slowly than we write."""
        super().pause_writing()
        if self.write_timer is None:
            self.write_timer = self.loop.call_later(self.limits.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It has caught up."""
        self._end(self.write_timer)
        self.write_timer = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more has come for a while."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # closing would wait for a client that does not read
        else:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """What came is not HTTP."""
        self._refuse(400, "This is not HTTP/1.1")

    def _unsupported_upgrade_warning(self) -> None:
        """An upgrade is not offered; the request is answered as if it had not been asked for."""

    def _await_header(self) -> None:
        if self.header_timer is None:
            self.header_timer = self.loop.call_later(self.limits.header_seconds, self._too_slow)

    def _too_slow(self) -> None:
        if self.transport.is_closing():
            return
        if self.header_bytes:
            self._refuse(408, f"The header did not come within {self.limits.header_seconds:g} seconds")
        else:
            self.transport.abort()

    def _refuse(self, status: int, detail: str) -> None:
        """An answer outside of any request; then the connection ends."""
        body = problem_body(status, detail)
        head = f"HTTP/1.1 {status} -\r\ncontent-type: {CONTENT_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    @staticmethod
    def _end(timer: TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()


def protocol_for(given: Limits) -> type[Any]:
    """Connections with these limits."""
    return type("LimitedConnection", (Connection,), {"limits": given})
