"""k nearest neighbours: the languages of the most similar training URLs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError, need
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch, encode_labels
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.features import Vocabulary, feature_set
from dragoman.types import Scores


class NearestNeighbours(Classifier):
    """The share of each language among the k training URLs with the highest cosine, less one half.

    The URL paper tried it and dropped it (section 3.2); it is here as a baseline. Equal cosines go to the earlier
    training URL; neighbours that share no feature do not vote. It keeps at most `kept` URLs, evenly by language,
    because its cost per URL grows with them: 20,000 make it some thousand times slower than a linear model.
    """

    algorithm: ClassVar[str] = "nearest"

    def __init__(self, features: str = "words", k: int = 5, kept: int = 20000, seed: int = 0) -> None:
        self.features = features
        self.k = k
        self.kept = kept
        self.seed = seed

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Keep an even sample."""
        if self.k < 1 or self.kept < 1:
            raise UsageError(f"k and kept must be 1 or more, not {self.k} and {self.kept}")
        features = feature_set(self.features)
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls))
        rng = np.random.default_rng(self.seed)
        share = max(1, self.kept // len(self.languages_))
        rows = [np.flatnonzero(truth == column) for column in range(len(self.languages_))]
        chosen = np.sort(np.concatenate([r if len(r) <= share else rng.choice(r, share, replace=False) for r in rows]))
        vocabulary = Vocabulary.empty(features)
        self._keep(vocabulary, vocabulary.learn(urls.take(chosen)), truth[chosen])
        self.notes_ = {}
        return self

    def _keep(self, vocabulary: Vocabulary, counts: Any, truth: NDArray[np.int64]) -> None:
        self.vocabulary_, self.counts_, self.truth_ = vocabulary, counts, truth
        self.squares_ = np.asarray(counts.multiply(counts).sum(axis=1), np.float64).ravel()
        self.by_feature_ = counts.T.tocsr().astype(np.float64)
        self.number_of_ = {int(key): number for number, key in enumerate(vocabulary.keys())}

    def scores(self, inputs: Any, rows: int = 256) -> Scores:
        """Votes of the nearest, some rows at a time so that the table of cosines stays small."""
        urls: ByteColumn = batch(inputs)
        out = np.full((len(urls), len(self.languages_)), np.nan, np.float32)
        votes_of = np.eye(len(self.languages_))[self.truth_]
        for start in range(0, len(urls), rows):
            part = urls.slice(start, min(start + rows, len(urls)))
            kinds = feature_set(self.features).keys(part)[2]
            counts = self.vocabulary_.counts(part).astype(np.float64)
            dots = np.asarray(counts.dot(self.by_feature_).todense())
            own = np.asarray(counts.multiply(counts).sum(axis=1)).ravel()
            cosines = dots / np.sqrt(np.maximum(own[:, None] * self.squares_[None, :], 1.0))
            order = np.argsort(-cosines, axis=1, kind="stable")[:, : self.k]
            voting = np.take_along_axis(cosines, order, axis=1) > 0
            votes = (votes_of[order] * voting[:, :, None]).sum(axis=1)
            shares = votes / np.maximum(voting.sum(axis=1), 1)[:, None] - 0.5
            out[start : start + len(part)] = np.where((kinds == 0)[:, None], shares, np.nan)
        return Scores(self.languages_, out)

    def plain_scores(self, row: bytes) -> list[float]:
        """One URL against every kept one."""
        if read_address(row).kind != "web":
            return [math.nan] * len(self.languages_)
        counts = Counter(
            self.number_of_[key] for key in feature_set(self.features).plain_keys(row) if key in self.number_of_
        )
        own = float(sum(count * count for count in counts.values()))
        cosines = []
        for neighbour in range(self.counts_.shape[0]):
            part = slice(self.counts_.indptr[neighbour], self.counts_.indptr[neighbour + 1])
            pairs = zip(self.counts_.indices[part].tolist(), self.counts_.data[part].tolist(), strict=True)
            dot = sum(count * counts[feature] for feature, count in pairs)
            cosines.append(dot / math.sqrt(max(own * float(self.squares_[neighbour]), 1.0)))
        order = sorted(range(len(cosines)), key=lambda neighbour: -cosines[neighbour])[: self.k]
        nearest = [neighbour for neighbour in order if cosines[neighbour] > 0]
        votes = Counter(int(self.truth_[neighbour]) for neighbour in nearest)
        voters = max(len(nearest), 1)
        return [float(np.float32(votes[column] / voters - 0.5)) for column in range(len(self.languages_))]

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The kept URLs as counts."""
        return {"features": self.features}, {
            "keys": self.vocabulary_.keys(),
            "indptr": self.counts_.indptr.astype(np.int64),
            "indices": self.counts_.indices.astype(np.int32),
            "counts": self.counts_.data.astype(np.float32),
            "truth": self.truth_,
        }

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The kept URLs again."""
        sparse = need("train", "scipy.sparse")
        vocabulary = Vocabulary.of(feature_set(header["features"]), arrays["keys"])
        shape = (len(arrays["truth"]), len(arrays["keys"]))
        counts = sparse.csr_matrix((arrays["counts"], arrays["indices"], arrays["indptr"]), shape=shape)
        counts.check_format(full_check=True)  # indices from a file: scipy itself would read behind the end
        truth = np.asarray(arrays["truth"], np.int64)
        if vocabulary.size != len(arrays["keys"]):
            raise ValueError("a key that comes twice")
        if not len(truth) or truth.min() < 0 or truth.max() >= len(self.languages_):
            raise ValueError("labels that are none of the languages")
        self._keep(vocabulary, counts, truth)
        return self
