"""LiveSpider: answers from the web become pages for the steering, redirects and failures rows with a reason."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from gzip import BadGzipFile
from typing import Any, Self
from urllib.parse import urljoin

from scrapy import Request, Spider, signals
from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from dragoman.columns import text_of
from dragoman.crawl.live.driver.connections import HeadTooLong, is_certificate
from dragoman.crawl.live.driver.hosts import LONGEST_REST, HostQueue
from dragoman.crawl.live.driver.resolver import SafeResolver
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.state.hygiene import is_no_page_type
from dragoman.crawl.live.state.links import (
    NOINDEX,
    LinkEnd,
    Links,
    canonical_of,
    feeds_of,
    links_of,
    links_of_feed,
    links_of_sitemap,
    refresh_link,
    robots_of,
)
from dragoman.crawl.live.state.safety import HOST_IS_FULL, NOT_ASKED, PRIVATE
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.identifiers.text.document import read_page, with_slashes
from dragoman.types import Page
from dragoman.web.addresses import host_of, server_of

#: Links that a sitemap may add to one page, bytes of a sitemap that are read, and sitemaps of a server.
SITEMAP_LINKS, SITEMAP_BYTES, MOST_SITEMAPS = 500, 5_000_000, 3
#: Servers whose sitemaps are remembered until one of their pages is wanted.
MOST_SERVERS = 50_000
#: What a server says that wants to be asked less often.
TOO_MANY = (429, 503)
#: What it says of a page that is as it was.
UNCHANGED = 304

COPY = "copy of a page that is there already, by its canonical link"

_FAILURES: tuple[tuple[type[BaseException], str], ...] = (
    (wrong.DownloadTimeoutError, "no answer in time"),
    (wrong.DownloadCancelledError, "body is too large"),
    (wrong.DownloadConnectionRefusedError, "connection refused"),
    (wrong.ResponseDataLossError, "answer is incomplete"),
    (wrong.DownloadFailedError, "answer is broken"),
    (wrong.UnsupportedURLSchemeError, "not http or https"),
    (BadGzipFile, "body cannot be unpacked"),
    (zlib.error, "body cannot be unpacked"),
    (EOFError, "body cannot be unpacked"),
)
#: Packages that unpack bodies and may not be there; each has an error of its own.
_UNPACKERS = ("brotli", "brotlicffi", "zstandard", "compression")


class NotReady(wrong.IgnoreRequest):
    """A request that has to wait for its host once more; `refusal` is the answer by which it asked for that."""

    def __init__(self, why: str, refusal: Response | None = None) -> None:
        super().__init__(why)
        self.refusal = refusal


class LiveSpider(Spider):
    """Reads every answer once; what to fetch next is the scheduler's business."""

    name = "dragoman"

    def __init__(self, crawl: LiveCrawl, **more: Any) -> None:
        super().__init__(**more)
        self.crawl = crawl
        self.hosts = HostQueue(crawl, crawl.manners.per_host)
        #: Sitemaps that robots.txt named, and the links of those that were read and no page has been credited with yet.
        self._sitemaps: dict[str, list[str]] = {}
        self.listed: dict[str, list[LinkEnd]] = {}
        #: Servers whose feeds are known.
        self._fed: set[str] = set()
        #: How often hosts refused a page that will be asked for again.
        self._tries: dict[int, int] = {}
        # Scrapy reads the source of a callback to warn of mistakes, anew for each object: this is always the same.
        self._callback = self.parse

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """The spider, which wants to be told when nothing waits any more."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    @property
    def waits(self) -> bool:
        """True while there is something to ask for, now or later."""
        return bool(self.hosts.held or self.crawl.steering.waits)

    def at(self, url: str) -> LiveSpider | None:
        """Who reads the answers of the server of a URL."""
        return self

    def idle(self) -> None:
        """Nothing waits: what sitemaps told after the last page of their server was read is queued now."""
        if self.crawl.enough():
            return
        left, self.listed = self.listed, {}
        try:
            if self.crawl.steering.listed([link for links in left.values() for link in links]):
                raise wrong.DontCloseSpider
        except (OSError, sqlite3.Error) as error:
            self.crawl.stop(error)

    async def start(self) -> AsyncIterator[Any]:
        """Nothing: the seeds are in the queue already."""
        return
        yield

    def request(self, key: int, url: str | None = None, hops: tuple[str, ...] = ()) -> Request:
        """A request for a URL that left the queue, or for where it is redirected to."""
        meta = {"key": key, "hops": hops, "handle_httpstatus_all": True, "dont_merge_cookies": True}
        request = Request(
            url or self.crawl.store.url(key), self._callback, meta=meta, errback=self.failed, dont_filter=True
        )
        if self.crawl.steering.revisit and not hops and (before := self.crawl.visited(key)) is not None:
            for name, value in (("If-None-Match", before.etag), ("If-Modified-Since", before.modified)):
                if value:
                    request.headers[name] = value
            request.meta["before"] = before
        return request

    def parse(self, response: Response, **more: Any) -> Iterator[Request]:
        """An answer: saved, read, shown to the strategy; a redirect is followed."""
        try:
            yield from self._answered(response)
        except Exception as error:  # a full disk, or a mistake of ours: stop before anything is lost
            # Scrapy would go on without a word, and the URL's host would be held for busy for ever.
            self.crawl.stop(error)
            self.hosts.release(int(response.meta["key"]))

    def _answered(self, response: Response) -> Iterator[Request]:
        crawl, key = self.crawl, int(response.meta["key"])
        if crawl.broken is not None:  # the end
            self.hosts.release(key)
            return
        if response.status in TOO_MANY and self._put_off(response, key):
            return
        self.hosts.answered(key)
        hops: tuple[str, ...] = response.meta["hops"]
        now = time.time()
        final = crawl.steering.number(response.url, key) if hops else key
        answer = CrawlAnswer(key, key if final is None else final, now, response.status, bytes=len(response.body))
        links: Links = []
        if not 100 <= response.status <= 999:
            answer.status, answer.reason = None, "status is no number of three digits"
        elif 300 <= response.status < 400 and response.headers.get("Location"):
            followed = self._redirected(response, answer, hops)
            if followed is not None:
                self.archive(response, now)
                yield followed
                return
        elif response.status == UNCHANGED and (before := response.meta.get("before")) is not None:
            answer.language, answer.relevant = before.language, before.language in crawl.target.languages
        elif response.status != 200:
            answer.reason = f"status {response.status}"
        else:
            links = self._read(response, answer)
        self.archive(response, now, answer)
        crawl.take(answer, links)
        self.hosts.release(key)
        if answer.relevant and (sources := self._sitemaps.pop(server := server_of(response.url), [])):
            yield from self._sitemap_requests(sources, {"of": server})

    def _put_off(self, response: Response, key: int) -> bool:
        """Leave a host alone that asks for it; False if this page has been asked for often enough."""
        times = self._tries.pop(key, 0) + 1
        rest = self.hosts.refused(key, wanted_rest(response))
        if times > self.crawl.manners.retries or rest >= LONGEST_REST:
            return False
        self._tries[key] = times
        self.hosts.put_off(key)
        return True

    def archive(self, response: Response, when: float, answer: CrawlAnswer | None = None) -> None:
        """Keep an exchange, and note in its answer where; of a page that asks not to be kept only the head."""
        request = response.request
        assert request is not None
        sent, received = (
            [(name, value) for name, values in headers.items() for value in values]
            for headers in (request.headers, response.headers)
        )
        body = b"" if answer is not None and answer.reason == NOINDEX else response.body
        record = self.crawl.warc.write(
            response.url, (request.method, sent), (response.status, received, body),
            str(response.ip_address) if response.ip_address else None, when,
            before.digest if (before := response.meta.get("before")) is not None else None,
        )  # fmt: skip
        if answer is not None:
            answer.warc, answer.offset, answer.length, answer.digest = record

    def _redirected(self, response: Response, answer: CrawlAnswer, hops: tuple[str, ...]) -> Request | None:
        """The request for where it leads, or None with the reason in the answer."""
        steering = self.crawl.steering
        before = Counter(steering.reasons)
        end = steering.number(location_of(response), answer.url)
        if end is None:
            answer.reason = f"redirect refused: {next(iter(steering.reasons - before), 'no URL')}"
            return None
        url = steering.store.url(end)
        if url == response.url or url in hops or end == answer.url:
            answer.reason = "redirect loop"
        elif len(hops) >= steering.limits.redirects:
            answer.reason = "too many redirects"
        elif steering.is_full(steering.store.server[end]):
            answer.reason = f"redirect refused: {HOST_IS_FULL}"
        elif not steering.claim(answer.url, end):
            answer.reason = "redirect to a page that is there already"
        else:
            self.hosts.move(answer.url, end)
            return self.request(answer.url, url, (*hops, response.url))
        return None

    def _read(self, response: Response, answer: CrawlAnswer) -> Links:
        """Fill in what the page says; its links."""
        kind, language = (
            (response.headers.get(name) or b"").decode("latin-1") or None
            for name in ("Content-Type", "Content-Language")
        )
        try:
            page = read_page(response.body, kind, response.url, language)
            prediction = self.crawl.identify(page)
        except (ValueError, ArithmeticError, LookupError, RecursionError) as error:
            answer.reason = f"could not be read: {type(error).__name__}"
            return []
        if page.kind == "binary" or is_no_page_type(kind):
            answer.reason = "no text"
            return []
        answer.language, answer.probability = prediction.language, prediction.probability
        answer.languages, answer.script = prediction.languages, prediction.script
        answer.declared, answer.charset = page.declared, page.charset
        answer.relevant = answer.language in self.crawl.target.languages
        if self._is_copy(page, answer):
            return []
        header = b",".join(response.headers.getlist("X-Robots-Tag")).decode("latin-1")
        wishes = robots_of(page, header, self.crawl.manners.agent) if self.crawl.manners.obey_robots else frozenset()
        if "noindex" in wishes:
            answer.reason = NOINDEX
        server = server_of(response.url)
        if answer.relevant and server not in self._fed:
            self._fed.add(server)
            self._sitemaps.setdefault(server, []).extend(feeds_of(page)[:MOST_SITEMAPS])
        refresh = text_of(response.headers.get("Refresh") or b"")
        links = [] if "nofollow" in wishes else [*links_of(page), *refresh_link(page, refresh)]
        return [*links, *self.listed.pop(server, [])]

    def _is_copy(self, page: Page, answer: CrawlAnswer) -> bool:
        """True if a page says that it is another one, and that one is there already; else nobody asks for that now."""
        url = canonical_of(page)
        end = None if url is None else self.crawl.steering.number(url, answer.url)
        if end is None:
            return False
        if not self.crawl.steering.is_free(answer.url, end):
            answer.reason, answer.relevant = COPY, False
            return True
        answer.final = end
        return False

    def failed(self, failure: Failure) -> None:
        """No answer: a row with the reason."""
        request: Request = failure.request  # type: ignore[attr-defined]
        crawl, key = self.crawl, int(request.meta["key"])
        if isinstance(failure.value, NotReady):
            if failure.value.refusal is not None:
                self.hosts.refused(key, wanted_rest(failure.value.refusal))
            self.hosts.put_off(key)
            return
        try:
            end = crawl.steering.ends.get(key, key)
            crawl.take(CrawlAnswer(key, end, time.time(), reason=reason_of(failure.value, request.url)), [])
        except Exception as error:
            crawl.stop(error)
        self.hosts.release(key)

    def keep_robots(self, response: Response, question: Request) -> None:
        """The rules that a crawl obeyed are in its archive; where that cannot be written, the next page will tell."""
        if response.request is None:
            response.request = question
        if self.crawl.broken is None:
            with suppress(OSError):
                self.archive(response, time.time())

    def note_sitemaps(self, server: str, urls: list[str]) -> None:
        """The sitemaps that a server's robots.txt names: they are read once one of its pages is wanted."""
        if urls:
            self._sitemaps.setdefault(server, []).extend(urls)
            if len(self._sitemaps) > MOST_SERVERS:
                del self._sitemaps[next(iter(self._sitemaps))]

    def _sitemap_requests(self, urls: Sequence[str], meta: dict[str, Any]) -> Iterator[Request]:
        steering = self.crawl.steering
        for url in () if self.crawl.enough() else urls:
            if steering.gate.follow(url, steering.reasons, pages_only=False):
                yield Request(url, self.sitemap, meta=meta, errback=self.no_sitemap, dont_filter=True)

    def sitemap(self, response: Response) -> Iterator[Request]:
        """A sitemap: its URLs are links of the next page of its server. Of a list of sitemaps the first are read."""
        body = response.body[:SITEMAP_BYTES]
        if body[:2] == b"\x1f\x8b":
            body = _unpacked(body)
        if response.status != 200:
            return
        text, server = body.decode("utf-8", "replace"), response.meta["of"]
        is_feed = "<rss" in text[:4096] or "<feed" in text[:4096]
        links = links_of_feed(text) if is_feed else links_of_sitemap(text)
        if "<sitemapindex" not in text[:4096]:
            waiting = self.listed.setdefault(server, [])
            waiting += links[: SITEMAP_LINKS - len(waiting)]
        elif not response.meta.get("listed"):
            yield from self._sitemap_requests(
                [link.url for link in links[:MOST_SITEMAPS]], {"of": server, "listed": True}
            )

    def no_sitemap(self, failure: Failure) -> None:
        """A sitemap that is not there is no loss."""


