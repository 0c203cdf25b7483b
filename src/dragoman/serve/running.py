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
from functools import partial
from tempfile import TemporaryDirectory

from starlette.applications import Starlette
from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from dragoman.errors import DragomanError, UsageError
from dragoman.serve.app import make_app
from dragoman.serve.metrics import FOLDER
from dragoman.serve.service import Service
from dragoman.serve.settings import ServiceSettings

#: How long Python lets a thread run when another one waits: small requests wait no longer than this for large ones.
_SWITCH = 0.001
#: Connections that may wait to be taken.
_BACKLOG = 1024
#: Seconds that answers have left when the service is told to stop.
_GRACE = 5


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; DragomanError in one line where it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise UsageError(f"--host is '{host}', which is no address of this machine") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise DragomanError(
            f"Cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}; "
            "choose another with --port, or end what listens there"
        ) from None
    return listening


def address_of(listening: socket.socket) -> str:
    """What a browser would call it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(settings: ServiceSettings, tell: Callable[[str], None]) -> None:
    """Answer until somebody says to stop (Ctrl-C, or SIGTERM)."""
    with closing(listen(settings.host, settings.port)) as listening:
        service = Service(settings)  # what is wrong with the settings is told before anybody is answered
        tell(f"Dragoman answers on {address_of(listening)}")
        if not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
            tell("Other machines can reach it, and it has no passwords; --allow-host says for which names it answers")
        if settings.workers == 1:
            with _stopping_is_no_failure():
                Server(_config(settings, partial(_ready, service))).run(sockets=[listening])
            return
        del service
        with TemporaryDirectory(prefix="dragoman-", ignore_cleanup_errors=True) as folder:
            os.environ[FOLDER] = folder
            Multiprocess(_config(settings, partial(_worker, settings)), [listening]).run()


def _config(settings: ServiceSettings, application: Callable[[], Starlette]) -> Config:
    limits = settings.limits
    return Config(
        application,
        factory=True,
        workers=settings.workers,
        http="dragoman.serve.connections:connection",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        limit_concurrency=limits.connections + 1,
        h11_max_incomplete_event_size=limits.header,
        timeout_keep_alive=max(1, round(limits.patience)),
        timeout_graceful_shutdown=_GRACE,
    )


def _worker(settings: ServiceSettings) -> Starlette:
    """The application of one of several processes."""
    return _ready(Service(settings))


def _ready(service: Service) -> Starlette:
    """The application, when nothing that it needs has still to be loaded."""
    sys.setswitchinterval(_SWITCH)
    service.warm_up()
    application = make_app(service=service)
    # What is there now stays until the end: looking through it for garbage would stop all answers now and then.
    gc.collect()
    gc.freeze()
    service.metrics.worker_is_ready()
    return application


@contextmanager
def _stopping_is_no_failure() -> Iterator[None]:
    """uvicorn raises the signal that ended it once more, when all is done: then it means nothing any more."""
    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, handlers, strict=True):
            signal.signal(number, handler)
