"""Thresholds and what they cost: risk by coverage, a threshold for a recall, the one with the best F."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def risk_coverage(probability: Floats, right: Bools) -> tuple[Floats, Floats]:
    """(coverage, risk): the share of wrong answers among the most certain k rows, for every k from 1 to all.

    Rows of equal probability are answered together or not at all: their order must not decide. Cost: one sort.

    >>> coverage, risk = risk_coverage(np.array([0.9, 0.8, 0.6]), np.array([True, True, False]))
    >>> coverage.round(2).tolist(), risk.round(2).tolist()
    ([0.33, 0.67, 1.0], [0.0, 0.0, 0.33])
    """
    order = np.argsort(-probability, kind="stable")
    ordered = probability[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) + 1 if len(order) else np.empty(0, np.int64)
    wrong = np.cumsum(~right[order])
    return ends / max(1, len(order)), np.asarray(wrong[ends - 1] / ends) if len(ends) else np.empty(0)


def risk_at(coverage: float, probability: Floats, right: Bools) -> float:
    """The risk where the least certain rows are left out, as few as bring the coverage down to this."""
    covered, risk = risk_coverage(probability, right)
    reached = np.flatnonzero(covered <= coverage + 1e-12)
    return float(risk[reached[-1]]) if len(reached) else float("nan")


def threshold_at_recall(value: Floats, truth: Bools, recall: float) -> float:
    """The highest threshold at which "value >= threshold" finds this share of the true rows or more.

    >>> threshold_at_recall(np.array([0.9, 0.4, 0.8]), np.array([True, True, False]), 0.5)
    0.9
    """
    found = np.sort(value[truth])[::-1]
    needed = max(1, int(np.ceil(recall * len(found) - 1e-9)))
    return float(found[needed - 1]) if len(found) else float("nan")


def best_threshold(values: Sequence[Floats], truths: Sequence[Bools], candidates: Floats) -> tuple[float, float]:
    """(threshold, F): the candidate with the highest balanced F of "value >= threshold", averaged over the sets.

    Sets without a true row do not count. Ties go to the middle of the first run of candidates that are as good: the
    edge of a plateau is where it ends on other data too. Cost: a sort of each set.
    """
    used = [(value, truth) for value, truth in zip(values, truths, strict=True) if truth.any()]
    if not used:
        return float("nan"), float("nan")
    mean = np.mean([_f_of_thresholds(value, truth, candidates) for value, truth in used], axis=0)
    first = int(np.argmax(mean))
    last = first
    while last + 1 < len(mean) and mean[last + 1] >= mean[first] - 1e-12:
        last += 1
    return float(candidates[(first + last) // 2]), float(mean[first])


def _f_of_thresholds(value: Floats, truth: Bools, candidates: Floats) -> Floats:
    """The balanced F of every candidate on one set."""
    accepted = [
        len(side) - np.searchsorted(np.sort(side), candidates, side="left") for side in (value[truth], value[~truth])
    ]
    recall = accepted[0] / max(1, int(truth.sum()))
    alarms = accepted[1] / max(1, int((~truth).sum()))
    return np.asarray(2 * recall / (1 + recall + alarms))  # 2 / (1/R + 1/P) with P = R / (R + alarms)
