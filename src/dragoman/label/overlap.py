"""Pieces are worked on by several threads while others are read and written, and come out in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Pieces under way for each thread: enough that nobody waits, few enough that memory stays flat.
AHEAD = 3


def overlapped(
    items: Iterable[Item], work: Callable[[Item], Result], threads: int = 1
) -> Iterator[tuple[Item, Result]]:
    """(item, work(item)) of every item, in order, worked on by `threads` threads.

    The thread that asks is one of them: it reads the items, and does with each pair what its loop does (writing), and
    in between it works on items that nobody else has begun. So two threads keep two processors busy, and no
    more, whatever share of the time reading and writing take. An error in an item comes up in its turn.
    """
    if threads < 2:
        for item in items:
            yield item, work(item)
        return
    begun: deque[tuple[Item, Future[Result]]] = deque()
    pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="dragoman")
    try:
        for item in items:
            begun.append((item, pool.submit(work, item)))
            while begun and (begun[0][1].done() or len(begun) >= AHEAD * threads):
                yield _first(begun, work)
        while begun:
            yield _first(begun, work)
    finally:
        # An interrupt, or a reader that has enough: what has not begun never will.
        pool.shutdown(wait=True, cancel_futures=True)


def _first(begun: deque[tuple[Item, Future[Result]]], work: Callable[[Item], Result]) -> tuple[Item, Result]:
    """The first pair, when it is there; until then, help with the others."""
    while not begun[0][1].done() and _help(begun, work):
        pass
    item, future = begun.popleft()
    return item, future.result()


def _help(begun: deque[tuple[Item, Future[Result]]], work: Callable[[Item], Result]) -> bool:
    """Work on the latest item that no thread has begun; False if there is none."""
    for waiting in range(len(begun) - 1, -1, -1):
        item, future = begun[waiting]
        if future.cancel():
            result: Future[Result] = Future()
            try:
                result.set_result(work(item))
            except Exception as error:
                result.set_exception(error)
            begun[waiting] = item, result
            return True
    return False
