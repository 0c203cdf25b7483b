"""A decision tree small enough to read, like the paper's Figure 1, and how many test URLs reach each node."""

from __future__ import annotations

import numpy as np

from dragoman.identifiers.url.algorithms.custom_columns import SELECTION, CustomColumns
from dragoman.identifiers.url.algorithms.decision_tree import DecisionTree, walk
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.training import Trainer

LEAVES = 6


def small_tree(trainer: Trainer, language: str = "de", test: str = "crawl") -> Arrays:
    """The tree's columns, its nodes' features, its text, and how many judged URLs (+, -) reach each node."""
    corpus = trainer.corpus
    column = corpus.languages.index(language)
    dictionaries, counts = trainer.custom
    columns = CustomColumns.over(SELECTION, "counts", dictionaries)
    model = DecisionTree(leaves=LEAVES)
    model.languages_ = corpus.languages
    model.fit_counts(counts[:, columns.columns], corpus.train.truth, columns)
    tree = model.trees_[column]
    urls = corpus.tests[test]
    part = urls.take(np.flatnonzero(urls.judge & (urls.truth >= 0)))
    leaves = walk(tree, columns.counts(part.urls)[0])
    size = len(tree["feature"])
    reached = np.stack([np.bincount(leaves[(part.truth == column) == side], minlength=size) for side in (True, False)])
    for node in range(size - 1, -1, -1):  # children come after their parent
        if tree["feature"][node] >= 0:
            reached[:, node] += reached[:, tree["left"][node]] + reached[:, tree["right"][node]]
    names = np.array([columns.names[int(f)] if f >= 0 else "" for f in tree["feature"]], np.str_)
    text = np.array("\n".join(model.lines(language)), np.str_)
    return dict(tree) | {"names": names, "positives": reached[0], "negatives": reached[1], "text": text}
