"""What a crawl refuses: addresses that are nobody's business, URLs of traps, and answers without end."""

from __future__ import annotations

import ipaddress
from collections import Counter
from dataclasses import dataclass

from dragoman.errors import UsageError
from dragoman.web.addresses import host_of, server_of

PRIVATE = "address is private"
TOO_LONG = "URL is too long"
TOO_DEEP = "path is too deep"
REPEATED = "path repeats itself"
HOST_IS_FULL = "host has given its share of pages"
FORBIDDEN, NO_RULES = "robots.txt forbids it", "robots.txt was not to be had"
#: Why nobody was asked for a URL.
NOT_ASKED = (FORBIDDEN, NO_RULES)
NOT_WEB = "not http or https"
TOO_MANY_LINKS = "too many links on the page"


@dataclass(frozen=True)
class CrawlLimits:
    """Where a crawl stops following; each has a reason that is counted."""

    #: Bytes of a body, as sent and decompressed, and seconds that an answer may take.
    body: int = 10_000_000
    seconds: float = 60.0
    redirects: int = 5
    url_length: int = 2_000
    pages_per_host: int = 100_000
    path_depth: int = 20
    #: So often may the same segment stand in a path.
    repeats: int = 3
    links_per_page: int = 2_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise UsageError(f"The limit {name.replace('_', ' ')} is {value:g}; give a number above 0")

    def refused(self, url: str) -> str | None:
        """Why this URL is not followed, by its look alone; None if it is.

        >>> CrawlLimits().refused("http://a.de/" + "x/" * 10), CrawlLimits().refused("http://a.de/b/c")
        ('path repeats itself', None)
        """
        if len(url) > self.url_length:
            return TOO_LONG
        if url.count("/") > 5:
            segments = [segment for segment in url.partition("?")[0].split("/")[3:] if segment]
            if len(segments) > self.path_depth:
                return TOO_DEEP
            if max(Counter(segments).values(), default=0) > self.repeats:
                return REPEATED
        return None


def is_private(address: str) -> bool:
    """True for an IP address that is not of the public internet: private, loopback, link-local, metadata, multicast.

    >>> [is_private(one) for one in ("10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "93.184.216.34")]
    [True, True, True, False]
    """
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return True
    number = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None) or number
    return not number.is_global or number.is_multicast


def literal_private(url: str) -> bool:
    """True if the URL's host is written as an address that is private; names are looked at when they are resolved.

    >>> literal_private("http://127.0.0.1:8080/"), literal_private("http://[::1]/"), literal_private("http://a.de/")
    (True, True, False)
    """
    host = host_of(server_of(url))
    if host == "localhost" or host.endswith(".localhost"):
        return True
    if not host or not (host[0].isdigit() or ":" in host):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False  # 0x7f.1 and the like: the resolver decides
    return is_private(host)
