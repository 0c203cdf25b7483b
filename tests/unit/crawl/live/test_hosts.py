"""When a host may be asked next, and which hosts are worth waiting for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.crawl.live.driver.hosts import DELAY, SLOW, WORTH_WAITING, HostQueue
from dragoman.crawl.live.state.store import Store


def test_a_host_that_is_slow_or_asked_for_a_long_rest_is_not_worth_waiting_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one that answers just within the timeout, or asks for an hour, would hold up everything that is unlikely."""
    now = 1000.0
    monkeypatch.setattr("dragoman.crawl.live.driver.hosts.time.monotonic", lambda: now)
    keys = iter([0, 0, 0])
    steering = SimpleNamespace(
        in_flight=(), resting=(), pop=lambda is_ready, is_soon: next(keys), wake=lambda server: None
    )
    manners = SimpleNamespace(delay=0.0)
    store = SimpleNamespace(server=[7], get_each=lambda prefix: {})
    crawl: Any = SimpleNamespace(steering=steering, store=store, manners=manners, resumed=False)
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


def test_a_delay_of_a_hosts_own_is_kept_beside_the_others(tmp_path: Path) -> None:
    """Ten thousand hosts with a Crawl-delay once wrote all delays ten thousand times."""
    store = Store(tmp_path, {})
    steering = SimpleNamespace(in_flight=(), wake=lambda server: None)
    crawl: Any = SimpleNamespace(steering=steering, store=store, manners=SimpleNamespace(delay=1.0), resumed=False)
    queue = HostQueue(crawl, 1)
    for server in range(3):
        queue.set_delay(server, 2.5 + server)
    store.commit()
    store.close()
    again = Store(tmp_path, {})
    assert again.get_each(DELAY) == {"0": 2.5, "1": 3.5, "2": 4.5}
    crawl.store = again
    assert HostQueue(crawl, 1)._delays == {0: 2.5, 1: 3.5, 2: 4.5}
