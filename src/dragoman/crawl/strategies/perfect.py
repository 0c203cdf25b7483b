"""perfect: only pages that are relevant or lie on the way to relevant ones, known in advance."""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence

from dragoman.crawl.strategies.base import HIGH, NOT_NEEDED, ON_OTHER, ON_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched


class Perfect(LinkStrategy):
    """Follows only links that lead to relevant pages, which must be known beforehand (section 5.1).

    `needed` holds the pages to visit. dragoman.crawl.ideal finds them in two readings of the paper: `perfect`, the
    branches of the breadth-first tree that end in relevant pages, and `perfect-fewest`, the paths that pass through
    the fewest other pages.

    >>> Perfect({1}).decide(Fetched(0, 0, 0, relevant=True), [Candidate(2, 0, 0)]).links[0].reason
    'leads to no relevant page'
    """

    name = "perfect"

    def __init__(self, needed: Container[Hashable]) -> None:
        self.needed = needed

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """The needed ones, breadth first."""
        reason = ON_RELEVANT if page.relevant else ON_OTHER
        return Decisions(
            tuple(
                Decision(
                    link.key, self.group_of(link), *((HIGH, reason) if link.key in self.needed else (None, NOT_NEEDED))
                )
                for link in links
            )
        )
