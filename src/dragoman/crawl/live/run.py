"""A live crawl from its first request to its last: Scrapy's process with our scheduler, resolver and spider."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.crawl.live.safety import Limits
from dragoman.crawl.live.scoring import UrlScorer
from dragoman.crawl.live.steering import MOST_WAITING, Steering
from dragoman.crawl.live.store import Answer, Store
from dragoman.crawl.live.targets import Budget, Target
from dragoman.crawl.live.warc import SIZE, WarcFolder
from dragoman.errors import DragomanError, need
from dragoman.models.shelf import DEFAULT
from dragoman.page.identify import identify_text, open_method
from dragoman.types import Language, Page, Prediction

AGENT = "dragoman"
#: Characters of a page's text that are enough to tell its language.
ENOUGH_TEXT = 4_000
#: Seconds between two looks by whoever watches.
LOOK = 0.5


@dataclass(frozen=True)
class Manners:
    """How the web is asked: politely by default."""

    delay: float = 1.0
    concurrent: int = 16
    per_host: int = 1
    retries: int = 2
    agent: str = AGENT
    allow_private: bool = False
    #: Patterns of hosts that may have a private address although others may not.
    allow_hosts: tuple[str, ...] = ()
    #: Fixed addresses of hosts, `*` for all: for tests and for names that DNS does not know.
    resolve: Mapping[str, str] = field(default_factory=dict)
    obey_robots: bool = True


class Live:
    """One live crawl: what spider and scheduler share."""

    def __init__(
        self,
        folder: Path,
        target: Target,
        seeds: Sequence[str],
        *,
        limits: Limits | None = None,
        budget: Budget | None = None,
        manners: Manners | None = None,
        model: str = DEFAULT,
        warc_size: int = SIZE,
        most_waiting: int = MOST_WAITING,
        watch: Callable[[Live], None] | None = None,
    ) -> None:
        self.folder, self.target = folder, target
        self.budget, self.manners = budget or Budget(), manners or Manners()
        self.watch = watch
        scorer = UrlScorer(target.languages, model)
        self._method = open_method()
        folder.mkdir(parents=True, exist_ok=True)
        self.store = Store(folder, target.identity())
        file, length = self.store.get("warc", [None, 0])
        self.warc = WarcFolder(folder / "warc", file, length, warc_size)
        self.steering = Steering(
            self.store, target, limits or Limits(), scorer, allow_private=self.manners.allow_private,
            most_waiting=most_waiting,
        )  # fmt: skip
        self.resumed = not self.store.fresh
        self.steering.start(seeds)
        self.before = float(self.store.get("seconds", 0.0))
        self.began = self._looked = time.monotonic()
        self.ended: str | None = None
        self.broken: Exception | None = None
        self.crawler: Any = None

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its runs together."""
        return self.before + time.monotonic() - self.began

    def identify(self, page: Page) -> Prediction:
        """The language of a page by its text."""
        return identify_text(page.text[:ENOUGH_TEXT], self._method)

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for; `active` are the pages that are on their way."""
        steering = self.steering
        if self.broken is not None or self.ended is not None:
            return True
        if steering.strategy.finished or self.target.full(_counted(steering.languages)):
            self.ended = "every quota is full"
            return True
        hosts = len(steering.of_server)
        spent = self.budget.spent(steering.pages, steering.bytes, hosts, self.seconds)
        if spent is not None:
            self.ended = spent
            return True
        return self.budget.pages is not None and steering.pages + active >= self.budget.pages

    def took(self, answer: Answer, links: Sequence[tuple[str, Language | None]]) -> None:
        """An answer has come: one transaction with everything that belongs to it."""
        self.store.set("warc", [self.warc.file, self.warc.length])
        now = time.monotonic()
        look = now - self._looked >= LOOK
        if look:
            self._looked = now
            self.store.set("seconds", self.seconds)
        self.steering.page(answer, links)
        if look and self.watch is not None:
            self.watch(self)

    def stop(self, error: Exception) -> None:
        """Something is wrong with the folder: end without losing what is committed."""
        if self.broken is None:
            self.broken = error
            if self.crawler is not None and self.crawler.engine is not None:
                from scrapy.utils.defer import _schedule_coro

                _schedule_coro(self.crawler.engine.close_spider_async(reason="broken"))

    def settings(self) -> dict[str, Any]:
        """Scrapy's settings for this crawl."""
        manners, limits = self.manners, self.steering.limits
        return {
            "SCHEDULER": "dragoman.crawl.live.scheduler.LiveScheduler",
            "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.resolver.SafeResolver",
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "dragoman.crawl.live.robots.Robots": 100,
                "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
                "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
                "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
                "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
            },
            "SPIDER_MIDDLEWARES": {
                "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
                "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
                "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
                "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
            },
            "ROBOTSTXT_OBEY": manners.obey_robots,
            "USER_AGENT": manners.agent,
            "COOKIES_ENABLED": False,
            "DOWNLOAD_DELAY": manners.delay,
            "DOWNLOAD_DELAY_JITTER": 0,
            "CONCURRENT_REQUESTS": manners.concurrent,
            "CONCURRENT_REQUESTS_PER_DOMAIN": manners.per_host,
            "DOWNLOAD_TIMEOUT": limits.seconds,
            "DOWNLOAD_MAXSIZE": limits.body,
            "DOWNLOAD_WARNSIZE": 0,
            "RETRY_TIMES": manners.retries,
            "DNS_TIMEOUT": 20,
            "LOG_ENABLED": False,
            "LOG_INSTALL_ROOT_HANDLER": False,
            "CONCURRENT_ITEMS": 1,  # a page yields a request at most; Scrapy makes so many tasks for each
            "TELNETCONSOLE_ENABLED": False,
            "EXTENSIONS": {
                "scrapy.extensions.logstats.LogStats": None,
                "scrapy.extensions.memusage.MemoryUsage": None,
                "scrapy.extensions.telnet.TelnetConsole": None,
            },
            "DRAGOMAN_ALLOW_PRIVATE": manners.allow_private,
            "DRAGOMAN_ALLOW_HOSTS": list(manners.allow_hosts),
            "DRAGOMAN_RESOLVE": dict(manners.resolve),
        }

    def run(self) -> None:
        """Crawl until nothing waits, the budget is used up or somebody stops it; then write everything to its end."""
        need("crawl", "scrapy")
        from scrapy.crawler import AsyncCrawlerProcess

        from dragoman.crawl.live.spider import LiveSpider

        for noisy in ("scrapy", "twisted", "protego", "py.warnings", "asyncio"):
            logging.getLogger(noisy).setLevel(logging.CRITICAL)
        process = AsyncCrawlerProcess(self.settings())
        self.crawler = process.create_crawler(LiveSpider)
        process.crawl(self.crawler, live=self)
        process.start()
        self._finish()

    def _finish(self) -> None:
        reason = self.crawler.stats.get_value("finish_reason") if self.crawler.stats else None
        if self.ended is None:
            self.ended = "interrupted" if reason == "shutdown" else "nothing waits any more"
        try:
            if self.broken is not None:
                raise self.broken
            self.store.set("seconds", self.seconds)
            self.store.set("ended", self.ended)
            self.store.commit()
            self.warc.sync()
            self.warc.close()
            self.steering.export()
        except (OSError, DragomanError) as error:
            self.store.abandon()
            raise told(error, self.folder) from error
        except Exception as error:
            self.store.abandon()
            if type(error).__module__ == "sqlite3":
                raise told(error, self.folder) from error
            raise


def told(error: Exception, folder: Path) -> DragomanError:
    """What went wrong with the crawl folder, in one line."""
    text = getattr(error, "strerror", None) or str(error)
    return DragomanError(
        f"'{folder}' cannot be written: {text}. Nothing that was saved is lost: make room, then give the same command"
    )


def _counted(languages: Mapping[Language | None, int]) -> dict[Language, int]:
    return {language: count for language, count in languages.items() if language is not None}
