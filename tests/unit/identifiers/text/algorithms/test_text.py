from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.text.algorithms.text import Text
from dragoman.kernels import choose
from dragoman.kernels.strange_letters import StrangeLetters
from dragoman.kernels.word_list import WordList

DATA = labelled_texts(("de", "en", "es", "fr", "it", "ru"))
#: Serbian in both its scripts, two forms of Norwegian, and what is no language.
TWO_SCRIPTS = {
    "sr": ["ово је добро", "шта је то", "ovo je dobro", "šta je to"],
    "ru": ["это хорошо", "что это такое"],
    "nb": ["jeg vet ikke hva dette er", "hun kommer fra byen"],
    "nn": ["eg veit ikkje kva dette er", "ho kjem frå byen"],
    "zxx-code": ["sudo apt get install", "asdf qwer zxcv"],
}


@pytest.fixture(scope="module")
def model() -> Text:
    return Text().fit(DATA.urls, DATA.labels)


@pytest.fixture(scope="module")
def mixed() -> Text:
    texts = [text for lines in TWO_SCRIPTS.values() for text in lines]
    labels = [tag for tag, lines in TWO_SCRIPTS.items() for _ in lines]
    return Text().fit(texts, labels, merged={"nb": "no", "nn": "no"})


def test_best_agrees_with_the_scores(model: Text) -> None:
    texts = ByteColumn.from_rows([*DATA.urls, "", "12 34"])
    best, certain = model.best(texts)
    assert best.tolist() == model.scores(texts).best.tolist()
    assert np.allclose(certain[:-2], model.probabilities(texts).max(axis=1)[:-2], atol=1e-5)
    assert best[-2:].tolist() == [-1, -1]
    assert np.isnan(certain[-2:]).all()


def test_some_languages_can_be_chosen_from(model: Text) -> None:
    texts = ByteColumn.from_rows([text for text, tag in zip(DATA.urls, DATA.labels, strict=True) if tag != "ru"])
    best, certain = model.best(texts, ("fr", "de"))
    scores = model.scores(texts).restricted(("fr", "de"))
    assert best.tolist() == scores.matrix.argmax(axis=1).tolist()
    assert (certain >= 0.5).all()


def test_a_choice_of_languages_that_are_not_written_in_the_script_of_a_text_is_no_choice(model: Text) -> None:
    best, certain = model.best(ByteColumn.from_rows(["сегодня утром"]), ("fr", "de"))
    assert best.tolist() == [-1]
    assert np.isnan(certain).all()


def test_plain_loops_give_the_same_answers(model: Text) -> None:
    texts = ByteColumn.from_rows(DATA.urls)
    expected = model.scores(texts).matrix
    try:
        choose(plain=True)
        assert np.array_equal(model.scores(texts).matrix, expected)
    finally:
        choose(plain=False)


@pytest.mark.parametrize("times", [0, 1, 3, 40])
def test_words_of_another_script_than_the_text_is_written_in_say_nothing(model: Text, times: int) -> None:
    text = "сегодня утром я поехал в город на велосипеде, " + "the station and the garden " * times
    assert np.array_equal(model.scores([text]).matrix[0], np.array(model.plain_scores(text.encode()), np.float32))
    assert model.predict([text]) == ["en" if times == 40 else "ru"]


def test_a_language_has_a_class_for_each_of_its_scripts(mixed: Text) -> None:
    assert mixed.languages_ == ("no", "ru", "sr")
    assert {(one.tag, one.script) for one in mixed.classes_ if one.language == "sr"} == {("sr", "Cyrl"), ("sr", "Latn")}
    assert mixed.predict(["шта је то", "šta je to", "что это"]) == ["sr", "sr", "ru"]


def test_labels_that_count_for_one_language_are_told_apart_on_request(mixed: Text) -> None:
    texts = ["eg veit ikkje kva", "jeg vet ikke hva"]
    assert mixed.predict(texts) == ["no", "no"]
    written = mixed.written(ByteColumn.from_rows([*texts, "12"]))
    assert [one and one.tag for one in written] == ["nn", "nb", None]


def test_where_text_in_no_language_is_likelier_there_is_no_answer(mixed: Text) -> None:
    texts = ByteColumn.from_rows(["sudo apt install", "ho kjem frå byen", "क्या", "12"])
    best, certain = mixed.best(texts)
    assert best.tolist() == [-1, 0, -1, -1]
    assert certain[0] < 0.5 < certain[1]
    assert mixed.probabilities(texts)[0].sum() < 0.5
    reasons = [reason for reason, place in zip(mixed.outcomes(texts), best, strict=True) if place < 0]
    assert reasons == ["code", "no script of ours", "too little"]


def test_classes_go_through_a_file(mixed: Text) -> None:
    mixed.table_ = replace(mixed.table_, named=2.0, coded=3.0)
    again = store.from_bytes(store.to_bytes(mixed))
    assert isinstance(again, Text)
    assert again.classes_ == mixed.classes_
    assert (again.table_.named, again.table_.coded) == (2.0, 3.0)
    assert again.kinds == ("zxx-code",)


