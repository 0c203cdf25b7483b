"""ClusterJob and the few things that coordinator and workers tell one another about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.crawl.live.state.targets import Budget, Target
from dragoman.types import Language

Values = NDArray[np.float64]


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
    #: Seconds for which a worker may fetch that was not heard of, and after which its shards go to others; seconds
    #: between two moments at which everything is safe and can be told, and the same where the folder is an address.
    lease: float = 20.0
    safe: float = 1.0
    upload: float = 20.0

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
    #: Nothing waits, nothing is under way, and everything that was told has its receipt; the length of its log.
    idle: bool
    lines: int
    pages: int
    bytes: int
    hosts: int
    quotas: Mapping[Language, int]


@dataclass(frozen=True)
class Report:
    """What a worker answers to a beat."""

    #: Shards that it has; None for those that it is about to open, or to let go.
    shards: Mapping[int, ShardFigures | None] = field(default_factory=dict)
    #: Pages that may still be fetched, and pages on their way.
    permits: int = 0
    active: int = 0
    values: Values = field(default_factory=lambda: np.empty(0))
    #: True if something may be fetched, with enough permits, and if something waits that is worth a request.
    hungry: bool = False
    likely: bool = False
    #: Messages for people; what was found, now and then.
    notes: Sequence[str] = ()
    progress: CrawlProgress | None = None


class Letter(NamedTuple):
    """Messages of a shard, which somebody carries since an epoch, for another one; without any it asks for a receipt.

    `first` is the number of the first.
    """

    source: int
    epoch: int
    target: int
    first: int
    messages: Sequence[str]


class Receipt(NamedTuple):
    """Since when the target is carried, the last message of the source that is there, and the last that is safe."""

    epoch: int
    last: int
    safe: int


def largest(parts: Iterable[Values], count: int) -> Values:
    """So many of the largest values of all parts, the smallest of them first; all if there are no more."""
    values = np.concatenate([np.empty(0), *parts])
    return np.partition(values, len(values) - count)[-count:] if 0 < count < len(values) else values
