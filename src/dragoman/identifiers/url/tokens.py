"""Tokens of a URL: runs of letters, lower case, as in section 3.1 of the URL paper.

The URL is split at everything that is not a letter; tokens shorter than two and the paper's special words are
dropped. Letters are those of every script, with their marks (Unicode 14), in the lower case that one code point has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dragoman import kernels
from dragoman.identifiers.url.address import Address, read_address

#: The special words of the paper.
STOP_WORDS = frozenset({"www", "index", "html", "htm", "http", "https"})

Place = Literal["host", "tld", "path"]
PLACES: tuple[Place, ...] = ("host", "tld", "path")


@dataclass(frozen=True)
class Token:
    """A word of a URL, the part of the URL that it stands in, and where: text[start:end] of host and rest together."""

    text: str
    place: Place
    start: int
    end: int


def tokens(url: bytes) -> list[Token]:
    """The tokens of a URL, in order.

    >>> [token.text for token in tokens(b"http://www.internetwordstats.com/africa2.htm")]
    ['internetwordstats', 'com', 'africa']
    """
    return tokens_of(read_address(url))


def tokens_of(address: Address) -> list[Token]:
    """The tokens of a URL that is taken apart already."""
    url_tokens: list[Token] = []
    parts: list[tuple[str, Place]] = [(label, "host") for label in address.labels]
    if len(parts) > 1:
        parts[-1] = (parts[-1][0], "tld")
    start = 0
    for text, part in parts:
        url_tokens.extend(Token(word, part, start + at, start + at + len(word)) for at, word in words_at(text))
        start += len(text) + 1
    start = len(address.host)
    url_tokens.extend(Token(word, "path", start + at, start + at + len(word)) for at, word in words_at(address.rest))
    return url_tokens


def words_of(text: str) -> Iterator[str]:
    """The words of a piece of text that count as tokens."""
    return (word for _, word in words_at(text))


def words_at(text: str) -> Iterator[tuple[int, str]]:
    """(place, word) of every word that counts as a token."""
    for at, written in runs_of_letters(text):
        word = lower_case(written)
        if _counts(word):
            yield at, word


def runs_of_letters(text: str) -> Iterator[tuple[int, str]]:
    """(place, run) of every run of letters, as it is written."""
    start = -1
    for at, character in enumerate(text + " "):
        is_letter = character.isalpha() if character.isascii() else kernels.fold(ord(character)) != 0
        if is_letter and start < 0:
            start = at
        elif not is_letter and start >= 0:
            yield start, text[start:at]
            start = -1


def lower_case(text: str) -> str:
    """Letters in the lower case that one code point has; what is no letter stays as it is."""
    if text.isascii():
        return text.lower()
    return "".join(chr(kernels.fold(ord(letter)) or ord(letter)) for letter in text)


def _counts(word: str) -> bool:
    return len(word) >= 2 and word not in STOP_WORDS
