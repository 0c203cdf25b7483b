from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.algorithms import ALGORITHMS, make, make_spec
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.features import FEATURE_SETS


@pytest.mark.parametrize("maker", [make, make_spec])
@pytest.mark.parametrize(
    ("given", "nearest"), [("naive_bayes", "naive-bayes"), ("Nearest", "nearest"), ("cctl", "cctld")]
)
def test_an_unknown_algorithm_is_answered_with_the_known_ones_and_the_nearest(
    maker: Callable[[str], Classifier], given: str, nearest: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        maker(given)
    text = str(caught.value)
    assert "\n" not in text
    assert all(name in text for name in ALGORITHMS)
    assert text.endswith(f"Did you mean '{nearest}'?")


def test_an_unknown_feature_set_is_answered_in_the_same_way() -> None:
    attempts: list[Callable[[], Classifier]] = [
        lambda: make("naive-bayes", features="wordss"),
        lambda: make_spec("naive-bayes:wordss"),
    ]
    for attempt in attempts:
        with pytest.raises(UnknownName) as caught:
            attempt()
        assert all(name in str(caught.value) for name in FEATURE_SETS)
        assert str(caught.value).endswith("Did you mean 'words'?")


def test_an_unknown_parameter_is_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"'nearest' has no parameter 'smoothing'; it takes features, k, kept, seed"):
        make("nearest", smoothing=1)
    with pytest.raises(UsageError, match="has nothing to set"):
        make("cctld", features="words")


def test_parameters_that_are_none_keep_their_defaults() -> None:
    assert make("nearest", k=None, features=None).get_params() == make("nearest").get_params()
    assert make("nearest", k=3).get_params()["k"] == 3


def test_a_spec_names_algorithm_and_features() -> None:
    assert make_spec("naive-bayes:trigrams").get_params()["features"] == "trigrams"
    assert make_spec("naive-bayes").get_params()["features"] == "words"
    assert make_spec("nearest:words", seed=7, smoothing=1.0).get_params()["seed"] == 7


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_class_is_registered_under_its_own_name(name: str) -> None:
    assert ALGORITHMS[name].algorithm == name
    assert issubclass(ALGORITHMS[name], Classifier)


def test_names_are_listed_once() -> None:
    assert len(set(FEATURE_SETS)) == len(FEATURE_SETS)
    assert {"words", "trigrams", "raw-trigrams", "custom", "custom-selected"} <= set(FEATURE_SETS)
