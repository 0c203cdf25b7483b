"""Crawls of a graph with the paper's strategies, compiled; the plain version is dragoman.crawl.simulate.plain."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, at, library

__all__ = ["KINDS", "REASONS", "GraphWalk", "Links", "Walk", "branches", "reach"]

#: Strategies and the number of reasons, as in simulate.h.
KINDS = ("breadth-first", "hard-focused", "soft-focused", "aggressive", "conservative", "perfect")
REASONS = 7
_PAUSED, _FINISHED, _NEEDS_ROOM, _NO_MEMORY = range(4)
_ABSENT = 5

#: A server's or directory's record, as in simulate.h.
_RECORD = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "asked", "extra", "waiting", "first", "last")]
    + [("status", np.uint8), ("epoch", np.uint8), ("unused", np.uint8, 2)]
)
_ASIDE = np.dtype([("target", np.uint32), ("next", np.int32)])


class _WalkState(ctypes.Structure):
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


class GraphWalk:
    """A compiled crawl of a graph that can be continued: `advance` visits more pages, the rest is there to be read.

    `inputs` are arrays of the caller with the types that they must have; those of the graph must have been checked
    (dragoman.web.graph.Graph does): ends of links and numbers of servers inside their ranges. `arrays` are the walk's
    own, named as the state's fields. `growing` says of those that may become too small which field counts what is
    used, and which has the room.
    """

    def __init__(
        self,
        state: Any,
        inputs: Mapping[str, tuple[NDArray[Any], Any]],
        arrays: Mapping[str, NDArray[Any]],
        growing: Mapping[str, tuple[str, str]],
        functions: tuple[Callable[..., None], Callable[..., int]],
        seeds: NDArray[np.uint32],
        reasons: Sequence[str],
    ) -> None:
        if len(reasons) != REASONS:
            raise ValueError(f"a walk counts {REASONS} reasons, not {len(reasons)}")
        for name, (array, kind) in inputs.items():
            setattr(state, name, at(array, kind))
        self._state, self._inputs, self._arrays, self._growing = state, inputs, dict(arrays), growing
        self._names = tuple(reasons)
        self._connect()
        start, self._go_on = functions
        start(ctypes.byref(state), at(seeds, np.uint32), len(seeds))
        self.finished = False

    def _connect(self) -> None:
        for name, array in self._arrays.items():
            setattr(self._state, name, array.ctypes.data)
        for name, (_, room) in self._growing.items():
            setattr(self._state, room, len(self._arrays[name]))

    def _grow(self) -> None:
        """Twice the room where less than half is free; where that is so nowhere, twice the room everywhere."""
        used = {name: getattr(self._state, count) for name, (count, _) in self._growing.items()}
        full = [name for name, count in used.items() if count > len(self._arrays[name]) // 2] or list(used)
        for name in full:
            array = self._arrays[name]
            self._arrays[name] = np.concatenate([array, np.zeros(len(array), array.dtype)])
        self._connect()

    def advance(self, pages: int) -> bool:
        """Visit up to that many pages more; False once there is nothing left to visit."""
        state = self._state
        goal = state.pages + pages
        while not self.finished and state.pages < goal:
            answer = self._go_on(ctypes.byref(state), goal - state.pages)
            if answer == _NEEDS_ROOM:
                self._grow()
            elif answer == _NO_MEMORY:
                raise MemoryError("no memory for more URLs in the queue")
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
    def queue(self) -> int:
        """How many URLs wait."""
        return int(self._state.queue)

    @property
    def servers(self) -> int:
        """From how many servers something was downloaded."""
        return int(self._state.servers)

    @property
    def reasons(self) -> dict[str, int]:
        """How many links were decided for each reason."""
        return {name: int(count) for name, count in zip(self._names, self._state.reasons, strict=True) if count}


class Walk(GraphWalk):
    """A crawl with one of the paper's strategies."""

    def __init__(
        self,
        links: Links,
        group: NDArray[np.int32],
        server: NDArray[np.int32],
        relevant: NDArray[np.bool_],
        fetched: NDArray[np.bool_],
        seeds: NDArray[np.uint32],
        kind: str,
        reasons: Sequence[str],
        *,
        needed: NDArray[np.bool_] | None = None,
        readmit: int = 0,
        defer: bool = False,
        **settings: float,
    ) -> None:
        n = len(relevant)
        groups, servers = (int(numbers.max()) + 1 if n else 0 for numbers in (group, server))
        inputs: dict[str, tuple[NDArray[Any], Any]] = {
            "indptr": (links[0], np.int64), "targets": (links[1], np.uint32), "group": (group, np.int32),
            "server": (server, np.int32), "relevant": (relevant, np.bool_),
            "needed": (np.zeros(n, np.bool_) if needed is None else needed, np.bool_),
        }  # fmt: skip
        arrays = {
            "where": np.where(fetched, np.uint8(0), np.uint8(_ABSENT)),
            "epoch": np.zeros(n if readmit else 0, np.uint8), "spot": np.zeros(n if readmit else 0, np.uint32),
            "server_seen": np.zeros(servers, np.uint8),
            "order": np.zeros(int(np.count_nonzero(fetched)), np.uint32),
            "groups": np.zeros(groups, _RECORD), "low": np.zeros(1024, np.uint32),
            "high": np.zeros(1024 + len(seeds), np.uint32), "aside": np.zeros(1024 if defer else 0, _ASIDE),
        }  # fmt: skip
        growing = {
            "low": ("low_tail", "low_room"),
            "high": ("high_tail", "high_room"),
            "aside": ("aside_used", "aside_room"),
        }
        state = _WalkState(vertices=n, kind=KINDS.index(kind), readmit=readmit, defer=defer, **settings)
        functions = _library.dragoman_walk_seeds, _library.dragoman_walk
        super().__init__(state, inputs, arrays, growing, functions, seeds, reasons)


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
