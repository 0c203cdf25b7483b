"""Counted n-grams of characters, as the content papers use them: the plain definition and the compiled one.

A text is bytes, read as UTF-8; a byte that is not part of valid UTF-8 stands for its Latin-1 character. Everything but
letters (of every script, with their marks) becomes a space, letters become lower case, spaces are merged and dropped at
both ends: "all markup and non-alphabetic characters removed, exactly one space between words" (Hayati 2004, section 2).
What happens at the ends of a text (`edges`):

- `wrap`: the text is a ring, so there are as many n-grams of each length as characters (section 3.1);
- `space`: the same with a space between the last word and the first, so that no n-gram joins the two;
- `words`: n-grams stay inside words, which have a space on each side (Cavnar and Trenkle's own way).

A space alone is no n-gram: it says that there are words, not which.

An n-gram is named by a 64-bit hash of its characters: two of a million meet with a chance of about one in 40 million.
Costs are linear in the length of the text times the number of lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.hashing import word_key
from dragoman.kernels import counting

EDGES, LONGEST = counting.EDGES, counting.LONGEST


@dataclass(frozen=True)
class NGrams:
    """Which n-grams are counted: from `shortest` to `longest` characters, with these edges."""

    shortest: int
    longest: int
    edges: str

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest <= LONGEST:
            raise UsageError(f"N-grams have 1 to {LONGEST} characters, not {self.shortest} to {self.longest}")
        if self.edges not in EDGES:
            raise UsageError(f"The edges of a text are one of {', '.join(EDGES)}, not '{self.edges}'")

    @property
    def sizes(self) -> tuple[int, int, str]:
        """What the kernels take."""
        return self.shortest, self.longest, self.edges

    def of(self, text: bytes) -> Iterator[str]:
        """The n-grams of a text, shorter ones first, then in order.

        >>> list(NGrams(3, 3, "wrap").of(b"The quick!"))
        ['the', 'he ', 'e q', ' qu', 'qui', 'uic', 'ick', 'ckt', 'kth']
        >>> list(NGrams(3, 3, "words").of(b"The fox"))
        [' th', 'the', 'he ', ' fo', 'fox', 'ox ']
        """
        words = words_of(text)
        sizes = range(self.shortest, self.longest + 1)
        if self.edges == "words":
            for size in sizes:
                for word in words.split():
                    marked = f" {word} "
                    grams = (marked[i : i + size] for i in range(len(marked) - size + 1))
                    yield from (gram for gram in grams if gram != " ")
            return
        ring = words + " " if words and self.edges == "space" else words
        if ring:
            long = ring + (ring * LONGEST)[: LONGEST - 1]
            for size in sizes:
                grams = (long[i : i + size] for i in range(len(ring)))
                yield from (gram for gram in grams if gram != " ")

    def plain_counts(self, text: bytes) -> dict[int, int]:
        """{key: count} in the order of first appearance, by the plain definition."""
        return {word_key(gram): number for gram, number in Counter(self.of(text)).items()}

    def counts(self, texts: ByteColumn) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]:
        """(indptr, keys, counts) of a batch, the same compiled: row i has keys[indptr[i]:indptr[i + 1]]."""
        return counting.count(texts.data, texts.offsets, *self.sizes)


def words_of(text: bytes) -> str:
    """The words of a text in lower case, one space between two.

    >>> words_of("  Où est l'école?".encode())
    'où est l école'
    """
    read = text.decode("utf-8", "dragoman-latin-1")  # registered by dragoman.identifiers.url.address
    lower = {ord(letter): chr(kernels.fold(ord(letter)) or 32) for letter in set(read)}
    return " ".join(filter(None, read.translate(lower).split(" ")))
