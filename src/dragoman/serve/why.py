"""What the parts of a URL said: the model's own reasons, each where it stands in the URL as it was given.

A model tells its reasons by feature (`host:wetter`, `.de`, `code:=en`). A word that occurs twice has one reason, whose
weight its places share, as a locale's two codes do. What stands nowhere in the URL, such as the
model's prior, is told beside the parts. For each language the weights of all of them sum to its score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.places import Placed, placed_tokens
from dragoman.identifiers.url.tokens import runs_of_letters
from dragoman.types import Language

#: What is nearly as much as the most.
NEARLY = 0.75


def why(model: Classifier, url: str, likely: Sequence[Language]) -> dict[str, Any]:
    """`parts` and `others` of a URL, for the languages in `likely`.

    The language of a part is the one of them that it speaks for most.
    """
    written = url.encode("utf-8", "surrogatepass")
    try:
        reasons = model.explain(written)
    except UsageError:  # a model that cannot
        return {"parts": [], "others": []}
    tokens = placed_tokens(written)
    by_feature: dict[str, dict[Language, float]] = defaultdict(dict)
    for reason in reasons:
        by_feature[reason.feature][reason.language] = reason.weight
    holders = _holders(tokens, by_feature)
    weights: list[dict[Language, float]] = [defaultdict(float) for _ in tokens]
    others = []
    for feature, by_language in by_feature.items():
        if not (places := holders.get(feature)):
            others.append({"feature": feature, **_spoken(by_language, likely)})
            continue
        for holder in places:
            for language, weight in by_language.items():
                weights[holder][language] += weight / len(places)
    at = _character_places(written)
    parts = []
    for token, by_language in zip(tokens, weights, strict=True):
        start, end = at[token.start], at[token.end]
        parts.append({"start": start, "end": end, "text": url[start:end], **_spoken(by_language, likely)})
    return {"parts": parts, "others": others}


def _spoken(by_language: Mapping[Language, float], likely: Iterable[Language]) -> dict[str, Any]:
    """The language that something speaks for most and how much, and the weights of those that are told.

    Of languages for which it speaks nearly as much, the likeliest of the URL: these come first among the likely ones.
    """
    weights = {tag: round(by_language.get(tag, 0.0), 6) for tag in likely}
    most = max(weights.values(), default=0.0)
    if most <= 0:
        return {"language": None, "weight": 0.0, "weights": weights}
    spoken = next(tag for tag, weight in weights.items() if weight >= NEARLY * most)
    return {"language": spoken, "weight": weights[spoken], "weights": weights}


def _holders(tokens: Sequence[Placed], features: Iterable[str]) -> dict[str, list[int]]:
    """The places of every feature that is a word, a domain, a code, a site or a script of the URL."""
    known = list(features)
    holders: dict[str, list[int]] = defaultdict(list)
    for number, placed in enumerate(tokens):
        word = placed.token.text
        own = f".{word}" if placed.place == "tld" else f"{placed.place}:{word}"
        names = {own, word, *((f"word:{word}",) if placed.place == "path" else ())}
        for name in known:
            if name in names or word in _letters(name, placed) or (name == "script" and word[0] >= _BEYOND_LATIN):
                holders[name].append(number)
    return holders


_BEYOND_LATIN = "\u0250"


def _letters(feature: str, placed: Placed) -> list[str]:
    """The words that a code (`code:/de/`, `locale:de-at`, `name:deutsch`) or a site (`site:naver.com`) is read from."""
    kind, _, written = feature.partition(":")
    if kind in ("code", "country", "locale", "name") or (kind == "site" and placed.place != "path"):
        return [text for _, text in runs_of_letters(written.lower())]
    return []


def _character_places(written: bytes) -> list[int]:
    """For every byte of UTF-8 and for its end, the character that it is in, as Python counts them."""
    characters, number = [], -1
    for byte in written:
        number += byte & 0xC0 != 0x80
        characters.append(number)
    return [*characters, number + 1]
