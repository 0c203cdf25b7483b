"""LinkStrategy: a page and its links in, a priority or None and a reason for each link out."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.records import ServerRecords, Status
from dragoman.crawl.strategies.options import StrategyOptions
from dragoman.errors import UsageError
from dragoman.types import Candidate, Decision, Decisions, Fetched
from dragoman.web.graph import Graph

#: The two priorities of the paper's strategies; among equals the URL that was found first goes first.
HIGH, LOW = 1.0, 0.0

#: Every reason of the paper's strategies, in the order of the enumeration in kernels/simulate.h.
REASONS = (
    "on a relevant page",
    "on another page",
    "page is not relevant",
    "server is irrelevant",
    "new server, and the page's own is not relevant",
    "kept aside until the page's server is decided",
    "leads to no relevant page",
)
ON_RELEVANT, ON_OTHER, PAGE_NOT_RELEVANT, SERVER_IRRELEVANT, NEW_SERVER, KEPT_ASIDE, NOT_NEEDED = REASONS


SEED, VISITED = "seed", "visited by an earlier crawl"


class LinkStrategy(ABC):
    """Decides about links, and knows nothing of clocks, networks or what is in the queue.

    The driver shows it every fetched page once, with its links; the frontier carries out what it decides. Simulation
    and live crawl use the same object: keys are whatever the driver uses to tell URLs, servers and directories apart.
    Step 6 of the paper's Figure 3 (reject links to pages already downloaded) is the frontier's: it never takes a URL
    twice.

    `name` and `decide` make a strategy. Its constructor is given the options whose names it has as parameters
    (dragoman.crawl.strategies.options.StrategyOptions has them all); none is required.

    A class can name a compiled loop that does the same in simulations, to the last event: `class Mine(LinkStrategy,
    twin="...")`. It is not inherited, because a subclass decides differently.
    """

    name: ClassVar[str]
    #: What records are kept of, and what a group of URLs is in the frontier unless `decide` says otherwise.
    grain: ClassVar[Literal["server", "directory"]] = "server"
    #: False if scores of URLs change nothing, so that nobody needs to compute them.
    reads_scores: ClassVar[bool] = True
    #: True if it must know the whole web beforehand (`foresee`): it can be simulated, but not crawl the web.
    omniscient: ClassVar[bool] = False
    #: The compiled loop that does the same; empty if there is none.
    twin: ClassVar[str] = ""
    #: A URL that counts less than this can wait while a better one waits for its host.
    least: ClassVar[float] = -math.inf
    #: What it has seen of servers or directories, if it keeps records.
    records: ServerRecords | None = None

    def __init_subclass__(cls, *, twin: str = "", **others: Any) -> None:
        super().__init_subclass__(**others)
        cls.twin = twin

    @classmethod
    @cache
    def options(cls) -> frozenset[str]:
        """The names of the options that it takes: those that are parameters of its constructor."""
        if cls.__init__ is object.__init__:
            return frozenset()
        return frozenset(field.name for field in fields(StrategyOptions)) & inspect.signature(cls).parameters.keys()

    @classmethod
    def with_options(cls, options: StrategyOptions) -> Self:
        """A new one that behaves as asked, as far as it has these options."""
        return cls(**{name: getattr(options, name) for name in cls.options()})

    @abstractmethod
    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """One decision per link, in their order; also what is to be dropped, released or ranked anew."""

    def receive(self, page: Fetched, status: Status, links: Sequence[Candidate]) -> Decisions:
        """One decision per link of a page that another shard of the crawl fetched, and whose server has this status.

        A crawl in shards shows each page to the strategy of its own host's shard (`decide`, with the links that stay
        there) and the other links to those of theirs; the page itself is nothing that they learn from.
        """
        raise UsageError(
            f"'{self.name}' cannot crawl in shards: it has no `receive`; use --shards 1 or another strategy"
        )

    def fail(self, page: Fetched) -> Decisions:
        """What follows from an answer that is no page: an error, or nothing that can be read. Nothing by default."""
        return Decisions(())

    def expect(self, server: Hashable, directory: Hashable | None, share: float) -> None:  # noqa: B027 (few need it)
        """Somebody knows which share of a server's pages is relevant, or of those of one of its directories."""

    def start(self, seeds: Sequence[Candidate]) -> Decisions:
        """How the seeds enter the queue: before everything else that is found."""
        return Decisions(tuple(Decision(seed.key, self.group_of(seed), HIGH, SEED) for seed in seeds))

    def revisit(self, url: Candidate, chance: float) -> Decisions:
        """How a wanted page enters the queue that has changed with this chance: as seeds do, the likeliest first."""
        return Decisions((Decision(url.key, self.group_of(url), HIGH + chance, VISITED),))

    @property
    def finished(self) -> bool:
        """True when the crawl can end although URLs wait."""
        return False

    def foresee(self, graph: Graph, relevant: NDArray[np.bool_]) -> None:  # noqa: B027 (few need it)
        """What an omniscient strategy is shown before a simulation begins: the whole web, with its numbers as keys."""

    def group_of(self, url: Fetched | Candidate) -> Hashable:
        """The server or directory to which a page or link belongs for this strategy."""
        return url.server if self.grain == "server" else url.directory

    def gave_up(self, server: Hashable, directory: Hashable) -> bool:
        """True if URLs of this server and directory are no longer wanted, though some may be on their way."""
        group = server if self.grain == "server" else directory
        return self.records is not None and self.records.status(group) is Status.IRRELEVANT
