"""When a host may be asked next, and which hosts are worth waiting for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.crawl.live.driver.hosts import SLOW, WORTH_WAITING, HostQueue


def test_a_host_that_is_slow_or_asked_for_a_long_rest_is_not_worth_waiting_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one that answers just within the timeout, or asks for an hour, would hold up everything that is unlikely."""
    now = 1000.0
    monkeypatch.setattr("dragoman.crawl.live.driver.hosts.time.monotonic", lambda: now)
    keys = iter([0, 0, 0])
    steering = SimpleNamespace(
        in_flight=(), resting=(), pop=lambda is_ready, is_soon: next(keys), wake=lambda server: None
    )
    manners = SimpleNamespace(delay=0.0)
    crawl: Any = SimpleNamespace(steering=steering, store=SimpleNamespace(server=[7]), manners=manners)
    queue = HostQueue(crawl, 1)
    assert queue.take() == 0
    assert queue._is_soon(7), "nobody knows yet how slow it is"
    now += SLOW + 1
    queue.release(0)
    assert not queue._is_soon(7)
    queue.take()
    queue.release(0)
    assert queue._is_soon(7), "it answers at once again"
    queue.take()
    queue.refused(0, WORTH_WAITING + 1)
    assert not queue._is_soon(7)
