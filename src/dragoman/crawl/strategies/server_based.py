"""aggressive-server, conservative-server and conservative-directory: links judged by the records of their servers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from dragoman.crawl.records import ServerRecords, ServerRule, Status
from dragoman.crawl.strategies.base import (
    HIGH,
    KEPT_ASIDE,
    LOW,
    NEW_SERVER,
    ON_OTHER,
    ON_RELEVANT,
    SERVER_IRRELEVANT,
    LinkStrategy,
)
from dragoman.types import Candidate, Decision, Decisions, Fetched


class ServerBased(LinkStrategy):
    """Links are judged by the record of the server (or directory) that they lead to (sections 4.1 to 4.3).

    Per page, as in the paper's Figure 3: count it; reject links to irrelevant servers; high priority for the rest if
    the page is relevant, else low. When a page makes its server irrelevant, that server's queued URLs are dropped at
    once. `conservative` adds step 4.5: a page on a server that is not relevant opens no server from which nothing was
    downloaded (which is not the same as never seen).

    `defer` is the paper's other idea of section 4.2: what step 4.5 would reject on a page of an undecided server is
    kept aside, queued with low priority when the server turns out relevant, and forgotten when it does not.
    """

    reads_scores = False
    conservative: ClassVar[bool] = False
    records: ServerRecords

    def __init__(self, rule: ServerRule | None = None, *, defer: bool = False) -> None:
        self.records = ServerRecords(rule or ServerRule())
        self.defer = defer
        self._aside: dict[Hashable, list[Candidate]] = {}

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """Steps 2 to 8 of Figure 3."""
        own = self.group_of(page)
        changed = self.records.count(own, page.relevant)
        status = self.records.status(own)
        dropped = (own,) if changed and status is Status.IRRELEVANT else ()
        released: tuple[Decision, ...] = ()
        if changed and own in self._aside and status is not Status.UNDECIDED:
            aside = self._aside.pop(own)
            released = tuple(self._freed(link) for link in aside) if status is Status.RELEVANT else ()
        return Decisions(tuple(self._decided(page, status, link) for link in links), dropped, released)

    def receive(self, page: Fetched, status: Status, links: Sequence[Candidate]) -> Decisions:
        """Steps 4 to 8 of Figure 3. Nothing is kept aside: what becomes of the page's server is not known here."""
        deferring, self.defer = self.defer, False
        decisions = Decisions(tuple(self._decided(page, status, link) for link in links))
        self.defer = deferring
        return decisions

    def _decided(self, page: Fetched, status: Status, link: Candidate) -> Decision:
        group = self.group_of(link)
        rejected = self._rejected(page, status, link, group)
        if rejected:
            return Decision(link.key, group, None, rejected)
        return Decision(link.key, group, *((HIGH, ON_RELEVANT) if page.relevant else (LOW, ON_OTHER)))

    def _rejected(self, page: Fetched, status: Status, link: Candidate, group: Hashable) -> str | None:
        own = self.group_of(page)
        if self.records.status(group) is Status.IRRELEVANT:
            again = page.relevant and group != own and self.records.ask(group)
            return None if again else SERVER_IRRELEVANT
        if self.conservative and status is not Status.RELEVANT and not self.records[group].pages:
            if self.defer and status is Status.UNDECIDED:
                self._aside.setdefault(own, []).append(link)
                return KEPT_ASIDE
            return NEW_SERVER
        return None

    def _freed(self, link: Candidate) -> Decision:
        group = self.group_of(link)
        if self.records.status(group) is Status.IRRELEVANT:
            return Decision(link.key, group, None, SERVER_IRRELEVANT)
        return Decision(link.key, group, LOW, ON_OTHER)


class AggressiveServer(ServerBased, twin="aggressive"):
    """Aggressive server-based filtering, the paper's section 4.1: any link may open a new server.

    >>> AggressiveServer().decide(Fetched(0, "a", "a/", relevant=False), [Candidate(1, "b", "b/")]).links[0].priority
    0.0
    """

    name = "aggressive-server"


class ConservativeServer(ServerBased, twin="conservative"):
    """Conservative server-based filtering, the paper's section 4.2: only relevant servers open new ones.

    >>> ConservativeServer().decide(Fetched(0, "a", "a/", relevant=False), [Candidate(1, "b", "b/")]).links[0].reason
    "new server, and the page's own is not relevant"
    """

    name = "conservative-server"
    conservative = True


class ConservativeDirectory(ConservativeServer, twin="conservative"):
    """Conservative directory-based filtering, the paper's section 4.3: records of server and first path segment.

    >>> strategy = ConservativeDirectory()
    >>> strategy.decide(Fetched(0, "a", "a/x", relevant=False), [Candidate(1, "a", "a/y")]).links[0].priority is None
    True
    """

    name = "conservative-directory"
    grain = "directory"
