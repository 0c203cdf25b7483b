"""robots.txt for the live crawl: Scrapy's middleware with limits, sitemaps and Crawl-delay."""

from __future__ import annotations

from typing import Any

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Request, Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

#: Bytes of a robots.txt that are read (RFC 9309 asks for 500 kibibytes), and files that are remembered.
MOST_BYTES, MOST_FILES = 512_000, 10_000
#: Sitemaps of a host that are looked at, and the longest Crawl-delay that is obeyed.
MOST_SITEMAPS, LONGEST_DELAY = 3, 60.0


class Robots(RobotsTxtMiddleware):
    """Obeys robots.txt, reads no more than its first half megabyte, and tells the spider of sitemaps."""

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if len(response.body) > MOST_BYTES:
            body = response.body[:MOST_BYTES]
            response = response.replace(body=body[: body.rfind(b"\n") + 1])
        if response.status >= 400:
            response = response.replace(body=b"")  # RFC 9309, 2.3.1.3: an error page has no rules
        await super()._parse_robots(response, netloc, request)
        parser: Any = self._parsers.get(netloc)
        self._tell(parser, netloc, request)
        while len(self._parsers) > MOST_FILES:
            oldest = next((one for one, found in self._parsers.items() if not isinstance(found, Deferred)), None)
            if oldest is None or oldest == netloc:
                break
            del self._parsers[oldest]

    def _tell(self, parser: Any, netloc: str, request: Request) -> None:
        rules = getattr(parser, "rp", None)
        spider = self.crawler.spider
        if rules is None or spider is None:
            return
        found = [str(one) for one, _ in zip(rules.sitemaps, range(MOST_SITEMAPS), strict=False)]
        if found and hasattr(spider, "sitemaps"):
            spider.sitemaps.setdefault(netloc, found)
        delay = parser.crawl_delay(self._robotstxt_useragent or self._default_useragent)
        engine = self.crawler.engine
        if delay and engine is not None:
            host = urlparse_cached(request).hostname or ""
            downloader = engine.downloader
            wanted = max(downloader._delay, min(float(delay), LONGEST_DELAY))
            downloader.per_slot_settings.setdefault(host, {})["delay"] = wanted
            if host in downloader.slots:
                downloader.slots[host].delay = wanted
