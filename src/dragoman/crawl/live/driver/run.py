"""A live crawl from its first request to its last: Scrapy's process with our scheduler, resolver and spider."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.driver.spider import LiveSpider

#: Seconds between two looks by whoever watches.
LOOK = 0.5


def run(crawl: LiveCrawl, watch: Callable[[], None] | None = None) -> None:
    """Crawl until nothing waits, the budget is used up or somebody stops it; then write everything to its end.

    `watch` is called now and then, also while no answers come; it takes 5 % of the time at most.
    """
    for noisy in ("scrapy", "twisted", "protego", "py.warnings", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    process = AsyncCrawlerProcess(crawl.manners.settings(crawl.steering.limits, shared=crawl.shared is not None))
    crawl.began = time.monotonic()
    crawler = process.create_crawler(LiveSpider)

    def close() -> None:
        if crawler.engine is not None:
            deferred_from_coro(crawler.engine.close_spider_async(reason="broken"))

    def look_on() -> None:
        looks: Any = create_looping_call(_seldom(watch or (lambda: None)))
        looks.start(LOOK)
        crawler.signals.connect(looks.stop, signals.spider_closed, weak=False)

    crawl.closing = close
    if watch is not None:
        crawler.signals.connect(look_on, signals.spider_opened)
    process.crawl(crawler, crawl=crawl)
    process.start()
    reason = crawler.stats.get_value("finish_reason") if crawler.stats else None
    crawl.finish(interrupted=reason == "shutdown")


def _seldom(watch: Callable[[], None]) -> Callable[[], None]:
    """The same, but where it takes long it is passed over until that was 5 % of the time."""
    allowed = 0.0

    def look() -> None:
        nonlocal allowed
        began = time.monotonic()
        if began >= allowed:
            watch()
            allowed = began + 20 * (time.monotonic() - began)

    return look
