"""Each hostile row has a defined answer: this is the table."""

from __future__ import annotations

import pytest
from tests.made_urls import HOSTILE, HUGE, LONE_SURROGATE

from dragoman.identifiers.url.address import Address, decode, decode_label, read_address

HERE = ("example", "org")


def web(labels: tuple[str, ...] = (), rest: str = "") -> Address:
    return Address("web", labels, rest)


EMPTY, OTHER, NO_URL = Address("empty"), Address("other scheme"), Address("not a URL")

EXPECTED: dict[str, Address] = {
    "empty": EMPTY,
    "blank": EMPTY,
    "one NUL": EMPTY,
    "NUL inside the host": NO_URL,
    "NUL inside the path": web(HERE, "/wea\x00ther"),
    "a sentence": NO_URL,
    "angle brackets": NO_URL,
    "one megabyte": web(("huge", "example"), HUGE[19:].replace(b"%C3%A9", b"\xe9").decode("latin-1")),
    "all bytes": web(
        HERE,
        "/"
        + "".join(map(chr, range(0x80)))
        + "".join(map(chr, range(0x80, 0xC2)))
        + "".join(map(chr, range(0xC2, 256))),
    ),
    "all bytes without a scheme": NO_URL,
    "Latin-1 bytes": web(("example", "fr"), "/français/café"),
    "cut UTF-8": web(("example", "ru"), "/пÐ"),
    "UTF-8 cut by the host's end": web(("exampleÐ",), "/¿"),
    "overlong UTF-8": web(HERE, "/À¯à\x80¯ð\x80\x80¯"),
    "beyond Unicode": web(HERE, "/ô\x90\x80\x80õÿ"),
    "surrogates as UTF-8": web(HERE, "/í\xa0\x80í°\x80"),
    "IDN host": web(("www", "bücherei", "de"), "/küche"),
    "IDN domain": web(("пример", "рф"), "/погода"),
    "punycode": web(("www", "münchen", "de"), "/wetter"),
    "punycode capitals": web(("MüNCHEN", "DE"), "/WETTER"),
    "punycode domain": web(("пример", "рф"), "/"),
    "punycode without letters": web(("xn--", "\x80", "", "a", "de"), "/"),
    "punycode that overflows": web(("xn--99999999", "de"), "/xn--99999999"),
    "punycode of a surrogate": web(("xn--ib9b", "com"), "/"),
    "punycode of 63 characters": web(("\x80" * 59, "com"), "/"),
    "punycode of 64 characters": web(("xn--" + "a" * 60, "com"), "/"),
    "escapes": web(HERE, "/café/погода"),
    "Latin-1 escapes": web(HERE, "/français"),
    "escaped host": web(HERE, "/"),
    "escaped slashes": web(("a/b", *HERE), "/c/d"),
    "escaped twice": web(HERE, "/caf%C3%A9"),
    "broken escapes": web(HERE, "/100%/%zz/%4/%"),
    "escaped NUL": web(("exa\x00mple", "org"), "/\x00weather"),
    "IPv4": web(("192", "168", "0", "1"), "/weather"),
    "IPv6": web((), "/weather"),
    "IPv6 that never ends": web(),
    "IPv6 with a zone": web((), "/weather"),
    "port": web(HERE, "/weather"),
    "port without digits": web(HERE, "/weather"),
    "port and nothing else": web((), "/"),
    "two ports": web(("example", "org:80"), "/"),
    "user": web(HERE, "/weather"),
    "two users": web(HERE, "/"),
    "user and nothing else": web((), "/weather"),
    "mail": OTHER,
    "script": OTHER,
    "data": OTHER,
    "telephone": OTHER,
    "file": OTHER,
    "other scheme with dots": OTHER,
    "FTP": web(("ftp", *HERE), "/pub/weather"),
    "capital scheme": web(("WWW", "EXAMPLE", "ORG"), "/WEATHER"),
    "scheme and nothing else": web(),
    "scheme without slashes": web(HERE, "/weather"),
    "one slash": web(HERE, "/weather"),
    "many slashes": web(HERE, "//weather"),
    "backslashes": web(HERE, "\\weather"),
    "no scheme": web(HERE, "/weather"),
    "no scheme but two slashes": web(HERE, "/weather"),
    "host and port only": web(("localhost",)),
    "path": web((), "/weather/garden.html"),
    "relative path": web((), "../weather/garden.html"),
    "here": web((), "./weather"),
    "dot": web((), "."),
    "dots": web((), "..."),
    "query": web((), "?weather=garden"),
    "fragment": web((), "#weather"),
    "slashes only": web(),
    "colon": web(),
    "at": web(),
    "escape only": web(("%",)),
    "digits": web(("1234567890",)),
    "bare word": web(("weather",)),
    "newline inside the path": web(HERE, "/wea\nther"),
    "newline inside the host": NO_URL,
    "newline around": web(HERE, "/weather"),
    "final dot": web(("www", "example", "de"), "/wetter"),
    "many final dots": web(("www", "example", "de"), "/wetter"),
    "empty labels": web(("", "", "a", "", "b"), "/"),
    "underscores": web(("_a_", *HERE), "/__we__"),
    "marks": web(HERE, "/हिन्दी/ไทย/é"),
    "capitals with long lower cases": web(HERE, "/İSTANBUL/ẞ/ǅ"),
    "letters beyond 16 bits": web(HERE, "/𐐀𐐁/𠀀𠀁/𝐀𝐁"),
    "emoji": web(HERE, "/🌦🌦🌦/weather"),
    "right to left": web(HERE, "/\u202eمرحبا\u202c/"),
}


