"""hard-focused: links of relevant pages only."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.crawl.strategies.base import HIGH, ON_RELEVANT, PAGE_NOT_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched


class HardFocused(LinkStrategy):
    """Links of relevant pages; those of other pages are rejected (section 5.1; Chakrabarti et al. 1999).

    >>> HardFocused().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].reason
    'page is not relevant'
    """

    name = "hard-focused"

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """All or none."""
        priority, reason = (HIGH, ON_RELEVANT) if page.relevant else (None, PAGE_NOT_RELEVANT)
        return Decisions(tuple(Decision(link.key, self.group_of(link), priority, reason) for link in links))
