"""The best path through hidden Markov models, one step after the other: the definition of the compiled loops.

    v(1, j) = e(1, j) for the first state, else -infinity
    v(t, j) = max over i of (v(t - 1, i) + a(i, j)) + e(t, j)          the lowest i where some are equal
    result  = max over i of (v(T, i) + a(i, exit))

a are logarithms of transitions (`moves`), e(t, j) the sum of the streams' logarithms at time t in state j, in the order
of the streams. The entry and the exit emit nothing; the entry leads to the first state alone (section 3.1 of the
paper: a_12 = 1). A left-right model without skips has no path for a text of fewer symbols than states.
Cost: symbols x models x states squared.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Cells = NDArray[np.int32]

Rows = list[list[float]]


def emitted(cells: list[int], table: Rows) -> list[float]:
    """e(t, .): the rows of an observation's cells, added up in order."""
    total = table[cells[0]]
    for cell in cells[1:]:
        total = [before + more for before, more in zip(total, table[cell], strict=True)]
    return total


def best_from(value: list[float], moves: Rows, to: int) -> tuple[float, int]:
    """(value, state) of the best way to `to`."""
    best, state = value[0] + moves[0][to], 0
    for i in range(1, len(value)):
        sum_ = value[i] + moves[i][to]
        if sum_ > best:
            best, state = sum_, i
    return best, state


def plain_scores(cells: Cells, table: Doubles, moves: Doubles) -> list[float]:
    """The log probability of the best path of one text through every model."""
    models, states, _ = moves.shape
    observed = cells.tolist()
    scores = []
    for model in range(models):
        own_rows: Rows = table[:, model * states : (model + 1) * states].tolist()
        own: Rows = moves[model].tolist()
        value: list[float] = []
        for observation in observed:
            emission = emitted(observation, own_rows)
            if not value:
                value = [emission[0], *([-math.inf] * (states - 1))]
            else:
                value = [best_from(value, own, j)[0] + emission[j] for j in range(states)]
        scores.append(best_from(value, own, states)[0] if value else -math.inf)
    return scores


def plain_align(cells: Cells, table: Doubles, moves: Doubles) -> tuple[float, list[int]]:
    """(log probability, states) of the best path of one sequence through one model."""
    rows, own = table.tolist(), moves[0].tolist()
    states = len(own)
    value: list[float] = []
    back: list[list[int]] = []
    for observation in cells.tolist():
        emission = emitted(observation, rows)
        if not value:
            value = [emission[0], *([-math.inf] * (states - 1))]
            back.append([0] * states)
            continue
        steps = [best_from(value, own, j) for j in range(states)]
        value = [best + emission[j] for j, (best, _) in enumerate(steps)]
        back.append([state for _, state in steps])
    if not value:
        return -math.inf, []
    best, state = best_from(value, own, states)
    path = [state]
    for step in back[:0:-1]:
        path.append(step[path[-1]])
    return best, path[::-1]


def plain_network(cells: Cells, table: Doubles, moves: Doubles, change: float) -> list[int]:
    """The model of each symbol on the best path through the network of all models.

    Who leaves a model enters any, another one at the price `change`; going on inside a model wins a tie, then
    entering it again, then the first of the others. The path ends in any state.
    """
    models, states, _ = moves.shape
    rows, own = table.tolist(), moves.tolist()
    value: list[float] = []
    back: list[list[int]] = []
    for observation in cells.tolist():
        emission = emitted(observation, rows)
        if not value:
            value = [emission[j] if j % states == 0 else -math.inf for j in range(models * states)]
            back.append([0] * (models * states))
            continue
        parts = [value[m * states : (m + 1) * states] for m in range(models)]
        leaving = [best_from(parts[m], own[m], states) for m in range(models)]
        other = max(range(models), key=lambda m: (leaving[m][0], -m))
        new, came = [], []
        for m in range(models):
            for j in range(states):
                best, state = best_from(parts[m], own[m], j)
                state += m * states
                if j == 0:
                    if leaving[m][0] > best:
                        best, state = leaving[m][0], m * states + leaving[m][1]
                    if leaving[other][0] + change > best:
                        best, state = leaving[other][0] + change, other * states + leaving[other][1]
                new.append(best + emission[m * states + j])
                came.append(state)
        value = new
        back.append(came)
    if not value:
        return []
    path = [max(range(len(value)), key=lambda j: (value[j], -j))]
    for step in back[:0:-1]:
        path.append(step[path[-1]])
    return [state // states for state in path[::-1]]
