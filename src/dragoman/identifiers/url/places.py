"""Where the words of a URL stand in the URL as it is written, escapes and punycode included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.identifiers.url.address import decode, decode_label, stretches
from dragoman.identifiers.url.tokens import Place, Token, tokens

_UNIT = re.compile(rb"%[0-9A-Fa-f]{2}|[\x00-\xff]")


@dataclass(frozen=True)
class Placed:
    """A token, and the bytes url[start:end] that it was read from."""

    token: Token
    start: int
    end: int

    @property
    def place(self) -> Place:
        """The part of the URL that it stands in."""
        return self.token.place


def placed_tokens(url: bytes) -> list[Placed]:
    """The tokens of a URL with their places; a token of a label in punycode stands where the whole label does.

    >>> url = b"http://xn--mnchen-3ya.de/caf%C3%A9"
    >>> [(one.token.text, url[one.start:one.end]) for one in placed_tokens(url)]
    [('münchen', b'xn--mnchen-3ya'), ('de', b'de'), ('café', b'caf%C3%A9')]
    """
    _, host, rest = stretches(url)
    places = [*_host_places(url, host), *_places(url, rest)]
    return [Placed(token, places[token.start][0], places[token.end - 1][1]) for token in tokens(url)]


def _host_places(url: bytes, part: slice) -> Iterator[tuple[int, int]]:
    """(start, end) of every character of the decoded host."""
    at = list(_places(url, part))
    labels = decode(url[part]).rstrip(".").split(".")
    begin = 0
    for number, label in enumerate(labels):
        if number:
            yield at[begin - 1]
        end = begin + len(label)
        decoded = decode_label(label)
        if decoded == label:
            yield from at[begin:end]
        else:
            yield from [(at[begin][0], at[end - 1][1])] * len(decoded)
        begin = end + 1


def _places(url: bytes, part: slice) -> Iterator[tuple[int, int]]:
    """(start, end) of every character of a decoded part."""
    units = [match.span() for match in _UNIT.finditer(url, part.start, part.stop)]
    plain = bytes(int(url[a + 1 : b], 16) if b - a == 3 else url[a] for a, b in units)
    at = 0
    for character in decode(url[part]):
        written = character.encode()
        # A character whose own bytes are not there was read from one byte that is not UTF-8.
        size = len(written) if plain.startswith(written, at) else 1
        yield units[at][0], units[at + size - 1][1]
        at += size