def test_every_hostile_row_has_a_defined_answer() -> None:
    assert EXPECTED.keys() == HOSTILE.keys()


@pytest.mark.parametrize("name", HOSTILE)
def test_the_parts_of_a_hostile_row(name: str) -> None:
    found = read_address(HOSTILE[name])
    assert found.kind == EXPECTED[name].kind
    assert found.labels == EXPECTED[name].labels
    assert found.rest == EXPECTED[name].rest


def test_a_lone_surrogate_is_read_byte_by_byte() -> None:
    assert read_address(LONE_SURROGATE.encode("utf-8", "surrogatepass")).rest == "/weaí\xa0\x80ther"


@pytest.mark.parametrize(
    ("url", "host", "tld"),
    [
        (b"http://www.example.de/", "www.example.de", "de"),
        (b"http://example/", "example", None),
        (b"/path.de", "", None),
        (b"http://[::1]/", "", None),
        (b"http://.de/", ".de", "de"),
        (b"http://127.0.0.1/", "127.0.0.1", "1"),
    ],
)
def test_the_host_and_its_top_level_domain(url: bytes, host: str, tld: str | None) -> None:
    address = read_address(url)
    assert (address.host, address.tld) == (host, tld)


def test_escapes_are_undone_once_and_after_the_parts_are_found() -> None:
    assert read_address(b"http://a.de%2Fb.fr/c%3Fd%23e").labels == ("a", "de/b", "fr")
    assert decode(b"%2525") == "%25"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"%C3%A9\xc3\xa9%C3\xa9\xc3%A9", "éééé"),
        (b"\xc3%41", "ÃA"),
        (b"%%41%4", "%A%4"),
        (b"\xf0\x9f\x8c\xa6\xf0\x9f\x8c", "🌦ð\x9f\x8c"),
        (b"", ""),
    ],
)
def test_mixtures_of_escapes_and_bytes(raw: bytes, text: str) -> None:
    assert decode(raw) == text


@pytest.mark.parametrize("label", ["", "xn--", "xn-a", "münchen", "xn--ü", "xn--a_b", "xn--zzzzzzzz99", "a.xn--p1ai"])
def test_what_is_no_punycode_stays_as_it_is(label: str) -> None:
    assert decode_label(label) == label
