"""What is known about each language of a model: how many URLs it was judged by, how well, and what that makes of it.

The figures are kept in the model's notes: `notes["judged"]["languages"][tag]` (from `by_language`) and
`notes["training_rows"][tag]`, the real URLs that it was trained on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.types import Language

#: A language is supported with this many real URLs to judge it by.
ENOUGH = 20
#: Below this F a language is called weak. Saying yes to everything gives .667 (dragoman.measures).
WEAK = 0.667

SUPPORTED, EXPERIMENTAL = "supported", "experimental"


def by_language(
    truth: NDArray[np.int64], best: NDArray[np.int64], languages: Sequence[Language]
) -> dict[Language, dict[str, Any]]:
    """For each language the URLs in it (n), and F, ordinary precision and recall of one answer per URL.

    None where there is nothing to divide by.

    >>> by_language(np.array([0, 0, 1]), np.array([0, 1, 1]), ("de", "fr"))["de"]
    {'n': 2, 'f': 0.667, 'precision': 1.0, 'recall': 0.5}
    """
    judged = measures.judge_all(truth, measures.one_hot(best, len(languages)))
    return {
        tag: {
            "n": judgement.positives,
            "f": _share(judgement.f if judgement.positives else float("nan")),
            "precision": _share(judgement.ordinary_precision),
            "recall": _share(judgement.recall),
        }
        for tag, judgement in zip(languages, judged, strict=True)
    }


def _share(value: float) -> float | None:
    return None if value != value else round(float(value), 3)


def status(notes: Mapping[str, Any], tag: Language) -> str | None:
    """`supported` with 20 or more real URLs to judge a language by, else `experimental`; None where nobody judged.

    >>> status({"judged": {"languages": {"de": {"n": 2408}, "zu": {"n": 1}}}}, "zu")
    'experimental'
    """
    judged = notes.get("judged", {}).get("languages")
    if judged is None:
        return None
    return SUPPORTED if judged.get(tag, {}).get("n", 0) >= ENOUGH else EXPERIMENTAL


def weak(notes: Mapping[str, Any], tag: Language) -> bool:
    """True for a supported language whose F is no better than always saying yes."""
    f = notes.get("judged", {}).get("languages", {}).get(tag, {}).get("f")
    return status(notes, tag) == SUPPORTED and f is not None and f < WEAK


def rows(notes: Mapping[str, Any], languages: Sequence[Language]) -> list[dict[str, Any]]:
    """One row per language with all that is known; empty for a model whose languages nobody judged one by one."""
    judged = notes.get("judged", {}).get("languages")
    if judged is None:
        return []
    trained = notes.get("training_rows", {})
    return [
        {
            "language": tag,
            "status": status(notes, tag),
            "weak": weak(notes, tag),
            "trained_on": trained.get(tag, 0),
            "judged_on": judged.get(tag, {}).get("n", 0),
            **{key: judged.get(tag, {}).get(key) for key in ("f", "precision", "recall")},
        }
        for tag in languages
    ]
