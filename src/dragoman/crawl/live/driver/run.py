"""A live crawl from its first request to its last: Scrapy's process with our scheduler, resolver and spider."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.log import SharedError
from dragoman.crawl.live.cluster.steering import open_shared, steered
from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.crawl.live.driver.warc import SIZE, WarcFolder
from dragoman.crawl.live.earlier.continuing import note_urls, take_over
from dragoman.crawl.live.state.progress import write_progress
from dragoman.crawl.live.state.safety import Limits
from dragoman.crawl.live.state.steering import MOST_WAITING
from dragoman.crawl.live.state.store import Answer, Store
from dragoman.crawl.live.state.targets import Budget, Target
from dragoman.errors import DragomanError, need
from dragoman.identifiers.models import DEFAULT
from dragoman.identifiers.text.identify import identify_text, open_method
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
        promised: Mapping[str, Language] | None = None,
        earlier: Sequence[Path] = (),
        revisit: bool = False,
        shared: str | None = None,
    ) -> None:
        self.folder, self.target = folder, target
        self.budget, self.manners = budget or Budget(), manners or Manners()
        self.watch = watch
        scorer = UrlScorer(target.languages, model)
        self._method = open_method()
        before = {"earlier": [str(one) for one in earlier], "revisit": revisit} if earlier else {}
        identity = target.identity() | before
        #: The log in Redis, where several processes crawl together.
        self.shared = open_shared(shared, identity, earlier) if shared else None
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self.store = Store(folder, identity)
            self.steering = steered(
                self.shared, self.store, target, limits or Limits(), scorer, allow_private=self.manners.allow_private,
                most_waiting=most_waiting,
            )  # fmt: skip
            self.resumed = not self.store.fresh
            #: What people should know of earlier crawls that were taken over.
            self.told: list[str] = []
            self.steering.revisit = revisit
            if earlier and self.store.get("seeds") is None:
                note_urls(self.steering, earlier)
            self.steering.start(seeds, promised)
            if earlier and self.store.get("earlier") is None:
                self.told = take_over(self.steering, earlier, self.identify, revisit=revisit).lines()
            file, length = self.store.get("warc", [None, 0])
            prefix = f"pages-{self.shared.folder}" if self.shared else "pages"
            self.warc = WarcFolder(folder / "warc", file, length, warc_size, prefix)
        self.before = float(self.store.get("seconds", 0.0))
        self.began = self._looked = time.monotonic()
        self._tell = self._show_at = 0.0  # when progress.json is written next, and figures are shown
        self._looks: Any = None
        self.ended: str | None = None
        self.broken: Exception | None = None
        self.crawler: Any = None

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its runs and processes together."""
        if self.shared is not None:
            return self.shared.seconds
        return self.before + time.monotonic() - self.began

    def identify(self, page: Page) -> Prediction:
        """The language of a page by its text; none where much of it could not be read."""
        text = page.text[:ENOUGH_TEXT]
        return identify_text(text, self._method) if readable(text) else Prediction(None, None)

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for; `active` are the pages that are on their way."""
        steering = self.steering
        if self.broken is not None or self.ended is not None:
            return True
        if steering.strategy.finished or (self.target.quotas and self.target.full(self.found())):
            self.ended = "every quota is full"
            return True
        hosts = len(steering.of_server)
        spent = self.budget.spent(steering.pages, steering.bytes, hosts, self.seconds)
        if spent is not None:
            self.ended = spent
            return True
        return self.budget.pages is not None and steering.pages + active >= self.budget.pages

    def found(self) -> dict[Language, int]:
        """Pages by language, with those of earlier crawls that are not asked for again."""
        steering = self.steering
        before = {} if steering.revisit else steering.before
        return {one: steering.languages[one] + before.get(one, 0) for one in self.target.quotas}

    def took(self, answer: Answer, links: Sequence[tuple[str, Language | None]]) -> None:
        """An answer has come: one transaction with everything that belongs to it.

        After something went wrong with the folder nothing is taken any more: what is in memory may be ahead of what was
        saved, and the answer is asked for again when the crawl goes on.
        """
        if self.broken is not None:
            return
        self.steering.archived(self.warc.file, self.warc.length)
        now = time.monotonic()
        look = now - self._looked >= LOOK
        if look:
            self._looked = now
            self.store.set("seconds", self.seconds)
        self.steering.page(answer, links)
        if now >= self._tell:
            self._tell = now + write_progress(self)

    def look(self) -> bool:
        """True if other processes of a shared crawl did anything; what they did is known then."""
        return self.steering.look()

    def _show(self) -> None:
        """Let whoever watches look, also while no answers come; it takes 5 % of the time at most."""
        began = time.monotonic()
        if self.watch is not None and began >= self._show_at:
            self.watch(self)
            self._show_at = began + 20 * (time.monotonic() - began)

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
            "SCHEDULER": "dragoman.crawl.live.driver.scheduler.LiveScheduler",
            "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.driver.resolver.SafeResolver",
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "dragoman.crawl.live.driver.robots.Robots": 100,
                "dragoman.crawl.live.cluster.slots.HostSlots": 950 if self.shared else None,
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
        from scrapy import signals
        from scrapy.crawler import AsyncCrawlerProcess

        from dragoman.crawl.live.driver.spider import LiveSpider

        for noisy in ("scrapy", "twisted", "protego", "py.warnings", "asyncio"):
            logging.getLogger(noisy).setLevel(logging.CRITICAL)
        process = AsyncCrawlerProcess(self.settings())
        self.began = self._looked = time.monotonic()
        self.crawler = process.create_crawler(LiveSpider)
        if self.watch is not None:
            self.crawler.signals.connect(self._begin_to_show, signals.spider_opened)
            self.crawler.signals.connect(self._end_to_show, signals.spider_closed)
        process.crawl(self.crawler, live=self)
        process.start()
        self._finish()

    def _begin_to_show(self) -> None:
        from scrapy.utils.asyncio import create_looping_call

        self._looks = create_looping_call(self._show)
        self._looks.start(LOOK)

    def _end_to_show(self) -> None:
        self._looks.stop()

    def _left(self) -> SharedError | None:
        """Tell the others that this process ends; why not, if Redis is lost: what is known is written all the same."""
        try:
            self.steering.leave()
        except SharedError as error:
            return self.broken if isinstance(self.broken, SharedError) else error
        return self.broken if isinstance(self.broken, SharedError) else None

    def _finish(self) -> None:
        reason = self.crawler.stats.get_value("finish_reason") if self.crawler.stats else None
        if self.ended is None:
            self.ended = "interrupted" if reason == "shutdown" else "nothing waits any more"
        try:
            lost = self._left()
            if self.broken is not None and lost is None:
                raise self.broken
            self.store.set("seconds", self.seconds)
            self.store.set("ended", self.ended)
            self.store.commit()
            self.warc.sync()
            self.warc.close()
            self.steering.export()
            write_progress(self)
            if lost is not None:
                raise lost
        except SharedError:
            self.store.abandon()
            raise
        except (OSError, DragomanError) as error:
            self.store.abandon()
            raise told(error, self.folder) from error
        except sqlite3.Error as error:
            self.store.abandon()
            raise told(error, self.folder) from error
        except Exception:
            self.store.abandon()
            raise


def readable(text: str) -> bool:
    """False if a fifth of a text or more is what stands for bytes that its charset does not have.

    >>> readable("caf\\ufffd au lait"), readable("\\ufffd\\ufffd x \\ufffd y")
    (True, False)
    """
    return 5 * text.count("\ufffd") < max(len(text), 1)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """What goes wrong with the folder is told in one line."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise told(error, folder) from error


def told(error: Exception, folder: Path) -> DragomanError:
    """What went wrong with the crawl folder, in one line."""
    text = getattr(error, "strerror", None) or str(error)
    return DragomanError(
        f"'{folder}' cannot be written: {text}. Nothing that was saved is lost: make room, then give the same command"
    )
