"""Crawls on a Ray cluster: real workers on three nodes of this machine, on a small web on loopback."""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.live_crawls import catalogue, records
from tests.live_crawls import crawl as crawl_alone
from tests.live_web import SmallWeb, serve, small_web
from tests.ray_cluster import ray_cluster
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.crawl.live.cluster.coordinator import BLOCK
from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.state.targets import Budget, Target
from dragoman.errors import DragomanError
from dragoman.files import file_system

MANNERS = Manners(delay=0.0, concurrent=8, resolve={"*": "127.0.0.1"}, allow_private=True)


@pytest.fixture(scope="module")
def cluster(store_server: None) -> Iterator[Any]:
    with ray_cluster() as there:
        yield there


@pytest.fixture(scope="module")
def store_server() -> Iterator[None]:
    """Where moto is installed, a server that plays S3, which all processes that start from here on ask for s3://."""
    try:
        moto: Any = importlib.import_module("moto.server")
    except ImportError:
        yield
        return
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    known = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    os.environ.update(known)
    yield
    server.stop()
    for name in known:
        del os.environ[name]


@pytest.fixture
def bucket(store_server: None) -> str:
    elsewhere = "not installed here, since botocore needs an older python-dateutil: `make test-s3` runs it"
    s3fs = pytest.importorskip("s3fs", reason=f"s3fs is {elsewhere}")
    pytest.importorskip("moto", reason=f"moto, which plays S3, is {elsewhere}")
    s3fs.S3FileSystem().mkdir("crawls")
    return "s3://crawls/thai"


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with serve(small_web(150, share=0.04, seed=5)) as there:
        yield there


@pytest.fixture
def asked(web: SmallWeb) -> Counter[str]:
    seen: Counter[str] = Counter()
    lock = threading.Lock()

    def see(host: str, path: str) -> None:
        with lock:
            seen[f"http://{host}{path}"] += not path.endswith("/robots.txt")

    web.seen = see
    return seen


def crawl(folder: Path | str, web: SmallWeb, shards: int, workers: int, **more: Any) -> Any:
    from dragoman.crawl.live.cluster.cluster import ClusterCrawl
    from dragoman.crawl.live.cluster.job import ClusterJob

    job = ClusterJob(str(folder), shards, Target(("th",), strategy="bfs"), web.seeds, MANNERS, lease=6.0, safe=0.2)
    return ClusterCrawl(replace(job, **more), "auto", workers)


