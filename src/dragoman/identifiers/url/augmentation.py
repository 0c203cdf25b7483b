"""URLs made for training: what real URLs show too rarely, so that a model learns which part of a URL to believe.

Eight kinds, each with the language as its label. A *host* below is a real host, mostly of another language, so that the
made part alone decides.

- `code`: a language or locale code in a short URL: `/fr/`, `fr.`, `?lang=fr`, `_fr.html`, `/fr-ca/`.
- `name`: the language's own or English name in the same places: `/deutsch/`, `?lang=english`.
- `slug`: words of the language in the path of a generic domain.
- `glued`: two or three words of the language as a generic domain: `wassergarten.com`.
- `branded`: one word of the language and one that many languages share as a generic domain: `wasserbett-test.com`.
- `mixed`: a host of the language with a short English path.
- `deep`: a code somewhere in the path of any URL of few words: the code wins over the words.
- `empty`: what says nothing (`bit.ly/3xYz`), labelled as URLs are on the whole, so that the answer is that mixture;
  also words that could be codes (`/id/4711`).
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from dragoman import languages as tables
from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage, need
from dragoman.identifiers.url.dictionaries import german

#: Shares of the kinds among the made URLs.
KINDS = {
    "code": 0.23, "slug": 0.21, "glued": 0.16, "branded": 0.05, "mixed": 0.17, "deep": 0.09, "name": 0.06,
    "empty": 0.03,
}  # fmt: skip
GENERIC = ("com", "com", "com", "org", "net", "info", "eu")
#: Codes that sites use besides the language's own.
OTHER_CODES = {
    "zh": ("cn", "zh-cn", "zh-hans", "tw", "zh-tw"), "no": ("nb", "nn"), "ja": ("jp",), "ko": ("kr",), "cs": ("cz",),
    "uk": ("ua",), "en": ("uk", "uk", "us", "gb"), "da": ("dk",), "sv": ("se",), "el": ("gr",), "et": ("ee",),
    "sl": ("si",),
}  # fmt: skip
#: How often: `/uk/` is mostly English, so Ukrainian is mostly `ua`.
OTHER_SHARES = {"en": 0.15, "uk": 0.6}
#: Three-letter codes that are no ordinary words (`fin`, `mar` and `est` are).
LONG_CODES = frozenset(
    ("eng", "deu", "fra", "spa", "ita", "por", "rus", "pol", "nld", "ces", "tur", "jpn", "zho", "kor")
)
#: Words of domains in many languages.
SHARED = (
    "app", "art", "bar", "bio", "blog", "center", "city", "club", "design", "digital", "e", "expert", "express", "fit",
    "forum", "go", "group", "home", "hotel", "info", "land", "life", "mail", "market", "media", "music", "my", "net",
    "news", "online", "photo", "plus", "portal", "pro", "radio", "shop", "smart", "sport", "store", "studio", "team",
    "tech", "test", "top", "travel", "tv", "video", "web", "world", "x",
)  # fmt: skip
#: Hosts that shorten links to anywhere; their domains name countries by accident.
SHORTENERS = (
    "bit.ly", "t.co", "goo.gl", "youtu.be", "ow.ly", "tinyurl.com", "is.gd", "buff.ly", "amzn.to", "fb.me", "lnkd.in",
    "dlvr.it", "ift.tt", "wp.me", "j.mp", "tiny.cc", "cutt.ly", "rb.gy", "t.me", "t.ly", "v.gd", "spoti.fi", "nyti.ms",
)  # fmt: skip
#: Codes of languages that paths use as ordinary words.
NO_CODES = ("id", "id", "id", "my", "no", "is", "so", "am", "he", "hi", "or", "as", "to", "se", "mg", "tt", "si", "ta")
QUERY_KEYS = ("lang", "lang", "lang", "language", "hl", "locale", "l", "lng")
#: Where wordfreq keeps a language under another name.
WORD_LISTS = {"no": "nb", "sr": "sh", "hr": "sh", "bs": "sh", "tl": "fil"}
#: Real URLs from which on a language's name is made into URLs: else `hausa` would make `haus` Hausa.
LEAST_FOR_NAMES = 1000
#: Languages written without spaces: wordfreq would need a tokeniser, and URLs seldom show their words.
UNSPACED = frozenset({"ja", "zh", "ko", "th"})
MOST_WORDS = 20_000
#: Rows from which hosts and paths are taken, drawn at random: enough for variety, and no more time for more URLs.
MOST_ROWS = 1_000_000

_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile("[a-zA-Z]{2,}")


def augment(
    urls: ByteColumn,
    truth: NDArray[np.int64],
    languages: Sequence[str],
    number: int,
    texts: Mapping[str, list[str]],
    seed: int = 0,
) -> tuple[ByteColumn, NDArray[np.int64]]:
    """About `number` made URLs and the number of their language; every language gets its share to the power of 1/2."""
    maker = Maker(urls, truth, languages, texts, seed)
    counts = np.maximum(np.bincount(truth, minlength=len(languages)), 300) ** 0.5
    made: list[str] = []
    of: list[int] = []
    for kind, share in KINDS.items():
        if kind == "empty":
            for place in maker.rng.choices(truth.tolist(), k=round(share * number)):
                made.append(maker.empty())
                of.append(place)
            continue
        for place, portion in enumerate((counts / counts.sum() * share * number).astype(int).tolist()):
            for _ in range(portion):
                if url := getattr(maker, kind)(place):
                    made.append(url)
                    of.append(place)
    return ByteColumn.from_rows(made), np.array(of, np.int64)


class Maker:
    """Makes one URL at a time; the same seed and URLs make the same ones."""

    def __init__(
        self,
        urls: ByteColumn,
        truth: NDArray[np.int64],
        languages: Sequence[str],
        texts: Mapping[str, list[str]],
        seed: int,
    ) -> None:
        self.rng = random.Random(seed)
        self.languages = languages
        self.hosts: list[list[str]] = [[] for _ in languages]
        self.generic: list[str] = ["example.com"]
        self.english: list[str] = ["", "about", "contact", "products", "index.html"]
        self.short: list[tuple[str, str]] = [("www.example.com", "")]
        self.few_words: list[tuple[str, str]] = [("www.example.com", "")]
        for row in self._some_rows(len(truth)):
            host, _, path = re.sub("^[a-z]+:/*", "", urls[row].decode("utf-8", "replace")).partition("/")
            words = len(_LETTERS.findall(path))
            self.hosts[truth[row]].append(host)
            if host.rpartition(".")[2] in (*GENERIC, "io", "co", "tv"):
                self.generic.append(host.removeprefix("www."))
            if languages[truth[row]] == "en" and 1 <= words <= 2 and len(path) < 30:
                self.english.append(path)
            if words <= 3 and len(path) < 40:
                self.short.append((host.removeprefix("www."), path))
            if words <= 6:
                self.few_words.append((host, path))
        self.words = {language: _weighted(_words(language, texts.get(language, []))) for language in languages}

    def _some_rows(self, rows: int) -> Sequence[int]:
        return range(rows) if rows <= MOST_ROWS else sorted(self.rng.sample(range(rows), MOST_ROWS))

    def _pick(self, place: int, number: int) -> list[str]:
        words, weights = self.words[self.languages[place]]
        return self.rng.choices(words, cum_weights=weights, k=number) if words else []

    def _code(self, place: int) -> str:
        language, draw = self.languages[place], self.rng.random()
        if language in OTHER_CODES and draw < OTHER_SHARES.get(language, 0.35):
            return self.rng.choice(OTHER_CODES[language])
        try:
            if draw < 0.43 and draw >= 0.35 and tables.alpha3(language) in LONG_CODES:
                return tables.alpha3(language)
            if draw < 0.6 and draw >= 0.43 and len(language) == 2:
                region = self.rng.choice(sorted(tables.country_domains(language)) or [language])
                return f"{language}{self.rng.choice('-_')}{self.rng.choice([region, region.upper()])}"
        except UnknownLanguage:
            pass
        return language

    def code(self, place: int) -> str:
        """A code in a short URL."""
        if self.rng.random() < 0.5:
            host, path = self.rng.choice(self.short)
        else:
            host, path = self.rng.choice(self.generic), self.rng.choice(self.english)
        return self._with_mark(host, path, self._code(place))

    def name(self, place: int) -> str | None:
        """The language's name in a short URL; not for languages with few real URLs, which it would swamp."""
        language = self.languages[place]
        if len(self.hosts[place]) < LEAST_FOR_NAMES:
            return None
        try:
            word = (
                self.rng.choice([tables.name(language), unmarked(tables.native_name(language))]).lower().split(" ")[0]
            )
        except UnknownLanguage:
            word = language
        host, path = self.rng.choice(self.short)
        return self._with_mark(host, path, quote(word.capitalize() if self.rng.random() < 0.3 else word))

    def _with_mark(self, host: str, path: str, mark: str) -> str:
        draw, rng = self.rng.random(), self.rng
        www = rng.choice(["", "www.", "www."])
        bare = re.sub(r"[.?].*$", "", path)
        if draw < 0.42:
            return f"http://{www}{host}/{mark}/{path}"
        if draw < 0.5:
            return f"http://{www}{host}/{mark}"
        if draw < 0.66:
            return f"http://{re.split('[-_]', mark)[0]}.{host}/{path}"
        if draw < 0.82:
            return f"http://{www}{host}/{path}{'&' if '?' in path else '?'}{rng.choice(QUERY_KEYS)}={mark}"
        if draw < 0.88:
            return f"http://{www}{host}/{bare}{rng.choice('_-.')}{mark}.{rng.choice(['html', 'htm', 'php', 'pdf'])}"
        if draw < 0.92:
            return f"http://{www}{host}/{mark}{rng.choice('_-.')}{path}"
        if draw < 0.95:
            first, _, rest = path.partition("/")
            return f"http://{www}{host}/{first}{rng.choice('_-')}{mark}/{rest}"
        return f"http://{www}{host}/{path.rstrip('/')}/{mark}/"

    def deep(self, place: int) -> str:
        """A code somewhere in the path of any URL of few words."""
        host, path = self.rng.choice(self.few_words)
        segments = path.split("/")
        at = self.rng.randrange(len(segments) + 1) if self.rng.random() < 0.5 else 0
        return f"http://{host}/{'/'.join([*segments[:at], self.languages[place], *segments[at:]])}"

    def slug(self, place: int) -> str | None:
        """Words of the language in a path."""
        words = self._pick(place, self.rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8]))
        if not words:
            return None
        joined = self.rng.choice("----__+/").join(self._spelled(self.languages[place], word) for word in words)
        folder = self.rng.choice(["", "", "", "news/", "blog/", "article/", "2019/03/", "p/", "wiki/", "index.php/"])
        ending = self.rng.choice(["", "", "/", ".html", f"-{self.rng.randrange(9999)}"])
        return f"http://www.{self.rng.choice(self.generic)}/{folder}{joined}{ending}"

    def glued(self, place: int) -> str | None:
        """Words of the language as a domain."""
        long = [word for word in self._pick(place, 4) if len(word) > 2][: self.rng.choice([1, 2, 2, 3])]
        plain = [german(word) if self.languages[place] == "de" else unmarked(word) for word in long]
        if not plain or not all(word.isascii() for word in plain):
            return None
        return f"http://www.{self.rng.choice(['', '', '-']).join(plain)}.{self.rng.choice(GENERIC)}/"

    def branded(self, place: int) -> str | None:
        """A word of the language and one that many share as a domain."""
        long = [word for word in self._pick(place, 3) if len(word) > 3][:1]
        plain = [german(word) if self.languages[place] == "de" else unmarked(word) for word in long]
        if not plain or not plain[0].isascii():
            return None
        plain.insert(self.rng.choice([0, 1, 1]), self.rng.choice(SHARED))
        www = self.rng.choice(["", "www.", "www."])
        return f"http://{www}{self.rng.choice(['', '', '-']).join(plain)}.{self.rng.choice(GENERIC)}/"

    def empty(self) -> str:
        """A URL that says nothing: signs at random on a host that shortens links."""
        host, draw = self.rng.choice(SHORTENERS), self.rng.random()
        if draw < 0.2:
            host, path = self.rng.choice(self.short)
            rest = str(self.rng.randrange(10**6)) if self.rng.random() < 0.6 else self.rng.choice(self.english)
            return f"http://{host}/{path.partition('/')[0]}/{self.rng.choice(NO_CODES)}/{rest}"
        if draw < 0.5:
            host = "".join(self.rng.choices(_SIGNS[:26], k=self.rng.randrange(2, 5))) + "." + self.rng.choice(GENERIC)
        return f"http://{host}/{''.join(self.rng.choices(_SIGNS, k=self.rng.randrange(4, 11)))}"

    def mixed(self, place: int) -> str | None:
        """A host of the language with a short English path."""
        hosts = self.hosts[place]
        return f"http://{self.rng.choice(hosts)}/{self.rng.choice(self.english)}" if hosts else None

    def _spelled(self, language: str, word: str) -> str:
        """A word as URLs write it: Latin letters mostly without marks, other scripts mostly escaped."""
        draw = self.rng.random()
        if word.isascii():
            return word
        if any(ord(character) > 0x24F for character in word):
            return quote(word) if draw < 0.8 else word
        if language == "de" and draw < 0.6:
            return german(word)
        return unmarked(word) if draw < 0.8 else quote(word)


