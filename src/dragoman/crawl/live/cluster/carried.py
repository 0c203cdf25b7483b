"""CarriedShard: a shard in the hands of a worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scrapy.crawler import Crawler

from dragoman.crawl.live.cluster.shard_crawl import ShardCrawl, ShardScheduler, ShardSpider


@dataclass
class CarriedShard:
    """A shard, what fetches for it, and how far its messages are sent."""

    crawl: ShardCrawl
    crawler: Crawler
    #: Ends when nothing is fetched for it any more.
    task: Any
    #: What its best URL counts, None if nothing can be fetched; True: that has to be found out again.
    best: float | None = None
    stale: bool = True
    sent_until: int = 0
    sent_at: float = 0.0
    #: True while a thread uploads.
    saving: bool = False
    #: Shards that wait for a receipt.
    sources: set[int] = field(default_factory=set)

    @property
    def spider(self) -> ShardSpider:
        """Its spider."""
        assert self.crawl.scheduler is not None
        return self.crawl.scheduler.spider

    @property
    def scheduler(self) -> ShardScheduler | None:
        """Its scheduler, once it is there."""
        return self.crawl.scheduler
