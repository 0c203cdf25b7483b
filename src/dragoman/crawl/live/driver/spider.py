"""LiveSpider: answers from the web become pages for the steering, redirects and failures rows with a reason."""

from __future__ import annotations

import gzip
import re
import sqlite3
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin

from scrapy import Request, Spider, signals
from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from dragoman.crawl.live.driver.resolver import SafeResolver
from dragoman.crawl.live.driver.robots import MOST_SITEMAPS
from dragoman.crawl.live.state.safety import PRIVATE
from dragoman.crawl.live.state.store import Answer
from dragoman.identifiers.text.document import read_page
from dragoman.languages import find
from dragoman.types import Language, Page
from dragoman.web.addresses import host_of, server_of

if TYPE_CHECKING:
    from dragoman.crawl.live.driver.run import Live
    from dragoman.crawl.live.driver.scheduler import LiveScheduler

Links = list[tuple[str, Language | None]]

#: Links that a sitemap may add to one page, and bytes of a sitemap that are read.
SITEMAP_LINKS, SITEMAP_BYTES = 500, 5_000_000
_LOCATION = re.compile(r"<loc>\s*([^<\s]+)\s*</loc>")
_ALTERNATE = re.compile(r"<xhtml:link\b[^>]*>")
_ATTRIBUTE = re.compile(r"(hreflang|href)\s*=\s*[\"']([^\"']*)[\"']")

_FAILURES: tuple[tuple[type[BaseException], str], ...] = (
    (wrong.DownloadTimeoutError, "no answer in time"),
    (wrong.DownloadCancelledError, "body is too large"),
    (wrong.DownloadConnectionRefusedError, "connection refused"),
    (wrong.ResponseDataLossError, "answer is incomplete"),
    (wrong.DownloadFailedError, "answer is broken"),
    (wrong.UnsupportedURLSchemeError, "not http or https"),
)


