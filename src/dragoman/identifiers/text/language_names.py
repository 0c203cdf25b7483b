"""Names of languages in a text: what menus are made of, and what says nothing about the language around it.

The names are in data/language_names.tsv, made by tools/make_language_names.py from CLDR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from dragoman.kernels.phrases import SoughtPhrases

#: Names in a row that are a menu; two may stand in any sentence.
MENU = 3
#: Longer texts are looked at anew each time.
LONGEST_KEPT = 100

#: Hardly any menu is without one of these: texts that have none are not looked at any closer.
COMMON = (  # noqa: SIM905 (a list of this length reads better as words)
    "english;deutsch;français;español;italiano;português;русский;українська;polski;nederlands;svenska;türkçe;中文;日本語;"
    "한국어;العربية;فارسی;हिन्दी;bahasa;čeština;română;magyar;srpski;српски;dansk;norsk;suomi;català;ελληνικά;עברית;ไทย;"
    "tiếng việt;german;french;spanish;russian;chinese;japanese;arabic;korean"
).split(";")

_COMMON = SoughtPhrases(COMMON)

#: A word with its marks; the scripts of India and South-East Asia have marks that `\\w` leaves out.
_WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u0670\u0900-\u109f\u1780-\u17ff\u200c\u200d'’ʼ‘])+")
#: What may stand between the names of a menu: all but letters and digits, and what sites write in brackets.
_BETWEEN = re.compile(r"(?:\W|_|\([^()]{1,40}\))*")


@cache
def _names() -> dict[str, tuple[tuple[str, ...], ...]]:
    """The names as words, by their first word, the longest first."""
    table = (files("dragoman.data") / "language_names.tsv").read_text(encoding="utf-8")
    by_first: dict[str, set[tuple[str, ...]]] = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            for name in line.split("\t")[1].split(";"):
                words = tuple(_WORD.findall(name))
                if words:
                    by_first.setdefault(words[0], set()).add(words)
    return {first: tuple(sorted(all_, key=lambda words: (-len(words), words))) for first, all_ in by_first.items()}


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where names stand in a text in small letters, in order."""
    names = _names()
    if names.keys().isdisjoint(_WORD.findall(text)):  # most texts
        return
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        for name in names.get(words[at][0], ()):
            if tuple(word for word, _, _ in words[at : at + len(name)]) == name:
                yield words[at][1], words[at + len(name) - 1][2]
                at += len(name)
                break
        else:
            at += 1


def may_have_names(small: str) -> bool:
    """False for a text in small letters that hardly has a menu of languages in it."""
    return _COMMON.any_in(small)


def is_of_names(text: str) -> bool:
    """True if a short text is names of languages and nothing else, or nearly so.

    >>> [is_of_names(one) for one in ("Deutsch", "English | Français | 日本語", "Português (Brasil)", "Deutsch lernen")]
    [True, True, True, False]
    """
    return _is_of_names(text) if len(text) <= LONGEST_KEPT else _is_of_names.__wrapped__(text)


@lru_cache(maxsize=2048)  # the menus of a site are the same on all its pages
def _is_of_names(text: str) -> bool:
    small = text.lower()
    named = sum(sum(map(str.isalpha, small[start:end])) for start, end in _places(small))
    if not named:
        return False
    letters = sum(map(str.isalpha, small))
    if named == letters:
        return True
    bracketed = sum(sum(map(str.isalpha, inside)) for inside in re.findall(r"[(（]([^()（）]{1,40})[)）]", small))
    return named + bracketed >= letters or 5 * named >= 4 * letters


def without_menus(text: str) -> str:
    """The text without rows of MENU and more names of languages.

    >>> without_menus("Choose: English, Deutsch, Русский. Welcome!")
    'Choose: . Welcome!'
    """
    small = text.lower()
    if len(small) != len(text) or not may_have_names(small):
        return text
    rows: list[list[tuple[int, int]]] = []
    for start, end in _places(small):
        if rows and _BETWEEN.fullmatch(text, rows[-1][-1][1], start):
            rows[-1].append((start, end))
        else:
            rows.append([(start, end)])
    parts, at = [], 0
    for row in rows:
        if len(row) >= MENU:
            parts.append(text[at : row[0][0]])
            at = row[-1][1]
    return "".join([*parts, text[at:]])
