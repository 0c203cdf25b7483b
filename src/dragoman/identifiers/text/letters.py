"""What letters say against classes of a text model: those that a class lacks.

    veto(text, class) = 6 * min(1, 25 * (its letters that the class lacks) / (its letters))

A class lacks a letter that hardly ever stood in its texts and that another class of its script has often: Macedonian
has no `ћ`, Japanese no `你`. One in 25 letters is enough for all of the veto; a name in a page costs nearly nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.text import ONE_IN, SCRIPT_POINTS, VETO, TextTable

_LAST = chr(SCRIPT_POINTS)


def veto(table: TextTable, words: Sequence[str]) -> NDArray[np.float32]:
    """What each class loses for letters that it lacks."""
    rows = [int(table.letters.row[ord(letter)]) for word in words for letter in word if "\x80" <= letter < _LAST]
    lacking = table.letters.lacking[[number - 1 for number in rows if number]].sum(axis=0, dtype=np.int64)
    part = np.float32(ONE_IN) / np.float32(max(1, sum(map(len, words)))) * lacking.astype(np.float32)
    return np.asarray(np.float32(VETO) * np.minimum(part, np.float32(1)), np.float32)
