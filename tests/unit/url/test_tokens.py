from __future__ import annotations

import pytest

from dragoman.url.tokens import Token, tokens, words_of


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


def test_tokens_know_their_place() -> None:
    assert tokens("http://www.haus.co.uk/Küche?de=fr#it".encode()) == [
        Token("haus", "host"),
        Token("co", "host"),
        Token("uk", "tld"),
        Token("küche", "path"),
        Token("de", "path"),
        Token("fr", "path"),
        Token("it", "path"),
    ]


def test_a_host_of_one_label_has_no_top_level_domain() -> None:
    assert tokens(b"localhost:80/haus") == [Token("localhost", "host"), Token("haus", "path")]


def test_a_final_dot_does_not_hide_the_top_level_domain() -> None:
    assert tokens(b"http://haus.de./") == [Token("haus", "host"), Token("de", "tld")]


@pytest.mark.parametrize("url", [b"", b"mailto:haus@garten.de", b"kein haus", b"http://[::1]"])
def test_what_has_no_host_and_no_path_has_no_tokens(url: bytes) -> None:
    assert tokens(url) == []
