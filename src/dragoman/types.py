"""The values that the rooms pass to each other: no behaviour beyond reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

#: A language is its BCP 47 tag (see dragoman.languages).
Language = str


@dataclass(frozen=True, eq=False)
class Scores:
    """Languages (columns) and a float32 matrix, one row per input; larger is likelier, NaN rows have no score.

    Two readings of the same matrix: `best` ("which language?") and `yes` ("is it language X?", one answer per
    language, so a row may be several languages or none).
    """

    languages: tuple[Language, ...]
    matrix: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def best(self) -> NDArray[np.int64]:
        """The column of the highest score in each row (the first where some tie).

        -1 where there is no answer: no score, or several languages that all score the same.
        """
        if not len(self.languages):
            return np.full(len(self), -1, np.int64)
        known = np.where(np.isnan(self.matrix), -np.inf, self.matrix)
        silent = known.max(axis=1) == known.min(axis=1) if len(self.languages) > 1 else np.isnan(self.matrix[:, 0])
        return np.where(silent, -1, np.argmax(known, axis=1))

    @property
    def yes(self) -> NDArray[np.bool_]:
        """True where the answer to "is it this language?" is yes: the score is above zero."""
        return self.matrix > 0

    def restricted(self, languages: Sequence[Language]) -> Scores:
        """The scores of these languages only, in this order."""
        columns = [self.languages.index(language) for language in languages]
        return Scores(tuple(languages), np.ascontiguousarray(self.matrix[:, columns]))


@dataclass(frozen=True)
class Contribution:
    """How much one feature spoke for (or, below zero, against) a language."""

    feature: str
    language: Language
    weight: float


@dataclass(frozen=True)
class Prediction:
    """One row for people: the language or None (nothing passed the threshold, or nothing to score)."""

    language: Language | None
    probability: float | None
    scores: Mapping[Language, float] = field(default_factory=dict)
    contributions: tuple[Contribution, ...] = ()
