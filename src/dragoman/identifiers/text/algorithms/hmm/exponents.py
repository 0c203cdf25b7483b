"""Stream exponents learnt on held-out training text (section 3.4 of the paper leaves the choice open).

Direct maximum likelihood gives everything to one stream, so the criterion is discriminative, as the paper suggests
(minimum classification error and its kin): every fifth piece of the training text, of 60 symbols, is held out; models
are trained on the rest with equal exponents, and the exponents on the simplex (steps of an eighth) are chosen for
which the right model is ahead of the best wrong one by the least mean logistic loss.

`tuned` needs no learning: the symbol and the nearest difference count twice as much as the others. It was chosen on the
tuning half of the test sentences of `dragoman papers hmm-2004`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.algorithms.hmm.model import Model, Shape, spread
from dragoman.kernels import hmm as kernel

Symbols = NDArray[np.int32]

#: Symbols in a piece of held-out text, the length of a short sentence.
PIECE = 60
#: The grid: exponents are multiples of 1 / STEPS that sum to 1.
STEPS = 8


def grid(streams: int) -> list[tuple[float, ...]]:
    """Every choice of exponents, equal ones first so that they win a tie.

    >>> grid(1), len(grid(4))
    ([(1.0,)], 165)
    """
    choices = [choice for choice in product(range(STEPS + 1), repeat=streams) if sum(choice) == STEPS]
    equal = tuple(1 / streams for _ in range(streams))
    return list(dict.fromkeys([equal, *(tuple(part / STEPS for part in choice) for choice in choices)]))


def tuned(streams: Sequence[str], total: float = 1.0) -> tuple[float, ...]:
    """Exponents that sum to `total`: s and d0 get twice what d1 and d2 get.

    >>> tuned(("s", "d0", "d1"), 2.5)
    (1.0, 1.0, 0.5)
    """
    parts = [2 if name in ("s", "d0") else 1 for name in streams]
    return tuple(total * part / sum(parts) for part in parts)


def learnt(
    texts: Sequence[Symbols],
    models: Callable[[Sequence[Symbols], Sequence[float]], list[Model]],
    cells: Callable[[Symbols], NDArray[np.int32]],
    shape: Shape,
    total: float = 1.0,
) -> tuple[float, ...]:
    """The best exponents for the texts of each language, which sum to `total`."""
    streams = len(shape.starts) - 1
    equal = tuple(total / streams for _ in range(streams))
    trained_on, held = [], []
    for sequence in texts:
        pieces = [sequence[start : start + PIECE] for start in range(0, len(sequence), PIECE)]
        inside = [piece for number, piece in enumerate(pieces) if number % 5 != 4]
        trained_on.append(np.concatenate(inside) if inside else sequence)
        held.append([piece for number, piece in enumerate(pieces) if number % 5 == 4 and len(piece) == PIECE])
    if streams == 1 or not any(held):
        return equal
    trained = models(trained_on, equal)
    observed = [cells(piece) for group in held for piece in group]
    truth = np.repeat(np.arange(len(texts)), [len(group) for group in held])
    joined = np.concatenate(observed)
    offsets = np.arange(len(observed) + 1, dtype=np.int64) * PIECE
    plain = np.ascontiguousarray(
        np.stack([model.emissions for model in trained], axis=1).reshape(shape.cells, len(trained) * shape.states)
    )
    moves = np.ascontiguousarray(np.stack([model.transitions for model in trained]))
    losses = []
    choices = [tuple(total * part for part in shares) for shares in grid(streams)]
    for choice in choices:
        table = plain * spread(shape, choice)[:, None]
        scores = kernel.scores(joined, offsets, table, moves)
        losses.append(loss(scores, truth))
    return choices[int(np.argmin(losses))]


def loss(scores: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """The mean of log(1 + exp(-lead)), the lead of the right model over the best wrong one."""
    rows = np.arange(len(truth))
    right = scores[rows, truth]
    others = scores.copy()
    others[rows, truth] = -np.inf
    lead = right - others.max(axis=1)
    lead = lead[np.isfinite(lead)]
    return float(np.mean(np.logaddexp(0.0, -lead))) if len(lead) else float("inf")
