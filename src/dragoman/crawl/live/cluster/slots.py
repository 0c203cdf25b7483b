"""HostSlots: a request waits for its turn at its host, whichever process of a shared crawl asked that host last."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Request, Response
from scrapy.utils.httpobj import urlparse_cached

from dragoman.crawl.live.cluster.log import SharedLog

_SLOT = "dragoman_slot"
#: Seconds until somebody who found a host busy asks again.
_AGAIN = 0.025


class HostSlots:
    """The last downloader middleware before the network: pages, robots.txt, sitemaps, redirects and retries pass here.

    A host is asked by one request at a time (or so many as --per-host says), and the next one no earlier than the
    delay, or the host's Crawl-delay, after the last was sent. Redis keeps the time.
    """

    def __init__(self, crawler: Crawler, log: SharedLog) -> None:
        self.crawler, self.log = crawler, log
        self.per_host = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self._numbers = count()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> HostSlots:
        """The slots of a shared crawl."""
        shared = getattr(getattr(crawler.spider, "crawl", None), "shared", None)
        if shared is None:
            raise NotConfigured("the crawl is not shared")
        return cls(crawler, shared.log)

    def _delay(self, host: str) -> float:
        engine: Any = self.crawler.engine
        usual = self.crawler.settings.getfloat("DOWNLOAD_DELAY")
        return float(engine.downloader.per_slot_settings.get(host, {}).get("delay", usual))

    async def process_request(self, request: Request) -> None:
        """Wait for the host."""
        host = urlparse_cached(request).hostname or ""
        name = f"{self.log.name}:{next(self._numbers)}"
        while (wait := self.log.acquire(host, name, self._delay(host), self.per_host)) is None:
            await asyncio.sleep(_AGAIN)
        if wait:
            await asyncio.sleep(wait)
        request.meta.pop("download_latency", None)
        request.meta[_SLOT] = (host, name, time.monotonic())

    def process_response(self, request: Request, response: Response) -> Response:
        """The host has answered."""
        self._free(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Or it has not."""
        self._free(request)

    def _free(self, request: Request) -> None:
        if (slot := request.meta.pop(_SLOT, None)) is not None:
            host, name, allowed = slot
            engine: Any = self.crawler.engine
            local = engine.downloader.slots.get(host)  # Scrapy's own slot, which may have waited a little more
            since = time.monotonic() - max(allowed, local.lastseen if local else 0.0)
            latency = request.meta.get("download_latency", since)  # the answer may have waited to be looked at, too
            self.log.free(host, name, max(min(since, latency), 0.0), self._delay(host))
