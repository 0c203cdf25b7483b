"""Crawls of a graph with the paper's strategies, compiled; the plain version is dragoman.crawl.simulate.plain."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, Structure, at, library, structure

__all__ = ["KINDS", "REASONS", "GraphArrays", "GraphWalk", "Walk", "needed_pages"]

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


_WalkState = structure(
    "walk", vertices=COUNT, indptr=np.int64, targets=np.uint32, group=np.int32, server=np.int32, relevant=np.bool_,
    needed=np.bool_, **dict.fromkeys(("kind", "tolerance", "halve_every", "least", "readmit"), COUNT),
    **dict.fromkeys(("defer", "promotion"), COUNT), share=DOUBLE, groups=_RECORD, where=np.uint8, epoch=np.uint8,
    server_seen=np.uint8, spot=np.uint32, low=np.uint32, high=np.uint32, aside=_ASIDE,
    **dict.fromkeys(("low_head", "low_tail", "low_room", "high_head", "high_tail", "high_room"), COUNT),
    **dict.fromkeys(("aside_used", "aside_room"), COUNT), order=np.uint32,
    **dict.fromkeys(("pages", "found", "queue", "servers"), COUNT), reasons=COUNT * REASONS,
)  # fmt: skip

_library = library(
    {
        "dragoman_walk_seeds": (None, [POINTER, POINTER, COUNT]),
        "dragoman_walk": (SMALL, [POINTER, COUNT]),
        "dragoman_reach": (None, [COUNT, *[POINTER] * 5, COUNT, SMALL, *[POINTER] * 3]),
        "dragoman_branches": (None, [COUNT, *[POINTER] * 4]),
    }
)

#: Arrays that grow, and what counts how much of each is used.
_GROWING = {"low": "low_tail", "high": "high_tail", "aside": "aside_used"}


class GraphArrays(NamedTuple):
    """A graph whose numbers have been checked (dragoman.web.graph.Graph does), and which of its pages are relevant."""

    indptr: NDArray[np.int64]
    targets: NDArray[np.uint32]
    server: NDArray[np.int32]
    directory: NDArray[np.int32]
    language: NDArray[np.int16]
    relevant: NDArray[np.bool_]
    fetched: NDArray[np.bool_]
    seeds: NDArray[np.uint32]


class GraphWalk:
    """A compiled crawl of a graph that can be continued: `advance` visits more pages, the rest is there to be read.

    `growing` says of arrays in its state that may become too small which field counts what is used, and which has the
    room.
    """

    def __init__(
        self,
        state: Structure,
        functions: tuple[Callable[..., None], Callable[..., int]],
        seeds: NDArray[np.uint32],
        reasons: Sequence[str],
        growing: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    ) -> None:
        if len(reasons) != REASONS:
            raise ValueError(f"a walk counts {REASONS} reasons, not {len(reasons)}")
        self._state, self._growing, self._names = state, growing, tuple(reasons)
        start, self._go_on = functions
        start(ctypes.byref(state), at(seeds, np.uint32), len(seeds))
        self.finished = False

    def _grow(self) -> None:
        """Twice the room where less than half is free; where that is so nowhere, twice the room everywhere."""
        state = self._state
        used = {name: (getattr(state, count), getattr(state, room)) for name, (count, room) in self._growing.items()}
        for name in [name for name, (count, room) in used.items() if count > room // 2] or list(used):
            array = state.arrays[name]
            setattr(state, name, np.concatenate([array, np.zeros(len(array), array.dtype)]))
            setattr(state, self._growing[name][1], 2 * len(array))

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
        return self._state.arrays["order"][: self.pages]

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
        web: GraphArrays,
        kind: str,
        reasons: Sequence[str],
        *,
        grain: str = "server",
        needed: NDArray[np.bool_] | None = None,
        readmit: int = 0,
        defer: bool = False,
        **settings: float,
    ) -> None:
        n, again, aside = len(web.relevant), len(web.relevant) if readmit else 0, 1024 if defer else 0
        group: NDArray[np.int32] = getattr(web, grain)
        groups, servers = (int(numbers.max()) + 1 if n else 0 for numbers in (group, web.server))
        state = _WalkState(
            vertices=n, indptr=web.indptr, targets=web.targets, group=group, server=web.server, relevant=web.relevant,
            needed=np.zeros(n, np.bool_) if needed is None else needed, kind=KINDS.index(kind), readmit=readmit,
            defer=defer, groups=np.zeros(groups, _RECORD), where=np.where(web.fetched, np.uint8(0), np.uint8(_ABSENT)),
            epoch=np.zeros(again, np.uint8), spot=np.zeros(again, np.uint32), server_seen=np.zeros(servers, np.uint8),
            low=np.zeros(1024, np.uint32), low_room=1024, high=np.zeros(1024 + len(web.seeds), np.uint32),
            high_room=1024 + len(web.seeds), aside=np.zeros(aside, _ASIDE), aside_room=aside,
            order=np.zeros(int(np.count_nonzero(web.fetched)), np.uint32), **settings,
        )  # fmt: skip
        growing = {name: (count, f"{name}_room") for name, count in _GROWING.items()}
        functions = _library.dragoman_walk_seeds, _library.dragoman_walk
        super().__init__(state, functions, web.seeds, reasons, growing)


def needed_pages(web: GraphArrays, *, fewest: bool) -> NDArray[np.bool_]:
    """True for the relevant pages that can be reached from the seeds and the pages on the way to them.

    The way is that of the breadth-first tree, or the one with the fewest pages that are not relevant.
    """
    n = len(web.relevant)
    distance, parent, queue = np.empty(n, np.int32), np.zeros(n, np.uint32), np.empty(2 * n, np.uint32)
    needed, relevant = np.zeros(n, np.bool_), at(web.relevant, np.bool_)
    tree = at(distance, np.int32), at(parent, np.uint32)
    _library.dragoman_reach(
        n, at(web.indptr, np.int64), at(web.targets, np.uint32), relevant, at(web.fetched, np.bool_),
        at(web.seeds, np.uint32), len(web.seeds), fewest, *tree, at(queue, np.uint32),
    )  # fmt: skip
    _library.dragoman_branches(n, relevant, *tree, at(needed, np.bool_))
    return needed
