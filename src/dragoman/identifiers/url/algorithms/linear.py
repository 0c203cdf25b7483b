"""What every linear model compiles to: one table of weights, one bias per language, one kernel.

score(url, language) = scale * sum of weight[key, language] over the URL's keys + bias[language],
where scale is 1 (`counts`), 1/n (`shares`) or 1/sqrt(n) (`roots`) for n keys. Keys that the table does not hold add
nothing but count in n; a URL without any known key has no score (NaN): the bias alone would be a guess. Sums run in
double, in the order of the keys, so plain and compiled agree to the last bit.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import (
    Arrays,
    Classifier,
    Labels,
    balanced_rows,
    batch,
    encode_labels,
    rows_by_language,
)
from dragoman.identifiers.explanation import explained
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.algorithms.custom_columns import SCALINGS, CustomColumns
from dragoman.identifiers.url.features import CompiledSet, Vocabulary, feature_set
from dragoman.types import Contribution, Scores


@dataclass(frozen=True, eq=False)
class LinearTable:
    """Weights by key, for a feature set whose keys come from the URL itself."""

    features: str
    scaling: str
    keys: NDArray[np.uint64]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    slots: NDArray[np.uint64]

    @classmethod
    def of(
        cls,
        features: str,
        scaling: str,
        keys: NDArray[np.uint64],
        weights: NDArray[np.float32],
        bias: NDArray[np.float32],
    ) -> LinearTable:
        """A table ready for look-ups."""
        weights, bias = np.ascontiguousarray(weights, np.float32), np.ascontiguousarray(bias, np.float32)
        keys = np.ascontiguousarray(keys, np.uint64)
        feature_set(features)
        if weights.shape != (len(keys), len(bias)):  # the kernel would read behind the end
            raise ValueError(f"weights of shape {weights.shape} for {len(keys)} keys and {len(bias)} languages")
        _, slots, _ = kernels.number(keys, kernels.new_slots(len(keys)), 0)
        return cls(features, scaling, keys, weights, bias, slots)

    def scores(self, urls: ByteColumn, threads: int = 1) -> NDArray[np.float32]:
        """The compiled pass, cut into pieces for several threads where asked."""
        if threads <= 1 or len(urls) < 2 * threads:
            return self._piece(urls)
        bounds = np.linspace(0, len(urls), threads + 1).astype(int)
        with ThreadPoolExecutor(threads) as pool:
            parts = pool.map(self._piece, [urls.slice(a, b) for a, b in pairwise(bounds)])
            return np.concatenate(list(parts))

    def _piece(self, urls: ByteColumn) -> NDArray[np.float32]:
        features, scaling = feature_set(self.features), SCALINGS.index(self.scaling)
        if not isinstance(features, CompiledSet):
            return self._summed(*features.keys(urls))
        return kernels.linear_scores(
            urls.data, urls.offsets, features.number, scaling, self.slots, self.weights, self.bias
        )[0]

    def _summed(
        self, indptr: NDArray[np.int64], keys: NDArray[np.uint64], kinds: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        """The scores from keys that are made already: for feature sets without a compiled loop."""
        rows, url = kernels.find(keys, self.slots), np.repeat(np.arange(len(kinds)), np.diff(indptr))
        known = rows >= 0
        sums = np.zeros((len(kinds), len(self.bias)))
        np.add.at(sums, url[known], self.weights[rows[known]].astype(np.float64))  # in the order of the keys
        scale = np.array([scale_of(self.scaling, n) for n in np.diff(indptr).tolist()])
        scores: NDArray[np.float32] = (sums * scale[:, None] + self.bias).astype(np.float32)
        scores[np.bincount(url[known], minlength=len(kinds)) == 0] = np.nan
        return scores

    def plain_scores(self, url: bytes) -> list[float]:
        """The definition."""
        if read_address(url).kind != "web":
            return [math.nan] * len(self.bias)
        keys = feature_set(self.features).plain_keys(url)
        row_of = {int(key): row for row, key in enumerate(self.keys)}
        rows = [row_of[key] for key in keys if key in row_of]
        if not rows:
            return [math.nan] * len(self.bias)
        sums = [0.0] * len(self.bias)
        for row in rows:
            for column, weight in enumerate(self.weights[row].tolist()):
                sums[column] += weight
        scale = scale_of(self.scaling, len(keys))
        return [float(np.float32(total * scale + bias)) for total, bias in zip(sums, self.bias.tolist(), strict=True)]

    def explain(self, url: bytes, languages: tuple[str, ...]) -> list[Contribution]:
        """The weight of every known feature of the URL, scaled, and the bias as `(prior)`."""
        named = list(feature_set(self.features).named(url))
        rows = kernels.find(np.array([key for _, key in named], np.uint64), self.slots)
        scale = scale_of(self.scaling, len(named))
        total: dict[str, list[float]] = {}
        for (text, _), row in zip(named, rows.tolist(), strict=True):
            if row >= 0:
                sums = total.get(text, [0.0] * len(languages))
                total[text] = [
                    sum_ + weight * scale for sum_, weight in zip(sums, self.weights[row].tolist(), strict=True)
                ]
        return explained(languages, total, self.bias.tolist())


def scale_of(scaling: str, n: int) -> float:
    """1, 1/n or 1/sqrt(n)."""
    if n == 0 or scaling == "counts":
        return 1.0
    return 1.0 / n if scaling == "shares" else 1.0 / math.sqrt(n)


def scaled(counts: Any, scaling: str) -> Any:
    """A count matrix (CSR) with its rows scaled."""
    if scaling == "counts":
        return counts
    from scipy.sparse import diags

    sums = np.asarray(counts.sum(axis=1)).ravel()
    sums = np.where(sums > 0, sums, 1.0)
    return diags(1.0 / (sums if scaling == "shares" else np.sqrt(sums))).dot(counts).tocsr()


def smoothed(sums: NDArray[np.float64], smoothing: float) -> NDArray[np.float64]:
    """A distribution from a side's sums, each raised by `smoothing`."""
    if not smoothing > 0:
        raise UsageError(
            f"smoothing must be above 0, not {smoothing}: a feature that one side never saw would decide all"
        )
    raised = sums + smoothing
    return np.asarray(raised / raised.sum())


