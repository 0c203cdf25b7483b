"""Scores become probabilities: a softmax of score / temperature, the temperature chosen on labelled URLs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.types import Scores


def probabilities(scores: Scores, temperature: float) -> NDArray[np.float32]:
    """Each row's probabilities over the languages of the scores; they sum to 1. NaN rows stay NaN.

    Restricting the scores to fewer languages first renormalises properly: the ratios of the rest do not change.
    """
    return softmax(scores.matrix.astype(np.float64) / temperature)


def softmax(scaled: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float32]:
    """exp(score) over the sum of its row."""
    if not scaled.size:
        return scaled.astype(np.float32)
    raised = np.exp(scaled.astype(np.float64) - scaled.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def best_temperature(scores: Scores, truth: NDArray[np.int64], weights: NDArray[np.float64] | None = None) -> float:
    """The temperature with the least log loss on labelled rows: a golden-section search over its logarithm.

    The log loss is convex in 1 / temperature, so there is one minimum to find.
    """
    return _search(scores.matrix, truth, weights)[0]


def _search(
    matrix: NDArray[np.float32], truth: NDArray[np.int64], weights: NDArray[np.float64] | None
) -> tuple[float, float]:
    """(temperature, log loss) where the log loss is least."""
    rows = (truth >= 0) & ~np.isnan(matrix).any(axis=1)
    matrix, right = matrix[rows].astype(np.float64), truth[rows]
    if not len(right):
        return 1.0, 0.0
    counted = np.ones(len(right)) if weights is None else weights[rows]
    matrix = matrix - matrix.max(axis=1, keepdims=True)

    def loss(log_temperature: float) -> float:
        scaled = matrix / np.exp(log_temperature)
        losses = np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(right)), right]
        return float(np.average(losses, weights=counted))

    low, high, golden = np.log(1e-3), np.log(1e3), (np.sqrt(5) - 1) / 2
    while high - low > 1e-4:
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return float(np.exp((low + high) / 2)), loss((low + high) / 2)
