"""ShardCrawl: one shard as a live crawl, with a spider and a scheduler that leave it to the worker what comes next."""

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

from scrapy import Request, Spider
from scrapy import exceptions as wrong
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response

from dragoman.crawl.live.cluster.job import ClusterJob, ShardFigures
from dragoman.crawl.live.cluster.shards import Shard
from dragoman.crawl.live.cluster.steering import MOVED, ShardSteering
from dragoman.crawl.live.cluster.storage import ShardStorage
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.driver.hosts import HostQueue
from dragoman.crawl.live.driver.scheduler import LiveScheduler
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.driver.spider import LiveSpider, location_of
from dragoman.crawl.live.state.expected import CurvePoint
from dragoman.crawl.live.state.links import Links, canonical_of
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.files import is_remote
from dragoman.types import Page

#: Messages without a receipt, and answers that are not safe yet, with which a shard fetches nothing more for now.
MOST_UNREAD, MOST_UNSAFE = 20_000, 20_000


class ShardCrawl(LiveCrawl):
    """One shard in the folder of the whole crawl: its own store in `shards/`, its parts beside those of the others.

    Where that is an address, it works in a folder of its own until it is let go.

    `holds` says whether its worker may still act for it; `woken` is called when there may be something to fetch, with
    the number of pages that have come.
    """

    steering: ShardSteering
    store: ShardStore
    woken: Callable[[int], None]
    crawler: Crawler

    def __init__(self, job: ClusterJob, number: int, epoch: int, holds: Callable[[], bool]) -> None:
        self.shard, self.epoch, self.holds = Shard(number, job.shards), epoch, holds
        folder, self.storage = Path(job.output), None
        if is_remote(job.output):
            folder = Path(tempfile.mkdtemp(prefix="dragoman-"))
            self.storage = ShardStorage(job.output, number, epoch, lambda: holds() or not self.leaving, holds)
        #: Files that were uploaded, with their times.
        self._uploaded: dict[Path, float] = {}
        #: Its scheduler, once Scrapy has opened the spider; True once it has to go, and while things are made safe.
        self.scheduler: ShardScheduler | None = None
        self.leaving = self.saving = False
        self._stopping: asyncio.Future[None] | None = None
        #: What its best URL counts; True: that has to be found out again.
        self._best, self.stale = -math.inf, True
        super().__init__(folder, job.target, job.seeds, manners=job.manners, **job.options)
        self._next_sync = math.inf  # the worker says when
        self.closing = self.leave
        if self.storage is not None and self.warc.file is not None:  # what was written last is elsewhere
            self.warc.close()
            (self.warc.folder / self.warc.file).unlink()
        #: The last message and the last of each source's messages that cannot be lost; answers that can; messages
        #: without a receipt.
        self.safe_until, self.safe_from = self.store.sent, dict(self.store.last_from)
        self._unsafe = self._unread = 0

    def _open(self, identity: dict[str, Any]) -> ShardStore:
        shard = self.shard
        if shard.count == 1 and self.storage is None:
            return ShardStore(self.folder, identity)
        name = f"{shard.number:05}"
        whole = (self.folder / "shards" / name, identity | {"shards": shard.count}, self.folder, f"{name}-")
        whole[0].mkdir(parents=True, exist_ok=True)
        if self.storage is not None:
            with closing(ShardStore(*whole)) as empty:
                self.storage.restore(empty)
        return ShardStore(*whole)

    def _steered(self, plan: CrawlPlan) -> ShardSteering:
        return ShardSteering(self.store, plan, self.shard)

    def _mend(self) -> None:
        """What was uploaded is whole, and the archive is not here."""
        if self.storage is None:
            super()._mend()

    def _write_progress(self) -> None:
        """The coordinator writes one for all."""

    def let_go(self) -> None:
        """Let its files go, without what was not committed."""
        self.warc.close()
        self.store.abandon()
        if self.storage is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- fetching

    async def carry(self, process: AsyncCrawlerProcess) -> None:
        """Fetch until it has to go; then everything is written to its end, if it still is this worker's."""
        self.crawler = process.create_crawler(ShardSpider)
        await process.crawl(self.crawler, crawl=self)
        while self.saving:
            await asyncio.sleep(0.05)
        if self.holds():
            self.finish(interrupted=True)
            await self.save(all_of_it=True)
            if self.broken is not None:
                raise self.broken

    def leave(self) -> None:
        """Ask for nothing more: it ends with what is on its way. To be said again where Scrapy has not begun yet."""
        self.leaving = True
        engine = self.crawler.engine
        if engine is not None and engine.running and self._stopping is None:
            self._stopping = asyncio.ensure_future(self.crawler.stop_async())

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for."""
        return self.broken is not None or self.leaving or not self.holds()

    def take(self, answer: CrawlAnswer, links: Links) -> None:
        """An answer has come."""
        super().take(answer, links)
        self._unsafe += 1
        self.woken(answer.reason is None)

    @property
    def offer(self) -> float:
        """What its best URL counts; minus infinity if none may be asked for, or others have to catch up before."""
        if self.scheduler is None or self.leaving or self._unsafe >= MOST_UNSAFE or self._unread >= MOST_UNREAD:
            return -math.inf
        alarm = self.scheduler.hosts.next_alarm
        if alarm is not None and alarm <= time.monotonic():
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
        busy = steering.waiting or self.store.unanswered or self.saving
        idle = not busy and self.scheduler is not None and self.scheduler.spider.quiet
        return ShardFigures(self.epoch, idle, self.store.sent, steering.bytes, len(steering.of_server),
                            steering.quota_pages(), point)  # fmt: skip

    # ---- what cannot be lost any more

    async def save(self, *, all_of_it: bool = False) -> None:
        """Let the disk, or the storage, have what is new: from here on it may be told."""
        store, unsafe = self.store, self._unsafe
        new = unsafe or self.safe_until < store.sent or self.safe_from != store.last_from
        if self.saving or not (new or all_of_it):
            return
        self.saving = True
        try:
            sent, received = store.sent, dict(store.last_from)
            self.warc.sync()
            store.sync()
            if self.storage is not None:
                self.warc.close()
                segment, files = self.storage.segment(store), self._new_files()
                await asyncio.to_thread(self.storage.upload, segment, files, self.folder)
            self.safe_until, self.safe_from, self._unsafe = sent, received, self._unsafe - unsafe
            (self._unread,) = store.rows("SELECT count(*) FROM outbox")[0]
        except Exception as error:
            if self.holds():
                self.stop(error)
        finally:
            self.saving = False

    def _new_files(self) -> list[Path]:
        """Archives and parts that were written since they were asked for last."""
        pattern, before = f"pa*-{self.store.prefix}*", self._uploaded
        paths = [path for name in ("warc", "catalogue", "decisions") for path in (self.folder / name).glob(pattern)]
        self._uploaded = {path: path.stat().st_mtime for path in paths}
        return [path for path, written in self._uploaded.items() if before.get(path) != written]


class ShardHosts(HostQueue):
    """Hosts whose delays go with the shard: whoever carried it before may have asked each of them just now."""

    def __init__(self, crawl: ShardCrawl, per_host: int) -> None:
        super().__init__(crawl, per_host)
        self._store = crawl.store
        self._delays = {int(server): seconds for server, seconds in crawl.store.get("delays", {}).items()}
        for server in crawl.store.server.there() if crawl.resumed else ():
            self._rest(server, self._delays.get(server, self._delay))

    def set_delay(self, server: int, seconds: float) -> None:
        """From now on a server has a delay of its own, whoever carries its shard."""
        super().set_delay(server, seconds)
        self._store.set("delays", self._delays)
        self._store.commit()


class ShardSpider(LiveSpider):
    """A spider that does not end when nothing waits, and lets redirects to other shards go there."""

    crawl: ShardCrawl
    queue = ShardHosts

    def idle(self) -> None:
        """Nothing waits here, but others may send links."""
        super().idle()
        if not self.crawl.leaving:
            raise wrong.DontCloseSpider

    @property
    def quiet(self) -> bool:
        """True if nothing is on its way."""
        engine: Any = self.crawler.engine
        return not self._listed and not self.hosts.active and engine.spider_is_idle()

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


class ShardScheduler(LiveScheduler):
    """Hands out redirects and retries by itself, and the best URL when the worker asks for it."""

    spider: ShardSpider
    crawl: ShardCrawl

    def open(self, spider: Spider) -> None:
        """Scrapy is ready: from now on its shard knows it."""
        self.crawl.scheduler = self
        self._nudge()

    def close(self, reason: str) -> None:
        """Nothing can be asked for any more."""
        super().close(reason)
        self.crawl.scheduler = None

    def next_request(self) -> Request | None:
        """A redirect, or a retry."""
        return self._first.popleft() if self._first else None

    def ask(self) -> bool:
        """Ask for the best URL whose host is ready; False if there is none, now."""
        request, engine = super().next_request(), self.spider.crawler.engine
        if request is None or engine is None:
            return False
        engine.crawl(request)
        return True

    def _nudge(self) -> None:
        self._alarm = None
        self.crawl.woken(0)
