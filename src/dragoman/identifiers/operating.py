"""Operating points: the threshold at which a model is as sure, or as complete, as somebody asks.

Measured once on labelled URLs and kept in the model's notes, so that a model carries what its answers are worth
(tools/operating_curves.py tells how); read again by `operating_point` (one language, yes or no) and `default_threshold`
(one answer per URL). What is kept is not what was measured but what is likely to hold on other URLs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.errors import UsageError, shorten
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import normalise
from dragoman.types import Language

#: Where a model's notes keep what was measured.
NOTES = "operating"
#: A language with fewer URLs to judge it by gets no curve.
LEAST = 20
#: Below this precision most of a point's yes are wrong, and whoever asked for a recall is told so.
USEFUL = 0.5


@dataclass(frozen=True)
class OperatingPoint:
    """A yes from this threshold on, and what it is worth: the precision and recall to count on, shown by n URLs."""

    language: Language
    threshold: float
    precision: float
    recall: float
    n: int

    def sentence(self) -> str:
        """A line for people; it warns where most of the yes would be wrong.

        >>> OperatingPoint("th", 2.4e-05, 0.003, 0.91, 31).sentence().partition(": ")[2]
        'recall 0.910, but precision only 0.003: about 997 of 1,000 yes are wrong (measured on 31 URLs in it)'
        """
        begin = f"'{self.language}' is wanted from probability {self.threshold:g} on: "
        if self.precision >= USEFUL:
            return f"{begin}precision {self.precision:.3f}, recall {self.recall:.3f}, measured on {self.n:,} URLs in it"
        wrong = round(1000 * (1 - self.precision))
        return (
            f"{begin}recall {self.recall:.3f}, but precision only {self.precision:.3f}: "
            f"about {wrong:,} of 1,000 yes are wrong (measured on {self.n:,} URLs in it)"
        )


def default_threshold(model: Classifier) -> float | None:
    """The threshold at which the model's answers have the risk in its notes; None where none was measured."""
    answering = _measured(model).get("answering")
    return float(answering["threshold"]) if answering else None


def operating_point(
    model: Classifier, language: str, precision: float | None = None, recall: float | None = None
) -> OperatingPoint:
    """The point on a language's curve with at least this precision, at the highest recall; or the other way round.

    UsageError where the model has no curve for the language, or none that goes so far.
    """
    tag = language if language in model.languages_ else normalise(language)
    if tag not in model.languages_:
        raise UsageError(lacks_language(model, tag, language))
    if (precision is None) == (recall is None):
        raise UsageError(f"Give the precision or the recall that you want for '{tag}', one of the two")
    asked, name = (precision, "precision") if precision is not None else (recall, "recall")
    assert asked is not None
    if not 0 < asked <= 1:
        raise UsageError(f"A {name} is more than 0 and at most 1, such as 0.9, not {asked}")
    curve = _curve_of(model, tag)
    n, other = int(curve["n"]), "recall" if name == "precision" else "precision"
    reached = [k for k, value in enumerate(curve[name]) if value >= asked - 1e-9]
    if not reached:
        top = max(curve[name])
        beside = curve[other][curve[name].index(top)]
        raise UsageError(
            f"The highest {name} shown for '{tag}' is {_short(top)}, at {other} {_short(beside)} ({n} URLs): "
            f"ask for that or less"
        )
    k = reached[0] if name == "precision" else reached[-1]
    return OperatingPoint(tag, curve["threshold"][k], curve["precision"][k], curve["recall"][k], n)


def lacks_language(model: Classifier, tag: Language, given: str) -> str:
    """The message for a language that a model does not have: what was typed, and the tag where it is another."""
    meant = f"'{shorten(given)}'" if given == tag else f"'{shorten(given)}' ({tag})"
    return f"This model does not have the language {meant}. It has: {', '.join(model.languages_)}"


def _curve_of(model: Classifier, tag: Language) -> Mapping[str, Any]:
    curves = _measured(model).get("languages")
    if not curves:
        raise UsageError("This model has no measured curves to pick a threshold from: give a threshold instead")
    curve: Mapping[str, Any] = curves.get(tag, {"n": 0})
    if "threshold" not in curve:
        n = curve["n"]
        raise UsageError(
            f"Too few URLs to promise anything for '{tag}': {n} to judge it by, {LEAST} are needed; "
            f"give a threshold instead"
        )
    return curve


def _measured(model: Classifier) -> Mapping[str, Any]:
    curves: Mapping[str, Any] = model.notes_.get(NOTES) or {}
    return curves


def _short(share: float) -> str:
    """A share as people write it, never more than it is: .914 and not 0.9143."""
    text = f"{np.floor(share * 1000) / 1000:.3f}".rstrip("0")
    return "1" if text == "1." else text.removeprefix("0") if text != "0." else "0"
