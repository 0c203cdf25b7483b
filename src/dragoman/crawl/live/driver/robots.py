"""robots.txt for the live crawl, as RFC 9309 wants it: with limits, sitemaps and Crawl-delay."""

from __future__ import annotations

import asyncio
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Any

from protego import Protego
from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.http.request import NO_CALLBACK

from dragoman.crawl.live.driver.hosts import LONGEST_REST
from dragoman.crawl.live.driver.spider import MOST_SITEMAPS, TOO_MANY, LiveSpider, NotReady, wanted_rest
from dragoman.crawl.live.state.safety import FORBIDDEN, NO_RULES
from dragoman.web.addresses import host_of, server_of

#: Bytes of a robots.txt that are read (RFC 9309 asks for 500 kibibytes), and files that are remembered.
MOST_BYTES, MOST_FILES = 512_000, 10_000
#: The longest Crawl-delay that is obeyed: a longer one counts as this.
LONGEST_DELAY = 60.0
#: Seconds for which rules hold (RFC 9309, 2.4), and for which a server's error with them does.
HOLD, HOLD_ERROR = 86_400.0, 600.0
#: Without an answer to this question there will be none to another one, or must not be asked for (RFC 9309, 2.3.1.4).
_SILENT = (wrong.DownloadTimeoutError, wrong.DownloadConnectionRefusedError, wrong.CannotResolveHostError,
           wrong.DownloadFailedError)  # fmt: skip
_NOTHING = b"User-agent: *\nDisallow: /\n"
#: Of a request for robots.txt itself; Scrapy's own mark.
_FREE = "dont_obey_robotstxt"


@dataclass(frozen=True)
class RobotRules:
    """What a server allows, and until when; why it did not answer at all, or why it allows nothing."""

    parser: Protego | None = None
    until: float = inf
    silence: Exception | None = None
    reason: str = FORBIDDEN


class Robots:
    """Obeys robots.txt, reads no more than its first half megabyte, and tells the spider of sitemaps.

    A page of 4xx has no rules, one of 5xx forbids everything for a while (RFC 9309, 2.3.1). 429 and 503 leave the host
    alone first, as any page's do, and so long 429 forbids everything as well. Where nobody answers, the page that is
    asked for fails with the same reason, and is not waited for a second time.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._agent = str(crawler.settings["USER_AGENT"])
        self._usual_delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._rules: dict[str, asyncio.Task[RobotRules]] = {}
        #: How often servers wanted to be left alone when they were asked for their rules, and how often they may.
        self._refusals: Counter[str] = Counter()
        self._retries = crawler.settings.getint("RETRY_TIMES")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Robots:
        """With the crawl's settings."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Nothing if the request may go on; else an exception."""
        if request.meta.get(_FREE):
            return
        asked = self._asked(server_of(request.url), request.url)
        known = asked.done()
        rules = await asyncio.shield(asked)
        if rules.silence is not None:
            request.meta["dont_retry"] = True
            raise rules.silence.with_traceback(None)
        if rules.parser is not None and not rules.parser.can_fetch(request.url, self._agent):
            raise wrong.IgnoreRequest(rules.reason)
        if not known and self._usual_delay > 0 and "key" in request.meta and rules.parser is not None:
            raise NotReady("robots.txt was asked for just now")  # the page waits as long as after any other question

    def _asked(self, server: str, url: str) -> asyncio.Task[RobotRules]:
        """The rules of a server, once they are there; the first request asks for them, and one that finds them old."""
        known = self._rules.get(server)
        if known is None or (known.done() and time.monotonic() > known.result().until):
            known = self._rules[server] = asyncio.ensure_future(self._ask(server, url.partition(":")[0]))
            if len(self._rules) > MOST_FILES:
                oldest = next(server for server, task in self._rules.items() if task.done() or task is known)
                if self._rules[oldest] is not known:
                    del self._rules[oldest]
        return known

    async def _ask(self, server: str, scheme: str) -> RobotRules:
        question = Request(f"{scheme}://{server}/robots.txt", NO_CALLBACK, meta={_FREE: True}, priority=1000)
        assert self.crawler.engine is not None
        try:
            response = await self.crawler.engine.download_async(question)
            if (spider := self._spider(server)) is not None:
                spider.keep_robots(response, question)
            if self._wants_rest(response, server):
                return RobotRules(until=0.0, silence=NotReady("robots.txt is asked for later", response))
            return self._read(response, server)
        except _SILENT as error:
            return RobotRules(until=0.0, silence=error)
        except Exception:  # an answer that cannot be read has no rules
            return RobotRules()

    def _wants_rest(self, response: Response, server: str) -> bool:
        """True if a server wants to be asked later for its rules, and will be."""
        if response.status in TOO_MANY and (wanted_rest(response) or 0.0) < LONGEST_REST:
            self._refusals[server] += 1
            if self._refusals[server] <= self._retries:
                return True
        self._refusals.pop(server, None)
        return False

    def _spider(self, server: str) -> LiveSpider | None:
        spider = self.crawler.spider
        return spider.at(f"http://{server}/") if isinstance(spider, LiveSpider) else None

    def _read(self, response: Response, server: str) -> RobotRules:
        body, status = response.body, response.status
        if len(body) > MOST_BYTES:
            body = body[: body.rfind(b"\n", 0, MOST_BYTES) + 1]
        is_error = status >= 500 or status in TOO_MANY
        if status >= 400:
            body = _NOTHING if is_error else b""
        # RFC 9309 wants UTF-8; editors that write UTF-16 put its mark in front, and their rules are rules.
        charset = "utf-16" if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
        parser = Protego.parse(body.decode(charset, errors="ignore"))
        with suppress(ValueError, TypeError, ArithmeticError):  # the rules are read; this is only more of it
            self._tell(parser, server)
        if is_error:
            return RobotRules(parser, time.monotonic() + HOLD_ERROR, reason=NO_RULES)
        return RobotRules(parser, time.monotonic() + HOLD)

    def _tell(self, parser: Protego, server: str) -> None:
        """Sitemaps are the spider's, the Crawl-delay is the queue's, and the downloader's for redirects."""
        spider = self._spider(server)
        if spider is not None:
            spider.note_sitemaps(server, list(islice(parser.sitemaps, MOST_SITEMAPS)))
        delay = parser.crawl_delay(self._agent)
        if delay:
            wanted, host = max(self._usual_delay, min(float(delay), LONGEST_DELAY)), host_of(server)
            if spider is not None:
                spider.hosts.set_delay(spider.crawl.store.server_number(server), wanted)
            engine: Any = self.crawler.engine
            engine.downloader.per_slot_settings.setdefault(host, {})["delay"] = wanted
            if host in engine.downloader.slots:
                engine.downloader.slots[host].delay = wanted
