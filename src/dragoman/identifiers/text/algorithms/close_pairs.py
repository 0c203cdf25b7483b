"""Close languages told apart by whole words: a table of words for the text model (identifiers.text.algorithms.text).

Danish and Norwegian share most of their letters in most of their places, and n-grams of them outvote the one word that
decides. The table has a weight for each of some ten thousand words,

    weight(word) = log(p(word | first) / p(word | second)), in whole steps, at most 6 either way

and a text's weights are added to what its n-grams say: see `ClosePair.settled`. Words are known by their hashes. Of
two that want the same place the one that is given first is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.identifiers.text.grams import LONGEST_WORD, of_words
from dragoman.kernels.text import ClosePair
from dragoman.types import Language

#: No word says more than this, and one step of a weight.
MOST, STEP = 6.0, 0.05


def word_keys(text: bytes) -> Iterator[int]:
    """The hashes of a text's Latin words of at most 20 letters."""
    for latin, features in of_words(text):
        name, key = features[-1]
        if latin and len(name) - 2 <= LONGEST_WORD and name.startswith(" ") and name.endswith(" "):
            yield key


def close_pair(
    languages: Sequence[Language],
    pair: tuple[Language, Language],
    words: Iterable[tuple[str, float]],
    *,
    keep: float,
    scale: float,
    bits: int = 17,
) -> ClosePair:
    """The table of a pair from (word, log of how much more often the first language has it), the most useful first.

    `keep` and `scale` are what the distance of the n-gram scores and the sum of the words are multiplied by.

    >>> found = close_pair(["da", "no"], ("da", "no"), [("meget", 2.0), ("mye", -4.0)], keep=0.5, scale=1.0)
    >>> [found.weight(key) for key in word_keys("Ikke mye".encode())]
    [0, -80]
    """
    if pair[0] == pair[1] or not set(pair) <= set(languages):
        raise UsageError(f"A close pair is two of the model's languages, not {' and '.join(pair)}")
    prints, weights = np.zeros(1 << bits, np.uint16), np.zeros(1 << bits, np.int8)
    for word, says in words:
        steps = round(max(-MOST, min(MOST, says)) / STEP)
        keys = list(word_keys(word.encode()))
        if steps and len(keys) == 1:
            place = keys[0] >> (64 - bits)
            if not weights[place]:
                prints[place], weights[place] = keys[0] >> (48 - bits) & 0xFFFF, steps
    first, second = (list(languages).index(one) for one in pair)
    return ClosePair(first, second, prints, weights, keep, STEP * scale)


def settled(pairs: Iterable[ClosePair], scores: NDArray[np.float32], text: bytes, n: int) -> NDArray[np.float32]:
    """A text's scores after the words have had their say, pair by pair; n features count."""
    found = scores.copy()
    for pair in pairs:
        words = sum(pair.weight(key) for key in word_keys(text))
        found[pair.first], found[pair.second] = pair.settled(found[pair.first], found[pair.second], words, n)
    return found


def pair_state(pairs: Sequence[ClosePair]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """What a model file keeps of the pairs."""
    header = [{"first": one.first, "second": one.second, "keep": one.keep, "step": one.step} for one in pairs]
    arrays: dict[str, NDArray[Any]] = {}
    for number, one in enumerate(pairs):
        prints = one.prints.astype("<u2").view(np.uint8)  # files have no numbers of two bytes
        arrays |= {f"pair-{number}-prints": prints, f"pair-{number}-weights": one.weights}
    return header, arrays


def restored_pairs(header: Iterable[Mapping[str, Any]], arrays: Mapping[str, NDArray[Any]]) -> tuple[ClosePair, ...]:
    """The pairs again; KeyError, TypeError or ValueError where they do not fit."""
    found = []
    for number, one in enumerate(header):
        prints, weights = (arrays[f"pair-{number}-{name}"] for name in ("prints", "weights"))
        if prints.dtype != np.uint8 or weights.dtype != np.int8:
            raise ValueError("other words than these")
        prints = np.ascontiguousarray(prints).view("<u2").astype(np.uint16)
        found.append(
            ClosePair(
                int(one["first"]), int(one["second"]), prints, np.ascontiguousarray(weights),
                float(one["keep"]), float(one["step"]),
            )
        )  # fmt: skip
    return tuple(found)