def test_listed_words_tell_close_languages_apart_and_are_heard_in_both_ways() -> None:
    danish, norwegian = ["hvad ved du om det"] * 4, ["hva vet du om det"] * 4
    texts, labels = [*danish, *norwegian], ["da"] * 4 + ["no"] * 4
    listed, without = (Text(kept=8, words=words).fit(texts, labels) for words in (100, 0))
    assert (len(listed.table_.words.keys), len(without.table_.words.keys)) == (7, 0)
    row = b"hvad ved"
    assert listed.table_.words.entries_of(0) is None
    scores = listed.scores([row]).matrix[0]
    assert scores.tolist() == listed.plain_scores(row)
    gaps = [one.scores([row]).matrix[0] @ [1, -1] for one in (listed, without)]
    assert gaps[0] > gaps[1]
    total = np.zeros(2)
    for one in listed.explain(row):
        total[listed.languages_.index(one.language)] += one.weight
    assert np.allclose(total, scores, atol=1e-4)


def test_a_file_whose_words_do_not_fit_is_refused(mixed: Text) -> None:
    words = mixed.table_.words
    with pytest.raises(ValueError, match="fit each other"):
        WordList(words.keys[::-1].copy(), words.sizes, words.classes)
    with pytest.raises(ValueError, match="fit each other"):
        WordList(words.keys, words.sizes, words.classes[1:])
    with pytest.raises(ValueError, match="fit each other"):
        replace(mixed.table_, words=WordList(words.keys, words.sizes, words.classes + np.uint16(1000)))


def test_a_language_that_lacks_a_letter_is_out_where_it_stands_again_and_again() -> None:
    serbian, macedonian = "ноћ ће доћи кући", "ноќ ќе дојде дома"
    texts, labels = [serbian] * 3000 + [macedonian] * 3000 + ["ово"], ["sr"] * 3000 + ["mk"] * 3000 + ["mn"]
    learnt = Text(kept=50, draws=2000, words=0).fit(texts, labels)
    letters = learnt.table_.letters
    columns = [one.tag for one in learnt.classes_]
    lacking = {
        chr(point): [columns[n] for n in np.flatnonzero(row)]
        for point, row in zip(letters.points, letters.lacking, strict=True)
    }
    assert lacking["ћ"] == ["mk"]
    assert lacking["ќ"] == ["sr"]
    assert "о" not in lacking
    for text in ("ћ ће дома", "ќе", "ћћ", "о ће " + "ноно " * 40):
        row = text.encode()
        scores = learnt.scores([row]).matrix[0]
        assert scores.tolist() == learnt.plain_scores(row)
        total = np.zeros(len(learnt.languages_))
        for part in learnt.explain(row):
            total[learnt.languages_.index(part.language)] += part.weight
        assert np.allclose(total, scores, atol=1e-3)
    again = store.from_bytes(store.to_bytes(learnt))
    assert isinstance(again, Text)
    assert np.array_equal(again.table_.letters.lacking, letters.lacking)
    with_letter, without = (learnt.scores([text]).matrix[0] for text in ("ноће", "ноте"))
    mk, sr = learnt.languages_.index("mk"), learnt.languages_.index("sr")
    assert with_letter[sr] - with_letter[mk] > without[sr] - without[mk] + 3


def test_letters_that_do_not_fit_the_classes_are_refused(mixed: Text) -> None:
    with pytest.raises(ValueError, match="fit each other"):
        StrangeLetters(np.array([1200, 1100], np.uint32), np.zeros((2, 3), np.uint8))
    with pytest.raises(ValueError, match="fit each other"):
        replace(mixed.table_, letters=StrangeLetters.none(1))


def test_texts_that_are_never_drawn_teach_nothing() -> None:
    wrong = [DATA.labels[(n + 7) % len(DATA.labels)] for n in range(len(DATA.labels))]
    weights = np.array([1.0] * len(DATA.urls) + [0.0] * len(DATA.urls))
    learnt = Text().fit([*DATA.urls, *DATA.urls], [*DATA.labels, *wrong], weights)
    right = [found == label for found, label in zip(learnt.predict(DATA.urls), DATA.labels, strict=True)]
    assert np.mean(right) > 0.95


def test_fewer_features_can_be_kept() -> None:
    small = Text(kept=200).fit(DATA.urls, DATA.labels)
    assert np.count_nonzero(small.table_.index) <= 200
    right = [found == label for found, label in zip(small.predict(DATA.urls), DATA.labels, strict=True)]
    assert np.mean(right) > 0.8


@pytest.mark.parametrize("params", [{"kept": 0}, {"kept": 1 << 21}, {"rate": 0.0}, {"draws": -1}, {"words": -1}])
def test_parameters_that_make_no_sense_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="'text'"):
        Text(**params).fit(DATA.urls, DATA.labels)


def test_more_classes_than_there_is_room_for_are_refused() -> None:
    labels = [f"x{number}" for number in range(1025)]
    with pytest.raises(UsageError, match="1024"):
        Text().fit(labels, labels)


def test_a_long_text_of_signs_is_code() -> None:
    texts = ["bonjour tout le monde", "guten Tag zusammen", "svg div href", "const int char"]
    learnt = Text().fit(texts, ["fr", "de", "zxx-code", "zxx-code"])
    learnt.table_ = replace(learnt.table_, coded=1.0)
    best, _ = learnt.best(ByteColumn.from_rows(["<bonjour>" * 60, "bonjour tout le monde " * 30]))
    assert best.tolist() == [-1, 1]
    row = b"<bonjour>" * 60
    assert learnt.scores([row]).matrix[0].tolist() == learnt.plain_scores(row)
