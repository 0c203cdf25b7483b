"""One reading of a URL as server and directory, for graphs, crawls and whatever counts sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dragoman.crawl.live.state.store import Store
from dragoman.identifiers.url.address import read_address
from dragoman.web.addresses import canonical, host_of, plain_spelling, server_and_directory, server_of
from dragoman.web.importers import from_jsonl

SPELLINGS = (
    "http://a.de/",
    "http://A.de:80/",
    "HTTP://me:secret@a.de",
    "http://a.de:/#top",
    "http://a.de:0080/",
    " http://a.de/",
)


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("http://A.example:80/x#y", "http://a.example/x"),
        ("https://a.example:443", "https://a.example/"),
        ("https://a.example:80/", "https://a.example:80/"),
        ("http://münchen.example/ä", "http://xn--mnchen-3ya.example/%C3%A4"),
        ("mailto:a@b", None),
        ("http:///x", None),
        ("http://a.example:99999/", None),
    ],
)
def test_what_is_fetched_has_one_spelling(given: str, known: str | None) -> None:
    assert canonical(given) == known
    if known is not None:
        assert canonical(known) == known
        server, directory = server_and_directory(known)
        assert (server, directory) == server_and_directory(given)
        assert directory.startswith(server)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_page_has_the_same_server_in_a_graph_and_in_a_crawl(spelling: str, tmp_path: Path) -> None:
    rows = [{"url": spelling, "links": ["http://a.de/th/x", "http://a.de:8080/"]}]
    graph = from_jsonl(map(json.dumps, rows))
    assert graph.urls is not None
    assert [bytes(url).decode() for url in graph.urls] == ["http://a.de/", "http://a.de/th/x", "http://a.de:8080/"]
    assert graph.server.tolist() == [0, 0, 1]
    assert graph.directory.tolist() == [0, 1, 2]
    url = canonical(spelling)
    assert url is not None
    store = Store(tmp_path, {})
    store.register([(url, 0.0, None), ("http://a.de/th/x", 0.0, None), ("http://a.de:8080/", 0.0, None)], 0, None)
    assert (list(store.server), list(store.directory)) == ([0, 0, 1], [0, 1, 2])
    store.abandon()


def test_two_spellings_of_a_page_in_an_archive_or_a_list_are_one_page() -> None:
    rows = [{"url": "http://b.de/", "links": list(SPELLINGS)}]
    assert from_jsonl(map(json.dumps, rows)).links == 1


def test_the_name_of_a_server_may_stand_in_the_scheme() -> None:
    assert server_and_directory("http://t/th/x") == ("t", "t/th")
    assert server_and_directory("https://s/x") == ("s", "s/")


_HOSTS = st.from_regex(r"\A(?:[a-zA-Z0-9_]{1,8}\.){1,3}[a-zA-Z]{2,5}\Z")
_ADDRESSES = st.tuples(
    st.sampled_from(["http://", "HTTPS://", "https:///", "ftp:/", "//", "", "http:\\\\"]),
    st.sampled_from(["", "me@", "me:secret@"]),
    st.one_of(_HOSTS, st.sampled_from(["münchen.de", "XN--mnchen-3ya.de", "localhost", "192.0.2.7"])),
    st.sampled_from(["", ":", ":80", ":443", ":8080"]),
    st.sampled_from(["", "/", "/x", "/x/y", "?a/b/", "#top", "\\x/y"]),
).map("".join)


@given(_ADDRESSES)
def test_graphs_crawls_and_models_read_the_same_host(url: str) -> None:
    server, directory = server_and_directory(url)
    host = read_address(url.encode()).host.lower()
    assume(host)  # without a scheme, `me:...` looks like one
    assert read_address(host_of(server).encode()).host == host
    assert server_and_directory(plain_spelling(url)) == (server, directory)
    assert plain_spelling(plain_spelling(url)) == plain_spelling(url)
    if (fetched := canonical(url)) is not None:
        assert server_of(fetched) == server


@given(st.text(max_size=40))
def test_any_text_has_a_server_and_a_directory(text: str) -> None:
    server, directory = server_and_directory(text)
    assert directory.startswith(f"{server}/")
    assert server_and_directory(plain_spelling(text))[0] == server_and_directory(text.strip().partition("#")[0])[0]
