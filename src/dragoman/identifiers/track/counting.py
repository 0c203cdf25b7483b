"""A lexicon is learnt from word frequencies: n-grams by Witten and Bell, kept by what they say, then words.

The formulas stand at the top of lexicon.py; here is the counting.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from dragoman.identifiers.track.tokens import is_unspaced

Frequencies = Mapping[str, float]
UNIT, EDGE, LONGEST, FLOOR, MOST = 16, "_", 64, 208, 255
#: A list of words counts this much where there is one, the texts the rest.
LISTED = 0.85
#: Taken off every count of the texts: what was seen once is rarer than it looks.
DISCOUNT = 0.5
#: The n-grams are counted over this many of the most frequent words.
COUNTED = 30_000
#: What all characters together that a language has not shown would have, if each were as likely as one in so many.
SYMBOLS = 1000


def word_frequencies(counts: Counter[str], listed: Mapping[str, float] | None = None) -> dict[str, float]:
    """The frequency of each word in a language, from counts in texts and, if there is one, a list of frequencies."""
    total = sum(counts.values())
    frequencies = {word: (count - DISCOUNT) / total for word, count in counts.items()}
    if listed:
        share = sum(listed.values())
        weight = 1 - LISTED if frequencies else 0.0
        frequencies = {word: weight * value for word, value in frequencies.items()}
        for word, value in listed.items():
            frequencies[word] = frequencies.get(word, 0.0) + (1 - weight) * value / share
    # sorted, so that sums and ties do not depend on the order in which words were met
    return dict(sorted(frequencies.items(), key=lambda pair: (-pair[1], pair[0])))


def learn(
    frequencies: Frequencies, words: int, grams: int, order: int
) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """(n-grams, words) of one language that are kept: n-grams with cost and back-off, words with their cost."""
    counted = {word: value for word, value in list(frequencies.items())[:COUNTED] if len(word) <= LONGEST}
    spelling = _normalised(*_grams(counted, grams, order))
    gains = []
    for word, value in counted.items():
        cost = round(-UNIT * math.log(value))
        if cost <= MOST and not is_unspaced(ord(word[0])):
            gains.append((-value * (spelt(word, spelling, order) - cost), word, cost))
    gains = sorted(gain for gain in gains if gain[0] < 0)
    return spelling, {word: cost for _, word, cost in gains[:words]}


def _grams(counted: Frequencies, most: int, order: int) -> tuple[dict[str, float], set[str]]:
    """(shares, kept): the share of every n-gram's last character after the others, and the n-grams that say most.

    What an n-gram says is how much likelier its last character is than by the next shorter one, times its weight. The
    beginnings of those that are kept are kept too, because they carry the back-off.
    """
    weights: dict[str, float] = {}
    least = min(counted.values(), default=1.0)
    for word, value in counted.items():
        weight = math.sqrt(value / least)
        symbols, first = _symbols(word)
        for at in range(first, len(symbols)):
            for start in range(at, max(-1, at - order), -1):
                gram = symbols[start : at + 1]
                weights[gram] = weights.get(gram, 0.0) + weight
    after: dict[str, int] = {}
    sums: dict[str, float] = {}
    for gram, weight in weights.items():
        after[gram[:-1]] = after.get(gram[:-1], 0) + 1
        sums[gram[:-1]] = sums.get(gram[:-1], 0.0) + weight
    share: dict[str, float] = {"": 1 / SYMBOLS}
    gains = []
    for gram in sorted(weights, key=len):
        before = gram[:-1]
        left = after[before] / (sums[before] + after[before])
        share[gram] = weights[gram] / (sums[before] + after[before]) + left * share[gram[1:]]
        gains.append((len(gram) > 1, -weights[gram] * math.log(share[gram] / (left * share[gram[1:]])), gram))
    listed = {gram for _, _, gram in sorted(gains)[:most]}
    for gram in sorted(listed, key=len, reverse=True):
        listed.update(gram[:end] for end in range(1, len(gram)) if gram[:end] in share)
    return share, listed


def _normalised(share: Mapping[str, float], grams: set[str]) -> dict[str, tuple[int, int]]:
    """{n-gram: (cost, back-off)}: the back-off after an n-gram makes the shares of all characters after it sum to 1."""
    seen: dict[str, float] = {}
    shorter: dict[str, float] = {}
    for gram in sorted(grams):
        seen[gram[:-1]] = seen.get(gram[:-1], 0.0) + share[gram]
        shorter[gram[:-1]] = shorter.get(gram[:-1], 0.0) + share[gram[1:]]
    costs = {}
    for gram in sorted(grams):
        left, below = max(1e-6, 1 - seen.get(gram, 0.0)), max(1e-6, 1 - shorter.get(gram, 0.0))
        costs[gram] = (_cost(share[gram]), _cost(min(1.0, left / below)))
    return costs


def _cost(share: float) -> int:
    return min(MOST, round(-UNIT * math.log(share)))


def spelt(word: str, grams: Mapping[str, tuple[int, int]], order: int) -> int:
    """What a word costs by its characters alone."""
    symbols, first = _symbols(word)
    total = 0
    for at in range(first, len(symbols)):
        for start in range(max(0, at - order + 1), at + 1):
            if (own := grams.get(symbols[start : at + 1])) is not None:
                total += own[0]
                break
            if start < at and (before := grams.get(symbols[start:at])) is not None:
                total += before[1]
        else:
            total += FLOOR
    return total


def _symbols(word: str) -> tuple[str, int]:
    """(symbols, first): what is counted of a word, and the first place that is predicted."""
    if is_unspaced(ord(word[0])):
        return word, 0
    return EDGE + word + EDGE, 1
