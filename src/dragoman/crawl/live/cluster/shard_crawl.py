"""ShardCrawl: one shard as a live crawl of its own, whose worker says what comes next."""

from __future__ import annotations

import asyncio
import math
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.http import Response

from dragoman.crawl.live.cluster.job import ClusterJob, ShardFigures
from dragoman.crawl.live.cluster.shards import Shard
from dragoman.crawl.live.cluster.steering import MOVED, ShardSteering
from dragoman.crawl.live.cluster.storage import ShardStorage
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.driver.spider import LiveSpider, location_of
from dragoman.crawl.live.state.expected import CurvePoint
from dragoman.crawl.live.state.links import Links, canonical_of
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.files import is_remote
from dragoman.types import Page

#: Lines of the log that are not safe yet, and messages without a receipt, with which a shard fetches nothing for now.
MOST_BEHIND = 20_000


class ShardCrawl(LiveCrawl):
    """One shard in the folder of the whole crawl: its own store in `shards/`, its parts beside those of the others.

    Where that is an address, it works in a folder of its own until it is let go.

    `holds` says whether its worker may still act for it; `came` is told of each answer, whether it was a page.
    """

    steering: ShardSteering
    store: ShardStore
    spider: ShardSpider

    def __init__(
        self, job: ClusterJob, number: int, epoch: int, holds: Callable[[], bool], came: Callable[[bool], None]
    ) -> None:
        self.shard, self.epoch, self.holds, self._came = Shard(number, job.shards), epoch, holds, came
        folder, self.storage = Path(job.output), None
        if is_remote(job.output):
            folder = Path(tempfile.mkdtemp(prefix="dragoman-"))
            self.storage = ShardStorage(job.output, number, epoch, lambda: holds() or not self.leaving, holds)
        #: True once it has to go, and while things are made safe.
        self.leaving = self.saving = False
        #: What its best URL counts; True: that has to be found out again.
        self._best, self.stale = -math.inf, True
        super().__init__(folder, job.target, job.seeds, manners=job.manners, **job.options)
        self._next_sync = math.inf  # the worker says when
        #: What cannot be lost any more, and the length of the log from which on others have to catch up before.
        self.safe, self._enough_lines = self.store.mark, math.inf

    def _open(self, identity: dict[str, Any]) -> ShardStore:
        shard = self.shard
        if shard.count == 1 and self.storage is None:
            return ShardStore(self.folder, identity)
        name = f"{shard.number:05}"
        whole = (self.folder / "shards" / name, identity | {"shards": shard.count}, self.folder, f"{name}-")
        whole[0].mkdir(parents=True, exist_ok=True)
        if self.storage is None:
            return ShardStore(*whole)
        with closing(ShardStore(*whole)) as empty:
            self.storage.restore(empty)
        store = ShardStore(*whole)
        self.storage.begin(store)
        return store

    def _steered(self, plan: CrawlPlan) -> ShardSteering:
        return ShardSteering(self.store, plan, self.shard)

    def _mend(self) -> None:
        """What was uploaded is whole, and the archive is not here."""
        if self.storage is None:
            super()._mend()

    def _write_progress(self) -> None:
        """The coordinator writes one for all."""

    async def end(self) -> None:
        """Write everything to its end."""
        while self.saving:
            await asyncio.sleep(0.05)
        self.finish(interrupted=True)
        await self.save(all_of_it=True)
        if self.broken is not None:
            raise self.broken

    def let_go(self) -> None:
        """Let its files go, without what was not committed."""
        self.warc.close()
        self.store.abandon()
        if self.storage is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- fetching

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for."""
        return self.broken is not None or self.leaving or not self.holds()

    def take(self, answer: CrawlAnswer, links: Links) -> None:
        """An answer has come."""
        super().take(answer, links)
        self.stale = True
        self._came(answer.reason is None)

    @property
    def alarm(self) -> float:
        """When a host of it is ready that something waits for."""
        at = self.spider.hosts.next_alarm
        return math.inf if at is None or self.enough() or self.store.lines >= self._enough_lines else at

    @property
    def offer(self) -> float:
        """What its best URL counts; minus infinity if none may be asked for, or others have to catch up before."""
        if self.enough() or self.store.lines >= self._enough_lines:
            return -math.inf
        if self.alarm <= time.monotonic():
            return math.inf  # what is in hand goes first, whatever it counts
        if self.stale:
            self._best, self.stale = self.steering.best, False
        return self._best if self._best >= self.steering.level else -math.inf

    @property
    def figures(self) -> ShardFigures:
        """Where it stands."""
        steering = self.steering
        expected = steering.curve[-1].expected if steering.curve else 0.0
        point = CurvePoint(steering.pages, steering.relevant, steering.waiting, expected, steering.answers.total(), 0.0)
        idle = not (steering.waiting or self.store.unanswered or self.saving) and self.spider.is_idle
        return ShardFigures(self.epoch, idle, self.store.lines, steering.bytes, len(steering.of_server),
                            steering.quota_pages(), point)  # fmt: skip

    async def save(self, *, all_of_it: bool = False) -> None:
        """Let the disk, or the storage, have what is new: from here on it may be told."""
        mark, store = self.store.mark, self.store
        self._enough_lines = self.safe.lines + MOST_BEHIND - store.owed
        if self.saving or not (all_of_it or mark.lines > self.safe.lines):
            return
        self.saving = True
        try:
            self.warc.sync()
            store.sync()
            if self.storage is not None:
                self.warc.close()
                parts = [
                    path for name in ("warc", "catalogue", "decisions") for path in (self.folder / name).glob("pa*")
                ]
                files = [*parts, self.storage.segment(store)]
                await asyncio.to_thread(self.storage.upload, files, self.folder)
            self.safe = mark
        except Exception as error:
            if self.holds():
                self.stop(error)
        finally:
            self.saving = False


class ShardSpider(LiveSpider):
    """A spider that lets redirects to other shards go there."""

    crawl: ShardCrawl

    @property
    def is_busy(self) -> bool:
        """True if something is on its way."""
        engine: Any = self.crawler.engine
        asked = (*engine.scheduler.first, *engine.downloader.active)
        return self.hosts.active > 0 or any(self.crawl.shard.owns(request.url) for request in asked)

    @property
    def is_idle(self) -> bool:
        """True if nothing is on its way, and nothing was listed that is not queued yet."""
        return not self.is_busy and not self._listed

    def _is_copy(self, page: Page, answer: CrawlAnswer) -> bool:
        """As usual, except that nobody here knows what another shard has."""
        url = canonical_of(page)
        return (url is None or self.crawl.shard.owns(url)) and super()._is_copy(page, answer)

    def _redirected(self, response: Response, answer: CrawlAnswer, hops: tuple[str, ...]) -> Request | None:
        steering = self.crawl.steering
        url = steering.gate.follow(location_of(response), Counter())
        if url is None or self.crawl.shard.owns(url):
            return super()._redirected(response, answer, hops)
        answer.reason = MOVED if steering.pass_on(url, answer.url) else "too many redirects"
        return None
