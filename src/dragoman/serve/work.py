"""Work that takes long enough to be felt, in threads: few at a time, few that wait, large ones apart from small ones.

The event loop stays free for single URLs and small batches; the kernels let other threads run while they work. What
takes too long cannot be stopped, but its place is only given to another when it has ended: so however many give up
waiting, no more than that many threads work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from dragoman.serve.problems import Problem
from dragoman.serve.settings import Limits

#: Bytes of a page or a batch from which on it is large.
LARGE = 1 << 16

Result = TypeVar("Result")


class Room:
    """Threads for one size of work, and those that wait for one."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"dragoman-{name}")
        self._most = threads + waiting
        self.held = 0

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """What `work(*given)` returns; a Problem where too many wait already."""
        if self.held >= self._most:
            raise Problem(429, "Too many requests of this size are being worked on: try again", {"Retry-After": "1"})
        loop = asyncio.get_running_loop()
        self.held += 1
        future = self._pool.submit(work, *given)
        future.add_done_callback(lambda _: self._leave(loop))
        return await asyncio.wrap_future(future, loop=loop)

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody counts any more
            loop.call_soon_threadsafe(self._left)

    def _left(self) -> None:
        self.held -= 1

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Rooms:
    """A room for small work and one for large."""

    def __init__(self, limits: Limits) -> None:
        self.small = Room("small", 1, 4 * limits.waiting)
        self.large = Room("large", limits.large, limits.waiting)

    async def run(self, size: int, work: Callable[..., Result], *given: Any) -> Result:
        """The work on so many bytes, in the room for its size."""
        return await (self.large if size >= LARGE else self.small).run(work, *given)

    def close(self) -> None:
        """Begin nothing more."""
        self.small.close()
        self.large.close()
