"""bfs: breadth first, whatever the language."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.crawl.strategies.base import HIGH, ON_OTHER, ON_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched


class BreadthFirst(LinkStrategy):
    """Every link with the same priority: the paper's BFS (section 5.1).

    >>> BreadthFirst().decide(Fetched(0, 0, 0, relevant=False), [Candidate(1, 0, 0)]).links[0].priority
    1.0
    """

    name = "bfs"

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """All of them."""
        reason = ON_RELEVANT if page.relevant else ON_OTHER
        return Decisions(tuple(Decision(link.key, self.group_of(link), HIGH, reason) for link in links))
