from __future__ import annotations

import math

import numpy as np
import pytest
from thresholds import best_threshold, risk_at, risk_coverage, threshold_at_recall

from dragoman import measures


def test_risk_is_that_of_the_most_certain_rows() -> None:
    probability = np.array([0.5, 0.9, 0.7, 0.8])
    right = np.array([False, True, False, True])
    coverage, risk = risk_coverage(probability, right)
    assert coverage.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert risk.tolist() == pytest.approx([0.0, 0.0, 1 / 3, 0.5])


def test_rows_of_equal_certainty_are_covered_together() -> None:
    probability = np.array([0.9, 0.5, 0.5, 0.5])
    for right in ([True, True, False, False], [True, False, False, True]):
        coverage, risk = risk_coverage(probability, np.array(right))
        assert coverage.tolist() == [0.25, 1.0]
        assert risk.tolist() == [0.0, 0.5]


def test_the_risk_at_a_coverage_never_covers_more_than_that() -> None:
    probability = np.linspace(0.99, 0.01, 100)
    right = np.arange(100) < 80
    assert risk_at(1.0, probability, right) == pytest.approx(0.2)
    assert risk_at(0.9, probability, right) == pytest.approx(10 / 90)
    assert risk_at(0.905, probability, right) == pytest.approx(10 / 90)
    assert math.isnan(risk_at(0.9, np.full(3, 0.5), np.ones(3, np.bool_)))
    assert math.isnan(risk_at(0.9, np.empty(0), np.empty(0, np.bool_)))


def test_the_threshold_at_a_recall_is_the_highest_that_reaches_it() -> None:
    value = np.array([0.9, 0.6, 0.3, 0.8, 0.1])
    truth = np.array([True, True, True, False, False])
    assert threshold_at_recall(value, truth, 1 / 3) == 0.9
    assert threshold_at_recall(value, truth, 0.34) == 0.6
    assert threshold_at_recall(value, truth, 1.0) == 0.3
    assert math.isnan(threshold_at_recall(value, np.zeros(5, np.bool_), 0.5))


def test_the_recall_of_an_answer_gives_back_its_own_threshold() -> None:
    rng = np.random.default_rng(3)
    value, truth = rng.random(500), rng.random(500) < 0.3
    recall = measures.judge(truth, value >= 0.6).recall
    found = value >= threshold_at_recall(value, truth, recall)
    assert measures.judge(truth, found).recall == recall


def test_the_best_threshold_has_the_highest_mean_f_of_all_candidates() -> None:
    rng = np.random.default_rng(4)
    truths = [rng.random(n) < 0.4 for n in (200, 90)]
    values = [np.clip(0.5 * truth + 0.6 * rng.random(len(truth)), 0, 1) for truth in truths]
    candidates = np.linspace(0, 1.1, 45)
    f = [
        np.mean([measures.judge(truth, value >= t).f for value, truth in zip(values, truths, strict=True)])
        for t in candidates
    ]
    threshold, reached = best_threshold(values, truths, candidates)
    assert reached == pytest.approx(max(f))
    assert f[candidates.tolist().index(threshold)] == pytest.approx(max(f))


def test_among_equal_thresholds_the_middle_one_is_taken() -> None:
    value, truth = np.array([0.9, 0.1]), np.array([True, False])
    candidates = np.array([0.05, 0.2, 0.4, 0.6, 0.8, 0.95])
    assert best_threshold([value], [truth], candidates) == (0.4, 1.0)


def test_sets_without_the_language_do_not_choose_its_threshold() -> None:
    value, truth = np.array([0.9, 0.1]), np.array([True, False])
    nothing = np.zeros(2, np.bool_)
    candidates = np.array([0.05, 0.5, 0.95])
    assert best_threshold([value, value], [truth, nothing], candidates) == (0.5, 1.0)
    assert all(map(math.isnan, best_threshold([value], [nothing], candidates)))
