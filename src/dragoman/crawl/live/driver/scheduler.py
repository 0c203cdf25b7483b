"""LiveScheduler: the frontier behind Scrapy's scheduler interface."""

from __future__ import annotations

import time
from collections import deque

from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.spiders import Spider
from scrapy.utils.asyncio import AsyncioLoopingCall, CallLaterResult, call_later, create_looping_call
from twisted.internet.task import LoopingCall

from dragoman.crawl.live.driver.spider import LiveSpider

#: Seconds between two looks at what other processes did.
LOOK = 0.03


class LiveScheduler(BaseScheduler):
    """Hands out redirects and retries first, then the best URL whose host is free."""

    def __init__(self, spider: LiveSpider, at_a_time: int) -> None:
        self.spider, self.crawl, self.hosts, self.at_a_time = spider, spider.crawl, spider.hosts, at_a_time
        self._first: deque[Request] = deque()
        self._looks: LoopingCall | AsyncioLoopingCall | None = None
        self._alarm: CallLaterResult | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LiveScheduler:
        """The scheduler of a live crawl's spider."""
        assert isinstance(crawler.spider, LiveSpider)
        return cls(crawler.spider, crawler.settings.getint("CONCURRENT_REQUESTS"))

    def open(self, spider: Spider) -> None:
        """Where several processes crawl together, look now and then at what the others did."""
        if self.crawl.shared is not None:
            self._looks = create_looping_call(self._look)
            self._looks.start(LOOK)

    def close(self, reason: str) -> None:
        """No more looks, and no alarm."""
        if self._looks is not None:
            self._looks.stop()
        if self._alarm is not None:
            self._alarm.cancel()

    def _look(self) -> None:
        assert self.crawl.shared is not None
        try:
            news = self.crawl.shared.look()
        except Exception as error:
            self.crawl.stop(error)
            return
        if news or self.hosts.held or not self.hosts.active:
            self._nudge()

    def _nudge(self) -> None:
        """Let Scrapy ask for what can be fetched now; by itself it would do so seconds later."""
        self._alarm = None
        engine = self.spider.crawler.engine
        if engine is not None and engine.spider is not None and (request := self.next_request()) is not None:
            engine.crawl(request)

    def _set_alarm(self) -> None:
        """Nothing can be fetched now: be there when the next host is ready."""
        if self._alarm is None and (at := self.hosts.next_alarm) is not None:
            self._alarm = call_later(max(0.0, at - time.monotonic()) + 0.001, self._nudge)

    def enqueue_request(self, request: Request) -> bool:
        """Redirects and retries of what was handed out."""
        self._first.append(request)
        return True

    def has_pending_requests(self) -> bool:
        """True while there is something to hand out, now or later."""
        if self._first:
            return True
        return not self.crawl.enough() and bool(self.hosts.held or self.crawl.steering.waits)

    def next_request(self) -> Request | None:
        """The next request, or None if nothing can be asked for now."""
        if self._first:
            return self._first.popleft()
        # Scrapy would ask again once an answer is there; what it says is known only when it has been read.
        if self.hosts.active >= self.at_a_time or self.crawl.enough(self.hosts.active):
            return None
        shared = self.crawl.shared
        try:
            if shared is not None and not shared.permit(self.crawl.budget.pages):
                return None
            key = self.hosts.take()
            if key is not None:
                return self.spider.request(key)
            if shared is not None:
                shared.return_permit()
            self._set_alarm()
        except Exception as error:  # a full disk, say: the engine would ask again and again, and never end
            self.crawl.stop(error)
        return None
