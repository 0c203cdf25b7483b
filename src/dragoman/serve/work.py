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
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import orjson
from starlette.requests import Request
from starlette.responses import Response

from dragoman.serve.problems import Problem
from dragoman.serve.settings import Limits

#: Bytes of a page or a batch from which on it is large.
LARGE = 1 << 16
#: Threads that read files, which may lie on a disk that does not answer.
_READERS = 2
_LATER = {"Retry-After": "1"}

Result = TypeVar("Result")


class _Pool:
    """Threads that begin when they are needed and do not keep a process from ending, as those of the library would."""

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most = name, most
        self._threads = 0
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """What the work returns, some time."""
        future: Future[Result] = Future()
        self._tasks.put((future, work))
        if self._threads < self._most:
            self._threads += 1
            Thread(target=self._work, name=f"{self._name}-{self._threads}", daemon=True).start()
        return future

    def _work(self) -> None:
        while task := self._tasks.get():
            future, work = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)
            del task, future, work  # what was big should not stay until the next one comes

    def close(self) -> None:
        """Begin nothing more."""
        with suppress(Empty):
            while task := self._tasks.get_nowait():
                task[0].cancel()
        for _ in range(self._threads):
            self._tasks.put(None)


class Room:
    """Threads for one size of work, and those that wait for one."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._pool = _Pool(f"dragoman-{name}", threads)
        self._threads, self._most = threads, threads + waiting
        #: Work that is being done or waits for it; that of it which is being done though nobody waits for it any more.
        self.held = self.given_up = 0

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """What `work(*given)` returns; a Problem where too many wait already, or nothing would come of waiting."""
        if self.given_up >= self._threads:
            raise Problem(503, "Earlier requests of this kind took too long and are not done: try again", _LATER)
        if self.held >= self._most:
            raise Problem(429, "Too many requests of this size are being worked on: try again", _LATER)
        loop = asyncio.get_running_loop()
        self.held += 1
        holding = [given]
        del given
        future = self._pool.submit(lambda: work(*holding.pop()))
        future.add_done_callback(lambda _: self._soon(loop, self._left))
        try:
            return await asyncio.wrap_future(future, loop=loop)
        except asyncio.CancelledError:
            if future.cancel():
                holding.clear()  # its turn will come, but what it was given need not be kept until then
            else:  # a thread is at it, and stays at it
                self.given_up += 1
                future.add_done_callback(lambda _: self._soon(loop, self._done_in_vain))
            raise

    @staticmethod
    def _soon(loop: asyncio.AbstractEventLoop, count: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody counts any more
            loop.call_soon_threadsafe(count)

    def _left(self) -> None:
        self.held -= 1

    def _done_in_vain(self) -> None:
        self.given_up -= 1

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.close()


class Rooms:
    """A room for small work, one for large, and one for what reads files: run folders, and the table of a quiz."""

    def __init__(self, limits: Limits) -> None:
        self.small = Room("small", 1, 4 * limits.waiting)
        self.large = Room("large", limits.large, limits.waiting)
        self.files = Room("files", _READERS, limits.waiting)

    async def run(self, size: int, work: Callable[..., Result], *given: Any) -> Result:
        """The work on so many bytes, in the room for its size."""
        return await (self.large if size >= LARGE else self.small).run(work, *given)

    def close(self) -> None:
        """Begin nothing more."""
        self.small.close()
        self.large.close()
        self.files.close()


async def from_files(request: Request, work: Callable[..., Any], *given: Any) -> Response:
    """What `work(*given)` tells, as JSON; it is made in the room for what reads files."""
    body = await request.app.state.service.rooms.files.run(lambda: orjson.dumps(work(*given)))
    return Response(body, media_type="application/json")
