"""ClusterJob and the few things that coordinator and workers tell one another about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.cluster.shards import LinkMessage, Receipt
from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.state.targets import Budget, Target
from dragoman.types import Language

#: Seconds for which a worker may fetch that was not heard of, and after which its shards go to others; seconds between
#: two moments at which everything is safe, and can be told to others; URLs that wait for the whole crawl.
LEASE, SAFE = 20.0, 1.0
#: Seconds between two uploads of a shard, where its folder is remote.
UPLOAD = 20.0


@dataclass(frozen=True)
class ClusterJob:
    """A crawl, as every worker has to know it."""

    #: A folder that all workers see, or the address of one (s3://..., file://...) to which they upload.
    output: str
    shards: int
    target: Target
    seeds: Sequence[str]
    manners: Manners
    budget: Budget = field(default_factory=Budget)
    #: Further arguments of a LiveCrawl.
    options: Mapping[str, Any] = field(default_factory=dict)
    lease: float = LEASE
    safe: float = SAFE
    upload: float = UPLOAD

    @property
    def remote(self) -> bool:
        """True if the folder is reached through fsspec."""
        return "://" in self.output

    @property
    def counted(self) -> bool:
        """True if pages are fetched only with a permit, because there may not be too many."""
        return self.budget.pages is not None or bool(self.target.quotas)


class Owner(NamedTuple):
    """Who carries a shard, and since when: an epoch is larger than all before it."""

    worker: int
    epoch: int


@dataclass(frozen=True)
class Beat:
    """What the coordinator tells a worker, several times a second."""

    #: Who carries what; None if nothing of that has changed since the beat before.
    owners: Mapping[int, Owner] | None
    #: What a URL must count to be fetched, and how many of its best the worker tells for the next level.
    level: float
    wanted_values: int
    #: So many pages more may be fetched.
    grant: int = 0


class ShardFigures(NamedTuple):
    """Where a shard stands."""

    epoch: int
    pages: int
    bytes: int
    hosts: int
    relevant: int
    waiting: int
    expected: float
    requests: int
    quotas: Mapping[Language, int]
    #: Nothing waits, nothing is under way, everything that was sent was received.
    idle: bool
    sent: int
    received: int


@dataclass(frozen=True)
class Report:
    """What a worker answers to a beat."""

    shards: Mapping[int, ShardFigures]
    #: Shards that it has not let go yet, those included that it is about to open.
    held: frozenset[int]
    #: Pages that may still be fetched, pages on their way, and how many there may be at a time.
    permits: int
    active: int
    slots: int
    values: NDArray[np.float64]
    #: True if more could be fetched with more permits.
    hungry: bool
    #: Why shards cannot be carried; messages for people.
    failures: Mapping[int, str]
    notes: Sequence[str] = ()
    #: Processor seconds so far.
    processor: float = 0.0


@dataclass(frozen=True)
class Parcel:
    """Messages and receipts of the shards of one worker for those of another."""

    messages: Sequence[LinkMessage]
    receipts: Sequence[Receipt]
    #: The epochs of the shards that sent messages.
    epochs: Mapping[int, int]
