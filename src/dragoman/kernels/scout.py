"""Crawls of a stored graph with the scout strategy, compiled; the plain version is dragoman.crawl.strategies.scout."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.frontier import new_queue
from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, library, structure
from dragoman.kernels.simulate import REASONS, GraphArrays, GraphWalk

__all__ = ["ScoutWalk", "ShardsOfServers"]

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

_ScoutState = structure(
    "scout", vertices=COUNT, indptr=np.int64, targets=np.uint32, directory=np.int32, server=np.int32,
    relevant=np.bool_, fetched=np.bool_, language=np.int16, score=np.float32, first_directory=np.int64,
    directories=np.int32,
    **dict.fromkeys(("tolerance", "halve_every", "least", "readmit", "complete", "left_out"), COUNT),
    **dict.fromkeys(("share", "rate", "explore", "server_prior", "directory_prior"), DOUBLE), quotas=np.int64,
    of_server=_SERVER, of_directory=_DIRECTORY, held=np.uint8, inlinks=np.uint8, cell=np.uint8, slot=np.uint32,
    waiting=POINTER, number=np.uint32, urls=np.uint32, next_ranking=COUNT, out_of_memory=COUNT,
    **dict.fromkeys(("weights", "ranking", "squares"), DOUBLE * WEIGHTS),
    **dict.fromkeys(("score_sum", "score_count"), DOUBLE * 2), language_found=np.int64, quotas_open=COUNT,
    **dict.fromkeys(("pages", "found", "queue", "servers"), COUNT), reasons=COUNT * REASONS,
)  # fmt: skip

_FleetState = structure(
    "fleet", shards=POINTER, **dict.fromkeys(("count", "renew", "burst", "told"), COUNT), shard=np.uint32,
    values=np.float64, level=DOUBLE, tick=COUNT, pages=COUNT, order=np.uint32,
)  # fmt: skip

_library = library(
    {"dragoman_scout_begin": (None, [POINTER, POINTER, COUNT]), "dragoman_scout_walk": (SMALL, [POINTER, COUNT])}
)


class ShardsOfServers(NamedTuple):
    """The shard of each server, and how the shards keep in step.

    A level for all is made every `renew` ticks (0: there is none) of the best `values_each` values of each; a shard
    fetches up to `burst` pages in a tick, those that reach it.
    """

    shard: NDArray[np.uint32]
    shards: int = 1
    renew: int = 1
    burst: int = 1
    values_each: int = 1


class ScoutWalk(GraphWalk):
    """A scout's crawl, or that of as many as there are shards."""

    def __init__(
        self,
        web: GraphArrays,
        reasons: Sequence[str],
        *,
        weights: Sequence[float],
        squares: float,
        score_means: tuple[float, float],
        score: NDArray[np.float32] | None = None,
        quotas: NDArray[np.int64],
        shards: ShardsOfServers | None = None,
        **settings: float,
    ) -> None:
        n = len(web.relevant)
        servers, directories = (int(numbers.max()) + 1 if n else 0 for numbers in (web.server, web.directory))
        shards = shards or ShardsOfServers(np.zeros(servers, np.uint32))
        owner = np.zeros(directories, np.int32)
        owner[web.directory] = web.server
        ordered = np.argsort(owner, kind="stable").astype(np.int32)
        first = np.searchsorted(owner[ordered], np.arange(servers + 1)).astype(np.int64)
        of_directory = np.zeros(directories, _DIRECTORY)
        of_directory["language"] = -1
        of_url = shards.shard[web.server]
        urls = np.argsort(of_url, kind="stable").astype(np.uint32)
        begins = np.searchsorted(of_url[urls], np.arange(shards.shards + 1))
        number = np.empty(n, np.uint32)
        number[urls] = np.arange(n) - begins[of_url[urls]]
        same: dict[str, Any] = {
            "indptr": web.indptr, "targets": web.targets, "directory": web.directory, "server": web.server,
            "relevant": web.relevant, "fetched": web.fetched, "language": web.language,
            "score": np.zeros(n, np.float32) if score is None else score, "first_directory": first,
            "directories": ordered, "quotas": quotas, "of_server": np.zeros(servers, _SERVER),
            "of_directory": of_directory, "held": np.zeros(n, np.uint8), "inlinks": np.zeros(4 * n, np.uint8),
            "cell": np.full(n, 255, np.uint8), "slot": np.zeros(CELLS * directories, np.uint32), "number": number,
            "next_ranking": 16, "language_found": np.zeros(len(quotas), np.int64),
        }  # fmt: skip
        self._states = []
        for begin, end in itertools.pairwise(begins.tolist()):
            state = _ScoutState(vertices=end - begin, urls=urls[begin:end], waiting=new_queue(self), **same, **settings)
            state.weights[:] = state.ranking[:] = list(weights)
            state.squares[:] = [squares] * WEIGHTS
            state.score_sum[:] = [10.0 * mean for mean in score_means]
            state.score_count[:] = [10.0, 10.0]
            self._states.append(state)
        #: The same side by side, which is what moves; the arrays live in the states.
        self._shards = (_ScoutState * shards.shards)(*self._states)
        fleet = _FleetState(
            shards=ctypes.addressof(self._shards), count=shards.shards, renew=shards.renew, burst=shards.burst,
            told=shards.values_each, shard=shards.shard, level=-np.inf,
            values=np.empty(shards.shards * shards.values_each),
            order=np.zeros(int(np.count_nonzero(web.fetched)), np.uint32),
        )  # fmt: skip
        functions = _library.dragoman_scout_begin, _library.dragoman_scout_walk
        super().__init__(fleet, functions, web.seeds, reasons)

    @property
    def queue(self) -> int:
        """How many URLs wait."""
        return sum(int(shard.queue) for shard in self._shards)

    @property
    def servers(self) -> int:
        """From how many servers something was downloaded."""
        return sum(int(shard.servers) for shard in self._shards)

    @property
    def reasons(self) -> dict[str, int]:
        """How many links were decided for each reason."""
        counts = np.sum([list(shard.reasons) for shard in self._shards], axis=0)
        return {name: int(count) for name, count in zip(self._names, counts, strict=True) if count}
