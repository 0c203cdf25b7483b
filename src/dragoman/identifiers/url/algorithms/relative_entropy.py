"""Relative entropy: which language's average distribution is nearest to the URL's own."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.explanation import explained
from dragoman.identifiers.url.algorithms.custom_columns import CustomColumns
from dragoman.identifiers.url.algorithms.linear import LinearClassifier, log_ratios, scaled, smoothed
from dragoman.types import Contribution, Scores


class RelativeEntropy(LinearClassifier):
    """The URL's distribution q (counts scaled to sum 1) against each language's average p; the lowest distance wins.

    D(q | p) = sum q log(q / p). One answer per URL, as in section 3.2 of the URL paper ("RE": "assigned to the class
    with the lowest relative entropy"; in its Table 7 misses equal false alarms for RE on words and on trigrams, which
    only one answer per URL explains), after Sibun and Reynar 1996. The score of a language is by how much it is nearer
    than the nearest other: D(q | p of the other) - D(q | p), so at most one score is above zero.

    `binary` asks "is it X?" for each language instead, against the average of even negatives, as the paper's RE on
    custom-made features did. An average that never saw a feature would make the distance infinite, which the paper
    does not treat: every average is mixed with `smoothing` URLs' worth of mass per feature. Cost: one pass over the
    counts per language.

    >>> RelativeEntropy().fit(["a.de/haus", "b.com/house"], ["de", "en"]).predict(["c.org/haus"])
    ['de']
    """

    algorithm: ClassVar[str] = "relative-entropy"
    scaling: ClassVar[str] = "shares"

    def __init__(self, features: str = "words", smoothing: float = 0.01, binary: bool = False, seed: int = 0) -> None:
        self.features = features
        self.smoothing = smoothing
        self.binary = binary
        self.seed = seed

    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """Log ratios of smoothed averages of distributions, for the binary reading."""
        return log_ratios(rows, answer, self.smoothing), 0.0

    def fit_counts(
        self, counts: Any, truth: NDArray[np.int64], columns: CustomColumns | NDArray[np.uint64] | None
    ) -> Self:
        """The weight of a feature in a language is log p, less the mean of all languages, which changes no answer."""
        if self.binary:
            return super().fit_counts(counts, truth, columns)
        rows = scaled(counts, self.scaling)
        sizes = np.bincount(truth[truth >= 0], minlength=len(self.languages_))
        averages = [
            np.asarray(rows[np.flatnonzero(truth == column)].sum(axis=0), np.float64).ravel() / max(size, 1)
            for column, size in enumerate(sizes.tolist())
        ]
        # The mass is the same in every average, however many URLs a language has.
        logs = np.log([smoothed(sizes.mean() * average, self.smoothing) for average in averages]).T
        weights = logs - logs.mean(axis=1, keepdims=True)
        return self.with_table(columns, weights, np.zeros(len(self.languages_)))

    def scores(self, inputs: Any, threads: int = 1) -> Scores:
        """The linear scores, as margins where there is one answer per URL."""
        scores = super().scores(inputs, threads)
        return scores if self.binary else Scores(scores.languages, margins(scores.matrix))

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one URL."""
        plain = super().plain_scores(row)
        return plain if self.binary else [float(score) for score in margins(np.array([plain], np.float32))[0]]

    def explain(self, row: bytes) -> list[Contribution]:
        """What each feature says for a language against the nearest other."""
        parts = super().explain(row)
        if self.binary or not parts:
            return parts
        column_of = {language: column for column, language in enumerate(self.languages_)}
        weights = {part.feature: np.zeros(len(column_of)) for part in parts}
        for part in parts:
            weights[part.feature][column_of[part.language]] = part.weight
        other = rivals(np.array([super().plain_scores(row)], np.float32))[0]
        return explained(self.languages_, {name: (own - own[other]).tolist() for name, own in weights.items()})


def rivals(matrix: NDArray[np.float32]) -> NDArray[np.int64]:
    """The column with the highest score among the others, for every row and column.

    >>> rivals(np.array([[3, 1, 2]], np.float32)).tolist()
    [[2, 0, 0]]
    """
    order = np.argsort(-matrix, axis=1, kind="stable")
    first, second = order[:, :1], order[:, 1:2]
    return np.asarray(np.where(np.arange(matrix.shape[1]) == first, second, first))


def margins(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every score less the highest of the others.

    >>> margins(np.array([[3, 1, 2]], np.float32)).tolist()
    [[1.0, -2.0, -1.0]]
    """
    return np.asarray(matrix - np.take_along_axis(matrix, rivals(matrix), axis=1))
