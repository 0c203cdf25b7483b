"""What letters say against classes of a text model: those that a class lacks.

    veto(text, class) = 6 * min(1, 25 * (its letters that the class lacks, less the free one) / (its letters))

letters of words that count half (text.grams) being half a letter each.

A class lacks a letter that hardly ever stood in its texts and that another class of its script has often: Macedonian
has no `ћ`, Japanese no `你`. One in 25 letters is enough for all of the veto; a name in a page costs nearly nothing. In
a text in Latin letters of four words and more one letter is free: "Flights from Lisbon to São Paulo" is English.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.grams import Reading
from dragoman.identifiers.text.scripts import LATIN
from dragoman.kernels.text import FREE_FROM, ONE_IN, SCRIPT_POINTS, VETO, TextTable

_LAST = chr(SCRIPT_POINTS)


def veto(table: TextTable, reading: Reading) -> NDArray[np.float32]:
    """What each class loses for letters that it lacks, in a text that was read."""
    words = list(zip(reading.words, reading.halves, strict=True))
    rows = [
        (int(table.letters.row[ord(letter)]), half)
        for word, half in words
        for letter in word
        if "\x80" <= letter < _LAST
    ]
    lacking = np.zeros(table.letters.lacking.shape[1], np.int64)
    for number, half in rows:
        if number:
            lacking += half * table.letters.lacking[number - 1].astype(np.int64)
    if reading.script == LATIN and len(words) >= FREE_FROM:
        lacking = np.maximum(lacking - 2, 0)
    letters = sum(half * len(word) for word, half in words)
    part = np.float32(ONE_IN) / np.float32(max(1, letters)) * lacking.astype(np.float32)
    return np.asarray(np.float32(VETO) * np.minimum(part, np.float32(1)), np.float32)
