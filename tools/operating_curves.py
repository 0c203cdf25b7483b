"""What the notes of a shipped model say of thresholds (dragoman.identifiers.operating), measured on labelled URLs.

For one language and a threshold t, with weights w and y = 1 where the URL is in the language:

    precision(t) = sum of w y over p >= t / sum of w over p >= t      ordinary precision: how much of the yes is right
    recall(t)    = sum of w y over p >= t / sum of w y

Rows come from several sets (a directory, news, a crawl). The weights make every set count the same, whatever its size,
and a URL in a language that the model does not have is wrong whatever is answered.

What is stored is not what was measured but what is likely to hold on other URLs:

- The URLs above t are worth n = (sum of w)^2 / sum over sites of (sum of w)^2 independent ones, Kish's effective
  number of a weighted sample: ten URLs of one site say little more than one.
- The model's own mean probability above t counts as `_IMAGINED` more URLs: nine right of nine are not yet 100 %.
- The lower end of Wilson's interval for that share and number, `_CAUTION` standard deviations wide. A higher
  threshold never promises less than a lower one: what the lower one shows holds above it.

Recall is treated likewise, with the language's own URLs for n and none imagined. Such a promise
holds more often than not on other URLs, not always: wider intervals would hold more often and leave most languages
without a threshold for .95.
Cost: a sort of the rows per language.

>>> rng = np.random.default_rng(0)
>>> p = rng.random(4000).astype(np.float32)
>>> truth = np.where(rng.random(4000) < p, 0, 1)
>>> found = curves(np.stack([p, 1 - p], axis=1), truth, ("de", "fr"))
>>> found["de"]["n"], sorted(found["de"])
(2018, ['n', 'precision', 'recall', 'threshold'])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.operating import LEAST
from dragoman.types import Language

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: The share of wrong answers at which the default threshold is set.
RISK = 0.05
#: The model's own probabilities count as this many URLs.
_IMAGINED = 10.0
#: Standard deviations below the measured share.
_CAUTION = 1.0
#: Thresholds are whole millionths, so that the file holds exactly what was measured.
_DIGITS = 6
#: The precisions and recalls at which a curve is kept: what people ask for, finer where it matters.
_LEVELS = np.array([*np.arange(5, 90, 5) / 100, *np.arange(90, 100) / 100, 0.995, 0.999])


def measure(
    probabilities: NDArray[Any],
    truth: Ints,
    languages: Sequence[Language],
    sets: NDArray[Any] | None = None,
    sites: NDArray[Any] | None = None,
    risk: float = RISK,
) -> dict[str, Any]:
    """All that a model's notes keep: curves by language, risk and coverage, and the default threshold.

    `truth` is a column of `probabilities` per row (-1: a language that the model does not have), `sets` and `sites`
    say which rows belong together (any values). Everything is of JSON's kinds.
    """
    weights = set_weights(sets, len(truth))
    best = np.nan_to_num(probabilities, nan=-1.0)
    column = np.argmax(best, axis=1) if best.size else np.empty(0, np.int64)
    certain = np.where(np.isnan(probabilities).any(axis=1), np.nan, best.max(axis=1, initial=-1.0))
    right = column == truth
    return {
        "rows": len(truth),
        "languages": curves(probabilities, truth, languages, sets, sites),
        "answering": _answering(certain, right, weights, sets, risk),
        "risk_coverage": [list(one) for one in risk_coverage(certain, right, weights)],
    }


def _answering(
    certain: Floats, right: Bools, weights: Floats, sets: NDArray[Any] | None, risk: float
) -> dict[str, Any] | None:
    """The default threshold with coverage and risk, over all and in each set; None where no threshold has the risk."""
    point = threshold_at_risk(certain, right, weights, risk)
    if point is None:
        return None
    answered, by_set = _in_steps(certain) >= point[0], {}
    for name in np.unique(sets).tolist() if sets is not None else []:
        rows = sets == name
        given = int((answered & rows).sum())
        wrong = int((answered & rows & ~right).sum())
        by_set[str(name)] = {
            "coverage": round(given / int(rows.sum()), 4),
            "risk": round(wrong / given, 4) if given else 0.0,
        }
    return {"asked": risk, "threshold": point[0], "coverage": point[1], "risk": point[2], "sets": by_set}


def curves(
    probabilities: NDArray[Any],
    truth: Ints,
    languages: Sequence[Language],
    sets: NDArray[Any] | None = None,
    sites: NDArray[Any] | None = None,
) -> dict[Language, dict[str, Any]]:
    """For every language n, the URLs in it; with `LEAST` or more also thresholds, rising, with precision and recall.

    Raising the threshold never lowers the precision or raises the recall. A row of NaN (no evidence) is never a yes.
    """
    weights = set_weights(sets, len(truth))
    found: dict[Language, dict[str, Any]] = {}
    for place, language in enumerate(languages):
        positive = truth == place
        found[language] = {"n": int(positive.sum())}
        if found[language]["n"] >= LEAST:
            found[language] |= _curve(_in_steps(probabilities[:, place]), positive, weights, sites)
    return found


def _curve(probability: Floats, positive: Bools, weights: Floats, sites: NDArray[Any] | None) -> dict[str, list[float]]:
    possible = np.flatnonzero(probability >= 0)
    order = possible[np.argsort(-probability[possible], kind="stable")]
    p, w, hits = probability[order], weights[order], np.cumsum(weights[order] * positive[order])
    total = np.cumsum(w)
    n = effective_number(w, sites[order] if sites is not None else None)
    share = (n * hits / total + _IMAGINED * np.cumsum(w * p) / total) / (n + _IMAGINED)
    ends = np.flatnonzero(np.append(p[1:] != p[:-1], True))[::-1]  # one per threshold, the lowest first
    threshold = p[ends]
    precision = _downwards(np.maximum.accumulate(_lower_end(share, n + _IMAGINED)[ends]))
    yes = np.flatnonzero(positive)
    judged = effective_number(weights[yes], sites[yes] if sites is not None else None)[-1]
    recall = _downwards(_lower_end(hits[ends] / weights[yes].sum(), judged))
    kept = np.unique(
        np.concatenate(
            [
                np.searchsorted(precision, _LEVELS[precision[-1] >= _LEVELS]),  # the lowest threshold that reaches it
                np.searchsorted(-recall, -_LEVELS[recall[0] >= _LEVELS], side="right") - 1,  # the highest one
                [0, int(np.argmax(precision)), len(ends) - 1],
            ]
        )
    )
    return {
        name: np.round(values[kept], _DIGITS).tolist()
        for name, values in (("threshold", threshold), ("precision", precision), ("recall", recall))
    }


def _in_steps(probability: NDArray[Any]) -> Floats:
    """Probabilities cut to the digits of a threshold, so that p >= t means the same before and after; -1 for NaN.

    The .06 forgives what single precision loses: .7 is .69999999 there. One step below 1 is the highest threshold.
    """
    steps = np.floor(np.asarray(probability, np.float64) * 10**_DIGITS + 0.06)
    cut = np.minimum(steps, 10**_DIGITS - 1) / 10**_DIGITS
    return np.where(np.isnan(cut), -1.0, cut)


def _downwards(share: Floats) -> Floats:
    """Four digits, never more than there was."""
    return np.asarray(np.floor(share * 1e4 + 1e-6) / 1e4)


def _lower_end(share: Floats, n: Floats | float) -> Floats:
    """The lower end of Wilson's interval, `_CAUTION` standard deviations wide."""
    z = _CAUTION
    centre, half = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.asarray((centre - half) / (1 + z * z / n))