class Outage:
    """Storage that fails for some seconds whenever it is told to: a file stands where its folder was."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.away, self.seconds = folder, folder.with_suffix(".away"), seconds
        self.times = 0

    def begin(self) -> None:
        self.folder.rename(self.away)
        self.folder.touch()
        self.times += 1
        self._end = threading.Timer(self.seconds, self.end)
        self._end.start()

    def end(self) -> None:
        self.folder.unlink()
        self.away.rename(self.folder)


def test_a_worker_is_killed_and_nothing_is_lost_or_fetched_twice_but_what_was_on_its_way(
    web: SmallWeb, cluster: Any, asked: Counter[str], tmp_path: Path
) -> None:
    crawling = crawl(tmp_path / "whole", web, 12, 3)
    killed: list[int] = []

    def kill() -> None:
        if not killed and asked.total() > 5:
            busy = max(crawling.coordinator.reports, key=lambda name: len(crawling.coordinator.reports[name].shards))
            os.kill(crawling.members[busy].pid, signal.SIGKILL)
            killed.append(busy)

    try:
        progress = crawling.run(kill)
    except DragomanError as error:  # so quick that all was fetched when the worker died
        assert "the same command goes on" in str(error)  # noqa: PT017
        progress = crawl(tmp_path / "whole", web, 12, 3).run()
    assert killed
    assert progress.ended == "nothing waits any more"
    assert progress.pages == len(web.urls)
    assert set(asked) - {url for url, count in asked.items() if not count} == set(web.urls)
    assert asked.total() - len(web.urls) <= MANNERS.concurrent, "only what the killed worker had on its way"
    rows = catalogue(tmp_path / "whole")
    assert sorted(rows["url"]) == sorted(web.urls), "none is lost, none is there twice"
    archived = records(tmp_path / "whole")
    assert {url for kind, url in archived if kind == "response"} == set(web.urls)
    assert all(count == 1 for (kind, _), count in archived.items() if kind == "response")
    again = crawl(tmp_path / "whole", web, 12, 1)
    before = asked.total()
    assert again.run().pages == len(web.urls)
    assert asked.total() == before, "a crawl that has ended asks for nothing more"


@pytest.mark.slow
def test_one_shard_on_ray_decides_everything_as_a_crawl_without_ray(
    web: SmallWeb, cluster: Any, tmp_path: Path
) -> None:
    one_at_a_time = ("--language", "th", "--concurrent", "1", "--allow-private")
    assert crawl_alone(tmp_path / "alone", web, *one_at_a_time).returncode == 0
    manners = replace(MANNERS, concurrent=1)
    crawl(tmp_path / "ray", web, 1, 1, manners=manners, target=Target(("th",))).run()
    for name in ("catalogue", "decisions"):
        alone, on_ray = (pq.read_table(tmp_path / folder / name) for folder in ("alone", "ray"))
        for column in set(alone.column_names) - {"time", "warc_offset", "warc_length"}:
            assert alone[column].to_pylist() == on_ray[column].to_pylist(), column


@pytest.mark.slow
def test_pages_are_never_more_than_wanted(
    web: SmallWeb, cluster: Any, asked: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first worker gets all shards, and has to give some back before it has begun with them.
    monkeypatch.setattr("dragoman.crawl.live.cluster.cluster.START", 0.0)
    progress = crawl(tmp_path / "few", web, 6, 2, budget=Budget(pages=40)).run()
    assert progress.ended == "the budget of 40 pages is used up"
    assert progress.pages == 40
    assert len(catalogue(tmp_path / "few")["url"]) == 40
    quota, workers, manners = 10, 2, replace(MANNERS, concurrent=2)
    target = Target(("en",), {"en": quota}, strategy="bfs")
    progress = crawl(tmp_path / "quota", web, 6, workers, target=target, manners=manners).run()
    assert progress.ended == "every quota is full"
    assert quota <= progress.relevant <= quota + BLOCK * manners.concurrent * workers, "no more than the blocks out"


@pytest.mark.slow
def test_letters_that_are_doubled_or_late_and_answers_that_are_lost_change_nothing(
    web: SmallWeb, cluster: Any, asked: Counter[str], tmp_path: Path
) -> None:
    from dragoman.crawl.live.cluster.worker import Worker

    class RoughWorker(Worker):
        async def _send(self, worker: int, letters: Any) -> Any:
            chance = random.Random(time.monotonic_ns())
            old = self.__dict__.setdefault("old", [])
            old.append((worker, letters))
            for again in (chance.choice(old), (worker, letters)):
                await Worker._send(self, *again)
                await asyncio.sleep(0.3 * chance.random())
            answer = await Worker._send(self, worker, letters)
            if chance.random() < 0.3:
                raise ConnectionError("the answer is lost")
            return answer

    rough = crawl(tmp_path / "rough", web, 12, 1)
    rough.worker = RoughWorker

    def hire() -> None:
        if asked.total() > 5:
            rough.wanted = 3  # shards move to those who come

    progress = rough.run(hire)
    assert (progress.ended, progress.pages) == ("nothing waits any more", len(web.urls))
    assert sorted(catalogue(tmp_path / "rough")["url"]) == sorted(web.urls)
    assert +asked == Counter(web.urls), "each page is asked for once"
    assert len(rough.members) == 3


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["file", "s3"])
def test_a_worker_and_its_disk_are_lost_storage_fails_and_the_crawl_goes_on_from_what_was_uploaded(
    web: SmallWeb, request: pytest.FixtureRequest, asked: Counter[str], tmp_path: Path, protocol: str
) -> None:
    address = f"file://{tmp_path}/remote" if protocol == "file" else request.getfixturevalue("bucket")
    request.getfixturevalue("cluster")  # its processes know of the bucket
    crawling = crawl(address, web, 8, 3, upload=0.5)
    outage = Outage(tmp_path / "remote", 1.5 * crawling.job.lease)
    killed: list[int] = []

    def kill() -> None:
        if not killed and asked.total() > 40:
            killed.append(next(name for name, report in crawling.coordinator.reports.items() if report.shards))
            os.kill(crawling.members[killed[0]].pid, signal.SIGKILL)
            if protocol == "file":
                outage.begin()  # what the killed worker had is not reached when its lease is over
        if outage.times == 1 and asked.total() >= len(web.urls) and (tmp_path / "remote").is_dir():
            outage.begin()  # the end cannot be written

    progress = crawling.run(kill)
    assert killed
    said = CliRunner().invoke(cli, ["crawl", "--status", address]).output
    assert f"pages      {len(web.urls)} " in said
    assert "nothing waits any more" in said
    assert outage.times == (2 if protocol == "file" else 0)
    assert (progress.ended, progress.pages) == ("nothing waits any more", len(web.urls))
    if protocol != "file":
        system, inner = file_system(address)
        system.get(f"{inner}/", f"{tmp_path}/remote/", recursive=True)
    rows = catalogue(tmp_path / "remote")
    assert sorted(rows["url"]) == sorted(web.urls), "none is lost, none is there twice"
    archived = {url for kind, url in records(tmp_path / "remote") if kind == "response"}
    assert archived == set(web.urls)
    before = asked.total()
    assert crawl(address, web, 8, 1, upload=0.5).run().pages == len(web.urls)
    assert asked.total() == before


@pytest.mark.slow
def test_a_worker_and_a_command_that_stand_still_for_longer_than_the_lease_go_on_and_ask_for_nothing_again(
    web: SmallWeb, cluster: Any, asked: Counter[str], tmp_path: Path
) -> None:
    # Nothing is uploaded before the end: whoever else got the shard would have to begin anew.
    slow = crawl(f"file://{tmp_path}/remote", web, 1, 1, upload=600.0, manners=replace(MANNERS, delay=0.1))
    still: list[str] = []

    def stand_still() -> None:
        if not still and asked.total() > 10:
            still.append("worker")
            os.kill(slow.members[0].pid, signal.SIGSTOP)
            threading.Timer(1.5 * slow.job.lease, os.kill, (slow.members[0].pid, signal.SIGCONT)).start()
        elif still == ["worker"] and asked.total() > 40:
            still.append("command")
            time.sleep(1.5 * slow.job.lease)

    assert slow.run(stand_still).pages == len(web.urls)
    assert still == ["worker", "command"]
    assert list(slow.members) == [0], "nobody was replaced"
    assert +asked == Counter(web.urls), "each page is asked for once"


@pytest.mark.slow
def test_without_the_head_the_command_ends_and_the_next_one_waits_for_the_workers_of_the_first(
    web: SmallWeb, cluster: Any, asked: Counter[str], tmp_path: Path
) -> None:
    address = f"file://{tmp_path}/remote"
    first = crawl(address, web, 8, 2, upload=0.5, manners=replace(MANNERS, delay=0.6))

    def fall_silent() -> None:
        if asked.total() > 20:
            first._over.set()  # nobody asks the head any more, as if it did not answer
            first._head_heard = time.monotonic() - first.job.lease - 1.0

    with pytest.raises(DragomanError, match="Ray's head does not answer any more: start it"):
        first.run(fall_silent)
    second = crawl(address, web, 8, 2, upload=0.5)
    counts: list[int] = []
    progress = second.run(lambda: counts.append(asked.total()))
    assert 20 < counts[0] < len(web.urls)
    assert first.members, "its workers are there, but let go of everything when their lease was over"
    assert progress.pages == len(web.urls)
    assert sorted(catalogue(tmp_path / "remote")["url"]) == sorted(web.urls), "none is lost, none is there twice"
    assert asked.total() - len(web.urls) <= 2 * MANNERS.concurrent, "only what was on its way"
    for member in first.members.values():
        first.ray.kill(member.actor)


def test_what_cannot_be_is_told_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra cluster is not installed")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.example/\n", encoding="utf-8")
    usual = ["crawl", "--language", "th", "--seeds", str(seeds), "-o", str(tmp_path / "new")]
    assert "give --cluster too" in refused(CliRunner().invoke(cli, [*usual, "--shards", "4"]), 2)
    on_cluster = [*usual, "--cluster", "auto"]
    assert "from 1 to 65,536" in refused(CliRunner().invoke(cli, [*on_cluster, "--shards", "70000"]), 2)
    given = CliRunner().invoke(cli, [*on_cluster, "--earlier", str(seeds.with_suffix(".cdx"))])
    assert given.exit_code != 0
    old = tmp_path / "new"
    old.mkdir()
    (old / "crawl.sqlite").touch()
    said = refused(CliRunner().invoke(cli, [*on_cluster, "--shards", "4"]), 2)
    assert "is a crawl of 1 shards, not 4: give --shards 1" in said
    shards = tmp_path / "shards"
    shards.mkdir()
    (shards / "cluster.json").write_text('{"shards": 4}', encoding="utf-8")
    usual[-1] = str(shards)
    assert "is a crawl in shards: give --cluster too" in refused(CliRunner().invoke(cli, usual), 2)
    said = refused(CliRunner().invoke(cli, [*usual, "--cluster", "auto"]), 2)
    assert "was written by another version of Dragoman" in said
    nothing = ["crawl", "--status", f"file://{shards}"]
    assert "has no progress.json" in refused(CliRunner().invoke(cli, nothing), 2)
