"""soft-focused: links of relevant pages first."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.crawl.strategies.base import HIGH, LOW, ON_OTHER, ON_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched


class SoftFocused(LinkStrategy):
    """Links of relevant pages with high, those of other pages with low priority (section 5.1).

    >>> SoftFocused().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].priority
    0.0
    """

    name = "soft-focused"

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """All of them, in two classes."""
        priority, reason = (HIGH, ON_RELEVANT) if page.relevant else (LOW, ON_OTHER)
        return Decisions(tuple(Decision(link.key, self.group_of(link), priority, reason) for link in links))
