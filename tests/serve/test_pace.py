"""The client that measures the service at a pace: what is due while nobody answers counts as late."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Lock, Thread
from time import sleep
from types import ModuleType

ASKED = b"GET / HTTP/1.1\r\n\r\n"
ANSWER = b"HTTP/1.1 %d -\r\nContent-Length: 2\r\n\r\n"


def _paced() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "serve" / "paced.py"
    spec = importlib.util.spec_from_file_location("paced", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["paced"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PACED = _paced()


@contextmanager
def answering(stall: float = 0.0, at: int = 0, bad: int = -1) -> Iterator[int]:
    """The port of a service that lets everybody wait once, before the answer number `at`, or gives one bad answer."""
    lock, count = Lock(), iter(range(1 << 30))

    class Answers(StreamRequestHandler):
        disable_nagle_algorithm = True

        def handle(self) -> None:
            while self.rfile.readline():
                self.rfile.readline()
                with lock:
                    number = next(count)
                    sleep(stall if number == at else 0)
                self.wfile.write(ANSWER % (500 if number == bad else 200))
                self.wfile.write(b"ok")

    class Server(ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def test_a_stall_counts_for_every_request_that_was_due_in_it() -> None:
    with answering(stall=0.3, at=100) as port:
        told = PACED.paced(port, [ASKED], connections=5, rate=400, seconds=1.0)
    assert told.failed == 0
    assert told.worst >= 290
    assert told.p99 > 250  # some 120 of 400 were due meanwhile; counted from when they were sent, five would be late
    assert told.rate > 250


def test_what_goes_wrong_is_counted_and_the_rest_goes_on() -> None:
    with answering(bad=30) as port:
        told = PACED.paced(port, [ASKED], connections=3, rate=200, seconds=0.5)
    assert told.failed == 1
    assert told.rate > 80
