"""Maximum entropy: the weights that explain the training answers and assume nothing else, by iterative scaling."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.algorithms.linear import LinearClassifier


class MaxEntropy(LinearClassifier):
    """Iterative scaling on shares of words, stopped after `rounds`: section 3.2 of the URL paper ("ME").

    The formulation is the one it cites (Nigam, Lafferty and McCallum, 1999): the feature of a word w and a side c has
    the value N(d, w) / N(d) in URLs d of that side, and its expectation under the model is made that of the training
    data. The features of a URL sum to 1, so a round of improved iterative scaling has a closed form:

        weight[w, c] += log(sum over URLs of c of N(d, w) / N(d)) - log(sum over all URLs of p(c | d) N(d, w) / N(d))

    A pair of word and side that training never saw is no feature. There is no bias and no regulariser: what keeps the
    weights small is stopping. The paper ran 40 rounds on URLs and two on the content of pages, and its figures are
    of those rounds; `logistic-regression` is the same model run to its end. Cost: two passes over the counts per round.

    >>> MaxEntropy().fit(["a.de/haus", "b.com/house"], ["de", "en"]).predict(["c.org/haus"])
    ['de']
    """

    algorithm: ClassVar[str] = "max-entropy"
    scaling: ClassVar[str] = "shares"

    def __init__(self, features: str = "words", rounds: int = 40, seed: int = 0) -> None:
        self.features = features
        self.rounds = rounds
        self.seed = seed

    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """The weights for yes less those for no."""
        shares = rows.astype(np.float64)
        by_word = shares.T.tocsr()
        wanted = np.stack([by_word @ answer.astype(np.float64), by_word @ (~answer).astype(np.float64)])
        seen = wanted > 0
        weights = np.zeros_like(wanted)
        for _ in range(self.rounds):
            yes = 1.0 / (1.0 + np.exp(-(shares @ (weights[0] - weights[1]))))
            expected = np.stack([by_word @ yes, by_word @ (1.0 - yes)])
            weights[seen] += np.log(wanted[seen] / np.maximum(expected[seen], 1e-300))
        return weights[0] - weights[1], 0.0
