"""Phrases that are looked for in texts: all of them in one pass, where `in` takes one for each."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dragoman.kernels.library import COUNT, POINTER, at, library

_library = library({"dragoman_phrase": (COUNT, [POINTER, COUNT, *([POINTER] * 4)])})


class SoughtPhrases:
    """Some phrases of two bytes and more.

    >>> phrases = SoughtPhrases(["deutsch", "中文"])
    >>> phrases.any_in("auf deutsch"), phrases.any_in("漢字中文"), phrases.any_in("deutsc")
    (True, True, False)
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self.phrases = tuple(sorted({phrase.encode() for phrase in phrases}))
        if any(len(phrase) < 2 for phrase in self.phrases):
            raise ValueError("a phrase has two bytes or more")
        pairs = np.zeros(1 << 16, np.uint8)
        pairs[[phrase[0] << 8 | phrase[1] for phrase in self.phrases]] = 1
        self._pairs = np.packbits(pairs, bitorder="little")
        self._bytes = np.frombuffer(b"".join(self.phrases) or b"\0", np.uint8)
        self._starts = np.cumsum([0, *map(len, self.phrases)], dtype=np.int32)
        self._first = np.searchsorted([phrase[0] for phrase in self.phrases], np.arange(257)).astype(np.int32)
        self._tables = (
            at(self._bytes, np.uint8), at(self._starts, np.int32), at(self._first, np.int32), at(self._pairs, np.uint8),
        )  # fmt: skip

    def any_in(self, text: str | bytes) -> bool:
        """True if one of them stands in a text, or in its UTF-8: `any(phrase in text for phrase in phrases)`."""
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        return int(_library.dragoman_phrase(data, len(data), *self._tables)) >= 0
