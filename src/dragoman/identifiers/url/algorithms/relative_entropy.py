"""Relative entropy: which language's average distribution is nearer to the URL's own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.algorithms.linear import LinearClassifier, log_ratios


class RelativeEntropy(LinearClassifier):
    """The URL's distribution q (counts scaled to sum 1) against the average p of each side; the lower distance wins.

    D(q | p) = sum q log(q / p), so D(q | not X) - D(q | X) = sum q[f] (log p[f | X] - log p[f | not X]): linear in q,
    and larger is likelier. Section 3.2 of the URL paper ("RE"), after Sibun and Reynar 1996. An average that never
    saw a feature would make the distance infinite, which the paper does not treat: every average is mixed with
    `smoothing` URLs' worth of mass per feature. Cost: one pass over the counts per language.

    >>> RelativeEntropy().fit(["a.de/haus", "b.com/house"], ["de", "en"]).predict(["c.org/haus"])
    ['de']
    """

    algorithm: ClassVar[str] = "relative-entropy"
    scaling: ClassVar[str] = "shares"

    def __init__(self, features: str = "words", smoothing: float = 0.01, seed: int = 0) -> None:
        self.features = features
        self.smoothing = smoothing
        self.seed = seed

    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """Log ratios of smoothed averages of distributions."""
        return log_ratios(rows, answer, self.smoothing), 0.0
