"""Made-up URLs: labelled ones that classifiers can learn from, and hostile ones that must not harm them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from urllib.parse import quote

#: Rows of a column of URLs: usual ones, none, an empty one, and some that are no web address or odd.
ROWS_OF_ALL_KINDS = [
    "http://www.beispiel.de/wetter/garten",
    None,
    "",
    "mailto:a@example.org",
    "http://www.exemple.fr/recettes/cuisine",
    "http://[::1",
    "http://a.es/" + "ñ" * 3000,
]


def _words(text: str) -> list[str]:
    return text.split()


WORDS = {
    "en": _words(
        "weather garden kitchen travel cheap flights house music school library history health forest "
        "winter summer bridge water mountain recipe holiday market football painting science children "
        "morning office railway"
    ),
    "de": _words(
        "wetter garten küche reise günstig flüge haus musik schule bücherei geschichte gesundheit wald "
        "winter sommer brücke wasser gebirge rezept urlaub markt fußball gemälde wissenschaft kinder "
        "morgen büro eisenbahn"
    ),
    "fr": _words(
        "météo jardin cuisine voyage moins cher maison musique école bibliothèque histoire santé forêt "
        "hiver été pont eau montagne recette vacances marché ballon peinture science enfants matin bureau "
        "chemin"
    ),
    "es": _words(
        "tiempo jardín cocina viaje barato vuelos casa música escuela biblioteca historia salud bosque "
        "invierno verano puente agua montaña receta vacaciones mercado fútbol pintura ciencia niños "
        "mañana oficina"
    ),
    "it": _words(
        "tempo giardino cucina viaggio economico voli casa musica scuola biblioteca storia salute bosco "
        "inverno estate ponte acqua montagna ricetta vacanze mercato calcio pittura scienza bambini "
        "mattina ufficio"
    ),
    "ru": _words(
        "погода сад кухня путешествие дешево билеты дом музыка школа библиотека история здоровье лес зима "
        "лето мост вода гора рецепт отпуск рынок футбол живопись наука дети утро контора железная"
    ),
    "af": _words(
        "weer tuin kombuis reis goedkoop vlugte huis musiek skool biblioteek geskiedenis gesondheid woud "
        "winter somer brug water berg resep vakansie mark sokker skildery wetenskap kinders oggend "
        "kantoor spoorweg"
    ),
    "vi": _words(
        "thời tiết vườn bếp du lịch chuyến bay nhà nhạc trường học thư viện sử sức khỏe rừng mùa đông hè "
        "cầu nước núi món ăn nghỉ chợ bóng tranh khoa trẻ em sáng văn phòng"
    ),
}
"""A few dozen words of each language."""

DOMAINS = {"en": "uk", "de": "de", "fr": "fr", "es": "es", "it": "it", "ru": "ru", "af": "za", "vi": "vn"}


@dataclass(frozen=True)
class Labelled:
    """URLs, the language of each, and the site of each."""

    urls: tuple[str, ...]
    labels: tuple[str, ...]
    sites: tuple[str, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.labels)))


def labelled_texts(languages: tuple[str, ...], per_language: int = 60, seed: int = 7) -> Labelled:
    """Sentences of three to twelve words, in the field `urls`; each stands on a site of its own language."""
    rng = random.Random(seed)
    rows = [
        (
            " ".join(rng.choices(WORDS[language], k=rng.randint(3, 12))).capitalize() + ".",
            language,
            f"{language}.example",
        )
        for language in languages
        for _ in range(per_language)
    ]
    rng.shuffle(rows)
    texts, labels, sites = zip(*rows, strict=True)
    return Labelled(texts, labels, sites)


def labelled_urls(languages: tuple[str, ...], per_language: int = 60, seed: int = 7) -> Labelled:
    """URLs of a dozen sites per language; some of them escape their letters, some sites speak two languages."""
    rng = random.Random(seed)
    rows: list[tuple[str, str, str]] = []
    for language in languages:
        words = WORDS[language]
        sites = [_site(rng, language) for _ in range(12)]
        for _ in range(per_language):
            site = rng.choice(sites) if rng.random() < 0.9 else "www.portal-world.com"
            path = "-".join(rng.sample(words, rng.randint(1, 3)))
            if rng.random() < 0.3:
                path = f"{language}/{path}"
            if rng.random() < 0.5:
                path = quote(path)
            tail = rng.choice(("", ".html", "/", f"?id={rng.randint(1, 999)}", f"/{rng.randint(1990, 2024)}/index.htm"))
            rows.append((f"http://{site}/{path}{tail}", language, site))
    rng.shuffle(rows)
    urls, labels, names = zip(*rows, strict=True)
    return Labelled(urls, labels, names)


def _site(rng: random.Random, language: str) -> str:
    first, second = rng.sample(WORDS[language], 2)
    host = rng.choice((first + second, f"{first}-{second}", f"{first}{rng.randint(1, 99)}"))
    host = host.encode("idna").decode() if rng.random() < 0.5 else host
    domain = DOMAINS[language] if rng.random() < 0.6 else rng.choice(("com", "org", "net"))
    return rng.choice(("", "www.")) + f"{host}.{domain}"


HUGE = (b"http://huge.example/" + b"caf%C3%A9/weather-\xe7\xff%zz/" * 45_000)[: 1 << 20]

#: Rows that no crawler should meet and every crawler does. What each one is stands in tests/unit/url/test_address.py.
HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \t\r\n ",
    "one NUL": b"\x00",
    "NUL inside the host": b"http://exa\x00mple.org/weather",
    "NUL inside the path": b"http://example.org/wea\x00ther",
    "a sentence": b"this is not a URL at all",
    "angle brackets": b"<a href='http://example.org/'>",
    "one megabyte": HUGE,
    "all bytes": b"http://example.org/" + bytes(range(256)),
    "all bytes without a scheme": bytes(range(255, -1, -1)),
    "Latin-1 bytes": b"http://example.fr/fran\xe7ais/caf\xe9",
    "cut UTF-8": b"http://example.ru/\xd0\xbf\xd0",
    "UTF-8 cut by the host's end": b"http://example\xd0/\xbf",
    "overlong UTF-8": b"http://example.org/\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf",
    "beyond Unicode": b"http://example.org/\xf4\x90\x80\x80\xf5\xff",
    "surrogates as UTF-8": b"http://example.org/\xed\xa0\x80\xed\xb0\x80",
    "IDN host": "http://www.bücherei.de/küche".encode(),
    "IDN domain": "http://пример.рф/погода".encode(),
    "punycode": b"http://www.xn--mnchen-3ya.de/wetter",
    "punycode capitals": b"http://XN--MNCHEN-3YA.DE/WETTER",
    "punycode domain": b"http://xn--e1afmkfd.xn--p1ai/",
    "punycode without letters": b"http://xn--.xn--a.xn---.xn--a-.de/",
    "punycode that overflows": b"http://xn--99999999.de/xn--99999999",
    "punycode of a surrogate": b"http://xn--ib9b.com/",
    "punycode of 63 characters": b"http://xn--" + b"a" * 59 + b".com/",
    "punycode of 64 characters": b"http://xn--" + b"a" * 60 + b".com/",
    "escapes": b"http://example.org/caf%C3%A9/%D0%BF%D0%BE%D0%B3%D0%BE%D0%B4%D0%B0",
    "Latin-1 escapes": b"http://example.org/fran%E7ais",
    "escaped host": b"http://ex%61mple%2Eorg/",
    "escaped slashes": b"http://a%2Fb.example.org/c%2Fd",
    "escaped twice": b"http://example.org/caf%25C3%25A9",
    "broken escapes": b"http://example.org/100%/%zz/%4/%",
    "escaped NUL": b"http://exa%00mple.org/%00weather",
    "IPv4": b"http://192.168.0.1/weather",
    "IPv6": b"http://[2001:db8::dead:beef]:8080/weather",
    "IPv6 that never ends": b"http://[::1",
    "IPv6 with a zone": b"http://[fe80::1%25eth0]/weather",
    "port": b"http://example.org:8080/weather",
    "port without digits": b"http://example.org:/weather",
    "port and nothing else": b"http://:80/",
    "two ports": b"http://example.org:80:90/",
    "user": b"http://user:secret@example.org/weather",
    "two users": b"http://a@b@example.org/",
    "user and nothing else": b"http://user@/weather",
    "mail": b"mailto:somebody@example.org",
    "script": b"javascript:void(0)",
    "data": b"data:text/html,<b>weather</b>",
    "telephone": b"tel:+49-30-123456",
    "file": b"file:///home/somebody/weather.html",
    "other scheme with dots": b"a.b.c://example.org/",
    "FTP": b"ftp://ftp.example.org/pub/weather",
    "capital scheme": b"HTTP://WWW.EXAMPLE.ORG/WEATHER",
    "scheme and nothing else": b"http://",
    "scheme without slashes": b"http:example.org/weather",
    "one slash": b"http:/example.org/weather",
    "many slashes": b"http://///example.org//weather",
    "backslashes": b"http:\\\\example.org\\weather",
    "no scheme": b"example.org/weather",
    "no scheme but two slashes": b"//example.org/weather",
    "host and port only": b"localhost:8080",
    "path": b"/weather/garden.html",
    "relative path": b"../weather/garden.html",
    "here": b"./weather",
    "dot": b".",
    "dots": b"...",
    "query": b"?weather=garden",
    "fragment": b"#weather",
    "slashes only": b"////",
    "colon": b":",
    "at": b"@",
    "escape only": b"%",
    "digits": b"1234567890",
    "bare word": b"weather",
    "newline inside the path": b"http://example.org/wea\nther",
    "newline inside the host": b"http://exam\nple.org/",
    "newline around": b"\n http://example.org/weather \r\n",
    "final dot": b"http://www.example.de./wetter",
    "many final dots": b"http://www.example.de.../wetter",
    "empty labels": b"http://..a..b../",
    "underscores": b"http://_a_.example.org/__we__",
    "marks": "http://example.org/हिन्दी/ไทย/é".encode(),
    "capitals with long lower cases": "http://example.org/İSTANBUL/ẞ/ǅ".encode(),
    "letters beyond 16 bits": "http://example.org/𐐀𐐁/𠀀𠀁/𝐀𝐁".encode(),
    "emoji": "http://example.org/🌦🌦🌦/weather".encode(),
    "right to left": "http://example.org/\u202eمرحبا\u202c/".encode(),
}

#: Text that is no valid Unicode: a lone surrogate has no UTF-8.
LONE_SURROGATE = "http://example.org/wea\ud800ther"

#: A quarter of a megabyte each, kept apart because the plain definitions take long.
LONG: dict[str, bytes] = {
    "of host": b"http://" + b"a." * (1 << 17),
    "of one letter": b"z" * (1 << 18),
    "of zeros": bytes(1 << 18),
    "of slashes": b"/" * (1 << 18),
    "of escapes": b"http://example.org/" + b"%D0%BF" * 44_000,
    "of labels in punycode": b"http://" + b"xn--mnchen-3ya." * 17_000 + b"de/",
}
