"""A crawl in shards on a Ray cluster of this machine: several.py kills|cost|sizes|waves [--pages N] [--times N].

- kills: workers, and once a whole node, are killed at random moments; what the server saw, catalogue and archive are
  compared.
- sizes: bytes of messages. waves: what the coordinator does in a round, without workers.
- cost: processor seconds of the workers per page with 1, 2 and 4 workers; the web is played by this process.
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
from contextlib import suppress
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
from dragoman.crawl.live.cluster.shards import LinkMessage  # noqa: E402
from dragoman.crawl.live.driver.session import Manners  # noqa: E402
from dragoman.crawl.live.state.links import LinkEnd  # noqa: E402
from dragoman.crawl.live.state.targets import Target  # noqa: E402


def job(folder: Path, seeds: list[str], shards: int, *, delay: float, concurrent: int, lease: float) -> ClusterJob:
    """A crawl of everything on loopback."""
    manners = Manners(delay=delay, concurrent=concurrent, resolve={"*": "127.0.0.1"}, allow_private=True)
    return ClusterJob(str(folder), shards, Target(("th",), strategy="bfs"), seeds, manners, lease=lease, safe=0.5)


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
        crawl = ClusterCrawl(job(home, web.seeds, shards, delay=delay, concurrent=8, lease=6.0), "auto", workers)
        killed: list[str] = []
        step = len(web.urls) // (times + 2)

        def kill() -> None:
            fetched = sum(not url.endswith("/robots.txt") for _, _, url in asked)
            there = [one.pid for one in crawl.members.values() if one.ready and not one.gone and one.pid]
            if len(killed) < times and fetched > step * (len(killed) + 1) and len(there) == workers:
                time.sleep(chance.random() * 0.2)
                if len(killed) == times // 2:
                    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                    killed.append("node")
                else:
                    with suppress(ProcessLookupError):  # it has gone with its node
                        os.kill(chance.choice(there), signal.SIGKILL)
                        killed.append("worker")

        progress = crawl.run(kill)
        rows, archived = Counter(catalogue(home)["url"]), records(home)
        seen = Counter(url for _, _, url in asked if not url.endswith("/robots.txt"))
        again, every_gap = seen.total() - len(seen), sorted(gaps(asked))
        in_archive = {url: count for (kind, url), count in archived.items() if kind == "response"}
        print(f"{len(web.urls)} pages, {shards} shards, {workers} workers on 3 nodes: {progress.ended}")
        print(f"killed: {dict(Counter(killed))}")
        print(f"catalogue: {len(rows)} URLs, {rows.total() - len(rows)} twice, {len(set(web.urls) - set(rows))} lost")
        print(f"archive: {len(in_archive)} URLs, equal to the catalogue: {in_archive == dict(rows)}; all digests right")
        print(f"asked for again: {again}, {again / max(len(killed), 1):.1f} a kill (at most 8 are on their way)")
        short = sum(gap < delay - 0.05 for gap in every_gap)
        print(f"gaps between two requests to a host: {len(every_gap)}, shortest {1000 * every_gap[0]:.0f} ms, "
              f"{short} more than 50 ms under the delay of {1000 * delay:.0f} ms")  # fmt: skip


def gaps(asked: list[tuple[float, str, str]]) -> list[float]:
    """The times between two requests to one host, as the server saw them."""
    hosts: dict[str, list[float]] = {}
    for when, host, _ in sorted(asked):
        hosts.setdefault(host, []).append(when)
    return [after - before for times in hosts.values() for before, after in pairwise(times)]


def cost(pages: int, rounds: int) -> None:
    """What a page costs, by the number of workers."""
    with ray_cluster(), serve(small_web(pages, share=0.04, seed=1)) as web, tempfile.TemporaryDirectory() as name:
        head = ("workers", "pages", "processor seconds", "ms a page", "messages a page", "ms a beat", "largest worker")
        print("| " + " | ".join(head) + " |")
        print("|--:|--:|--:|--:|--:|--:|--:|")
        for number in range(rounds):
            for workers in (1, 2, 4):
                home = Path(name) / f"{workers}-{number}"
                crawl = ClusterCrawl(job(home, web.seeds, 64, delay=0.0, concurrent=8, lease=30.0), "auto", workers)
                meter = Meter(crawl)
                progress = crawl.run(meter.look)
                sent = sum(figures.sent for figures in crawl.coordinator.figures.values())
                row = (workers, progress.pages, f"{meter.used:.1f}", f"{1000 * meter.used / progress.pages:.1f}",
                       f"{sent / progress.pages:.2f}", f"{1000 * median(meter.beats):.0f}",
                       f"{meter.memory / 1e6:.0f} MB")  # fmt: skip
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


class Meter:
    """Processor seconds of workers since they were ready."""

    def __init__(self, crawl: ClusterCrawl) -> None:
        self.crawl = crawl
        self.first: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.memory = 0
        self.beats: list[float] = []

    def look(self) -> None:
        """See what they have used."""
        for worker, report in self.crawl.coordinator.reports.items():
            if report.processor and self.crawl.coordinator.pages:
                self.first.setdefault(worker, report.processor)
                self.last[worker] = report.processor
                self.beats.append(self.crawl.members[worker].took)
                with suppress(OSError):
                    status = Path(f"/proc/{self.crawl.members[worker].pid}/statm").read_text(encoding="ascii")
                    self.memory = max(self.memory, 4096 * int(status.split()[1]))

    @property
    def used(self) -> float:
        """By all of them."""
        return sum(self.last.values()) - sum(self.first.values())


def sizes(links: int = 20) -> None:
    """Bytes of messages, with words and numbers that are drawn."""
    chance = random.Random(1)
    text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8").lower().split()
    words = [word for word in text if word.isalpha()]

    def url() -> str:
        word, other = chance.choice(words), chance.choice(words)
        return f"https://www.{word}{chance.randrange(1000)}.example/{other}/{word}-{chance.randrange(10**6)}.html"

    for count in (1, 5, links):
        ends = [LinkEnd(url(), None, " ".join(chance.choices(words, k=3))) for _ in range(count)]
        message = LinkMessage(12, 34, 56_789, 56_700, ends, url(), 5, True, "th", "RELEVANT")
        plain = json.dumps(message, ensure_ascii=False).encode()
        print(f"a message with {count} links: {len(plain)} bytes, {len(zlib.compress(plain, 3))} packed")


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
            coordinator.join(worker)
        coordinator.assign()
        values = np.sort(np.random.default_rng(1).normal(size=200))
        every: dict[int, Report] = {}
        for worker in range(workers):
            carried = {
                number: ShardFigures(owner.epoch, 1_000, 10**7, 50, 300, 9_000, 800.0, 1_100, {}, False, 5_000, 5_000)
                for number, owner in coordinator.owners.items()
                if owner.worker == worker
            }
            every[worker] = Report(carried, frozenset(carried), 0, 16, 16, values, False, {})
            coordinator.beat_for(worker)
        began, rounds = time.perf_counter(), 5
        for _ in range(rounds):
            for worker, report in every.items():
                beat = coordinator.beat_for(worker)
                coordinator.heard(worker, report)
            coordinator.wave()
        took = 1000 * (time.perf_counter() - began) / rounds
        row = (workers, shards * workers, f"{took:.1f}", size(beat), size(every[0]))
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kills", "cost", "sizes", "waves"])
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--times", type=int, default=20, help="kills, or rounds")
    given = parser.parse_args()
    if given.what in ("sizes", "waves"):
        (sizes if given.what == "sizes" else waves)()
    else:
        (kills if given.what == "kills" else cost)(given.pages, given.times)


if __name__ == "__main__":
    main()
