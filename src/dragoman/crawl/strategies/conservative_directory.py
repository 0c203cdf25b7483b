"""conservative-directory: only relevant directories open new ones."""

from __future__ import annotations

from dragoman.crawl.strategies.server_based import ServerBased


class ConservativeDirectory(ServerBased):
    """Conservative directory-based filtering, the paper's section 4.3: records of server and first path segment.

    >>> from dragoman.types import Candidate, Fetched
    >>> strategy = ConservativeDirectory()
    >>> strategy.decide(Fetched(0, "a", "a/x", relevant=False), [Candidate(1, "a", "a/y")]).links[0].priority is None
    True
    """

    name = "conservative-directory"
    grain = "directory"
    conservative = True
