"""HostQueue: the URLs that left the queue, each waiting for its host or being fetched from it."""

from __future__ import annotations

from collections import deque

from dragoman.crawl.live.driver.session import LiveCrawl

#: URLs that may be out of the queue while they wait for their host.
IN_HAND = 1_000


class HostQueue:
    """Gives the best URL whose host is free.

    A URL whose host is busy is kept in hand until it is free: a host with a long delay does not hold up the others.
    With one request at a time this is exactly the order of the frontier. What a crawl that was stopped had in hand is
    in hand again, and waits for its host as it did; of a shared crawl it went back to the queue of all.
    """

    def __init__(self, crawl: LiveCrawl, per_host: int, at_a_time: int) -> None:
        self._steering, self._shared = crawl.steering, crawl.shared
        self._server_of = crawl.store.server
        self._per_host, self._at_a_time = per_host, at_a_time
        self._hand: dict[int, deque[int]] = {}
        self.held = 0
        for key in self._steering.in_flight if self._shared is None else ():
            self._hold(key)
        self._free: deque[int] = deque(self._hand)
        self._busy: dict[int, int] = {}
        #: The server that each request now talks to, by the URL that was taken from the queue.
        self._asked: dict[int, int] = {}

    @property
    def active(self) -> int:
        """How many URLs are being fetched."""
        return len(self._asked)

    def take(self) -> int | None:
        """The next URL to fetch, whose host is busy then; None if none can be fetched now."""
        key = self._next_in_hand()
        if key is None:
            key = self._next_of_all()
        if key is not None:
            self._ask(key, self._server_of[key])
        return key

    def _next_in_hand(self) -> int | None:
        if self._shared is not None:
            self._free.extend(server for server in self._shared.freed() if server in self._hand)
        while self._free:
            server = self._free.popleft()
            waiting = self._hand.get(server)
            while waiting and self._is_free(server, waiting[0]):
                key = waiting.popleft()
                self.held -= 1
                if not waiting:
                    del self._hand[server]
                if not self._steering.let_go(key):
                    if waiting:
                        self._free.append(server)
                    return key
        return None

    def _next_of_all(self) -> int | None:
        while self._may_hold() and (key := self._steering.pop()) is not None:
            server = self._server_of[key]
            if server not in self._hand and self._is_free(server, key):
                return key
            self._hold(key)
        return None

    def _may_hold(self) -> bool:
        """True if one more URL may be taken from the queue although it may have to wait for its host."""
        return self.held < IN_HAND and (self._shared is None or self._shared.may_hold(self.held, self._at_a_time))

    def _hold(self, key: int) -> None:
        self._hand.setdefault(self._server_of[key], deque()).append(key)
        self.held += 1

    def _is_free(self, server: int, key: int) -> bool:
        free = self._busy.get(server, 0) < self._per_host
        return free and (self._shared is None or self._shared.turn(key, self._per_host))

    def _ask(self, key: int, server: int) -> None:
        self._asked[key] = server
        self._busy[server] = self._busy.get(server, 0) + 1

    def move(self, key: int, end: int) -> None:
        """A redirect leads to another URL, and perhaps to another server."""
        self.release(key)
        self._ask(key, self._server_of[end])

    def release(self, key: int) -> None:
        """An answer has come, and its server can be asked again."""
        server = self._asked.pop(key, None)
        if server is None:
            return
        left = self._busy.get(server, 1) - 1
        if left > 0:
            self._busy[server] = left
        else:
            self._busy.pop(server, None)
        if server in self._hand:
            self._free.append(server)
