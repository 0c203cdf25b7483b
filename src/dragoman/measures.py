"""How good answers are: the measures of the URL paper (section 4.2), ordinary ones, calibration and intervals.

Pure functions of arrays, shared by searches and reports. "Balanced" is the paper's: precision as it would be with
as many negatives as positives, P = R / (R + 1 - p(-|-)). Accepting everything then gives P .5, R 1, F .667.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judgement:
    """One language's figures on one test set; NaN where there is nothing to divide by."""

    recall: float
    negative_success: float
    ordinary_precision: float
    positives: int
    negatives: int

    @property
    def precision(self) -> float:
        """Precision for a balanced test."""
        return balanced_precision(self.recall, self.negative_success)

    @property
    def f(self) -> float:
        """The paper's F: harmonic mean of recall and balanced precision."""
        return f_measure(self.precision, self.recall)


def balanced_precision(recall: float, negative_success: float) -> float:
    """P = R / (R + 1 - p(-|-)).

    >>> balanced_precision(1.0, 0.0)
    0.5
    """
    accepted = recall + 1.0 - negative_success
    return recall / accepted if accepted > 0 else float("nan")


def f_measure(precision: float, recall: float) -> float:
    """F = 2 / (1/R + 1/P); 0 where either is 0 and where nothing was accepted.

    >>> round(f_measure(0.5, 1.0), 3)
    0.667
    """
    if recall == 0 or precision == 0 or (np.isnan(precision) and recall == 0):
        return 0.0
    return 2.0 / (1.0 / recall + 1.0 / precision)


def judge(truth: Bools, answer: Bools) -> Judgement:
    """The figures of one yes/no classifier."""
    positives, negatives = int(truth.sum()), int((~truth).sum())
    hits, alarms = int((truth & answer).sum()), int((~truth & answer).sum())
    return Judgement(
        recall=hits / positives if positives else float("nan"),
        negative_success=1.0 - alarms / negatives if negatives else float("nan"),
        ordinary_precision=hits / (hits + alarms) if hits + alarms else float("nan"),
        positives=positives,
        negatives=negatives,
    )


def judge_all(truth: NDArray[np.int64], answers: Bools) -> list[Judgement]:
    """The figures of every language: `truth` is a column number per row (-1: none of them)."""
    return [judge(truth == column, answers[:, column]) for column in range(answers.shape[1])]


def macro_f(truth: NDArray[np.int64], answers: Bools) -> float:
    """The F averaged over the languages that have a positive."""
    rows = [judgement.f for judgement in judge_all(truth, answers) if judgement.positives]
    return float(np.mean(rows)) if rows else float("nan")


def macro_recall(truth: NDArray[np.int64], answers: Bools) -> float:
    """The recall averaged over the languages that have a positive."""
    rows = [judgement.recall for judgement in judge_all(truth, answers) if judgement.positives]
    return float(np.mean(rows)) if rows else float("nan")


def accuracy(truth: NDArray[np.int64], answers: Bools) -> float:
    """The share of the rows whose language was said."""
    return float((one_hot(truth, answers.shape[1]) & answers).any(axis=1).mean()) if len(truth) else float("nan")


def confusion(truth: NDArray[np.int64], answers: Bools) -> Floats:
    """Share of the URLs of language (row) to which the classifier (column) says yes; rows need not sum to 1."""
    return np.array(
        [
            answers[truth == row].mean(axis=0) if np.any(truth == row) else np.full(answers.shape[1], np.nan)
            for row in range(answers.shape[1])
        ]
    )


def one_hot(best: NDArray[np.int64], width: int) -> Bools:
    """The multi-way answer as one yes per row; -1 is no for all."""
    return np.asarray(best[:, None] == np.arange(width)[None, :])


def correlation(first: Bools, second: Bools) -> float:
    """Pearson's correlation of two judges over all language x URL indicators (the paper's footnote 11)."""
    a, b = first.ravel().astype(np.float64), second.ravel().astype(np.float64)
    if a.std() == 0 or b.std() == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


#: Probabilities nearer to 0 or 1 than this are not believed.
SUREST = 1e-4


def log_odds(probability: Floats) -> Floats:
    """log(p / (1 - p)) of probabilities, none believed to be nearer to 0 or 1 than SUREST; 0 where there is none (NaN).

    >>> log_odds(np.array([0.5, 0.9, 1.0, np.nan])).round(2).tolist()
    [0.0, 2.2, 9.21, 0.0]
    """
    believed = np.clip(np.nan_to_num(probability, nan=0.5), SUREST, 1.0 - SUREST)
    return np.asarray(np.log(believed / (1.0 - believed)))


@dataclass(frozen=True)
class Reliability:
    """Rows with like probabilities: what was stated on average, the share that was right, and how many they are."""

    stated: float
    right: float
    rows: int


