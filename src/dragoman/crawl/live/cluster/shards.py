"""Shards: which part of a crawl a URL belongs to, and what one part tells another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from dragoman.crawl.live.state.links import LinkEnd
from dragoman.errors import UsageError
from dragoman.types import Language
from dragoman.web.addresses import host_of, server_of

MOST_SHARDS = 65_536


@dataclass(frozen=True)
class Shard:
    """One of `count` parts of a crawl: the hosts whose names fall to it, whoever carries it.

    >>> Shard(0, 1).owns("http://a.example/x"), Shard(0, 8).owner("http://a.de/") == Shard(3, 8).owner("https://A.DE/x")
    (True, True)
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SHARDS:
            raise UsageError(f"--shards is {self.count}; give a number from 1 to {MOST_SHARDS:,}")

    def owner(self, url: str) -> int:
        """The number of the shard to which a URL belongs, by its host."""
        if self.count == 1:
            return 0
        host = host_of(server_of(url)).lower()
        return int.from_bytes(blake2b(host.encode("utf-8", "replace"), digest_size=8).digest(), "little") % self.count

    def owns(self, url: str) -> bool:
        """True if the URL is this shard's to fetch."""
        return self.owner(url) == self.number


class LinkMessage(NamedTuple):
    """What one shard tells another: links of a page, with what a strategy needs to know of that page.

    Without a page the links are to be asked for as seeds are; `hops` redirects led there.

    >>> LinkMessage.read(LinkMessage([LinkEnd("http://a.de/")], hops=1).written()).links[0].url
    'http://a.de/'
    """

    links: Sequence[LinkEnd]
    page: str | None = None
    depth: int = 0
    relevant: bool = False
    language: Language | None = None
    #: Name of the status that the page's server has at home.
    status: str = "UNDECIDED"
    hops: int = 0

    def written(self) -> str:
        """The message as a text: as that it is kept, and travels."""
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> LinkMessage:
        """The message again."""
        links, *about = json.loads(text)
        return cls([LinkEnd(*link) for link in links], *about)
