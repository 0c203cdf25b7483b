"""The features of the text model: character n-grams inside words, whole words, and blocks of scripts, hashed.

A text is bytes, read as UTF-8; a byte that is not part of valid UTF-8 stands for its Latin-1 character. A word is a run
of letters (dragoman.identifiers.url.tokens), in lower case. Between two boundaries, ` word `, its features are

- the n-grams of one to five characters, boundaries included (a boundary alone is none);
- the word with both its boundaries, if it has at most 20 letters;
- the block of 128 code points of its first letter, all of Han being one: scripts that only one language uses decide,
  whatever the letters are.

A text of more than 32 KiB is read in 32 pieces of 1 KiB, evenly spread from its beginning to its end: a page changes
little in 32 places, and the cost stays the same however long it is.

Manuals in other scripts are full of commands, names and quotations in Latin letters. Where words of other scripts have
64 features or more, and at least a tenth of all, Latin words count as half as many features as those, if they have
more: `latin_counted`.

This is the plain definition; dragoman.kernels.text has the compiled one.
"""

from __future__ import annotations

from collections.abc import Iterator

from dragoman import kernels
from dragoman.identifiers.url import address as _registers  # noqa: F401

LONGEST_GRAM, LONGEST_WORD = 5, 20
SAMPLE, PIECES = 1 << 15, 32
LEAST_OTHERS, MOST_LATIN = 64, 9

_FACTOR = 0x9E3779B97F4A7C15
_SEED, _BLOCK_SEED = 0xA0761D6478BD642F, 0xD6E8FEB86659FD93
_BOUNDARY = " "
_WHOLE = (1 << 64) - 1
_ERRORS = "dragoman-latin-1"  # registered by dragoman.identifiers.url.address


def pieces(text: bytes) -> Iterator[bytes]:
    """The parts of a text that are read."""
    if len(text) <= SAMPLE:
        yield text
        return
    size = SAMPLE // PIECES
    apart = (len(text) - size) // (PIECES - 1)
    for start in range(0, PIECES * apart, apart):
        yield text[_between(text, start) : _between(text, start + size)]


def _between(text: bytes, at: int) -> int:
    """The first place from here on, at most three bytes away, that is not inside a character."""
    end = at + 3
    while at < min(end, len(text)) and text[at] & 0xC0 == 0x80:
        at += 1
    return at


def words(text: bytes) -> Iterator[str]:
    """The words of the parts that are read; an empty one where a part ends in something else.

    >>> list(words("Où est l'école".encode()))
    ['où', 'est', 'l', 'école']
    """
    for piece in pieces(text):
        letters = "".join(chr(kernels.fold(ord(one)) or 32) for one in piece.decode("utf-8", _ERRORS))
        yield from letters.split(_BOUNDARY)


def of_words(text: bytes) -> Iterator[tuple[bool, list[tuple[str, int]]]]:
    """For each word, whether it begins with a Latin letter, and its features with their hashes."""
    for word in words(text):
        if word:
            yield is_latin(word[0]), list(_of_word(word))


def named(text: bytes) -> Iterator[tuple[str, int]]:
    """The features of a text with their hashes of 64 bits.

    >>> [name for name, _ in named(b"Oui")]
    ['[0]', 'o', ' o', 'u', 'ou', ' ou', 'i', 'ui', 'oui', ' oui', 'i ', 'ui ', 'oui ', ' oui ']
    """
    for _, features in of_words(text):
        yield from features


def is_latin(letter: str) -> bool:
    """True for a letter of the blocks up to Latin Extended-B, and of Latin Extended Additional."""
    return ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00


def latin_counted(latin: int, others: int) -> int:
    """How many of a text's features of Latin words count, beside so many of other words.

    >>> latin_counted(500, 0), latin_counted(500, 100), latin_counted(1000, 100), latin_counted(40, 100)
    (500, 50, 1000, 40)
    """
    holds = others >= LEAST_OTHERS and others * MOST_LATIN >= latin
    return min(latin, others // 2) if holds else latin


def _of_word(word: str) -> Iterator[tuple[str, int]]:
    yield f"[{_block(word[0]):x}]", _longer(_BLOCK_SEED, _block(word[0]))
    bounded = _BOUNDARY + word
    for last in range(1, len(bounded)):
        found = _SEED
        for first in range(last, max(-1, last - LONGEST_GRAM), -1):
            found = _longer(found, ord(bounded[first]))
            yield bounded[first : last + 1], found
    found = _longer(_SEED, ord(_BOUNDARY))
    for length in range(1, min(len(word), LONGEST_WORD) + 1):
        found = _longer(found, ord(word[-length]))
        if length < LONGEST_GRAM:
            yield word[-length:] + _BOUNDARY, found
        if length == len(word):
            yield bounded + _BOUNDARY, _longer(found, ord(_BOUNDARY))


def _longer(found: int, point: int) -> int:
    return (found ^ point) * _FACTOR & _WHOLE


def _block(letter: str) -> int:
    point = ord(letter)
    return 0x3400 >> 7 if 0x3400 <= point <= 0x9FFF or point >= 0x20000 else point >> 7
