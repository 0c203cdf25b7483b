"""The features of the production recipe: which parts of a URL become which features."""

from __future__ import annotations

import pytest

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.identifiers.url.production_features import features_by_part, production_features


def names(url: str) -> list[str]:
    return [name for name, _ in production_features(url.encode())]


def codes(url: str) -> list[str]:
    return [name for name in names(url) if name.startswith("code-")]


def test_words_and_grams_are_kept_apart_by_place() -> None:
    found = names("http://haus.de/haus")
    assert {"host:haus", ".de", "path:haus", "host~_ha", "host~_haus", "path~_hau", "path~aus_"} <= set(found)
    keys = [key for _, key in production_features(b"http://haus.de/haus")]
    assert len(set(keys)) == len(keys)


def test_hosts_have_n_grams_of_three_and_five_characters_and_paths_of_four() -> None:
    grams = [name for name in names("http://haus.de/wege") if "~" in name]
    assert grams == [
        *("host~_ha", "host~hau", "host~aus", "host~us_", "host~_haus", "host~haus_"),
        *("path~_weg", "path~wege", "path~ege_"),
    ]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://fr.example.org/", ["code-label:fr"]),
        ("http://example.org/fr/page", ["code-segment:fr"]),
        ("http://example.org/fr", ["code-segment:fr"]),
        ("http://example.org/pt-br/", ["code-segment:pt", "code-mark:br"]),
        ("http://example.org/x?lang=fr", ["code-value:fr"]),
        ("http://example.org/page_de.html", ["code-mark:de"]),
        ("http://example.org/en_article7.html", ["code-mark:en"]),
        ("http://example.org/selecta_fr/x", ["code-mark:fr"]),
        ("http://example.org/it-is-late", ["code-mark:it"]),
        ("http://example.org/what-is-it-about", []),
    ],
)
def test_a_short_word_may_be_a_code_by_where_it_stands(url: str, expected: list[str]) -> None:
    assert codes(url) == expected


def test_scripts_beyond_latin_are_features() -> None:
    assert any(name.startswith("script:") for name in names("http://example.org/москва"))
    assert not any(name.startswith("script:") for name in names("http://example.org/köln"))


def test_the_bound_of_keys_per_byte_holds_for_the_worst_words() -> None:
    for url in ("a" * 5000, "aa/" * 3000, "/aa" * 3000, "ж" * 3000, "/жж" * 2000, "x=fr&" * 1000):
        batch = ByteColumn.from_rows(["http://x.de/" + url])
        indptr, keys, _ = kernels.keys(batch.data, batch.offsets, 4)
        assert indptr[-1] == len(keys) <= 4 * len(batch.data)
        assert keys.tolist() == [key for _, key in production_features(batch[0])]


def test_a_long_word_is_named_once_however_many_n_grams_it_has() -> None:
    parts = [part for part, name, _ in features_by_part(b"http://x.de/" + b"a" * 5000) if "~" in name]
    assert len(parts) == 5000 - 1
    assert len({id(part) for part in parts}) == 1
