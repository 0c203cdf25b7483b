from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.text.algorithms.text import Text
from dragoman.identifiers.text.grams import named
from dragoman.kernels import choose

DATA = labelled_texts(("de", "en", "es", "fr", "it", "ru"))


@pytest.fixture(scope="module")
def model() -> Text:
    return Text().fit(DATA.urls, DATA.labels)


def test_weights_follow_the_formula(model: Text) -> None:
    """The definition at the top of the module, for one letter."""
    sizes, counts = {}, {}
    key = dict(named(b"e"))["e"]
    for tag in model.languages_:
        keys = [
            one
            for text, label in zip(DATA.urls, DATA.labels, strict=True)
            if label == tag
            for _, one in named(text.encode())
        ]
        sizes[tag], counts[tag] = len(keys), sum(one >> 44 == key >> 44 for one in keys)
    expected = np.mean([counts[tag] / sizes[tag] for tag in model.languages_])
    row = model.table_.row(key >> 44)
    assert row is not None
    wanted = [np.log((counts[tag] + 1000 * expected) / (sizes[tag] + 1000) / expected) for tag in model.languages_]
    found = row * model.table_.step
    assert np.allclose(found - found[0], np.array(wanted) - wanted[0], atol=2.1 * model.table_.step)


def test_best_agrees_with_the_scores(model: Text) -> None:
    texts = ByteColumn.from_rows([*DATA.urls, "", "12 34"])
    best, certain = model.best(texts)
    assert best.tolist() == model.scores(texts).best.tolist()
    assert np.allclose(certain[:-2], model.probabilities(texts).max(axis=1)[:-2], atol=1e-5)
    assert best[-2:].tolist() == [-1, -1]
    assert np.isnan(certain[-2:]).all()


def test_some_languages_can_be_chosen_from(model: Text) -> None:
    texts = ByteColumn.from_rows(DATA.urls)
    best, certain = model.best(texts, ("ru", "de"))
    scores = model.scores(texts).restricted(("ru", "de"))
    assert best.tolist() == scores.matrix.argmax(axis=1).tolist()
    assert (certain >= 0.5).all()


def test_plain_loops_give_the_same_answers(model: Text) -> None:
    texts = ByteColumn.from_rows(DATA.urls)
    expected = model.scores(texts).matrix
    try:
        choose(plain=True)
        assert np.array_equal(model.scores(texts).matrix, expected)
    finally:
        choose(plain=False)


@pytest.mark.parametrize("times", [0, 1, 3, 40])
def test_latin_words_in_a_text_of_another_script_count_as_defined(model: Text, times: int) -> None:
    text = "сегодня утром я поехал в город на велосипеде, " + "the station and the garden " * times
    assert np.array_equal(model.scores([text]).matrix[0], np.array(model.plain_scores(text.encode()), np.float32))
    told = [one.weight for one in model.explain(text.encode()) if one.language == "ru"]
    assert np.isclose(sum(told), model.plain_scores(text.encode())[model.languages_.index("ru")], atol=1e-3)
    assert model.predict([text]) == ["en" if times == 40 else "ru"]


def test_texts_that_count_twice_count_as_two() -> None:
    twice = Text().fit([*DATA.urls, *DATA.urls[:40]], [*DATA.labels, *DATA.labels[:40]])
    weights = np.array([2.0] * 40 + [1.0] * (len(DATA.urls) - 40))
    weighted = Text().fit(DATA.urls, DATA.labels, weights)
    assert np.array_equal(twice.scores(DATA.urls).matrix, weighted.scores(DATA.urls).matrix)


def test_fewer_features_can_be_kept() -> None:
    small = Text(kept=200).fit(DATA.urls, DATA.labels)
    assert np.count_nonzero(small.table_.index) <= 200
    right = [found == label for found, label in zip(small.predict(DATA.urls), DATA.labels, strict=True)]
    assert np.mean(right) > 0.8


@pytest.mark.parametrize("params", [{"kept": 0}, {"kept": 1 << 21}, {"smoothing": 0.0}])
def test_parameters_that_make_no_sense_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="'text'"):
        Text(**params).fit(DATA.urls, DATA.labels)


def test_more_languages_than_a_byte_can_name_are_refused() -> None:
    labels = [f"x{number}" for number in range(256)]
    with pytest.raises(UsageError, match="255"):
        Text().fit(labels, labels)
