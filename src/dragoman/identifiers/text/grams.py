"""The features of the text model: character n-grams inside words and whole words of a text's script, hashed.

A text is bytes, read as UTF-8; a byte that is not part of valid UTF-8 stands for its Latin-1 character. A word is a run
of letters of one script (dragoman.identifiers.text.scripts), in lower case; marks of no script belong to the letter
before them, and apostrophes that Unicode calls letters end a word, as the others do. Latin letters that look like
Cyrillic ones are those, where they stand among Cyrillic letters: keyboards and scanners mix them. Only words of the
script that the text is written in count. Between two boundaries, ` word `, the features of a word are

- the n-grams of one to five characters, boundaries included (a boundary alone is none);
- the word with both its boundaries, if it has at most 20 letters.

A word stands as names do where it begins with a capital letter and nothing but spaces, commas, hyphens, apostrophes and
digits are between it and a word before. Names travel, so these count half, if some word begins with a small letter.

A text of more than 32 KiB is read in 32 pieces of 1 KiB, evenly spread from its beginning to its end: a page changes
little in 32 places, and the cost stays the same however long it is.

This is the plain definition; dragoman.kernels.text has the compiled one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from dragoman import kernels
from dragoman.identifiers.text.scripts import CYRILLIC, NONE, prevailing, script_of
from dragoman.identifiers.url import address as _registers  # noqa: F401

LONGEST_GRAM, LONGEST_WORD = 5, 20
SAMPLE, PIECES = 1 << 15, 32

_FACTOR = 0x9E3779B97F4A7C15
_SEED = 0xA0761D6478BD642F
_BOUNDARY = " "
_WHOLE = (1 << 64) - 1
_ERRORS = "dragoman-latin-1"  # registered by dragoman.identifiers.url.address
#: A text of fewer letters says nothing; one of few says nothing among as many digits, of those in its first bytes.
_LEAST_LETTERS, _FEW_LETTERS, SHORT = 2, 20, 256
#: What the score of code gets more in a longer text that looks like code: n-grams repeated a thousand times speak loud.
SURER = 100
#: So many words and no more can be a name or a code, and what codes have that other texts hardly have.
_FEW_WORDS, _SIGNS, _DIGITS = 5, frozenset("_/\\=<>{}[]@#$%^|~"), frozenset("0123456789")
_SIGN_BYTES = frozenset("".join(_SIGNS).encode())
_LETTERS = re.compile(f"[^{_BOUNDARY}]+")
#: A letter five times in a row, in scripts before Thai: all with spaces between words.
_HELD = re.compile("([\\0-\u0dff])\\1{4}")
#: What may stand between the words of a sentence.
_QUIET = frozenset(" ,-'\u00a0\u20190123456789")
#: Modifier letters that stand for apostrophes.
_APOSTROPHES = range(0x2B9, 0x2BD)


#: Latin letters and the Cyrillic ones that look like them, as capitals or small letters.
_ALIKE = dict(zip(map(ord, "abcehijkmopstxyæăĕ"), "авсеніјкморѕтхуӕӑӗ", strict=True))


class LetterRun(NamedTuple):
    """A run of letters of one script, in lower case: if its first is a capital, and if it stands as names do."""

    script: int
    word: str
    capital: bool
    named: bool


class Reading(NamedTuple):
    """What is read of a text: the number of its script (None: no known letter), its words of that script, and what each
    of them counts in halves."""

    script: int | None
    words: list[str]
    halves: list[int]

    @property
    def letters(self) -> int:
        """How many letters the words have together."""
        return sum(map(len, self.words))


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


def _lower(letter: str) -> str:
    point = kernels.fold(ord(letter))
    return chr(point) if point and point not in _APOSTROPHES else _BOUNDARY


def runs(text: bytes) -> Iterator[LetterRun]:
    """The runs of letters of one script; NONE for marks that follow no letter.

    >>> [(run.word, run.named) for run in runs("Où est l'école de Lyon?".encode())]
    [('où', False), ('est', False), ('l', False), ('école', False), ('de', False), ('lyon', True)]
    """
    for piece in pieces(text):
        written = piece.decode("utf-8", _ERRORS)
        lower = "".join(map(_lower, written))
        for match in _LETTERS.finditer(lower):
            word, start = match[0], 0
            if any(script_of(ord(letter)) == CYRILLIC for letter in word):
                word = word.translate(_ALIKE)
            while start < len(word):
                script, end = script_of(ord(word[start])), start + 1
                while end < len(word) and script_of(ord(word[end])) in (script, NONE):
                    end += 1
                at = match.start() + start
                capital = written[at] != lower[at]
                yield LetterRun(script, word[start:end], capital, capital and _goes_on(written, lower, at))
                start = end


def _goes_on(written: str, lower: str, at: int) -> bool:
    """True where a word of the same sentence stands before this place."""
    at -= 1
    while at >= 0 and lower[at] == _BOUNDARY and written[at] in _QUIET:
        at -= 1
    return at >= 0 and lower[at] != _BOUNDARY


def read(text: bytes, script: int | None = None) -> Reading:
    """The words of a text that count: those of one script, or of the one it is written in; all of them whole.

    >>> read("Привет, John!".encode()).words
    ['привет']
    """
    script, chosen = _of_script(text, script)
    return Reading(script, [run.word for run in chosen], [2] * len(chosen))


def _of_script(text: bytes, script: int | None = None) -> tuple[int | None, list[LetterRun]]:
    written = list(runs(text))
    if script is None:
        letters: Counter[int] = Counter()
        for run in written:
            letters.update(script_of(ord(letter)) for letter in run.word)
        script = prevailing(letters)
    return script, [run for run in written if run.script == script]


def heard(text: bytes) -> Reading:
    """What a model hears of a text: its words, but for those in which a key was held down (one letter five times in a
    row, in scripts with spaces), and those that are the same as the one before; names half.

    >>> heard(b"no no no, nooooooo, not that, Nora").words
    ['no', 'not', 'that', 'nora']
    >>> heard(b"no no no, nooooooo, not that, Nora").halves
    [2, 2, 2, 1]
    """
    script, chosen = _of_script(text)
    spoken = [
        next(same) for _, same in groupby((run for run in chosen if not _HELD.search(run.word)), lambda run: run.word)
    ]
    small = any(not run.capital for run in spoken)
    return Reading(script, [run.word for run in spoken], [1 if small and run.named else 2 for run in spoken])


def says_something(text: bytes, letters: int) -> bool:
    """True where there is something to read: two letters, and, of fewer than 20, more letters than digits.

    >>> says_something(b"2024-11-18T01:02:03Z", 2), says_something(b"on 5 May", 5)
    (False, True)
    """
    digits = sum(byte in b"0123456789" for byte in text[:SHORT]) if letters < _FEW_LETTERS else 0
    return letters >= _LEAST_LETTERS and letters > digits


def looks_of(text: bytes) -> tuple[bool, bool]:
    """(like names, like code) of a short text. Names are two to five words that begin with a capital letter each; code
    has a number or a sign of programs among at most five words, or one to every two words, or at most five words in
    capital letters only. A longer text is like code where its beginning has as many signs of programs as it has words.

    >>> looks_of(b"Mary O'Neill, Cork"), looks_of(b"Mary was here"), looks_of(b"SKU 44-B"), looks_of(b"max_size")
    ((True, False), (False, False), (True, True), (False, True))
    """
    if len(text) > SHORT:
        return False, sum(byte in _SIGN_BYTES for byte in text[:SAMPLE]) >= len(read(text).words)
    words, signs, before, last, named, capitals = 0, 0, _BOUNDARY, "", True, True
    for letter in text.decode("utf-8", _ERRORS):
        low = _lower(letter)
        signs += letter in _SIGNS or (letter in _DIGITS and last not in _DIGITS)
        if low != _BOUNDARY and before == _BOUNDARY:
            words += 1
            named = named and low != letter
        capitals = capitals and (low == _BOUNDARY or low != letter)
        before, last = low, letter
    if words > _FEW_WORDS:
        return False, 2 * signs >= words
    return words > 1 and named, words > 0 and (signs > 0 or capitals)


def of_word(word: str) -> Iterator[tuple[str, int]]:
    """The features of a word with their hashes of 64 bits.

    >>> [name for name, _ in of_word("oui")]
    ['o', ' o', 'u', 'ou', ' ou', 'i', 'ui', 'oui', ' oui', 'i ', 'ui ', 'oui ', ' oui ']
    """
    bounded = _BOUNDARY + word
    for last in range(1, len(bounded)):
        key = _SEED
        for first in range(last, max(-1, last - LONGEST_GRAM), -1):
            key = _longer(key, ord(bounded[first]))
            yield bounded[first : last + 1], key
    key = _longer(_SEED, ord(_BOUNDARY))
    for length in range(1, min(len(word), LONGEST_WORD) + 1):
        key = _longer(key, ord(word[-length]))
        if length < LONGEST_GRAM:
            yield word[-length:] + _BOUNDARY, key
        if length == len(word):
            yield bounded + _BOUNDARY, _longer(key, ord(_BOUNDARY))


def _longer(key: int, point: int) -> int:
    return (key ^ point) * _FACTOR & _WHOLE
