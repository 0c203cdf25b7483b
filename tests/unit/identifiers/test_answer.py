from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers import answer as module
from dragoman.identifiers.answer import answer, choice, predictions
from dragoman.identifiers.classifier import Classifier, Labels
from dragoman.identifiers.models import open_url_model
from dragoman.identifiers.operating import OperatingPoint
from dragoman.identifiers.text.identify import open_method
from dragoman.identifiers.url.algorithms.cctld import CountryCode
from dragoman.identifiers.url.algorithms.decision_tree import DecisionTree
from dragoman.languages import FIVE
from dragoman.types import Contribution


class Fixed(Classifier):
    """Scores that are written into the URL: `de=1,fr=0,it=-1`."""

    algorithm: ClassVar[str] = "fixed"
    languages_ = ("de", "fr", "it")

    def fit(self, inputs: Any, labels: Labels) -> Self:
        return self

    def plain_scores(self, row: bytes) -> list[float]:
        return [float(value) for value in row.split(b",")]


def batch(*rows: str) -> ByteColumn:
    return ByteColumn.from_rows(rows)


def test_a_question_for_one_language_costs_no_more_than_an_answer() -> None:
    """By the way that is gone: no model that ships makes the matrix of all probabilities for it."""

    def refused(*_: Any) -> Any:
        raise AssertionError("the whole matrix was made")

    for model, row in ((open_url_model(), "http://www.beispiel.de/garten"), (open_method(), "Der Hund im Garten")):
        patched = copy.copy(model)
        object.__setattr__(patched, "probabilities", refused)
        point = OperatingPoint("de", 0.5, 0.9, 0.9, 100)
        assert answer(patched, batch(row), point=point).tags() == ["de"]
        assert answer(patched, batch(row), languages="de").tags() == ["de"]


def test_the_likeliest_language_comes_with_its_probability() -> None:
    found = answer(Fixed(), batch("1,0,0", "0,0,2"))
    assert found.tags() == ["de", "it"]
    assert found.language.dtype == np.int64
    assert found.probability.dtype == np.float32
    expected = np.exp(1) / (np.exp(1) + 2)
    assert found.probability[0] == pytest.approx(expected)


def test_no_evidence_is_no_answer_and_no_probability() -> None:
    found = answer(Fixed(), batch("1,0,0", "nan,nan,nan", "0.5,0.5,0.5", "0,1,0"), matrix=True)
    assert found.tags() == ["de", None, None, "fr"]
    assert np.isnan(found.probability).tolist() == [False, True, True, False]
    assert found.top(1, 3) == {}


def test_below_the_threshold_the_probability_is_kept() -> None:
    found = answer(Fixed(), batch("1,0,0", "9,0,0"), threshold=0.9)
    assert found.tags() == [None, "de"]
    assert 0.5 < found.probability[0] < 0.6


def test_a_restricted_choice_has_the_probabilities_among_those_left() -> None:
    found = answer(Fixed(), batch("5,1,0"), languages=["French", "it"], matrix=True)
    assert found.languages == ("fr", "it")
    assert found.tags() == ["fr"]
    assert found.probability[0] == pytest.approx(1 / (1 + np.exp(-1)))
    assert list(found.top(0, 2)) == ["fr", "it"]


def test_one_language_alone_is_a_question() -> None:
    found = answer(Fixed(), batch("5,1,0", "0,3,0", "nan,nan,nan"), languages=["fr"])
    assert found.tags() == [None, "fr", None]
    assert found.probability[0] == pytest.approx(np.exp(1) / (np.exp(5) + np.exp(1) + 1), rel=1e-5)
    assert np.isnan(found.probability[2])


def test_a_text_and_presets_stand_for_languages() -> None:
    model = CountryCode.ready()
    assert choice(model, "German, fr,") == ("de", "fr")
    assert choice(model, "five") == choice(model, ["five"]) == FIVE
    assert choice(model, "default") == model.languages_
    assert choice(Fixed(), "default") == ("de", "fr", "it")
    everything = answer(Fixed(), batch("1,0,0"), languages="default")
    assert everything.languages == Fixed.languages_
    assert everything.probability[0] == answer(Fixed(), batch("1,0,0")).probability[0]
    with pytest.raises(UsageError, match=r"'five' \(en\)"):
        choice(Fixed(), "five")


def test_languages_that_are_all_but_impossible_still_have_a_likeliest() -> None:
    found = answer(Fixed(), batch("500,1,0", "500,0,0"), languages=["fr", "it"])
    assert found.tags() == ["fr", None]
    assert found.probability[0] == pytest.approx(1 / (1 + np.exp(-1)))


def measured(threshold: float) -> Fixed:
    model = Fixed()
    model.notes_ = {"operating": {"answering": {"threshold": threshold, "coverage": 0.9, "risk": 0.05}}}
    return model


