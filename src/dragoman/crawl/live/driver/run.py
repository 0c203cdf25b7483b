"""A live crawl from its first request to its last: Scrapy's process with our scheduler, resolver and spider."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.error import ReactorNotRunning
from twisted.logger import globalLogBeginner

from dragoman.crawl.live.driver.connections import BoundedHandler
from dragoman.crawl.live.driver.resolver import SafeResolver
from dragoman.crawl.live.driver.robots import Robots
from dragoman.crawl.live.driver.scheduler import LiveScheduler
from dragoman.crawl.live.driver.session import LiveCrawl, Manners
from dragoman.crawl.live.driver.spider import LiveSpider
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.types import Language

#: What is wanted of a server: pages.
ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5"
#: The parts of Scrapy that a crawl needs; to load the others takes most of a second, to run them some of each page.
EXTENSIONS = {"scrapy.extensions.corestats.CoreStats": 0}
MIDDLEWARES = {
    f"scrapy.downloadermiddlewares.{name}": order
    for name, order in {
        "downloadtimeout.DownloadTimeoutMiddleware": 350, "defaultheaders.DefaultHeadersMiddleware": 400,
        "useragent.UserAgentMiddleware": 500, "retry.RetryMiddleware": 550,
        "httpcompression.HttpCompressionMiddleware": 590, "redirect.RedirectMiddleware": 600,
    }.items()
}  # fmt: skip
#: Seconds between two looks by whoever watches.
LOOK = 0.5
#: Seconds for which answers that are on their way are waited for when the time is over.
GRACE = 2.0


def run(crawl: LiveCrawl, watch: Callable[[], None] | None = None) -> None:
    """Crawl until nothing waits, the budget is used up or somebody stops it; then write everything to its end.

    `watch` is called now and then, also while no answers come; it takes 5 % of the time at most.
    """
    process = AsyncCrawlerProcess(settings(crawl.manners, crawl.steering.limits, crawl.target.languages))
    hush()  # now, for the process has just set levels of its own
    crawl.began = time.monotonic()
    crawler = process.create_crawler(LiveSpider)

    def close() -> None:
        if crawler.engine is not None:
            deferred_from_coro(crawler.engine.close_spider_async(reason="broken"))

    def look_on() -> None:
        looks: Any = create_looping_call(_seldom(watch or (lambda: None)))
        looks.start(LOOK)
        crawler.signals.connect(looks.stop, signals.spider_closed, weak=False)

    def end_in_time() -> None:
        left = (crawl.budget.seconds or 0.0) - crawl.seconds
        call_later(max(left, 0.0), time_is_over)
        call_later(max(left, 0.0) + GRACE, stop_at_once)

    def time_is_over() -> None:
        if crawl.enough():
            deferred_from_coro(process.stop())

    def stop_at_once() -> None:
        """What is on its way is let go: it is asked for again when the crawl goes on."""
        from twisted.internet import reactor

        running: Any = reactor
        with suppress(ReactorNotRunning):
            running.stop()

    crawl.closing = close
    if crawl.budget.seconds is not None:
        crawler.signals.connect(end_in_time, signals.spider_opened)
    if watch is not None:
        crawler.signals.connect(look_on, signals.spider_opened)
    process.crawl(crawler, crawl=crawl)
    gc.freeze()  # models and modules stay: a look through them for garbage costs a tenth of reading a page
    process.start()
    reason = crawler.stats.get_value("finish_reason") if crawler.stats else None
    crawl.finish(interrupted=reason != "finished")  # none at all: somebody did not wait for the end


def hush() -> None:
    """Let nobody tell of what the crawl tells itself."""
    # For Twisted each bad certificate is critical, and what is critical goes to the screen while nobody listens to it.
    globalLogBeginner.beginLoggingTo([], redirectStandardIO=False, discardBuffer=True)
    for noisy in ("scrapy", "twisted", "protego", "py.warnings", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL + 1)


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


def accepted(languages: Sequence[Language]) -> str:
    """What Accept-Language says: the wanted languages, and anything rather than nothing.

    >>> accepted(["th", "lo"])
    'th, lo;q=0.9, *;q=0.1'
    """
    wanted = [
        language + (f";q={max(1 - rank / 10, 0.2):.1f}" if rank else "") for rank, language in enumerate(languages)
    ]
    return ", ".join([*wanted, "*;q=0.1"])


def settings(manners: Manners, limits: CrawlLimits, languages: Sequence[Language] = ()) -> dict[str, Any]:
    """Scrapy's settings for a crawl."""
    return {
        "SCHEDULER": LiveScheduler,
        "TWISTED_DNS_RESOLVER": SafeResolver,
        "DOWNLOADER_MIDDLEWARES_BASE": MIDDLEWARES,
        "DOWNLOADER_MIDDLEWARES": {Robots: 100} if manners.obey_robots else {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": EXTENSIONS,
        "USER_AGENT": manners.agent,
        "DEFAULT_REQUEST_HEADERS": {"Accept": ACCEPT, "Accept-Language": accepted(languages)},
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": manners.delay,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS": manners.concurrent,
        "CONCURRENT_REQUESTS_PER_DOMAIN": manners.per_host,
        "DOWNLOAD_TIMEOUT": limits.seconds,
        "DOWNLOAD_MAXSIZE": limits.body,
        "DOWNLOAD_WARNSIZE": 0,
        "RETRY_TIMES": manners.retries,
        "REDIRECT_MAX_TIMES": 5,  # of robots.txt (RFC 9309, 2.3.1.2) and sitemaps; those of pages are the spider's
        "RETRY_HTTP_CODES": [500, 502, 504, 522, 524, 408],  # 429 and 503 are the host queue's
        "DOWNLOAD_HANDLERS": {"http": BoundedHandler, "https": BoundedHandler},
        "DOWNLOAD_VERIFY_CERTIFICATES": not manners.allow_bad_certificates,
        "DNS_TIMEOUT": 20,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "CONCURRENT_ITEMS": 1,  # a page yields a request at most; Scrapy makes so many tasks for each
        "TELNETCONSOLE_ENABLED": False,
        "DRAGOMAN_ALLOW_PRIVATE": manners.allow_private,
        "DRAGOMAN_ALLOW_HOSTS": list(manners.allow_hosts),
        "DRAGOMAN_RESOLVE": dict(manners.resolve),
    }
