"""Worker: carries shards, fetches for them in one order, and passes links on; all in Twisted's thread."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.asyncio import call_later, create_looping_call

from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Letter, Owner, Report, largest
from dragoman.crawl.live.cluster.shard_crawl import ShardCrawl, ShardScheduler
from dragoman.crawl.live.driver.run import hush, settings
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.files import is_remote

#: Seconds between two looks at everything, and the share of the time that making things safe may take.
LOOK, SAFE_SHARE = 0.1, 0.2
#: Messages in a parcel.
PARCEL = 500
#: (last message that is there, last that cannot be lost) for each letter of a parcel.
Receipts = Sequence[tuple[int, int]]
#: Sends letters to a worker.
Send = Callable[[int, Sequence[Letter]], Awaitable[Receipts]]


class Worker:
    """Carries the shards that the coordinator gives it.

    It fetches, uploads and tells others something as long as the coordinator is heard: not for longer than the lease,
    after which others may carry its shards. Is it heard again, they have not got them, and everything goes on. What a
    shard has to tell is sent once it cannot be lost, and again until a receipt comes.
    """

    def __init__(self, name: int, job: ClusterJob, send: Send) -> None:
        self.name, self.job, self._send = name, job, send
        usual = settings(job.manners, job.options.get("limits") or CrawlLimits(), job.target.languages)
        self.process = AsyncCrawlerProcess(usual | {"SCHEDULER": ShardScheduler})
        hush()
        self.owners: Mapping[int, Owner] = {}
        #: Shards that are fetched for, and what opens, carries and closes each.
        self.carried: dict[int, ShardCrawl] = {}
        self._tasks: dict[int, asyncio.Future[None]] = {}
        self._ended: list[CrawlProgress] = []
        self.failures: list[str] = []
        self.notes: list[str] = []
        self.level, self.permits, self.slots = -math.inf, 0, job.manners.concurrent
        #: When the answer before the last beat was given, and the last one.
        self._heard, self._answered = -math.inf, time.monotonic()
        #: What is on its way to other workers.
        self._parcels: dict[int, asyncio.Future[None]] = {}
        self._pumping = False
        self._next_save = self._next_ask = 0.0

    def start(self) -> None:
        """Begin to look at everything."""
        looks: Any = create_looping_call(self._look)
        looks.start(LOOK)

    @property
    def holds(self) -> bool:
        """True while the coordinator will not give this worker's shards to others.

        It counts from when it asked what was not answered. That was after it had the answer before: nothing else is
        known of it here, since a beat may have been on its way for long.
        """
        return time.monotonic() - self._heard < self.job.lease

    def _owns(self, number: int, epoch: int) -> bool:
        return self.owners.get(number) == Owner(self.name, epoch)

    # ---- what the coordinator tells

    def beat(self, beat: Beat) -> Report:
        """Take what the coordinator tells, and say where everything stands."""
        self._heard, self._answered = self._answered, time.monotonic()
        self.permits += beat.grant
        self.owners = self.owners if beat.owners is None else beat.owners
        for number, owner in self.owners.items():
            if owner.worker == self.name and number not in self._tasks:
                self._tasks[number] = asyncio.ensure_future(self._carry(number, owner.epoch))
        for number, shard in self.carried.items():
            if shard.leaving or not self._owns(number, shard.epoch):
                shard.leave()
            shard.stale |= shard.steering.level != beat.level
            shard.steering.level = self.level = beat.level
        self._set_pump()
        active, offers = self.active, any(shard.offer > -math.inf for shard in self.carried.values())
        if not offers:
            self.permits = active  # others may have the rest
        count = beat.wanted_values
        best = largest((shard.steering.frontier.values(count) for shard in self.carried.values()), count)
        (failures, self.failures), (notes, self.notes) = (self.failures, []), (self.notes, [])
        return Report(
            {number: shard.figures for number, shard in self.carried.items()}, frozenset(self._tasks), self.permits,
            active, self.slots, best, offers,
            any(shard.steering.likely for shard in self.carried.values()), failures, notes,
            CrawlProgress.merged([shard.progress for shard in self.carried.values()]) if beat.show else None,
        )  # fmt: skip

    async def finish(self, reason: str) -> tuple[CrawlProgress | None, list[str]]:
        """Write all shards to their end; what they found, and what could not be written."""
        self._heard, self.owners, self._ended = math.inf, {}, []
        while self._tasks:
            for shard in self.carried.values():
                shard.ended = reason
                shard.leave()
            await asyncio.sleep(LOOK)
        return CrawlProgress.merged(self._ended), self.failures

    async def _carry(self, number: int, epoch: int) -> None:
        """Open a shard, let it be fetched for until it has to go, and close it; nobody else gets it before."""
        shard = None
        try:
            shard = await asyncio.to_thread(ShardCrawl, self.job, number, epoch, lambda: self.holds)
            if self._owns(number, epoch):
                self.notes += shard.notes
                shard.steering.level, shard.woken = self.level, lambda pages: self._wake(number, pages)
                self.carried[number] = shard
                await shard.carry(self.process)
                self._ended.append(shard.progress)
        except Exception as error:
            if self.holds:
                self.failures.append(str(error))
        finally:
            self.carried.pop(number, None)
            self._tasks.pop(number, None)
            if shard is not None:
                shard.let_go()

    # ---- fetching

    @property
    def active(self) -> int:
        """How many pages are on their way."""
        schedulers = (shard.scheduler for shard in self.carried.values())
        return sum(scheduler.hosts.active for scheduler in schedulers if scheduler is not None)

    def _wake(self, number: int, pages: int = 0) -> None:
        """There may be something to fetch, or something was."""
        if number in self.carried:
            self.carried[number].stale = True
        self.permits -= pages
        self._set_pump()

    def _set_pump(self) -> None:
        if not self._pumping:
            self._pumping = True
            call_later(0, self._pump)

    def _pump(self) -> None:
        """Ask for the best URLs of all shards, as many as may be on their way."""
        self._pumping = False
        active, room = self.active, min(self.slots, self.permits) if self.job.counted else self.slots
        if active >= room or not self.holds:
            return
        offers = [(-value, number) for number, shard in self.carried.items() if (value := shard.offer) > -math.inf]
        heapify(offers)
        while offers and active < room:
            number = heappop(offers)[1]
            shard = self.carried[number]
            shard.stale = True
            if shard.scheduler is not None and shard.scheduler.ask():
                active += 1
                if (value := shard.offer) > -math.inf:
                    heappush(offers, (-value, number))

    def _look(self) -> None:
        """Everything that has its time; a mistake ends the crawl, instead of being heard by nobody."""
        now = time.monotonic()
        try:
            if now >= self._next_save:
                self._next_save, self._saving = math.inf, asyncio.ensure_future(self._save())
            if self.holds:
                self._post(now)
        except Exception as error:
            self.failures.append(f"A worker failed: {type(error).__name__}: {error}")
        self._set_pump()

    async def _save(self) -> None:
        """Make everything safe, and say when that is to be done again."""
        began = time.monotonic()
        await asyncio.gather(*(shard.save() for shard in self.carried.values()))
        often = max(self.job.safe, (time.monotonic() - began) / SAFE_SHARE)
        self._next_save = began + (self.job.upload if is_remote(self.job.output) else often)

    # ---- messages

    def _post(self, now: float) -> None:
        """Send what cannot be lost any more, one parcel at a time to each worker; now and then ask what is there."""
        asking = now >= self._next_ask
        if asking:
            self._next_ask = now + 2 * self.job.safe  # until then most of what was sent is safe
        letters: dict[int, list[Letter]] = defaultdict(list)
        room: dict[int, int] = defaultdict(lambda: PARCEL)
        for number, shard in self.carried.items():
            for target in shard.store.unanswered:
                owner = self.owners.get(target)
                if owner is None or owner.worker in self._parcels:
                    continue
                messages = shard.store.unread(target, shard.safe_until, room[owner.worker])
                room[owner.worker] -= len(messages)
                if messages or asking:
                    letters[owner.worker].append(Letter(number, shard.epoch, target, messages))
        for worker, parcel in letters.items():
            self._parcels[worker] = asyncio.ensure_future(self._exchange(worker, parcel))

    async def _exchange(self, worker: int, letters: Sequence[Letter]) -> None:
        """Send letters, and take the receipts."""
        try:
            receipts = self.deliver(letters) if worker == self.name else await self._send(worker, letters)
        except Exception:  # it is lost: everything is sent again, perhaps to another one
            receipts = [(0, 0)] * len(letters)
            await asyncio.sleep(self.job.safe)
        self._parcels.pop(worker, None)
        for letter, receipt in zip(letters, receipts, strict=True):
            shard = self.carried.get(letter.source)
            if shard is not None and shard.epoch == letter.epoch and shard.broken is None:
                shard.store.receipt(letter.target, *receipt)

    def deliver(self, letters: Sequence[Letter]) -> Receipts:
        """Take what the shards of a worker tell."""
        return [self._take_in(letter) for letter in letters]

    def _take_in(self, letter: Letter) -> tuple[int, int]:
        shard, source = self.carried.get(letter.target), self.owners.get(letter.source)
        if shard is None or shard.enough():
            return 0, 0  # it is sent again
        if source is None or letter.epoch >= source.epoch:
            try:
                if shard.steering.receive(letter.messages):
                    self._wake(letter.target)
            except Exception as error:
                shard.stop(error)
                return 0, 0
        return shard.store.last_from[letter.source], shard.safe_from.get(letter.source, 0)
