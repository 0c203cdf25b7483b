from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman import measures
from dragoman.measures import Interval

Answers = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]


def answers_of(sites: int = 40, per_site: int = 5, languages: int = 3, seed: int = 0, noise: float = 0.2) -> Answers:
    """(truth, sites, answers): all URLs of a site share their language, and a site is right or wrong as a whole."""
    rng = np.random.default_rng(seed)
    site = np.repeat(np.arange(sites), per_site)
    truth = (np.arange(sites) % languages)[site].astype(np.int64)
    wrong = rng.random((sites, languages)) < noise
    answers = measures.one_hot(truth, languages) ^ wrong[site]
    return truth, site.astype(np.int64), answers


def test_figures_of_one_classifier() -> None:
    truth = np.array([True, True, True, True, False, False, False, False, False, False])
    answer = np.array([True, True, True, False, True, False, False, False, False, False])
    found = measures.judge(truth, answer)
    assert (found.positives, found.negatives) == (4, 6)
    assert found.recall == 0.75
    assert found.negative_success == pytest.approx(5 / 6)
    assert found.ordinary_precision == 0.75
    assert found.precision == pytest.approx(0.75 / (0.75 + 1 / 6))


def test_what_cannot_be_divided_is_nan() -> None:
    nothing = np.zeros(0, np.bool_)
    found = measures.judge(nothing, nothing)
    assert math.isnan(found.recall)
    assert math.isnan(found.negative_success)
    assert math.isnan(found.ordinary_precision)
    assert math.isnan(measures.judge(np.array([False]), np.array([True])).recall)


def test_answering_nothing_has_f_zero() -> None:
    found = measures.judge(np.array([True, False]), np.array([False, False]))
    assert found.f == 0.0
    assert math.isnan(found.precision)
    assert measures.f_measure(0.0, 0.5) == 0.0


def test_perfect_answers_have_f_one() -> None:
    truth, _, _ = answers_of()
    answers = measures.one_hot(truth, 3)
    assert [one.f for one in measures.judge_all(truth, answers)] == [1.0, 1.0, 1.0]
    assert measures.macro_f(truth, answers) == 1.0


def test_macro_f_leaves_out_languages_without_a_url() -> None:
    truth = np.array([0, 1, -1], np.int64)
    answers = np.array([[True, False, False], [False, False, False], [False, False, True]])
    assert measures.macro_f(truth, answers) == 0.5
    assert math.isnan(measures.macro_f(np.array([-1], np.int64), np.array([[True, True]])))


def test_a_language_without_urls_has_an_empty_confusion_row() -> None:
    found = measures.confusion(np.array([0], np.int64), np.array([[True, False]]))
    assert found[0].tolist() == [1.0, 0.0]
    assert np.isnan(found[1]).all()


def test_one_hot_of_no_answer_is_no_for_all() -> None:
    assert measures.one_hot(np.array([1, -1], np.int64), 2).tolist() == [[False, True], [False, False]]


def test_calibration_error_is_the_gap_between_stated_and_true() -> None:
    probability = np.full(100, 0.8)
    right = np.arange(100) % 10 < 8
    assert measures.expected_calibration_error(probability, right, bins=1) == pytest.approx(0.0)
    assert measures.expected_calibration_error(probability, np.zeros(100, np.bool_)) == pytest.approx(0.8)
    assert math.isnan(measures.expected_calibration_error(np.empty(0), np.empty(0, np.bool_)))
    assert measures.expected_calibration_error(np.array([0.25]), np.array([True])) == 0.75


def test_a_site_interval_holds_the_value_which_is_macro_f() -> None:
    truth, sites, answers = answers_of()
    found = measures.site_bootstrap(truth, sites, answers)
    assert found.value == pytest.approx(measures.macro_f(truth, answers), abs=1e-12)
    assert found.low < found.value < found.high
    assert 0 <= found.low < found.high <= 1


def test_a_site_interval_is_the_same_every_time_and_moves_with_the_seed() -> None:
    truth, sites, answers = answers_of()
    assert measures.site_bootstrap(truth, sites, answers) == measures.site_bootstrap(truth, sites, answers)
    assert measures.site_bootstrap(truth, sites, answers) != measures.site_bootstrap(truth, sites, answers, seed=1)


def test_the_paired_difference_of_equal_answers_is_exactly_zero() -> None:
    truth, sites, answers = answers_of()
    assert measures.site_bootstrap(truth, sites, answers, other=answers.copy()) == Interval(0.0, 0.0, 0.0)


