from __future__ import annotations

import numpy as np
import pytest

from dragoman.identifiers.calibration import best_temperature, probabilities
from dragoman.types import Scores


def scores(matrix: object) -> Scores:
    values = np.asarray(matrix, np.float32)
    return Scores(tuple(f"l{n}" for n in range(values.shape[1])), values)


def test_probabilities_are_a_softmax() -> None:
    found = probabilities(scores([[0.0, np.log(3)], [5.0, 5.0]]), 1.0)
    assert found.tolist() == [pytest.approx([0.25, 0.75]), pytest.approx([0.5, 0.5])]
    assert found.dtype == np.float32


def test_a_higher_temperature_is_less_sure() -> None:
    rows = scores([[0.0, 2.0, -1.0]])
    sure = [float(probabilities(rows, temperature).max()) for temperature in (0.1, 1.0, 10.0, 1000.0)]
    assert sure == sorted(sure, reverse=True)
    assert sure[-1] == pytest.approx(1 / 3, abs=1e-2)


def test_large_scores_do_not_overflow() -> None:
    found = probabilities(scores([[1e30, -1e30], [3e38, 3e38]]), 1e-3)
    assert found.tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_rows_without_a_score_have_no_probabilities_and_move_nobody() -> None:
    found = probabilities(scores([[1.0, 2.0], [np.nan, np.nan], [1.0, 2.0]]), 1.0)
    assert np.isnan(found[1]).all()
    assert np.array_equal(found[0], found[2])
    assert found[0].sum() == pytest.approx(1.0)


def test_no_rows_have_no_probabilities() -> None:
    assert probabilities(scores(np.empty((0, 3))), 1.0).shape == (0, 3)
    assert probabilities(Scores((), np.empty((2, 0), np.float32)), 1.0).shape == (2, 0)


def test_fewer_languages_keep_their_ratios() -> None:
    every = scores([[1.0, 2.0, 3.0]])
    whole, part = probabilities(every, 2.0)[0], probabilities(every.restricted(["l0", "l2"]), 2.0)[0]
    assert part.sum() == pytest.approx(1.0)
    assert part[1] / part[0] == pytest.approx(whole[2] / whole[0], rel=1e-5)


@pytest.mark.parametrize("temperature", [0.05, 0.5, 1.0, 4.0, 50.0])
def test_the_temperature_that_made_the_labels_is_found_again(temperature: float) -> None:
    rng = np.random.default_rng(2)
    rows = scores(rng.normal(0, 3 * temperature, (20_000, 3)))
    chances = probabilities(rows, temperature).astype(np.float64)
    truth = (rng.random(20_000)[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(max=2)
    assert best_temperature(rows, truth) == pytest.approx(temperature, rel=0.05)


def test_unlabelled_and_unscored_rows_do_not_count() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.normal(0, 2, (500, 2)).astype(np.float32)
    truth = (rng.random(500) < 1 / (1 + np.exp(matrix[:, 0] - matrix[:, 1]))).astype(np.int64)
    more = np.concatenate([matrix, [[np.nan, np.nan], [100.0, -100.0]]])
    assert best_temperature(scores(more), np.concatenate([truth, [0, -1]])) == best_temperature(scores(matrix), truth)


def test_nothing_to_learn_from_leaves_scores_as_they_are() -> None:
    assert best_temperature(scores([[1.0, 2.0]]), np.array([-1], np.int64)) == 1.0
