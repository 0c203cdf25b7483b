"""ServerRecords: what a crawl has seen of each server (or directory), and whether that makes it relevant.

Tamura, Somboonviwat and Kitsuregawa, A Method for Language-Specific Web Crawling (2007), section 4.1.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum

from dragoman.errors import UsageError


class Status(IntEnum):
    """What a server is held to be."""

    UNDECIDED = 0
    RELEVANT = 1
    IRRELEVANT = 2


@dataclass(frozen=True, slots=True)
class ServerRule:
    """When a server is relevant, undecided or irrelevant, from its N_a pages of which N_r are relevant.

    Relevant: N_r > 0. Undecided: N_r = 0 and N_a <= T. Irrelevant: N_r = 0 and N_a > T. So a server without any
    relevant page is asked for T + 1 pages. Options, all off by default:

    - `share`: above T pages a server stays relevant only while N_r >= share * N_a. In the paper one page taken for
      relevant by mistake makes a server relevant for ever, and 17 % of those that its META rule accepts are mistakes.
    - `halve_every` and `least`: the tolerance falls as the crawl goes on (the paper's section 5.2 asks for it):
      T is halved after every so many pages of the crawl, down to `least`.
    - `readmit`: an irrelevant server is undecided again, with T more pages, after that many links to it on relevant
      pages of other servers; what was dropped of its URLs is queued when it is found again.

    >>> rule = ServerRule(tolerance=2)
    >>> [rule.status(pages, 0, crawled=pages).name for pages in (1, 2, 3)]
    ['UNDECIDED', 'UNDECIDED', 'IRRELEVANT']
    """

    tolerance: int = 10
    share: float = 0.0
    halve_every: int = 0
    least: int = 2
    readmit: int = 0

    def __post_init__(self) -> None:
        for name in ("tolerance", "halve_every", "least", "readmit"):
            if not 0 <= getattr(self, name) < 2**31:
                raise UsageError(f"{name} is {getattr(self, name)}; give 0 or a larger whole number")
        if not 0.0 <= self.share <= 1.0:
            raise UsageError(f"share is {self.share:g}; give a share of pages between 0 and 1")

    def allowed(self, crawled: int) -> int:
        """T after that many pages of the crawl."""
        if not self.halve_every:
            return self.tolerance
        return max(min(self.least, self.tolerance), self.tolerance >> min(crawled // self.halve_every, 31))

    def status(self, pages: int, relevant: int, crawled: int = 0, extra: int = 0) -> Status:
        """The status of a server with N_a = `pages` and N_r = `relevant`; `extra` pages are forgiven."""
        tried = pages > self.allowed(crawled) + extra
        if relevant and not (tried and relevant < self.share * pages):
            return Status.RELEVANT
        return Status.IRRELEVANT if tried else Status.UNDECIDED


@dataclass(slots=True)
class Record:
    """N_a (`pages`), N_r (`relevant`) and the status of one server or directory."""

    pages: int = 0
    relevant: int = 0
    status: Status = Status.UNDECIDED
    #: Links on relevant pages of other servers since it became irrelevant; pages forgiven by re-admission.
    asked: int = 0
    extra: int = 0


class ServerRecords:
    """The records of all servers (or directories), kept by a strategy.

    A status changes only when a page of its server is counted or it is admitted again, so that each change happens
    once and the frontier can be told.

    >>> records = ServerRecords(ServerRule(tolerance=0))
    >>> records.count("a.example", relevant=False), records.status("a.example").name, records.status("b.example").name
    (True, 'IRRELEVANT', 'UNDECIDED')
    """

    __slots__ = ("_records", "crawled", "rule")

    #: How often a server can be admitted again.
    MOST_READMISSIONS = 100

    def __init__(self, rule: ServerRule) -> None:
        self.rule = rule
        self.crawled = 0
        self._records: dict[Hashable, Record] = {}

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, key: Hashable) -> Record:
        """The record of a server; an empty one where nothing was downloaded."""
        return self._records.get(key) or Record()

    def status(self, key: Hashable) -> Status:
        """What the server is held to be now."""
        record = self._records.get(key)
        return Status.UNDECIDED if record is None else record.status

    def count(self, key: Hashable, relevant: bool) -> bool:
        """Count a downloaded page (steps 2 and 3 of the paper's Figure 3); True if this changed the status."""
        record = self._records.setdefault(key, Record())
        self.crawled += 1
        record.pages += 1
        record.relevant += relevant
        before = record.status
        record.status = self.rule.status(record.pages, record.relevant, self.crawled, record.extra)
        return record.status is not before

    def forgive(self, key: Hashable, most: int) -> bool:
        """Let a server that has just become irrelevant have T pages more, `most` times; True if it has."""
        record = self[key]
        if record.status is not Status.IRRELEVANT or record.extra >= most * self.rule.tolerance:
            return False
        record.extra += self.rule.tolerance
        record.status = Status.UNDECIDED
        return True

    def ask(self, key: Hashable) -> bool:
        """Count a link on a relevant page of another server to an irrelevant one; True if that admits it again."""
        record = self[key]
        if not self.rule.readmit or record.status is not Status.IRRELEVANT:
            return False
        record.asked += 1
        if record.asked % self.rule.readmit or record.asked >= self.rule.readmit * self.MOST_READMISSIONS:
            return False
        record.extra = record.pages - self.rule.allowed(self.crawled) + self.rule.tolerance
        record.status = Status.UNDECIDED
        return True
