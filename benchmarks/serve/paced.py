"""Requests that come when they are due, whether the service keeps up or not; used by load.py.

A client that sends its next request when the last one has been answered waits out every stall of the service and then
counts it once. Here every request has a moment at which it is due, drawn at random (as from many people who know
nothing of each other), and its time counts from that moment: whatever is due during a stall counts as late. The client
is one thread without a framework, so that it takes little of the machine that it shares with the service; how late it
was itself is told beside the figures, and is part of them.
"""

from __future__ import annotations

import gc
import random
import re
import select
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
#: Seconds after the last request was due for which answers are waited for.
PATIENCE = 10.0


@dataclass(frozen=True)
class Paced:
    """What a run gave; times in milliseconds, counted from the moment that a request was due."""

    offered: float
    rate: float
    p50: float
    p99: float
    worst: float
    failed: int
    #: How late the client sent what it could have sent in time, 99 % of requests; its share of a processor.
    late: float
    client: float


@dataclass
class Connection:
    """One connection: the requests that are due on it, and the answer that is coming."""

    port: int
    due: deque[tuple[float, bytes]] = field(default_factory=deque)
    asked: float | None = None  # when the request that is being answered was due
    buffer: bytes = b""
    socket: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Connect, again if need be."""
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.asked, self.buffer = None, b""

    def send(self) -> float:
        """Send what is due next, and give the moment it was due; it has waited for the answer to the one before it."""
        self.asked, written = self.due.popleft()
        self.socket.sendall(written)
        return self.asked

    def receive(self) -> bool | None:
        """Whether the answer was a good one; None while it is not complete."""
        try:
            part = self.socket.recv(1 << 16)
        except OSError:
            return False
        if not part:  # closed by the service
            return False
        self.buffer = self.buffer + part if self.buffer else part
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        length = _LENGTH.search(head)
        if len(body) < (int(length[1]) if length else 0):
            return None
        self.buffer = b""
        return head.startswith(b"HTTP/1.1 200")

    def unanswered(self) -> list[float]:
        """The moments at which those were due that have no answer."""
        return [moment for moment, _ in self.due] + ([] if self.asked is None else [self.asked])


def paced(port: int, requests: Sequence[bytes], connections: int, rate: float, seconds: float, seed: int = 1) -> Paced:
    """`rate` requests a second for `seconds`, dealt out to the connections in turn."""
    count = max(1, round(rate * seconds))
    chance = random.Random(seed)
    moments = sorted(chance.random() * seconds for _ in range(count))
    ours = [Connection(port) for _ in range(connections)]
    took: list[float] = []
    late: list[float] = []
    asking: dict[socket.socket, Connection] = {}
    failed = turn = 0

    collecting = gc.isenabled()
    gc.collect()
    gc.disable()  # a pause of the client would count as one of the service
    try:
        spent, start = time.process_time(), time.perf_counter()
        now = last = 0.0
        while len(took) < count and now < seconds + PATIENCE:
            now = time.perf_counter() - start
            while turn < count and moments[turn] <= now:
                one = ours[turn % connections]
                one.due.append((moments[turn], requests[turn % len(requests)]))
                turn += 1
                if one.asked is None:
                    late.append(time.perf_counter() - start - one.send())
                    asking[one.socket] = one
            until = moments[turn] if turn < count else seconds + PATIENCE
            for ready in select.select(list(asking), [], [], max(0.0, until - now))[0]:
                one = asking[ready]
                good = one.receive()
                if good is None:
                    continue
                last = time.perf_counter() - start
                took.append(last - (one.asked or 0.0))
                one.asked = None
                if not good:
                    failed += 1
                    del asking[ready]
                    ready.close()
                    one.open()
                if one.due:
                    one.send()
                    asking[one.socket] = one
                elif good:
                    del asking[ready]
        spent = time.process_time() - spent
    finally:
        if collecting:
            gc.enable()
        for one in ours:
            one.socket.close()
    answered, failed = len(took) - failed, failed + count - len(took)
    took += [now - moment for one in ours for moment in one.unanswered()]  # at least so long
    took.sort()
    late.sort()
    return Paced(
        rate, answered / max(last, seconds), took[len(took) // 2] * 1e3, took[int(len(took) * 0.99)] * 1e3,
        took[-1] * 1e3, failed, late[int(len(late) * 0.99)] * 1e3, spent / max(now, 1e-9),
    )  # fmt: skip
