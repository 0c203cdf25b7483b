from __future__ import annotations

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.custom_features import LANGUAGE_LIMIT, Dictionaries, feature_names, word_keys

LANGUAGES = ("de", "en")


@pytest.fixture(scope="module")
def dictionaries() -> Dictionaries:
    return Dictionaries.from_words(
        LANGUAGES,
        {
            ("code", "de"): word_keys(["de", "at"]),
            ("code", "en"): word_keys(["uk", "us"]),
            ("spelling", "de"): word_keys(["haus", "wald", "winter"]),
            ("spelling", "en"): word_keys(["house", "winter", "at"]),
            ("city", "de"): word_keys(["berlin"]),
            ("trained", "de"): word_keys(["haus"]),
        },
    )


def found(dictionaries: Dictionaries, url: str) -> dict[str, float]:
    """The features of a URL that are not zero."""
    counts, _ = dictionaries.counts(ByteColumn.from_rows([url]))
    return {name: value for name, value in zip(feature_names(LANGUAGES), counts[0].tolist(), strict=True) if value}


def test_words_are_counted_in_all_and_on_each_side_of_the_first_slash(dictionaries: Dictionaries) -> None:
    assert found(dictionaries, "http://winter-haus.at/wald-winter/xx") == {
        "tld code de": 1,
        "host code de": 1,
        "spelling de": 4,
        "spelling before de": 2,
        "spelling after de": 2,
        "spelling en": 3,
        "spelling before en": 2,
        "spelling after en": 1,
        "trained de": 1,
        "trained before de": 1,
        "hyphens": 2,
        "hyphens before": 1,
        "hyphens after": 1,
        "merged de": 4,
        "merged en": 3,
        "nowhere": 1,
        "nowhere after": 1,
    }


def test_codes_are_yes_or_no_and_know_their_place(dictionaries: Dictionaries) -> None:
    assert found(dictionaries, "http://de.de.com/de/us/us") == {
        "host code de": 1,
        "path code de": 1,
        "path code en": 1,
        ".com": 1,
        "nowhere": 6,
        "nowhere before": 3,
        "nowhere after": 3,
    }


@pytest.mark.parametrize("domain", ["com", "org", "net"])
def test_generic_domains_have_flags(dictionaries: Dictionaries, domain: str) -> None:
    assert found(dictionaries, f"http://www.{domain.upper()}/{domain}") == {
        f".{domain}": 1,
        "nowhere": 2,
        "nowhere before": 1,
        "nowhere after": 1,
    }


def test_what_is_no_web_address_has_no_features(dictionaries: Dictionaries) -> None:
    assert found(dictionaries, "mailto:haus@wald.de") == {}
    assert dictionaries.counts(ByteColumn.from_rows(["mailto:haus@wald.de"]))[1].tolist() == [2]


def test_more_words_change_nothing_of_what_is_there(dictionaries: Dictionaries) -> None:
    more = dictionaries.with_words(
        {("trained", "en"): word_keys(["house", "new"]), ("city", "de"): word_keys(["haus"])}
    )
    assert np.all(np.diff(more.keys.astype(object)) > 0)
    url = "http://a.b/haus/house/new/berlin"
    before = found(dictionaries, url)
    new = {"city de": 2, "city after de": 2, "trained en": 2, "trained after en": 2, "merged en": 2}
    assert (before["city de"], before["merged en"], before.pop("nowhere"), before.pop("nowhere after")) == (1, 1, 1, 1)
    assert found(more, url) == before | new
    assert found(dictionaries.with_words({}), "http://haus.de/x") == found(dictionaries, "http://haus.de/x")
    at_once = Dictionaries.from_words(
        LANGUAGES, {("spelling", "de"): word_keys(["haus"]), ("city", "en"): word_keys(["ulm"])}
    )
    in_turn = Dictionaries.from_words(LANGUAGES, {("spelling", "de"): word_keys(["haus"])}).with_words(
        {("city", "en"): word_keys(["ulm"])}
    )
    assert at_once.keys.tolist() == in_turn.keys.tolist()
    assert at_once.bits.tolist() == in_turn.bits.tolist()


def test_no_words_at_all_are_dictionaries_too() -> None:
    nothing = Dictionaries.from_words(LANGUAGES, {})
    assert found(nothing, "http://haus.com/") == {".com": 1, "nowhere": 2, "nowhere before": 2}
    assert (
        nothing.plain_counts(b"http://haus.com/")
        == nothing.counts(ByteColumn.from_rows(["http://haus.com/"]))[0][0].tolist()
    )


def test_there_is_a_limit_to_languages() -> None:
    languages = tuple(f"l{number}" for number in range(LANGUAGE_LIMIT + 1))
    with pytest.raises(UsageError, match=f"at most {LANGUAGE_LIMIT} languages, not {LANGUAGE_LIMIT + 1}"):
        Dictionaries.from_words(languages, {})


def test_words_and_bits_go_together() -> None:
    with pytest.raises(ValueError, match="bits"):
        Dictionaries.of(LANGUAGES, np.array([1, 2], np.uint64), np.array([1], np.uint64))


def test_keys_of_words_are_of_single_tokens_each_once() -> None:
    keys = word_keys(["Haus", "haus", "zwei worte", "x", "www", "a-b", "baum"])
    assert keys.tolist() == sorted([word_key("haus"), word_key("baum")])
