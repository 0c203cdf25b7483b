"""English on the crawl with and without URLs of all other languages: what a closed test hides."""

from __future__ import annotations

from typing import Any

import numpy as np
from material import Answered, Bools, Floats, Material
from targets import OPEN_FALL, Verdict
from thresholds import threshold_at_recall

from dragoman import measures
from dragoman.languages import FIVE

LANGUAGE, SET = "en", "crawl"
#: Recalls at which both tests are compared besides that of the likeliest answer.
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def judge_open_set(material: Material) -> tuple[dict[str, Any], list[Verdict]]:
    """Ordinary precision in the closed and in the open test at equal recall, and the fall; nothing without a crawl set.

    Closed: URLs of the five languages, the likeliest of the five; this gives the recall. Open: the URLs of all
    languages, all languages of the model, yes from the threshold on at which recall is the same. The positives are the
    same URLs in both; the negatives of the open test are more.
    """
    if SET not in material.sets:
        return {}, []
    one = material.sets[SET]
    place, column = FIVE.index(LANGUAGE), one.languages.index(LANGUAGE)
    five = one.judge & (one.five_truth >= 0)
    truth = one.five_truth == place
    closed = measures.judge(truth[five], one.five_said[five, place])
    everything = one.judge
    full = np.nan_to_num(one.probability[:, column], nan=-1.0)
    alone = np.nan_to_num(one.five_probability[:, place], nan=-1.0)
    found: dict[str, Any] = {
        "language": LANGUAGE,
        "set": SET,
        "recall": closed.recall,
        "closed, likeliest of the five": _shown(truth, one.five_said[:, place], five),
        "closed, threshold among all languages": _at(truth, full, five, closed.recall),
        "open, threshold among all languages": _at(truth, full, everything, closed.recall),
        "open, likeliest of all languages": _shown(truth, one.best == column, everything),
        "open, likeliest of the five": _shown(truth, one.five_said[:, place], everything),
        "open, threshold among the five": _at(truth, alone, everything, closed.recall),
        "taken_for_english": _taken(one, full >= _threshold(truth, full, everything, closed.recall)),
    }
    found["by_recall"] = [
        {
            "recall": recall,
            "closed": _at(truth, alone, five, recall)["precision"],
            "open": _at(truth, full, everything, recall)["precision"],
            "open_among_five": _at(truth, alone, everything, recall)["precision"],
        }
        for recall in RECALLS
    ]
    fall = closed.ordinary_precision - found["open, threshold among all languages"]["precision"]
    found["fall"] = fall
    found["fall_of_the_five"] = closed.ordinary_precision - found["open, threshold among the five"]["precision"]
    return found, [Verdict("open set, fall of English precision on crawl", fall, "<=", OPEN_FALL)]


def _threshold(truth: Bools, value: Floats, rows: Bools, recall: float) -> float:
    return threshold_at_recall(value[rows], truth[rows], recall)


def _at(truth: Bools, value: Floats, rows: Bools, recall: float) -> dict[str, Any]:
    threshold = _threshold(truth, value, rows, recall)
    return {"threshold": threshold} | _shown(truth, value >= threshold, rows)


def _shown(truth: Bools, said: Bools, rows: Bools) -> dict[str, Any]:
    judged = measures.judge(truth[rows], said[rows])
    return {
        "positives": judged.positives,
        "negatives": judged.negatives,
        "recall": judged.recall,
        "precision": judged.ordinary_precision,
        "balanced_precision": judged.precision,
    }


def _taken(one: Answered, said: Bools, most: int = 8) -> dict[str, int]:
    """The languages whose URLs are most often taken for English in the open test."""
    wrong = one.test.truth[one.judge & said & (one.test.truth != one.languages.index(LANGUAGE))]
    counts = np.bincount(wrong[wrong >= 0], minlength=len(one.languages))
    return {one.languages[i]: int(counts[i]) for i in np.argsort(-counts, kind="stable")[:most] if counts[i]}
