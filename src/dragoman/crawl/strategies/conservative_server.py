"""conservative-server: only relevant servers open new ones."""

from __future__ import annotations

from dragoman.crawl.strategies.server_based import ServerBased


class ConservativeServer(ServerBased):
    """Conservative server-based filtering, the paper's section 4.2.

    >>> from dragoman.types import Candidate, Fetched
    >>> ConservativeServer().decide(Fetched(0, "a", "a/", relevant=False), [Candidate(1, "b", "b/")]).links[0].reason
    "new server, and the page's own is not relevant"
    """

    name = "conservative-server"
    conservative = True
