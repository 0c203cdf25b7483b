"""Several steerings on one Redis: they hand out every URL once, and know the same as one that did it all."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import redis_server as servers
from tests.redis_server import redis_server

from dragoman.crawl.live.cluster.events import pack, unpack
from dragoman.crawl.live.cluster.log import SharedError, SharedLog, shown
from dragoman.crawl.live.cluster.steering import SharedSteering, open_shared, steered
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.crawl.records import ServerRule
from dragoman.errors import DragomanError, UsageError
from dragoman.types import Language

SEEDS = ["http://h0.example/", "http://h1.example/th/0"]
STRATEGIES = ("bfs", "conservative-server", "conservative-directory", "scout")
_numbers = itertools.count()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture
def address(redis: str) -> str:
    """A database with nothing in it."""
    emptied(redis)
    return f"{redis}/0"


def emptied(address: str) -> None:
    import redis

    with redis.Redis.from_url(address) as client:
        client.flushall()


def score(urls: Sequence[str]) -> list[tuple[float, Language | None]]:
    return [((len(url) * 7919 % 101) / 50 - 1, "th" if "/th/" in url else None) for url in urls]


def links(url: str) -> list[LinkEnd]:
    """A web without end: four links a page, most to the same host."""
    place = sum(url.encode()) * 31 + len(url)
    home = url[:20].rpartition("/")[0]
    near = [LinkEnd(f"{home}/{'th' if one else 'a'}/{place % 37 + one}") for one in (0, 1)]
    return [
        *near,
        LinkEnd(f"http://h{place % 5}.example/th/{place % 11}", "th"),
        LinkEnd(f"http://h{place % 3}.example/b"),
    ]


def language(url: str) -> Language:
    return "th" if sum(url.encode()) % 3 else "en"


def target(strategy: str) -> Target:
    return Target(("th",), strategy=strategy, rule=ServerRule(2))


def plan(aim: Target) -> CrawlPlan:
    return CrawlPlan(aim, score, CrawlLimits(pages_per_host=9), most_waiting=10**6)


def join(folder: Path, address: str, strategy: str = "scout") -> SharedSteering:
    folder.mkdir(exist_ok=True)
    aim = target(strategy)
    log = open_shared(address, aim.identity(), ())
    with ExitStack() as opened:
        store = Store(folder, aim.identity())
        opened.callback(store.abandon)
        joined = steered(store, plan(aim), log)
        assert isinstance(joined, SharedSteering)
        joined.start(SEEDS)
        opened.pop_all()
    return joined


def answered(one: Steering, key: int) -> None:
    url = one.store.url(key)
    said = language(url)
    one.page(CrawlAnswer(key, key, 0.0, 200, said, relevant=said == "th"), links(url))


def stand(one: Steering) -> tuple[object, ...]:
    """Everything that decides how a crawl goes on, and what it tells."""
    servers = one.store.rows("SELECT name, pages, relevant, status FROM servers ORDER BY id")
    urls = one.store.rows("SELECT url, server, directory, score, guess, depth, parent FROM urls ORDER BY id")
    queue = [one.frontier.pop() for _ in range(len(one.frontier))]
    return (
        one.pages,
        one.relevant,
        one.reasons,
        one.languages,
        one.of_server,
        servers,
        urls,
        queue,
        sorted(one.in_flight),
    )


def events(address: str) -> list[list[Any]]:
    import redis

    with redis.Redis.from_url(address) as client:
        return [unpack(data) for data in client.lrange("{dragoman}:log", 0, -1)]


def alone(folder: Path, strategy: str, log: list[list[Any]]) -> Steering:
    """One steering that does what the log says, and would have chosen the same URLs itself."""
    folder.mkdir()
    aim = target(strategy)
    one = Steering(Store(folder, aim.identity()), plan(aim))
    held: dict[int, str] = {}
    again: set[int] = set()
    for kind, *rest in log:
        if kind == "B":
            one.start([url for url, _, _ in rest[1]])
        elif kind == "P":
            key, who = rest
            if key in again:
                again.remove(key)
            else:
                assert one.pop() == key
            assert key not in held, "handed out once"
            held[key] = who
        elif kind == "A":
            key = rest[1][0]
            if held.get(key) == rest[0]:
                del held[key]
                answered(one, key)
        elif kind == "S" and rest[0] in {*held, *again}:
            held.pop(rest[0], None)
            again.discard(rest[0])
            one.skip(rest[0], rest[2])
        elif kind == "S":
            assert one.frontier.peek() == rest[0]
            one.frontier.take(rest[0])
            one.reasons[rest[2]] += 1
        elif kind == "R":
            gone = [key for key, who in held.items() if who == rest[0]]
            again.update(gone)
            for key in gone:
                del held[key]
    for key in again:
        one.in_flight.pop(key, None)
    return one


_ACTIONS = st.tuples(
    st.integers(0, 2), st.sampled_from(["take", "take", "answer", "answer", "look", "die"]), st.integers(0, 3)
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(STRATEGIES), st.lists(_ACTIONS, max_size=60))
def test_any_interleaving_is_what_one_process_would_have_done(
    redis: str, tmp_path: Path, strategy: str, actions: list[tuple[int, str, int]]
) -> None:
    address, home = f"{redis}/1", tmp_path / str(next(_numbers))
    emptied(address)
    home.mkdir()
    crawlers = {number: join(home / str(number), address, strategy) for number in (0, 1)}
    held: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for number, action, which in actions:
        if number not in crawlers:  # a late one
            crawlers[number] = join(home / str(number), address, strategy)
        one = crawlers[number]
        if action == "take" and (key := one.pop()) is not None:
            assert not one.let_go(key) or not one.owns(key)
            if one.owns(key):
                held[number].append(key)
        elif action == "answer" and held[number]:
            answered(one, held[number].pop(which % len(held[number])))
        elif action == "look":
            one.look()
        elif action == "die":
            one.store.abandon()
            held[number] = []
            crawlers[number] = join(home / str(number), address, strategy)
    for one in crawlers.values():
        one.catch_up()
    lone = alone(home / "alone", strategy, events(address))
    expected = stand(lone)
    assert {tuple(one.again) for one in crawlers.values()} == {tuple(crawlers[0].again)}
    for one in crawlers.values():
        assert stand(one) == expected
        one.store.abandon()
    lone.store.abandon()


def test_a_process_that_is_not_heard_of_loses_what_it_held_and_goes_on_under_another_name(
    address: str, tmp_path: Path
) -> None:
    one, other = join(tmp_path / "a", f"{address}?lease=1"), join(tmp_path / "b", f"{address}?lease=1")
    key, name = one.pop(), one.log.name
    assert key is not None
    until = time.monotonic() + 10
    while not other.again and time.monotonic() < until:
        time.sleep(0.1)
        other.look()
    assert list(other.again) == [key]
    assert other.pop() == key
    answered(one, key)  # too late
    assert not one.owns(key)
    assert one.log.name != name
    assert (one.pages, other.pages) == (0, 0)
    answered(other, key)
    one.catch_up()
    assert (one.pages, other.pages) == (1, 1)
    assert (taken := one.pop()) is not None
    assert one.owns(taken)
    other.leave()
    one.leave()
    assert list(one.again) == [taken], "what a process holds when it leaves goes back"
    one.store.abandon()
    other.store.abandon()


def test_an_event_that_was_sent_twice_counts_once(address: str, tmp_path: Path) -> None:
    one = join(tmp_path / "a", address)
    key = one.pop()
    assert key is not None
    answered(one, key)
    again = next(event for event in events(address) if event[0] == "A")
    one.log.append(pack(again), 0)
    best = one._best()
    assert best is not None
    one.log.append(pack(best), 0)  # as if the answer to this had been lost
    one.catch_up()
    assert one.pages == 1
    assert one.pop() == best[1], "it is this process's, so it is fetched"
    one.store.abandon()


def test_one_redirect_leads_to_a_page_and_nobody_else_fetches_it(address: str, tmp_path: Path) -> None:
    one, other = join(tmp_path / "a", address, "bfs"), join(tmp_path / "b", address, "bfs")
    first, second = one.pop(), other.pop()
    assert first is not None
    assert second is not None
    end = one.number("http://h4.example/end", first)
    assert end is not None
    assert other.number("http://h4.example/end", second) == end
    assert one.claim(first, end)
    assert not other.claim(second, end)
    other.page(CrawlAnswer(second, second, 0.0, 200, "th", relevant=True), [LinkEnd("http://h4.example/end")])
    assert other.pop() is None, "the only link leads to a page that is on its way"
    one.page(CrawlAnswer(first, end, 0.0, 200, "th", relevant=True), [])
    assert one.pop() is None
    other.catch_up()
    assert other.reasons == one.reasons
    assert not other.waits
    one.store.abandon()
    other.store.abandon()


def test_hosts_and_budgets_are_those_of_all_processes(address: str) -> None:
    one, other = SharedLog(address), SharedLog(address)
    one.join({}, "a", None)
    other.join({}, "b", None)
    assert one.acquire("a.example", "1", 0.2, 1) == 0
    assert other.acquire("a.example", "2", 0.2, 1) is None, "the first has not been answered"
    assert other.acquire("b.example", "3", 0.2, 1) == 0
    one.free("a.example", "1", 0.0, 0.2)
    one.tell()
    wait = other.acquire("a.example", "2", 0.2, 2)
    assert wait is not None
    assert 0 < wait <= 0.2
    after = one.acquire("a.example", "3", 0.2, 2)
    assert after is not None
    assert wait < after <= 0.4, "each has a time of its own"
    assert one.acquire("a.example", "4", 0.2, 2) is None
    other.leave()
    assert one.acquire("a.example", "4", 0.0, 2) is not None, "a process that left holds no host"
    other.join({}, "b", None)
    assert [one.permit(2), other.permit(2), one.permit(2)] == [True, True, False]
    one.return_permit()
    assert other.permit(2)
    one.close()
    other.close()


def test_a_redis_that_goes_away_is_waited_for_and_in_the_end_given_up(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--appendonly", "yes") as address:
        said: list[str] = []
        log = SharedLog(f"{address}/0", say=said.append)
        log.join({"languages": ["th"]}, "a", None)
        log.append(b'["R","nobody"]', 0)
        import redis

        with redis.Redis.from_url(address) as client:
            client.shutdown()
        port, started = int(address.rpartition(":")[2]), []
        thread = threading.Timer(0.4, lambda: started.append(servers.start(tmp_path, port, "--appendonly", "yes")))
        thread.start()
        try:
            assert log.read(0) == ([b'["R","nobody"]'], 1), "nothing is lost"
            assert [line.rpartition(":")[2] for line in said] == [" waiting for it", "Redis is back"]
        finally:
            thread.join()
            started[0].terminate()
            started[0].wait(20)
        log.patience = 0.3
        for _ in range(2):
            with pytest.raises(SharedError, match="give the same command when it is back"):
                log.read(0)
        assert len(said) == 3


def test_what_cannot_be_shared_is_refused_in_one_line(address: str, tmp_path: Path) -> None:
    import redis

    assert shown("redis://me:secret@h.example:1/2?x=secret") == "redis://h.example:1/2"
    one = join(tmp_path / "a", address)
    with pytest.raises(UsageError, match=r"holds another crawl \(its languages are th, not lo;"):
        open_shared(address, Target(("lo",)).identity(), ())
    with pytest.raises(DragomanError, match=r"There is no Redis at redis://127\.0\.0\.1:9/0") as told:
        open_shared("redis://:secret@127.0.0.1:9/0", {}, ())
    assert "secret" not in str(told.value)
    with redis.Redis.from_url(address) as client:
        client.config_set("requirepass", "hidden")
        for given in ("//", "//:secret@", "//me:secret@"):
            with pytest.raises(DragomanError, match="refuses the password, or asks for one") as told:
                open_shared(address.replace("//", given), {}, ())
            assert "secret" not in str(told.value)
        client.config_set("requirepass", "")
    for wrong in ("http://a.example/", "redis://a.example/0?lease=0", "redis://a.example/0?lease=x", "redis://a:b/0"):
        with pytest.raises(UsageError, match="--shared is"):
            SharedLog(wrong)
    with pytest.raises(UsageError, match="do not go together"):
        open_shared(address, {}, [tmp_path])
    one.store.close()
    aim = target("scout")
    shared = Store(tmp_path / "a", aim.identity())
    with pytest.raises(UsageError, match="part of a shared crawl"):
        steered(shared, plan(aim), None)
    shared.abandon()
    (tmp_path / "b").mkdir()
    lone = Steering(Store(tmp_path / "b", aim.identity()), plan(aim))
    lone.start(SEEDS)
    lone.store.close()
    with pytest.raises(UsageError, match="was crawled alone"):
        join(tmp_path / "b", address)
    emptied(address)
    with pytest.raises(SharedError, match="does not hold the crawl that this folder is part of"):
        join(tmp_path / "a", address)


def test_a_log_that_lost_its_end_is_noticed(address: str, tmp_path: Path) -> None:
    import redis

    one = join(tmp_path / "a", address)
    with redis.Redis.from_url(address) as client:
        client.rpop("{dragoman}:log")
    with pytest.raises(SharedError, match="has lost the end of the crawl's log"):
        one.pop()
    one.leave()
    one.store.abandon()
