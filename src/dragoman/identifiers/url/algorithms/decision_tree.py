"""Decision trees on the custom-made features: printable, prunable, one per language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError, need
from dragoman.identifiers.classifier import (
    Arrays,
    Classifier,
    Labels,
    balanced_rows,
    batch,
    encode_labels,
    rows_by_language,
)
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, SELECTION, CustomColumns
from dragoman.types import Scores

#: A tree as columns: a node tests feature <= threshold (left if so); feature -1 is a leaf; value is p(yes).
TREE_COLUMNS = {
    "left": np.int32,
    "right": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "value": np.float64,
}


class DecisionTree(Classifier):
    """A yes/no tree per language; the score is the share of yes at the leaf, less one half.

    Section 3.2 of the URL paper ("DT"): grown greedily, one test of one feature per node. The split criterion is
    Gini impurity (scikit-learn); the paper says "misclassification", which grows worse trees. `leaves` limits the
    size: 6 is small enough to read like the paper's Figure 1. Custom-made features only, as in the paper: on words
    the tree would be as long as the vocabulary. Cost: sorting each column once per level.
    """

    algorithm: ClassVar[str] = "decision-tree"

    def __init__(self, features: str = SELECTION, leaves: int = 200, smallest_leaf: int = 5, seed: int = 0) -> None:
        self.features = features
        self.leaves = leaves
        self.smallest_leaf = smallest_leaf
        self.seed = seed

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Learn the dictionaries, then grow a tree per language."""
        if not CustomColumns.covers(self.features):
            raise UsageError(f"A decision tree needs '{SELECTION}' or '{CUSTOM}' features, not '{self.features}'")
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls))
        columns, counts = CustomColumns.learnt(self.features, "counts", self.languages_, urls, truth)
        return self.fit_counts(counts, truth, columns)

    def fit_counts(self, counts: NDArray[np.float32], truth: NDArray[np.int64], columns: CustomColumns) -> Self:
        """Grow from counts already made; studies use it to count once for many algorithms."""
        tree = need("train", "sklearn.tree")
        self.columns_ = columns
        self.trees_: list[dict[str, NDArray[Any]]] = []
        groups = rows_by_language(truth, len(self.languages_))
        for column in range(len(self.languages_)):
            rows = balanced_rows(groups, column, np.random.default_rng([self.seed, column]))
            grown = tree.DecisionTreeClassifier(
                max_leaf_nodes=self.leaves,
                min_samples_leaf=min(self.smallest_leaf, max(1, len(rows) // 10)),
                random_state=0,
            ).fit(counts[rows], truth[rows] == column)
            self.trees_.append(_columns_of(grown))
        self.notes_ = {}
        return self

    def scores(self, inputs: Any) -> Scores:
        """All rows walk down each tree together, one level per step."""
        urls: ByteColumn = batch(inputs)
        counts, web = self.columns_.counts(urls)
        matrix = np.stack([tree["value"][walk(tree, counts)] - 0.5 for tree in self.trees_], axis=1)
        matrix[~web] = np.nan
        return Scores(self.languages_, matrix.astype(np.float32).reshape(len(urls), len(self.languages_)))

    def plain_scores(self, row: bytes) -> list[float]:
        """One URL walks down one node at a time."""
        if read_address(row).kind != "web":
            return [math.nan] * len(self.languages_)
        all_counts = self.columns_.dictionaries.plain_counts(row)
        counts = [all_counts[column] for column in self.columns_.columns]
        scores = []
        for tree in self.trees_:
            node = 0
            while (feature := int(tree["feature"][node])) >= 0:
                side = "left" if counts[feature] <= tree["threshold"][node] else "right"
                node = int(tree[side][node])
            scores.append(float(np.float32(tree["value"][node] - 0.5)))
        return scores

    def lines(self, language: str) -> Iterator[str]:
        """A language's tree as indented text: each test, then what follows if it holds."""
        tree = self.trees_[self.languages_.index(language)]

        def below(node: int, depth: int) -> Iterator[str]:
            pad = "  " * depth
            if tree["feature"][node] < 0:
                share = float(tree["value"][node])
                yield f"{pad}{'yes' if share > 0.5 else 'no'} ({share:.0%} are {language})"
                return
            test = f"{self.columns_.names[int(tree['feature'][node])]} > {tree['threshold'][node]:g}"
            yield f"{pad}if {test}:"
            yield from below(int(tree["right"][node]), depth + 1)
            yield f"{pad}else:"
            yield from below(int(tree["left"][node]), depth + 1)

        return below(0, 0)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The trees one behind the other, and the dictionaries."""
        header, arrays = self.columns_.state()
        arrays["nodes"] = np.array([len(tree["feature"]) for tree in self.trees_], np.int64)
        for name in TREE_COLUMNS:
            arrays[name] = np.concatenate([tree[name] for tree in self.trees_])
        return header, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The trees again."""
        self.columns_ = CustomColumns.restored(header, arrays, self.languages_)
        ends = np.cumsum(arrays["nodes"])
        if any(len(arrays[name]) != arrays["nodes"].sum() for name in TREE_COLUMNS):
            raise ValueError("more or fewer nodes than the trees have")
        self.trees_ = [
            {name: np.asarray(arrays[name][end - size : end], kind) for name, kind in TREE_COLUMNS.items()}
            for end, size in zip(ends, arrays["nodes"], strict=True)
        ]
        if len(self.trees_) != len(self.languages_) or not all(self._sound(tree) for tree in self.trees_):
            raise ValueError("trees whose branches lead nowhere")
        return self

    def _sound(self, tree: Mapping[str, NDArray[Any]]) -> bool:
        """True if every branch leads further down to a node that exists, so that every walk ends."""
        size = len(tree["feature"])
        inner = np.flatnonzero(tree["feature"] >= 0)
        down = [(tree[side][inner] > inner).all() and (tree[side][inner] < size).all() for side in ("left", "right")]
        known = (tree["feature"] < len(self.columns_.columns)).all()
        return bool(size and known and all(down))


def walk(tree: Mapping[str, NDArray[Any]], counts: NDArray[np.float32]) -> NDArray[np.int64]:
    """The leaf that each row of counts ends in."""
    node = np.zeros(len(counts), np.int64)
    while True:
        feature = tree["feature"][node]
        moving = np.flatnonzero(feature >= 0)
        if not len(moving):
            return node
        at = node[moving]
        left = counts[moving, feature[moving]] <= tree["threshold"][at]
        node[moving] = np.where(left, tree["left"][at], tree["right"][at])


def _columns_of(grown: Any) -> dict[str, NDArray[Any]]:
    """scikit-learn's tree as our columns."""
    inner = grown.tree_
    votes = inner.value[:, 0, :]
    yes = votes[:, list(grown.classes_).index(True)] / votes.sum(axis=1) if True in grown.classes_ else votes[:, 0] * 0
    columns = {
        "left": inner.children_left,
        "right": inner.children_right,
        "feature": np.where(inner.children_left < 0, -1, inner.feature),
        "threshold": inner.threshold,
        "value": yes,
    }
    return {name: np.asarray(columns[name], kind) for name, kind in TREE_COLUMNS.items()}
