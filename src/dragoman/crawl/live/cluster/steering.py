"""SharedSteering: the steering of one process among several that crawl together, all carrying out one log.

The log is in Redis. Every process carries out every event of it, in its order, with its own strategy, queue and
records: so all of them know and decide the same, and stand where one crawl with that log would stand. A process asks
for something by appending an event; what comes of it follows from the place that the event has in the log.
"""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.events import Event, Link, answer_event, new_url, pack, unpack
from dragoman.crawl.live.cluster.log import SharedLog, TakenForDead
from dragoman.crawl.live.cluster.replica import Replica
from dragoman.crawl.live.state.links import Links
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.crawl.strategies.base import SERVER_IRRELEVANT
from dragoman.errors import UsageError
from dragoman.types import Language

#: Seconds for which what is known of the others is new enough.
LOOK = 0.025
#: Seconds between two commits: what was not committed is in Redis.
COMMIT = 0.5


def open_shared(url: str, identity: dict[str, Any], earlier: Sequence[Path]) -> SharedLog:
    """The log at an address, once it is clear that it can be used for this crawl."""
    if earlier:
        raise UsageError("--earlier and --shared do not go together: give the earlier crawl to a crawl of one process")
    log = SharedLog(url)
    log.check(identity)
    return log


def steered(store: Store, plan: CrawlPlan, log: SharedLog | None) -> Steering:
    """The steering of a crawl: alone, or one among several that share a log."""
    if log is not None:
        return SharedSteering(store, plan, log)
    if store.get("shared") is not None:
        store.abandon()
        raise UsageError(f"'{store.folder}' is part of a shared crawl: give --shared with the address of its Redis")
    return Steering(store, plan)


