"""One cell becomes scores: the classifier is trained on its share of the URLs and scores every test URL."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import Corpus, UrlSet
from dragoman.identifiers.algorithms import make
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.algorithms.cctld import CountryCode
from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, CustomColumns
from dragoman.identifiers.url.algorithms.decision_tree import DecisionTree
from dragoman.identifiers.url.algorithms.linear import LinearClassifier
from dragoman.identifiers.url.custom_features import Dictionaries
from dragoman.identifiers.url.dictionaries import held_out_counts, learn_dictionaries
from dragoman.identifiers.url.features import Vocabulary, feature_set
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.plan import UrlCell, UrlPlan

Ints = NDArray[np.int64]
CustomCounts = tuple[Dictionaries, NDArray[np.float32]]

#: Pieces of text that stand in for a page's content.
TEXTS_PER_URL = 10


class Trainer:
    """Trains cells over one corpus; counts of a feature set are made once and kept while its cells follow."""

    def __init__(self, corpus: Corpus, plan: UrlPlan, texts: dict[str, list[str]]) -> None:
        self.corpus = corpus
        self.plan = plan
        self.texts = texts
        self._counted: tuple[str, Any, Any] | None = None

    def run(self, cell: UrlCell) -> Arrays:
        """Scores of every test set, by its name, and how long the training took."""
        started = time.perf_counter()
        model = self.train(cell)
        seconds = time.perf_counter() - started
        # A classifier that learns by `fit` has its languages in its own order.
        scores: Arrays = {
            name: model.scores(test.urls).restricted(self.corpus.languages).matrix
            for name, test in self.corpus.tests.items()
        }
        return scores | {"seconds": np.array(seconds)}

    def rows(self, cell: UrlCell) -> Ints:
        """The training rows of a cell's share."""
        return sampled_rows(len(self.corpus.train), cell.share, cell.seed)

    def train(self, cell: UrlCell) -> Classifier:
        """The cell's classifier."""
        if cell.features == "tld":
            rule = make(cell.algorithm)
            return rule.of(self.corpus.languages) if isinstance(rule, CountryCode) else rule
        params: dict[str, Any] = {"features": cell.features, "seed": cell.seed} | dict(cell.params)
        if cell.algorithm == "relative-entropy" and CustomColumns.covers(cell.features):
            params["binary"] = True  # as the paper's: misses and false alarms differ there (65 and 1,398 on the crawl)
        model = make(cell.algorithm, **params)
        model.languages_ = self.corpus.languages
        if cell.content:
            return self._train_content(model, cell)
        rows = self.rows(cell)
        if not isinstance(model, LinearClassifier | DecisionTree):
            train = self.corpus.train.take(rows)
            return model.fit(train.urls, np.array(self.corpus.languages, object)[train.truth])
        truth = self.corpus.train.truth[rows]
        if CustomColumns.covers(cell.features):
            counts, columns = self._custom(cell, rows)
            return model.fit_counts(counts, truth, columns)
        counts, keys = self._counts(cell.features)
        return model.fit_counts(*restricted(counts[rows], truth, keys))  # type: ignore[arg-type]

    def _counts(self, features: str) -> tuple[Any, Any]:
        if self._counted is None or self._counted[0] != features:
            self._counted = None
            vocabulary = Vocabulary.empty(feature_set(features))
            self._counted = (features, vocabulary.learn(self.corpus.train.urls), vocabulary.keys())
        return self._counted[1], self._counted[2]

    def _custom(self, cell: UrlCell, rows: Ints) -> tuple[Any, CustomColumns]:
        """Custom-made features of the rows, their trained dictionary learnt from these rows alone, the other half."""
        name = f"{CUSTOM}@{cell.share:g}@{cell.seed}"
        if cell.share < 1.0 and (self._counted is None or self._counted[0] != name):
            self._counted = (name, *custom_counts(replace(self.corpus, train=self.corpus.train.take(rows))))
        dictionaries, all_counts = self.custom if cell.share >= 1.0 or self._counted is None else self._counted[1:]
        scaling = "counts" if cell.algorithm == "decision-tree" else getattr(make(cell.algorithm), "scaling", "counts")
        columns = CustomColumns.over(cell.features, scaling, dictionaries)
        counts = np.ascontiguousarray(all_counts[:, columns.columns])
        if cell.algorithm == "decision-tree":
            return counts, columns
        from scipy.sparse import csr_matrix

        return csr_matrix(counts), columns

    @cached_property
    def custom(self) -> CustomCounts:
        """The dictionaries of all training URLs, and their custom-made features."""
        return custom_counts(self.corpus)

    def _train_content(self, model: Classifier, cell: UrlCell) -> Classifier:
        """Train on an even sample of URLs, with pieces of text of their language behind them or without."""
        train = self.content_sample()
        urls = self.with_text(train) if cell.content == "content" else train.urls
        return model.fit(urls, np.array(self.corpus.languages, object)[train.truth])

    def content_sample(self) -> UrlSet:
        """Equally many URLs of each language."""
        truth = self.corpus.train.truth
        share = min(self.plan.content_rows // len(self.corpus.languages), int(np.bincount(truth).min()))
        rng = np.random.default_rng(0)
        chosen = [
            rng.choice(np.flatnonzero(truth == n), share, replace=False) for n in range(len(self.corpus.languages))
        ]
        return self.corpus.train.take(np.sort(np.concatenate(chosen)))

    def with_text(self, train: UrlSet) -> ByteColumn:
        """Each URL with text behind a slash: its words are then words of the path."""
        rng = np.random.default_rng(1)
        rows = []
        for url, column in zip(train.urls, train.truth.tolist(), strict=True):
            texts = self.texts[self.corpus.languages[column]]
            chosen = rng.integers(0, len(texts), TEXTS_PER_URL)
            rows.append(url + b"/ " + " ".join(texts[i] for i in chosen).encode())
        return ByteColumn.from_rows(rows)


def custom_counts(corpus: Corpus) -> CustomCounts:
    """The dictionaries of a corpus, and the custom-made features of its training URLs, each half's by the other's."""
    train = corpus.train
    dictionaries = learn_dictionaries(corpus.languages, train.urls, train.truth)
    return dictionaries, held_out_counts(corpus.languages, train.urls, train.truth)


def sampled_rows(n: int, share: float, seed: int) -> Ints:
    """A share of n rows, drawn with the seed: the same for every classifier."""
    if share >= 1.0:
        return np.arange(n)
    rng = np.random.default_rng([seed, round(1e6 * share)])
    return np.sort(rng.choice(n, max(int(n * share), 1), replace=False))


def restricted(counts: Any, truth: Ints, keys: NDArray[np.uint64]) -> tuple[Any, Ints, NDArray[np.uint64]]:
    """The counts without columns that these rows never use, as if the vocabulary had been learnt from them."""
    from scipy.sparse import csr_matrix

    used = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
    if len(used) == counts.shape[1]:
        return counts, truth, keys
    number = np.full(counts.shape[1], -1, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    shape = (counts.shape[0], len(used))
    return csr_matrix((counts.data, number[counts.indices], counts.indptr), shape=shape), truth, keys[used]
