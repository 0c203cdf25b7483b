"""Logistic regression: maximum entropy run to its end, with a regulariser."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import need
from dragoman.identifiers.url.algorithms.linear import LinearClassifier


class LogisticRegression(LinearClassifier):
    """Maximum entropy with expectation constraints is logistic regression; here with an L2 regulariser.

    Minimises sum log(1 + exp(-y (w x + b))) + |w|^2 / (2 strength), x being the counts over the square root of their
    number, by a quasi-Newton solver (L-BFGS, scikit-learn) to convergence or `rounds`, whichever is first; how little
    the result depends on `strength` is shown in papers/url-2008. The paper's own maximum entropy is `max-entropy`.
    Without `bias` a URL is judged by its features alone; that matters where training rows are longer than URLs.
    Cost: about `rounds` passes over the counts per language.

    >>> LogisticRegression().fit(["a.de/haus", "b.com/house"], ["de", "en"]).predict(["c.org/haus"])
    ['de']
    """

    algorithm: ClassVar[str] = "logistic-regression"
    scaling: ClassVar[str] = "roots"

    def __init__(
        self, features: str = "words", strength: float = 10.0, rounds: int = 100, bias: bool = True, seed: int = 0
    ) -> None:
        self.features = features
        self.strength = strength
        self.rounds = rounds
        self.bias = bias
        self.seed = seed

    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """The solver's weights; columns that no row uses stay at zero and out of its way."""
        linear_model = need("train", "sklearn.linear_model")
        used = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]))
        solver = linear_model.LogisticRegression(
            C=self.strength, max_iter=self.rounds, fit_intercept=self.bias, solver="lbfgs", tol=1e-4
        )
        # One thread: the solver's vectors are short, and threads that wait for each other made it four times slower.
        with warnings.catch_warnings(), need("train", "threadpoolctl").threadpool_limits(limits=1):
            warnings.simplefilter("ignore")  # stopping after `rounds` is part of the definition, not a failure
            solver.fit(rows[:, used].astype(np.float64), answer)
        weights = np.zeros(rows.shape[1])
        weights[used] = solver.coef_[0]
        return weights, float(solver.intercept_[0]) if self.bias else 0.0
