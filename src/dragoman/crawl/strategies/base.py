"""LinkStrategy: a page and its links in, a priority or None and a reason for each link out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import ClassVar, Literal

from dragoman.types import Candidate, Decision, Decisions, Fetched

#: The two priorities of the paper's strategies; among equals the URL that was found first goes first.
HIGH, LOW = 1.0, 0.0

#: Every reason of the paper's strategies, in the order of the enumeration in kernels/simulate.c.
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


SEED = "seed"


class LinkStrategy(ABC):
    """Decides about links, and knows nothing of clocks, networks or what is in the queue.

    The driver shows it every fetched page once, with its links; the frontier carries out what it decides. Simulation
    and live crawl use the same object: keys are whatever the driver uses to tell URLs, servers and directories apart.
    Step 6 of the paper's Figure 3 (reject links to pages already downloaded) is the frontier's: it never takes a URL
    twice.
    """

    name: ClassVar[str]
    #: What a group of URLs is in the frontier, and what is recorded.
    grain: ClassVar[Literal["server", "directory"]] = "server"

    @abstractmethod
    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """One decision per link, in their order; also what is to be dropped, released or ranked anew."""

    def start(self, seeds: Sequence[Candidate]) -> Decisions:
        """How the seeds enter the queue: before everything else that is found."""
        return Decisions(tuple(Decision(seed.key, self.group_of(seed), HIGH, SEED) for seed in seeds))

    @property
    def finished(self) -> bool:
        """True when the crawl can end although URLs wait."""
        return False

    def group_of(self, place: Fetched | Candidate) -> Hashable:
        """The server or directory to which a page or link belongs for this strategy."""
        return place.server if self.grain == "server" else place.directory
