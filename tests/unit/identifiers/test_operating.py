from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from operating_curves import _in_steps, curves, effective_number, measure, risk_coverage, set_weights, threshold_at_risk

from dragoman.errors import UnknownLanguage, UsageError
from dragoman.identifiers.operating import OperatingPoint, default_threshold, operating_point
from dragoman.identifiers.url.algorithms.cctld import CountryCode
from dragoman.identifiers.url.identify import identify, identify_column


def made(rows: int, seed: int, width: int = 2) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Probabilities that are true: each language is right as often as they say."""
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.full(width, 0.4), rows).astype(np.float32)
    drawn = (rng.random(rows)[:, None] > np.cumsum(matrix, axis=1)).sum(axis=1)
    return matrix, np.minimum(drawn, width - 1)


def two_steps(high: int, low: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """German with .9 (of which nine in ten are German) and with .4 (of which four in ten are)."""
    p = np.repeat(np.array([0.9, 0.4], np.float32), [high, low])
    german = np.concatenate([np.arange(high) % 10 < 9, np.arange(low) % 10 < 4])
    return np.stack([p, 1 - p], axis=1), np.where(german, 0, 1)


def model_with(**notes: Any) -> CountryCode:
    model = CountryCode.ready()
    model.notes_ = {"operating": notes}
    return model


def model_of(matrix: NDArray[np.float32], truth: NDArray[np.int64]) -> CountryCode:
    return model_with(languages=curves(matrix, truth, ("de", "fr")))


def test_a_curve_is_just_below_the_precision_and_recall_that_were_measured() -> None:
    curve = curves(*two_steps(50_000, 50_000), ("de", "fr"))["de"]
    assert curve["n"] == 65_000
    assert curve["threshold"] == [0.4, 0.9]
    assert curve["recall"] == [pytest.approx(1.0, abs=0.005), pytest.approx(45 / 65, abs=0.005)]
    assert curve["recall"][1] < 45 / 65
    assert curve["precision"] == [pytest.approx(0.65, abs=0.005), pytest.approx(0.9, abs=0.005)]
    assert curve["precision"][0] < 0.65
    assert curve["precision"][1] < 0.9


def test_raising_the_threshold_never_lowers_precision_or_raises_recall() -> None:
    for seed in range(5):
        for curve in curves(*made(400, seed, 4), ("de", "fr", "it", "es")).values():
            assert curve["threshold"] == sorted(set(curve["threshold"]))
            assert curve["precision"] == sorted(curve["precision"])
            assert curve["recall"] == sorted(curve["recall"], reverse=True)
            assert len(curve["threshold"]) <= 64


def test_few_urls_promise_less_than_many() -> None:
    few, many = (curves(*two_steps(n, n), ("de", "fr"))["de"]["precision"][-1] for n in (30, 3000))
    assert few < many < 0.9


def test_urls_of_one_site_promise_less_than_urls_of_many() -> None:
    matrix, truth = two_steps(200, 200)
    alone = curves(matrix, truth, ("de", "fr"), sites=np.arange(400))
    together = curves(matrix, truth, ("de", "fr"), sites=np.arange(400) % 20)
    assert alone == curves(matrix, truth, ("de", "fr"))
    assert together["de"]["precision"][-1] < alone["de"]["precision"][-1]


def test_every_set_counts_the_same() -> None:
    p = np.full(1100, 0.8, np.float32)
    truth = np.concatenate([np.zeros(1000, np.int64), np.ones(100, np.int64)])  # all of one set, nothing of the other
    sets = np.repeat(["large", "small"], [1000, 100])
    curve = curves(np.stack([p, 1 - p], axis=1), truth, ("de", "fr"), sets)["de"]
    assert curve["precision"][-1] == pytest.approx(0.5, abs=0.04)
    assert set_weights(sets, 1100)[[0, -1]].tolist() == [pytest.approx(0.55), pytest.approx(5.5)]
    assert set_weights(None, 2).tolist() == [1, 1]


def test_rows_without_evidence_and_of_other_languages_count_against_it() -> None:
    matrix, truth = two_steps(1000, 0)
    silent = np.full((1000, 2), np.nan, np.float32)
    curve = curves(np.vstack([matrix, silent]), np.concatenate([truth, np.zeros(1000, np.int64)]), ("de", "fr"))["de"]
    assert max(curve["recall"]) == pytest.approx(900 / 1900, abs=0.02)
    foreign = curves(np.vstack([matrix, matrix]), np.concatenate([truth, np.full(1000, -1)]), ("de", "fr"))["de"]
    assert foreign["precision"][-1] == pytest.approx(0.45, abs=0.02)


def test_a_language_with_too_few_urls_has_its_number_only() -> None:
    assert curves(*two_steps(20, 0), ("de", "fr"))["de"] == {"n": 18}


def test_a_promised_precision_holds_on_other_urls_five_times_in_six() -> None:
    others, truth_of_others = made(20_000, 1000)
    held = []
    for seed in range(60):
        model = model_of(*made(200, seed))
        for asked in (0.8, 0.9):
            yes = others[:, 0] >= operating_point(model, "de", precision=asked).threshold
            held.append(bool((truth_of_others == 0)[yes].mean() >= asked))
    assert np.mean(held) >= 5 / 6


def test_a_recall_is_near_what_was_asked_on_the_other_half() -> None:
    matrix, truth = made(8000, 1)
    model = model_of(matrix[:4000], truth[:4000])
    for asked in (0.5, 0.8, 0.9, 0.95):
        point = operating_point(model, "de", recall=asked)
        german = truth[4000:] == 0
        assert (matrix[4000:, 0] >= point.threshold)[german].mean() == pytest.approx(asked, abs=0.05)
        assert point.recall >= asked


CURVE = {"n": 59, "threshold": [0.1, 0.5, 0.9], "precision": [0.5, 0.8, 0.914], "recall": [1.0, 0.7, 0.4]}


def test_a_point_has_the_best_of_the_other_measure() -> None:
    model = model_with(languages={"de": CURVE})
    assert operating_point(model, "de", precision=0.8) == OperatingPoint("de", 0.5, 0.8, 0.7, 59)
    assert operating_point(model, "German", precision=0.81) == OperatingPoint("de", 0.9, 0.914, 0.4, 59)
    assert operating_point(model, "de", recall=0.7) == OperatingPoint("de", 0.5, 0.8, 0.7, 59)
    assert operating_point(model, "de", recall=0.3).threshold == 0.9
    assert operating_point(model, "de", recall=1).threshold == 0.1


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            {"precision": 0.95},
            r"highest precision shown for 'de' is \.914, at recall \.4 \(59 URLs\): ask for that or less",
        ),
        ({}, "the precision or the recall"),
        ({"precision": 0.9, "recall": 0.9}, "one of the two"),
        ({"precision": 95}, "at most 1, such as 0.9, not 95"),
        ({"recall": 0}, "more than 0"),
        ({"precision": float("nan")}, "not nan"),
    ],
)
def test_what_cannot_be_had_is_told_in_one_line(asked: dict[str, float], told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        operating_point(model_with(languages={"de": CURVE}), "de", **asked)
    assert "\n" not in str(caught.value)


def test_a_model_without_curves_says_so() -> None:
    with pytest.raises(UsageError, match="no measured curves"):
        operating_point(CountryCode.ready(), "de", precision=0.9)
    model = model_with(languages={"de": CURVE, "fr": {"n": 7}})
    with pytest.raises(UsageError, match="'fr': 7 to judge it by, 20 are needed"):
        operating_point(model, "fr", precision=0.9)
    with pytest.raises(UsageError, match="'it': 0 to judge it by"):
        operating_point(model, "it", recall=0.9)
    with pytest.raises(UsageError, match="does not have the language 'ja'"):
        operating_point(model, "ja", recall=0.9)
    with pytest.raises(UnknownLanguage):
        operating_point(model, "Germish", recall=0.9)


def test_the_default_threshold_is_the_smallest_with_the_risk() -> None:
    p, right = np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, True])
    assert threshold_at_risk(p, right, risk=0.25) == (0.6, 1.0, 0.25)
    assert threshold_at_risk(p, right, risk=0.1) == (0.9, 0.25, 0.0)
    assert threshold_at_risk(p, ~right, risk=0.1) is None
    assert threshold_at_risk(p, right, np.array([1.0, 7.0, 1.0, 1.0]), risk=0.25) == (0.9, 0.1, 0.0)
    matrix, truth = two_steps(100, 100)
    by_set = measure(matrix, truth, ("de", "fr"), np.repeat(["good", "bad"], 100), risk=0.3)["answering"]["sets"]
    assert by_set == {"bad": {"coverage": 1.0, "risk": 0.4}, "good": {"coverage": 1.0, "risk": 0.1}}
    assert default_threshold(CountryCode.ready()) is None
    assert default_threshold(model_with(answering=None)) is None
    assert default_threshold(model_with(answering={"threshold": 0.6, "coverage": 0.9, "risk": 0.05})) == 0.6


def test_the_fewer_urls_are_answered_the_fewer_are_wrong() -> None:
    matrix, truth = made(20_000, 3, 3)
    points = risk_coverage(matrix.max(axis=1), matrix.argmax(axis=1) == truth)
    assert 40 <= len(points) <= 50
    thresholds, coverage, risk = (list(column) for column in zip(*points, strict=True))
    assert thresholds == sorted(thresholds, reverse=True)
    assert coverage == sorted(coverage)
    assert coverage[-1] == 1.0
    assert risk[5] < risk[25] < risk[-1]
    assert risk_coverage(np.array([np.nan, 0.5]), np.array([False, True])) == [(0.5, 0.5, 0.0)]
    assert risk_coverage(np.array([]), np.array([], bool)) == []


def test_everything_that_is_measured_fits_into_a_small_header() -> None:
    matrix, truth = made(6000, 5, 100)
    tags = [f"l{number}" for number in range(100)]
    sets = np.repeat(["crawl", "directory", "news"], 2000)
    found = measure(matrix, truth, tags, sets, sites=np.arange(6000) // 3, risk=0.9)
    assert len(json.dumps(found)) < 300_000
    assert json.loads(json.dumps(found)) == found
    assert list(found["answering"]["sets"]) == ["crawl", "directory", "news"]
    assert found["answering"]["risk"] <= found["answering"]["asked"] == 0.9
    assert set(found["languages"]) == set(tags)
    nothing = measure(np.empty((0, 2), np.float32), np.empty(0, np.int64), ("de", "fr"))
    assert nothing["answering"] is None
    assert nothing["languages"] == {"de": {"n": 0}, "fr": {"n": 0}}


def test_equal_rows_count_in_full_and_a_group_counts_once() -> None:
    assert effective_number(np.ones(3)).tolist() == [1, 2, 3]
    assert effective_number(np.ones(4), np.array([1, 2, 1, 2])).tolist() == [1, 2, pytest.approx(9 / 5), 2]
    assert effective_number(np.empty(0), np.empty(0)).tolist() == []


def test_identify_asks_for_one_language_at_a_precision() -> None:
    model = model_with(languages={"de": CURVE | {"threshold": [0.01, 0.2, 0.3]}})
    urls = ["http://a.de/", "http://a.fr/", "x"]
    found = identify(urls, model, language="German", precision=0.8)
    assert [one.language for one in found] == ["de", None, None]
    assert found[1].probability is not None
    assert found[2].probability is None
    assert identify("http://a.fr/", model, language="de", recall=1.0).language == "de"
    column = identify_column(urls, model, language="de", precision=0.8)[0]
    assert column.to_pylist() == ["de", None, None]
    with pytest.raises(UsageError, match="for one language"):
        identify(urls, model, precision=0.8)


def test_thresholds_mean_the_same_for_single_and_double_precision() -> None:
    p = np.float32(0.7)
    assert _in_steps(np.array([p, 1.0, np.nan], np.float32)).tolist() == [0.7, 0.999999, -1]
    assert _in_steps(np.array([0.7])).tolist() == [0.7]
    assert np.array([p]) >= 0.7
