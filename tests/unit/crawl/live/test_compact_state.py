"""What a live crawl keeps per URL, server and directory, without an object for each."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from dragoman.crawl.live.state import catalogue, store
from dragoman.crawl.live.state.catalogue import DecisionRows
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.types import Decision, Language


def nothing(urls: object) -> list[tuple[float, Language | None]]:
    return [(0.0, None) for _ in urls]  # type: ignore[attr-defined]


def test_a_set_of_numbers_is_a_set() -> None:
    chance, plain, numbers = random.Random(1), set[int](), NumberSet()
    for _ in range(3_000):
        one = chance.randrange(500)
        if chance.random() < 0.6:
            plain.add(one)
            numbers.add(one)
        else:
            plain.discard(one)
            numbers.discard(one)
    assert list(numbers) == sorted(plain)
    assert (len(numbers), set(numbers)) == (len(plain), plain)
    assert (-1 in numbers, 10**9 in numbers) == (False, False)
    numbers |= {7, 10_000}
    assert {7, 10_000} <= set(numbers)
    for count in (0, 7, 8, 500, 90_000):
        assert np.flatnonzero(numbers.flags(count)).tolist() == [one for one in sorted(numbers) if one < count]
    assert len(numbers.flags(90_000)) == 90_000


def test_numbers_of_names_and_urls_outlast_what_is_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "AT_HAND", 5)
    one = Store(tmp_path, {})
    urls = [f"http://s{number % 20}.example/d{number % 3}/{number}" for number in range(300)]
    for start in range(0, 300, 30):
        one.register([(url, 0.5, None) for url in urls[start : start + 30]], 0, None)
    assert one.known(urls) == {url: number for number, url in enumerate(urls)}
    assert one.known(["http://s0.example/", urls[7], urls[7]]) == {urls[7]: 7}
    assert (max(one.server), max(one.directory)) == (19, 59)
    held = (list(one.server), list(one.directory), list(one.score))
    one.close()
    again = Store(tmp_path, {})
    assert (list(again.server), list(again.directory), list(again.score)) == held
    assert again.register([("http://s3.example/d9/", 0.0, None), ("http://new.example/", 0.0, None)], 0, None) == [
        300,
        301,
    ]
    assert (again.server[300], again.server[301], again.directory[300], again.directory[301]) == (3, 20, 60, 61)
    again.abandon()


def test_decisions_come_in_the_same_parts_when_a_log_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "PAGES", 4)
    monkeypatch.setattr(catalogue, "DECISIONS", 10)
    kept = Store(tmp_path, {})
    kept.register([(f"http://a.example/{number}", 0.0, None) for number in range(30)], 0, None)
    steps = []
    for page, many in enumerate([2, 1, 0, 3, 12, 1, 1, 9, 4]):
        priorities = [None if place % 3 else 1.5 for place in range(many)]
        found = [Decision((7 * page + n) % 30, 0, one, f"why {n % 2}") for n, one in enumerate(priorities)]
        steps.append((page, found))
    whole = DecisionRows(kept, tmp_path / "whole")
    for page, decisions in steps:
        whole.add(page, decisions)
    whole.close()
    kept.set("decision_parts", 0)
    broken = DecisionRows(kept, tmp_path / "broken")
    for page, decisions in steps[:6]:
        broken.add(page, decisions)
    resumed = DecisionRows(kept, tmp_path / "broken")
    for page, decisions in steps:
        resumed.add(page, decisions)
    resumed.close()
    names = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert len(names) > 3
    assert names == sorted(path.name for path in (tmp_path / "broken").iterdir())
    for name in names:
        assert pq.read_table(tmp_path / "whole" / name).equals(pq.read_table(tmp_path / "broken" / name))
    rows = [row for name in names for row in pq.read_table(tmp_path / "whole" / name).to_pylist()]
    assert [(row["page"], row["url"], row["priority"], row["reason"]) for row in rows] == [
        (kept.url(page), kept.url(int(str(one.key))), one.priority, one.reason)
        for page, every in steps
        for one in every
    ]
    kept.abandon()


@pytest.mark.parametrize("strategy", ["soft-focused", "scout"])
def test_what_there_is_no_room_for_is_counted_and_forgotten_again_on_resume(tmp_path: Path, strategy: str) -> None:
    target = Target(("th",), strategy=strategy)

    def opened() -> Steering:
        return Steering(Store(tmp_path, target.identity()), CrawlPlan(target, nothing, most_waiting=50))

    one = opened()
    one.start(["http://a.example/"])
    for page in range(6):
        key = one.pop()
        assert key is not None
        links = [LinkEnd(f"http://h{number % 9}.example/{page}-{number}.html") for number in range(30)]
        one.page(CrawlAnswer(key, key, 0.0, 200, "th", relevant=True), links)
        assert len(one.frontier) <= 50
    assert one.frontier.forgotten > 50
    figures = len(one.frontier), one.frontier.forgotten
    one.store.abandon()
    again = opened()
    again.start([])
    assert (len(again.frontier), again.frontier.forgotten) == figures
    again.store.abandon()