def location_of(response: Response) -> str:
    """Where a redirect leads; nothing where that is no URL."""
    try:
        return urljoin(response.url, with_slashes(text_of(response.headers.get("Location") or b"")))
    except ValueError:
        return ""


def reason_of(error: BaseException | None, url: str) -> str:
    """Why there is no answer."""
    if isinstance(error, wrong.IgnoreRequest):
        text = str(error)
        if text in NOT_ASKED:
            return text
        return "body is too large when decompressed" if "decompress" in text else f"refused: {text[:80]}"
    if HeadTooLong.is_behind(error):
        return "headers are too long"
    if is_certificate(error):
        return "certificate is not valid"
    if isinstance(error, wrong.CannotResolveHostError):
        return PRIVATE if host_of(server_of(url)) in SafeResolver.refused else "host is not known"
    for kind, reason in _FAILURES:
        if isinstance(error, kind):
            return reason
    if type(error).__module__.partition(".")[0] in _UNPACKERS:
        return "body cannot be unpacked"
    return f"failed: {type(error).__name__}"


def wanted_rest(response: Response) -> float | None:
    """Seconds for which the server of an answer wants to be left alone; None if it does not say."""
    return retry_after(response.headers.get("Retry-After"), time.time())


def retry_after(value: bytes | None, now: float) -> float | None:
    """Seconds for which a server wants to be left alone; None if it does not say so in a way that can be read.

    >>> retry_after(b"120", 0.0), retry_after(b"Thu, 01 Jan 1970 00:01:00 GMT", 50.0), retry_after(b"soon", 0.0)
    (120.0, 10.0, None)
    """
    text = (value or b"").decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _unpacked(body: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(body, SITEMAP_BYTES)
    except zlib.error:
        return b""
