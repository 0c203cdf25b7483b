"""The cheapest path through the languages of a text: a hidden Markov model whose states are style x language.

    cost(path) = sum over tokens of evidence(token, language) + what changes of language and of style cost

`evidence` is what a token costs in a language above what it costs in the cheapest one, limited (a name that no language
knows must not outvote a sentence), less for a capital inside a sentence, which is often a name, and nothing for words
inside addresses, paths and code.

A change of language costs by what stands before the token (identifiers.track.tokens.BOUNDARIES) and by the style.
In the style `sentences` languages change where sentences end, and hardly elsewhere; in the style `phrases` they change
between any two words. Texts differ in this far more than in anything else, and no single cost serves both: the decoder
finds the style of each part of a text along with its languages. Every word in the style `phrases` costs a little, so
that a long page is not taken for such a text because of a few odd words. It may change where a sentence or a line ends.

Decoding is done twice. The second time a change to a language that has few of the text's letters costs more, the fewer
the more: what is met once on a long page is a name or a slip rather than a language. It costs more still if the text
has more of a near relative, as a Norwegian page that seems to have a Danish line.

Cost: tokens x languages x styles. All numbers are whole, in sixteenths of a nat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.track.lexicon import LONGEST, UNIT, UNKNOWN
from dragoman.identifiers.track.tokens import (
    BLOCK,
    BOUNDARIES,
    END,
    END_SMALL,
    LINE,
    MARK_CAPITAL,
    QUOTE,
    SPACE_CAPITAL,
    TrackTokens,
)
from dragoman.kernels import track as kernel
from dragoman.types import Language

STYLES = ("sentences", "phrases")
#: Languages that are near to each other: a page in one of them is seldom written in the other as well.
_FAMILIES = ("da fo no sv", "ca es gl oc pt", "cs sk", "bs hr mk sl sr", "id ms", "be bg ru uk", "af de fy nds nl",
             "wuu yue zh", "et fi")  # fmt: skip
RELATIVES: dict[Language, frozenset[Language]] = {
    language: frozenset(family.split()) - {language} for family in _FAMILIES for language in family.split()
}


@lru_cache(maxsize=1024)
def _relatives(languages: tuple[Language, ...]) -> list[tuple[int, list[int]]]:
    """The columns of languages that have near relatives among these, and the columns of the relatives."""
    near = [
        [other for other, tag in enumerate(languages) if tag in RELATIVES.get(language, ())] for language in languages
    ]
    return [(column, others) for column, others in enumerate(near) if others]


@dataclass(frozen=True)
class PathSettings:
    """What the decoder goes by, in nats; chosen on tuning documents (docs/explanation/tracking.md)."""

    #: What a change of language costs in each style before a token with each of BOUNDARIES before it.
    sentences: tuple[float, ...] = (12, 12, 12, 12, 3.5, 4.5, 30, 5, 2.5, 4.5)
    phrases: tuple[float, ...] = (5.5, 4.5, 3.75, 3.75, 5, 4, 30, 4.5, 2.5, 3.5)
    #: What a change of style costs, and beginning in the style `phrases`.
    restyle: float = 8.0
    begin_phrases: float = 0.0
    #: What every token costs in the style `phrases`: who changes often does not stay for long.
    linger: float = 0.0625
    #: The most that one token says: this, and this for each of its letters.
    most: float = 10.0
    most_per_letter: float = 0.35
    #: Sixteenths that a capital inside a sentence keeps of what it says.
    capital: int = 5
    #: A change to a language that has less than an even share of the letters costs this times the log of how much less;
    #: each is assumed to have so many letters more than it has.
    rare: float = 1.25
    assumed: float = 30.0
    #: A change to a near relative of a language that has more letters costs this times the log of how many more.
    relative: float = 4.0
    #: What each language of a text must be worth, times log N for N languages; more for those that are seldom met.
    language: float = 0.45
    seldom: float = 12.0

    @cache  # noqa: B019 (there are few of them)
    def switching(self) -> NDArray[np.int32]:
        """The costs as the loops take them."""
        return np.array([round(UNIT * cost) for cost in self._switching()], np.int32)

    def _switching(self) -> tuple[float, ...]:
        return (*self.sentences, *self.phrases, self.restyle, self.linger)

    @cache  # noqa: B019
    def limits(self) -> NDArray[np.int32]:
        """The limits of evidence as the loops take them."""
        return np.array([round(UNIT * self.most), round(UNIT * self.most_per_letter), self.capital], np.int32)

    def entering(self, letters: NDArray[np.int64], languages: Sequence[Language]) -> NDArray[np.int32]:
        """What a change to each language costs more, by the letters that it has: nothing for an even share or more."""
        logs = np.log(letters + self.assumed)
        even = math.log((letters.sum() + self.assumed * len(letters)) / len(letters))
        more = self.rare * np.maximum(0.0, even - logs)
        for column, near in _relatives(tuple(languages)):
            more[column] = max(more[column], self.relative * max(0.0, logs[near].max() - logs[column]))
        return np.asarray(np.rint(UNIT * more), np.int32)

    def beginning(self, entering: NDArray[np.int32]) -> NDArray[np.int64]:
        """What each state costs before the first token, given what a change to each language costs more."""
        first = entering.astype(np.int64)
        return np.concatenate([first, first + round(UNIT * self.begin_phrases)])

    def changed(self, **given: Any) -> PathSettings:
        """Settings with some of them changed."""
        return replace(self, **given)


@dataclass(frozen=True, eq=False)
class Path:
    """A column and a style for every token, what the whole costs, and 1 for each token that some language knows."""

    columns: NDArray[np.int32]
    styles: NDArray[np.int32]
    cost: int
    known: NDArray[np.uint8] = field(repr=False)
    #: What each token said, a row for each.
    evidence: NDArray[np.int32] = field(repr=False)


def best_path(
    costs: NDArray[np.int32],
    tokens: TrackTokens,
    columns: NDArray[np.int32],
    settings: PathSettings,
    beginning: NDArray[np.int64] | None = None,
    entering: NDArray[np.int32] | None = None,
) -> Path:
    """The cheapest path among some columns of the costs; its columns are places in `columns`."""
    evidence, known = kernel.evidence(
        costs, columns, tokens.starts, tokens.ends, tokens.boundaries, tokens.coded, settings.limits()
    )
    if entering is None:
        entering = np.zeros(len(columns), np.int32)
    state = (settings.beginning(np.zeros_like(entering)) if beginning is None else beginning).copy()
    path, cost = kernel.decode(evidence, tokens.boundaries, settings.switching(), entering, len(STYLES), state)
    width = max(1, len(columns))
    return Path(path % width, path // width, cost, known, evidence)


def plain_evidence(
    costs: list[list[int]], tokens: TrackTokens, columns: list[int], settings: PathSettings
) -> tuple[list[list[int]], list[int]]:
    """(evidence, known) by the definition at the top of this module."""
    most, per_letter, capital = settings.limits().tolist()
    evidence, known = [], []
    rows = (tokens.starts.tolist(), tokens.ends.tolist(), tokens.boundaries.tolist(), tokens.coded.tolist())
    for row, start, end, boundary, coded in zip(costs, *rows, strict=True):
        least = min((row[column] for column in columns), default=UNKNOWN)
        share = 0 if coded else capital if boundary in (SPACE_CAPITAL, MARK_CAPITAL) else 16
        limit = most + per_letter * min(LONGEST, end - start)
        evidence.append([min(row[column] - least, limit) * share // 16 for column in columns])
        known.append(int(least < UNKNOWN))
    return evidence, known


def plain_path(
    evidence: list[list[int]], boundaries: list[int], settings: PathSettings, state: list[int], entering: list[int]
) -> tuple[list[int], int]:
    """(states, cost) by the definition at the top of this module; state = style x languages + language."""
    costs = settings.switching().tolist()
    width = len(evidence[0]) if evidence else 0
    state, backs = list(state), []
    for row, boundary in zip(evidence, boundaries, strict=True):
        fresh: list[int] = []
        back: list[int] = []
        for style in range(len(STYLES)):
            old = state[style * width : (style + 1) * width]
            best = old.index(min(old))
            changed = old[best] + costs[style * len(BOUNDARIES) + boundary]
            share = 4 if boundary == QUOTE else 1  # what is quoted may be in any language
            for language, stays in enumerate(old):
                entered = changed + entering[language] // share
                fresh.append(min(entered, stays))
                back.append(style * width + (best if entered < stays else language))
        if boundary in (END, END_SMALL, LINE, BLOCK):
            for language in range(width):
                a, b = language, width + language
                (of_a, from_a), (of_b, from_b) = (fresh[a], back[a]), (fresh[b], back[b])
                if of_b + costs[-2] < of_a:
                    fresh[a], back[a] = of_b + costs[-2], from_b
                if of_a + costs[-2] < of_b:
                    fresh[b], back[b] = of_a + costs[-2], from_a
        state = [
            sum_ + row[number % width] + (costs[-1] if number >= width else 0) for number, sum_ in enumerate(fresh)
        ]
        backs.append(back)
    at = state.index(min(state)) if backs else 0
    cost, path = (state[at] if backs else 0), []
    for back in reversed(backs):
        path.append(at)
        at = back[at]
    return path[::-1], cost