def log_ratios(rows: Any, answer: NDArray[np.bool_], smoothing: float) -> NDArray[np.float64]:
    """log p(f | yes) - log p(f | no) of every column, each side's sums raised by `smoothing`."""
    yes, no = (
        smoothed(np.asarray(rows[np.flatnonzero(side)].sum(axis=0), np.float64).ravel(), smoothing)
        for side in (answer, ~answer)
    )
    return np.asarray(np.log(yes) - np.log(no))


class LinearClassifier(Classifier):
    """A binary linear model per language, learnt from balanced samples; both readings of its scores are open."""

    #: How a row is scaled before the weights are applied; a constant of the algorithm.
    scaling: ClassVar[str]

    features: str
    seed: int
    table_: LinearTable | CustomColumns

    @abstractmethod
    def learn(self, rows: Any, answer: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
        """(weights, bias) of one yes/no question from a scaled count matrix (CSR) and its answers."""

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Number the features, then learn one yes/no question per language."""
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls), getattr(self, "languages", None))
        if CustomColumns.covers(self.features):
            from scipy.sparse import csr_matrix

            columns, dense = CustomColumns.learnt(self.features, self.scaling, self.languages_, urls, truth)
            return self.fit_counts(csr_matrix(dense), truth, columns)
        vocabulary = Vocabulary.empty(feature_set(self.features))
        counts = vocabulary.learn(urls)
        return self.fit_counts(counts, truth, vocabulary.keys())

    def fit_counts(
        self, counts: Any, truth: NDArray[np.int64], columns: CustomColumns | NDArray[np.uint64] | None
    ) -> Self:
        """Learn from counts already made; studies use it to count once for many algorithms."""
        rows = scaled(counts, self.scaling)
        weights = np.zeros((counts.shape[1], len(self.languages_)))
        bias = np.zeros(len(self.languages_))
        groups = rows_by_language(truth, len(self.languages_))
        for column in range(len(self.languages_)):
            chosen = balanced_rows(groups, column, np.random.default_rng([self.seed, column]))
            weights[:, column], bias[column] = self.learn(rows[chosen], truth[chosen] == column)
        return self.with_table(columns, weights, bias)

    def with_table(
        self,
        columns: CustomColumns | NDArray[np.uint64] | None,
        weights: NDArray[np.float64],
        bias: NDArray[np.float64],
    ) -> Self:
        """Take over weights (a row per feature, a column per language) and biases."""
        weights32, bias32 = np.ascontiguousarray(weights, np.float32), bias.astype(np.float32)
        if isinstance(columns, CustomColumns):
            self.table_ = columns.with_weights(weights32, bias32)
        else:
            self.table_ = LinearTable.of(self.features, self.scaling, columns, weights32, bias32)  # type: ignore[arg-type]
        self.notes_ = {}
        return self

    def scores(self, inputs: Any, threads: int = 1) -> Scores:
        """From bytes to scores in the compiled kernel."""
        return Scores(self.languages_, self.table_.scores(batch(inputs), threads))

    def plain_scores(self, row: bytes) -> list[float]:
        """The definition at the top of this module, for one URL."""
        return self.table_.plain_scores(row)

    def explain(self, row: bytes) -> list[Contribution]:
        """The features that spoke, largest first."""
        return self.table_.explain(row, self.languages_)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The weights and what they belong to."""
        if isinstance(self.table_, CustomColumns):
            return self.table_.state()
        table = self.table_
        return {"features": table.features, "scaling": table.scaling}, {
            "keys": table.keys,
            "weights": table.weights,
            "bias": table.bias,
        }

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the table again."""
        if arrays["weights"].shape[1:] != (len(self.languages_),) or len(arrays["bias"]) != len(self.languages_):
            raise ValueError(f"weights that are not for {len(self.languages_)} languages")
        if header["scaling"] not in SCALINGS or not isinstance(header["features"], str):
            raise ValueError(f"features '{header['features']}' scaled by '{header['scaling']}'")
        if CustomColumns.covers(header["features"]):
            self.table_ = CustomColumns.restored(header, arrays, self.languages_)
        else:
            self.table_ = LinearTable.of(
                header["features"], header["scaling"], arrays["keys"], arrays["weights"], arrays["bias"]
            )
        return self
