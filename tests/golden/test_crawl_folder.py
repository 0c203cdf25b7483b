"""A crawl folder that an earlier version wrote (format 2) goes on, exactly where it stood."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.crawl.records import ServerRule
from dragoman.types import Language

STORED = Path(__file__).parent / "data" / "crawl_of_format_2.sql"


def score(urls: Sequence[str]) -> list[tuple[float, Language | None]]:
    return [((len(url) * 7919 % 101) / 50 - 1, "th" if "/th/" in url else None) for url in urls]


def test_a_crawl_of_an_earlier_version_stands_where_it_stood(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as database:
        database.executescript(STORED.read_text(encoding="utf-8"))
    target = Target(("th",), strategy="scout", rule=ServerRule(2))
    steering = Steering(Store(tmp_path, target.identity()), CrawlPlan(target, score))
    steering.start([])
    store = steering.store
    assert store.get("warc") == ["pages-00000.warc.gz", 500]
    assert (steering.pages, steering.relevant) == (4, 2)
    assert steering.languages == {"th": 2, "en": 2}
    assert steering.earlier_languages == {"th": 1}
    assert steering.answers == {"page": 4, "status 404": 1, "no answer in time": 1}
    assert steering.reasons == {
        "seed": 3, "on a relevant page": 8, "on another page": 4, "not http or https": 5,
        "new server, and the page's own is not relevant": 2, "server is irrelevant": 1,
    }  # fmt: skip
    assert [store.url(key) for key in steering.in_flight] == ["http://b.example/4/x"]
    assert not steering.claim(2, 12), "where a redirect led has been fetched"
    waiting = []
    while (key := steering.pop()) is not None:
        waiting.append(store.url(key))
    assert waiting == [
        "http://a.example/th/3",
        "http://a.example/th/4",
        "http://again.example/",
        "http://a.example/",
        "http://old.example/th/1",
        "http://d0.example/",
        "http://d4.example/",
    ]
    assert steering.number("http://A.example:80/th/3", 4) == 13, "URLs have the numbers that they had"
    store.abandon()
