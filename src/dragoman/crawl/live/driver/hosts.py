"""HostQueue: when each host may be asked next, and the best URL among those whose hosts are ready."""

from __future__ import annotations

import math
import time
from collections import deque
from heapq import heappop, heappush

from dragoman.crawl.live.driver.session import LiveCrawl

#: Seconds for which a host is left alone after its first "too many requests" without a Retry-After; they double each
#: time. The longest time: who asks for more is not asked for the same page again.
FIRST_REST, LONGEST_REST = 5.0, 600.0
#: Unlikely URLs of other hosts wait for a likelier one of a host that is ready in so many seconds, if its last answer
#: took no longer than so many: nobody can make a crawl wait by being slow.
WORTH_WAITING, SLOW = 60.0, 10.0
#: A server's own delay is kept under this and its number.
DELAY = "delay of "


class HostQueue:
    """Gives the best URL whose host is ready: asked no more often than its delay allows, and not at work for us.

    URLs of other hosts stay in the queue, so that a host which has to be left alone takes no place from the others.
    With one request at a time and no delay this is exactly the order of the frontier. In hand are only URLs that left
    the queue and have to wait all the same: what a crawl that was stopped was asking for, what a host asked to be left
    alone with (429, 503), and the first page of a host whose robots.txt has just been read.
    """

    def __init__(self, crawl: LiveCrawl, per_host: int) -> None:
        self._steering = crawl.steering
        self._server_of = crawl.store.server
        self._per_host, self._delay = per_host, crawl.manners.delay
        self._hand: dict[int, deque[int]] = {}
        self.held = 0
        self._free: deque[int] = deque()
        self._busy: dict[int, int] = {}
        #: When a server may be asked next, where that is not now; delays of its own; how often it refused of late.
        self._ready_at: dict[int, float] = {}
        self._store = crawl.store
        self._delays = {int(server): float(seconds) for server, seconds in self._store.get_each(DELAY).items()}
        self._refusals: dict[int, int] = {}
        #: (when, server) of servers that something waits for.
        self._alarms: list[tuple[float, int]] = []
        #: The server that each request now talks to, by the URL that was taken from the queue.
        self._asked: dict[int, int] = {}
        #: When that was, and the servers whose last answer took long.
        self._since: dict[int, float] = {}
        self._slow: set[int] = set()
        for server in self._server_of.there() if crawl.resumed else ():  # whoever crawled before may have just asked it
            self._rest(server, self._delays.get(server, self._delay))
        for key in self._steering.in_flight:
            self.hold(key)

    @property
    def active(self) -> int:
        """How many URLs are being fetched."""
        return len(self._asked)

    @property
    def next_alarm(self) -> float | None:
        """When the next host that something waits for is ready, by `time.monotonic`; None if none will be by itself."""
        return self._alarms[0][0] if self._alarms else None

    def set_delay(self, server: int, seconds: float) -> None:
        """From now on a server has a delay of its own, also when the crawl goes on after a stop."""
        if self._delays.get(server) != seconds:
            self._delays[server] = seconds
            self._store.set(f"{DELAY}{server}", seconds)

    def take(self) -> int | None:
        """The next URL to fetch, whose host is busy then; None if none can be fetched now."""
        now = time.monotonic()
        while self._alarms and self._alarms[0][0] <= now:
            self._wake(heappop(self._alarms)[1])
        key = self._next_in_hand()
        if key is None:
            key = self._steering.pop(self._is_ready, self._is_soon)
        if key is not None:
            self._ask(key, self._server_of[key])
        return key

    def _wake(self, server: int) -> None:
        if server in self._hand:
            self._free.append(server)
        self._steering.wake(server)

    def _next_in_hand(self) -> int | None:
        while self._free:
            server = self._free.popleft()
            waiting = self._hand.get(server)
            while waiting and self._is_free(server):
                key = waiting.popleft()
                self.held -= 1
                if not waiting:
                    del self._hand[server]
                if not self._steering.let_go(key):
                    if waiting:
                        self._free.append(server)
                    return key
        return None

    def hold(self, key: int, server: int | None = None) -> None:
        """Let a URL that left the queue wait for its host, or for the one to which it is redirected."""
        server = self._server_of[key] if server is None else server
        self._hand.setdefault(server, deque()).append(key)
        self.held += 1
        self._set_alarm(server)

    def _set_alarm(self, server: int) -> None:
        """Look at a server again when it may be ready; one that is busy is looked at when it answers."""
        if self._busy.get(server, 0) < self._per_host:
            heappush(self._alarms, (self._ready_at.get(server, 0.0), server))

    def _is_ready(self, server: int) -> bool:
        """True if a server may be asked now; if not, there will be an alarm."""
        busy = self._busy.get(server, 0)
        if busy >= self._per_host or self._steering.is_full(server, busy) or server in self._hand:
            return False
        at = self._ready_at.get(server)
        if at is None:
            return True
        if at > time.monotonic():
            if server not in self._steering.resting:  # else there is one
                self._set_alarm(server)
            return False
        del self._ready_at[server]
        return True

    def _is_soon(self, server: int) -> bool:
        """True if a server that is not ready is worth waiting for: one that asked for an hour, or is slow, is not."""
        return server not in self._slow and self._ready_at.get(server, 0.0) <= time.monotonic() + WORTH_WAITING

    def _is_free(self, server: int) -> bool:
        """True if a URL in hand can be asked for; if not, there will be an alarm."""
        if self._busy.get(server, 0) >= self._per_host:
            return False
        if self._ready_at.get(server, 0.0) > time.monotonic():
            self._set_alarm(server)
            return False
        return True

    def _ask(self, key: int, server: int) -> None:
        self._asked[key], self._since[key] = server, time.monotonic()
        self._busy[server] = self._busy.get(server, 0) + 1
        self._rest(server, self._delays.get(server, self._delay))

    def _rest(self, server: int, seconds: float) -> None:
        if seconds > 0:
            self._ready_at[server] = max(self._ready_at.get(server, 0.0), time.monotonic() + seconds)

    def move(self, key: int, end: int) -> None:
        """A redirect leads to another URL, and perhaps to another server."""
        self.release(key)
        self._ask(key, self._server_of[end])

    def put_off(self, key: int) -> None:
        """A URL that was asked for has to be asked for once more, when the host that was asked last is ready."""
        server = self._asked.get(key)
        self.release(key)
        self.hold(key, server)

    def refused(self, key: int, wanted: float | None) -> float:
        """A host wants to be left alone, for `wanted` seconds if it says so; how long it is."""
        server = self._asked.get(key, self._server_of[key])
        times = self._refusals[server] = min(self._refusals.get(server, 0) + 1, 20)
        seconds = FIRST_REST * 2 ** (times - 1) if wanted is None else wanted
        seconds = min(max(seconds, self._delays.get(server, self._delay)), LONGEST_REST)
        self._rest(server, seconds)
        return seconds

    def answered(self, key: int) -> None:
        """A host answers as usual: it was not refused."""
        self._refusals.pop(self._asked.get(key, -1), None)

    def release(self, key: int) -> None:
        """An answer has come: its server can be asked again after its delay."""
        server = self._asked.pop(key, None)
        if server is None:
            return
        took_long = time.monotonic() - self._since.pop(key, math.inf) > SLOW
        (self._slow.add if took_long else self._slow.discard)(server)
        left = self._busy.get(server, 1) - 1
        if left > 0:
            self._busy[server] = left
        else:
            self._busy.pop(server, None)
        self._rest(server, self._delays.get(server, self._delay))
        if server in self._hand or server in self._steering.resting:
            self._set_alarm(server)
