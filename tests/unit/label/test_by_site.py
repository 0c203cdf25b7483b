from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.made_urls import HOSTILE, LONG

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import read_address
from dragoman.label import by_site
from dragoman.label.by_site import Sites, folder_of, heads, host_of

PIECES = st.sampled_from(
    [b"http", b"HTTPS", b":", b"/", b"//", b"\\", b"www.", b"a.de", b"B.fr", b"@", b":80", b"?", b"#", b".", b" ",
     b"\n", b"xn--mnchen-3ya", b"--", b"%41", b"mailto", b"ftp", b"[::1]", b"\xe9", b"\x00"]
)  # fmt: skip


def check(urls: list[bytes]) -> None:
    by_folder = heads(ByteColumn.of(urls), folders=True)
    assert [folder_of(by_folder.texts[code]) for code in by_folder.codes.tolist()] == [folder_of(url) for url in urls]
    found = heads(ByteColumn.of(urls))
    assert [host_of(found.texts[code]) for code in found.codes.tolist()] == [host_of(url) for url in urls]


def test_the_beginning_of_a_hostile_url_tells_its_host() -> None:
    check(list(HOSTILE.values()))
    for url in [*HOSTILE.values(), *LONG.values()]:
        check([url])


@given(st.lists(st.lists(PIECES, max_size=8).map(b"".join), max_size=6))
def test_the_beginning_of_any_url_tells_its_host(urls: list[bytes]) -> None:
    check(urls)
    check([b"http://" + url for url in urls])


@given(st.lists(PIECES, max_size=8).map(b"".join))
def test_the_short_way_to_a_host_is_the_long_one(url: bytes) -> None:
    for one in (url, b"https://" + url):
        host = read_address(one).host.lower()
        short = host.removeprefix("www.")
        if b"[::1]" in one:  # an address in brackets has no labels
            continue
        assert host_of(one) == ((short if "." in short else host) or None)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (b"http://www.example.org/", "example.org"),
        (b"http://www.com/", "www.com"),
        (b"http://WWW.B\xc3\x9cCHER.de/", "bücher.de"),
        (b"//a.b.c:8080?x", "a.b.c"),
        (b"http://www./", "www"),
        (b"/path", None),
        (b"http://10.0.0.1/", "10.0.0.1"),
        (b"http://[::1]/", "[::1]"),
        (b" https://u:p@[2001:DB8:0:0:0:0:0:1]:443?x", "[2001:db8::1]"),
        (b"//[fe80::1%25eth0]/", "[fe80::1]"),
        (b"[::1]:80", "[::1]"),
        (b"http://[www.a.de]/", None),
        (b"http://[::1", None),
        (b"http://[::1]x/", None),
        (b"gopher://[::1]/", None),
    ],
)
def test_hosts_as_the_text_of_the_module_says(url: bytes, host: str | None) -> None:
    assert host_of(url) == host


def test_counts_do_not_depend_on_how_the_rows_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    urls = ByteColumn.of([f"http://h{n}.org/{n}" for n in rng.zipf(1.3, 5000) % 300])
    language = rng.integers(-1, 4, len(urls))
    whole = Sites(("a", "b", "c", "d"))
    whole.add(heads(urls), language)
    monkeypatch.setattr(by_site, "_WAITING", 50)
    monkeypatch.setattr(by_site, "_REMEMBERED", 20)
    pieces = Sites(("a", "b", "c", "d"))
    for start in range(0, len(urls), 37):
        pieces.add(heads(urls.slice(start, min(start + 37, len(urls)))), language[start : start + 37])
    found = list(pieces)
    assert found == list(whole)
    assert {site.host: site.urls for site in found} == Counter(host_of(url) for url in urls)
    assert sum(site.unanswered for site in found) == int((language < 0).sum())
    assert [(-site.urls, site.host) for site in found] == sorted((-site.urls, site.host or "") for site in found)


def test_shares_are_of_all_urls_and_rare_ones_are_not_listed() -> None:
    sites = Sites(("de", "en", "fr"))
    language = np.array([2] * 400 + [0] * 400 + [1] * 3 + [-1] * 197)
    sites.add(heads(ByteColumn.of(["http://a.org/"] * 1000)), language)
    (site,) = sites
    assert site.language == "de"  # as many as French, and before it in the order of the languages
    assert site.shares == {"de": 0.4, "fr": 0.4}
    assert (site.share, site.urls, site.unanswered) == (0.4, 1000, 197)


def test_hosts_with_as_many_urls_come_by_name_and_those_without_one_last() -> None:
    sites = Sites(("de",))
    urls = [
        "mailto:x@y.de",
        "http://b.de/",
        "http://\u00e9.de/",
        "http://[::1]/",
        "http://a.de/",
        "http://[0::1]:8080/",
    ]
    sites.add(heads(ByteColumn.of(urls)), np.full(len(urls), -1))
    assert [(site.host, site.urls) for site in sites] == [
        ("[::1]", 2), ("a.de", 1), ("b.de", 1), ("\u00e9.de", 1), (None, 1)
    ]  # fmt: skip


@pytest.mark.parametrize("order", [[0, 1, 2, 2], [2, 2, 1, 0], [2, 0, 2, 1]])
def test_of_languages_with_as_many_urls_the_first_of_the_model_counts_whatever_the_order(order: list[int]) -> None:
    sites = Sites(("de", "en", "fr"))
    for code in [*order, 1]:
        sites.add(heads(ByteColumn.of(["http://a.org/"])), np.array([code]))
    (site,) = sites
    assert (site.language, site.share) == ("en", 0.4)
    assert list(site.shares) == ["en", "fr", "de"]


def test_memory_is_bounded_by_hosts_and_not_by_spellings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_site, "_REMEMBERED", 100)
    sites = Sites(("de",))
    for start in range(0, 2000, 500):
        urls = ByteColumn.of([f"http://user{n}@a.de/" for n in range(start, start + 500)])
        sites.add(heads(urls), np.zeros(500, np.int64))
    assert len(sites) == 1
    assert len(sites.spelt) <= 100
    assert next(iter(sites)).urls == 2000
