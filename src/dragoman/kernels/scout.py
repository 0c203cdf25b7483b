"""Crawls of a stored graph with the scout strategy, compiled; the plain version is dragoman.crawl.strategies.scout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.frontier import new_queue
from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, library, structure
from dragoman.kernels.simulate import REASONS, GraphArrays, GraphWalk

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

_ScoutState = structure(
    "scout", vertices=COUNT, indptr=np.int64, targets=np.uint32, directory=np.int32, server=np.int32,
    relevant=np.bool_, fetched=np.bool_, language=np.int16, score=np.float32, first_directory=np.int64,
    directories=np.int32,
    **dict.fromkeys(("tolerance", "halve_every", "least", "readmit", "complete", "left_out"), COUNT),
    **dict.fromkeys(("share", "rate", "explore", "server_prior", "directory_prior"), DOUBLE), quotas=np.int64,
    of_server=_SERVER, of_directory=_DIRECTORY, held=np.uint8, inlinks=np.uint8, cell=np.uint8, slot=np.uint32,
    waiting=POINTER, next_ranking=COUNT, out_of_memory=COUNT,
    **dict.fromkeys(("weights", "ranking", "squares"), DOUBLE * WEIGHTS),
    **dict.fromkeys(("score_sum", "score_count"), DOUBLE * 2), language_found=np.int64, quotas_open=COUNT,
    order=np.uint32, **dict.fromkeys(("pages", "found", "queue", "servers"), COUNT), reasons=COUNT * REASONS,
)  # fmt: skip

_library = library(
    {"dragoman_scout_begin": (None, [POINTER, POINTER, COUNT]), "dragoman_scout_walk": (SMALL, [POINTER, COUNT])}
)


class ScoutWalk(GraphWalk):
    """A scout's crawl."""

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
        **settings: float,
    ) -> None:
        n = len(web.relevant)
        servers, directories = (int(numbers.max()) + 1 if n else 0 for numbers in (web.server, web.directory))
        owner = np.zeros(directories, np.int32)
        owner[web.directory] = web.server
        ordered = np.argsort(owner, kind="stable").astype(np.int32)
        first = np.searchsorted(owner[ordered], np.arange(servers + 1)).astype(np.int64)
        of_directory = np.zeros(directories, _DIRECTORY)
        of_directory["language"] = -1
        state = _ScoutState(
            vertices=n, indptr=web.indptr, targets=web.targets, directory=web.directory, server=web.server,
            relevant=web.relevant, fetched=web.fetched, language=web.language,
            score=np.zeros(n, np.float32) if score is None else score,
            first_directory=first, directories=ordered, quotas=quotas, of_server=np.zeros(servers, _SERVER),
            of_directory=of_directory, held=np.zeros(n, np.uint8), inlinks=np.zeros(4 * n, np.uint8),
            cell=np.full(n, 255, np.uint8), slot=np.zeros(CELLS * directories, np.uint32), waiting=new_queue(self),
            next_ranking=16, language_found=np.zeros(len(quotas), np.int64),
            order=np.zeros(int(np.count_nonzero(web.fetched)), np.uint32), **settings,
        )  # fmt: skip
        state.weights[:] = state.ranking[:] = list(weights)
        state.squares[:] = [squares] * WEIGHTS
        state.score_sum[:] = [10.0 * mean for mean in score_means]
        state.score_count[:] = [10.0, 10.0]
        functions = _library.dragoman_scout_begin, _library.dragoman_scout_walk
        super().__init__(state, functions, web.seeds, reasons)
