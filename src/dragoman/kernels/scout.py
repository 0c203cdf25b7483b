"""Crawls of a stored graph with the scout strategy, compiled; the plain version is dragoman.crawl.strategies.scout."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, at, library
from dragoman.kernels.simulate import REASONS, Links

__all__ = ["CELLS", "STATES", "WEIGHTS", "ScoutWalk"]

#: Cells of link evidence, states of a record, and weights, as in scout.h.
CELLS, STATES = 20, 3
WEIGHTS = CELLS * STATES + 5 * STATES
_PAUSED, _FINISHED, _NEEDS_ROOM = range(3)

_ENTRY = np.dtype(
    [("score", np.float32), ("url", np.uint32), ("turn", np.uint32), ("left", np.int32), ("right", np.int32)]
)
_GROUP = np.dtype(
    [
        ("value", np.float64),
        ("turn", np.uint32),
        *((name, np.int32) for name in ("directory", "cell", "root", "place", "unused")),
    ]
)
_DIRECTORY = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "seen", "next_seen")]
    + [("scores", np.float64), ("language", np.int16), ("unused", np.uint8, 6)]
)
_SERVER = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "asked", "extra", "waiting", "next", "seen", "next_seen")]
    + [("residual", np.float64), ("scores", np.float64), ("status", np.uint8), ("epoch", np.uint8)]
    + [("unused", np.uint8, 6)]
)

_INPUTS = {
    "indptr": np.int64, "targets": np.uint32, "directory": np.int32, "server": np.int32, "relevant": np.bool_,
    "fetched": np.bool_, "language": np.int16, "score": np.float32, "first_directory": np.int64,
    "directories": np.int32,
}  # fmt: skip
_STATE = {
    "of_server": _SERVER, "of_directory": _DIRECTORY, "where": np.uint8, "epoch": np.uint8, "inlinks": np.uint8,
    "cell": np.uint8, "turn": np.uint32, "slot": np.int32, "groups": _GROUP, "heap": np.int32, "entries": _ENTRY,
}  # fmt: skip
_COUNTS = ("groups_used", "groups_room", "heap_used", "entries_used", "entries_room", "unused_entry", "turns")


class _State(ctypes.Structure):
    _fields_ = [
        ("vertices", COUNT),
        *((name, POINTER) for name in _INPUTS),
        *((name, COUNT) for name in ("tolerance", "halve_every", "least", "readmit", "complete", "left_out")),
        *((name, DOUBLE) for name in ("share", "rate", "explore", "server_prior", "directory_prior")),
        ("quotas", POINTER),
        *((name, POINTER) for name in _STATE),
        *((name, COUNT) for name in _COUNTS),
        ("next_ranking", COUNT),
        *((name, DOUBLE * WEIGHTS) for name in ("weights", "ranking", "squares")),
        *((name, DOUBLE * 2) for name in ("score_sum", "score_count")),
        ("language_found", POINTER),
        ("quotas_open", COUNT),
        ("order", POINTER),
        *((name, COUNT) for name in ("pages", "found", "queue", "servers")),
        ("reasons", COUNT * REASONS),
    ]


_library = library(
    {"dragoman_scout_seeds": (None, [POINTER, POINTER, COUNT]), "dragoman_scout": (SMALL, [POINTER, COUNT])}
)


class ScoutWalk:
    """A scout's crawl of a graph that can be continued; the graph's arrays must have been checked."""

    def __init__(
        self,
        links: Links,
        directory: NDArray[np.int32],
        server: NDArray[np.int32],
        language: NDArray[np.int16],
        relevant: NDArray[np.bool_],
        fetched: NDArray[np.bool_],
        seeds: NDArray[np.uint32],
        *,
        weights: Sequence[float],
        squares: float,
        score_means: tuple[float, float],
        score: NDArray[np.float32] | None = None,
        quotas: NDArray[np.int64],
        **settings: float,
    ) -> None:
        n = len(relevant)
        servers, directories = (int(one.max()) + 1 if n else 0 for one in (server, directory))
        owner = np.zeros(directories, np.int32)
        owner[directory] = server
        ordered = np.argsort(owner, kind="stable").astype(np.int32)
        first = np.searchsorted(owner[ordered], np.arange(servers + 1)).astype(np.int64)
        self._arrays: dict[str, NDArray[Any]] = {
            "indptr": links[0], "targets": links[1], "directory": directory, "server": server, "relevant": relevant,
            "fetched": fetched, "language": language, "score": np.zeros(n, np.float32) if score is None else score,
            "first_directory": first, "directories": ordered, "of_server": np.zeros(servers, _SERVER),
            "of_directory": np.zeros(directories, _DIRECTORY), "where": np.zeros(n, np.uint8),
            "epoch": np.zeros(n, np.uint8), "inlinks": np.zeros(4 * n, np.uint8), "cell": np.full(n, 255, np.uint8),
            "turn": np.zeros(n, np.uint32), "slot": np.zeros(CELLS * directories, np.int32),
            "groups": np.zeros(1024 + len(seeds), _GROUP), "heap": np.zeros(1024 + len(seeds), np.int32),
            "entries": np.zeros(1024 + len(seeds), _ENTRY),
        }  # fmt: skip
        self._arrays["of_directory"]["language"] = -1
        self._order = np.zeros(int(np.count_nonzero(fetched)), np.uint32)
        self._quotas, self._found = quotas, np.zeros(len(quotas), np.int64)
        state = _State(vertices=n, next_ranking=16, **settings)
        state.quotas, state.language_found = at(self._quotas, np.int64), at(self._found, np.int64)
        state.quotas_open = int(np.count_nonzero(quotas >= 0)) or -1
        state.order = at(self._order, np.uint32)
        state.weights[:] = state.ranking[:] = list(weights)
        state.squares[:] = [squares] * WEIGHTS
        state.score_sum[:] = [10.0 * mean for mean in score_means]
        state.score_count[:] = [10.0, 10.0]
        self._state = state
        self._connect()
        _library.dragoman_scout_seeds(ctypes.byref(state), at(seeds, np.uint32), len(seeds))
        self.finished = False

    def _connect(self) -> None:
        for name, kind in (_INPUTS | _STATE).items():
            setattr(self._state, name, at(self._arrays[name], kind))  # type: ignore[arg-type]
        self._state.groups_room, self._state.entries_room = len(self._arrays["groups"]), len(self._arrays["entries"])

    def _grow(self) -> None:
        used = {"groups": self._state.groups_used, "entries": self._state.entries_used}
        full = [name for name, count in used.items() if count > len(self._arrays[name]) // 2] or list(used)
        for name in [*full, *(["heap"] if "groups" in full else [])]:
            array = self._arrays[name]
            self._arrays[name] = np.concatenate([array, np.zeros(len(array), array.dtype)])
        self._connect()

    def advance(self, pages: int) -> bool:
        """Visit up to that many pages more; False once there is nothing left to visit."""
        goal = self.pages + pages
        while not self.finished and self.pages < goal:
            answer = _library.dragoman_scout(ctypes.byref(self._state), goal - self.pages)
            if answer == _NEEDS_ROOM:
                self._grow()
            self.finished = answer == _FINISHED
        return not self.finished

    @property
    def order(self) -> NDArray[np.uint32]:
        """The pages in the order in which they were visited."""
        return self._order[: self.pages]

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
    def reasons(self) -> list[int]:
        """How many links were decided for each reason."""
        return [int(count) for count in self._state.reasons]

    @property
    def weights(self) -> list[float]:
        """What was learnt."""
        return list(self._state.weights)
