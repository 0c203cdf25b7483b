"""Which languages a text has: those that are worth naming.

Decoding among a hundred languages at once finds the main ones, and for names, short words and near relatives some more.
Each language of a text must therefore pay: one after the other, the least used first, a language is left out unless the
cheapest path without it costs more by what naming it costs (a description length, as in choosing a model's size): a
share of log N among N languages, and more for languages that are seldom met.

Cost: one decoding among all languages, and one among a few for each language that was found in the first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.track.decode import STYLES, Path, PathSettings, best_path
from dragoman.identifiers.track.lexicon import UNIT
from dragoman.identifiers.track.tokens import TrackTokens
from dragoman.kernels import track as kernel

#: Languages that are looked at one by one, the most used ones; where no more than these may be chosen, all are kept.
MOST = 24

#: Languages in which much is written on the web (by the size of the word lists and of the training texts that there
#: are); the others must be worth more.
USUAL = frozenset({
    "ar", "az", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "gl",
    "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "km", "ko", "lt", "lv", "mk", "ml", "mn",
    "mr", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tl",
    "tr", "uk", "ur", "uz", "vi", "zh",
})  # fmt: skip


def worthwhile(
    costs: NDArray[np.int32],
    tokens: TrackTokens,
    languages: tuple[str, ...],
    settings: PathSettings,
    entering: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """The columns of the languages that are worth naming; `entering` is what a change to each costs more."""
    everything = np.arange(len(languages), dtype=np.int32)
    if len(languages) <= MOST or not len(tokens):
        return everything
    entering = np.zeros(len(languages), np.int32) if entering is None else entering
    path = best_path(costs, tokens, everything, settings, settings.beginning(entering), entering)
    letters = letters_of(path, tokens, len(languages))
    used = np.flatnonzero(letters).astype(np.int32)
    if not len(used):  # not one letter that any of them knows
        return everything
    used = np.sort(used[np.argsort(-letters[used], kind="stable")][:MOST])
    # all against the same evidence: what a token costs above the cheapest of the languages at hand
    price = settings.language * math.log(len(languages))
    evidence, _ = kernel.evidence(
        costs, used, tokens.starts, tokens.ends, tokens.boundaries, tokens.coded, settings.limits()
    )
    columns = list(range(len(used)))
    cost = _cost(evidence, tokens, columns, settings, entering[used])
    for column in sorted(columns, key=lambda number: (int(letters[used[number]]), number)):
        language = languages[used[column]]
        if len(columns) < 2:
            break
        fewer = [number for number in columns if number != column]
        without = _cost(evidence, tokens, fewer, settings, entering[used])
        if without - cost < round(UNIT * (price + (0.0 if language in USUAL else settings.seldom))):
            columns, cost = fewer, without
    return used[columns]


def _cost(
    evidence: NDArray[np.int32],
    tokens: TrackTokens,
    columns: list[int],
    settings: PathSettings,
    entering: NDArray[np.int32],
) -> int:
    part, more = np.ascontiguousarray(evidence[:, columns]), np.ascontiguousarray(entering[columns])
    return kernel.decode(part, tokens.boundaries, settings.switching(), more, len(STYLES), settings.beginning(more))[1]


def letters_of(path: Path, tokens: TrackTokens, width: int) -> NDArray[np.int64]:
    """The letters that each column has on a path, without those that no language knows."""
    lengths = (tokens.ends - tokens.starts) * (path.known > 0)
    return np.bincount(path.columns, weights=lengths, minlength=width).astype(np.int64)