class SharedSteering(Replica):
    """What all processes of a crawl know, and what this one does.

    A process that starts again carries out its store's copy of the log, and then only what came after it.
    """

    def __init__(self, store: Store, plan: CrawlPlan, log: SharedLog) -> None:
        super().__init__(store, plan)
        self.log = log
        self._unasked: deque[int] = deque()
        self._committed = self._looked = 0
        self._saved = self._beaten = self._heard = time.monotonic()
        self._permits = False
        self._identity: dict[str, Any] = store.get("identity")
        self._join()

    # ---- beginning and end

    def _join(self) -> None:
        """Take part in the crawl that Redis holds, or begin it there."""
        store = self.store
        folder, crawl = store.get("process"), store.get("shared")
        if folder is None and store.get("seeds") is not None:
            raise UsageError(f"'{store.folder}' was crawled alone: give another folder to share a crawl")
        self.folder = folder or uuid.uuid4().hex[:8]
        self.log.join(self._identity, self.folder, crawl)
        store.set("process", self.folder)
        store.set("shared", self.log.crawl)
        store.commit()

    def start(self, seeds: Sequence[str], promised: Mapping[str, Language] | None = None) -> None:
        """Carry out the log: first the copy, then what Redis has beyond it. An empty one gets the seeds."""
        for kind, url, reason, answer in self.store.replay():
            self._repeat(kind, url, reason, answer)
        self.catch_up()
        self.log.beat()
        languages = promised or {}

        def begin() -> Event | None:
            if self.known:
                return None
            first = [new_url(url, said) for url, said in zip(seeds, self.score(seeds), strict=True)]
            known = {place: languages[one] for place, one in enumerate(seeds) if one in languages}
            return ["B", self.log.name, first, known]

        self._propose(begin)
        self._save()

    def leave(self) -> None:
        """Carry out what others did until now, and give back what this process holds."""
        if self.log.lost is None:
            self.log.leave()
            self.catch_up()

    # ---- what this process asks for

    def pop(self, is_ready: Callable[[int], bool] = lambda server: True) -> int | None:
        """The next URL to fetch; None if nothing waits."""
        while True:
            while self._unasked:  # given to this process by an event whose answer was lost
                if self.owns(key := self._unasked.popleft()):
                    return key
            event = self._propose(self._best)
            if event is None:
                return None
            if event[0] == "P":
                return int(event[1])

    def _best(self) -> Event | None:
        """The event by which the best URL leaves the queue."""
        key = next(iter(self.again), None)
        if key is not None and self.gave_up(key):
            return ["S", key, self.log.name, SERVER_IRRELEVANT]
        best = self.frontier.peek() if key is None else key
        if best is None:
            return None
        assert isinstance(best, int)
        reason = self.needless(best)
        return ["P", best, self.log.name] if reason is None else ["S", best, self.log.name, reason]

    def skip(self, key: int, reason: str) -> None:
        """Let a URL go that left the queue."""
        self._append(lambda: ["S", key, self.log.name, reason] if self.owns(key) else None)

    def let_go(self, key: int) -> bool:
        """True if a URL that waited for its host is no longer wanted, or no longer this process's."""
        return not self.owns(key) or super().let_go(key)

    def owns(self, key: int) -> bool:
        """True while this process is the one that fetches a URL."""
        return self.owner.get(key) == self.log.name

    def may_hold(self, held: int, at_a_time: int) -> bool:
        """False if this process has many URLs that wait for their hosts while another one has hardly any to fetch."""
        if held < 2 * at_a_time:
            return True
        others = self.log.members - {self.log.name}
        return all(self.holds[one] >= at_a_time for one in others)

    @property
    def waits(self) -> bool:
        """True while there is something to fetch, or somebody fetches something that may lead on."""
        return bool(self.again or self.in_flight or len(self.frontier))

    def number(self, url: str, parent: int) -> int | None:
        """The number of a URL to which a redirect leads; None if it must not be followed (the reason is counted)."""
        found = self.gate.follow(url, self.reasons)
        if found is None:
            return None
        known = self.store.known([found])
        if found not in known:
            said = new_url(found, self.score([found])[0])
            self._append(lambda: ["N", self.log.name, parent, *said])
            known = self.store.known([found])
        return known[found]

    def claim(self, key: int, end: int) -> bool:
        """True if this process is to follow a redirect of `key` to `end`; False if somebody has or fetches that."""

        def move() -> Event | None:
            return ["M", key, self.log.name, end] if self.is_free(key, end) and self.owns(key) else None

        return self._propose(move) is not None

    def permit(self, pages: int | None) -> bool:
        """True if one more page may be fetched, given so many for the whole crawl."""
        self._permits = pages is not None
        return pages is None or self.log.permit(pages)

    def return_permit(self) -> None:
        """Nothing was there to fetch."""
        if self._permits:
            self.log.return_permit()

    def page(self, answer: CrawlAnswer, links: Links, archive: tuple[str | None, int] | None = None) -> None:
        """Put an answer into the log, with what this process knows of its links; carrying it out saves and decides."""
        ends: list[Link] = []
        if answer.reason is None:
            urls = [link.url for link in self._refuse(answer, links)]
            known = self.store.known(urls)
            new = [url for url in urls if url not in known]
            scores = dict(zip(new, self.score(new), strict=True))
            ends = [known[url] if url in known else new_url(url, scores[url]) for url in urls]

        def event() -> Event | None:
            return answer_event(self.log.name, answer, ends, archive or ()) if self.owns(answer.url) else None

        self._append(event, page=answer.reason is None, ends=self._permits)
        self._save()

    # ---- the log

    def look(self) -> bool:
        """Carry out what others did, and say now and then that this process is there; True if there was anything."""
        if time.monotonic() - self._beaten >= self.log.lease / 8:
            self._beaten = time.monotonic()
            try:
                self.log.beat()
            except TakenForDead:
                self._rejoin()
        before, now = self._looked, time.monotonic()
        if now - self._heard >= LOOK:  # else the last call has told what there is
            self.catch_up()
        else:
            self.log.tell()
        self._looked = self.known
        self._save()
        return self.known > before

    def catch_up(self) -> None:
        """Carry out all events that are not known yet."""
        length = self.known + 1
        while self.known < length:
            news, length = self.log.read(self.known)
            self._carry_on(news)

    def _carry_on(self, news: Sequence[bytes]) -> None:
        self._heard = time.monotonic()
        for data in news:
            event = unpack(data)
            self._do(event)
            if event[0] == "P" and event[2] == self.log.name:
                self._unasked.append(event[1])

    def _propose(self, make: Callable[[], Event | None]) -> Event | None:
        """Append what `make` wants as things stand, all events known; the event, or None if it wants nothing."""
        while True:
            event = make()
            if event is None:
                return None
            try:
                done, news, _ = self.log.append(pack(event), self.known, strict=True)
            except TakenForDead:
                self._rejoin()
                continue
            self._carry_on(news)
            if done:
                self._do(event)
                return event

    def _append(self, make: Callable[[], Event | None], *, page: bool = False, ends: bool = False) -> None:
        """Append an event that holds whatever came before it, unless `make` no longer wants it."""
        while (event := make()) is not None:
            try:
                _, news, length = self.log.append(pack(event), self.known, page=page, ends=ends)
            except TakenForDead:
                self._rejoin()
                continue
            self._carry_on(news)
            if self.known < length:  # more than is told at once: ours comes with the rest
                self.catch_up()
            else:
                self._do(event)
            return

    def _rejoin(self) -> None:
        """Go on under another name after having been taken for dead: what was in flight belongs to others now."""
        self.log.join(self._identity, self.log.folder, self.log.crawl)
        self.catch_up()

    def _save(self) -> None:
        now = time.monotonic()
        if now - self._saved >= COMMIT and self.known > self._committed:
            self._saved, self._committed = now, self.known
            self.store.commit()
