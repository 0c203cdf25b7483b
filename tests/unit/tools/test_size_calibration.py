from __future__ import annotations

import numpy as np
import pytest
from size_calibration import best_sharpness_and_slope

from dragoman.types import Scores


def scores(matrix: object) -> Scores:
    values = np.asarray(matrix, np.float32)
    return Scores(tuple(f"l{n}" for n in range(values.shape[1])), values)


def test_sharpness_and_slope_that_made_the_labels_are_found_again() -> None:
    rng = np.random.default_rng(5)
    features = rng.integers(4, 100, 30_000).astype(np.int32)
    rows = scores(rng.normal(0, 3, (30_000, 3)))
    factor = 1.2 - 1.5 / np.sqrt(features)
    chances = np.exp(rows.matrix * factor[:, None])
    chances /= chances.sum(axis=1, keepdims=True)
    truth = (rng.random(30_000)[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(max=2)
    sets = np.where(features < 30, "short", "long")
    sharpness, slope = best_sharpness_and_slope(rows, features, truth, sets)
    found = sharpness + slope / np.sqrt(np.array([9, 25, 64]))
    assert found == pytest.approx(1.2 - 1.5 / np.sqrt(np.array([9, 25, 64])), rel=0.15)


def test_without_rows_sharpness_and_slope_change_nothing() -> None:
    nothing = np.empty(0, np.int64)
    assert best_sharpness_and_slope(scores(np.empty((0, 3))), nothing.astype(np.int32), nothing, nothing) == (1.0, 0.0)


def test_a_row_of_one_feature_is_never_read_upside_down() -> None:
    rng = np.random.default_rng(3)
    features = rng.integers(50, 100, 2000).astype(np.int32)
    rows = scores(rng.normal(0, 5, (2000, 3)))
    truth = rng.integers(0, 3, 2000)  # scores that say nothing: the flattest factor fits best
    sharpness, slope = best_sharpness_and_slope(rows, features, truth, np.zeros(2000))
    assert sharpness + slope > 0
