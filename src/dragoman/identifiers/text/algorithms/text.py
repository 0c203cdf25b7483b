"""The text model: naive Bayes over hashed character n-grams and words, kept as bytes.

score(text, language) = (sum of the weights of the text's known features) / sqrt(n) + bias[language],
n being the number of all its features, known or not (text.grams says what they are). Where a text of another
script has many Latin words, those count as fewer: their weights and their number are multiplied by the same share.

    weight(feature, language) = log(p(feature | language) / p(feature)), in whole steps
    p(feature | language)     = (count + s * p(feature)) / (features of the language + s)
    s                         = smoothing + foreign * (features of the language)
    p(feature)                = the mean of count / (features of the language) over all languages
    bias(language)            = prior * log(features of the language / most features of any), or chosen on texts

A language that never showed a feature has the same weight for it, log(s / (features of the language + s)), its floor:
above it most features have something for a few languages only, and that is what is kept.

Close pairs, as Danish and Norwegian, share most n-grams. For those that a model has been given whole words decide
(text.algorithms.close_pairs): the distance of the two scores is `keep` times what it was, and a weight for each of the
text's words over sqrt(n). The better of the two has the score that the better had before, so that nothing changes for
other languages.

Probabilities depend on n, too (dragoman.identifiers.bulk).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.bulk import BulkClassifier
from dragoman.identifiers.classifier import Arrays, Labels, batch, encode_labels, rows_by_language
from dragoman.identifiers.explanation import explained
from dragoman.identifiers.text.algorithms.close_pairs import pair_state, restored_pairs, settled
from dragoman.identifiers.text.grams import latin_counted, of_words
from dragoman.kernels.library import aligned
from dragoman.kernels.text import MOST_LANGUAGES, MOST_ROWS, ClosePair, TextTable, text_buckets
from dragoman.types import Contribution

#: Bits of a feature's number.
BITS = 20
#: Texts whose features are in memory at a time.
_CHUNK = 50_000
#: A feature that is above the floor for more languages than this, or than half of them, has a row for all.
_MANY = 48
#: Weights above the floor are whole numbers of steps from 0 to 255, and no weight is above this one.
_MOST = 14.0

Counts = NDArray[np.float32]
_Rows = list[tuple[str, NDArray[np.int64]]]


class Text(BulkClassifier):
    """A multi-way linear model over hashed n-grams of letters, for any script.

    Training counts, and has no random part: the same texts give the same bytes. The `kept` features are those most
    frequent in any one language. Cost: one pass over the texts, and features x languages.

    Scoring: one pass from bytes to answers. A text of more than 32 KiB costs no more than one of 32 KiB.

    >>> model = Text().fit(["guten Tag", "guten Morgen", "bonne nuit", "bonjour"], ["de", "de", "fr", "fr"])
    >>> model.predict(["Gute Nacht", "bon", "123"])
    ['de', 'fr', None]
    """

    algorithm: ClassVar[str] = "text"
    reads: ClassVar[str] = "text"
    table_: TextTable

    def __init__(
        self, kept: int = 1 << 18, smoothing: float = 1000.0, foreign: float = 0.003, prior: float = 0.0
    ) -> None:
        self.kept = kept
        self.smoothing = smoothing
        self.foreign = foreign
        self.prior = prior

    def fit(self, inputs: Any, labels: Labels, weights: NDArray[np.float64] | None = None) -> Self:
        """Learn from texts and their languages.

        `weights`: how many times each text counts (1, if left out), so that lists of words with their frequencies can
        be given, and texts of a kind that is not so much like those to come can count less.
        """
        texts = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(texts))
        if len(self.languages_) >= MOST_LANGUAGES:
            raise UsageError(f"'text' tells at most {MOST_LANGUAGES - 1} languages apart, not {len(self.languages_)}")
        if not 1 <= self.kept <= 1 << BITS:
            raise UsageError(f"'text' keeps 1 to {1 << BITS} features, not {self.kept}")
        if not self.smoothing > 0 or not self.foreign >= 0:
            given = f"{self.smoothing} and {self.foreign}"
            raise UsageError(f"'text' needs a smoothing above 0 and a foreign share of 0 or more, not {given}")
        times = np.ones(len(truth)) if weights is None else np.asarray(weights, np.float64)
        buckets, counts, sizes = _counted(texts, truth, times, len(self.languages_), self.kept)
        bias = self.prior * np.log(np.maximum(sizes, 1) / max(1.0, sizes.max()))
        share = (self.smoothing + self.foreign * sizes) / (sizes + self.smoothing + self.foreign * sizes)
        expected = (counts / np.maximum(sizes, 1)).mean(axis=1, keepdims=True)
        step = _MOST / 255
        added = (self.smoothing + self.foreign * sizes).astype(np.float32)
        above = np.log1p(counts / (added * expected.astype(np.float32)))
        steps = np.minimum(np.rint(above / np.float32(step)), 255).astype(np.uint8)
        floors = np.rint(np.log(share) / step).astype(np.int32)
        self.table_ = _table(buckets, steps, floors, bias.astype(np.float32), step)
        self.slope_ = 0.0
        self.notes_ = {}
        return self

    def plain_scores(self, row: bytes) -> list[float]:
        """The definition at the top of this module, for one text."""
        latin, others, share, n = self._rows(row)
        if not latin and not others:
            return [math.nan] * len(self.languages_)
        return [float(one) for one in settled(self.table_.pairs, self._unsettled(latin, others, share, n), row, n)]

    def _unsettled(self, latin: _Rows, others: _Rows, share: np.float32, n: int) -> NDArray[np.float32]:
        zero = np.zeros(len(self.languages_), np.int64)
        mine, rest = (sum((steps for _, steps in rows), zero) for rows in (latin, others))
        scale = np.float32(self.table_.step) / np.sqrt(np.float32(n))
        if share < 1:
            sums = mine.astype(np.float32) * share + rest.astype(np.float32)
        else:
            sums = (mine + rest).astype(np.float32)
        return np.asarray(sums * scale + self.table_.bias, np.float32)

    def _rows(self, text: bytes) -> tuple[_Rows, _Rows, np.float32, int]:
        """The kept features of Latin words and of others with their weights in steps, the share by which the former
        count, and the number of all features that count."""
        found: tuple[_Rows, _Rows] = [], []
        met = [0, 0]
        for latin, features in of_words(text):
            met[not latin] += len(features)
            for name, key in features:
                if (row := self.table_.row(key >> (64 - self.table_.bits))) is not None:
                    found[not latin].append((name, row))
        counted = latin_counted(*met)
        share = np.float32(counted) / np.float32(met[0]) if counted < met[0] else np.float32(1)
        return *found, share, counted + met[1]

    def explain(self, row: bytes) -> list[Contribution]:
        """What each kept feature said, the bias as `(prior)`, and what words changed between close languages as
        `(da or no)`; the weights of a language sum to its score."""
        latin, others, share, n = self._rows(row)
        total: dict[str, NDArray[np.float64]] = {}
        for rows, weight in ((latin, float(share)), (others, 1.0)):
            for name, steps in rows:
                total[name] = total.get(name, np.float64(0)) + weight * steps
        scale = self.table_.step / math.sqrt(n) if n else 0.0
        weights = {name: (steps * scale).tolist() for name, steps in total.items()}
        if not latin and not others:
            return explained(self.languages_, weights)
        before = self._unsettled(latin, others, share, n)
        for pair in self.table_.pairs:
            after = settled((pair,), before, row, n)
            name = f"({self.languages_[pair.first]} or {self.languages_[pair.second]})"
            weights[name] = [float(later - earlier) for later, earlier in zip(after, before, strict=True)]
            before = after
        return explained(self.languages_, weights, self.table_.bias.tolist())

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The table: rows of frequent features, and for the others how many languages, which, and how much."""
        table, width = self.table_, len(self.languages_)
        known = np.flatnonzero(table.index)
        known = known[np.argsort(table.index[known], kind="stable")].astype(np.uint32)
        dense = len(table.dense) - 1
        pairs = np.ones(len(table.sparse), bool)
        pairs[table.starts] = False
        entries = table.sparse[pairs].reshape(-1, 2)
        arrays: Arrays = {
            "bias": table.bias,
            "floor": table.floor,
            "frequent-buckets": known[:dense],
            "frequent-weights": np.ascontiguousarray(table.dense[1:, :width]),
            "rare-buckets": known[dense:],
            "rare-counts": table.sparse[table.starts],
            "rare-languages": np.ascontiguousarray(entries[:, 0]),
            "rare-weights": np.ascontiguousarray(entries[:, 1]),
        }
        header = {"bits": table.bits, "step": table.step, "slope": self.slope_}
        told, more = pair_state(table.pairs)
        return header | ({"pairs": told} if told else {}), arrays | more

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The table again."""
        try:
            if not 1 <= header["bits"] <= 24 or len(arrays["bias"]) != len(self.languages_):
                raise ValueError("other tables than these")
            parts = ("frequent-buckets", "frequent-weights", "rare-buckets", "rare-counts", "rare-languages")
            self.table_ = _packed(
                header["bits"], *(arrays[name] for name in (*parts, "rare-weights", "floor", "bias")),
                step=float(header["step"]), pairs=restored_pairs(header.get("pairs", ()), arrays),
            )  # fmt: skip
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise BadModel("is damaged: its tables do not fit each other") from error
        self.slope_ = float(header["slope"])
        return self


def _counted(
    texts: ByteColumn, truth: NDArray[np.int64], times: NDArray[np.float64], width: int, most: int
) -> tuple[NDArray[np.int64], Counts, NDArray[np.float64]]:
    """(buckets, counts by bucket and language, features of each language) of the features most frequent in any one."""
    sizes, often, parts = np.zeros(width), np.zeros(1 << BITS), []
    for column, rows in enumerate(rows_by_language(truth, width)):
        found = _count(texts, rows, times)
        met = np.flatnonzero(found)
        parts.append((met, found[met].astype(np.float32)))
        sizes[column] = found.sum()
        often = np.maximum(often, found / max(1.0, sizes[column]))
    order = np.argsort(-often, kind="stable")[:most]
    chosen = np.sort(order[often[order] > 0])
    place = np.full(1 << BITS, len(chosen))
    place[chosen] = np.arange(len(chosen))
    counts = np.zeros((1 + len(chosen), width), np.float32)  # the last row takes what is not chosen
    for column, (met, values) in enumerate(parts):
        counts[place[met], column] = values
    return chosen, counts[:-1], sizes


def _count(texts: ByteColumn, rows: NDArray[np.int64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each bucket is met in these texts."""
    met = np.zeros(1 << BITS)
    for start in range(0, len(rows), _CHUNK):
        chosen = rows[start : start + _CHUNK]
        part = texts.take(chosen)
        indptr, buckets = text_buckets(part.data, part.offsets, BITS)
        met += np.bincount(buckets, weights=np.repeat(times[chosen], np.diff(indptr)), minlength=len(met))
    return met