def test_a_paired_difference_is_the_difference_and_turns_with_its_sides() -> None:
    truth, sites, answers = answers_of()
    other = answers_of(noise=0.4, seed=5)[2]
    found = measures.site_bootstrap(truth, sites, answers, other)
    turned = measures.site_bootstrap(truth, sites, other, answers)
    assert found.value == pytest.approx(measures.macro_f(truth, answers) - measures.macro_f(truth, other))
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))
    assert found.low > 0


def test_more_rows_of_the_same_sites_do_not_narrow_the_interval() -> None:
    truth, sites, answers = answers_of()
    once = measures.site_bootstrap(truth, sites, answers)
    tenfold = measures.site_bootstrap(np.repeat(truth, 10), np.repeat(sites, 10), np.repeat(answers, 10, axis=0))
    assert (tenfold.value, tenfold.low, tenfold.high) == pytest.approx((once.value, once.low, once.high), abs=1e-12)
    as_if_independent = measures.site_bootstrap(truth, np.arange(len(truth)), answers)
    assert once.high - once.low > 1.5 * (as_if_independent.high - as_if_independent.low)


def test_more_sites_do_narrow_the_interval() -> None:
    few, many = (measures.site_bootstrap(*answers_of(sites=sites)) for sites in (30, 480))
    assert many.high - many.low < 0.5 * (few.high - few.low)


def test_names_of_sites_do_not_matter() -> None:
    truth, sites, answers = answers_of()
    assert measures.site_bootstrap(truth, sites * 7 + 3, answers) == measures.site_bootstrap(truth, sites, answers)


def test_an_empty_set_has_no_interval() -> None:
    nothing = measures.site_bootstrap(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 2), np.bool_))
    assert all(map(math.isnan, (nothing.value, nothing.low, nothing.high)))


def test_the_interval_of_a_share() -> None:
    found = measures.share_interval(8, 10)
    assert found.value == 0.8
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert measures.share_interval(0, 10).low == pytest.approx(0.0)
    assert measures.share_interval(10, 10).high == pytest.approx(1.0)
    assert math.isnan(measures.share_interval(0, 0).value)


def test_the_interval_of_any_figure() -> None:
    values = np.arange(100) / 100
    found = measures.bootstrap(lambda drawn: float(drawn.mean()), values)
    assert found.value == pytest.approx(0.495)
    assert found.low < 0.495 < found.high
    empty = measures.bootstrap(len, values[:0])
    assert np.isnan(empty.value)
    assert math.isnan(empty.low)


def test_reliability_puts_like_probabilities_together_and_loses_no_row() -> None:
    probability = np.array([0.9, 0.1, 0.2, 0.8, 0.85])
    right = np.array([True, False, False, True, False])
    found = measures.reliability(probability, right, bins=2)
    assert [part.rows for part in found] == [3, 2]
    assert found[0].stated == pytest.approx((0.1 + 0.2 + 0.8) / 3)
    assert found[0].right == pytest.approx(1 / 3)
    assert (found[1].stated, found[1].right) == pytest.approx((0.875, 0.5))
    assert measures.reliability(np.empty(0), np.empty(0, np.bool_)) == []


def test_calibration_error_is_the_weighted_gap_of_the_reliability_bins() -> None:
    rng = np.random.default_rng(0)
    probability = rng.random(101)
    right = rng.random(101) < probability
    parts = measures.reliability(probability, right, 7)
    expected = sum(part.rows * abs(part.stated - part.right) for part in parts) / 101
    assert measures.expected_calibration_error(probability, right, 7) == pytest.approx(expected)


def test_recall_and_accuracy_are_means_of_what_was_said() -> None:
    truth, said = np.array([0, 0, 1, -1]), measures.one_hot(np.array([0, 1, 1, 1]), 3)
    assert measures.macro_recall(truth, said) == 0.75
    assert measures.accuracy(truth, said) == 0.5
    nothing = np.array([], np.int64)
    assert np.isnan(measures.accuracy(nothing, measures.one_hot(nothing, 3)))
    assert np.isnan(measures.macro_recall(nothing, measures.one_hot(nothing, 3)))


def test_a_figure_that_is_not_defined_has_no_interval() -> None:
    found = measures.bootstrap(lambda drawn: float("nan") if len(drawn) == 9 else 1.0, np.arange(9))
    assert np.isnan([found.value, found.low, found.high]).all()
    assert measures.plain({"x": found}) == {"x": None, "x_interval": [None, None]}
