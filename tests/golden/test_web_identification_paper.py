"""Worked examples of the two content papers of 2004: cleaning (HMM paper, 4.1) and n-grams (Hayati, 3.1)."""

from __future__ import annotations

from dragoman.identifiers.text.clean import clean, sentences
from dragoman.identifiers.text.ngrams import NGrams
from dragoman.languages import PRESETS
from dragoman.studies.hayati_2004.figures import published


def test_ngrams_wrap_around_as_in_the_paper() -> None:
    """Its list for "the quick" leaves out " qu" by mistake: it says itself that there are as many as characters."""
    printed = ["the", "he ", "e q", "qui", "uic", "ick", "ckt", "kth"]
    found = list(NGrams(3, 3, "wrap").of(b"the quick"))
    assert [gram for gram in found if gram != " qu"] == printed
    assert len(found) == len("the quick")


def test_a_sentence_ends_at_a_period_but_not_inside_mail_urls_and_acronyms() -> None:
    text = "Mail info@hotel.example.gr or see www.example.gr/rooms.html about it. The U.S.A. flag was there. We went on"
    assert sentences(text) == ["mail or see about it.", "the flag was there.", "we went on"]


def test_the_stop_list_has_currency_acronyms() -> None:
    assert clean("The room costs 50 EUR or 60 USD.") == "the room costs or."


def test_words_with_only_the_first_letter_capital_are_left_out_at_three_quarters() -> None:
    assert clean("Hotels in Athens Corfu Rhodes Crete.") == "in."
    assert clean("We went to Athens and Corfu.") == "we went to athens and corfu."


def test_the_eleven_languages_and_the_published_accuracies() -> None:
    assert PRESETS["eleven"] == ("da", "de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "sv")
    assert (published()["base"], published()["nfc"], published()["tld"]) == (0.868, 0.939, 0.692)
