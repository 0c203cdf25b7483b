"""Manners: how the web is asked, and what that means in Scrapy's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dragoman.crawl.live.state.safety import CrawlLimits

AGENT = "dragoman"


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

    def settings(self, limits: CrawlLimits, *, shared: bool = False) -> dict[str, Any]:
        """Scrapy's settings for a crawl, alone or shared with other processes."""
        return {
            "SCHEDULER": "dragoman.crawl.live.driver.scheduler.LiveScheduler",
            "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.driver.resolver.SafeResolver",
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "dragoman.crawl.live.driver.robots.Robots": 100 if self.obey_robots else None,
                "dragoman.crawl.live.cluster.slots.HostSlots": 950 if shared else None,
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
            "USER_AGENT": self.agent,
            "COOKIES_ENABLED": False,
            "DOWNLOAD_DELAY": self.delay,
            "DOWNLOAD_DELAY_JITTER": 0,
            "CONCURRENT_REQUESTS": self.concurrent,
            "CONCURRENT_REQUESTS_PER_DOMAIN": self.per_host,
            "DOWNLOAD_TIMEOUT": limits.seconds,
            "DOWNLOAD_MAXSIZE": limits.body,
            "DOWNLOAD_WARNSIZE": 0,
            "RETRY_TIMES": self.retries,
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
            "DRAGOMAN_ALLOW_PRIVATE": self.allow_private,
            "DRAGOMAN_ALLOW_HOSTS": list(self.allow_hosts),
            "DRAGOMAN_RESOLVE": dict(self.resolve),
        }