def set_weights(sets: NDArray[Any] | None, rows: int) -> Floats:
    """A weight per row that makes every set count the same; they sum to the number of rows.

    >>> set_weights(np.array(["news", "news", "news", "crawl"]), 4).round(2).tolist()
    [0.67, 0.67, 0.67, 2.0]
    """
    if sets is None or not rows:
        return np.ones(rows)
    _, group, counts = np.unique(sets, return_inverse=True, return_counts=True)
    return np.asarray(rows / len(counts) / counts[group])


def effective_number(weights: Floats, groups: NDArray[Any] | None = None) -> Floats:
    """For the first row, the first two ... : how many independent rows of equal weight would say as much.

    (sum of weights)^2 / sum of squared weights, the weights of a group taken together.

    >>> effective_number(np.ones(4), np.array([7, 7, 7, 8])).round(2).tolist()
    [1.0, 1.0, 1.0, 1.6]
    """
    before = np.zeros(len(weights))  # the weight of the row's group so far
    if groups is not None and len(weights):
        order = np.argsort(groups, kind="stable")
        sorted_weights, sorted_groups = weights[order], groups[order]
        sums = np.cumsum(sorted_weights) - sorted_weights
        first = np.append(True, sorted_groups[1:] != sorted_groups[:-1])
        before[order] = sums - np.maximum.accumulate(np.where(first, sums, 0.0))
    return np.asarray(np.cumsum(weights) ** 2 / np.cumsum(weights * (weights + 2 * before)))


def risk_coverage(
    probability: NDArray[Any], right: Bools, weights: Floats | None = None, points: int = 50
) -> list[tuple[float, float, float]]:
    """(threshold, coverage, risk) from few answers to all: the share of URLs answered, and of the answers wrong.

    `probability` is that of each row's best language (NaN: never answered), `right` whether it is the true one.
    """
    threshold, coverage, risk = _risks(probability, right, weights)
    if not len(threshold):
        return []
    kept = np.unique(np.searchsorted(coverage, np.linspace(0, coverage[-1], points + 1)[1:] - 1e-12))
    return [(round(float(threshold[k]), _DIGITS), round(float(coverage[k]), 4), round(float(risk[k]), 4)) for k in kept]


def threshold_at_risk(
    probability: NDArray[Any], right: Bools, weights: Floats | None = None, risk: float = RISK
) -> tuple[float, float, float] | None:
    """(threshold, coverage, risk): the smallest threshold at which the risk is at most this; None where none is.

    >>> threshold_at_risk(np.array([0.9, 0.8, 0.7, 0.2]), np.array([True, True, True, False]))
    (0.7, 0.75, 0.0)
    """
    threshold, coverage, risks = _risks(probability, right, weights)
    low = np.flatnonzero(risks <= risk)
    if not len(low):
        return None
    k = low[-1]
    return round(float(threshold[k]), _DIGITS), round(float(coverage[k]), 4), round(float(risks[k]), 4)


def _risks(probability: NDArray[Any], right: Bools, weights: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Thresholds, falling, with coverage and risk at each."""
    p = _in_steps(probability)
    every = np.ones(len(p)) if weights is None else weights
    rows = np.flatnonzero(p >= 0)
    order = rows[np.argsort(-p[rows], kind="stable")]
    answered, wrong = np.cumsum(every[order]), np.cumsum(every[order] * ~right[order])
    ends = np.flatnonzero(np.append(p[order][1:] != p[order][:-1], True)) if len(order) else order
    return p[order][ends], answered[ends] / max(float(every.sum()), 1e-300), wrong[ends] / answered[ends]
