from __future__ import annotations

import time
from dataclasses import replace

import pytest

from dragoman.identifiers.text.clean import STOP_LIST, Rules, clean, cleaned, sentences

NONE = Rules.none()


def test_without_rules_a_text_stays_as_it_is() -> None:
    for text in ("", " ", ".", "A  b\n\tc. D!", "U.S.A. x@y.org http://a.b/ EUR", "\ud800 lone"):
        assert clean(text, NONE) == text


def test_mail_addresses_are_removed_and_their_periods_end_nothing() -> None:
    text = "Write to anna.b@mail.example.org today. Bye."
    assert sentences(text, replace(NONE, mail=True, spaces=True)) == ["Write to today.", "Bye."]
    assert sentences(text, replace(NONE, spaces=True)) == ["Write to anna.b@mail.example.org today.", "Bye."]


def test_urls_are_removed_and_their_periods_end_nothing() -> None:
    rules = replace(NONE, urls=True, spaces=True)
    for url in ("http://www.example.org/a.html?x=1.2", "https://example.org", "www.example.de/x", "example.com/a.b"):
        assert sentences(f"See {url}. It is good.", rules) == ["See.", "It is good."]
        assert sentences(f"See {url}. It is good.", replace(rules, urls=False))[0] == f"See {url}."
    assert sentences("The house.Then more.", rules) == ["The house.", "Then more."]


def test_acronyms_are_a_letter_and_a_period_over_and_over() -> None:
    rules = replace(NONE, acronyms=True, spaces=True)
    assert sentences("The U.S.A. are big. Yes.", rules) == ["The are big.", "Yes."]
    assert sentences("The U.S.A. are big. Yes.", replace(rules, acronyms=False))[0] == "The U.S.A. are big."
    assert sentences("Plan B. is no acronym", rules) == ["Plan B.", "is no acronym"]


def test_words_of_the_stop_list_are_removed_whole_and_in_any_case() -> None:
    rules = replace(NONE, stop_list=STOP_LIST, spaces=True)
    assert clean("It costs 5 EUR or 6 usd, euros", rules) == "It costs 5 or 6 ,"
    assert clean("Europe and hotelier", rules) == "Europe and hotelier"
    assert clean("It costs 5 EUR", replace(rules, stop_list=frozenset({"costs"}))) == "It 5 EUR"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Anna Maria Peter went.", "went."),  # three of four
        ("Anna Maria went home.", "Anna Maria went home."),
        ("NATO Anna went home.", "NATO Anna went home."),  # capitals all over are no name
        ("Anna NATO Maria Peter.", "NATO."),
        ("Paris.", ""),
    ],
)
def test_three_quarters_of_capitalised_words_are_a_list_of_names(text: str, left: str) -> None:
    assert clean(text, replace(NONE, names=True, spaces=True)) == left
    assert clean(text, replace(NONE, names=False, spaces=True)) == text


def test_the_share_of_names_can_be_set() -> None:
    assert clean("Anna Maria went home.", replace(NONE, names=True, share=0.5, spaces=True)) == "went home."


def test_only_letters_and_ends_are_left_in_every_script() -> None:
    assert clean("l'été: 25 °C (ça va?)", replace(NONE, letters=True, spaces=True)) == "l été C ça va"
    assert clean("हिन्दी! ไทย, Привет", replace(NONE, letters=True, spaces=True)) == "हिन्दी ไทย Привет"


def test_case_is_folded_one_character_for_one() -> None:
    text = "ÀÉÎÕÜ ŸÞ ẞ İ ΣΑΣ"
    assert len(clean(text, replace(NONE, fold=True))) == len(text)
    assert clean("ÀÉÎÕÜ Þ", replace(NONE, fold=True)) == "àéîõü þ"


def test_white_space_is_merged_and_none_stands_before_a_period() -> None:
    assert clean(" a \n\t b\u00a0 c .  d ", replace(NONE, spaces=True)) == "a b c. d"


def test_short_sentences_are_left_out_on_request() -> None:
    text = "One two. A sentence of a good length it is."
    assert sentences(text, Rules(shortest=20)) == ["a sentence of a good length it is."]
    assert len(sentences("abcdefghij klmnopqrs.", Rules(shortest=20))) == 1
    assert len(sentences("abcdefghij klmnopqrs.", Rules(shortest=21))) == 0


def test_sentences_without_letters_disappear_with_their_period() -> None:
    assert sentences("Wait for it... 12.50. and go") == ["wait for it.", "and go"]
    assert sentences("...") == []
    assert clean("", Rules()) == ""


def test_each_character_knows_its_place_in_the_text() -> None:
    text = "You see  http://example.org/x. Then, GO home  now."
    made = cleaned(text)
    assert made.text == "you see. then go home now."
    assert len(made.places) == len(made.text)
    assert (made.places[1:] >= made.places[:-1]).all()
    for character, place in zip(made.text, made.places.tolist(), strict=True):
        assert character == " " or character == text[place].lower()
    assert made.sentences == ["you see.", "then go home now."]


@pytest.mark.parametrize(
    "part", ["a", "a@", "a.", "www.", "http://", "Ab cd. ", "a-", ".", "@", "é", "x.com/", "\u0301"]
)
def test_a_long_text_takes_time_in_proportion(part: str) -> None:
    began = time.process_time()
    clean(part * (100_000 // len(part)))
    assert time.process_time() - began < 3
