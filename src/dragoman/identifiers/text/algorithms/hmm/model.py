"""One discrete hidden Markov model of a language: its topology and its training (sections 3.1 and 3.3 of the paper).

    left-right   from a state to itself and to the next; only the last state leaves ("LR without skips")
    skips        also to the one after the next ("LR with skips")
    ergodic      from every state to every state; every state leaves
    letters      the same, but states begin as kinds of symbols (text.algorithms.hmm.kinds): not in the paper

Training: the observations of each sequence are dealt out evenly in time among the states, which gives the first
emissions (all symbols would be equally likely before that); transitions begin uniform over what the topology allows.
With `letters` the kinds of the symbols give the first alignment and the first transitions.
Then Viterbi alignment and counting take turns until the best path gains less than a millionth, or `rounds` are over.
Baum-Welch rounds may follow (`baum_welch`): they weigh every path instead of the best one.

Emissions are P(k) = (count(k) + floor) / (count of all + floor x cells): the floor is a share of one observation in
every cell, so nothing is impossible. The paper does not state one; 0.1 was chosen on the tuning half of the test
sentences. Transitions have no floor: what alignment never used has probability 0. Only with `letters` every transition
counts once more, so that a text may end in any state.

A model of `states` states has no path for fewer symbols than its topology needs (left-right: `states`); training on
less keeps the start values. Cost of a round: symbols x (states squared + states x streams).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName
from dragoman.kernels import hmm as kernel

Doubles = NDArray[np.float64]
Cells = NDArray[np.int32]

TOPOLOGIES = ("left-right", "skips", "ergodic", "letters")


@dataclass(frozen=True)
class Shape:
    """What models have in common: the number of emitting states, the topology, and the cells of each stream.

    `starts` holds where each stream's cells begin in the tables, and behind them the end.
    """

    states: int
    topology: str
    starts: tuple[int, ...]

    def allowed(self) -> NDArray[np.bool_]:
        """Which transitions there are: rows are states, columns the states and, last, the exit."""
        if self.topology not in TOPOLOGIES:
            raise UnknownName("topology", self.topology, TOPOLOGIES)
        if self.topology in ("ergodic", "letters"):
            return np.ones((self.states, self.states + 1), np.bool_)
        step = np.arange(self.states + 1)[None, :] - np.arange(self.states)[:, None]
        return (step >= 0) & (step <= (1 if self.topology == "left-right" else 2))

    @property
    def cells(self) -> int:
        """The rows of a table."""
        return self.starts[-1]


@dataclass(frozen=True, eq=False)
class Model:
    """Logarithms: emissions by cell and state, transitions by state (columns: the states, then the exit)."""

    emissions: Doubles
    transitions: Doubles

    def table(self, shape: Shape, exponents: Sequence[float]) -> Doubles:
        """The emissions, each stream's times its exponent."""
        return self.emissions * spread(shape, exponents)[:, None]


def spread(shape: Shape, exponents: Sequence[float]) -> Doubles:
    """The exponent of every cell."""
    return np.repeat(np.array(exponents, np.float64), np.diff(shape.starts))


def logarithms(shares: Doubles) -> Doubles:
    """Natural logarithms; of 0, minus infinity."""
    with np.errstate(divide="ignore"):
        return np.log(shares)


