"""The URLs of a synthetic web, made when somebody asks."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.crawl.synth.web import SyntheticWeb
from dragoman.kernels import synth_urls
from dragoman.languages import country_domains
from dragoman.types import Language

GENERAL = ("com", "com", "net", "org", "com", "info", "biz")
PLAIN = ("index", "page", "view", "item", "main", "default", "show", "doc", "node", "archive", "x", "id", "web", "net")

#: The usual domain of each language comes first; a language whose domains are many has no other.
_FIRST = {"en": ("uk", "us"), "de": ("de", "at"), "fr": ("fr",), "es": ("es", "mx", "ar"), "pt": ("pt", "br"),
          "zh": ("cn", "tw"), "ko": ("kr",), "ja": ("jp",), "ru": ("ru",), "nl": ("nl", "be")}  # fmt: skip

#: Chance of a country domain: a third of the paper's target pages have one; English sites rarely do.
NATIONAL, NATIONAL_ENGLISH = 0.35, 0.08
#: Chance that a word in a URL is not of the page's language: English, or of no language.
FOREIGN_WORD = 0.55


def urls(web: SyntheticWeb, start: int = 0, stop: int | None = None) -> ByteColumn:
    """The URLs of the vertices start to stop, about 50 bytes each; any part can be asked for alone.

    The host has words of its server's language (or English ones) and a third of the target servers a country domain;
    paths have words of the page's language, directories words or language codes of most of their pages. Numbers keep
    hosts, directories and pages apart. How much of this a URL model can read is not tuned to any model.
    """
    stop = len(web.graph) if stop is None else stop
    names = _names(web.graph.languages)
    data, offsets = synth_urls.urls(
        names, web.recipe.seed, FOREIGN_WORD, web.base, *_directories(web), web.tongue,
        web.graph.server, web.graph.directory, web.latent, start, stop,
    )  # fmt: skip
    return ByteColumn(data, offsets)


def _directories(web: SyntheticWeb) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """(the first directory of each live server, the language of each directory: that of its first page)."""
    if web not in _KEPT:
        pages = int(web.base[-1])
        of = web.graph.directory[:pages]
        first = np.zeros(len(web.base), np.int32)
        first[:-1] = of[web.base[:-1]]
        first[-1] = int(of.max()) + 1
        language = np.empty(int(first[-1]), np.int16)
        language[of[::-1]] = web.latent[:pages][::-1]  # the first page is written last
        _KEPT.clear()
        _KEPT[web] = first, language
    return _KEPT[web]


#: The directories of the web that was asked for last; a web is a value that does not change.
_KEPT: dict[SyntheticWeb, tuple[NDArray[np.int32], NDArray[np.int16]]] = {}


@cache
def _words() -> dict[Language, list[str]]:
    text = files("dragoman.data").joinpath("synth_words.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return {language: words.split() for language, words in rows}


@cache
def _names(languages: tuple[Language, ...]) -> synth_urls.Phrases:
    entries: list[str] = []

    def add(texts: list[str]) -> int:
        entries.extend(texts)
        return len(entries)

    words, domains = [0], []
    for language in languages:
        words.append(add(_words().get(language, [])))
    domains.append(len(entries))
    for language in languages:
        own = [domain for domain in country_domains(language) if domain.isascii() and not domain.startswith("xn--")]
        own.sort(key=lambda domain: (domain != language, domain))
        domains.append(add(list(_FIRST.get(language, ())) or own[:2]))
    codes = [add([language]) - 1 for language in languages]
    general = len(entries), len(GENERAL)
    add(list(GENERAL))
    plain = len(entries), len(PLAIN)
    add(list(PLAIN))
    marks = np.zeros(len(entries) + 1, np.int32)
    np.cumsum([len(entry.encode()) for entry in entries], out=marks[1:])
    return synth_urls.Phrases(
        np.frombuffer("".join(entries).encode(), np.uint8), marks, np.array(words, np.int32),
        np.array(domains, np.int32), np.array(codes, np.int32),
        np.array([NATIONAL_ENGLISH if language == "en" else NATIONAL for language in languages], np.float32),
        languages.index("en") if "en" in languages else 0, general, plain,
    )  # fmt: skip
