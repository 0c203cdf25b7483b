"""Letters as numbers: the 60 symbols of the HMM paper (section 3.2), and an alphabet of every script beside it.

    a-z 1..26      period 27      space 28      the letters of Latin-1, à to ÿ, 29..60 (no division sign)

Capitals count as small letters; everything else is a space, and spaces in a row are one. A text has no space at its
ends.

>>> symbols("acb").tolist()
[1, 3, 2]
>>> symbols("Straße, 3 km.").tolist() == [19, 20, 18, 1, 59, 5, 28, 11, 13, 27]
True

Beyond the paper: `Alphabet.of` adds the letters that training text has outside Latin-1, in the order of Unicode, which
keeps the letters of a script together; then one symbol per script for its other letters. Without such letters it is
the paper's alphabet.

>>> Alphabet.of(["да"] * 3).size
95
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels

PERIOD, SPACE = 27, 28
#: The symbols of the paper.
LATIN = 60

#: Where the letters of a script begin; its other letters share a symbol. Small scripts between these share too.
SCRIPTS = (
    *(0x0000, 0x0370, 0x0400, 0x0530, 0x0590, 0x0600, 0x0700, 0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0B80, 0x0C00),
    *(0x0C80, 0x0D00, 0x0D80, 0x0E00, 0x0E80, 0x0F00, 0x1000, 0x10A0, 0x1100, 0x1200, 0x1380, 0x1780, 0x1800, 0x3040),
    *(0x30A0, 0x3100, 0x3400, 0xA000, 0xAC00),
)
#: At most so many letters outside Latin-1 get a symbol of their own, the most frequent ones.
MOST_LETTERS = 400
#: Code points below this are looked up at once: Latin, Greek and Cyrillic letters.
_LOW = 0x500
#: A letter outside Latin-1 needs so many occurrences.
LEAST = 3

Symbols = NDArray[np.int32]


def _paper() -> NDArray[np.int32]:
    """The symbol of every code point below 256; 0 for what is none of the 60."""
    table = np.zeros(256, np.int32)
    for point in range(26):
        table[ord("a") + point] = point + 1
    table[ord(".")] = PERIOD
    latin = [point for point in range(0xE0, 0x100) if point != 0xF7]
    # The formula puts sharp s, whose code is the lowest, behind thorn: 59; and y with diaeresis last: 60.
    for number, point in enumerate([point for point in latin if point != 0xFF] + [0xDF, 0xFF]):
        table[point] = SPACE + 1 + number
    return table


_PAPER = _paper()


@dataclass(frozen=True, eq=False)
class Alphabet:
    """The paper's 60 symbols, then `letters` (sorted code points), then, if there are any, one symbol per script."""

    letters: NDArray[np.uint32]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Alphabet:
        """The alphabet of training text: its letters outside Latin-1 that come three times or more."""
        letters: Counter[str] = Counter()
        for text in texts:
            letters.update(text)
        counts: Counter[int] = Counter()
        for letter, count in letters.items():
            if (lower := kernels.fold(ord(letter))) and not (lower < 256 and _PAPER[lower]):
                counts[lower] += count
        common = sorted((-count, point) for point, count in counts.items() if count >= LEAST)[:MOST_LETTERS]
        return cls(np.array(sorted(point for _, point in common), np.uint32))

    @cached_property
    def size(self) -> int:
        """The number of symbols."""
        return LATIN + (len(self.letters) + len(SCRIPTS) if len(self.letters) else 0)

    def symbol(self, point: int) -> int:
        """The symbol of a code point: the plain definition of `look_up`."""
        if point == ord("."):
            return PERIOD
        lower = kernels.fold(point)
        if lower == 0:
            return SPACE
        if lower < 256 and _PAPER[lower]:
            return int(_PAPER[lower])
        if not len(self.letters):
            return SPACE
        number = int(np.searchsorted(self.letters, lower))
        if number < len(self.letters) and int(self.letters[number]) == lower:
            return LATIN + 1 + number
        return LATIN + len(self.letters) + sum(lower >= start for start in SCRIPTS)

    @cached_property
    def _low(self) -> Symbols:
        """The symbols of the code points that most text is made of."""
        return np.fromiter((self.symbol(point) for point in range(_LOW)), np.int32, _LOW)

    def look_up(self, points: NDArray[np.uint32]) -> Symbols:
        """The symbol of every code point."""
        symbols = self._low[np.minimum(points, _LOW - 1)]
        if len(points) and points.max() >= _LOW:
            high = np.flatnonzero(points >= _LOW)
            different, inverse = np.unique(points[high], return_inverse=True)
            table = np.fromiter((self.symbol(int(point)) for point in different), np.int32, len(different))
            symbols[high] = table[inverse.reshape(high.shape)]
        return np.asarray(symbols, np.int32)


#: The alphabet of the paper.
PAPER = Alphabet(np.empty(0, np.uint32))


def code_points(text: str) -> NDArray[np.uint32]:
    """The text as numbers; lone surrogates are let through."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32)


def symbols(text: str, alphabet: Alphabet = PAPER) -> Symbols:
    """The symbols of a text."""
    return placed_symbols(code_points(text), alphabet)[0]


def placed_symbols(points: NDArray[np.uint32], alphabet: Alphabet = PAPER) -> tuple[Symbols, NDArray[np.int64]]:
    """(symbols, places): the symbols, and for each the place in `points` that it stands for.

    A space stands for the first of the characters that it replaces.
    """
    symbols = alphabet.look_up(points)
    space = symbols == SPACE
    keep = ~space
    keep[1:] |= ~space[:-1]
    places = np.flatnonzero(keep)
    spaced = symbols[places]
    start = int(len(spaced) > 0 and spaced[0] == SPACE)
    end = len(spaced) - int(len(spaced) > start and spaced[-1] == SPACE)
    return spaced[start:end], places[start:end]


def batch_symbols(texts: Sequence[str], alphabet: Alphabet = PAPER) -> tuple[Symbols, NDArray[np.int64]]:
    """(symbols, offsets): the symbols of every text, those of text i from offsets[i] to offsets[i + 1]."""
    symbols = alphabet.look_up(code_points("".join(texts)))
    row = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    if not len(symbols):
        return symbols, np.zeros(len(texts) + 1, np.int64)
    space = symbols == SPACE
    first = np.concatenate([[True], row[1:] != row[:-1]])
    keep = ~space
    keep[1:] |= ~space[:-1]
    keep &= ~(space & first)
    symbols, row, space = symbols[keep], row[keep], space[keep]
    last = np.concatenate([row[1:] != row[:-1], [True]]) if len(row) else np.empty(0, np.bool_)
    inner = ~(space & last)
    counts = np.bincount(row[inner], minlength=len(texts))
    return symbols[inner], np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def plain_symbols(text: str, alphabet: Alphabet = PAPER) -> list[int]:
    """The symbols of a text, one character after the other: the definition."""
    symbols: list[int] = []
    for point in code_points(text).tolist():
        symbol = alphabet.symbol(point)
        if symbol != SPACE or (symbols and symbols[-1] != SPACE):
            symbols.append(symbol)
    return symbols[:-1] if symbols and symbols[-1] == SPACE else symbols
