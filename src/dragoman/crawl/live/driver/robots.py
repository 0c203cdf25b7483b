"""robots.txt for the live crawl: Scrapy's middleware with limits, sitemaps and Crawl-delay."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Request, Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

#: Bytes of a robots.txt that are read (RFC 9309 asks for 500 kibibytes), and files that are remembered.
MOST_BYTES, MOST_FILES = 512_000, 10_000
#: Sitemaps of a host that are looked at, and the longest Crawl-delay that is obeyed.
MOST_SITEMAPS, LONGEST_DELAY = 3, 60.0
#: Hosts whose sitemaps are remembered until one of their pages is wanted.
MOST_HOSTS = 50_000
#: Seconds for which rules hold (RFC 9309, 2.4), and for which a server's error with them does.
HOLD, HOLD_ERROR = 86_400.0, 600.0
#: Without an answer to this question there will be none to another one.
_SILENT = (wrong.DownloadTimeoutError, wrong.DownloadConnectionRefusedError, wrong.CannotResolveHostError)
_NOTHING = b"User-agent: *\nDisallow: /\n"


class Robots(RobotsTxtMiddleware):
    """Obeys robots.txt, reads no more than its first half megabyte, and tells the spider of sitemaps.

    A page of 4xx has no rules, one of 5xx forbids everything for a while (RFC 9309, 2.3.1). Where nobody answers, the
    page that is asked for fails with the same reason, and is not waited for a second time.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._until: dict[str, float] = {}
        self._silent: dict[str, Exception] = {}

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Nothing if the request may go on; else an exception."""
        netloc = urlparse_cached(request).netloc
        known = self._parsers.get(netloc)
        if known is not None and not isinstance(known, Deferred) and time.monotonic() > self._until.get(netloc, 0.0):
            del self._parsers[netloc]
        await super().process_request(request)
        if netloc in self._silent and not request.meta.get("dont_obey_robotstxt"):
            if self._parsers.get(netloc, request) is None:  # the next request asks again
                del self._parsers[netloc]
            request.meta["dont_retry"] = True
            raise self._silent[netloc]

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, _SILENT):
            self._silent[netloc] = exc.with_traceback(None)
            while len(self._silent) > MOST_FILES:
                del self._silent[next(iter(self._silent))]
        super()._robots_error(exc, netloc)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if len(response.body) > MOST_BYTES:
            body = response.body[:MOST_BYTES]
            response = response.replace(body=body[: body.rfind(b"\n") + 1])
        if response.status >= 400:
            response = response.replace(body=_NOTHING if response.status >= 500 else b"")
        self._until[netloc] = time.monotonic() + (HOLD if response.status < 500 else HOLD_ERROR)
        self._silent.pop(netloc, None)
        await super()._parse_robots(response, netloc, request)
        with suppress(ValueError, TypeError, ArithmeticError):  # the rules are read; this is only more of it
            self._tell(self._parsers.get(netloc), netloc, request)
        while len(self._parsers) > MOST_FILES:
            oldest = next((one for one, found in self._parsers.items() if not isinstance(found, Deferred)), None)
            if oldest is None or oldest == netloc:
                break
            del self._parsers[oldest]
            self._until.pop(oldest, None)

    def _tell(self, parser: Any, netloc: str, request: Request) -> None:
        rules = getattr(parser, "rp", None)
        spider = self.crawler.spider
        if rules is None or spider is None:
            return
        found = [str(one) for one, _ in zip(rules.sitemaps, range(MOST_SITEMAPS), strict=False)]
        if found and hasattr(spider, "sitemaps"):
            spider.sitemaps.setdefault(netloc, found)
            if len(spider.sitemaps) > MOST_HOSTS:
                del spider.sitemaps[next(iter(spider.sitemaps))]
        delay = parser.crawl_delay(self._robotstxt_useragent or self._default_useragent)
        engine = self.crawler.engine
        if delay and engine is not None:
            host = urlparse_cached(request).hostname or ""
            downloader = engine.downloader
            wanted = max(downloader._delay, min(float(delay), LONGEST_DELAY))
            downloader.per_slot_settings.setdefault(host, {})["delay"] = wanted
            if host in downloader.slots:
                downloader.slots[host].delay = wanted
