"""Several processes that share a socket: started together, started again if one falls, ended together."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from dragoman.errors import UsageError

#: A worker that ends sooner than this after its start is not started again at once.
_SOON = 1.0
_GRACE = 10.0


class Workers:
    """So many forked processes, each of which does `work(its number)` until it is told to stop."""

    def __init__(self, count: int, work: Callable[[int], None]) -> None:
        if not hasattr(os, "fork"):
            raise UsageError("--workers needs processes that fork, which this system does not have: leave it out")
        self.count, self.work = count, work
        self.running: dict[int, tuple[int, float]] = {}
        self.stopping = False

    def run(self) -> None:
        """Until SIGINT or SIGTERM."""
        before = {one: signal.signal(one, self._stop) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self.count):
                self._start(number)
            while self.running:
                self._wait()
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _start(self, number: int) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            self.running[pid] = (number, time.monotonic())
            return
        status = 1
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self.work(number)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            sys.stderr.flush()
            os._exit(status)  # nothing of the parent is cleaned up twice

    def _wait(self) -> None:
        try:
            pid, _ = os.wait()
        except InterruptedError:
            return
        except ChildProcessError:
            self.running.clear()
            return
        number, started = self.running.pop(pid, (-1, 0.0))
        if number < 0 or self.stopping:
            return
        if time.monotonic() - started < _SOON:
            time.sleep(_SOON)
        if not self.stopping:
            self._start(number)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True
        for pid in list(self.running):
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue
