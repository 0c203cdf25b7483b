"""Weights become reasons: what spoke for and against each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.types import Contribution, Language


def explained(
    languages: Sequence[Language], weights: Mapping[str, Sequence[float]], bias: Sequence[float] = ()
) -> list[Contribution]:
    """What each part of a row said about each language, and the bias as `(prior)`, the largest first.

    >>> explained(("de", "en"), {"haus": [2.0, 0.0]}, [-0.5, 1.0])[0]
    Contribution(feature='haus', language='de', weight=2.0)
    """
    parts = [*weights.items(), *([("(prior)", bias)] if len(bias) else [])]
    contributions = [
        Contribution(name, language, weight)
        for name, row in parts
        for language, weight in zip(languages, row, strict=True)
        if weight
    ]
    return sorted(contributions, key=lambda contribution: -abs(contribution.weight))
