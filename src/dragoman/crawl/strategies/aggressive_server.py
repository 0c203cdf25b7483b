"""aggressive-server: any link may open a new server."""

from __future__ import annotations

from dragoman.crawl.strategies.server_based import ServerBased


class AggressiveServer(ServerBased):
    """Aggressive server-based filtering, the paper's section 4.1.

    >>> from dragoman.types import Candidate, Fetched
    >>> AggressiveServer().decide(Fetched(0, "a", "a/", relevant=False), [Candidate(1, "b", "b/")]).links[0].priority
    0.0
    """

    name = "aggressive-server"
