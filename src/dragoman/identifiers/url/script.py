"""The script of the page behind a URL: the one that the URL shows, else the usual one of the language that was told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage
from dragoman.identifiers.url.address import read_address
from dragoman.languages import alpha3, scripts
from dragoman.types import Language

#: The letters of scripts beyond Latin that languages of several scripts are written in.
_LETTERS = {
    "Cyrl": re.compile("[\u0400-\u052f]"),
    "Arab": re.compile("[\u0600-\u077f]"),
    "Deva": re.compile("[\u0900-\u097f]"),
    "Mong": re.compile("[\u1800-\u18af]"),
}
_NAMED = re.compile("(?<![a-z])(latn|latin|cyrl|cyrillic|arab|deva|hans|hant)(?![a-z])", re.IGNORECASE)
_NAMES = {"latin": "Latn", "cyrillic": "Cyrl"}
#: Where Chinese has more strokes: a locale, a top-level domain, a folder or a label of Taiwan, Hong Kong or Macau.
_HANT = re.compile(r"zh[-_](tw|hk|mo)(?![a-z])|^(tw|hk)\.|\.(tw|hk|mo)(/|$)|/(tw|hk)(/|$)", re.IGNORECASE)


def url_scripts(urls: ByteColumn, languages: Sequence[Language | None]) -> list[str | None]:
    """The ISO 15924 code of each URL's script; None where no language was told.

    >>> urls = ByteColumn.of(["https://vesti.rs/срећа", "https://a.org/sr-Latn/", "https://a.com.tw/", "https://a.de/"])
    >>> url_scripts(urls, ["sr", "sr", "zh", "de"])
    ['Cyrl', 'Latn', 'Hant', 'Latn']
    """
    known = {tag: _scripts(tag) for tag in set(languages) if tag is not None}
    return [
        None if tag is None or not known[tag] else known[tag][0] if len(known[tag]) == 1 else _shown(url, known[tag])
        for url, tag in zip(urls, languages, strict=True)
    ]


def written(languages: Sequence[Language | None], codes: Sequence[str | None]) -> list[str | None]:
    """Language and script in one.

    >>> written(["sr", None], ["Latn", None])
    ['srp_Latn', None]
    """
    return [
        None if tag is None or script is None else f"{alpha3(tag)}_{script}"
        for tag, script in zip(languages, codes, strict=True)
    ]


def _scripts(tag: Language) -> tuple[str, ...]:
    try:
        return scripts(tag)
    except UnknownLanguage:  # a model of one's own may have labels that are no languages
        return ()


def _shown(url: bytes, possible: tuple[str, ...]) -> str:
    """The script that a name, letters or a country in the URL speak for; else the first that is possible."""
    address = read_address(url)
    text = address.host + address.rest
    for match in _NAMED.finditer(text):
        if (script := _NAMES.get(match[0].lower(), match[0].capitalize())) in possible:
            return script
    for script, letters in _LETTERS.items():
        if script in possible and letters.search(text):
            return script
    return "Hant" if "Hant" in possible and _HANT.search(text) else possible[0]
