from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.text.algorithms.close_pairs import close_pair, word_keys
from dragoman.identifiers.text.algorithms.text import Text

DATA = labelled_texts(("de", "en", "es", "it", "ru"))
WORDS = [("kilo", 3.0), ("kilos", -9.0), ("para", 1.0), ("über", 2.0)]
TEXTS = [
    *DATA.urls,
    "kilo",
    "Kilos kilos!",
    "kilo kilos",
    "über para",
    "x" * 21 + " kilo",
    "кило kilo кило " * 9,
    "",
    "1",
]


def given(model: Text, *pairs: tuple[str, str]) -> Text:
    """The same model with words that tell pairs apart."""
    found = Text()
    found.languages_ = model.languages_
    made = (close_pair(model.languages_, pair, WORDS, keep=0.5, scale=8.0, bits=6) for pair in pairs)
    found.table_ = replace(model.table_, pairs=tuple(made))
    return found


@pytest.fixture(scope="module")
def model() -> Text:
    return Text().fit(DATA.urls, DATA.labels)


def test_words_are_known_by_their_hashes() -> None:
    pair = close_pair(["es", "it"], ("es", "it"), WORDS, keep=1, scale=1)
    said = [pair.weight(key) for key in word_keys("Kilo, kilos: ÜBER kil".encode())]
    assert said == [60, -120, 40, 0]


def test_the_first_word_at_a_place_stays() -> None:
    words = [(f"{one}{two}", 1.0) for one in "abcdefgh" for two in "abcdefgh"]
    pair = close_pair(["es", "it"], ("es", "it"), words, keep=1, scale=1, bits=3)
    assert np.count_nonzero(pair.weights) == 8
    assert [pair.weight(key) for key in word_keys(b"aa")] == [20]


@pytest.mark.parametrize("pairs", [[("es", "it")], [("it", "es"), ("de", "es")]])
def test_compiled_and_plain_scores_are_equal(model: Text, pairs: list[tuple[str, str]]) -> None:
    told = given(model, *pairs)
    plain = np.array([told.plain_scores(text.encode()) for text in TEXTS], np.float32)
    assert np.array_equal(told.scores(TEXTS).matrix, plain, equal_nan=True)
    assert not np.array_equal(model.scores(TEXTS).matrix, plain, equal_nan=True)
    assert told.best(ByteColumn.from_rows(TEXTS))[0].tolist() == told.scores(TEXTS).best.tolist()


def test_words_decide_between_the_pair_and_change_nothing_else(model: Text) -> None:
    told = given(model, ("es", "it"))
    texts = [f"kilo {text}" for text in DATA.urls] + [f"kilos {text}" for text in DATA.urls]
    before, after = model.scores(texts).matrix, told.scores(texts).matrix
    es, it = model.languages_.index("es"), model.languages_.index("it")
    others = [column for column in range(5) if column not in (es, it)]
    assert np.array_equal(before[:, others], after[:, others])
    assert np.array_equal(before[:, [es, it]].max(axis=1), after[:, [es, it]].max(axis=1))
    moved = (after[:, es] - after[:, it]) - 0.5 * (before[:, es] - before[:, it])
    half = len(DATA.urls)
    assert (moved[:half] > moved[half:]).all()


def test_what_words_changed_is_explained(model: Text) -> None:
    told = given(model, ("es", "it"), ("es", "de"))
    for text in ("kilos para kilo", "das ist", "kilo"):
        sums = dict.fromkeys(told.languages_, 0.0)
        for one in told.explain(text.encode()):
            sums[one.language] += one.weight
        assert [sums[tag] for tag in told.languages_] == pytest.approx(told.plain_scores(text.encode()), abs=1e-4)
    assert any(one.feature == "(es or it)" for one in told.explain(b"kilo"))


def test_a_file_keeps_the_words(model: Text, tmp_path: Path) -> None:
    told = given(model, ("es", "it"), ("de", "es"))
    store.save(told, tmp_path / "a.dragoman")
    again = store.load(tmp_path / "a.dragoman")
    assert np.array_equal(again.scores(TEXTS).matrix, told.scores(TEXTS).matrix, equal_nan=True)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda header, arrays: header["pairs"][0].update(first=9),
        lambda header, arrays: header["pairs"][0].update(second=header["pairs"][0]["first"]),
        lambda header, arrays: header["pairs"][0].pop("keep"),
        lambda header, arrays: header.update(pairs=[1]),
        lambda header, arrays: arrays.pop("pair-0-prints"),
        lambda header, arrays: arrays.update({"pair-0-weights": arrays["pair-0-weights"][:-1]}),
        lambda header, arrays: arrays.update({"pair-0-prints": arrays["pair-0-prints"].astype(float)}),
    ],
)
def test_words_that_do_not_fit_are_refused(model: Text, spoil: Callable[[Any, Any], Any]) -> None:
    header, arrays = given(model, ("es", "it")).state()
    spoil(header, arrays)
    again = Text()
    again.languages_ = model.languages_
    with pytest.raises(BadModel):
        again.restore(header, arrays)


@pytest.mark.parametrize("pair", [("es", "es"), ("es", "da")])
def test_a_pair_is_two_languages_of_the_model(pair: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        close_pair(["es", "it"], pair, [], keep=1, scale=1)
