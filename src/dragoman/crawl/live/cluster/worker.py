"""Worker: carries shards, fetches for them in one order, and passes links on; all in Twisted's thread."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure

from dragoman.crawl.live.cluster.carried import CarriedShard
from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Owner, Parcel, Report, ShardFigures
from dragoman.crawl.live.cluster.mail import OutgoingMail, Send
from dragoman.crawl.live.cluster.shard_crawl import ShardCrawl, ShardScheduler, ShardSpider
from dragoman.crawl.live.cluster.shards import LinkMessage, Receipt
from dragoman.crawl.live.driver.run import settings
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.crawl.live.state.safety import CrawlLimits

#: Seconds between two looks at everything.
LOOK = 0.1
#: The share of the time that making things safe may take.
SAFE_SHARE = 0.2


class Worker:
    """Carries the shards that the coordinator gives it.

    It fetches as long as the coordinator is heard: not for longer than the lease, after which others may carry its
    shards. What a shard has to tell is sent once it cannot be lost, and again until a receipt comes.
    """

    def __init__(self, name: int, job: ClusterJob, folder: Path, send: Send) -> None:
        self.name, self.job, self.folder = name, job, folder
        limits: CrawlLimits = job.options.get("limits") or CrawlLimits()
        self.process = AsyncCrawlerProcess(
            {**settings(job.manners, limits, job.target.languages), "SCHEDULER": ShardScheduler}
        )
        self.carried: dict[int, CarriedShard] = {}
        self.opening: set[int] = set()
        self.closing: set[int] = set()
        self.failures: dict[int, str] = {}
        self.notes: list[str] = []
        self.owners: dict[int, Owner] = {}
        self.level, self.permits, self.slots = -math.inf, 0, job.manners.concurrent
        self._heard = -math.inf
        self.mail = OutgoingMail(send)
        self._pump_set = False
        self._next_safe = 0.0

    def start(self) -> None:
        """Begin to look at everything."""
        looks: Any = create_looping_call(self.look)
        looks.start(LOOK)

    @property
    def holds(self) -> bool:
        """True while the coordinator will not give this worker's shards to others."""
        return time.monotonic() - self._heard < self.job.lease

    # ---- what the coordinator tells

    def beat(self, beat: Beat) -> Report:
        """Take what the coordinator tells, and say where everything stands."""
        if not self.holds:  # the shards may be others' by now
            for shard in list(self.carried.values()):
                self._abandon(shard)
        self._heard = time.monotonic()
        self.permits += beat.grant
        if beat.owners is not None:
            self.owners = dict(beat.owners)
        if beat.level != self.level:
            self.level = beat.level
            for shard in self.carried.values():
                shard.crawl.steering.level, shard.stale = beat.level, True
        for number, owner in self.owners.items():
            if owner.worker == self.name and number not in self.carried and number not in self.opening:
                self._open(number, owner.epoch)
        mine = {number for number, owner in self.owners.items() if owner.worker == self.name} | {-1}
        self.failures = {number: reason for number, reason in self.failures.items() if number in mine}
        for number, shard in list(self.carried.items()):
            if self.owners.get(number) != Owner(self.name, shard.crawl.epoch) and number not in self.closing:
                self._close(shard)
        self._set_pump()
        notes, self.notes = self.notes, []
        active, offers = self.active, any(self._offers(shard) for shard in self.carried.values())
        if not offers:
            self.permits = active  # others may have the rest
        return Report(
            {number: self._figures(shard) for number, shard in self.carried.items()},
            frozenset(self.carried.keys() | self.opening | self.closing), self.permits, active,
            self.slots, self._values(beat.wanted_values), offers and self.permits <= active, dict(self.failures), notes,
            time.process_time(),
        )  # fmt: skip

    def _figures(self, shard: CarriedShard) -> ShardFigures:
        steering, store = shard.crawl.steering, shard.crawl.store
        idle = (
            not steering.waiting
            and store.unread_count == 0
            and not shard.sources
            and not shard.saving
            and shard.scheduler is not None
            and shard.spider.quiet
        )
        expected = steering.curve[-1].expected if steering.curve else 0.0
        return ShardFigures(
            shard.crawl.epoch, steering.pages, steering.bytes, len(steering.of_server), steering.relevant,
            steering.waiting, expected, steering.answers.total(), steering.quota_pages(), idle, store.sent,
            store.received,
        )  # fmt: skip

    def _values(self, count: int) -> Any:
        """What the best URLs count that wait here."""
        parts = [shard.crawl.steering.frontier.values(count) for shard in self.carried.values()] if count else []
        values = np.concatenate(parts) if parts else np.empty(0)
        return np.partition(values, len(values) - count)[-count:] if len(values) > count else values

    # ---- shards that come and go

    def _open(self, number: int, epoch: int) -> None:
        self.opening.add(number)
        opened: Any = deferToThread(self._opened, number, epoch)
        opened.addCallbacks(self._attach, self._failed, callbackArgs=(number,), errbackArgs=(number,))

    def _opened(self, number: int, epoch: int) -> ShardCrawl:
        return ShardCrawl(self.job, number, epoch, self.folder)

    def _failed(self, failure: Failure, number: int) -> None:
        self.opening.discard(number)
        self.failures[number] = failure.getErrorMessage()

    def _attach(self, crawl: ShardCrawl, number: int) -> None:
        self.opening.discard(number)
        self.failures.pop(number, None)
        if self.owners.get(number) != Owner(self.name, crawl.epoch) or not self.holds:
            crawl.warc.close()
            crawl.store.abandon()
            return
        self.notes += crawl.notes
        crawler = self.process.create_crawler(ShardSpider)
        crawl.steering.level, crawl.holds = self.level, lambda: self.holds
        shard = self.carried[number] = CarriedShard(crawl, crawler, self.process.crawl(crawler, crawl=crawl))
        crawl.woken = lambda: self._wake(shard)
        crawl.closing = lambda: self._break(shard)

    def _break(self, shard: CarriedShard) -> None:
        """Something is wrong with the folder of a shard."""
        self.failures[shard.crawl.shard.number] = str(shard.crawl.broken)
        self._abandon(shard)

    def _abandon(self, shard: CarriedShard) -> None:
        """Let a shard go without another word: what is not committed is fetched again."""
        number = shard.crawl.shard.number
        self.carried.pop(number, None)
        shard.crawl.leaving, shard.crawl.holds = True, lambda: False
        ended = self._stop(shard)
        ended.addBoth(lambda _: shard.crawl.store.abandon())

    def _stop(self, shard: CarriedShard) -> Deferred[Any]:
        shard.crawl.leaving = True

        async def stop() -> None:
            if shard.scheduler is not None and shard.crawler.crawling:
                await shard.crawler.stop_async()
            await shard.task

        return deferred_from_coro(stop())

    def _close(self, shard: CarriedShard, reason: str | None = None) -> Deferred[Any]:
        """Write a shard to its end and let it go; `reason` if that is the end of the crawl."""
        number = shard.crawl.shard.number
        self.closing.add(number)

        def failed(failure: Failure) -> None:
            self.failures[number] = failure.getErrorMessage()

        def finish(_: Any) -> Any:
            if number not in self.carried:
                return None
            shard.crawl.ended = reason
            shard.crawl.finish(interrupted=True)
            if shard.crawl.storage is not None:
                return deferToThread(shard.crawl.set_out())
            shard.crawl.make_safe()
            return None

        def close(_: Any) -> None:
            self.closing.discard(number)
            if self.carried.pop(number, None) is not None:
                shard.crawl.store.close()

        stopped = self._stop(shard)
        stopped.addBoth(lambda _: self._quiet(shard))
        return stopped.addBoth(finish).addErrback(failed).addBoth(close)

    async def _uploaded(self, shard: CarriedShard) -> None:
        while shard.saving:
            await asyncio.sleep(LOOK)

    def _quiet(self, shard: CarriedShard) -> Deferred[Any]:
        """Ends when no thread uploads for a shard."""
        return deferred_from_coro(self._uploaded(shard))

    def finish(self, reason: str) -> Deferred[CrawlProgress | None]:
        """Write all shards to their end; what they found."""
        progress = self.progress()
        self.failures.clear()
        shards = [self._close(shard, reason) for shard in list(self.carried.values())]
        every: Deferred[CrawlProgress | None] = gatherResults(shards).addCallback(lambda _: progress)
        return every

    def progress(self) -> CrawlProgress | None:
        """What all shards here have found."""
        parts = [shard.crawl.progress for shard in self.carried.values()]
        return CrawlProgress.merged(parts) if parts else None

    # ---- fetching

    @property
    def active(self) -> int:
        """How many pages are on their way."""
        return sum(shard.spider.hosts.active for shard in self.carried.values() if shard.scheduler is not None)

    def _wake(self, shard: CarriedShard) -> None:
        """There may be something to fetch, or something was."""
        shard.stale = True
        pages, shard.crawl.new_pages = shard.crawl.new_pages, 0
        self.permits -= pages
        self._set_pump()

    def _set_pump(self) -> None:
        if not self._pump_set:
            self._pump_set = True
            call_later(0, self._pump)

    def _pump(self) -> None:
        """Ask for the best URLs of all shards, as many as may be on their way."""
        self._pump_set = False
        active, tried = self.active, set[int]()
        room = min(self.slots, self.permits) if self.job.counted else self.slots
        while active < room and self.holds:
            shard = max(
                (shard for number, shard in self.carried.items() if number not in tried and self._offers(shard)),
                key=lambda shard: shard.best if shard.best is not None else math.inf,
                default=None,
            )
            if shard is None:
                return
            shard.stale = True
            if shard.scheduler is not None and shard.scheduler.ask():
                active += 1
            else:
                tried.add(shard.crawl.shard.number)

    def _offers(self, shard: CarriedShard) -> bool:
        """True if a shard may have something to fetch."""
        if shard.scheduler is None or shard.crawl.enough() or shard.crawl.full:
            return False
        if shard.scheduler.is_due:  # what is in hand goes first, whatever it counts
            shard.best = None
            return True
        if shard.stale:
            shard.best, shard.stale = shard.crawl.steering.best, False
        return shard.best is not None and shard.best >= self.level

    def look(self) -> None:
        """Everything that has its time; a mistake ends the crawl, instead of being heard by nobody."""
        try:
            if self.holds:
                self._look()
        except Exception as error:
            self.failures[-1] = f"A worker failed: {type(error).__name__}: {error}"

    def _look(self) -> None:
        """Make things safe, send messages, see which hosts are ready again."""
        now = time.monotonic()
        if now >= self._next_safe:
            for shard in list(self.carried.values()):
                self._make_safe(shard)
            usual = self.job.upload if self.job.remote else self.job.safe
            self._next_safe = now + max(usual, (time.monotonic() - now) / SAFE_SHARE)
        for shard in list(self.carried.values()):
            if shard.scheduler is not None:
                shard.spider.flush()
                self.mail.collect(shard, self.owners, now)
        for parcel in self.mail.post(self.name, self.carried):
            self.deliver(parcel)
        self._set_pump()

    def _make_safe(self, shard: CarriedShard) -> None:
        crawl = shard.crawl
        if crawl.broken is None and (shard.sources or crawl.unsafe_answers or crawl.safe_until < crawl.store.sent):
            if crawl.storage is not None:
                self._upload(shard)
                return
            try:
                crawl.make_safe()
            except Exception as error:
                crawl.stop(error)
                return
            self.mail.give_receipts(shard, self.owners)

    def _upload(self, shard: CarriedShard) -> Deferred[Any] | None:
        """Let a thread upload what there is, and then tell others of it; None while one does."""
        crawl = shard.crawl
        if shard.saving:
            return None
        try:
            upload = crawl.set_out()
        except Exception as error:
            crawl.stop(error)
            return None
        sent, received, sources = crawl.store.sent, dict(crawl.store.last_from), set(shard.sources)
        shard.saving = True

        def done(safe: bool) -> None:
            shard.saving = False
            if safe:
                crawl.mark_safe(sent, received)
                shard.sources.update(sources)
                self.mail.give_receipts(shard, self.owners)

        shard.sources.clear()
        uploading: Any = deferToThread(upload)
        ended: Deferred[Any] = uploading.addCallback(done)
        return ended

    # ---- messages

    def deliver(self, parcel: Parcel) -> None:
        """Take what the shards of another worker tell; receipts follow once it is safe."""
        if not self.holds:
            return
        by_target: dict[int, list[LinkMessage]] = defaultdict(list)
        for message in parcel.messages:
            owner = self.owners.get(message.source)
            if owner is None or parcel.epochs[message.source] >= owner.epoch:
                by_target[message.target].append(message)
        for target, messages in by_target.items():
            shard = self.carried.get(target)
            if shard is None or shard.crawl.broken is not None or shard.crawl.leaving:
                continue  # it is sent again
            try:
                if shard.crawl.steering.receive(messages):
                    self._wake(shard)
            except Exception as error:
                shard.crawl.stop(error)
                continue
            shard.sources.update(message.source for message in messages)
        self._take_receipts(parcel.receipts)

    def _take_receipts(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            if (shard := self.carried.get(receipt.source)) is not None and shard.crawl.broken is None:
                shard.crawl.store.receipt(receipt)
