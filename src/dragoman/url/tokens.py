"""Tokens of a URL: runs of letters, lower case, as in section 3.1 of the URL paper.

The URL is split at everything that is not a letter; tokens shorter than two and the paper's special words are
dropped. Letters are those of every script, with their marks (Unicode 14), in the lower case that one code point has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dragoman import kernels
from dragoman.url.address import read_address

#: The special words of the paper.
STOP_WORDS = frozenset({"www", "index", "html", "htm", "http", "https"})

Place = Literal["host", "tld", "path"]
PLACES: tuple[Place, ...] = ("host", "tld", "path")


@dataclass(frozen=True)
class Token:
    """A word of a URL, and the part of the URL that it stands in."""

    text: str
    place: Place


def tokens(url: bytes) -> list[Token]:
    """The tokens of a URL, in order.

    >>> [token.text for token in tokens(b"http://www.internetwordstats.com/africa2.htm")]
    ['internetwordstats', 'com', 'africa']
    """
    address = read_address(url)
    found: list[Token] = []
    for number, label in enumerate(address.labels):
        last = len(address.labels) > 1 and number == len(address.labels) - 1
        found.extend(Token(word, "tld" if last else "host") for word in words_of(label))
    found.extend(Token(word, "path") for word in words_of(address.rest))
    return found


def words_of(text: str) -> Iterator[str]:
    """The words of a piece of text that count as tokens."""
    word: list[str] = []
    for character in text:
        if lower := kernels.fold(ord(character)):
            word.append(chr(lower))
        elif word:
            yield from _keep("".join(word))
            word.clear()
    yield from _keep("".join(word))


def _keep(word: str) -> Iterator[str]:
    if len(word) >= 2 and word not in STOP_WORDS:
        yield word
