"""bfs, hard-focused and soft-focused: strategies that look at the page on which a link stands, and at nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dragoman.crawl.records import Status
from dragoman.crawl.strategies.base import HIGH, LOW, ON_OTHER, ON_RELEVANT, PAGE_NOT_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched


class PageBased(LinkStrategy):
    """Links of relevant pages with high priority, those of other pages as the strategy says (section 5.1)."""

    reads_scores = False
    #: The priority of links on pages that are not relevant; None: rejected.
    elsewhere: ClassVar[float | None]

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """All of them alike."""
        priority = HIGH if page.relevant else self.elsewhere
        reason = ON_RELEVANT if page.relevant else PAGE_NOT_RELEVANT if priority is None else ON_OTHER
        return Decisions(tuple(Decision(link.key, self.group_of(link), priority, reason) for link in links))

    def receive(self, page: Fetched, status: Status, links: Sequence[Candidate]) -> Decisions:
        """As those of any page."""
        return self.decide(page, links)


class BreadthFirst(PageBased, twin="breadth-first"):
    """Every link with the same priority, whatever the language: the paper's BFS.

    >>> BreadthFirst().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].priority
    1.0
    """

    name = "bfs"
    elsewhere = HIGH


class HardFocused(PageBased, twin="hard-focused"):
    """Links of relevant pages; those of other pages are rejected (Chakrabarti et al. 1999).

    >>> HardFocused().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].reason
    'page is not relevant'
    """

    name = "hard-focused"
    elsewhere = None


class SoftFocused(PageBased, twin="soft-focused"):
    """Links of relevant pages with high, those of other pages with low priority.

    >>> SoftFocused().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].priority
    0.0
    """

    name = "soft-focused"
    elsewhere = LOW
