"""URLs made of words and phrases, in equal numbers for every language: what a stranger types, and few lists hold."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from urllib.parse import quote

from dragoman.identifiers.url.parts.code_book import CodeBook
from url_material.proper_names import ProperNames
from url_material.spelling import forms, listed, unmarked
from url_material.texts import Phrases, menus

#: How many of each kind a language has.
SHARES = {
    "menu": 5000, "interface": 6000, "navigation": 4400, "headline": 5200, "frequent": 3200, "glued": 2600,
    "branded": 800, "mixed": 1800, "coded": 1400, "rare": 18000, "compound": 9000, "named": 4500, "abbreviated": 2500,
}  # fmt: skip
#: English tells of all the world, has abbreviations for most of it, and more words in addresses than any other.
MORE_ENGLISH = {
    "named": 10, "abbreviated": 4, "navigation": 2, "headline": 2, "interface": 2, "frequent": 2, "rare": 2,
}  # fmt: skip
#: Languages of two scripts need more of everything.
MORE = {"sr": 1.8, "az": 1.2, "uz": 1.2}
#: How many say nothing, and how many have words of every site on any host: labelled as sites are on the whole.
EMPTY, COMMON = 60_000, 120_000

_DOMAINS = ("com",) * 6 + ("org", "org", "net", "net", "info", "io", "eu", "co")
_SHARED = listed(
    "app art bar bio blog center city club design digital e expert express fit forum go group home hotel info "
    "land life mail market media music my net news online photo plus portal pro radio shop smart sport store "
    "studio team tech test top travel tv video web world x"
)
_FOLDERS = (
    *("",) * 6, "news/", "blog/", "2024/05/", "2019/03/12/", "index.php/", "article/", "p/", "wiki/", "category/",
    "tag/", "page/", "posts/", "a/", "articles/", "products/", "shop/", "c/", "t/", "docs/", "help/",
)  # fmt: skip
_ENDINGS = (
    *("",) * 4, "/", "/", ".html", ".html", ".htm", ".php", "-{}", "-{}.html", "/{}", ".aspx", "?id={}", "_{}.html",
    "?page=2",
)  # fmt: skip
#: How often the path beside a code is a phrase of English.
_ENGLISH = 0.4
_SYLLABLES = [c + v for c in "bcdfgklmnprstvz" for v in "aeiou"] + listed("tra bri clo nex vel dor lin ron tis lux")
_SHORTENERS = listed(
    "bit.ly t.co goo.gl youtu.be ow.ly tinyurl.com is.gd buff.ly amzn.to fb.me lnkd.in wp.me t.me t.ly"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = _LETTERS + _LETTERS.upper() + "0123456789"
#: Powers of a word's frequency by which it is drawn: n-grams learn most from words that the table of words has not.
_FREQUENT, _RARE = 0.6, 0.25
#: Paths that stand on sites of every language.
EVERYWHERE = listed(
    "about contact products support index.html services news blog download login search help faq privacy terms "
    "shop cart team careers jobs events media press docs forum gallery video photos home about-us contact-us "
    "privacy-policy api admin user account tag category page/2 archives feed rss sitemap.xml wp-content/uploads "
    "iphone android app apps store pricing features solutions customers partners company resources developers "
    "status legal cookies p/12345"
)


class SlugMaker:
    """Makes one URL at a time; the same seed and material make the same ones."""

    def __init__(
        self,
        words: Mapping[str, Mapping[str, float]],
        phrases: Mapping[str, Phrases],
        hosts: Mapping[str, Sequence[str]],
        neutral_hosts: Sequence[str],
        paths: Sequence[str],
        codes: CodeBook,
        names: ProperNames,
        seed: int,
    ) -> None:
        self.draw, self.menus, self.names = random.Random(seed), menus(), names
        self.phrases, self.hosts, self.neutral_hosts, self.paths = phrases, hosts, neutral_hosts, paths
        self._words, self._rare_words = (
            {
                tag: (list(frequency), list(accumulate(value**power for value in frequency.values())))
                for tag, frequency in words.items()
            }
            for power in (_FREQUENT, _RARE)
        )
        self.codes: dict[str, list[tuple[str, float]]] = {}
        self.countries: dict[str, list[str]] = {}
        for code, meaning in codes.meanings.items():
            for tag, share in meaning.items():
                if share > 0.02:
                    self.codes.setdefault(tag, []).append((code, share * (3 if code == tag else 1)))
        for code, spoken in codes.countries.items():
            for tag, share in spoken.items():
                if share > 0.1:
                    self.countries.setdefault(tag, []).append(code)

    def every(
        self, languages: Sequence[str], scale: float = 1.0, left_out: Collection[str] = ()
    ) -> Iterator[tuple[str, str]]:
        """(URL, language) of all kinds but those that say nothing, and those left out."""
        for kind, number in ((kind, number) for kind, number in SHARES.items() if kind not in left_out):
            for tag in languages:
                more = MORE_ENGLISH.get(kind, 1) if tag == "en" else MORE.get(tag, 1.0)
                for _ in range(round(number * scale * more)):
                    if url := getattr(self, kind)(tag):
                        yield url, tag

    def host(self) -> str:
        """A host that speaks no language: an invented one, or one of a generic domain, whatever its language."""
        draw = self.draw
        if self.neutral_hosts and draw.random() >= 0.6:
            name = draw.choice(self.neutral_hosts)
        else:
            name = "".join(draw.choices(_SYLLABLES, k=draw.choice((2, 2, 3, 3, 4))))
            if draw.random() < 0.3:
                name += draw.choice(("-", "", "")) + draw.choice(_SHARED)
            name += "." + draw.choice(_DOMAINS)
        return ("www." if draw.random() < 0.4 else "") + name

    def _spelled(self, tag: str, word: str, at: float) -> str:
        """The form of a word at a place between 0 and 1 of their shares: a slug is written one way throughout."""
        known = forms(tag, word)
        left = at * sum(share for _, share in known)
        for form, share in known:
            left -= share
            if left <= 0:
                return form
        return known[-1][0]

    def _slug(self, tag: str, words: Sequence[str]) -> str:
        draw, at = self.draw, self.draw.random()
        joint = draw.choice("-------___+/") if len(words) < 6 else draw.choice("-----_")
        path = joint.join(self._spelled(tag, word, at) for word in words)
        if not path.isascii() and draw.random() < 0.8:
            path = quote(path, safe="/-_+")
        ending = draw.choice(_ENDINGS).format(draw.randrange(1, 99_999))
        return f"https://{self.host()}/{draw.choice(_FOLDERS)}{path}{ending}"

    def navigation(self, tag: str) -> str | None:
        """A short message of a program; a few words of a sentence where there is none."""
        draw, some = self.draw, self.phrases[tag]
        if some.messages and (not some.sentences or draw.random() >= 0.15):
            return self._slug(tag, draw.choice(some.messages))
        if not some.sentences:
            return None
        words, number = draw.choice(some.sentences), draw.randrange(1, 5)
        start = draw.randrange(max(1, len(words) - number))
        return self._slug(tag, words[start : start + number])

    def menu(self, tag: str) -> str | None:
        """What stands in a menu; None for a language without."""
        known = self.menus.get(tag)
        return self._slug(tag, self.draw.choice(known)) if known else None

    def interface(self, tag: str) -> str | None:
        """A short message of a web site's software; None for a language without."""
        known = self.phrases[tag].interface
        return self._slug(tag, self.draw.choice(known)) if known else None

    def headline(self, tag: str) -> str | None:
        """Three to eight words of a sentence, mostly its first."""
        draw, some = self.draw, self.phrases[tag]
        if not some.sentences:
            return self.navigation(tag)
        words, number = draw.choice(some.sentences), draw.choice((3, 4, 5, 6, 7, 8, 8, 8))
        start = 0 if draw.random() < 0.7 else draw.randrange(max(1, len(words) - number))
        return self._slug(tag, words[start : start + number])

    def _drawn(self, tag: str, number: int, rare: bool = False) -> list[str]:
        words, weights = (self._rare_words if rare else self._words)[tag]
        return self.draw.choices(words, cum_weights=weights, k=number) if words else []

    def _for_a_domain(self, tag: str, number: int, least: int, rare: bool = False) -> list[str]:
        """Words as a domain can have them: Latin letters, no marks; empty where the script is another."""
        at = 0.3 + 0.7 * self.draw.random()
        long = [word for word in self._drawn(tag, 4, rare) if len(word) > least][:number]
        plain = [unmarked(self._spelled(tag, word, at)) for word in long]
        return plain if all(word.isascii() for word in plain) else []

    def frequent(self, tag: str) -> str | None:
        """One to three frequent words that do not belong together."""
        words = self._drawn(tag, self.draw.choice((1, 1, 1, 2, 2, 3)))
        return self._slug(tag, words) if words else None

    def rare(self, tag: str) -> str | None:
        """One or two words of the list, rare ones nearly as often as frequent ones."""
        words = self._drawn(tag, self.draw.choice((1, 1, 1, 2)), rare=True)
        return self._slug(tag, words) if words else None

    def _few_words(self, tag: str) -> list[str]:
        """One to three words that stand beside a name: of a menu, of a sentence, or drawn."""
        draw, some, kind = self.draw, self.phrases[tag], self.draw.random()
        short = self.menus.get(tag) if kind < 0.2 else some.interface if kind < 0.35 else some.messages
        if kind < 0.5 and short:
            return list(draw.choice(short)[:3])
        if kind < 0.65 and some.sentences:
            words, number = draw.choice(some.sentences), draw.randrange(1, 4)
            start = draw.randrange(max(1, len(words) - number))
            return words[start : start + number]
        return self._drawn(tag, draw.choice((1, 1, 2)), rare=draw.random() < 0.5)

    def named(self, tag: str) -> str | None:
        """A name from anywhere beside words of the language: `hotels-in-buenos-aires`."""
        words, name = self._few_words(tag), self.names.draw(self.draw, tag)
        if not words or not name:
            return None
        return self._slug(tag, [*name, *words] if self.draw.random() < 0.5 else [*words, *name])

    def abbreviated(self, tag: str) -> str | None:
        """Two or three letters beside words of the language: `va-loans`, `sd-card-recovery`."""
        draw, words = self.draw, self._few_words(tag)
        if not words:
            return None
        letters = "".join(draw.choices(_LETTERS, k=draw.choice((2, 2, 2, 2, 3))))
        if draw.random() < 0.2:
            letters = draw.choice((letters[0] + str(draw.randrange(1, 30)), str(draw.randrange(1, 10)) + letters[0]))
        words.insert(0 if draw.random() < 0.7 else draw.randrange(len(words) + 1), letters)
        return self._slug(tag, words)

    def _domain(self, words: Sequence[str]) -> str:
        draw = self.draw
        www = "www." if draw.random() < 0.5 else ""
        return f"http://{www}{draw.choice(('', '', '-')).join(words)}.{draw.choice(_DOMAINS)}/"

    def glued(self, tag: str) -> str | None:
        """One to three words as a domain: `wassergarten.com`."""
        words = self._for_a_domain(tag, self.draw.choice((1, 2, 2, 3)), 2)
        return self._domain(words) if words else None

    def compound(self, tag: str) -> str | None:
        """The same with words that may be rare: `fietsenwinkel.com`."""
        words = self._for_a_domain(tag, self.draw.choice((1, 2, 2, 3)), 2, rare=True)
        return self._domain(words) if words else None

    def branded(self, tag: str) -> str | None:
        """A word of the language and one that many share as a domain: `wasserbett-test.com`."""
        words = self._for_a_domain(tag, 1, 3)
        if not words:
            return None
        words.insert(self.draw.choice((0, 1, 1)), self.draw.choice(_SHARED))
        return self._domain(words)

    def mixed(self, tag: str) -> str | None:
        """A host of the language with a path that stands everywhere."""
        hosts = self.hosts.get(tag)
        return f"http://{self.draw.choice(hosts)}/{self.draw.choice(self.paths)}" if hosts else None

    def coded(self, tag: str) -> str | None:
        """A code of the language, or of a country where it is read, beside a path that stands everywhere."""
        draw, known = self.draw, self.codes.get(tag)
        if not known:
            return None
        code = draw.choices([name for name, _ in known], weights=[share for _, share in known])[0]
        host, path, kind = self.host(), draw.choice(self.paths), draw.random()
        english = self.phrases["en"].messages if "en" in self.phrases else []
        if english and draw.random() < _ENGLISH:
            # sites translate their pages more often than the addresses of these
            path = "-".join(draw.choice(english)[:6])
        if kind < 0.4:
            return f"https://{host}/{code}/{path}"
        if kind < 0.55:
            return f"https://{code}.{host.removeprefix('www.')}/{path}"
        if kind < 0.65:
            return f"https://{host}/{path}?{draw.choice(('lang', 'hl', 'language', 'locale', 'lang'))}={tag}"
        if kind < 0.85 and (countries := self.countries.get(tag)):
            country = draw.choice(countries)
            if draw.random() < 0.2:
                return f"https://{host}/{path}?locale={tag}-{country.upper()}"
            joined = (f"{tag}-{country}", f"{tag}_{country.upper()}", f"{country}/{tag}", f"{country}-{tag}")
            return f"https://{host}/{draw.choice(joined)}/{path}"
        if kind < 0.93:
            name = path.rpartition("/")[2].partition(".")[0] or "index"
            return f"https://{host}/{name}{draw.choice('_._')}{code}.{draw.choice(('html', 'htm', 'php', 'pdf'))}"
        return f"https://{host}/{path.rstrip('/')}/{code}/"

    def empty(self) -> str:
        """A URL that says nothing."""
        draw, kind = self.draw, self.draw.random()
        signs = "".join(draw.choices(_SIGNS, k=draw.randrange(4, 11)))
        if kind < 0.4:
            return f"https://{self.host()}/"
        if kind < 0.7:
            return f"https://{self.host()}/{signs}"
        if kind < 0.85:
            return f"https://{draw.choice(_SHORTENERS)}/{signs}"
        return (
            f"https://{self.host()}/{draw.choice(('p', 'id', 'item', 'node', 't', 'q', 'a'))}/{draw.randrange(99_999)}"
        )

    def common(self) -> str:
        """A path that stands everywhere on a host that says nothing."""
        return f"https://{self.host()}/{self.draw.choice(self.paths)}"
