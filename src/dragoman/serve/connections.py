"""Connections that keep the service waiting, ended, and headers without end, refused; all of them counted.

uvicorn waits for ever for a header that does not come and for a client that does not read what it asked for, and reads
a header of any size. So its own connections are looked through now and then, and its own parser is told the size. What
it refuses because too many are there never reaches the application; whoever asks for /health is answered all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from httptools import HttpParserError
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

_HEALTH = b"/health"
_watched: WeakSet[ServerState] = WeakSet()


def connection(
    config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
) -> HttpToolsProtocol:
    """uvicorn's own protocol for a client that has come; the first one begins the watch over all of them.

    What a client may take are options of uvicorn: its timeout between two requests, its largest header (for h11).
    """
    protocol = CountedConnection(config, server_state, app_state, _loop)
    if server_state not in _watched:
        _watched.add(server_state)
        watch(server_state, config.timeout_keep_alive, {})
    return protocol


class CountedConnection(HttpToolsProtocol):
    """A connection whose end, where it is refused or given up, the metrics of the application count."""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(config, *rest)
        self.parser: Any = MeteredParser(self, config.h11_max_incomplete_event_size or 1 << 16)
        application: Any = config.loaded_app
        self.count: Callable[[str], None] = application.state.service.metrics.connection_ended

    def on_headers_complete(self) -> None:
        """A request begins; uvicorn refuses it where too many are there, but for one that asks how the service is."""
        most = self.limit_concurrency
        if self.url == _HEALTH:
            self.limit_concurrency = None
        elif most is not None and max(len(self.connections), len(self.tasks)) >= most:
            self.count("too-many")
        super().on_headers_complete()
        self.limit_concurrency = most


class MeteredParser:
    """The parser of a connection, for which a header that is larger than allowed is not HTTP."""

    def __init__(self, protocol: CountedConnection, most: int) -> None:
        self.protocol, self.parser, self.most = protocol, protocol.parser, most
        self.size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parser, name)

    def feed_data(self, data: bytes) -> None:
        """Read what has come; HttpParserError where it is no header, or too much of one."""
        cycle = self.protocol.cycle
        self.parser.feed_data(data)
        if self.protocol.cycle is not cycle or _is_answered(cycle) is False:
            self.size = 0  # the header is complete, or this is of a body
            return
        self.size += len(data)
        if self.size > self.most:
            self.protocol.count("header-too-large")
            raise HttpParserError("the header is too large")


def _is_answered(cycle: Any) -> bool | None:
    """Whether the request that came last has its answer; None where none has come."""
    return None if cycle is None else cycle.response_complete


def watch(state: ServerState, seconds: float, before: dict[Any, tuple[Any, float]]) -> None:
    """End the connections that have had no header, or an answer that nobody read, for so long; and look again soon.

    `before` has those that were waited for when they were looked through last: after which request, since when.
    """
    loop = asyncio.get_running_loop()
    now = loop.time()
    awaited: dict[Any, tuple[Any, float]] = {}
    protocols: set[Any] = {*state.connections}
    for protocol in protocols:
        cycle = protocol.cycle
        if _is_answered(cycle) is not False or protocol.transport.get_write_buffer_size():
            earlier, since = before.get(protocol, (cycle, now))
            awaited[protocol] = cycle, since if cycle is earlier else now
            if now - awaited[protocol][1] > seconds:
                if protocol.transport.get_write_buffer_size():
                    protocol.count("not-read")
                elif cycle is None or protocol.parser.size:  # one that has its answers and asks no more may rest
                    protocol.count("no-header")
                protocol.transport.abort()
    loop.call_later(min(1.0, seconds / 4), watch, state, seconds, awaited)
