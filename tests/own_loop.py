"""Asynchronous work in a test: in a thread and a loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_its_own_loop(work: Coroutine[Any, Any, T]) -> T:
    """What some work returns; a browser that other tests have opened keeps a loop in the main thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
