"""Work that takes long enough to be felt, in threads: few at a time, few that wait, large ones apart from small ones.

The event loop stays free for single URLs and small batches; the kernels let other threads run while they work. What
takes too long cannot be stopped, but its place is only given to another when it has ended: so however many give up
waiting, no more than that many threads work. Where such work holds all threads of its size, there is nothing to wait
for, and a request for more of it is told so at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from dragoman.serve.problems import Problem
from dragoman.serve.settings import RequestLimits

#: Bytes of a page or a batch from which on it is large.
LARGE = 1 << 16
#: Threads that read files, which may lie on a disk that does not answer.
_READERS = 2
_LATER = {"Retry-After": "1"}

Outcome = TypeVar("Outcome")


class Room:
    """Threads for one size of work, and those that wait for one."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._name, self._threads, self._most = name, threads, threads + waiting
        self._free = asyncio.Semaphore(threads)
        #: Work that is being done or waits for it; that of it which is being done though nobody waits for it any more.
        self.held = self.given_up = 0

    async def run(self, work: Callable[..., Outcome], *arguments: Any) -> Outcome:
        """What `work(*arguments)` returns; a Problem where too many wait already, or nothing would come of waiting."""
        if self.given_up >= self._threads:
            raise Problem(503, "Earlier requests of this kind took too long and are not done: try again", _LATER)
        if self.held >= self._most:
            raise Problem(429, "Too many requests of this size are being worked on: try again", _LATER)
        self.held += 1
        try:
            await self._free.acquire()
        except asyncio.CancelledError:
            self.held -= 1
            raise
        loop, ended = asyncio.get_running_loop(), self._ended
        future = _in_thread(f"dragoman-{self._name}", work, *arguments)
        future.add_done_callback(lambda _: _soon(loop, ended, False))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:  # the thread stays at it
            self.given_up += 1
            future.add_done_callback(lambda _: _soon(loop, ended, True))
            raise

    def _ended(self, in_vain: bool) -> None:
        if in_vain:
            self.given_up -= 1
        else:
            self.held -= 1
            self._free.release()


def _in_thread(name: str, work: Callable[..., Outcome], *arguments: Any) -> Future[Outcome]:
    """What the work returns, some time. Its thread does not keep the process from ending, as a pool's would."""
    future: Future[Outcome] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work(*arguments))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, name=name, daemon=True).start()
    return future


def _soon(loop: asyncio.AbstractEventLoop, count: Callable[[bool], None], in_vain: bool) -> None:
    with suppress(RuntimeError):  # the loop has ended: nobody counts any more
        loop.call_soon_threadsafe(count, in_vain)


class Rooms:
    """A room for small work, one for large, and one for what reads files: run folders, and tables of questions."""

    def __init__(self, limits: RequestLimits) -> None:
        self.small = Room("small", 1, 4 * limits.waiting)
        self.large = Room("large", limits.large, limits.waiting)
        self.files = Room("files", _READERS, limits.waiting)

    async def run(self, size: int, work: Callable[..., Outcome], *arguments: Any) -> Outcome:
        """The work on so many bytes, in the room for its size."""
        return await (self.large if size >= LARGE else self.small).run(work, *arguments)
