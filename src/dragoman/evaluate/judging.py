"""How good a model is on labelled URLs: one value with everything that tables and plots show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.identifiers.calibration import probabilities
from dragoman.measures import Interval, Judgement
from dragoman.types import Scores

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Figures of one model on one set of URLs, in one reading."""

    languages: tuple[str, ...]
    reading: str
    rows: int
    judgements: list[Judgement]
    macro_f: Interval
    accuracy: float
    calibration_error: float
    confusion: NDArray[np.float64]
    by_stratum: dict[str, dict[str, tuple[int, float]]]

    def to_json(self) -> dict[str, Any]:
        """The figures as plain values; None where there is nothing to divide by."""
        figures = {
            "reading": self.reading,
            "rows": self.rows,
            "macro_f": self.macro_f,
            "accuracy": self.accuracy,
            "calibration_error": self.calibration_error,
            "languages": {
                language: {
                    "n": judgement.positives,
                    "precision": judgement.precision,
                    "recall": judgement.recall,
                    "negative_success": judgement.negative_success,
                    "f": judgement.f,
                    "ordinary_precision": judgement.ordinary_precision,
                }
                for language, judgement in zip(self.languages, self.judgements, strict=True)
            },
            "confusion": self.confusion.tolist(),
            "strata": {
                name: {part: {"n": n, "macro_f": f} for part, (n, f) in parts.items()}
                for name, parts in self.by_stratum.items()
            },
        }
        plain: dict[str, Any] = measures.plain(figures)
        return plain


def answers(scores: Scores, reading: str) -> Bools:
    """The yes/no matrix of a reading: `binary` (each language for itself) or `best` (the likeliest alone)."""
    return scores.yes if reading == "binary" else measures.one_hot(scores.best, len(scores.languages))


def _certain(scores: Scores, temperature: float) -> NDArray[np.float64]:
    """The probability of the likeliest language of each row."""
    return probabilities(scores, temperature).max(axis=1).astype(np.float64) if len(scores) else np.empty(0)


def evaluate(
    scores: Scores,
    truth: Ints,
    sites: Ints,
    reading: str = "best",
    temperature: float = 1.0,
    strata: dict[str, dict[str, Bools]] | None = None,
    rounds: int = 1000,
    stated: NDArray[np.floating[Any]] | None = None,
) -> Evaluation:
    """All figures of these scores. Rows whose truth is -1 (another language) are negatives for every language.

    `stated` is the probability of the likeliest language of each row, for models whose probabilities are no softmax
    at one temperature.
    """
    yes = answers(scores, reading)
    known = truth >= 0
    certain = _certain(scores, temperature) if stated is None else np.asarray(stated, np.float64)
    right = (scores.best == truth) & known
    counted = known & ~np.isnan(certain)
    return Evaluation(
        languages=scores.languages,
        reading=reading,
        rows=len(truth),
        judgements=measures.judge_all(truth, yes),
        macro_f=measures.site_bootstrap(truth, sites, yes, rounds=rounds),
        accuracy=float(right[known].mean()) if known.any() else float("nan"),
        calibration_error=measures.expected_calibration_error(certain[counted], right[counted]),
        confusion=measures.confusion(truth, yes),
        by_stratum={
            name: {part: (int(mask.sum()), measures.macro_f(truth[mask], yes[mask])) for part, mask in parts.items()}
            for name, parts in (strata or {}).items()
        },
    )
