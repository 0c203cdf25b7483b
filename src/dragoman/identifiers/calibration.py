"""Scores become probabilities: a softmax of score / temperature, the temperature chosen on labelled URLs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.measures import expected_calibration_error
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


def best_sharpness_and_slope(
    scores: Scores, features: NDArray[np.int32], truth: NDArray[np.int64], sets: NDArray[Any]
) -> tuple[float, float]:
    """(sharpness, slope) with the least calibration error in the worst of several sets, where the scores of a row of n
    features are multiplied by sharpness + slope / sqrt(n) before the softmax.

    The log loss of all sets together would be content with one that is overconfident beside one that is not confident
    enough. The slope is never above zero: a URL with less to read must not seem more certain, even where that fits the
    sets. A search over a grid, for the error is no smooth function. Rows of languages that are not there (-1) count:
    their answers are wrong.
    """
    known = ~np.isnan(scores.matrix).any(axis=1)
    if not known.any():
        return 1.0, 0.0
    matrix = scores.matrix[known].astype(np.float64)
    gaps = matrix - matrix.max(axis=1, keepdims=True)
    right, of, roots = scores.best[known] == truth[known], sets[known], np.sqrt(np.maximum(features[known], 1))
    tried = {}
    for sharpness in np.arange(0.3, 1.8, 0.05).round(2).tolist():
        for slope in np.arange(-4.0, 0.25, 0.25).tolist():
            factor = sharpness + slope / roots
            if factor.min() <= 0:  # the likeliest would become the unlikeliest
                continue
            stated = 1 / np.exp(gaps * factor[:, None]).sum(axis=1)
            errors = [expected_calibration_error(stated[of == one], right[of == one]) for one in np.unique(of)]
            tried[sharpness, slope] = (max(errors), sum(errors))
    return min(tried, key=lambda pair: tried[pair])


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