def unmarked(word: str) -> str:
    """A word without marks, and the letters that have none to lose in their usual stead.

    >>> unmarked("smørrebrød"), unmarked("łódź"), unmarked("español")
    ('smorrebrod', 'lodz', 'espanol')
    """
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return plain.translate(_PLAIN)


_PLAIN = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})


def _words(language: str, texts: list[str]) -> list[tuple[str, float]]:
    """(word, frequency) of a language: from wordfreq where it has a list, else counted in the texts."""
    wordfreq = need("train", "wordfreq")
    name = WORD_LISTS.get(language, language)
    if language not in UNSPACED and name in wordfreq.available_languages("best"):
        return list(_listed(name))
    counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    total = sum(counts.values())
    return [(word, count / total) for word, count in counts.most_common(MOST_WORDS)]


@lru_cache(maxsize=128)
def _listed(name: str) -> tuple[tuple[str, float], ...]:
    """(word, frequency) of wordfreq's list; kept, for it is asked a word at a time, and every run asks again."""
    wordfreq = need("train", "wordfreq")
    words = wordfreq.top_n_list(name, MOST_WORDS)
    return tuple((word, wordfreq.word_frequency(word, name)) for word in words if _WORD.fullmatch(word))


def _weighted(words: list[tuple[str, float]]) -> tuple[list[str], list[float]]:
    """Words and running sums of their flattened frequencies: the most frequent words are drawn less than they occur."""
    return [word for word, _ in words], list(accumulate(frequency**0.6 for _, frequency in words))
