"""ShardCrawl: one shard as a live crawl, with a spider and a scheduler that leave it to the worker what comes next."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin

from scrapy import Request, Spider, signals
from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.http import Response

from dragoman.crawl.live.cluster.job import ClusterJob
from dragoman.crawl.live.cluster.shards import Receipt, Shard
from dragoman.crawl.live.cluster.steering import MOVED, ShardSteering
from dragoman.crawl.live.cluster.storage import ShardStorage
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.driver.hosts import HostQueue
from dragoman.crawl.live.driver.scheduler import LiveScheduler
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.driver.spider import LiveSpider
from dragoman.crawl.live.state.links import Links, canonical_of
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.files import is_remote
from dragoman.types import Page

#: Messages without a receipt, and answers that are not safe yet, with which a shard fetches nothing more for now.
MOST_UNREAD, MOST_UNSAFE = 20_000, 20_000


class ShardCrawl(LiveCrawl):
    """One shard in the folder of the whole crawl: its own store in `shards/`, its parts beside those of the others.

    `holds` says whether its worker may still act for it; `woken` is called when there may be something to fetch.
    """

    steering: ShardSteering
    store: ShardStore

    def __init__(self, job: ClusterJob, number: int, epoch: int, folder: Path) -> None:
        self.shard, self.epoch = Shard(number, job.shards), epoch
        self.holds: Callable[[], bool] = lambda: True
        self.woken: Callable[[], None] = lambda: None
        self.leaving = False
        self.storage = ShardStorage(job.output, number, epoch) if is_remote(job.output) else None
        self._archives: set[Path] = set()
        self._parts: dict[Path, float] = {}
        #: Its scheduler, once Scrapy has opened the spider.
        self.scheduler: ShardScheduler | None = None
        super().__init__(folder, job.target, job.seeds, manners=job.manners, **job.options)
        self.epochs_before = int(self.store.get("epoch", 0))
        self.store.set("epoch", epoch)
        self.store.commit()
        self._next_sync = math.inf  # the worker says when
        if self.storage is not None:
            self.warc.close()  # the file that was written last is elsewhere
        #: The last message and the last of each source's messages that a loss of power would leave; answers since.
        self.safe_until, self.safe_from = self.store.sent, dict(self.store.last_from)
        self.unsafe_answers = self.new_pages = 0

    def _open(self, identity: dict[str, Any]) -> ShardStore:
        shard = self.shard
        if shard.count == 1 and self.storage is None:
            return ShardStore(self.folder, identity)
        state = self.folder / "shards" / f"{shard.number:05}"
        identity |= {"shards": shard.count}
        prefix = f"{shard.number:05}-"
        if self.storage is not None:
            shutil.rmtree(state, ignore_errors=True)  # of an earlier turn of this worker
        state.mkdir(parents=True, exist_ok=True)
        store = ShardStore(state, identity, self.folder, prefix)
        if self.storage is None:
            return store
        try:
            self.storage.restore(store)
        finally:
            store.close()
        return ShardStore(state, identity, self.folder, prefix)

    def _steered(self, plan: CrawlPlan) -> ShardSteering:
        return ShardSteering(self.store, plan, self.shard)

    def _mend(self) -> None:
        """What was uploaded is whole, and the archive is not here."""
        if self.storage is None:
            super()._mend()

    def _write_progress(self) -> None:
        """The coordinator writes one for all."""

    @property
    def full(self) -> bool:
        """True while others have to catch up before this shard fetches more."""
        return self.unsafe_answers >= MOST_UNSAFE or self.store.sent - self.safe_until >= MOST_UNREAD

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for."""
        return self.broken is not None or self.leaving or not self.holds()

    def take(self, answer: CrawlAnswer, links: Links) -> None:
        """An answer has come; it is nobody's if the shard may be another worker's by now."""
        if not self.holds():
            return
        super().take(answer, links)
        self.unsafe_answers += 1
        if answer.warc is not None:
            self._archives.add(self.folder / "warc" / answer.warc)
        self.new_pages += answer.reason is None
        self.woken()

    def make_safe(self) -> None:
        """Let the disk have everything: from here on it may be told."""
        self.warc.sync()
        self.store.keep_receipts()
        self.store.sync()
        self.mark_safe(self.store.sent, dict(self.store.last_from))

    def set_out(self) -> Callable[[], bool]:
        """What makes everything up to now safe at another place, for another thread; True when it has."""
        assert self.storage is not None
        self.warc.sync()
        self.warc.close()
        self.store.keep_receipts()
        folders = ("catalogue", "decisions")
        pattern = f"part-{self.store.prefix}*.parquet"
        parts = {path: path.stat().st_mtime for name in folders for path in (self.folder / name).glob(pattern)}
        files = sorted(self._archives | {path for path, time in parts.items() if self._parts.get(path) != time})
        self._archives, self._parts = set(), parts
        segment, storage = self.storage.segment(self.store, self.store.folder), self.storage
        return lambda: storage.upload(segment, files, self.folder, lambda: self.holds())

    def mark_safe(self, sent: int, received: dict[int, int]) -> None:
        """What was sent up to a number, and received up to these, cannot be lost any more."""
        self.safe_until, self.safe_from, self.unsafe_answers = sent, received, 0

    def receipts(self, sources: set[int]) -> list[Receipt]:
        """What these shards may forget."""
        return [Receipt(source, self.shard.number, self.safe_from.get(source, 0)) for source in sources]