def train(
    sequences: Sequence[Cells],
    shape: Shape,
    exponents: Sequence[float],
    floor: float = 0.1,
    rounds: int = 20,
    baum_welch: int = 0,
    first: Sequence[NDArray[np.uint8]] | None = None,
) -> Model:
    """The model of some sequences of observations, each of one row of cells per symbol.

    `first` is the alignment to begin with, a state per symbol of each sequence; without it, evenly in time.
    """
    known = [cells for cells in sequences if len(cells)]
    if first is None:
        paths = [(np.arange(len(cells)) * shape.states // len(cells)).astype(np.uint8) for cells in known]
        allowed = shape.allowed()
        transitions = logarithms(allowed / allowed.sum(axis=1, keepdims=True))
    else:
        paths = [path for path in first if len(path)]
        transitions = _transitions(paths, shape)
    model = Model(_emissions(known, paths, shape, floor), transitions)
    before = -math.inf
    for _ in range(rounds):
        table, moves = np.ascontiguousarray(model.table(shape, exponents)), model.transitions[None]
        aligned = [kernel.align(cells, table, np.ascontiguousarray(moves)) for cells in known]
        total = sum(value for value, _ in aligned)
        if not aligned or total == -math.inf or total <= before + 1e-6 * abs(before):
            break
        before, paths = total, [path for _, path in aligned]
        model = Model(_emissions(known, paths, shape, floor), _transitions(paths, shape))
    for _ in range(baum_welch):
        model = reestimate(known, model, shape, exponents, floor)
    return model


def _emissions(sequences: Sequence[Cells], paths: Sequence[NDArray[np.uint8]], shape: Shape, floor: float) -> Doubles:
    """Logarithms of the shares that counting along the paths gives."""
    counts = np.zeros(shape.cells * shape.states)
    for cells, path in zip(sequences, paths, strict=True):
        places = cells.astype(np.int64) * shape.states + path[:, None]
        counts += np.bincount(places.ravel(), minlength=len(counts))
    return shares(counts.reshape(shape.cells, shape.states), shape, floor)


def shares(counts: Doubles, shape: Shape, floor: float) -> Doubles:
    """Logarithms of counts as shares of their stream and state, with the floor."""
    raised = counts + floor
    totals = np.add.reduceat(raised, np.array(shape.starts[:-1]), axis=0)
    return logarithms(raised / np.repeat(totals, np.diff(shape.starts), axis=0))


def _transitions(paths: Sequence[NDArray[np.uint8]], shape: Shape) -> Doubles:
    """Logarithms of the shares of each transition on the paths, leaving included."""
    width = shape.states + 1
    counts = np.full(shape.states * width, float(shape.topology == "letters"))
    for path in paths:
        steps = path[:-1].astype(np.int64) * width + path[1:]
        counts += np.bincount(steps, minlength=len(counts))
        counts[int(path[-1]) * width + shape.states] += 1
    return _rows(counts.reshape(shape.states, width), shape)


def _rows(counts: Doubles, shape: Shape) -> Doubles:
    """Logarithms of each row's shares; a state that no path used keeps the uniform start."""
    allowed = shape.allowed().astype(np.float64)
    used = counts.sum(axis=1, keepdims=True) > 0
    rows = np.where(used, counts, allowed)
    return logarithms(rows / rows.sum(axis=1, keepdims=True))


def reestimate(
    sequences: Sequence[Cells], model: Model, shape: Shape, exponents: Sequence[float], floor: float
) -> Model:
    """One round of Baum-Welch: expected counts by the forward-backward algorithm, scaled at every step.

    With stream exponents the observation scores are no probabilities, and the round no longer needs to raise the
    likelihood; it is what HTK does as well.
    """
    emissions = np.zeros((shape.cells, shape.states))
    steps = np.zeros((shape.states, shape.states + 1))
    table = model.table(shape, exponents)
    moves = np.exp(model.transitions)
    inside, leave = np.ascontiguousarray(moves[:, :-1]), moves[:, -1]
    for cells in sequences:
        logs = table[cells].sum(axis=1)
        b = np.exp(logs - logs.max(axis=1, keepdims=True))
        n = len(cells)
        alpha, beta = np.zeros((n, shape.states)), np.zeros((n, shape.states))
        alpha[0, 0] = 1.0
        for t in range(1, n):
            row = (alpha[t - 1] @ inside) * b[t]
            total = row.sum()
            if total == 0:
                return model
            alpha[t] = row / total
        beta[-1] = leave
        for t in range(n - 2, -1, -1):
            row = inside @ (b[t + 1] * beta[t + 1])
            beta[t] = row / max(row.sum(), 1e-300)
        gamma = alpha * beta
        weight = gamma.sum(axis=1, keepdims=True)
        if np.any(weight == 0):
            return model
        gamma /= weight
        for stream in range(cells.shape[1]):
            np.add.at(emissions, cells[:, stream], gamma)
        xi = alpha[:-1, :, None] * inside[None] * (b[1:] * beta[1:])[:, None, :]
        steps[:, :-1] += (xi / np.maximum(xi.sum(axis=(1, 2), keepdims=True), 1e-300)).sum(axis=0)
        steps[:, -1] += gamma[-1]
    return Model(shares(emissions, shape, floor), _rows(steps, shape))
