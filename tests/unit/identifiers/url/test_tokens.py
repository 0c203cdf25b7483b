from __future__ import annotations

import pytest

from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import Token, tokens, tokens_of, words_at, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Garten-Haus2Wald_See", ["garten", "haus", "wald", "see"]),
        ("ÉTÉ Été été", ["été", "été", "été"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("ПОГОДА", ["погода"]),
        ("हिन्दी", ["हिन्दी"]),
        ("東京", ["東京"]),
        ("a b c", []),
        ("", []),
        ("www INDEX Html", []),
        ("wwww indexes", ["wwww", "indexes"]),
        ("²½①", []),
        ("ﬁn ﬁ", ["ﬁn"]),
    ],
)
def test_words_are_runs_of_letters(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


def test_words_know_where_they_start() -> None:
    assert list(words_at("a Haus-www 2see")) == [(2, "haus"), (12, "see")]
    assert list(words_at("İzmir 𝒳 été")) == [(0, "izmir"), (8, "été")]


def test_tokens_know_their_place() -> None:
    # host and rest together: www.haus.co.uk/Küche?de=fr#it
    assert tokens("http://www.haus.co.uk/Küche?de=fr#it".encode()) == [
        Token("haus", "host", 4, 8),
        Token("co", "host", 9, 11),
        Token("uk", "tld", 12, 14),
        Token("küche", "path", 15, 20),
        Token("de", "path", 21, 23),
        Token("fr", "path", 24, 26),
        Token("it", "path", 27, 29),
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://www.haus.co.uk/Küche?de=fr#it",
        "https://Mein-HAUS.de:8080/Ein/Garten_2/x.HTML",
        "http://haus.de./Wald",
        "http://a..b.garten.de/see",
        "http://xn--mnchen-3ya.de/Wiesn",
        "http://haus.de/stra%C3%9Fe/m%FCnchen",
        "localhost/haus",
        "http://192.168.0.1/погода/ПОГОДА",
        "http://haus.de?q=wald#see",
    ],
)
def test_a_token_stands_where_it_says(url: str) -> None:
    address = read_address(url.encode())
    text = address.host + address.rest
    found = tokens_of(address)
    assert found
    assert [text[token.start : token.end].lower() for token in found] == [token.text for token in found]
    assert all((token.start >= len(address.host)) == (token.place == "path") for token in found)


def test_a_host_of_one_label_has_no_top_level_domain() -> None:
    assert tokens(b"localhost:80/haus") == [Token("localhost", "host", 0, 9), Token("haus", "path", 10, 14)]


def test_a_final_dot_does_not_hide_the_top_level_domain() -> None:
    assert [(token.text, token.place) for token in tokens(b"http://haus.de./")] == [("haus", "host"), ("de", "tld")]


@pytest.mark.parametrize("url", [b"", b"mailto:haus@garten.de", b"kein haus", b"http://[::1]"])
def test_what_has_no_host_and_no_path_has_no_tokens(url: bytes) -> None:
    assert tokens(url) == []
