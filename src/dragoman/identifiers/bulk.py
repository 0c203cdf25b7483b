"""What the two models that ship share: a compiled table from rows to answers, and probabilities that depend on size.

probability(row, language) is a softmax of score / temperature(n), 1 / temperature(n) = sharpness + slope / sqrt(n), n
being the number of the row's features: how far a score can be trusted depends on how much there was to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.calibration import softmax
from dragoman.identifiers.classifier import Classifier, batch
from dragoman.kernels.scoring import ScoringTable
from dragoman.types import Language, Scores


class BulkClassifier(Classifier):
    """A model whose learnt table scores whole columns, and answers without making the matrix of scores."""

    #: Its scores are compared with each other, never with zero.
    readings: ClassVar[tuple[str, ...]] = ("best",)
    chooses: ClassVar[bool] = True
    #: 1 / temperature falls or rises by this over the root of the number of features; chosen on labelled rows.
    slope_: float = 0.0
    table_: ScoringTable

    def column_numbers(self, languages: Sequence[Language]) -> NDArray[np.int32]:
        """The column of the table that each of some languages has."""
        return np.array([self.languages_.index(tag) for tag in languages], np.int32)

    def scores(self, inputs: Any) -> Scores:
        """All scores of every row; NaN where none of its features is known."""
        return self.scores_and_features(batch(inputs))[0]

    def scores_and_features(self, rows: ByteColumn) -> tuple[Scores, NDArray[np.int32]]:
        """The scores of every row, and the number of its features that count."""
        matrix, features = self.table_.scores(rows.data, rows.offsets)
        return Scores(self.languages_, matrix), features

    def sharpness(self, features: NDArray[np.int32]) -> NDArray[np.float64]:
        """What the scores of rows with so many features are multiplied by: 1 / temperature."""
        return np.asarray(1 / self.temperature_ + self.slope_ / np.sqrt(np.maximum(features, 1)))

    def probabilities(self, inputs: Any) -> NDArray[np.float32]:
        """Each row's probabilities over all languages; NaN rows where nothing is known."""
        scores, features = self.scores_and_features(batch(inputs))
        return softmax(scores.matrix * self.sharpness(features)[:, None])

    def best(
        self, rows: ByteColumn, chosen: tuple[Language, ...] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every row, without making the matrix of scores: the bulk path."""
        columns = None if chosen is None else self.column_numbers(chosen)
        return self.table_.best(rows.data, rows.offsets, 1 / self.temperature_, self.slope_, columns)

    def question(self, rows: ByteColumn, language: Language) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """(likeliest, probability) of one language for every row, as fast as `best`."""
        column, probability = self.best(rows, (language,))
        return column == 0, probability
