"""Which state a symbol begins in where states stand for kinds of symbols: spaces, vowels, consonants.

Not in the paper, whose states split a text in time. State 0 has the space and the period, state 1 the vowels, the
others share the consonants in turn. With two states spaces go with the consonants, with one everything is together.
The kinds are only a start: Viterbi training may move a symbol.

>>> from dragoman.identifiers.text.algorithms.hmm.symbols import PAPER, symbols
>>> kinds(PAPER, 3)[symbols("la mia")].tolist()
[2, 1, 0, 2, 1, 1]
"""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.algorithms.hmm.symbols import LATIN, PERIOD, SPACE, Alphabet

#: Vowels of the Latin, Cyrillic and Greek scripts, without their marks; letters of other scripts count as consonants.
VOWELS = frozenset("aeiouyæœøıаеиоуыэюяієαεηιουω")


def kinds(alphabet: Alphabet, states: int) -> NDArray[np.uint8]:
    """The state of every symbol, by its number; 0 is no symbol."""
    points = {alphabet.symbol(point): point for point in [*range(0x61, 0x7B), *range(0xDF, 0x100)]}
    points |= {LATIN + 1 + number: int(point) for number, point in enumerate(alphabet.letters)}
    table = np.zeros(alphabet.size + 1, np.uint8)
    consonants = 0
    for symbol in range(1, alphabet.size + 1):
        if symbol in (SPACE, PERIOD):
            continue
        if symbol in points and unicodedata.normalize("NFD", chr(points[symbol]))[0] in VOWELS:
            table[symbol] = min(1, states - 1)
        elif states > 2:
            table[symbol] = 2 + consonants % (states - 2)
            consonants += 1
    return table
