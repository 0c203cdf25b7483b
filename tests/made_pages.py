"""A hundred made pages whose text is in one language, or mostly so, with what stands around texts on the web."""

from __future__ import annotations

import random
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

SENTENCES = Path(__file__).parent / "behaviour" / "page_sentences.tsv"
#: Sixty names of languages, as menus have them.
LANGUAGES = (  # noqa: SIM905 (a list of this length reads better as words)
    "English;Deutsch;Français;Español;Italiano;Português;Русский;Українська;中文;日本語;한국어;العربية;עברית;Ελληνικά;"
    "Türkçe;Polski;Čeština;Magyar;Română;Български;Српски;Hrvatski;Slovenščina;Slovenčina;Nederlands;Svenska;Dansk;"
    "Norsk bokmål;Suomi;Eesti;Latviešu;Lietuvių;Íslenska;Gaeilge;Català;Euskara;Galego;Shqip;Македонски;Беларуская;"
    "Қазақ тілі;Тоҷикӣ;O‘zbek;Azərbaycan;ქართული;Հայերեն;فارسی;اردو;हिन्दी;বাংলা;தமிழ்;తెలుగు;ไทย;Tiếng Việt;"
    "Bahasa Indonesia;Bahasa Melayu;Filipino;Kiswahili;Afrikaans;Монгол"
).split(";")
COOKIES = (
    "We use cookies to personalise content and ads, to provide social media features and to analyse our traffic. By "
    "clicking “Accept all” you agree that we and our partners may store information on your device.",
    "Wir verwenden Cookies, um Inhalte zu personalisieren und Zugriffe zu analysieren. Mehr dazu in der "
    "Datenschutzerklärung. Mit einem Klick auf „Alle akzeptieren“ stimmen Sie der Verwendung von Cookies zu.",
    "Nous utilisons des cookies pour mesurer l'audience du site. En poursuivant votre navigation, vous acceptez "
    "l'utilisation de cookies et de traceurs par nos partenaires.",
)
CODE = (
    "tar xvzf gentoo-0.9.12.tar.gz\ncd gentoo-0.9.12\n./configure --prefix=/usr/local\nmake\nsudo make install",
    "def area(width, height):\n    return width * height\n\nfor row in rows:\n    total += area(row.width, row.height)",
    '#include <stdio.h>\nint main(void) {\n    for (int i = 0; i < 10; i++) {\n        printf("%d\\n", i);\n    }\n}',
    "SELECT name, price FROM items WHERE price > 100 ORDER BY name;\nUPDATE items SET price = 90 WHERE id = 7;",
)
MENU = ("Home", "About us", "Products", "News", "Contact", "Login", "FAQ", "Sitemap", "Privacy", "Imprint", "Jobs")


class MadePage(NamedTuple):
    """A page, the language of its text, and what is odd about it."""

    html: str
    language: str
    kind: str


def sentences() -> dict[str, list[str]]:
    """The sentences of each language."""
    found: dict[str, list[str]] = {}
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            language, sentence = line.split("\t")
            found.setdefault(language, []).append(sentence)
    return found


def _paragraphs(texts: list[str]) -> str:
    joined = [" ".join(texts[at : at + 3]) for at in range(0, len(texts), 3)]
    return "".join(f"<p>{escape(one)}</p>\n" for one in joined)


def _links(names: list[str], separator: str = "", item: str = "li") -> str:
    items = (f'<{item}><a href="/{place}">{escape(name)}</a></{item}>' for place, name in enumerate(names))
    return separator.join(items)


def _options(names: list[str]) -> str:
    return "<select>" + "".join(f"<option value={place}>{name}" for place, name in enumerate(names)) + "</select>"


def made_pages(seed: int = 17) -> Iterator[MadePage]:
    """The pages of the issue first, then eight kinds in all languages, a hundred in all, always the same."""
    rng = random.Random(seed)
    texts = sentences()
    yield MadePage(f"<ul>{_links(LANGUAGES[:15])}</ul>{_paragraphs(texts['en'][:5])}", "en", "list of names")
    twenty = (texts["en"] * 4)[:20]
    yield MadePage(f"{_options(LANGUAGES[:47])}{_paragraphs(twenty)}", "en", "choice of names")
    kinds = (_in_list, _in_select, _in_line, _with_cookies, _with_code, _with_menu, _mixed, _all_of_it)
    order = sorted(texts)
    for number in range(98):
        language, kind = order[number % len(order)], kinds[number % len(kinds)]
        own = rng.sample(texts[language], len(texts[language]))
        html = kind(own, rng, language, texts)
        yield MadePage(f"<!doctype html><title>{number}</title><body>{html}</body>", language, kind.__name__[1:])


Texts = dict[str, list[str]]


def _names(rng: random.Random) -> list[str]:
    return rng.sample(LANGUAGES, rng.randint(5, 60))


def _in_list(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    return f"<ul class=lang>{_links(_names(rng))}</ul>{_paragraphs(own[:4])}"


def _in_select(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    return f"<form>{_options(_names(rng))}</form>{_paragraphs(own[:3])}"


def _in_line(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    return f"{_paragraphs(own[:3])}<div>{_links(_names(rng), ' | ', 'span')}</div>"


def _with_cookies(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    notice = rng.choice(COOKIES)
    named = rng.choice(['id="cookie-banner"', 'class="overlay"'])
    return f"{_paragraphs(own[:3])}<div {named}><p>{notice}</p><button>OK</button></div>"


def _with_code(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    first, second = (escape(rng.choice(CODE)) for _ in range(2))
    return f"<p>{own[0]}</p><pre><code>{first}</code></pre><p>{own[1]}</p><pre>{second}</pre>"


def _with_menu(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    menus = [f"<ul>{_links(names)}</ul>" for names in (rng.sample(MENU, 9), list(MENU))]
    return f"<nav>{menus[0]}</nav><h1>Shop</h1>{_paragraphs(own[:3])}{menus[1]}"


def _mixed(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    other = rng.choice([one for one in sorted(texts) if one != language])
    return f"{_paragraphs(own)}<blockquote>{rng.choice(texts[other])}</blockquote>"


def _all_of_it(own: list[str], rng: random.Random, language: str, texts: Texts) -> str:
    parts = [_with_menu, _in_select, _with_cookies, _in_line]
    return "<br>".join(part(own, rng, language, texts) for part in parts) + f"<pre>{escape(rng.choice(CODE))}</pre>"