def _table(
    buckets: NDArray[np.int64],
    steps: NDArray[np.uint8],
    floor: NDArray[np.int32],
    bias: NDArray[np.float32],
    step: float,
) -> TextTable:
    """The table of features with these weights above the floor; features that say nothing drop out."""
    said = np.count_nonzero(steps, axis=1)
    limit = min(_MANY, steps.shape[1] // 2)
    many = np.flatnonzero(said > limit)
    few = np.flatnonzero((said > 0) & (said <= limit))
    # a row's weights all lie 128 lower, which changes no answer and makes them fit signed bytes
    frequent = (steps[many].astype(np.int16) - 128).astype(np.int8)
    rows, columns = np.nonzero(steps[few])
    return _packed(
        BITS, buckets[many], frequent, buckets[few], said[few].astype(np.uint8), columns.astype(np.uint8),
        steps[few][rows, columns], floor, bias, step=step,
    )  # fmt: skip


def _packed(
    bits: int,
    frequent: NDArray[Any],
    frequent_weights: NDArray[np.int8],
    rare: NDArray[Any],
    counts: NDArray[np.uint8],
    columns: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    floor: NDArray[np.int32],
    bias: NDArray[np.float32],
    *,
    step: float,
    pairs: tuple[ClosePair, ...] = (),
) -> TextTable:
    """Rows and records in memory, and the index that leads to them; ValueError where they do not fit each other."""
    width = len(bias)
    if frequent_weights.shape != (len(frequent), width) or len(frequent) >= MOST_ROWS or len(rare) != len(counts):
        raise ValueError("one row or one count for each bucket")
    if not int(counts.sum(dtype=np.int64)) == len(columns) == len(weights):
        raise ValueError("as many weights as the counts say")
    dense = aligned((1 + len(frequent), -(-width // 64) * 64))
    dense[1:, :width] = frequent_weights
    ends = np.cumsum(1 + 2 * counts.astype(np.int64))
    starts = ends - 1 - 2 * counts
    sparse = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    sparse[starts] = counts
    first = 2 * np.arange(len(columns)) + np.repeat(np.arange(1, 1 + len(counts)), counts)
    sparse[first], sparse[first + 1] = columns, weights
    index = np.zeros(1 << bits, np.uint32)
    index[frequent] = np.arange(1, len(dense))
    index[rare] = len(dense) + starts
    if np.count_nonzero(index) != len(frequent) + len(rare):
        raise ValueError("no bucket twice")
    return TextTable(index, dense, sparse, starts, np.ascontiguousarray(floor), np.ascontiguousarray(bias), step, pairs)
