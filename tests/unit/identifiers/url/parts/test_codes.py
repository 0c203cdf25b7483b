"""Codes of languages and countries are found where sites write them, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames, among
from dragoman.identifiers.url.parts.codes import POSITIONS, meaning_of, packed
from dragoman.identifiers.url.parts.domains import DomainPriors
from dragoman.identifiers.url.parts.material import STRENGTHS, Material, WordWeights, weighed_meanings
from dragoman.identifiers.url.parts.reading import read_parts

LANGUAGES = (
    *("ar", "be", "br", "ca", "cs", "cy", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hr", "id", "is", "it"),
    *("ja", "ko", "lt", "ms", "my", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi", "zh"),
)


@pytest.fixture(scope="module")
def material() -> Material:
    priors = DomainPriors(("com",), np.ones(1, np.uint8), np.zeros((1, len(LANGUAGES)), np.float32))
    words = WordWeights.of({}, LANGUAGES)
    return Material(LANGUAGES, words, CodeBook.shipped(LANGUAGES), UrlNames.shipped(), priors)


def codes_of(material: Material, url: str) -> list[tuple[str, str]]:
    """(position, likeliest language) of every code of a URL."""
    reader, shares = material.reader(), material.meanings()
    parts = read_parts(url.encode(), reader)
    assert parts is not None
    found = []
    for code in parts.codes:
        row = shares.row(meaning_of(reader, code))
        found.append((code.position, LANGUAGES[shares.languages[row][np.argmax(shares.weights[row])]]))
    return found


EXPECTED = {
    "a language and a country": [
        ("https://example.com/de-at/preise", "locale", "de"),
        ("https://example.com/pt_BR/", "locale", "pt"),
        ("https://example.com/ch/fr/produits", "locale", "fr"),
        ("https://example.com/fr/ch/produits", "locale", "fr"),
        ("https://example.com/ch-it", "locale", "it"),
        ("https://example.com/?locale=de-AT", "locale", "de"),
        ("https://ca-es.example.com/", "locale", "ca"),
        ("https://example.com/be/nl/", "locale", "nl"),
        ("https://example.com/sr-Latn/", "locale", "sr"),
        ("https://example.com/es-419/ayuda", "locale", "es"),
        ("https://example.com/intl-pt/album", "locale", "pt"),
        ("https://example.com/zh_Hant/", "locale", "zh"),
        ("https://example.com/en-apac/", "locale", "en"),
        ("https://example.com/zh-tw", "locale", "zh"),
        ("https://example.com/en-jp/", "locale", "en"),
        ("https://example.com/tr-DE/", "locale", "tr"),
        ("https://example.com/en-int/", "locale", "en"),
        ("https://example.com/fr-ca.html", "locale", "fr"),
        ("https://www.microsoft.com/sr-latn-rs/", "locale", "sr"),
        ("https://example.com/zh_Hant_HK/", "locale", "zh"),
        ("https://example.com/page?locale=sr-Cyrl-BA", "locale", "sr"),
    ],
    "a segment": [
        ("https://example.com/de/", "first", "de"),
        ("https://example.com/de?x=1", "first", "de"),
        ("https://www.apple.com/br/iphone", "first", "pt"),
        ("https://example.com/jp/store", "first", "ja"),
        ("https://example.com/cz", "first", "cs"),
        ("https://example.com/uk/", "doubtful", "en"),
        ("https://example.com/my/account", "doubtful", "en"),
        ("https://example.com/shop/tr/", "later", "tr"),
        ("https://www3.nhk.or.jp/nhkworld/en/news/", "first", "en"),
        ("https://www.bundesregierung.de/breg-en", "mark", "en"),
        ("https://example.com/impressum-en/", "mark", "en"),
        ("https://example.com/eng/index.html", "first", "en"),
        ("https://www.w3.org/TR/", "capitals", "tr"),
        ("https://example.com/EN/Aufsicht", "first", "en"),
        ("https://example.com/De/Aufsicht", "first", "de"),
        ("https://www.amazon.de/-/en/dp/1", "first", "en"),
        ("https://example.com/-/de/at/preise", "locale", "de"),
        ("https://docs.python.org/de/3/", "first", "de"),
        ("https://www.apple.com/befr/", "name", "fr"),
    ],
    "a label": [
        ("https://de.example.org/", "front", "de"),
        ("https://www.fr.example.org/", "front", "fr"),
        ("https://m.es.example.org/", "front", "es"),
        ("https://kr.example.com/", "front", "ko"),
        ("https://cs.example.org/", "front", "cs"),
        ("https://en.example.edu/", "front", "en"),
        ("https://uk.example.org/", "label", "en"),
        ("https://uk.wikipedia.org/wiki/X", "family", "uk"),
        ("https://be.m.wikipedia.org/wiki/X", "family", "be"),
        ("https://deutsch.example.org/", "name", "de"),
    ],
    "a value of the query": [
        ("https://example.com/?hl=ca", "value", "ca"),
        ("https://example.com/a?x=1&lang=br", "value", "br"),
        ("https://example.com/a?Language=Deutsch", "name", "de"),
        ("https://example.com/a?nation=fr#top", "value", "fr"),
    ],
    "a mark of the last segment": [
        ("https://example.com/index_de.html", "mark", "de"),
        ("https://example.com/de.html", "mark", "de"),
        ("https://example.com/hilfe/index.html.de", "mark", "de"),
        ("https://example.com/datei.fr.pdf", "value", "fr"),
        ("https://example.com/intro.uk.html", "value", "uk"),
        ("https://example.com/README.vi.md", "value", "vi"),
        ("https://example.com/brochure_it", "mark", "it"),
        ("https://example.com/page-es.html", "mark", "es"),
        ("https://example.com/nl_index.htm", "mark", "nl"),
        ("https://example.com/good-morning-in-hindi", "name", "hi"),
        ("https://example.com/shop_fr/kasse", "mark", "fr"),
        ("https://example.com/contrib/manuals-jp/R-lang.pdf", "mark", "ja"),
        ("https://example.com/cymraeg/newyddion", "name", "cy"),
        ("https://www.bbc.co.uk/cymru", "name", "cy"),
    ],
}


@pytest.mark.parametrize(
    ("url", "position", "language"), [row for rows in EXPECTED.values() for row in rows], ids=lambda value: str(value)
)
def test_a_code_is_read_by_its_position(material: Material, url: str, position: str, language: str) -> None:
    assert codes_of(material, url) == [(position, language)]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/it-services",
        "https://example.com/as-is",
        "https://example.com/do-it",
        "https://example.com/my-us",
        "https://example.com/am-pm",
        "https://www.ru.ac.za/",
        "https://it.gov.au/",
        "https://fr.com.br/",
        "https://example.com/vi-al",
        "https://example.com/cs-is",
        "https://example.com/post-it/notes",
        "https://example.com/user_id/seven",
        "https://example.com/no-latn-no-way",
        "https://example.com/to-lead-us",
        "https://cs.stackexchange.com/questions/12",
        "https://ar.indeed.com/",
        "https://example.com/who-is-it/notes",
        "https://simple.wikipedia.org/wiki/Cat",
        "https://example.org/wiki/It/Talk",
        "https://cs.stanford.edu/",
        "https://it.ox.ac.uk/",
        "https://www.cs.usyd.edu.au/",
        "https://example.com/futbol/la-liga/",
        "https://example.com/no-pain/",
        "https://example.com/my-blog/",
        "https://example.com/nor-gara",
        "https://example.com/id/123",
        "https://example.com/no/42/",
        "https://example.com/who-is-he",
        "https://example.com/la-casa-de-papel",
        "https://example.com/los-ninos-de-es.html",
        "https://example.com/page-es",
        "https://example.com/?q=de",
        "https://example.com/#lang=de",
        "https://de.com/",
        "https://www.de.com/",
        "https://example.com/index.html",
        "https://example.com/a/b/c/d/e/f/de/",
        "https://example.com/xx/",
    ],
)
def test_what_only_looks_like_a_code_is_none(material: Material, url: str) -> None:
    assert codes_of(material, url) == []


def test_a_code_is_no_word(material: Material) -> None:
    parts = read_parts(b"https://de.garden.org/pt-br/casa", material.reader())
    assert parts is not None
    assert (parts.host_words, parts.path_words) == (("garden",), ("casa",))


def test_at_most_four_codes_are_read(material: Material) -> None:
    url = b"https://de.example.org/fr/x/es/y/it/page_nl.html?hl=sv&lang=da"
    parts = read_parts(url, material.reader())
    assert parts is not None
    assert [code.position for code in parts.codes] == ["front", "first", "later", "later"]


def test_letters_are_packed_into_numbers_that_differ() -> None:
    letters = [bytes([one, other]) for one in range(97, 123) for other in range(97, 123)]
    assert len({packed(pair) for pair in letters}) == 26 * 26
    assert packed(b"PT") == packed(b"pt")


def test_codes_of_languages_that_a_model_lacks_mean_the_others() -> None:
    book = CodeBook.shipped(("en", "fr"))
    assert "br" not in book.meanings
    assert book.meanings["ca"] == pytest.approx({"en": 0.7, "fr": 0.3})
    assert book.meanings["be"] == {"fr": 1.0}
    assert set(book.languages.values()) == {"en", "fr"}


def test_meanings_and_countries_sum_to_one() -> None:
    book = CodeBook.shipped(LANGUAGES)
    assert len(book.languages) > len(LANGUAGES)
    for shares in (*book.meanings.values(), *book.countries.values()):
        assert sum(shares.values()) == pytest.approx(1)
    assert among(set(), {"de": 1.0}) == {}


def test_where_a_code_decides_what_it_hardly_means_does_not_come_back(material: Material) -> None:
    """rfi.fr/vi/ is Vietnamese, whatever `.fr` says of English, which `vi` means once in thirty times."""
    reader, shares = material.reader(), material.meanings()
    parts = read_parts(b"https://www.rfi.fr/vi/", reader)
    assert parts is not None
    row = shares.row(meaning_of(reader, parts.codes[0]))
    vietnamese, english = ([LANGUAGES[number] for number in shares.languages[row]].index(tag) for tag in ("vi", "en"))
    for strength, least, most in ((2000.0, 0, 10), (2e17, 15, 40)):
        weighed = weighed_meanings(shares, {**STRENGTHS, "first": strength}).weights[POSITIONS.index("first"), row]
        assert least < weighed[vietnamese] - weighed[english] < most
