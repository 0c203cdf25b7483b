"""How far the scores of a model of parts can be trusted in each context, so that no set of URLs is judged wrongly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.parts.classifier import coarse_contexts
from dragoman.measures import expected_calibration_error

#: What a sharpness is multiplied by in search of a better one, and how often all are tried.
_STEPS, _ROUNDS = (0.8, 0.9, 0.95, 1.05, 1.1, 1.25), 4
#: The mean error of the sets counts so much beside that of the worst.
_MEAN = 0.5


def refined_sharpness(
    sharpness: NDArray[np.float32],
    matrix: NDArray[np.float32],
    contexts: NDArray[np.uint8],
    right: NDArray[np.bool_],
    sets: NDArray[np.str_],
) -> NDArray[np.float32]:
    """The sharpness of each context with the least calibration error in the worst of the sets, beginning with one that
    the log loss chose: that of all sets together would be content with one that is overconfident beside one that is not
    confident enough. So would that of a set be with home pages that promise too much beside articles that promise too
    little: a set's error is the mean of its own and that of its kinds of contexts, each by itself. Contexts change
    together by paths of 0, 1 or 2, and more words.

    `right` says whether the likeliest language of a row is its own.
    """
    known = ~np.isnan(matrix).any(axis=1)
    gaps = matrix[known] - matrix[known].max(axis=1, keepdims=True)
    of, right, sets = contexts[known], right[known], sets[known]
    groups, every = coarse_contexts(of), coarse_contexts(np.arange(len(sharpness), dtype=np.uint8))
    found = sharpness.copy()
    stated = _stated(gaps, found[of])

    parts = [
        (
            np.flatnonzero(sets == name),
            [np.flatnonzero((sets == name) & (groups == group)) for group in np.unique(groups)],
        )
        for name in np.unique(sets)
    ]

    def error_of(values: NDArray[Any], rows: NDArray[np.int64]) -> float:
        return len(rows) * expected_calibration_error(values[rows], right[rows]) if len(rows) else 0.0

    def error(values: NDArray[np.float32]) -> float:
        errors = [
            (error_of(values, rows) + sum(error_of(values, part) for part in by_context)) / (2 * len(rows))
            for rows, by_context in parts
        ]
        return max(errors) + _MEAN * float(np.mean(errors))

    least = error(stated)
    for _ in range(_ROUNDS):
        for group in np.unique(groups).tolist():
            rows = np.flatnonzero(groups == group)
            start = found[every == group].copy()
            for step in _STEPS:
                tried = stated.copy()
                tried[rows] = _stated(gaps[rows], np.float32(step) * start[0])
                if (value := error(tried)) < least - 1e-5:
                    least, found[every == group], best = value, start * np.float32(step), tried
                    stated_of_best = best
            if not np.array_equal(found[every == group], start):
                stated = stated_of_best
    return found


def _stated(gaps: NDArray[np.float32], factor: NDArray[np.float32] | np.float32) -> NDArray[np.float32]:
    scaled = gaps * (factor[:, None] if isinstance(factor, np.ndarray) else factor)
    return np.asarray(1 / np.exp(scaled).sum(axis=1), np.float32)
