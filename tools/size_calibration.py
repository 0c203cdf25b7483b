"""How far the scores of a shipped model can be trusted by how much there was to read: sharpness and slope."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.measures import expected_calibration_error
from dragoman.types import Scores


def best_sharpness_and_slope(
    scores: Scores, features: NDArray[np.int32], truth: NDArray[np.int64], sets: NDArray[Any]
) -> tuple[float, float]:
    """(sharpness, slope) with the least calibration error, where the scores of a row of n features are multiplied by
    sharpness + slope / sqrt(n) before the softmax; that is above zero for every n. The error is that of the worst of
    several sets and the mean of all together: the worst alone hangs on a few rows.

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
            if sharpness + slope <= 0:  # in a row of one feature the likeliest would become the unlikeliest
                continue
            stated = 1 / np.exp(gaps * factor[:, None]).sum(axis=1)
            errors = [expected_calibration_error(stated[of == one], right[of == one]) for one in np.unique(of)]
            tried[sharpness, slope] = max(errors) + sum(errors) / len(errors)
    return min(tried, key=lambda pair: tried[pair])
