from __future__ import annotations

import json

import numpy as np
import pytest

from dragoman import measures
from dragoman.evaluate.judging import answers, evaluate
from dragoman.types import Scores

MATRIX = np.array([[2, 1], [-1, -2], [-3, 1], [np.nan, np.nan], [0, 0]], np.float32)
SCORES = Scores(("de", "fr"), MATRIX)
TRUTH = np.array([0, 0, 1, 1, -1])


def test_binary_answers_are_independent_and_the_best_is_one_or_none() -> None:
    assert answers(SCORES, "binary").tolist() == [[True, True], [False, False], [False, True], [False] * 2, [False] * 2]
    assert answers(SCORES, "best").tolist() == [[True, False], [True, False], [False, True], [False] * 2, [False] * 2]


def test_figures_are_those_of_the_measures() -> None:
    found = evaluate(SCORES, TRUTH, np.arange(5), "binary", rounds=50)
    said = answers(SCORES, "binary")
    assert found.rows == 5
    assert found.judgements == measures.judge_all(TRUTH, said)
    assert found.macro_f.value == pytest.approx(measures.macro_f(TRUTH, said))
    assert found.macro_f.low <= found.macro_f.value <= found.macro_f.high
    assert found.accuracy == pytest.approx(3 / 4)  # of the four rows whose language is one of ours
    assert found.confusion.tolist() == [[0.5, 0.5], [0.0, 0.5]]


def test_rows_of_other_languages_are_negatives_for_all() -> None:
    found = evaluate(SCORES, TRUTH, np.arange(5), "best", rounds=10)
    assert [one.positives for one in found.judgements] == [2, 2]
    assert [one.negatives for one in found.judgements] == [3, 3]


def test_stated_probabilities_replace_those_of_one_temperature() -> None:
    stated = np.array([0.75, 0.75, 0.75, np.nan, 0.9])  # three of the four known rows are answered, all right
    found = evaluate(SCORES, TRUTH, np.arange(5), "best", rounds=10, stated=stated)
    assert found.calibration_error == pytest.approx(0.25)
    assert found.macro_f == evaluate(SCORES, TRUTH, np.arange(5), "best", rounds=10).macro_f


def test_strata_have_their_size_and_mean_f() -> None:
    mask = np.array([True, False, True, False, False])
    found = evaluate(SCORES, TRUTH, np.arange(5), "best", strata={"kind": {"a": mask}}, rounds=10)
    n, f = found.by_stratum["kind"]["a"]
    assert n == 2
    assert f == pytest.approx(1.0)


def test_json_has_no_numbers_that_json_lacks() -> None:
    empty = {"kind": {"none": np.zeros(5, np.bool_)}}
    found = evaluate(SCORES, TRUTH, np.arange(5), "best", strata=empty, rounds=10).to_json()
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["strata"]["kind"]["none"] == {"n": 0, "macro_f": None}
    assert set(found["languages"]) == {"de", "fr"}


def test_nothing_to_judge_gives_an_evaluation_of_nothing() -> None:
    found = evaluate(Scores(("de", "fr"), np.empty((0, 2), np.float32)), np.empty(0, int), np.empty(0, int))
    assert found.rows == 0
    assert json.dumps(found.to_json(), allow_nan=False)
