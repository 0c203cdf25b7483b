"""A classifier trained from labelled URLs, with an honest report of its quality on sites it did not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.evaluate.corpus import capped
from dragoman.evaluate.judging import Evaluation, evaluate
from dragoman.evaluate.splits import held_out
from dragoman.identifiers.calibration import best_temperature
from dragoman.identifiers.classifier import Classifier, encode_labels
from dragoman.identifiers.examination import contract_problem


@dataclass(frozen=True, eq=False)
class Trained:
    """The model, trained on all rows, and how good one trained without the held-out sites was on them."""

    model: Classifier
    rows: int
    held_rows: int
    readings: dict[str, Evaluation]


def train_and_judge(
    make: Callable[[], Classifier],
    urls: ByteColumn,
    labels: NDArray[Any],
    sites: NDArray[np.int64],
    cap: int | None = None,
    share: float = 0.1,
    seed: int = 0,
    report: Callable[[str], None] = lambda line: None,
    noun: str = "URLs",
) -> Trained:
    """Hold out a share of the sites, train, judge, then train again on everything.

    Half of the held-out sites choose the temperature (calibration), the other half give the figures, which are kept in
    the model's notes. At most `cap` rows per site are used for training. `noun` is what the rows are, for `report`.
    """
    languages, truth = encode_labels(labels, len(urls))
    usable = truth >= 0
    if cap is not None:
        usable &= capped(sites, cap, np.random.default_rng(seed))
    outside = held_out(sites, share, seed) & (truth >= 0)
    inside = usable & ~outside
    if len(set(truth[inside].tolist())) < len(languages):
        # Too few sites to spare any: a model is still better than none, but nothing can be said about it.
        report(f"training on all {int(usable.sum()):,} {noun}: too few sites to hold any out")
        return Trained(_fit(make, urls, labels, usable), int(usable.sum()), 0, {})
    report(f"training on {int(inside.sum()):,} {noun}, {int(outside.sum()):,} held out")
    first = _fit(make, urls, labels, inside)
    tuning = held_out(sites, 0.5, seed + 1)
    tune, judge = np.flatnonzero(outside & tuning), np.flatnonzero(outside & ~tuning)
    if len(tune):
        first.temperature_ = best_temperature(first.scores(urls.take(tune)), truth[tune])
    readings = {}
    if len(np.unique(truth[judge])) < 2:  # of one language, or none, nothing can be told apart
        judge = judge[:0]
        report("too few sites to judge the model by: nothing can be said about its quality")
    else:
        report(f"judging on {len(judge):,} {noun} of sites it did not see")
        scores = first.scores(urls.take(judge))
        readings = {
            reading: evaluate(scores, truth[judge], sites[judge], reading, first.temperature_)
            for reading in first.readings
        }
    report(f"training on all {int(usable.sum()):,} {noun}")
    model = _fit(make, urls, labels, usable)
    model.temperature_ = first.temperature_
    model.notes_ = {
        "rows": int(usable.sum()),
        "sites": len(np.unique(sites[usable])),
        "held_out": {reading: evaluation.to_json() for reading, evaluation in readings.items()},
    }
    return Trained(model, int(usable.sum()), len(judge), readings)


def _fit(make: Callable[[], Classifier], urls: ByteColumn, labels: NDArray[Any], rows: NDArray[np.bool_]) -> Classifier:
    chosen = urls.take(np.flatnonzero(rows))
    model = make().fit(chosen, np.asarray(labels, object)[rows])
    if problem := contract_problem(model, chosen):
        raise UsageError(f"'{model.algorithm}' does not do what every algorithm does: {problem}")
    return model
