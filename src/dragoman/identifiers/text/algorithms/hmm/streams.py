"""Observations: the symbol s and its differences d0 to d3 to earlier symbols, as streams (section 3.2 of the paper).

    lag         d_i(t) = s(t) - s(t - i - 1) + M: the difference to the symbol i + 1 places back
    successive  d0 as above, d1 the difference of two d0, d2 of two d1 (each with its own offset): not in the paper

The paper uses s, d0, d1 and d2; of further ones it says that they would not justify their cost: d3 is there to try.

Before the beginning of a text every symbol counts as 0, which gives the paper's values at the start: s + M.
The range that the paper states for differences, 1 .. 2M - 1 (119 values), does not hold its own start value of the
last symbol: y with diaeresis, 60, gives 120. The tables here have 2M cells, so that it has a cell like any other.

>>> observations(np.array([1, 3, 2], np.int32), "s&d0&d1", 60).T.tolist()  # "acb"
[[1, 3, 2], [61, 62, 59], [61, 63, 61]]
>>> len(COMBINATIONS)
15
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName, UsageError

STREAMS = ("s", "d0", "d1", "d2", "d3")
DELTAS = ("lag", "successive")

#: Every set of streams, in the order of the paper's Table 1.
COMBINATIONS = tuple("&".join(chosen) for n in range(1, 5) for chosen in combinations(STREAMS[:4], n))

Observations = NDArray[np.int32]

#: What a successive difference adds up to: its factors of s(t), s(t - 1), ...
_FACTORS = {"s": (1,), "d0": (1, -1), "d1": (1, -2, 1), "d2": (1, -3, 3, -1), "d3": (1, -4, 6, -4, 1)}


def chosen(streams: str) -> tuple[str, ...]:
    """The streams named in `s&d0&d1`."""
    names = tuple(streams.split("&"))
    for name in names:
        if name not in STREAMS:
            raise UnknownName("stream", name, STREAMS)
    if len(set(names)) < len(names):
        raise UsageError(f"'{streams}' names a stream twice; give each once, as in s&d0&d1&d2")
    return names


def factors(stream: str, deltas: str) -> dict[int, int]:
    """{places back: factor} of the sum that a stream is."""
    if deltas not in DELTAS:
        raise UnknownName("kind of differences", deltas, DELTAS)
    if deltas == "lag" and stream != "s":
        return {0: 1, int(stream[1:]) + 1: -1}
    return dict(enumerate(_FACTORS[stream]))


def offset(stream: str, size: int, deltas: str) -> int:
    """What is added so that the least value is 1 or more."""
    return -size * sum(factor for factor in factors(stream, deltas).values() if factor < 0)


def cells(stream: str, size: int, deltas: str) -> int:
    """The largest value of a stream, and so the size of its tables: M for s, 2M for differences of the paper."""
    return size * sum(abs(factor) for factor in factors(stream, deltas).values())


def observations(
    symbols: NDArray[np.int32], streams: str, size: int, deltas: str = "lag", before: Sequence[int] = ()
) -> Observations:
    """The observation vectors, one row per symbol and one column per stream, with the paper's values.

    `before` are symbols that came before the text: they give no rows, but the first differences are taken from them.
    """
    if before:
        whole = np.concatenate([np.array(before, np.int32), symbols])
        return observations(whole, streams, size, deltas)[len(before) :]
    names = chosen(streams)
    values = np.zeros((len(symbols), len(names)), np.int32)
    for column, name in enumerate(names):
        values[:, column] = offset(name, size, deltas)
        for back, factor in factors(name, deltas).items():
            values[back:, column] += factor * symbols[: max(len(symbols) - back, 0)]
    return values


#: How far back differences reach.
REACH = 4


def batch_observations(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    streams: str,
    size: int,
    deltas: str = "lag",
    before: Sequence[int] = (),
) -> Observations:
    """The observation vectors of many texts behind each other, each as if it stood alone."""
    rows = len(offsets) - 1
    own = np.arange(len(symbols)) + REACH * (np.repeat(np.arange(rows), np.diff(offsets)) + 1)
    padded = np.zeros(len(symbols) + REACH * rows, np.int32)
    padded[own] = symbols
    for back, symbol in enumerate(reversed(before), 1):
        padded[offsets[:-1] + REACH * (np.arange(rows) + 1) - back] = symbol
    values: Observations = observations(padded, streams, size, deltas)[own]
    return values


def starts(streams: str, size: int, deltas: str) -> NDArray[np.int64]:
    """Where the cells of each stream begin in a table that holds them all, and behind them its length."""
    sizes = [cells(name, size, deltas) for name in chosen(streams)]
    return np.cumsum([0, *sizes])
