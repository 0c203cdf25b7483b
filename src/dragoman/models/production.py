"""The production recipe: one softmax over hashed features, trained by descent, kept as bytes.

score(url, language) = step * (sum of the whole-number weights of the URL's kept features) / sqrt(n) + bias[language],
n being the number of all its features, known or not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.errors import BadModel
from dragoman.models.augmentation import augment
from dragoman.models.classifier import Arrays, Classifier, Labels, batch, encode_labels
from dragoman.types import Contribution, Scores
from dragoman.url.address import read_address
from dragoman.url.batch import UrlBatch
from dragoman.url.features import feature_set

_FEATURES = "production"
#: Rows of weights are padded to a multiple of this, the block in which the kernel adds.
_BLOCK = 32
#: URLs from which on a language counts by its number; fewer do not count for more: a hundred would outshout thousands.
_ENOUGH = 1000
#: Rows with large weights are kept in steps this much larger: one step for all would leave the others three bits.
_COARSE = 8
#: Rows that are kept: more gain nothing on the tuning halves, and fewer cost (65,535: half a point on news).
MOST_ROWS = 200_000


class Production(Classifier):
    """A multi-way linear model over the features of dragoman.url.production, made for bulk.

    Training: plain stochastic gradient descent on the log loss, rate falling to zero, features hashed into 2^bits
    buckets; host words and top-level domains left out with the chance `dropout`; languages weighted by their number to
    the power of -balance; `made` URLs per real one (dragoman.models.augmentation). Then the buckets with the largest
    weights are kept, at most `kept`, and rounded to whole numbers from -127 to 127 in one of two steps; clipping
    instead costs points. One thread, so the same seed gives the same bytes. Cost: rows x features x languages per
    epoch, about 15 seconds for a million URLs and 80 languages.

    Scoring: one pass from bytes to answers, without a Python object per URL.
    """

    algorithm: ClassVar[str] = "production"
    about: ClassVar[str] = "the recipe of the shipped model: hashed features, made for bulk"
    #: Its scores are compared with each other, never with zero.
    readings: ClassVar[tuple[str, ...]] = ("best",)

    def __init__(
        self,
        bits: int = 20,
        kept: int = MOST_ROWS,
        epochs: int = 4,
        rate: float = 1.0,
        dropout: float = 0.2,
        balance: float = 0.6,
        made: float = 0.8,
        seed: int = 0,
    ) -> None:
        self.bits = bits
        self.kept = kept
        self.epochs = epochs
        self.rate = rate
        self.dropout = dropout
        self.balance = balance
        self.made = made
        self.seed = seed

    def fit(self, inputs: Any, labels: Labels, texts: Mapping[str, list[str]] | None = None) -> Self:
        """Learn; `texts` by language give words for made URLs beyond the word lists of the package wordfreq."""
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls))
        rows = np.flatnonzero(truth >= 0)
        urls, truth = urls.take(rows), truth[rows]
        more, of = augment(urls, truth, self.languages_, round(self.made * len(rows)), texts or {}, self.seed)
        weights, bias = self._descend(UrlBatch.joined([urls, more]), truth, of)
        self._keep(weights, bias)
        self.notes_ = {}
        return self

    def _descend(
        self, urls: UrlBatch, truth: NDArray[np.int64], made: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        width = len(self.languages_)
        counts = np.bincount(truth, minlength=width).astype(np.float64)
        importance = np.maximum(counts, _ENOUGH) ** -self.balance
        importance *= counts.sum() / (importance * counts).sum()
        of_rows = np.concatenate([importance[truth], np.ones(len(made))]).astype(np.float32)
        labels = np.concatenate([truth, made]).astype(np.int32)
        indptr, keys, _ = feature_set(_FEATURES).keys(urls)
        weights, bias = np.zeros((1 << self.bits, width), np.float32), np.zeros(width, np.float32)
        rng = np.random.default_rng(self.seed)
        for epoch in range(self.epochs):
            rate = (self.rate * (1 - epoch / self.epochs), self.rate * (1 - (epoch + 1) / self.epochs))
            order = rng.permutation(len(labels))
            kernels.descend(
                indptr, keys, labels, of_rows, order, self.bits, weights, bias, rate, self.dropout, 1 + epoch
            )
        return weights, bias

    def _keep(self, weights: NDArray[np.float32], bias: NDArray[np.float32]) -> None:
        """The buckets whose weights differ most between languages, as whole numbers."""
        centred = weights - weights.mean(axis=1, keepdims=True)
        size = np.abs(centred).max(axis=1)
        buckets = np.sort(np.argsort(-size, kind="stable")[: min(self.kept, int((size > 0).sum()))])
        step = np.float32(size.max() / 127 / _COARSE if len(buckets) else 1.0)
        large = size[buckets] > 127 * step
        buckets = np.concatenate([buckets[~large], buckets[large]])
        steps = np.where(np.arange(len(buckets)) < (~large).sum(), step, step * _COARSE)[:, None]
        rounded = np.rint(centred[buckets] / steps).astype(np.int8)
        self._take(buckets.astype(np.uint32), rounded, int((~large).sum()), step, bias - bias.mean())

    def _take(
        self,
        buckets: NDArray[np.uint32],
        rounded: NDArray[np.int8],
        fine: int,
        step: np.float32,
        bias: NDArray[np.float32],
    ) -> None:
        width = len(self.languages_)
        if rounded.shape != (len(buckets), width) or len(bias) != width:
            raise BadModel("is damaged: its weights do not fit its languages")
        if len(buckets) and int(buckets.max()) >= 1 << self.bits:
            raise BadModel("is damaged: a bucket is out of range")
        self.buckets_, self.rounded_, self.fine_ = buckets, rounded, fine
        self.step_, self.bias_ = float(step), np.ascontiguousarray(bias, np.float32)
        self.index_ = np.zeros(1 << self.bits, np.uint32)
        self.index_[buckets] = np.arange(1, len(buckets) + 1, dtype=np.uint32)
        self.padded_ = np.zeros((max(1, len(buckets)), -(-width // _BLOCK) * _BLOCK), np.int8)
        self.padded_[: len(buckets), :width] = rounded

    def scores(self, inputs: Any) -> Scores:
        """All scores of every URL; NaN where none of its features is known."""
        urls = batch(inputs)
        matrix, known = kernels.compact_scores(
            urls.data, urls.offsets, self.index_, self.padded_, self.fine_, self.step_, self.bias_
        )
        matrix[known == 0] = np.nan
        return Scores(self.languages_, matrix)

    def best(self, urls: UrlBatch) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every URL, without making the matrix of scores: the bulk path."""
        return kernels.compact_best(
            urls.data, urls.offsets, self.index_, self.padded_, self.fine_, self.step_, self.bias_, self.temperature_
        )

    def plain_scores(self, url: bytes) -> list[float]:
        """The definition at the top of this module, for one URL."""
        rows, n = self._rows(url)
        if not rows:
            return [math.nan] * len(self.languages_)
        sums = np.sum([self._steps(row) for _, row in rows], axis=0).tolist()
        scale = self.step_ / math.sqrt(n)
        return [float(np.float32(total * scale + bias)) for total, bias in zip(sums, self.bias_.tolist(), strict=True)]

    def _rows(self, url: bytes) -> tuple[list[tuple[str, int]], int]:
        """The kept features of a URL with their rows, and the number of all its features."""
        if read_address(url).kind != "web":
            return [], 0
        named = list(feature_set(_FEATURES).named(url))
        rows = [(name, int(self.index_[key >> (64 - self.bits)]) - 1) for name, key in named]
        return [(name, row) for name, row in rows if row >= 0], len(named)

    def _steps(self, row: int) -> NDArray[np.int64]:
        """The weights of a row in fine steps."""
        return np.asarray(self.rounded_[row].astype(np.int64) * (1 if row < self.fine_ else _COARSE))

    def explain(self, url: bytes) -> list[Contribution]:
        """What each kept feature said, and the bias as `(prior)`; the weights of a language sum to its score."""
        rows, n = self._rows(url)
        scale = self.step_ / math.sqrt(n) if n else 0.0
        total: dict[tuple[str, str], float] = {}
        for name, row in rows:
            for language, weight in zip(self.languages_, self._steps(row).tolist(), strict=True):
                total[name, language] = total.get((name, language), 0.0) + weight * scale
        found = [Contribution(name, language, weight) for (name, language), weight in total.items() if weight]
        if rows:
            found += [Contribution("(prior)", *pair) for pair in zip(self.languages_, self.bias_.tolist(), strict=True)]
        return sorted(found, key=lambda one: -abs(one.weight))

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The kept buckets and their weights."""
        return {"step": self.step_, "fine": self.fine_}, {
            "buckets": self.buckets_,
            "weights": self.rounded_,
            "bias": self.bias_,
        }

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The table again."""
        self._take(
            arrays["buckets"], arrays["weights"], int(header["fine"]), np.float32(header["step"]), arrays["bias"]
        )
        return self
