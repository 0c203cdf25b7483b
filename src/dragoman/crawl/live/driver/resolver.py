"""A resolver for Scrapy that never answers with a private address, and says afterwards what it refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from typing import Any

from scrapy.crawler import Crawler
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.error import DNSLookupError

from dragoman.crawl.live.state.safety import is_private


class RefusedAddress(DNSLookupError):
    """A name that leads to a private address."""


class SafeResolver(CachingThreadedResolver):
    """Resolves names, and refuses those that lead to private addresses, whoever asks: pages, robots.txt, redirects.

    Connections go through it every time, also those to addresses that are written as numbers, so a name cannot change
    its address between the check and the connection.
    """

    #: What was refused: host to address.
    refused: dict[str, str] = {}  # noqa: RUF012  one resolver per process, as the reactor

    allow_private: bool = False
    #: Patterns of hosts that may have a private address, and fixed addresses by host (`*` is every host).
    allowed: Sequence[str] = ()
    fixed: Mapping[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> SafeResolver:
        """The resolver with the crawl's settings."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.allow_private = crawler.settings.getbool("DRAGOMAN_ALLOW_PRIVATE")
        resolver.allowed = crawler.settings.getlist("DRAGOMAN_ALLOW_HOSTS")
        resolver.fixed = crawler.settings.getdict("DRAGOMAN_RESOLVE")
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> defer.Deferred[str]:  # noqa: N802
        """The address of a name."""
        fixed = self.fixed.get(name) or self.fixed.get("*")
        address = defer.succeed(fixed) if fixed else super().getHostByName(name, timeout)
        free = self.allow_private or any(fnmatch(name, pattern) for pattern in self.allowed)
        return address if free else address.addCallback(self._checked, name)

    def _checked(self, address: str, name: str) -> str:
        if is_private(address):
            self.refused[name] = address
            raise RefusedAddress(f"{name} leads to {address}")
        return address
