"""Worker: an actor of Ray that carries shards, fetches for them in one order, and passes links on; all in its loop."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from scrapy import Request, Spider, signals
from scrapy import exceptions as wrong
from scrapy.crawler import AsyncCrawlerRunner

from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Letter, Owner, Receipt, Report, largest
from dragoman.crawl.live.cluster.shard_crawl import ShardCrawl
from dragoman.crawl.live.cluster.shards import Shard
from dragoman.crawl.live.driver.resolver import SafeResolver
from dragoman.crawl.live.driver.run import hush, settings
from dragoman.crawl.live.driver.scoring import AnchorScorer, UrlScorer
from dragoman.crawl.live.driver.spider import LiveSpider
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.files import is_remote
from dragoman.identifiers.models import DEFAULT
from dragoman.identifiers.text.identify import open_method

#: Seconds between two looks at everything, and between two reports of what was found; the share of the time that making
#: things safe may take.
LOOK, TELL, SAFE_SHARE = 0.1, 2.0, 0.2
#: Messages in a parcel.
PARCEL = 500


class Worker:
    """Carries the shards that the coordinator gives it.

    It fetches, uploads and tells others something as long as the coordinator is heard: not for longer than the lease,
    after which others may carry its shards. Is it heard again, they have not got them, and everything goes on. What a
    shard has to tell is sent once it cannot be lost, and again until a receipt comes.

    To Scrapy it is the hosts of one crawl, and that crawl: it asks whichever shard has the best URL.
    """

    def __init__(self, name: int, job: ClusterJob) -> None:
        hush()
        # Read now: later it would take lease's time. A model makes its tables when it is asked for the first time.
        UrlScorer(job.target.languages, job.options.get("model", DEFAULT))(["http://example.org/"])
        AnchorScorer(job.target.languages, open_method())(["a link to somewhere"])
        self.name, self.job = name, job
        self.owners: Mapping[int, Owner] = {}
        #: The other workers, as actors.
        self.peers: Mapping[int, Any] = {}
        #: Shards that are fetched for, and what opens, carries and closes each.
        self.carried: dict[int, ShardCrawl] = {}
        #: Those of them that may ask for something, those with the best URLs first.
        self._order: list[ShardCrawl] = []
        self._tasks: dict[int, asyncio.Future[None]] = {}
        self._ended: list[CrawlProgress] = []
        self.failure: Exception | None = None
        self.notes: list[str] = []
        self.level, self.permits, self._next_told = -math.inf, 0, 0.0
        #: When the answer before the last beat was given, and the last one.
        self._heard, self._answered = -math.inf, time.monotonic()
        #: What is on its way to other workers.
        self._parcels: dict[int, asyncio.Future[None]] = {}

    async def begin(self) -> int:
        """Start Scrapy in the loop of this actor; the number of its process."""
        from twisted.internet import asyncioreactor

        asyncioreactor.install(asyncio.get_running_loop())  # type: ignore[no-untyped-call]
        from twisted.internet import reactor

        running: Any = reactor
        running.startRunning(installSignalHandlers=False)  # `run` without running the loop, which runs already
        usual = settings(self.job.manners, self.job.options.get("limits") or CrawlLimits(), self.job.target.languages)
        runner = AsyncCrawlerRunner(usual)
        crawler = runner.create_crawler(WorkerSpider)
        SafeResolver.from_crawler(crawler, running).install_on_reactor()
        opened = asyncio.Event()
        crawler.signals.connect(opened.set, signals.spider_opened, weak=False)
        crawling = runner.crawl(crawler, worker=self)
        crawling.add_done_callback(lambda _: opened.set())
        await opened.wait()
        if crawling.done():
            crawling.result()  # why it cannot
        self.crawler: Any = crawler
        self._scheduler: Any = crawler.engine.scheduler
        self._loops = [asyncio.ensure_future(loop()) for loop in (self._keep_safe, self._look)]
        return os.getpid()

    @property
    def holds(self) -> bool:
        """True while the coordinator will not give this worker's shards to others.

        It counts from when it asked what was not answered. That was after it had the answer before: nothing else is
        known of it here, since a beat may have been on its way for long.
        """
        return time.monotonic() - self._heard < self.job.lease

    # ---- what the coordinator tells

    async def beat(self, beat: Beat, peers: Mapping[int, Any] | None) -> Report:
        """Take what the coordinator tells, and say where everything stands; who the others are, if that has changed."""
        if self.failure is not None:
            raise self.failure
        self._heard, self._answered = self._answered, time.monotonic()
        self.permits, self.level = self.permits + beat.grant, beat.level
        if beat.owners is not None:
            changed = {number for number, owner in beat.owners.items() if self.owners.get(number) != owner}
            self.owners = beat.owners
            for shard in self.carried.values():
                shard.store.forget(changed)
        self.peers = self.peers if peers is None else peers
        for number, owner in self.owners.items():
            if owner.worker == self.name and number not in self._tasks:
                self._tasks[number] = asyncio.ensure_future(self._carry(number, owner))
        carried, now = self.carried.values(), time.monotonic()
        for shard in carried:
            shard.leaving |= self.owners.get(shard.shard.number) != Owner(self.name, shard.epoch)
            shard.steering.level = beat.level
        self._set_order()
        active, hungry = self.active, any(-math.inf < shard.best >= self.level for shard in self._order)
        if not hungry:
            self.permits = active  # others may have the rest
        best = largest((shard.steering.frontier.values(beat.wanted_values) for shard in carried), beat.wanted_values)
        progress = CrawlProgress.merged([shard.progress for shard in carried]) if now >= self._next_told else None
        self._next_told = self._next_told if progress is None else now + TELL
        notes, self.notes = self.notes, []
        shards = {number: self.carried[number].figures if number in self.carried else None for number in self._tasks}
        likely = any(shard.steering.likely for shard in carried)
        return Report(shards, self.permits, active, best, hungry, likely, notes, progress)

    async def finish(self, reason: str) -> CrawlProgress | None:
        """Write all shards to their end; what they found."""
        self._heard, self.owners, self._ended = math.inf, {}, []
        while self._tasks:
            for shard in self.carried.values():
                shard.ended, shard.leaving = reason, True
            await asyncio.sleep(LOOK)
        if self.failure is not None:
            raise self.failure
        return CrawlProgress.merged(self._ended)

    async def _carry(self, number: int, owner: Owner) -> None:
        """Open a shard, let it be fetched for until it has to go, and close it; nobody else gets it before."""
        shard = None
        try:
            shard = await asyncio.to_thread(
                ShardCrawl, self.job, number, owner.epoch, lambda: self.holds, self._count_page
            )
            if self.owners.get(number) == owner:
                self.notes += shard.notes
                shard.steering.level, shard.spider = self.level, LiveSpider.from_crawler(self.crawler, crawl=shard)
                self.carried[number] = shard
                while not (shard.leaving or shard.broken) or shard.is_busy:
                    await asyncio.sleep(LOOK)
                if self.holds:
                    await shard.end()
                    self._ended.append(shard.progress)
        except Exception as error:
            if self.holds and "Another process is crawling" not in str(error):  # one that was killed just now
                self.failure = error
        finally:
            self.carried.pop(number, None)
            self._tasks.pop(number, None)
            if shard is not None:
                shard.let_go()

    # ---- fetching: what Scrapy's scheduler asks the hosts of a crawl, and a crawl

    @property
    def active(self) -> int:
        """How many pages are on their way."""
        return sum(shard.spider.hosts.active for shard in self.carried.values())

    @property
    def next_alarm(self) -> float | None:
        """When the next host that something waits for is ready; None if none will be by itself."""
        alarms = (shard.spider.hosts.next_alarm for shard in self._order)
        return min((at for at in alarms if at is not None), default=None)

    def _set_order(self) -> None:
        asking = (shard for shard in self.carried.values() if not shard.waits_for_others)
        self._order = sorted(asking, key=lambda shard: -shard.best)

    def take(self) -> Request | None:
        """The request for the best URL whose host is ready, of the shard that had the best a moment ago; or None."""
        for shard in self._order:
            if not shard.enough() and (key := shard.spider.hosts.take()) is not None:
                return shard.spider.request(key)
        return None

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for now; `active` are the pages that are on their way."""
        return not self.holds or (self.job.counted and active >= self.permits)

    def stop(self, error: Exception) -> None:
        """A mistake ends the crawl, instead of being heard by nobody."""
        self.failure = self.failure or error

    def _count_page(self, is_page: bool) -> None:
        self.permits -= is_page

    async def _look(self) -> None:
        """Everything that has its time."""
        while True:
            try:
                if self.holds:
                    self._post()
                self._set_order()
                self._scheduler.nudge()
            except Exception as error:
                self.stop(error)
            await asyncio.sleep(LOOK)

    async def _keep_safe(self) -> None:
        """Make everything safe, again and again."""
        while True:
            began = time.monotonic()
            await asyncio.gather(*(shard.save() for shard in self.carried.values()))
            often = max(self.job.safe, (time.monotonic() - began) / SAFE_SHARE)
            often = self.job.upload if is_remote(self.job.output) else often
            await asyncio.sleep(max(LOOK, began + often - time.monotonic()))

    # ---- messages

    def _post(self) -> None:
        """Send what cannot be lost any more, one parcel at a time to each worker."""
        letters: dict[int, list[Letter]] = defaultdict(list)
        room: dict[int, int] = defaultdict(lambda: PARCEL)
        for number, shard in self.carried.items():
            for target in shard.store.unanswered:
                owner = self.owners.get(target)
                if owner is None or owner.worker in self._parcels or owner.worker not in self.peers:
                    continue
                unread = shard.store.unread(target, shard.safe.sent.get(target, 0), room[owner.worker])
                if unread is not None:
                    room[owner.worker] -= len(unread[1])
                    letters[owner.worker].append(Letter(number, shard.epoch, target, *unread))
        for worker, parcel in letters.items():
            self._parcels[worker] = asyncio.ensure_future(self._exchange(worker, parcel))

    async def _exchange(self, worker: int, letters: Sequence[Letter]) -> None:
        """Send letters, and take the receipts; where none comes it is asked what is there."""
        receipts: Sequence[Receipt | None] = [None] * len(letters)
        with suppress(Exception):  # it is lost, and who comes after it is told again
            receipts = await self._send(worker, letters)
        del self._parcels[worker]
        for letter, receipt in zip(letters, receipts, strict=True):
            shard, owner = self.carried.get(letter.source), self.owners.get(letter.target)
            if shard is not None and shard.broken is None:
                if receipt is None or owner is None or owner.epoch != receipt.epoch:
                    shard.store.forget([letter.target])
                else:
                    shard.store.receipt(letter.target, receipt.last, receipt.safe)

    async def _send(self, worker: int, letters: Sequence[Letter]) -> Sequence[Receipt | None]:
        if worker == self.name:
            return await self.deliver(letters)
        receipts: Sequence[Receipt | None] = await self.peers[worker].deliver.remote(letters)
        return receipts

    async def deliver(self, letters: Sequence[Letter]) -> Sequence[Receipt | None]:
        """Take what the shards of a worker tell."""
        return [self._take_in(letter) for letter in letters]

    def _take_in(self, letter: Letter) -> Receipt | None:
        shard, source = self.carried.get(letter.target), self.owners.get(letter.source)
        if shard is None or shard.enough():
            return None
        if source is None or letter.epoch >= source.epoch:
            try:
                shard.steering.receive(letter.source, letter.first, letter.messages)
            except Exception as error:
                shard.stop(error)
                return None
        return Receipt(shard.epoch, shard.store.last_from[letter.source], shard.safe.received.get(letter.source, 0))


class WorkerSpider(LiveSpider):
    """The spider that Scrapy knows; answers are read by those of the shards."""

    crawl: Any
    hosts: Any

    def __init__(self, worker: Worker, **more: Any) -> None:
        Spider.__init__(self, **more)
        self.crawl = self.hosts = self.worker = worker

    @property
    def waits(self) -> bool:
        """True while one of them has something to ask for, now or later."""
        return any(shard.spider.waits for shard in self.worker.carried.values())

    def at(self, url: str) -> LiveSpider | None:
        """Who reads the answers of the server of a URL."""
        shard = self.worker.carried.get(Shard(0, self.worker.job.shards).owner(url))
        return None if shard is None else shard.spider

    def request(self, key: Any, url: str | None = None, hops: tuple[str, ...] = ()) -> Request:
        """What a shard asks for."""
        return key  # type: ignore[no-any-return]

    def idle(self) -> None:
        """Nothing waits here, but others may send links."""
        raise wrong.DontCloseSpider
