"""A crawl in shards on a Ray cluster of this machine: several.py kills|cost|sizes|letters|waves [--pages N --times N].

- kills: workers, and once a whole node, are killed at random moments; what the server saw, catalogue and archive are
  compared.
- sizes: bytes of messages. letters: processor time to take a message in, alone and with others.
- waves: what the coordinator does in a round, without workers.
- cost: processor time of the workers per page with 1, 2, 4 and 8 workers, that of steering by itself; the web is played
  by this process. What a worker does for the first time (modules, tables, statements) counts once for each worker: the
  second half of the pages is told by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import partial
from inspect import iscoroutinefunction
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from ray import cloudpickle

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.live_crawls import catalogue, records  # noqa: E402
from tests.live_web import serve, small_web  # noqa: E402
from tests.ray_cluster import ray_cluster  # noqa: E402

from dragoman.crawl.live.cluster.cluster import ClusterCrawl  # noqa: E402
from dragoman.crawl.live.cluster.coordinator import Coordinator  # noqa: E402
from dragoman.crawl.live.cluster.job import ClusterJob, Report, ShardFigures  # noqa: E402
from dragoman.crawl.live.cluster.shards import LinkMessage, Shard  # noqa: E402
from dragoman.crawl.live.cluster.steering import ShardSteering  # noqa: E402
from dragoman.crawl.live.cluster.store import ShardStore  # noqa: E402
from dragoman.crawl.live.cluster.worker import Worker  # noqa: E402
from dragoman.crawl.live.driver.session import Manners  # noqa: E402
from dragoman.crawl.live.state.links import LinkEnd, Links  # noqa: E402
from dragoman.crawl.live.state.progress import CrawlProgress  # noqa: E402
from dragoman.crawl.live.state.store import CrawlAnswer  # noqa: E402
from dragoman.crawl.live.state.targets import CrawlPlan, Target  # noqa: E402
from dragoman.errors import DragomanError  # noqa: E402

#: Numbers of workers that are compared.
WORKERS = (1, 2, 4, 8)


def job(
    folder: Path, seeds: list[str], shards: int, *, delay: float, concurrent: int, lease: float, **more: Any
) -> ClusterJob:
    """A crawl of everything on loopback."""
    manners = Manners(delay=delay, concurrent=concurrent, resolve={"*": "127.0.0.1"}, allow_private=True)
    return ClusterJob(str(folder), shards, Target(("th",), strategy="bfs"), seeds, manners, lease=lease, **more)


def kills(pages: int, times: int, shards: int = 64, workers: int = 4, delay: float = 0.3) -> None:
    """Kill workers again and again, and once a whole node."""
    chance, lock = random.Random(1), threading.Lock()
    asked: list[tuple[float, str, str]] = []

    def see(host: str, path: str) -> None:
        with lock:
            asked.append((time.monotonic(), host, f"http://{host}{path}"))

    with (
        ray_cluster() as cluster,
        serve(small_web(pages, share=0.04, seed=1)) as web,
        tempfile.TemporaryDirectory() as name,
    ):
        web.seen = see
        home = Path(name) / "crawl"
        whole = job(home, web.seeds, shards, delay=delay, concurrent=8, lease=6.0, safe=0.5)
        crawl = ClusterCrawl(whole, "auto", workers)
        killed: list[str] = []
        step = len(web.urls) // (times + 2)

        def kill() -> None:
            fetched = sum(not url.endswith("/robots.txt") for _, _, url in asked)
            there = [one.pid for one in crawl.members.values() if not one.gone and one.pid]
            if len(killed) < times and fetched > step * (len(killed) + 1) and len(there) == workers:
                time.sleep(chance.random() * 0.2)
                if len(killed) == times // 2:
                    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                    killed.append("node")
                else:
                    with suppress(ProcessLookupError):  # it has gone with its node
                        os.kill(chance.choice(there), signal.SIGKILL)
                        killed.append("worker")

        try:
            progress = crawl.run(kill)
        except DragomanError as error:  # killed when all was fetched, and its shards were written to their end
            if "the same command goes on" not in str(error):
                raise
            print("a worker was killed at the very end; the same command goes on", file=sys.stderr)
            progress = ClusterCrawl(whole, "auto", workers).run()
        rows, archived = Counter(catalogue(home)["url"]), records(home)
        seen = Counter(url for _, _, url in asked if not url.endswith("/robots.txt"))
        again, every_gap = seen.total() - len(seen), sorted(gaps(asked))
        in_archive = {url: count for (kind, url), count in archived.items() if kind == "response"}
        print(f"{len(web.urls)} pages, {shards} shards, {workers} workers on 3 nodes: {progress.ended}")
        print(f"killed: {dict(Counter(killed))}")
        print(f"catalogue: {len(rows)} URLs, {rows.total() - len(rows)} twice, {len(set(web.urls) - set(rows))} lost")
        print(f"archive: {len(in_archive)} URLs, equal to the catalogue: {in_archive == dict(rows)}; all digests right")
        print(f"asked for again: {again}, {again / max(len(killed), 1):.1f} a kill (at most 8 are on their way)")
        short = sum(gap < delay for gap in every_gap)
        print(f"gaps between two requests to a host, robots.txt included: {len(every_gap)}, shortest "
              f"{1000 * every_gap[0]:.1f} ms, {short} under the delay of {1000 * delay:.0f} ms")  # fmt: skip


def gaps(asked: list[tuple[float, str, str]]) -> list[float]:
    """The times between two requests to one host, as the server saw them."""
    hosts: dict[str, list[float]] = {}
    for when, host, _ in sorted(asked):
        hosts.setdefault(host, []).append(when)
    return [after - before for times in hosts.values() for before, after in pairwise(times)]


class MeteredWorker(Worker):
    """A worker that counts what its thread uses for steering, not for fetching, reading, identifying and archiving.

    What pages and messages bring with them is counted by itself, and so is what is done so many times a second: beats,
    and letting the disk have everything. Reading and identifying pages is counted as a yardstick: that is the same work
    however many workers there are, but takes longer the more processes share a cache.
    """

    def __init__(self, name: int, job: ClusterJob) -> None:
        from dragoman.crawl.live.cluster.shard_crawl import ShardCrawl
        from dragoman.crawl.live.driver.spider import LiveSpider

        self.spent, self.depth, self.pages = [0.0, 0.0, 0.0], 0, 0
        for place, kind, names in (
            (0, ShardSteering, ("page", "pop", "receive", "listed", "wake")),
            (0, Worker, ("_take_in", "take", "_post")),
            (1, Worker, ("beat",)),
            (1, ShardCrawl, ("save",)),
            (2, LiveSpider, ("_read",)),
        ):
            for method in names:
                setattr(kind, method, self.counted(getattr(kind, method), place))
        take = ShardCrawl.take

        def taken(crawl: ShardCrawl, answer: CrawlAnswer, links: Links) -> None:
            self.pages += answer.reason is None
            take(crawl, answer, links)

        setattr(ShardCrawl, "take", taken)  # noqa: B010 (mypy)
        super().__init__(name, job)
        self.before, self.began = time.process_time(), time.monotonic()

    def counted(self, function: Any, place: int) -> Any:
        """The same function; what is called inside another one is counted once."""

        @contextmanager
        def count() -> Iterator[None]:
            self.depth += 1
            began = time.thread_time()
            try:
                yield
            finally:
                self.depth -= 1
                if not self.depth:
                    self.spent[place] += time.thread_time() - began

        async def later(*values: Any, **more: Any) -> Any:
            with count():  # in a folder of this machine it is never interrupted
                return await function(*values, **more)

        def at_once(*values: Any, **more: Any) -> Any:
            with count():
                return function(*values, **more)

        return later if iscoroutinefunction(function) else at_once

    def used(self) -> tuple[float, ...]:
        """Processor seconds for pages, for what has its time, for reading and in all; seconds since then; pages."""
        sent = sum(sum(shard.store.last_to.values()) for shard in self.carried.values())
        return *self.spent, time.process_time() - self.before, time.monotonic() - self.began, self.pages, sent


class MeteredCrawl(ClusterCrawl):
    """A crawl whose workers are asked at the end what they have used."""

    worker = MeteredWorker
    memory = 0

    def used(self) -> Any:
        """What all workers have used so far."""
        return np.sum(self.ray.get([member.actor.used.remote() for member in self.members.values()]), axis=0)

    def note_half(self, pages: int) -> None:
        """Keep what was used when half of so many pages were there."""
        if not hasattr(self, "half") and self.coordinator.pages >= pages // 2:
            self.half = self.used()

    def _finish(self, ended: str) -> CrawlProgress:
        self.whole = self.used()
        for member in self.members.values():
            status = Path(f"/proc/{member.pid}/statm").read_text(encoding="ascii")
            self.memory = max(self.memory, 4096 * int(status.split()[1]))
        return super()._finish(ended)


def cost(pages: int, rounds: int) -> None:
    """What a page costs, by the number of workers; rounds are interleaved."""
    every: dict[int, list[tuple[float, ...]]] = {workers: [] for workers in WORKERS}
    with ray_cluster(cpus=4), serve(small_web(pages, share=0.04, seed=1)) as web, tempfile.TemporaryDirectory() as name:
        for number in range(rounds):
            for workers in WORKERS[:: 1 if number % 2 else -1]:
                home = Path(name) / f"{workers}-{number}"
                crawl = MeteredCrawl(job(home, web.seeds, 64, delay=0.0, concurrent=8, lease=60.0), "auto", workers)
                count = crawl.run(partial(crawl.note_half, len(web.urls))).pages
                steered, timed, read, used, seconds, _, sent = crawl.whole.tolist()
                late_steered, _, late_read, _, _, late, _ = (crawl.whole - crawl.half).tolist()
                row = (1000 * steered / count, 1000 * read / count, steered / read, 1000 * used / count,
                       1000 * late_steered / late, late_steered / late_read,
                       1000 * timed / (seconds / workers), sent / count, crawl.memory / 1e6)  # fmt: skip
                every[workers].append(row)
                print(f"<!-- round {number}: {workers} workers, {count} pages, {row[0]:.2f} ms, {row[4]:.2f} in the "
                      f"second half ({late:.0f}) -->", flush=True)  # fmt: skip
    print(f"{count} pages, 64 shards, median (least to most) of {rounds} rounds, processor time:\n")
    head = ("workers", "ms of steering a page", "ms of reading a page", "steering / reading", "of it with one worker",
            "ms a page in all", "ms of beats and saves a second", "messages a page", "largest worker",
            "ms of steering a page, second half", "steering / reading, second half",
            "of it with one worker, second half")  # fmt: skip
    print("| " + " | ".join(head) + " |\n|" + "--:|" * len(head))
    bases = [median(row[column] for row in every[1]) for column in (2, 5)]
    for workers, rows in every.items():
        columns = list(zip(*rows, strict=True))
        steering, reading, share, whole, late, late_share = (
            f"{median(column):.2f} ({min(column):.2f} to {max(column):.2f})" for column in columns[:6]
        )
        flat, late_flat = median(columns[2]) / bases[0], median(columns[5]) / bases[1]
        timed, sent, memory = (median(column) for column in columns[6:])
        print(f"| {workers} | {steering} | {reading} | {share} | {flat:.2f} | {whole} | {timed:.0f} | {sent:.2f} "
              f"| {memory:.0f} MB | {late} | {late_share} | {late_flat:.2f} |", flush=True)  # fmt: skip


def sizes(links: int = 20) -> None:
    """Bytes of messages, with words and numbers that are drawn."""
    chance = random.Random(1)
    text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8").lower().split()
    words = [word for word in text if word.isalpha()]

    def url() -> str:
        word, other = chance.choice(words), chance.choice(words)
        return f"https://www.{word}{chance.randrange(1000)}.example/{other}/{word}-{chance.randrange(10**6)}.html"

    print("| links | bytes of a message | packed |\n|--:|--:|--:|")
    for count in (1, 5, links):
        ends = [LinkEnd(url(), None, " ".join(chance.choices(words, k=3))) for _ in range(count)]
        message = LinkMessage(ends, url(), 5, True, "th", "RELEVANT")
        plain = json.dumps(message, ensure_ascii=False).encode()
        print(f"| {count} | {len(plain):,} | {len(zlib.compress(plain, 3)):,} |")


def told(chance: random.Random, number: int) -> LinkMessage:
    """What a page tells of two links."""
    ends = [LinkEnd(f"http://host{chance.randrange(50)}.example/{chance.randrange(10**6)}.html") for _ in range(2)]
    ends = [end._replace(text="what is said of it") for end in ends]
    return LinkMessage(ends, f"http://other{chance.randrange(50)}.example/{number}.html", 3, True, "th", "RELEVANT")


def letters(count: int = 2_400) -> None:
    """What a shard needs to take a message in, by the number of messages in a letter; eight shards take turns."""
    from dragoman.crawl.live.driver.scoring import AnchorScorer, UrlScorer
    from dragoman.identifiers.text.identify import open_method

    chance, score = random.Random(1), UrlScorer(["th"])
    plan = CrawlPlan(Target(("th",)), score, allow_private=True, anchor=AnchorScorer(["th"], open_method()))
    print("| messages in a letter | ms a message |\n|--:|--:|")
    for size in (1, 2, 8, 60):
        took = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
                shards = []
                for number in range(8):
                    home = Path(folder) / str(number)
                    home.mkdir()
                    shards.append(ShardSteering(ShardStore(home, {}), plan, Shard(0, 1)))
                    opened.callback(shards[-1].store.abandon)
                    shards[-1].start([])
                texts = [told(chance, number).written() for number in range(count)]
                began = time.thread_time()
                for place, first in enumerate(range(0, count, size)):
                    shard = shards[place % len(shards)]
                    shard.receive(1, shard.store.last_from[1] + 1, texts[first : first + size])
                took.append(1000 * (time.thread_time() - began) / count)
        print(f"| {size} | {median(took):.2f} ({min(took):.2f} to {max(took):.2f}) |", flush=True)


def size(value: object) -> int:
    """Bytes that Ray sends for it."""
    dumps: Any = cloudpickle.dumps
    return len(dumps(value))


def waves(shards: int = 64) -> None:
    """What the coordinator does in a round, with so many workers that all have something new to tell."""
    print("| workers | shards | ms a round | bytes of a beat | bytes of a report |\n|--:|--:|--:|--:|--:|")
    for workers in (4, 100, 1_000):
        coordinator = Coordinator(job(Path("none"), [], shards * workers, delay=1.0, concurrent=16, lease=20.0))
        for worker in range(workers):
            coordinator.heard(worker, Report())
        coordinator.assign()
        values = np.sort(np.random.default_rng(1).normal(size=200))
        every: dict[int, Report] = {}
        for worker in range(workers):
            carried = {
                number: ShardFigures(owner.epoch, False, 5_000, 1_000, 10**7, 50, {})
                for number, owner in coordinator.owners.items()
                if owner.worker == worker
            }
            every[worker] = Report(carried, active=16, values=values)
            coordinator.beat_for(worker)
        began, rounds = time.process_time(), 5
        for _ in range(rounds):
            for worker, report in every.items():
                beat = coordinator.beat_for(worker)
                coordinator.heard(worker, report)
            coordinator.wave()
        took = 1000 * (time.process_time() - began) / rounds
        row = (workers, shards * workers, f"{took:.1f}", size(beat), size(every[0]))
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


QUICK = {"sizes": sizes, "waves": waves, "letters": letters}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kills", "cost", *QUICK])
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--times", type=int, default=20, help="kills, or rounds")
    parser.add_argument("--output", type=Path, help="write what is told into this file instead")
    given = parser.parse_args()
    with ExitStack() as stack:
        if given.output:
            stream = stack.enter_context(given.output.open("w", encoding="utf-8"))
            stack.enter_context(redirect_stdout(stream))
        if given.what in QUICK:
            QUICK[given.what]()
        else:
            (kills if given.what == "kills" else cost)(given.pages, given.times)


if __name__ == "__main__":
    main()
