"""LiveScheduler: the frontier behind Scrapy's scheduler interface, one host at a time where hosts are slow."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.spiders import Spider
from scrapy.utils.asyncio import AsyncioLoopingCall, create_looping_call
from twisted.internet.task import LoopingCall

if TYPE_CHECKING:
    from dragoman.crawl.live.driver.spider import LiveSpider

#: URLs that may be out of the queue while they wait for their host.
IN_HAND = 1_000
#: Seconds between two looks at what other processes did.
LOOK = 0.03


class LiveScheduler(BaseScheduler):
    """Hands out the best URL whose host is free.

    A URL whose host is busy is kept in hand until it is free: a host with a long delay does not hold up the others.
    With one request at a time this is exactly the order of the frontier. Redirects and retries go first. What a crawl
    that was stopped had in hand is in hand again, and waits for its host as it did.
    """

    def __init__(self, spider: LiveSpider, per_host: int, most: int) -> None:
        self.spider, self.per_host, self.most = spider, per_host, most
        self.live = spider.live
        self._first: deque[Request] = deque()
        self._hand: dict[int, deque[int]] = {}
        for key in self.live.steering.left_over():
            self._hand.setdefault(self.live.steering.store.server[key], deque()).append(key)
        self._free: deque[int] = deque(self._hand)
        self._held = sum(map(len, self._hand.values()))
        self._busy: dict[int, int] = {}
        #: The server that each request now talks to, by the URL that was taken from the queue.
        self._of: dict[int, int] = {}
        spider.scheduler = self
        self._looks: LoopingCall | AsyncioLoopingCall | None = None

    def open(self, spider: Spider) -> None:
        """Where several processes crawl together, look now and then at what the others did."""
        if self.live.shared is not None:
            self._looks = create_looping_call(self._look)
            self._looks.start(LOOK)

    def close(self, reason: str) -> None:
        """No more looks."""
        if self._looks is not None:
            self._looks.stop()

    def _look(self) -> None:
        try:
            news = self.live.look()
        except Exception as error:
            self.live.stop(error)
            return
        engine: Any = self.live.crawler.engine
        if (news or self._held or not self.active) and engine is not None and engine._slot is not None:
            engine._slot.nextcall.schedule()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LiveScheduler:
        """The scheduler of a live crawl's spider."""
        from dragoman.crawl.live.driver.spider import LiveSpider

        assert isinstance(crawler.spider, LiveSpider)
        settings = crawler.settings
        return cls(
            crawler.spider, settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"), settings.getint("CONCURRENT_REQUESTS")
        )

    @property
    def active(self) -> int:
        """How many URLs are being fetched."""
        return len(self._of)

    def enqueue_request(self, request: Request) -> bool:
        """Redirects and retries of what was handed out."""
        self._first.append(request)
        return True

    def has_pending_requests(self) -> bool:
        """True while there is something to hand out, now or later."""
        if self._first:
            return True
        if self.live.enough():
            return False
        return bool(self._held or self.live.steering.waits)

    def next_request(self) -> Request | None:
        """The next request, or None if nothing can be asked for now."""
        if self._first:
            return self._first.popleft()
        # Scrapy would ask again once an answer is there; what it says is known only when it has been read.
        if self.active >= self.most or self.live.enough(self.active):
            return None
        steering = self.live.steering
        try:
            if not steering.permit(self.live.budget.pages):
                return None
            key = self._next_key()
            if key is None:
                steering.return_permit()
                return None
            request = self.spider.request(key)
        except Exception as error:  # a full disk, say: the engine would ask again and again, and never end
            self.live.stop(error)
            return None
        server = steering.store.server[key]
        self._of[key] = server
        self._busy[server] = self._busy.get(server, 0) + 1
        return request

    def _next_key(self) -> int | None:
        steering = self.live.steering
        self._free.extend(server for server in steering.freed() if server in self._hand)
        while self._free:
            server = self._free.popleft()
            waiting = self._hand.get(server)
            while waiting and self._may(server, waiting[0]):
                key = waiting.popleft()
                self._held -= 1
                if not waiting:
                    del self._hand[server]
                if not steering.let_go(key):
                    if waiting:
                        self._free.append(server)
                    return key
        while (
            self._held < IN_HAND and steering.may_hold(self._held, self.most) and (found := steering.pop()) is not None
        ):
            server = steering.store.server[found]
            if server not in self._hand and self._may(server, found):
                return found
            self._hand.setdefault(server, deque()).append(found)
            self._held += 1
        return None

    def _may(self, server: int, key: int) -> bool:
        return self._busy.get(server, 0) < self.per_host and self.live.steering.turn(key, self.per_host)

    def moved(self, key: int, server: int) -> None:
        """A redirect leads to another server."""
        self.released(key)
        self._of[key] = server
        self._busy[server] = self._busy.get(server, 0) + 1

    def released(self, key: int) -> None:
        """An answer has come, and its server can be asked again."""
        server = self._of.pop(key, None)
        if server is None:
            return
        left = self._busy.get(server, 1) - 1
        if left > 0:
            self._busy[server] = left
        else:
            self._busy.pop(server, None)
        if server in self._hand:
            self._free.append(server)
