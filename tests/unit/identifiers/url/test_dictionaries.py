from __future__ import annotations

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.custom_features import feature_names
from dragoman.identifiers.url.dictionaries import (
    city_keys,
    country_codes,
    held_out_counts,
    learn_dictionaries,
    spelling_keys,
    spellings,
    trained_dictionary,
)


def has(keys: object, word: str) -> bool:
    return bool(np.isin(np.uint64(word_key(word)), keys))  # type: ignore[arg-type]


def test_country_codes_are_written_as_tokens_are() -> None:
    assert country_codes("de") == {"de", "at"}
    assert {"ru", "рф"} <= country_codes("ru")
    assert not [code for code in country_codes("ru") if code.startswith("xn--")]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("haus", {"haus"}),
        ("küche", {"küche", "kuche", "kueche"}),
        ("été", {"été", "ete"}),
        ("straße", {"straße", "strasse"}),
    ],
)
def test_a_word_is_spelt_as_urls_write_it(word: str, forms: set[str]) -> None:
    assert set(spellings(word)) == forms


def test_a_small_spelling_dictionary_is_read() -> None:
    keys = spelling_keys("vi")
    assert len(keys) > 1000
    assert has(keys, "nhà")
    assert not has(keys, "weather")


def test_a_language_without_a_dictionary_has_no_words() -> None:
    assert len(spelling_keys("tlh")) == 0


def test_cities_are_those_of_the_languages_countries() -> None:
    german, french = city_keys("de"), city_keys("fr")
    for city in ("berlin", "köln", "koeln", "koln"):
        assert has(german, city)
        assert not has(french, city)
    assert has(french, "paris")


def test_rows_of_no_language_do_not_count() -> None:
    urls = ByteColumn.from_rows(["/haus", "/haus", "/house", "/house"])
    first, second = trained_dictionary(2, urls, np.array([0, -1, 1, -1], np.int64))
    assert has(first, "haus")
    assert not has(first, "house")
    assert has(second, "house")
    assert [len(keys) for keys in trained_dictionary(2, urls, np.full(4, -1, np.int64))] == [0, 0]


def test_a_language_with_fewer_urls_is_not_at_a_disadvantage() -> None:
    urls = ByteColumn.from_rows(["/haus"] * 9 + ["/house"] * 90 + ["/haus"])
    first, _ = trained_dictionary(2, urls, np.array([0] * 9 + [1] * 91, np.int64))
    assert has(first, "haus"), "every URL of the one language against one of 91"


def test_all_dictionaries_come_together() -> None:
    urls = ByteColumn.from_rows(["http://a.vn/zzvietzz", "http://a.za/zzafrzz"])
    found = learn_dictionaries(("af", "vi"), urls, np.array([1, 0], np.int64))
    counts, _ = found.counts(ByteColumn.from_rows(["http://x.vn/zzvietzz/nhà/hanoi"]))
    values = dict(zip(feature_names(("af", "vi")), counts[0].tolist(), strict=True))
    assert (values["tld code vi"], values["trained vi"], values["spelling after vi"], values["city vi"]) == (1, 1, 1, 1)
    assert (values["tld code af"], values["trained af"], values["city af"]) == (0, 0, 0)


def test_a_url_is_never_counted_by_a_dictionary_that_it_taught() -> None:
    rows = [f"http://a.example/{'q' * (3 + n)}" for n in range(40)]  # every word occurs once
    urls, truth = ByteColumn.from_rows([*rows, *rows[:2]]), np.array([*([0, 1] * 20), 0, 1], np.int64)
    trained = [number for number, name in enumerate(feature_names(("af", "vi"))) if name.startswith("trained")]
    learnt = learn_dictionaries(("af", "vi"), urls, truth).counts(urls)[0][:, trained]
    held_out = held_out_counts(("af", "vi"), urls, truth)[:, trained]
    assert (learnt.sum(axis=1) > 0).all(), "a word that occurs once is its URL's label"
    assert not held_out[2:40].any()
