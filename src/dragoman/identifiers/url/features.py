"""Feature sets whose vocabulary comes from the training URLs: words, trigrams, raw trigrams, placed words.

A feature is named by a 64-bit key. Trigrams have exact keys (three code points of 21 bits, mixed by a bijection);
others are hashed (dragoman.identifiers.hashing).

To add a feature set: a subclass of FeatureSet that writes `names`, and a line in FEATURE_SETS, or an entry point of
another package in the group `dragoman.features`. Python alone suffices; a compiled loop is an optimisation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.hashing import mix, word_key
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import PLACES, tokens
from dragoman.registry import Member, Registry, subclass_problem

Named = tuple[str, int]
Keys = tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint8]]


class FeatureSet(ABC):
    """One way to turn a URL into features. One writes `names`; all algorithms on words or trigrams can then use it.

    >>> class Digits(FeatureSet):
    ...     name = "digits"
    ...
    ...     def names(self, url):
    ...         return (character for character in url.decode() if character.isdigit())
    >>> [text for text, key in Digits().named(b"http://a.de/2024")]
    ['2', '0', '2', '4']
    """

    #: The name in the registry, on the command line and in model files.
    name: ClassVar[str]

    @abstractmethod
    def names(self, url: bytes) -> Iterable[str]:
        """The features of a web address, in order, each as often as it occurs."""

    def named(self, url: bytes) -> Iterator[Named]:
        """(name, key) of every feature of any bytes; nothing for what is no web address."""
        if read_address(url).kind == "web":
            yield from ((name, word_key(name)) for name in self.names(url))

    def plain_keys(self, url: bytes) -> list[int]:
        """The keys of one URL, by the plain definition."""
        return [key for _, key in self.named(url)]

    def keys(self, urls: ByteColumn) -> Keys:
        """(indptr, keys, kinds) of a batch: row i has keys[indptr[i]:indptr[i + 1]], and is what KINDS[kinds[i]] says.

        Here row by row, in a CompiledSet by the kernel.
        """
        rows = [self.plain_keys(url) for url in urls]
        kinds = np.array([kernels.KINDS.index(read_address(url).kind) for url in urls], np.uint8)
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]).astype(np.int64)
        return indptr, np.array([key for row in rows for key in row], np.uint64), kinds


class CompiledSet(FeatureSet):
    """A feature set with a compiled loop: `named` is the plain definition of what the loop writes."""

    #: The number of the loop, that of the enumeration in kernels/features.c.
    number: ClassVar[int]

    @abstractmethod
    def named(self, url: bytes) -> Iterator[Named]:
        """(name, key) of every feature; nothing for what is no web address."""

    def names(self, url: bytes) -> Iterator[str]:
        """The features, in order."""
        return (name for name, _ in self.named(url))

    def keys(self, urls: ByteColumn) -> Keys:
        """The same for a batch, compiled."""
        return kernels.keys(urls.data, urls.offsets, self.number)


class Words(CompiledSet):
    """The tokens of the whole URL."""

    name, number = "words", 0

    def named(self, url: bytes) -> Iterator[Named]:
        """Each token by its own key."""
        return ((token.text, word_key(token.text)) for token in tokens(url))


class Trigrams(CompiledSet):
    """Three letters in a row inside a token, with boundary marks."""

    name, number = "trigrams", 1

    def named(self, url: bytes) -> Iterator[Named]:
        """Token by token."""
        return ((gram, trigram_key(gram)) for token in tokens(url) for gram in trigrams_of(token.text))


class RawTrigrams(CompiledSet):
    """Three characters in a row over the whole URL, punctuation too."""

    name, number = "raw-trigrams", 2

    def named(self, url: bytes) -> Iterator[Named]:
        """From the first character of the host to the last of the URL."""
        address = read_address(url)
        text = "".join(chr(kernels.fold(ord(c)) or ord(c)) for c in address.host + address.rest)
        return ((text[i : i + 3], trigram_key(text[i : i + 3])) for i in range(len(text) - 2))


class PlacedWords(CompiledSet):
    """Tokens, kept apart by host, top-level domain and path."""

    name, number = "placed-words", 3

    def named(self, url: bytes) -> Iterator[Named]:
        """Each place has keys of its own."""
        return (
            (f"{token.place}:{token.text}", word_key(token.text, 1 + PLACES.index(token.place)))
            for token in tokens(url)
        )


_HERE, _CUSTOM = "dragoman.identifiers.url.features", "dragoman.identifiers.url.algorithms.custom_columns"

#: Those of the first kind have keys (FeatureSet); the custom-made ones are columns (CustomSet in custom_columns).
FEATURE_SETS: Registry[type[Any]] = Registry(
    "feature set",
    "dragoman.features",
    {
        "words": Member(f"{_HERE}:Words", "the tokens of the whole URL"),
        "trigrams": Member(f"{_HERE}:Trigrams", "three letters in a row inside a token, with boundary marks"),
        "raw-trigrams": Member(f"{_HERE}:RawTrigrams", "three characters in a row over the whole URL, punctuation too"),
        "placed-words": Member(f"{_HERE}:PlacedWords", "tokens, kept apart by host, top-level domain and path"),
        "custom": Member(f"{_CUSTOM}:CustomSet", "custom-made features: country codes, dictionaries, hyphens"),
        "custom-selected": Member(
            f"{_CUSTOM}:SelectedSet", "the three custom-made features per language that the URL paper kept"
        ),
    },
    lambda name, value: subclass_problem(value, FeatureSet, ("name", name)),
)


@cache
def feature_set(name: str) -> FeatureSet:
    """The feature set of this name; UsageError for one that has columns instead of keys."""
    made = FEATURE_SETS.made(name, examine=_examined)
    if not isinstance(made, FeatureSet):
        raise UsageError(f"'{name}' features are columns made by hand; words or trigrams are needed here")
    return made


def _examined(features: FeatureSet) -> str | None:
    """What is wrong with the features of a URL, in words."""
    url = b"http://www.example.org/a-page/1.html?b=c"
    names = list(features.names(url))
    if not all(isinstance(name, str) for name in names):
        return f"`names` gives {next(type(name).__name__ for name in names if not isinstance(name, str))}, not str"
    return None if list(features.names(url)) == names else "`names` gives other names when it is asked again"


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
            indptr, keys, _ = self.features.keys(urls.slice(start, min(start + rows, len(urls))))
            numbers, self.slots, self.size = kernels.number(keys, self.slots, self.size)
            parts.append(numbers)
            starts.extend((indptr[1:] + starts[-1]).tolist())
        return _counts(parts, np.array(starts, np.int64), self.size)

    def counts(self, urls: ByteColumn) -> Any:
        """The count matrix of a batch over the columns known so far; other keys are left out."""
        indptr, keys, _ = self.features.keys(urls)
        numbers = kernels.find(keys, self.slots)
        known = numbers >= 0
        starts = np.concatenate([[0], np.cumsum(known)])[indptr]
        return _counts([numbers[known].astype(np.int32)], starts, self.size)

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
