"""A service, from its socket to its end: one process, or several that share a socket."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import uvicorn

from dragoman.errors import DragomanError, UsageError
from dragoman.serve.app import make_app
from dragoman.serve.protocol import protocol_for
from dragoman.serve.settings import Settings
from dragoman.serve.state import State
from dragoman.serve.workers import Workers

#: How long Python lets a thread run when another one waits: small requests wait no longer than this for large ones.
_SWITCH = 0.001
#: Connections that may wait to be taken.
_WAITING = 1024
#: Seconds that answers have left when the service is told to stop.
_GRACE = 5


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; DragomanError in one line where it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise UsageError(f"--host is '{host}', which is no address of this machine") from None
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(_WAITING)
    except OSError as error:
        found.close()
        raise DragomanError(
            f"Cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}; "
            "choose another with --port, or end what listens there"
        ) from None
    return found


def address_of(listening: socket.socket) -> str:
    """What a browser would call it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def several(listening: socket.socket, count: int) -> list[socket.socket]:
    """As many sockets on the same address in place of one: the system then deals connections out evenly.

    Workers that share one socket take what they can get, and the first that wakes up takes nearly all. Where the system
    cannot deal out, they share it.
    """
    if count == 1 or not sys.platform.startswith("linux"):
        return [listening] * count
    family, address = listening.family, listening.getsockname()
    listening.close()
    found = []
    for _ in range(count):
        one = socket.socket(family, socket.SOCK_STREAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(address)
        one.listen(_WAITING)
        found.append(one)
    return found


def serve(settings: Settings, tell: Callable[[str], None]) -> None:
    """Answer until somebody says to stop (Ctrl-C, or SIGTERM)."""
    listening = listen(settings.host, settings.port)
    with closing(listening):
        state = State(settings)
        sockets = several(listening, settings.workers)
        tell(f"Dragoman answers on {address_of(sockets[0])}")
        if not ipaddress.ip_address(sockets[0].getsockname()[0]).is_loopback:
            tell("Other machines can reach it, and it has no passwords; --allow-host says for which names it answers")
        if settings.workers == 1:
            _work(state, listening, 0)
        else:
            Workers(settings.workers, lambda number: _work(state, sockets[number], number)).run()


def _work(state: State, listening: socket.socket, number: int) -> None:
    sys.setswitchinterval(_SWITCH)
    state.warm_up()
    # What is there now stays until the end: looking through it for garbage would stop all answers now and then.
    gc.collect()
    gc.freeze()
    state.metrics.become(number)
    _answer(state, listening)


def _answer(state: State, listening: socket.socket) -> None:
    config = uvicorn.Config(
        make_app(state=state),
        http=protocol_for(state.settings.limits),
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=max(1, round(state.settings.limits.idle_seconds)),
        timeout_graceful_shutdown=_GRACE,
    )
    try:
        _Server(config).run(sockets=[listening])
    finally:
        state.rooms.close()


class _Server(uvicorn.Server):
    """A server for which being told to stop is the usual end, and not an error."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at SIGINT and SIGTERM; at once, if told again."""
        before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
