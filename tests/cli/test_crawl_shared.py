"""`dragoman crawl --shared`: real processes on a real Redis, on a small web on loopback."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.live_web import SmallWeb, serve, small_web
from tests.redis_server import redis_server
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.crawl.frontier import Frontier
from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.crawl.live.state.store import PAGE
from dragoman.crawl.live.state.targets import Target
from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate.plain import PlainCrawl

Started = subprocess.Popen[str]
Start = Callable[..., Started]


class Asked:
    """The requests that the web has seen: when, host, URL."""

    def __init__(self, web: SmallWeb, ready: Callable[[], bool]) -> None:
        self.rows: list[tuple[float, str, str]] = []
        self.ready = ready
        web.seen = self.seen

    def seen(self, host: str, path: str) -> None:
        until = time.monotonic() + 50
        while not self.rows and not self.ready() and time.monotonic() < until:  # the web wakes up when all are there
            time.sleep(0.05)
        self.rows.append((time.monotonic(), host, f"http://{host}{path}"))

    def pages(self) -> Counter[str]:
        return Counter(url for _, _, url in self.rows if not url.endswith("/robots.txt"))

    def wait_for(self, number: int) -> None:
        until = time.monotonic() + 60
        while len(self.rows) < number and time.monotonic() < until:
            time.sleep(0.01)
        assert len(self.rows) >= number


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with serve(small_web(100, share=0.04, seed=5)) as there:
        yield there


@pytest.fixture
def start(web: SmallWeb, redis: str, tmp_path: Path) -> Iterator[Start]:
    """Starts a process that crawls into a folder, together with all others on the same database."""
    seeds, started = tmp_path / "seeds.txt", list[Started]()
    seeds.write_text("\n".join(web.seeds), encoding="utf-8")

    def one(name: str, database: int, *more: str) -> Started:
        command = [
            sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--tolerance", "3", "--seeds", str(seeds),
            "-o", str(tmp_path / name), "--resolve", "*=127.0.0.1", "--allow-private",
            "--shared", f"{redis}/{database}?lease=3", *more,
        ]  # fmt: skip
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))
        return started[-1]

    yield one
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def two(redis: str, database: int) -> Callable[[], bool]:
    """Says whether two processes take part."""
    from redis import Redis

    client = Redis.from_url(f"{redis}/{database}")
    return lambda: bool(client.zcard("{dragoman}:members") == 2)


def ended(*started: Started) -> list[str]:
    told = []
    for process in started:
        said, wrong = process.communicate(timeout=120)
        assert process.returncode == 0, wrong
        assert "nothing waits any more" in said
        told.append(wrong)
    return told


def rows(folder: Path, name: str = "catalogue") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / name).to_pylist() if (folder / name).exists() else []
    return found


def stored(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as store:
        return store.execute(query).fetchall()


def test_two_processes_follow_the_rules_of_one(web: SmallWeb, redis: str, start: Start, tmp_path: Path) -> None:
    asked, delay, folders = Asked(web, two(redis, 0)), 0.1, [tmp_path / "a", tmp_path / "b"]
    usual = ("--strategy", "conservative-server", "--delay", str(delay))
    ended(*(start(folder.name, 0, *usual) for folder in folders))
    found = [row["url"] for folder in folders for row in rows(folder)]
    assert max(Counter(found).values()) == 1
    assert asked.pages() == Counter(found), "nothing is fetched twice"
    assert all(rows(folder) for folder in folders), "both have fetched something"
    times: dict[str, list[float]] = {}
    for when, host, _ in asked.rows:
        times.setdefault(host, []).append(when)
    assert max(len(one) for one in times.values()) > 20
    for _, *one in times.values():  # the first may have been held back until the web woke up
        gaps = sorted(b - a for a, b in pairwise(one))
        assert sum(gaps) >= delay * len(gaps) - 0.2, "a busy machine looks at its clock late, now and then"
        assert len(gaps) < 8 or gaps[len(gaps) // 8] >= 0.5 * delay
    servers = "SELECT name, pages, relevant, status FROM servers ORDER BY id"
    assert stored(folders[0], servers) == stored(folders[1], servers)
    assert {row[3] for row in stored(folders[0], servers)} >= {"relevant", "irrelevant"}
    log = f"SELECT seq, log.kind, urls.url FROM log JOIN urls ON urls.id = log.url WHERE kind = {PAGE} ORDER BY seq"  # noqa: S608
    assert stored(folders[0], log) == stored(folders[1], log)
    # One strategy that is shown the same pages in the same order decides the same about every link.
    place = {url: number for number, url in enumerate(web.urls)}
    order = [place[url] for _, _, url in stored(folders[0], log)]
    reasons = Counter(row["reason"] for folder in folders for row in rows(folder, "decisions"))
    assert reasons.pop("seed") == len(web.seeds)
    assert reasons == decided(web, order)


def decided(web: SmallWeb, order: list[int]) -> Counter[str]:
    class Given(Frontier):
        """Whatever is put, the pages come in the order that is given."""

        left = iter(order)

        def pop(self) -> int | None:
            return next(self.left, None)

    score = UrlScorer(["th"])(web.urls)
    strategy = Target(("th",), strategy="conservative-server", rule=ServerRule(3)).new_strategy()
    scores = np.array([one for one, _ in score], np.float32)
    crawl = PlainCrawl(web.graph, web.relevant("th"), strategy, Given(), score=scores)
    crawl.advance(len(order) + 1)
    return crawl.reasons


@pytest.mark.slow
def test_one_is_killed_another_joins_and_nothing_is_missing(
    web: SmallWeb, redis: str, start: Start, tmp_path: Path
) -> None:
    asked, usual = Asked(web, two(redis, 1)), ("--strategy", "bfs", "--delay", "0")
    first, second = (start(name, 1, *usual) for name in "ab")
    asked.wait_for(50)
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=60)
    late = start("c", 1, *usual)
    ended(second, late)
    twice = [url for url, count in asked.pages().items() if count > 1]
    assert len(twice) <= 16, "only what the killed process had on its way"
    assert set(asked.pages()) == set(web.urls)
    before = len(asked.rows)
    (told,) = ended(start("a", 1, *usual))
    assert told == f"Resumed: {len(web.urls)} pages, 0 URLs wait\n"
    assert len(asked.rows) == before, "all was there, but its part of the catalogue"
    found = [row for name in "abc" for row in rows(tmp_path / name)]
    assert sorted(row["url"] for row in found) == sorted(web.urls)
    archives = {path.name: path for name in "abc" for path in (tmp_path / name / "warc").iterdir()}
    assert {row["warc"] for row in found} <= set(archives), "one name is one file, so that folders can be put together"
    assert len({tuple(stored(tmp_path / name, "SELECT * FROM urls ORDER BY id")) for name in "abc"}) == 1


def test_a_redis_that_is_not_there_is_told_in_one_line_without_its_password(tmp_path: Path) -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.example/\n", encoding="utf-8")
    usual = ["crawl", "--language", "th", "--seeds", str(seeds), "-o", str(tmp_path / "new")]
    said = refused(CliRunner().invoke(cli, [*usual, "--shared", "redis://:secret@127.0.0.1:9/0"]), 1)
    assert "There is no Redis at redis://127.0.0.1:9/0" in said
    assert "secret" not in said
    assert "such as redis://" in refused(CliRunner().invoke(cli, [*usual, "--shared", "somewhere"]), 2)
    assert not (tmp_path / "new").exists()
