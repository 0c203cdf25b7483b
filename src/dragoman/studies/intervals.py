"""Figures over several draws: their mean with the lowest and the highest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from dragoman.measures import Interval


def spread(values: Sequence[float]) -> Interval:
    """The mean of the draws, with the lowest and the highest.

    >>> spread([0.5, 0.75])
    Interval(value=0.625, low=0.5, high=0.75)
    """
    return Interval(float(np.mean(values)), float(min(values)), float(max(values)))


def differences(ones: Iterable[float], others: Iterable[float]) -> Interval:
    """One less the other, draw by draw."""
    return spread([value - other for value, other in zip(ones, others, strict=True)])
