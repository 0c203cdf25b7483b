"""Pages that are translations of each other, as the pages themselves and their addresses say: pairs for corpora.

Two kinds of evidence, and both have to stand up to what the pages are:

- **hreflang**: a page names its versions in other languages (`<link rel="alternate" hreflang="th" href="...">`). What
  it names together is one group.
- **path**: two addresses that are the same but for the code of a language, in a segment (`/en/x`, `/th/x`), in front of
  the host (`en.example.org`) or in the query (`?lang=th`); a page without a code is the version in the site's own
  language (`/x` beside `/th/x`).

A pair is told only where both pages were fetched and the text of each is in the language that the evidence says (where
it says one), which are two different ones. A site that answers every address with the same page has no pairs.

>>> without_code("https://a.example/en/news?x=1"), without_code("https://th.a.example/"), without_code("https://a.example/x")
(('https://a.example/news?x=1', 'en'), ('https://a.example/', 'th'), ('https://a.example/x', None))
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from dragoman.languages import find
from dragoman.types import Language
from dragoman.web.addresses import canonical

#: A code that stands for a language in an address: two or three letters, with a region or a script behind it or not.
_CODE = re.compile(r"[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?", re.IGNORECASE)
_PARTS = re.compile(r"(https?://)([^/?#]+)([^?#]*)(?:\?([^#]*))?")
_PARAMETERS = frozenset({"hl", "l", "lang", "language", "lc", "locale", "setlang"})
#: Segments in which sites write codes: the first ones. A code further down is a word more often than not.
_FIRST_SEGMENTS = 2
#: Versions of one page; more than that are no translations but a listing.
MOST_VERSIONS = 200


@dataclass(frozen=True)
class TranslatedPage:
    """A page that was fetched: where it is, its language, and what it names as its versions."""

    url: str
    language: Language
    alternates: tuple[tuple[str, str], ...] = ()
    #: The archive that holds it, and where in it its record begins.
    archive: str = ""
    offset: int = 0


@dataclass(frozen=True)
class TranslationPair:
    """Two pages, the first in the language that was asked for first or comes first, and what says that they belong."""

    page: TranslatedPage
    translation: TranslatedPage
    evidence: tuple[str, ...]
    #: True if each of them names the other.
    mutual: bool

    def row(self) -> dict[str, str | int | bool]:
        """The pair as a row of a table."""
        page, translation = self.page, self.translation
        return {
            "url": page.url, "language": page.language, "translation": translation.url,
            "translation_language": translation.language, "evidence": " ".join(self.evidence), "mutual": self.mutual,
            "archive": page.archive, "offset": page.offset, "translation_archive": translation.archive,
            "translation_offset": translation.offset,
        }  # fmt: skip


@dataclass
class Translations:
    """Pages are added one by one; then the pairs among them are told."""

    _pages: dict[str, TranslatedPage] = field(default_factory=dict)

    def add(self, page: TranslatedPage) -> None:
        """Note a page; the first of several with one address counts."""
        self._pages.setdefault(_spelling(page.url), page)

    def __len__(self) -> int:
        return len(self._pages)

    def pairs(self, languages: Sequence[Language] = ()) -> Iterator[TranslationPair]:
        """Every pair once, in the order of the addresses; with `languages`, of these only, the first one first."""
        evidence: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, keys in (("hreflang", self._named()), ("path", self._by_path())):
            for key in keys:
                if name not in evidence[key]:
                    evidence[key].append(name)
        order = {language: rank for rank, language in enumerate(languages)}
        for names in sorted(evidence):
            pages = [self._pages[name] for name in names]
            if order and any(page.language not in order for page in pages):
                continue
            pages.sort(key=lambda page: (order.get(page.language, 0), page.language, page.url))
            first, second = pages
            mutual = self._names(first, second) and self._names(second, first)
            yield TranslationPair(first, second, tuple(evidence[names]), mutual)

    def _names(self, page: TranslatedPage, other: TranslatedPage) -> bool:
        return _spelling(other.url) in {_spelling(url) for _, url in page.alternates}

    def _named(self) -> Iterator[tuple[str, str]]:
        """The pairs that a page names: itself with each of its versions, and these with each other."""
        for name, page in self._pages.items():
            promised: dict[str, Language | None] = {name: page.language}
            for code, url in page.alternates[:MOST_VERSIONS]:
                if code.lower() != "x-default" and (there := self._pages.get(spelling := _spelling(url))):
                    # what is promised must be what is there
                    promised[spelling] = there.language if find(code) == there.language else None
            yield from self._different(key for key, language in promised.items() if language)

    def _by_path(self) -> Iterator[tuple[str, str]]:
        groups: dict[str, list[str]] = defaultdict(list)
        coded: set[str] = set()
        for name, page in self._pages.items():
            key, code = without_code(page.url)
            if code is None or code == page.language:
                groups[_spelling(key)].append(name)
                if code:
                    coded.add(name)
        for names in groups.values():
            if 1 < len(names) <= MOST_VERSIONS:
                for pair in self._different(names):
                    if not coded.isdisjoint(pair):
                        yield pair

    def _different(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        for first, second in combinations(sorted(set(names)), 2):
            if self._pages[first].language != self._pages[second].language:
                yield first, second


def _spelling(url: str) -> str:
    """An address as addresses are compared: without http or https, `www.` and a slash at the end."""
    return re.sub(r"^https?://(?:www\.)?|/$", "", canonical(url) or url)


def without_code(url: str) -> tuple[str, Language | None]:
    """(the address without the code of a language, that language); the address as it is and None where it has none."""
    parts = _PARTS.match(url)
    if parts is None:
        return url, None
    scheme, host, path, query = parts[1], parts[2], parts[3], parts[4]
    label, _, rest = host.partition(".")
    if "." in rest and (language := _language(label)):
        return f"{scheme}{rest}{path}{f'?{query}' if query else ''}", language
    segments = path.split("/")
    for number, segment in enumerate(segments[1 : 1 + _FIRST_SEGMENTS], 1):
        if language := _language(segment):
            del segments[number]
            path = "/".join(segments) or "/"
            return f"{scheme}{host}{path}{f'?{query}' if query else ''}", language
    members = query.split("&") if query else []
    for member in members:
        name, _, value = member.partition("=")
        if name.lower() in _PARAMETERS and (language := _language(value)):
            left = "&".join(other for other in members if other != member)
            return f"{scheme}{host}{path}{f'?{left}' if left else ''}", language
    return url, None


def _language(code: str) -> Language | None:
    return find(code.replace("_", "-")) if _CODE.fullmatch(code) else None
