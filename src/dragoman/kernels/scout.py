"""Crawls of a stored graph with the scout strategy, compiled; the plain version is dragoman.crawl.strategies.scout."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.frontier import new_queue
from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, library
from dragoman.kernels.simulate import REASONS, GraphWalk, Links

__all__ = ["ScoutWalk"]

#: Cells of link evidence, states of a record, and weights, as in scout.h.
CELLS, STATES = 20, 3
WEIGHTS = CELLS * STATES + 5 * STATES

_DIRECTORY = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "seen", "next_seen")]
    + [("scores", np.float64), ("language", np.int16), ("unused", np.uint8, 6)]
)
_SERVER = np.dtype(
    [(name, np.int32) for name in ("pages", "relevant", "asked", "extra", "held", "next", "seen", "next_seen")]
    + [("residual", np.float64), ("scores", np.float64), ("status", np.uint8), ("epoch", np.uint8)]
    + [("unused", np.uint8, 6)]
)

_INPUTS = (
    "indptr", "targets", "directory", "server", "relevant", "fetched", "language", "score", "first_directory",
    "directories",
)  # fmt: skip
_ARRAYS = ("of_server", "of_directory", "held", "inlinks", "cell", "slot")


class _ScoutState(ctypes.Structure):
    _fields_ = [
        ("vertices", COUNT),
        *((name, POINTER) for name in _INPUTS),
        *((name, COUNT) for name in ("tolerance", "halve_every", "least", "readmit", "complete", "left_out")),
        *((name, DOUBLE) for name in ("share", "rate", "explore", "server_prior", "directory_prior")),
        ("quotas", POINTER),
        *((name, POINTER) for name in _ARRAYS),
        ("waiting", POINTER),
        *((name, COUNT) for name in ("next_ranking", "out_of_memory")),
        *((name, DOUBLE * WEIGHTS) for name in ("weights", "ranking", "squares")),
        *((name, DOUBLE * 2) for name in ("score_sum", "score_count")),
        ("language_found", POINTER),
        ("quotas_open", COUNT),
        ("order", POINTER),
        *((name, COUNT) for name in ("pages", "found", "queue", "servers")),
        ("reasons", COUNT * REASONS),
    ]


_library = library(
    {"dragoman_scout_begin": (None, [POINTER, POINTER, COUNT]), "dragoman_scout_walk": (SMALL, [POINTER, COUNT])}
)


class ScoutWalk(GraphWalk):
    """A scout's crawl."""

    def __init__(
        self,
        links: Links,
        directory: NDArray[np.int32],
        server: NDArray[np.int32],
        language: NDArray[np.int16],
        relevant: NDArray[np.bool_],
        fetched: NDArray[np.bool_],
        seeds: NDArray[np.uint32],
        reasons: Sequence[str],
        *,
        weights: Sequence[float],
        squares: float,
        score_means: tuple[float, float],
        score: NDArray[np.float32] | None = None,
        quotas: NDArray[np.int64],
        **settings: float,
    ) -> None:
        n = len(relevant)
        servers, directories = (int(numbers.max()) + 1 if n else 0 for numbers in (server, directory))
        owner = np.zeros(directories, np.int32)
        owner[directory] = server
        ordered = np.argsort(owner, kind="stable").astype(np.int32)
        first = np.searchsorted(owner[ordered], np.arange(servers + 1)).astype(np.int64)
        inputs: dict[str, tuple[NDArray[Any], Any]] = {
            "indptr": (links[0], np.int64), "targets": (links[1], np.uint32), "directory": (directory, np.int32),
            "server": (server, np.int32), "relevant": (relevant, np.bool_), "fetched": (fetched, np.bool_),
            "language": (language, np.int16), "quotas": (quotas, np.int64), "first_directory": (first, np.int64),
            "directories": (ordered, np.int32),
            "score": (np.zeros(n, np.float32) if score is None else score, np.float32),
        }  # fmt: skip
        arrays: dict[str, NDArray[Any]] = {
            "of_server": np.zeros(servers, _SERVER), "of_directory": np.zeros(directories, _DIRECTORY),
            "held": np.zeros(n, np.uint8), "inlinks": np.zeros(4 * n, np.uint8), "cell": np.full(n, 255, np.uint8),
            "slot": np.zeros(CELLS * directories, np.uint32),
            "order": np.zeros(int(np.count_nonzero(fetched)), np.uint32),
            "language_found": np.zeros(len(quotas), np.int64),
        }  # fmt: skip
        arrays["of_directory"]["language"] = -1
        state = _ScoutState(vertices=n, next_ranking=16, waiting=new_queue(self), **settings)
        state.weights[:] = state.ranking[:] = list(weights)
        state.squares[:] = [squares] * WEIGHTS
        state.score_sum[:] = [10.0 * mean for mean in score_means]
        state.score_count[:] = [10.0, 10.0]
        functions = _library.dragoman_scout_begin, _library.dragoman_scout_walk
        super().__init__(state, inputs, arrays, {}, functions, seeds, reasons)
