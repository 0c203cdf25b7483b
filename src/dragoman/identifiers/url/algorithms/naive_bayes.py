"""Naive Bayes: how much likelier each feature is in a language than outside it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.algorithms.linear import LinearClassifier, log_ratios


class NaiveBayes(LinearClassifier):
    """The multinomial model with add-`smoothing` estimates, one binary classifier per language.

    weight[f] = log p(f | X) - log p(f | not X) with p(f | X) = (n(f, X) + s) / (n(X) + s V); the sides have equally
    many URLs, so there is no prior. Section 3.2 of the URL paper ("NB"; theirs came from the Bow toolkit, smoothed
    with s = 1). Our s = 0.1 was chosen on the tuning halves. Cost: one pass over the counts per language.

    >>> NaiveBayes().fit(["a.de/haus", "b.com/house"], ["de", "en"]).predict(["c.org/haus"])
    ['de']
    """

    algorithm: ClassVar[str] = "naive-bayes"
    scaling: ClassVar[str] = "counts"

    def __init__(self, features: str = "words", smoothing: float = 0.1, seed: int = 0) -> None:
        self.features = features
        self.smoothing = smoothing
        self.seed = seed

    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """Log ratios of smoothed counts."""
        return log_ratios(rows, answer, self.smoothing), 0.0
