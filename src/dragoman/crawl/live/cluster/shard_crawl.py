"""ShardCrawl: one shard as a live crawl of its own, whose worker says what comes next."""

from __future__ import annotations

import asyncio
import math
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.job import ClusterJob, ShardFigures
from dragoman.crawl.live.cluster.shards import Shard
from dragoman.crawl.live.cluster.steering import ShardSteering
from dragoman.crawl.live.cluster.storage import ShardStorage
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.driver.spider import LiveSpider
from dragoman.crawl.live.state.links import Links
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.files import is_remote

#: Lines of the log that are not safe yet, and messages without a receipt, with which a shard fetches nothing for now.
MOST_BEHIND = 20_000


class ShardCrawl(LiveCrawl):
    """One shard in the folder of the whole crawl: its own store in `shards/`, its parts beside those of the others.

    Where that is an address, it works in a folder of its own until it is let go.

    `holds` says whether its worker may still act for it; `came` is told of each answer, whether it was a page.
    """

    steering: ShardSteering
    store: ShardStore
    spider: LiveSpider

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
        self._came(answer.reason is None)

    @property
    def waits_for_others(self) -> bool:
        """True if it may ask for nothing now: storage and other shards have to catch up before."""
        return self.enough() or self.store.lines >= self._enough_lines

    @property
    def best(self) -> float:
        """What its best URL counts whose host does not rest, minus infinity if there is none; infinity: look there."""
        at = self.spider.hosts.next_alarm
        return math.inf if at is not None and at <= time.monotonic() else self.steering.best

    @property
    def is_busy(self) -> bool:
        """True if something is on its way."""
        engine: Any = self.spider.crawler.engine
        asked = (*engine.scheduler.first, *engine.downloader.active)
        return self.spider.hosts.active > 0 or any(self.shard.owns(request.url) for request in asked)

    @property
    def figures(self) -> ShardFigures:
        """Where it stands."""
        steering, store = self.steering, self.store
        idle = not (steering.waiting or store.unanswered or self.saving or self.spider.listed or self.is_busy)
        hosts = len(steering.of_server)
        return ShardFigures(
            self.epoch, idle, store.lines, steering.pages, steering.bytes, hosts, steering.quota_pages()
        )

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