class LiveSpider(Spider):
    """Reads every answer once; what to fetch next is the scheduler's business."""

    name = "dragoman"
    scheduler: LiveScheduler

    def __init__(self, live: Live, **more: Any) -> None:
        super().__init__(**more)
        self.live = live
        self.sitemaps: dict[str, list[str]] = {}
        self._from_sitemaps: dict[str, Links] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """The spider, which wants to be told when nothing waits any more."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    def idle(self) -> None:
        """Nothing waits: what sitemaps told after the last page of their server was read is queued now."""
        left, self._from_sitemaps = self._from_sitemaps, {}
        live = self.live
        if live.shared is not None or live.enough():
            return
        try:
            if live.steering.listed([link for links in left.values() for link in links]):
                raise wrong.DontCloseSpider
        except (OSError, sqlite3.Error) as error:
            live.stop(error)

    async def start(self) -> AsyncIterator[Any]:
        """Nothing: the seeds are in the queue already."""
        return
        yield

    def request(self, key: int, url: str | None = None, hops: tuple[str, ...] = ()) -> Request:
        """A request for a URL that left the queue, or for where it is redirected to."""
        meta = {"key": key, "hops": hops, "handle_httpstatus_all": True, "dont_merge_cookies": True}
        return Request(
            url or self.live.steering.store.url(key), self.parse, meta=meta, errback=self.failed, dont_filter=True
        )

    def parse(self, response: Response, **more: Any) -> Iterator[Request]:
        """An answer: saved, read, shown to the strategy; a redirect is followed."""
        try:
            yield from self._answered(response)
        except Exception as error:  # a full disk, or a mistake of ours: stop before anything is lost
            # Scrapy would go on without a word, and the URL's host would be held for busy for ever.
            self.live.stop(error)
            self.scheduler.released(int(response.meta["key"]))

    def _answered(self, response: Response) -> Iterator[Request]:
        live, key = self.live, int(response.meta["key"])
        if live.broken is not None or not live.steering.owns(key):  # the end, or another process has it now
            self.scheduler.released(key)
            return
        hops: tuple[str, ...] = response.meta["hops"]
        now = time.time()
        final = live.steering.number(response.url, key) if hops else key
        file, place, length, digest = self._keep(response, now)
        answer = Answer(key, key if final is None else final, now, response.status, bytes=len(response.body),
                        digest=digest, warc=file, place=place, length=length)  # fmt: skip
        links: Links = []
        if 300 <= response.status < 400 and response.headers.get("Location"):
            followed = self._redirected(response, answer, hops)
            if followed is not None:
                yield followed
                return
        elif response.status != 200:
            answer.reason = f"status {response.status}"
        else:
            links = self._read(response, answer)
        live.took(answer, links)
        self.scheduler.released(key)
        server = server_of(response.url)
        if answer.relevant and self.sitemaps.get(server):
            for one in self.sitemaps.pop(server):
                if live.steering._checked(one, live.steering.reasons):
                    yield Request(one, self.sitemap, meta={"of": server}, errback=self.no_sitemap, dont_filter=True)

    def _keep(self, response: Response, when: float) -> tuple[str, int, int, str]:
        asked = response.request
        assert asked is not None
        question = [(name, value) for name, values in asked.headers.items() for value in values]
        said = [(name, value) for name, values in response.headers.items() for value in values]
        return self.live.warc.write(
            response.url, (asked.method, question), (response.status, said, response.body),
            str(response.ip_address) if response.ip_address else None, when,
        )  # fmt: skip

    def _redirected(self, response: Response, answer: Answer, hops: tuple[str, ...]) -> Request | None:
        """The request for where it leads, or None with the reason in the answer."""
        steering, location = self.live.steering, (response.headers.get("Location") or b"").decode("latin-1")
        try:
            url = urljoin(response.url, location)
        except ValueError:
            url = ""
        before = dict(steering.reasons)
        end = steering.number(url, answer.url)
        if end is None:
            why = [one for one, count in steering.reasons.items() if count > before.get(one, 0)]
            answer.reason = f"redirect refused: {why[0] if why else 'no URL'}"
            return None
        url = steering.store.url(end)
        if url == response.url or url in hops or end == answer.url:
            answer.reason = "redirect loop"
        elif len(hops) >= steering.limits.redirects:
            answer.reason = "too many redirects"
        elif not steering.claim(answer.url, end):
            answer.reason = "redirect to a page that is there already"
        else:
            self.scheduler.moved(answer.url, steering.store.server[end])
            return self.request(answer.url, url, (*hops, response.url))
        return None

    def _read(self, response: Response, answer: Answer) -> Links:
        """Fill in what the page says; its links."""
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        said = (response.headers.get("Content-Language") or b"").decode("latin-1")
        try:
            page = read_page(response.body, kind or None, response.url, said or None)
            found = self.live.identify(page)
        except (ValueError, ArithmeticError, LookupError, RecursionError) as error:
            answer.reason = f"could not be read: {type(error).__name__}"
            return []
        if page.kind == "binary":
            answer.reason = "no text"
            return []
        answer.language, answer.probability = found.language, found.probability
        answer.declared, answer.charset = page.declared, page.charset
        answer.relevant = answer.language in self.live.steering.target.languages
        links = [] if "nofollow" in page.robots else links_of(page)
        return links + self._from_sitemaps.pop(server_of(response.url), [])

    def failed(self, failure: Failure) -> None:
        """No answer: a row with the reason."""
        request: Request = failure.request  # type: ignore[attr-defined]
        live, key = self.live, int(request.meta["key"])
        try:
            end = live.steering.ends.get(key, key)
            live.took(Answer(key, end, time.time(), reason=self._reason(failure, request)), [])
        except Exception as error:
            live.stop(error)
        self.scheduler.released(key)

    def _reason(self, failure: Failure, request: Request) -> str:
        error = failure.value
        if isinstance(error, wrong.IgnoreRequest):
            text = str(error)
            if "robots" in text:
                return "robots.txt forbids it"
            return "body is too large when decompressed" if "decompress" in text else f"refused: {text[:80]}"
        if isinstance(error, wrong.CannotResolveHostError):
            refused = host_of(server_of(request.url)) in SafeResolver.refused
            return PRIVATE if refused else "host is not known"
        for kind, reason in _FAILURES:
            if isinstance(error, kind):
                return reason
        return f"failed: {type(error).__name__}"

    def sitemap(self, response: Response) -> Iterator[Request]:
        """A sitemap: its URLs are links of the next page of its server. Of a list of sitemaps the first are read."""
        body = response.body[:SITEMAP_BYTES]
        if body[:2] == b"\x1f\x8b":
            body = _unpacked(body)
        if response.status != 200:
            return
        text, server = body.decode("utf-8", "replace"), response.meta["of"]
        found = links_of_sitemap(text)
        if "<sitemapindex" in text[:4096]:
            steering = self.live.steering
            for one, _ in [] if response.meta.get("listed") else found[:MOST_SITEMAPS]:
                if steering._checked(one, steering.reasons):
                    more = {"of": server, "listed": True}
                    yield Request(one, self.sitemap, meta=more, errback=self.no_sitemap, dont_filter=True)
        else:
            waiting = self._from_sitemaps.setdefault(server, [])
            waiting += found[: SITEMAP_LINKS - len(waiting)]

    def no_sitemap(self, failure: Failure) -> None:
        """A sitemap that is not there is no loss."""


def _unpacked(body: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(body, SITEMAP_BYTES)
    except (zlib.error, gzip.BadGzipFile):
        return b""


def links_of(page: Page) -> Links:
    """The links of a page in their order: anchors, versions in other languages, frames, META refresh.

    >>> links_of(read_page("<a href=/x>x</a><link rel=alternate hreflang=th href=/th>", url="http://a.de/"))
    [('http://a.de/x', None), ('http://a.de/th', 'th')]
    """
    found: Links = [(link.url, link.language) for link in page.links]
    found += [(url, find(language)) for language, url in page.alternates]
    found += [(url, None) for url in page.frames]
    return found + ([(page.refresh, None)] if page.refresh else [])


def links_of_sitemap(text: str) -> Links:
    """The URLs of a sitemap, with hreflang where it has them.

    >>> links_of_sitemap('<url><loc>http://a.de/</loc><xhtml:link rel="alternate" hreflang="th" href="http://a.de/th"/>')
    [('http://a.de/', None), ('http://a.de/th', 'th')]
    """
    found: Links = [(match[1].replace("&amp;", "&"), None) for match in _LOCATION.finditer(text)]
    for match in _ALTERNATE.finditer(text):
        values = dict(_ATTRIBUTE.findall(match[0]))
        if "href" in values:
            found.append((values["href"].replace("&amp;", "&"), find(values.get("hreflang", ""))))
    return found
