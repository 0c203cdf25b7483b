"""Viterbi decoding, compiled (hmm.c). What it computes is defined in identifiers.text.algorithms.hmm.viterbi."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, Offsets, at, library

Cells = NDArray[np.int32]
Doubles = NDArray[np.float64]

#: States of all models together that the loops have room for.
WIDTH_LIMIT = 4096

_library = library(
    {
        "dragoman_hmm_scores": (
            SMALL,
            [POINTER, POINTER, COUNT, SMALL, POINTER, POINTER, SMALL, SMALL, POINTER],
        ),
        "dragoman_hmm_align": (DOUBLE, [POINTER, COUNT, SMALL, POINTER, POINTER, SMALL, POINTER]),
        "dragoman_hmm_network": (
            SMALL,
            [POINTER, COUNT, SMALL, POINTER, POINTER, SMALL, SMALL, DOUBLE, SMALL, POINTER, POINTER],
        ),
        "dragoman_hmm_trace": (COUNT, [POINTER, COUNT, SMALL, POINTER, SMALL, POINTER]),
    }
)


def _checked(cells: Cells, table: Doubles, moves: Doubles) -> tuple[int, int]:
    """(models, states), once no index leads outside the tables."""
    models, states, to = moves.shape
    if to != states + 1 or table.ndim != 2 or table.shape[1] != models * states or cells.ndim != 2:
        raise ValueError(f"tables that do not fit: {cells.shape}, {table.shape}, {moves.shape}")
    if models * states > WIDTH_LIMIT or states > 255:
        raise ValueError(f"{models} models of {states} states are more than {WIDTH_LIMIT} states")
    if cells.size and (cells.min() < 0 or cells.max() >= len(table)):
        raise ValueError("an observation outside the table")
    return models, states


def scores(cells: Cells, offsets: Offsets, table: Doubles, moves: Doubles) -> Doubles:
    """The log probability of the best path of every row through every model."""
    models, states = _checked(cells, table, moves)
    rows = len(offsets) - 1
    if rows < 0 or offsets[0] < 0 or offsets[-1] > len(cells) or np.any(np.diff(offsets) < 0):
        raise ValueError("offsets must rise from 0 to at most the number of observations")
    out = np.empty((rows, models), np.float64)
    _library.dragoman_hmm_scores(
        at(cells, np.int32), at(offsets, np.int64), rows, cells.shape[1],
        at(table, np.float64), at(moves, np.float64), models, states, at(out, np.float64),
    )  # fmt: skip
    return out


def align(cells: Cells, table: Doubles, moves: Doubles) -> tuple[float, NDArray[np.uint8]]:
    """(log probability, states): the best path of one sequence through one model."""
    models, states = _checked(cells, table, moves)
    if models != 1:
        raise ValueError("a sequence is aligned with one model")
    path = np.zeros(len(cells), np.uint8)
    probability = _library.dragoman_hmm_align(
        at(cells, np.int32), len(cells), cells.shape[1],
        at(table, np.float64), at(moves, np.float64), states, at(path, np.uint8),
    )  # fmt: skip
    if np.isnan(probability):
        raise MemoryError("no memory for the path of a sequence")
    return float(probability), path


def network(
    cells: Cells, table: Doubles, moves: Doubles, change: float, value: Doubles, first: bool
) -> NDArray[np.uint16]:
    """The state before each state at each observation; `value` (the best paths so far) goes on to the end."""
    models, states = _checked(cells, table, moves)
    if len(value) != models * states:
        raise ValueError("one value per state is needed")
    back = np.empty((len(cells), models * states), np.uint16)
    _library.dragoman_hmm_network(
        at(cells, np.int32), len(cells), cells.shape[1], at(table, np.float64), at(moves, np.float64),
        models, states, change, int(first), at(value, np.float64), at(back, np.uint16),
    )  # fmt: skip
    return back


def trace(back: NDArray[np.uint16], value: Doubles, last: int) -> tuple[int, NDArray[np.uint16]]:
    """(certain, path): the path that ends in state `last`, and how much of its start every other path shares."""
    length, width = back.shape
    path = np.empty(length, np.uint16)
    certain = _library.dragoman_hmm_trace(
        at(back, np.uint16), length, width, at(value, np.float64), last, at(path, np.uint16)
    )
    if certain < 0:
        raise ValueError("a path must end in one of the states")
    return int(certain), path
