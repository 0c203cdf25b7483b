"""The book of codes: which letters are a language's code, which a country's, and what sites mean by them.

The table is data/codes.tsv, made by tools/make_codes.py from CLDR and from what sites do; names of languages, keys of
queries, platforms, families, known sites and scripts are in data/url_names.tsv, written by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dragoman.types import Language

Shares = Mapping[Language, float]


@dataclass(frozen=True)
class CodeBook:
    """Codes of two or three letters: of languages, of countries with the shares of their languages, and what is meant.

    A meaning mixes both: `br` is Breton's code and Brazil's, and sites mean Brazil. `wordlike` codes are words,
    too, and phrases begin or end with those of `phrases` (`sign_in`).
    """

    languages: Mapping[str, Language]
    countries: Mapping[str, Shares]
    meanings: Mapping[str, Shares]
    wordlike: frozenset[str]
    phrases: frozenset[str]

    @classmethod
    def shipped(cls, languages: Iterable[Language]) -> CodeBook:
        """The codes that mean any of these languages; shares are among them alone."""
        known = set(languages)
        codes, countries, meanings = dict[str, Language](), dict[str, Shares](), dict[str, Shares]()
        wordlike, phrases = set(), set()
        for row in _rows("codes.tsv"):
            code, language, meant, spoken, word = row
            shares = among(known, dict(_pairs(spoken)))
            if shares:
                countries[code] = shares
            meaning = dict(shares)
            if language in known:
                codes[code] = language
                own = float(meant) if shares else 1.0
                meaning = {tag: (1 - own) * share for tag, share in shares.items()}
                meaning[language] = meaning.get(language, 0.0) + own
            if any(meaning.values()):
                meanings[code] = {tag: share for tag, share in meaning.items() if share > 0}
            if word:
                wordlike.add(code)
            if word == "phrase":
                phrases.add(code)
        return cls(codes, countries, meanings, frozenset(wordlike), frozenset(phrases))


def among(known: set[Language], shares: Shares) -> dict[Language, float]:
    """The shares of known languages, in all 1.

    >>> among({"de", "fr"}, {"de": 0.375, "fr": 0.125, "it": 0.5})
    {'de': 0.75, 'fr': 0.25}
    """
    left = {tag: share for tag, share in shares.items() if tag in known and share > 0}
    total = sum(left.values())
    return {tag: share / total for tag, share in left.items()}


@dataclass(frozen=True)
class ScriptRun:
    """A run of code points of one script, and the languages that are written in it."""

    script: str
    first: int
    last: int
    languages: tuple[Language, ...]


@dataclass(frozen=True)
class UrlNames:
    """What is known by name: languages (`deutsch`), keys of queries (`hl`), sites and parts of them (`asahi.com/ajw`),
    platforms, families, shorteners; and scripts."""

    names: Mapping[str, Language]
    query_keys: frozenset[str]
    sites: Mapping[str, Language]
    platforms: frozenset[str]
    shorteners: frozenset[str]
    families: frozenset[str]
    regions: Mapping[str, Mapping[Language, float]]
    scripts: tuple[ScriptRun, ...]

    @classmethod
    @cache
    def shipped(cls) -> UrlNames:
        """The names that ship."""
        listed: dict[str, dict[str, str]] = {}
        scripts = []
        for kind, key, values in _rows("url_names.tsv"):
            if kind == "script":
                name, first, last = key.split()
                scripts.append(ScriptRun(name, int(first, 16), int(last, 16), tuple(values.split())))
            else:
                listed.setdefault(kind, {}).update(dict.fromkeys(values.split(), key))
        return cls(
            listed["name"],
            frozenset(listed["query key"]),
            listed["site"],
            frozenset(listed["platform"]),
            frozenset(listed["shortener"]),
            frozenset(listed["family"]),
            {name: dict(_pairs(shares)) for name, shares in listed["region"].items()},
            tuple(scripts),
        )


def _rows(name: str) -> Iterator[list[str]]:
    text = files("dragoman.data").joinpath(name).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def _pairs(text: str) -> Iterator[tuple[str, float]]:
    for pair in text.split():
        tag, _, share = pair.partition(":")
        yield tag, float(share or 1)
