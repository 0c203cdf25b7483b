"""LiveScheduler: the frontier behind Scrapy's scheduler interface."""

from __future__ import annotations

import time
from collections import deque

from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.utils.asyncio import CallLaterResult, call_later

from dragoman.crawl.live.driver.spider import LiveSpider


class LiveScheduler(BaseScheduler):
    """Hands out redirects and retries first, then the best URL whose host is free."""

    def __init__(self, spider: LiveSpider, at_a_time: int) -> None:
        self.spider, self.crawl, self.hosts, self.at_a_time = spider, spider.crawl, spider.hosts, at_a_time
        self.first: deque[Request] = deque()
        self._alarm: CallLaterResult | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LiveScheduler:
        """The scheduler of a live crawl's spider."""
        assert isinstance(crawler.spider, LiveSpider)
        return cls(crawler.spider, crawler.settings.getint("CONCURRENT_REQUESTS"))

    def close(self, reason: str) -> None:
        """No more alarm."""
        if self._alarm is not None:
            self._alarm.cancel()

    def nudge(self) -> None:
        """Let Scrapy ask for what can be fetched now; by itself it would do so seconds later."""
        self._alarm = None
        engine = self.spider.crawler.engine
        if engine is not None and engine.spider is not None and (request := self.next_request()) is not None:
            engine.crawl(request)

    def _set_alarm(self) -> None:
        """Nothing can be fetched now: be there when the next host is ready."""
        if self._alarm is None and (at := self.hosts.next_alarm) is not None:
            self._alarm = call_later(max(0.0, at - time.monotonic()) + 0.001, self.nudge)

    def enqueue_request(self, request: Request) -> bool:
        """Redirects and retries of what was handed out."""
        self.first.append(request)
        return True

    def has_pending_requests(self) -> bool:
        """True while there is something to hand out, now or later."""
        if self.first:
            return True
        return self.spider.waits and not self.crawl.enough()

    def next_request(self) -> Request | None:
        """The next request, or None if nothing can be asked for now."""
        if self.first:
            return self.first.popleft()
        # Scrapy would ask again once an answer is there; what it says is known only when it has been read.
        if self.hosts.active >= self.at_a_time or self.crawl.enough(self.hosts.active):
            return None
        try:
            key = self.hosts.take()
            if key is not None:
                return self.spider.request(key)
            self._set_alarm()
        except Exception as error:  # a full disk, say: the engine would ask again and again, and never end
            self.crawl.stop(error)
        return None
