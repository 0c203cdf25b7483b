"""Crawls of a stored graph with the paper's strategies, compiled; the plain version is dragoman.crawl.drive."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, at, library

__all__ = ["KINDS", "REASONS", "Walk", "branches", "reach"]

#: Strategies and the number of reasons, as in simulate.h.
KINDS = ("breadth-first", "hard-focused", "soft-focused", "aggressive", "conservative", "perfect")
REASONS = 7
_PAUSED, _FINISHED, _NEEDS_ROOM = range(3)
_ABSENT = 5

#: A server's or directory's record, as in simulate.h.
_RECORD = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "asked", "extra", "waiting", "first", "last")]
    + [("status", np.uint8), ("epoch", np.uint8), ("unused", np.uint8, 2)]
)
_ASIDE = np.dtype([("target", np.uint32), ("next", np.int32)])


class _State(ctypes.Structure):
    _fields_ = [
        ("vertices", COUNT),
        *((name, POINTER) for name in ("indptr", "targets", "group", "server", "relevant", "needed")),
        *((name, COUNT) for name in ("kind", "tolerance", "halve_every", "least", "readmit", "defer", "promotion")),
        ("share", DOUBLE),
        *((name, POINTER) for name in ("groups", "where", "epoch", "server_seen", "spot", "low", "high", "aside")),
        *((name, COUNT) for name in ("low_head", "low_tail", "low_room", "high_head", "high_tail", "high_room")),
        *((name, COUNT) for name in ("aside_used", "aside_room")),
        ("order", POINTER),
        *((name, COUNT) for name in ("pages", "found", "queue", "servers")),
        ("reasons", COUNT * REASONS),
    ]


_library = library(
    {
        "dragoman_walk_seeds": (None, [POINTER, POINTER, COUNT]),
        "dragoman_walk": (SMALL, [POINTER, COUNT]),
        "dragoman_reach": (None, [COUNT, *[POINTER] * 5, COUNT, SMALL, *[POINTER] * 3]),
        "dragoman_branches": (None, [COUNT, *[POINTER] * 4]),
    }
)

Links = tuple[NDArray[np.int64], NDArray[np.uint32]]


class Walk:
    """A crawl of a graph that can be continued: `advance` visits more pages, the rest is there to be read.

    The arrays of the graph must have been checked (dragoman.web.graph.Graph does): ends of links and numbers of
    servers inside their ranges.
    """

    def __init__(
        self,
        links: Links,
        group: NDArray[np.int32],
        server: NDArray[np.int32],
        relevant: NDArray[np.bool_],
        fetched: NDArray[np.bool_],
        seeds: NDArray[np.uint32],
        kind: str,
        *,
        needed: NDArray[np.bool_] | None = None,
        tolerance: int = 10,
        share: float = 0.0,
        halve_every: int = 0,
        least: int = 2,
        readmit: int = 0,
        defer: bool = False,
        promotion: bool = True,
    ) -> None:
        n = len(relevant)
        groups = int(group.max()) + 1 if n else 0
        servers = int(server.max()) + 1 if n else 0
        wanted = np.zeros(n, np.bool_) if needed is None else needed
        self._arrays: dict[str, NDArray[Any]] = {
            "indptr": links[0], "targets": links[1], "group": group, "server": server, "relevant": relevant,
            "needed": wanted, "where": np.where(fetched, np.uint8(0), np.uint8(_ABSENT)),
            "epoch": np.zeros(n if readmit else 0, np.uint8), "spot": np.zeros(n if readmit else 0, np.uint32),
            "server_seen": np.zeros(servers, np.uint8),
            "order": np.zeros(int(np.count_nonzero(fetched)), np.uint32),
            "groups": np.zeros(groups, _RECORD), "low": np.zeros(1024, np.uint32),
            "high": np.zeros(1024 + len(seeds), np.uint32), "aside": np.zeros(1024 if defer else 0, _ASIDE),
        }  # fmt: skip
        self._state = _State(
            vertices=n, kind=KINDS.index(kind), tolerance=tolerance, halve_every=halve_every, least=least,
            readmit=readmit, defer=defer, promotion=promotion, share=share,
        )  # fmt: skip
        self._connect()
        _library.dragoman_walk_seeds(ctypes.byref(self._state), at(seeds, np.uint32), len(seeds))
        self.finished = False

    def _connect(self) -> None:
        kinds = {"indptr": np.int64, "group": np.int32, "server": np.int32, "groups": _RECORD, "aside": _ASIDE}
        kinds |= dict.fromkeys(("relevant", "needed"), np.bool_)
        kinds |= dict.fromkeys(("where", "epoch", "server_seen"), np.uint8)
        for name, array in self._arrays.items():
            setattr(self._state, name, at(array, kinds.get(name, np.uint32)))  # type: ignore[arg-type]
        self._state.low_room, self._state.high_room = len(self._arrays["low"]), len(self._arrays["high"])
        self._state.aside_room = len(self._arrays["aside"])

    def _grow(self) -> None:
        """Twice the room where less than half is free; where that is so nowhere, twice the room everywhere."""
        used = {"low": self._state.low_tail, "high": self._state.high_tail, "aside": self._state.aside_used}
        full = [name for name, count in used.items() if count > len(self._arrays[name]) // 2] or list(used)
        for name in full:
            array = self._arrays[name]
            self._arrays[name] = np.concatenate([array, np.zeros(len(array), array.dtype)])
        self._connect()

    def advance(self, pages: int) -> bool:
        """Visit up to that many pages more; False once there is nothing left to visit."""
        goal = self.pages + pages
        while not self.finished and self.pages < goal:
            answer = _library.dragoman_walk(ctypes.byref(self._state), goal - self.pages)
            if answer == _NEEDS_ROOM:
                self._grow()
            self.finished = answer == _FINISHED
        return not self.finished

    @property
    def order(self) -> NDArray[np.uint32]:
        """The pages in the order in which they were visited."""
        return self._arrays["order"][: self.pages]

    @property
    def pages(self) -> int:
        """How many pages were visited."""
        return int(self._state.pages)

    @property
    def found(self) -> int:
        """How many of them are relevant."""
        return int(self._state.found)

    @property
    def queue(self) -> int:
        """How many URLs wait."""
        return int(self._state.queue)

    @property
    def servers(self) -> int:
        """From how many servers something was downloaded."""
        return int(self._state.servers)

    @property
    def reasons(self) -> list[int]:
        """How many links were decided for each reason."""
        return [int(count) for count in self._state.reasons]


def reach(
    links: Links,
    relevant: NDArray[np.bool_],
    fetched: NDArray[np.bool_],
    seeds: NDArray[np.uint32],
    *,
    fewest: bool = False,
) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """(distance, parent) of every page in the breadth-first tree from the seeds; distance -1 where none leads to it."""
    n = len(relevant)
    distance, parent = np.empty(n, np.int32), np.zeros(n, np.uint32)
    queue = np.empty(2 * n, np.uint32)
    _library.dragoman_reach(
        n, at(links[0], np.int64), at(links[1], np.uint32), at(relevant, np.bool_), at(fetched, np.bool_),
        at(seeds, np.uint32), len(seeds), fewest, at(distance, np.int32), at(parent, np.uint32), at(queue, np.uint32),
    )  # fmt: skip
    return distance, parent


def branches(relevant: NDArray[np.bool_], distance: NDArray[np.int32], parent: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """True for the relevant pages that were reached and the pages on the way to them."""
    needed = np.zeros(len(relevant), np.bool_)
    _library.dragoman_branches(
        len(relevant), at(relevant, np.bool_), at(distance, np.int32), at(parent, np.uint32), at(needed, np.bool_)
    )
    return needed
