"""Replica: what one process of a shared crawl knows, made by carrying out the log that all of them share.

Carrying out needs neither Redis nor network: the same events in the same order lead every process to the same state.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from dragoman.crawl.live.cluster.events import Event, answer_of
from dragoman.crawl.live.state.catalogue import DecisionRows
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import POPPED, SKIPPED, CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.types import Decision

#: What the store's log tells of a shared crawl beside the usual: it began; a process is gone; a redirect leads to a
#: URL; a URL got its number; an event that came too late and changes nothing.
BEGUN, RELEASED, MOVED, NAMED, VOID = range(16, 21)


class OwnRows(DecisionRows):
    """The decisions about links on pages that this process fetched; the others write theirs."""

    own = True

    def add(self, page: int | None, decisions: Sequence[Decision]) -> None:
        """Keep the decisions about an own page."""
        if self.own:
            super().add(page, decisions)


class Replica(Steering):
    """Queue, records and all else that follows from the log; the store's log is a copy of it, line by line.

    `owner` is the process of every URL in flight. `again` are URLs of processes that left or died: they go before all
    others. `folder` is how the log names this process's folder.
    """

    def __init__(self, store: Store, plan: CrawlPlan) -> None:
        super().__init__(store, plan)
        self._rows = self.decision_rows = OwnRows(store, store.folder / "decisions")
        self.owner: dict[int, str] = {}
        self.again: dict[int, None] = {}
        #: The URLs of every server that are in flight, in the order in which they left the queue: whose turn it is.
        self._lines: dict[int, dict[int, None]] = {}
        self._freed: dict[int, None] = {}
        #: How many URLs each process has in flight.
        self.holds: Counter[str] = Counter()
        self.folder = ""
        #: How many events of the log are carried out.
        self.known = 0

    def _do(self, event: Event) -> None:
        """Carry out an event, and copy it into the store's log."""
        kind, store = event[0], self.store
        if kind == "P":
            store.log(POPPED, event[1], event[2])
            self._popped(event[1], event[2])
        elif kind == "A":
            self._answer(event)
        elif kind == "S":
            late = event[1] not in self.in_flight and event[1] not in self.again and self.frontier.done(event[1])
            store.log(VOID if late else SKIPPED, event[1], event[3])
            if not late:
                self._skipped(event[1], event[3])
        elif kind == "N":
            _, _, parent, url, score, guess = event
            if url not in store.known([url]):
                store.register([(url, score, guess)], store.depth(parent), parent)
            store.log(NAMED, parent, url)
        elif kind == "M":
            store.log(MOVED, event[1], str(event[3]))
            self._claim(event[1], event[3])
        elif kind == "R":
            store.log(RELEASED, 0, event[1])
            self._released(event[1])
        else:
            self._begin(event)
        self.known += 1

    def _repeat(self, kind: int, url: int, reason: str | None, answer: CrawlAnswer | None) -> None:
        """Carry out a line of the copy; URLs have their numbers already."""
        if kind == POPPED:
            self._popped(url, reason or "")
        elif kind == SKIPPED:
            self._skipped(url, reason or "")
        elif kind == MOVED:
            self._claim(url, int(reason or 0))
        elif kind == RELEASED:
            self._released(reason or "")
        elif kind == BEGUN:
            self._seeds(reason or "")
        elif answer is not None:
            self._rows.own = "/" not in (answer.warc or "")
            self._forget(answer.url)
            self._take(answer)
        self.known += 1

    def _begin(self, event: Event) -> None:
        _, who, first, promised = event
        numbers = self.store.register([(url, score, guess) for url, score, guess in first], 0, None)
        self.store.set("seeds", numbers)
        self.store.set("promised", promised)
        self.store.set("began", time.time())
        self.store.log(BEGUN, 0, who)
        self._seeds(who)

    def _seeds(self, who: str) -> None:
        self._rows.own = self._is_own(who)
        self._queue_seeds()

    def _popped(self, key: int, who: str) -> None:
        self.again.pop(key, None)
        self.frontier.take(key)
        self.in_flight[key] = None
        self.owner[key] = who
        self.holds[who] += 1
        self._lines.setdefault(self.store.server[key], {})[key] = None

    def _skipped(self, key: int, reason: str) -> None:
        self.again.pop(key, None)
        self.frontier.take(key)
        self.in_flight.pop(key, None)
        self._forget(key)
        self.reasons[reason] += 1

    def _released(self, who: str) -> None:
        for key in [key for key, one in self.owner.items() if one == who]:
            self.in_flight.pop(key, None)
            self._forget(key)
            self.again[key] = None
        self.holds.pop(who, None)

    def _forget(self, key: int) -> None:
        if (who := self.owner.pop(key, None)) is not None:
            self.holds[who] -= 1
            server = self.store.server[key]
            line = self._lines[server]
            del line[key]
            if not line:
                del self._lines[server]
            self._freed[server] = None
        self._unclaim(key)

    def turn(self, key: int, at_a_time: int) -> bool:
        """True if no more than so many URLs of the same server left the queue before this one and are in flight yet.

        So a process does not wait for a host that another one is asking while it could ask a third.
        """
        line = self._lines.get(self.store.server[key], {})
        return key not in line or key in islice(line, at_a_time)

    def freed(self) -> Sequence[int]:
        """The servers whose lines have moved since this was last asked."""
        found = tuple(self._freed)
        self._freed.clear()
        return found

    def _answer(self, event: Event) -> None:
        answer, who = answer_of(event), event[1]
        if self.owner.get(answer.url) != who:
            self.store.log(VOID, answer.url, who)
            return
        own = self._rows.own = self._is_own(who)
        known = self.store.known(one[0] for one in event[3] if not isinstance(one, int))
        new = [one for one in event[3] if not isinstance(one, int) and one[0] not in known]
        rows = [(url, score, guess) for url, score, guess in new]
        numbers = self.store.register(rows, self.store.depth(answer.url) + 1, answer.url)
        known.update(zip((one[0] for one in new), numbers, strict=True))
        answer.links = [one if isinstance(one, int) else known[one[0]] for one in event[3]]
        if own and event[4]:
            self.store.set("warc", event[4])
        elif not own:
            answer.warc = f"{who.partition('.')[0]}/{answer.warc or ''}"
        self._forget(answer.url)
        self._keep(answer)

    def _is_own(self, who: str) -> bool:
        return who.partition(".")[0] == self.folder
