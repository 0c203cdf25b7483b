"""A page says what it is, in which language, and where it leads."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.identifiers.text.document import MOST_LINKS, is_binary, read_page, resolve
from dragoman.identifiers.text.markup.declared import declared

PAGE = b"""<!DOCTYPE html>
<html lang="de-AT"><head><title>Die
  B&auml;ume</title><base href="/neu/"><meta property="og:locale" content="fr_FR">
<meta http-equiv="Content-Language" content="it"><meta name="ROBOTS" content="NoIndex, nofollow">
<link rel="alternate stylesheet" href="x.css"><link rel=alternate hreflang="en-GB" href="../en">
<link rel=alternate hreflang=x-default href="//other.example/">
<meta http-equiv=refresh content="5; URL='weiter.html'"></head>
<body><p>Eins <a href="zwei.html" rel="NoFollow ugc" hreflang=fr> zwei <b>drei</b></a> vier
<a href="#oben">oben</a><a href="mailto:a@b.example">Post</a><a href="javascript:x()">x</a><a href="http://[x">y</a>
<a href=" HTTPS://Other.example/\n5 ">f\xc3\xbcnf<a href=sechs>sechs</p>
<map><area href=sieben alt="Sieben"></map><iframe src=rahmen.html>nichts</iframe><template><a href=nie>n</a></template>
"""


def test_a_page_tells_all_it_says() -> None:
    page = read_page(PAGE, url="http://a.example/alt/index.html", content_language="es")
    assert (page.kind, page.charset, page.charset_how) == ("html", "utf-8", "detected")
    assert page.title == "Die Bäume"
    assert page.text.startswith("Eins zwei drei vier")
    assert (page.declared, page.declared_how) == ("de", "html")
    assert {how for how, _ in page.declarations} == {"html", "meta", "header", "og:locale"}
    assert page.base == "http://a.example/neu/"
    assert [(link.url, link.text) for link in page.links] == [
        ("http://a.example/neu/zwei.html", "zwei drei"),
        ("HTTPS://Other.example/5", "fünf"),
        ("http://a.example/neu/sechs", "sechs"),
        ("http://a.example/neu/sieben", "Sieben"),
    ]
    first = page.links[0]
    assert (first.nofollow, first.rel, first.language) == (True, ("nofollow", "ugc"), "fr")
    assert page.text[first.start : first.end] == "zwei drei"
    assert page.source[slice(*page.map.source_span(first.start, first.end))] == "zwei <b>drei"
    assert page.alternates == (("en-GB", "http://a.example/en"), ("x-default", "http://other.example/"))
    assert page.frames == ("http://a.example/neu/rahmen.html",)
    assert page.refresh == "http://a.example/neu/weiter.html"
    assert page.robots == {"noindex", "nofollow"}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ([], (None, None)),
        ([("og:locale", "pt_BR"), ("header", "de")], ("de", "header")),
        ([("html", "xx"), ("meta", "nb")], ("no", "meta")),
        ([("meta", "en, en-GB")], ("en", "meta")),
        ([("header", "de, fr")], (None, None)),
        ([("html", "und"), ("html", "ja")], ("ja", "html")),
    ],
)
def test_the_declared_language_is_the_first_that_names_one(said: list[tuple[str, str]], found: tuple[str, str]) -> None:
    assert declared(said) == found


def test_text_is_text_by_its_type_or_by_the_look_of_it() -> None:
    for data, said in ((b"a <b>c</b>", "text/plain; charset=utf-8"), (b"a < b & c > d, <me@a.example>", None)):
        page = read_page(data, said)
        assert (page.kind, page.text) == ("text", data.decode())
        assert page.map.source_span(2, 5) == (2, 5)
    assert read_page(b"a < b &amp; c", "text/html").text == "a < b & c"
    assert read_page(b"no tag but <p>one").kind == "html"
    assert read_page("schon <b>dekodiert</b>").charset is None


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n123", b"%PDF-1.4 text", bytes(range(256)) * 9, b"MZ\0\0\0\0\0\0\0\0"]
)
def test_what_is_no_text_has_none(data: bytes) -> None:
    page = read_page(data)
    assert (page.kind, page.text, page.declared, page.charset) == ("binary", "", None, None)


def test_an_empty_page_has_no_text() -> None:
    for data in (b"", b" \n", b"\xef\xbb\xbf"):
        page = read_page(data)
        assert (page.kind, page.text.strip(), page.links) == ("text", "", ())
    assert not is_binary(b"")


def test_xhtml_is_read_as_such() -> None:
    data = b'<?xml version="1.0"?><html xml:lang="fi"><head><title/><script src="x"/></head><body>Hei</body></html>'
    page = read_page(data)
    assert (page.text, page.declared, page.title) == ("Hei", "fi", None)


@pytest.mark.parametrize(
    ("base", "given", "found"),
    [
        ("http://a.example/b/c?d", "?e", "http://a.example/b/c?e"),
        ("http://a.example/b", "//c.example/d", "http://c.example/d"),
        ("http://a.example/b", "\thttp://c.example/ d\n", "http://c.example/ d"),
        ("http://a.example/b", "", None),
        ("http://a.example/b", "data:text/html,x", None),
        (None, "/b", "/b"),
        (None, "tel:1", None),
        ("http://a.example/b", "http://[::1", None),
        ("not a url", "b", "b"),
        # as browsers read names of files, which failed before: `\\c` led to http://a.example/b/\\c
        ("http://a.example/b/", "\\c", "http://a.example/c"),
        ("http://a.example/b/", "c\\d?e=\\f", "http://a.example/b/c/d?e=\\f"),
        ("http://a.example/b/", "http:\\\\c.example\\d", "http://c.example/d"),
    ],
)
def test_links_are_resolved_or_left_out(base: str | None, given: str, found: str | None) -> None:
    assert resolve(base, given) == found


PARTS = ["a", "b.html", "..", ".", "/", "?", "#", "x=1", ";", ":", "%20", "~u", "-", "é", "&", "[", "1", "de"]
BASES = ["", "/", "/x/y.html", "/x/../y/", "/x//y", "/x;p/y?q=/z/", "/x/y;p#f/g", "/x/.hid/z", "/x/y?z=//", "//"]


@given(st.sampled_from(BASES), st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join))
@settings(max_examples=500)
def test_names_behind_a_folder_are_what_urljoin_makes_of_them(path: str, given: str) -> None:
    base = f"http://a.example{path}"
    try:
        whole = urljoin(base, given)
    except ValueError:
        return
    if given[0] != "#" and ":" not in given:
        assert resolve(base, given) == whole


def test_deeply_nested_tags_are_harmless() -> None:
    for tag in ("<div>", "<b>", "<svg>", "<table><tr><td>", "<pre>", "<font color=x>"):
        assert read_page((tag * 30_000 + "tief").encode()).text == "tief"


def test_a_page_of_links_has_the_first_of_them() -> None:
    page = read_page(b"".join(b"<a href=%d>x</a>" % number for number in range(MOST_LINKS + 10)))
    assert len(page.links) == MOST_LINKS