def test_without_a_threshold_the_one_measured_for_the_model_counts() -> None:
    urls = batch("1,0,0", "9,0,0")
    assert answer(measured(0.9), urls).tags() == [None, "de"]
    assert answer(measured(0.9), urls, matrix=True).tags() == [None, "de"]
    assert answer(measured(0.9), urls, languages=["de"]).tags() == [None, "de"]
    assert answer(measured(0.9), urls, threshold=0).tags() == ["de", "de"]
    assert answer(Fixed(), urls).tags() == ["de", "de"]
    kept = answer(measured(0.9), urls).probability
    np.testing.assert_array_equal(kept, answer(Fixed(), urls).probability)


def test_an_operating_point_says_yes_even_where_another_language_is_likelier() -> None:
    point = OperatingPoint("fr", 0.3, precision=0.9, recall=0.8, n=50)
    urls = batch("1,0.9,0", "9,0,0", "nan,nan,nan", "0,0,0")
    found = answer(measured(0.99), urls, point=point, matrix=True)
    assert found.languages == ("fr",)
    assert found.tags() == ["fr", None, None, None]
    assert np.isnan(found.probability).tolist() == [False, False, True, True]
    assert found.top(0, 1).keys() == {"fr"}
    assert [one.language for one in predictions(Fixed(), urls, point=point)] == ["fr", None, None, None]


def test_an_operating_point_comes_alone() -> None:
    point = OperatingPoint("fr", 0.3, precision=0.9, recall=0.8, n=50)
    for more in ({"languages": ["fr"]}, {"threshold": 0.5}):
        with pytest.raises(UsageError, match="its own language and threshold"):
            answer(Fixed(), batch("1,0,0"), point=point, **more)
    with pytest.raises(UsageError, match="does not have the language 'ja'"):
        answer(Fixed(), batch("1,0,0"), point=OperatingPoint("ja", 0.3, 0.9, 0.8, 50))


def test_a_language_that_the_model_lacks_is_answered_with_those_it_has() -> None:
    with pytest.raises(UsageError, match=r"'Japanese' \(ja\)\. It has: de, fr, it"):
        answer(Fixed(), batch("1,0,0"), languages=["Japanese"])
    with pytest.raises(UsageError, match="at least one"):
        answer(Fixed(), batch("1,0,0"), languages=[])


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(threshold: float) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        answer(Fixed(), batch("1,0,0"), threshold=threshold)


def test_pieces_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    urls = batch(*(f"http://site{n}.{('de', 'fr', 'com', 'it')[n % 4]}/" for n in range(20)))
    model = CountryCode.ready()
    one, two = answer(model, urls, matrix=True), answer(model, urls, threads=2, matrix=True)
    monkeypatch.setattr(module, "ROWS", 1000)
    whole = answer(model, urls, matrix=True)
    for found in (one, two):
        assert found.tags() == whole.tags() == ["de", "fr", None, "it"] * 5
        np.testing.assert_array_equal(found.probability, whole.probability)
        np.testing.assert_array_equal(found.matrix, whole.matrix)


def test_no_urls_are_no_answers() -> None:
    assert len(answer(CountryCode.ready(), ByteColumn.from_rows([]), matrix=True)) == 0
    assert predictions(CountryCode.ready(), ByteColumn.from_rows([])) == []


def test_predictions_tell_scores_and_reasons_on_request() -> None:
    urls = batch("http://a.de/", "mailto:b@c.de")
    plain = predictions(CountryCode.ready(), urls)
    assert plain[0].language == "de"
    assert plain[0].scores == {}
    assert plain[0].contributions == ()
    found, nothing = predictions(CountryCode.ready(), urls, top=2, explain=True)
    assert next(iter(found.scores)) == "de"
    assert len(found.scores) == 2
    assert found.contributions[0].feature == "tld:de"
    assert nothing.language is None
    assert nothing.probability is None
    assert nothing.scores == {}
    assert nothing.contributions == ()


class Explained(Fixed):
    def explain(self, row: bytes) -> list[Contribution]:
        return [Contribution(name, tag, weight) for name, tag, weight in REASONS]


REASONS = (("a", "it", 9.0), ("b", "de", -3.0), ("c", "fr", 2.0), ("d", "de", 1.0))


@pytest.mark.parametrize(
    ("top", "languages"), [(0, ["de", "de", "it", "fr"]), (1, ["de", "de"]), (2, ["de", "de", "it"])]
)
def test_reasons_are_those_of_the_likeliest_languages_as_many_as_asked_for(top: int, languages: list[str]) -> None:
    (found,) = predictions(Explained(), batch("3,1,2"), top=top, explain=True)
    assert [one.language for one in found.contributions] == languages
    assert len(found.scores) == top


def test_a_model_that_cannot_explain_says_so() -> None:
    with pytest.raises(UsageError, match="cannot explain"):
        DecisionTree().explain(b"http://a.de/")


def test_arrow_columns_are_null_where_there_is_no_answer() -> None:
    language, probability = answer(CountryCode.ready(), batch("http://a.de/", "x", "")).arrow()
    assert language.to_pylist() == ["de", None, None]
    assert probability.null_count == 2
