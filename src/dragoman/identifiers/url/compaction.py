"""Float weights become the compact tables of the kernels: few rows, as bytes.

- The features that matter most are kept: those with the largest weights times the root of how often they occur (by
  size alone, rare ones would crowd out frequent ones: 0.1 points on news).
- A weight is a whole number of steps from -127 to 127. Codes and top-level domains weigh ten times what words do, so
  their steps are COARSE times larger; clipping them instead costs points.
- The languages with the most URLs have a weight in every row: the 64 that fit one line of the cache. The others have
  one only for words and codes, in the rows where they differ from each other by more than SLIGHT steps; adding a number
  to a whole row changes no answer, so each row is shifted until most of them are 0. N-grams say nothing about them, to
  be fast: their scripts, codes, domains and words must do.
- Every bucket of n-grams has a row, so that there is no index to look into a hundred times per URL.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.compact import COMMON, Compact, CompactTable
from dragoman.kernels.library import aligned

COARSE = 8
SLIGHT = 6
#: The columns of rare languages are padded to a multiple of this, the block in which the kernel adds.
_BLOCK = 32


def worth_keeping(
    weights: NDArray[np.float32], occurrences: NDArray[np.int64], bits: Sequence[int], most: Sequence[int]
) -> NDArray[np.uint8]:
    """1 for the buckets to keep, at most `most` of the 2^bits of each group; `occurrences`: how often each was met."""
    kept, first = np.zeros(len(weights), np.uint8), 0
    met = np.flatnonzero(occurrences)
    value = np.zeros(len(weights), np.float32)
    value[met] = np.abs(weights[met] - weights[met].mean(axis=1, keepdims=True)).max(axis=1) * np.sqrt(occurrences[met])
    for one, number in zip(bits, most, strict=True):
        group = value[first : first + (1 << one)]
        best = np.argsort(-group, kind="stable")[: min(number, int((group > 0).sum()))]
        kept[first + best] = 1
        first += 1 << one
    return kept


def compacted(
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    kept: NDArray[np.uint8],
    urls: NDArray[np.int64],
    bits: Sequence[int],
) -> Compact:
    """The tables for weights by bucket and language, of the buckets that are kept; `urls`: how many of each."""
    order = np.argsort(-urls, kind="stable").astype(np.int32)
    bounds = np.cumsum([0, *(1 << one for one in bits)])
    places = [first + np.flatnonzero(kept[first:last]) for first, last in pairwise(bounds)]
    groups = [_shifted(weights[where], order) for where in places]
    largest = [float(np.abs(group).max(initial=0)) / 127 for group in groups]
    step = np.float32(max(largest[0], largest[1], largest[2] / COARSE) or 1.0)
    grams = aligned((1 << bits[0], COMMON))
    shown = groups[0][:, :COMMON]
    grams[places[0], : shown.shape[1]] = np.rint(shown / step)
    words = _table(groups[1], places[1] - bounds[1], step, 1 << bits[1])
    codes = _table(groups[2], places[2] - bounds[2], step * COARSE, 1 << bits[2])
    return Compact(grams, words, codes, (bias - bias.mean())[order], order, float(step))


def _shifted(weights: NDArray[np.float32], order: NDArray[np.int32]) -> NDArray[np.float32]:
    """The columns in a new order; each row less what most rare languages have (or all, if none is rare)."""
    columns = weights[:, order]
    rare = columns[:, COMMON:]
    return np.asarray(columns - (np.median(rare, axis=1) if rare.size else columns.mean(axis=1))[:, None], np.float32)


def _table(weights: NDArray[np.float32], buckets: NDArray[np.int64], step: np.float32, size: int) -> CompactTable:
    wide = np.abs(weights[:, COMMON:]).max(axis=1, initial=0) > SLIGHT * step
    order = np.concatenate([np.flatnonzero(wide), np.flatnonzero(~wide)])
    rounded = np.rint(weights[order] / step).astype(np.int8)
    width, rows, rest = weights.shape[1], 1 + int(wide.sum()), max(0, weights.shape[1] - COMMON)
    common = np.zeros((1 + len(order), COMMON), np.int8)
    common[1:, : min(width, COMMON)] = rounded[:, :COMMON]
    rare = np.zeros((rows, -(-rest // _BLOCK) * _BLOCK), np.int8)
    rare[1:, :rest] = rounded[: rows - 1, COMMON:]
    places = np.zeros(size, np.uint32)
    places[buckets[order]] = np.arange(1, 1 + len(order))
    return CompactTable(places, common, rare)