def reliability(probability: Floats, right: Bools, bins: int = 15) -> list[Reliability]:
    """Stated probability beside the share right, in bins of equal mass, the least certain first."""
    order = np.argsort(probability, kind="stable")
    parts = [part for part in np.array_split(order, min(bins, len(order))) if len(part)] if len(order) else []
    return [Reliability(float(probability[part].mean()), float(right[part].mean()), len(part)) for part in parts]


def expected_calibration_error(probability: Floats, right: Bools, bins: int = 15) -> float:
    """Mean gap between stated probability and share right, over bins of equal mass.

    A perfectly calibrated model does not reach zero: chance alone leaves a gap in every bin, so that small sets look
    worse than they are.
    """
    if not len(probability):
        return float("nan")
    parts = reliability(probability, right, bins)
    return sum(abs(part.stated - part.right) * part.rows for part in parts) / len(probability)


@dataclass(frozen=True)
class Interval:
    """A figure with the range in which it falls in 95 % of the resamples."""

    value: float
    low: float
    high: float


def site_bootstrap(
    truth: NDArray[np.int64],
    sites: NDArray[np.int64],
    answers: Bools,
    other: Bools | None = None,
    rounds: int = 1000,
    seed: int = 0,
) -> Interval:
    """Macro F (less that of `other`, paired, if given) with a 95 % interval from resampling whole sites.

    URLs of one site are not independent: resampling rows would make intervals far too narrow. Each round draws as
    many sites as there are, with replacement; counts per site are summed by matrix products, so a round costs
    sites x languages and not URLs.
    """
    names, site = np.unique(sites, return_inverse=True)
    if not len(names):
        return Interval(float("nan"), float("nan"), float("nan"))
    counts = [_site_counts(truth, site, len(names), answers)]
    if other is not None:
        counts.append(_site_counts(truth, site, len(names), other))

    def figure(weights: Floats) -> Floats:
        values = [_macro_f_of_counts(np.tensordot(weights, count, axes=1)) for count in counts]
        return values[0] - values[1] if len(values) == 2 else values[0]

    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(names), np.full(len(names), 1.0 / len(names)), size=rounds).astype(np.float64)
    samples = figure(drawn)
    low, high = np.nanpercentile(samples, [2.5, 97.5])
    return Interval(float(figure(np.ones((1, len(names))))[0]), float(low), float(high))


def _site_counts(truth: NDArray[np.int64], site: NDArray[np.int64], sites: int, answers: Bools) -> Floats:
    """counts[site, language] = (positives, hits, negatives, false alarms)."""
    width = answers.shape[1]
    out = np.zeros((sites, width, 4))
    for column in range(width):
        positive = truth == column
        for kind, chosen in enumerate(
            (positive, positive & answers[:, column], ~positive, ~positive & answers[:, column])
        ):
            out[:, column, kind] = np.bincount(site[chosen], minlength=sites)
    return out


def _macro_f_of_counts(counts: Floats) -> Floats:
    """Macro F of each resample from counts[round, language, (positives, hits, negatives, alarms)]."""
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = counts[..., 1] / counts[..., 0]
        alarms = np.where(counts[..., 2] > 0, counts[..., 3] / counts[..., 2], np.nan)
        precision = recall / (recall + alarms)
        f = np.where(recall == 0, 0.0, 2 / (1 / recall + 1 / precision))
        present = counts[..., 0] > 0
        return np.asarray(np.where(present, f, 0.0).sum(axis=-1) / present.sum(axis=-1))


def share_interval(hits: int, n: int) -> Interval:
    """A share with Wilson's 95 % interval."""
    if n == 0:
        return Interval(float("nan"), 0.0, 1.0)
    z, share = 1.959964, hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(share, float(centre - half), float(centre + half))


def bootstrap(figure: Callable[..., float], *columns: NDArray[Any], rounds: int = 1000, seed: int = 0) -> Interval:
    """Any figure of columns with a 95 % interval from resampling their rows; for small sets that people answered.

    Without an interval where the figure is not defined on all of them.
    """
    n = len(columns[0])
    value = figure(*columns) if n else float("nan")
    if np.isnan(value):
        return Interval(value, value, value)
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, n, n) for _ in range(rounds))
    low, high = np.nanpercentile([figure(*(column[rows] for column in columns)) for rows in drawn], [2.5, 97.5])
    return Interval(value, float(low), float(high))


def plain(value: Any) -> Any:
    """Figures as JSON has them: six digits, None where one is not defined, an interval beside its figure.

    >>> plain({"f": Interval(0.5, 0.25, 2 / 3), "none": [float("nan")]})
    {'f': 0.5, 'f_interval': [0.25, 0.666667], 'none': [None]}
    """
    if isinstance(value, Mapping):
        rows: dict[Any, Any] = {}
        for key, part in value.items():
            rows[key] = plain(part.value if isinstance(part, Interval) else part)
            if isinstance(part, Interval):
                rows[f"{key}_interval"] = plain([part.low, part.high])
        return rows
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return None if np.isnan(value) else round(float(value), 6)
    return value
