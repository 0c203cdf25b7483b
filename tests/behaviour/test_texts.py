"""What a person would expect of the language of a text.

The lists were written by people who had not seen the model, but for texts_of_strangers.tsv and everyday_phrases.tsv,
which are ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.columns import ByteColumn
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.text.written import written_forms

HERE = Path(__file__).parent
#: Codes of the lists that stand for one of ours.
ALIKE = {"nb": "no", "nn": "no", "fil": "tl", "cmn": "zh", "arb": "ar"}


def rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def accepted(codes: str) -> set[str | None]:
    return {None if code == "-" else ALIKE.get(code, code) for code in codes.split(",")}


@pytest.mark.parametrize(("codes", "script", "text"), rows("texts_of_strangers.tsv"))
def test_what_strangers_try_first(codes: str, script: str, text: str) -> None:
    language = identify_text(text).language
    assert language in accepted(codes)
    if script != "-" and language:
        (form,) = written_forms(open_method(), ByteColumn.from_rows([text]), [language])
        assert form is not None
        assert form.endswith(f"_{script}")


def test_texts_that_say_nothing_hardly_ever_get_a_language() -> None:
    texts = [text for _, text in rows("texts_that_say_nothing.txt")]
    told = [(text, found.language) for text, found in zip(texts, identify_text(texts), strict=True) if found.language]
    assert len(told) <= 0.05 * len(texts), told


def test_what_gets_no_language_says_why() -> None:
    for text in ("", "12", "𓀀𓀁", "asdf qwer zxcv uiop", "privet kak dela segodnya vecherom pojdem gulyat"):
        found = identify_text(text)
        assert found.language is None
        assert found.outcome in ("too little", "no script of ours", "romanised", "code")
    assert identify_text("𓀀𓀁").outcome == "no script of ours"
    assert identify_text("Guten Tag, mein lieber Freund").outcome is None


def test_nearly_every_sentence_in_a_known_language_gets_one() -> None:
    known = set(open_method().languages_)
    listed = [(ALIKE.get(code, code), text) for code, text in rows("texts_in_known_languages.txt")]
    listed = [(tag, text) for tag, text in listed if tag in known]
    answers = [found.language for found in identify_text([text for _, text in listed])]
    silent = [text for (_, text), answer in zip(listed, answers, strict=True) if answer is None]
    wrong = [
        (tag, answer, text) for (tag, text), answer in zip(listed, answers, strict=True) if answer not in (tag, None)
    ]
    assert len(silent) <= 0.02 * len(listed), silent
    assert len(wrong) <= 0.03 * len(listed), wrong


def test_most_short_words_and_phrases_get_a_sensible_answer() -> None:
    listed = [(accepted(codes), text) for codes, text in rows("short_texts.txt")]
    answers = [found.language for found in identify_text([text for _, text in listed])]
    wrong = [(text, answer) for (codes, text), answer in zip(listed, answers, strict=True) if answer not in codes]
    assert len(wrong) <= 0.12 * len(listed), wrong


def test_nearly_all_everyday_phrases_get_their_language() -> None:
    listed = [(accepted(codes), text) for codes, text in rows("everyday_phrases.tsv")]
    answers = [found.language for found in identify_text([text for _, text in listed])]
    wrong = [(text, answer) for (codes, text), answer in zip(listed, answers, strict=True) if answer not in codes]
    assert len(wrong) <= 0.06 * len(listed), wrong


def test_commands_are_code_and_not_romanised_text() -> None:
    assert [identify_text(text).outcome for text in ("tar xvzf x.tar.gz", "<svg>" * 3000)] == ["code", "code"]


#: Lines of short_things.tsv that were there first; those behind them are shorter, in 86 languages, or were got wrong.
FIRST = 134


def test_nearly_all_short_things_that_strangers_type_get_their_language() -> None:
    listed = [(accepted(codes), text) for codes, text in rows("short_things.tsv")]
    answers = [found.language for found in identify_text([text for _, text in listed])]
    right = [answer in codes for (codes, _), answer in zip(listed, answers, strict=True)]
    wrong = [(text, answer) for (_, text), answer, good in zip(listed, answers, right, strict=True) if not good]
    assert right[:FIRST].count(False) <= 0.06 * FIRST, wrong
    assert len(wrong) <= 0.1 * len(listed), wrong
    assert sum(answer is not None for _, answer in wrong) <= 0.065 * len(listed), wrong


@pytest.mark.parametrize(
    ("text", "codes"),
    [("Hi", "en,-"), ("Home", "en,-"), ("個人情報保護方針", "ja"), ("Mentions légales", "fr")],
)
def test_what_was_silly_once_is_so_no_longer(text: str, codes: str) -> None:
    assert identify_text(text).language in accepted(codes)
