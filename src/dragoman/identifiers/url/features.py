"""Feature sets whose vocabulary comes from the training URLs: words, trigrams, raw trigrams, placed words.

A feature is named by a 64-bit key. Trigrams have exact keys (three code points of 21 bits, mixed by a bijection);
words are hashed, and two of a million words meet with a chance of about one in 40 million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UnknownName
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.production_features import production_features
from dragoman.identifiers.url.tokens import PLACES, tokens

_MASK = (1 << 64) - 1
_FNV_START, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def mix(h: int) -> int:
    """A bijection of 64 bits that spreads every bit over all; never 0, which marks a free slot."""
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD & _MASK
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 & _MASK
    h ^= h >> 33
    return h or 1


def word_key(word: str, namespace: int = 0) -> int:
    """The key of a word (FNV-1a over its code points, mixed); namespaces keep equal words apart."""
    h = _FNV_START + namespace
    for character in word:
        h = (h ^ ord(character)) * _FNV_PRIME & _MASK
    return mix(h)


def trigram_key(trigram: str) -> int:
    """The key of three characters."""
    a, b, c = map(ord, trigram)
    return mix(a << 42 | b << 21 | c)


def trigrams_of(word: str) -> Iterator[str]:
    """Trigrams inside a token, with boundary marks.

    >>> list(trigrams_of("weather"))
    ['_we', 'wea', 'eat', 'ath', 'the', 'her', 'er_']
    """
    marked = f"_{word}_"
    return (marked[i : i + 3] for i in range(len(marked) - 2))


Named = tuple[str, int]


def _words(url: bytes) -> Iterator[Named]:
    return ((token.text, word_key(token.text)) for token in tokens(url))


def _trigrams(url: bytes) -> Iterator[Named]:
    return ((gram, trigram_key(gram)) for token in tokens(url) for gram in trigrams_of(token.text))


def _raw_trigrams(url: bytes) -> Iterator[Named]:
    address = read_address(url)
    text = "".join(chr(kernels.fold(ord(c)) or ord(c)) for c in address.host + address.rest)
    return ((text[i : i + 3], trigram_key(text[i : i + 3])) for i in range(len(text) - 2))


def _placed_words(url: bytes) -> Iterator[Named]:
    return (
        (f"{token.place}:{token.text}", word_key(token.text, 1 + PLACES.index(token.place))) for token in tokens(url)
    )


@dataclass(frozen=True)
class FeatureSet:
    """One way to turn a URL into keys: `named` is the plain definition, `keys` the compiled one."""

    name: str
    number: int
    about: str
    named: Callable[[bytes], Iterator[Named]]

    def keys(self, urls: ByteColumn) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint8]]:
        """(indptr, keys, kinds) of a batch: row i has keys[indptr[i]:indptr[i + 1]]."""
        return kernels.keys(urls.data, urls.offsets, self.number)

    def plain_keys(self, url: bytes) -> list[int]:
        """The keys of one URL, by the plain definition."""
        return [key for _, key in self.named(url)]


#: The numbers are those of the enumeration in kernels/features.c.
FEATURE_SETS = {
    made.name: made
    for made in (
        FeatureSet("words", 0, "the tokens of the whole URL", _words),
        FeatureSet("trigrams", 1, "three letters in a row inside a token, with boundary marks", _trigrams),
        FeatureSet("raw-trigrams", 2, "three characters in a row over the whole URL, punctuation too", _raw_trigrams),
        FeatureSet("placed-words", 3, "tokens, kept apart by host, top-level domain and path", _placed_words),
        FeatureSet("production", 4, "words, n-grams, scripts and language codes by place", production_features),
    )
}


def feature_set(name: str) -> FeatureSet:
    """The feature set of this name."""
    try:
        return FEATURE_SETS[name]
    except KeyError:
        raise UnknownName("feature set", name, FEATURE_SETS) from None


@dataclass
class Vocabulary:
    """Keys numbered in the order in which they first appeared."""

    features: FeatureSet
    slots: NDArray[np.uint64]
    size: int = 0

    @classmethod
    def empty(cls, features: FeatureSet) -> Vocabulary:
        """A vocabulary that has seen nothing."""
        return cls(features, kernels.new_slots(1 << 16))

    @classmethod
    def of(cls, features: FeatureSet, keys: NDArray[np.uint64]) -> Vocabulary:
        """A vocabulary with these keys, in this order."""
        keys = np.ascontiguousarray(keys, np.uint64)
        _, slots, size = kernels.number(keys, kernels.new_slots(len(keys)), 0)
        return cls(features, slots, size)

    def learn(self, urls: ByteColumn, rows: int = 1 << 16) -> Any:
        """The count matrix (CSR, float32) of the batch; keys not met before become new columns."""
        starts, parts = [0], []
        for start in range(0, len(urls), rows):
            indptr, found, _ = self.features.keys(urls.slice(start, min(start + rows, len(urls))))
            numbers, self.slots, self.size = kernels.number(found, self.slots, self.size)
            parts.append(numbers)
            starts.extend((indptr[1:] + starts[-1]).tolist())
        return _counts(parts, np.array(starts, np.int64), self.size)

    def counts(self, urls: ByteColumn) -> Any:
        """The count matrix of a batch over the columns known so far; other keys are left out."""
        indptr, found, _ = self.features.keys(urls)
        numbers = kernels.find(found, self.slots)
        known = numbers >= 0
        kept = np.concatenate([[0], np.cumsum(known)])[indptr]
        return _counts([numbers[known].astype(np.int32)], kept, self.size)

    def keys(self) -> NDArray[np.uint64]:
        """The key of every column."""
        pairs = self.slots.reshape(-1, 2)
        pairs = pairs[pairs[:, 0] != 0]
        return np.ascontiguousarray(pairs[np.argsort(pairs[:, 1]), 0])


def _counts(parts: list[NDArray[np.int32]], indptr: NDArray[np.int64], width: int) -> Any:
    from scipy.sparse import csr_matrix

    numbers = np.concatenate(parts) if parts else np.empty(0, np.int32)
    matrix = csr_matrix((np.ones(len(numbers), np.float32), numbers, indptr), shape=(len(indptr) - 1, width))
    matrix.sum_duplicates()
    return matrix