class ShardHosts(HostQueue):
    """Hosts whose delays go with the shard: whoever carried it before may have asked each of them just now."""

    def __init__(self, crawl: ShardCrawl) -> None:
        self._store = crawl.store
        steering, own = crawl.steering, crawl.store.get("delays", {})
        super().__init__(crawl, crawl.manners.per_host)
        self._delays.update({int(server): seconds for server, seconds in own.items()})
        for server in {*steering.of_server, *steering.errors, *map(crawl.store.server.__getitem__, steering.in_flight)}:
            self._rest(server, self._delays.get(server, self._delay))
            if server in self._hand:
                self._set_alarm(server)

    def set_delay(self, server: int, seconds: float) -> None:
        """From now on a server has a delay of its own, with the next commit."""
        super().set_delay(server, seconds)
        self._store.set("delays", self._delays)


class ShardSpider(LiveSpider):
    """A spider that does not end when nothing waits, and lets redirects to other shards go there."""

    crawl: ShardCrawl
    scheduler: ShardScheduler

    def __init__(self, crawl: ShardCrawl, **more: Any) -> None:
        super().__init__(crawl, **more)
        self.hosts = ShardHosts(crawl)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """The spider, which tells its worker when it can be used."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        return spider

    def opened(self) -> None:
        """Scrapy is ready."""
        self.crawl.scheduler = self.scheduler
        self.crawl.woken()

    def idle(self) -> None:
        """Nothing waits here, but others may send links."""
        super().idle()
        self.crawl.woken()
        if not self.crawl.leaving and self.crawl.broken is None:
            raise wrong.DontCloseSpider

    @property
    def quiet(self) -> bool:
        """True if nothing is on its way."""
        engine = self.crawler.engine
        if engine is None or self._listed or self.hosts.active:
            return False
        try:
            return engine.spider_is_idle()
        except RuntimeError:  # it has not begun yet, or has ended
            return False

    def flush(self) -> None:
        """Queue what sitemaps told, once nothing else waits."""
        if self._listed and not self.hosts.active and not self.crawl.steering.waiting:
            try:
                super().idle()
            except wrong.DontCloseSpider:
                self.crawl.woken()

    def _is_copy(self, page: Page, answer: CrawlAnswer) -> bool:
        """As usual, except that nobody here knows what another shard has."""
        url = canonical_of(page)
        return (url is None or self.crawl.shard.owns(url)) and super()._is_copy(page, answer)

    def _redirected(self, response: Response, answer: CrawlAnswer, hops: tuple[str, ...]) -> Request | None:
        steering = self.crawl.steering
        try:
            location = urljoin(response.url, (response.headers.get("Location") or b"").decode("latin-1"))
        except ValueError:
            location = ""
        url = steering.gate.follow(location, type(steering.reasons)())
        if url is None or self.crawl.shard.owns(url):
            return super()._redirected(response, answer, hops)
        answer.reason = MOVED if steering.pass_on(url, answer.url) else "too many redirects"
        return None


class ShardScheduler(LiveScheduler):
    """Hands out what the worker asked for, redirects and retries."""

    spider: ShardSpider

    def open(self, spider: Spider) -> None:
        """Scrapy has made it."""
        self.spider.scheduler = self

    def has_pending_requests(self) -> bool:
        """True while something is to be handed out."""
        return bool(self._first)

    def next_request(self) -> Request | None:
        """What was asked for."""
        return self._first.popleft() if self._first else None

    def ask(self) -> bool:
        """Ask for the best URL whose host is ready; False if there is none, now."""
        try:
            key = self.hosts.take()
            engine = self.spider.crawler.engine
            if key is not None and engine is not None:
                engine.crawl(self.spider.request(key))
                return True
            self._set_alarm()
        except Exception as error:
            self.crawl.stop(error)
        return False

    @property
    def is_due(self) -> bool:
        """True if a host that something waits for is ready."""
        alarm = self.hosts.next_alarm
        return alarm is not None and alarm <= time.monotonic()

    def _nudge(self) -> None:
        self._alarm = None
        assert isinstance(self.crawl, ShardCrawl)
        self.crawl.woken()
