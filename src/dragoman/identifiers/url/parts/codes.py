"""Codes of languages and countries in a URL, found by the grammar of how sites write them.

| position | what | for example |
|---|---|---|
| `locale` | a language's and a country's code, either way round; in two segments | `/de-AT/`, `/sr-latn-rs/` |
| `first` | a language's code alone is the first segment of the path; `en` further on | `/de/`, `/world/en/` |
| `later` | the second to sixth; or before `_` what is a word as well | `/shop/de/`, `la_casa.html` |
| `front` | a language's code alone is the first label of three or more, the second behind `www` or `m` | `de.a.org` |
| `label` | the same of a country, of several languages or mostly a word | `us.example.org` |
| `value` | a value of the query whose key asks for a language or country; before an extension | `?hl=ca`, `a.uk.html` |
| `mark` | behind `_` at its end, before `_` at its start, `-fr.html`, `de.html` | `index_de.html`, `/docs-fr/` |
| `name` | a language's name as label, segment or value, or behind `-in-` | `/deutsch/`, `-in-hindi` |
| `family` | the first label where a family of sites has one site per language | `uk.wikipedia.org` |
| `capitals` | a segment in capitals, which is mostly something else | `w3.org/TR/` |
| `doubtful` | first segment: a country's alone, of several languages or mostly a word | `/pk/`, `/ca/`, `/my/` |

No code is what is joined to words by `-` (`/it-services`, `/la-liga`), a language and a country where hardly anybody
speaks it (`/et-al`), unless it is a language of the world or they are written `et-AL`, what phrases begin or end with
(`sign_in.php`), what is a word as well and stands before a number (`/id/123`), what is written like a name and is not
the first segment (`/wiki/Cat`), what a site is registered as (`spa.gov.sa`), and departments of universities
(`cs.stanford.edu`). A segment `-` does not count (`/-/en/`). Whatever is a code is no word. At most four are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.parts.keys import text_key
from dragoman.kernels.parts import MOST_CODES, NO_LANGUAGE, PHRASE, WORD, PartReader
from dragoman.kernels.parts_tables import small_value

#: How a code can stand; the place is the number that the kernels use.
POSITIONS = ("locale", "first", "later", "label", "value", "mark", "name", "family", "capitals", "doubtful", "front")
#: Segments of the path that may be codes.
SEGMENTS = 6
_LONGEST_QUERY_KEY, LONGEST_LOCALE = 12, 10
_LETTERS = re.compile(rb"[A-Za-z]{2,3}")
_LOCALE = re.compile(rb"([A-Za-z]{2,3})[-_](.+)", re.DOTALL)
#: What stands behind the language in `sr-Latn-RS`, whatever the country.
_SCRIPT_AND_COUNTRY = re.compile(rb"([A-Za-z]{4})[-_][A-Za-z]{2}")
_INTERNATIONAL = re.compile(rb"intl-(..)", re.DOTALL | re.IGNORECASE)
#: What stands behind a language's code in place of a country: scripts (`sr-Latn`) and parts of the world (`en-apac`).
#: Those that are words as well (Thai, Guru, Asia) are left out: `/en-asia/` is Spanish, too.
AREAS = frozenset(
    b"apac armn beng cyrl deva emea ethi geor grek gujr hans hant hebr int intl jpan lam mea row "
    b"khmr knda laoo latn mena mlym mong mymr olck orya sinh taml telu tfng tibt".split()
)
_EXTENSION = re.compile(rb"\.[A-Za-z]{1,6}\Z")
_NEGOTIATED = re.compile(rb".\.html\.([A-Za-z]{2})\Z", re.DOTALL)
#: In capitals they are as often codes as in small letters.
_USUAL_CAPITALS = (b"EN", b"DE", b"FR")
#: Codes that end the names of folders behind a hyphen; others are as often words: `/do-it/`, `/team-es/`.
_FOLDER_CODES = frozenset(b"cn de en fr ja jp kr nl pl pt ru zh".split())
_FOLDER = re.compile(rb"[^/-]{2,}-([A-Za-z]{2})|[^/]+_([A-Za-z]{2})")
#: What departments of universities are called, and how the domains of these end.
_DEPARTMENTS = frozenset(b"cs ee hr is it la ma me ms se".split())
_ACADEMIC = re.compile(rb"\.(?:edu|(?:ac|edu)\.[a-z]+)\Z", re.IGNORECASE)
_LAST_LETTERS = re.compile(rb"[A-Za-z]+\Z")
_FIRST_LETTERS = re.compile(rb"[A-Za-z]+(?=_)")


@dataclass(frozen=True)
class FoundCode:
    """A code, where it stands (text[start:end] of host and rest together), and what it is.

    `code` is the number of its letters; of a `locale` and a `name` it is the number of the language.
    """

    position: str
    code: int
    start: int
    end: int


def packed(letters: bytes) -> int:
    """Two or three ASCII letters as a number below 27 to the third, or -1.

    >>> packed(b"aa"), packed(b"ZZZ"), packed(b"a1"), packed(b"word")
    (28, 19682, -1, -1)
    """
    if not _LETTERS.fullmatch(letters):
        return -1
    number = 0
    for letter in letters.lower():
        number = number * 27 + letter - 96
    return number


#: `/x/en/` is English wherever it stands (1,047 of 1,059 labelled URLs); other codes are words too often.
_ENGLISH = packed(b"en")
#: What sites offer in countries where hardly anybody speaks it, too: `/en-jp/`, but not `/la-gi`.
WORLD_LANGUAGES = frozenset(map(packed, b"ar de en es fr it ja ko nl pt ru zh".split()))


@dataclass(frozen=True)
class CodeGrammar:
    """The codes of one URL: its text (host, then the rest), the same as bytes, the ends of its parts, the tables."""

    reader: PartReader
    text: str
    raw: bytes
    host_length: int
    #: Where the domain begins below which the host is registered.
    suffix_start: int
    #: Where the host's known site begins; its end where there is none.
    site_start: int

    def find(self, family: bool) -> list[FoundCode]:
        """The codes of the URL, in order; `family`: its site is one of a family with one site per language."""
        codes: list[FoundCode] = []
        self._label(family, codes)
        path = re.compile(rb"[^?#]*").match(self.raw, self.host_length)
        path_end = path.end() if path else self.host_length
        self._segments(path_end, codes)
        if self.raw[path_end : path_end + 1] == b"?":
            self._query(path_end + 1, codes)
        return codes[:MOST_CODES]

    def _label(self, family: bool, codes: list[FoundCode]) -> None:
        labels = self.raw[: self.host_length].split(b".")
        if len(labels) < 3:
            return
        start = 0
        if len(labels) > 3 and labels[0].lower() in (b"www", b"m"):
            start = len(labels.pop(0)) + 1
        if start + len(labels[0]) + 1 >= self.suffix_start or start >= self.site_start:
            return  # www.spa.gov.sa, cat.elpais.com
        if labels[0].lower() in _DEPARTMENTS and _ACADEMIC.search(self.raw[: self.host_length]):
            return
        own = "front" if self._is_sure(packed(labels[0])) else "label"
        self._stretch(start, start + len(labels[0]), "family" if family else own, True, codes)

    def _segments(self, path_end: int, codes: list[FoundCode]) -> None:
        number, behind = 0, 0
        spans = [match.span() for match in re.compile(rb"[^/]+").finditer(self.raw, self.host_length, path_end)]
        for index, (start, end) in enumerate(spans):
            if number >= SEGMENTS:
                return
            if start < behind or self.raw[start:end] == b"-":  # amazon.de/-/en/
                continue
            code, taken = packed(self.raw[start:end]), False
            position = "first" if self._is_sure(code) else "doubtful"
            if number:
                position = "first" if code == _ENGLISH else "later"
            if self._is_known(code):
                if number == 0 and index + 1 < len(spans) and spans[index + 1][0] == end + 1:
                    second = packed(self.raw[slice(*spans[index + 1])])
                    language = self._language_of_pair(code, second, False) if self._is_known(second) else -1
                    if language >= 0:
                        behind = spans[index + 1][1]
                        codes.append(FoundCode("locale", language, start, behind))
                        number += 2
                        continue
                taken = True
                before_number = end + 1 < path_end and self.raw[end + 1 : end + 2].isdigit()
                title = number > 0 and self.raw[start:end].istitle()
                words = self.reader.code_wordlike[code] and code not in WORLD_LANGUAGES  # /de/3/ is German
                if not (title or (before_number and words)):
                    capitals = self.raw[start:end].isupper() and self.raw[start:end] not in _USUAL_CAPITALS
                    codes.append(FoundCode("capitals" if capitals else position, code, start, end))
            else:
                taken = self._stretch(start, end, position, number <= 1, codes)
            codes_before = len(codes)
            if not taken and end + 1 >= path_end:
                self._marks(start, end, codes)
            if not taken and len(codes) == codes_before:
                self._folder_mark(start, end, codes)
            number += 1

    def _marks(self, start: int, end: int, codes: list[FoundCode]) -> None:
        extension = _EXTENSION.search(self.raw[start:end])
        negotiated = _NEGOTIATED.search(self.raw[start:end])
        if negotiated and self._is_sure(code := packed(negotiated[1])):
            codes.append(FoundCode("mark", code, end - 2, end))
            return
        if extension:
            end = start + extension.start()
            if self._is_sure(code := packed(self.raw[start:end])):
                codes.append(FoundCode("mark", code, start, end))
                return
            if 5 <= end - start <= LONGEST_LOCALE and (language := self._language_of_locale(self.raw[start:end])) >= 0:
                codes.append(FoundCode("locale", language, start, end))
                return
        segment = self.raw[start:end]
        if (last := _LAST_LETTERS.search(segment)) and last.start() > 0:
            before, code = segment[last.start() - 1 : last.start()], packed(last[0])
            joined = before == b"-" and extension and segment.count(b"-") < 3
            at = start + last.start()
            if self._is_mark(code) and (before in (b"_", b".") or joined):
                codes.append(FoundCode("value" if before == b"." and extension else "mark", code, at, end))
            elif segment[: last.start()].endswith(b"-in-"):
                self._name(at, end, codes)
        if (first := _FIRST_LETTERS.match(segment)) and not codes and self._is_mark(code := packed(first[0])):
            position = "later" if self.reader.code_wordlike[code] else "mark"
            codes.append(FoundCode(position, code, start, start + first.end()))

    def _folder_mark(self, start: int, end: int, codes: list[FoundCode]) -> None:
        """`/manuals-jp/`, `/shop_fr/`, `/imprint-en`; of codes that are words as well none."""
        if folder := _FOLDER.fullmatch(self.raw, start, end):
            code = packed(folder[1] or folder[2])
            believed = folder[1].lower() in _FOLDER_CODES if folder[1] else self._is_sure(code)
            if believed and not self.reader.code_wordlike[code]:
                codes.append(FoundCode("mark", code, end - 2, end))

    def _is_sure(self, code: int) -> bool:
        """A language's code that alone means that language, mostly."""
        reader = self.reader
        return code >= 0 and reader.code_language[code] != NO_LANGUAGE and bool(reader.code_wordlike[code] <= WORD)

    def _is_mark(self, code: int) -> bool:
        """`sign_in.php` and `about_us.html` have none."""
        return self._is_known(code) and bool(self.reader.code_wordlike[code] != PHRASE)

    def _query(self, start: int, codes: list[FoundCode]) -> None:
        end = self.raw.find(b"#", start)
        end = len(self.raw) if end < 0 else end
        for match in re.compile(rb"[^&;]+").finditer(self.raw, start, end):
            key, equals, _ = match[0].partition(b"=")
            value = match.start() + len(key) + 1
            name = self.text[match.start() : value - 1]
            if equals and len(key) <= _LONGEST_QUERY_KEY and self._in(self.reader.query_keys, name) >= 0:
                self._stretch(value, match.end(), "value", True, codes)

    def _stretch(self, start: int, end: int, position: str, named: bool, codes: list[FoundCode]) -> bool:
        """Add what is a code, a locale or (where `named`) a language's name and nothing else; True if it is."""
        code = packed(self.raw[start:end])
        if self._is_known(code):
            codes.append(FoundCode(position, code, start, end))
            return True
        if 5 <= end - start <= LONGEST_LOCALE and (language := self._language_of_locale(self.raw[start:end])) >= 0:
            codes.append(FoundCode("locale", language, start, end))
            return True
        return named and 4 <= end - start <= 16 and self._name(start, end, codes)

    def _name(self, start: int, end: int, codes: list[FoundCode]) -> bool:
        language = self._in(self.reader.names, self.text[start:end])
        if language >= 0:
            codes.append(FoundCode("name", language, start, end))
        return language >= 0

    def _language_of_locale(self, stretch: bytes) -> int:
        """de-AT, pt_br, ch-fr, sr-Latn, sr-latn-rs, es-419, intl-de: the language, or -1."""
        if international := _INTERNATIONAL.fullmatch(stretch):
            code = packed(international[1])
            spoken = int(self.reader.code_language[code]) if code >= 0 else NO_LANGUAGE
            return -1 if spoken == NO_LANGUAGE else spoken
        if not (locale := _LOCALE.fullmatch(stretch)):
            return -1
        first, rest = packed(locale[1]), locale[2]
        if with_script := _SCRIPT_AND_COUNTRY.fullmatch(rest):
            rest = with_script[1]
        language = self._language_of_pair(first, packed(rest), locale[1].islower() and rest.isupper())
        if (
            language < 0
            and self.reader.code_language[first] != NO_LANGUAGE
            and ((len(rest) == 3 and rest.isdigit()) or rest.lower() in AREAS)
        ):
            return int(self.reader.code_language[first])
        return language

    def _language_of_pair(self, first: int, second: int, usual: bool) -> int:
        """The language of two codes of which one is a language's and the other a country's; -1 if they are not.

        `usual`: they are written as locales mostly are, `de-AT`.
        """
        if first < 0 or second < 0:
            return -1
        best, most, of_world = -1, -1, False
        for language, country in ((first, second), (second, first)):
            spoken, where = int(self.reader.code_language[language]), int(self.reader.code_country[country])
            if NO_LANGUAGE in (spoken, where):
                continue
            share = int(self.reader.shares[where, spoken])
            if share > most:
                best, most, of_world = spoken, share, language in WORLD_LANGUAGES
        wordlike = self.reader.code_wordlike
        words = wordlike[first] == PHRASE or (wordlike[first] and wordlike[second] and not usual)
        # am-pm, do-it, et-al: words, and nobody there speaks it
        return -1 if most == 0 and (words or not (of_world or usual)) else best

    def _is_known(self, code: int) -> bool:
        reader = self.reader
        return code >= 0 and not reader.code_language[code] == reader.code_country[code] == NO_LANGUAGE

    @staticmethod
    def _in(table: NDArray[np.uint64], text: str) -> int:
        return small_value(table, text_key(text))


def meaning_of(reader: PartReader, code: FoundCode) -> int:
    """The row of what a code means: a language's own, or behind those that of a mixed meaning; -1 for none."""
    if code.position in ("locale", "name"):
        return code.code
    language = int(reader.code_language[code.code])
    if code.position in ("family", "value") and language != NO_LANGUAGE:
        return language
    row = int(reader.code_meaning[code.code])
    return -1 if row < 0 or code.position == "family" else reader.width + row
