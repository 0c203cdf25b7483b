"""Greedy forward selection of custom-made features for the decision tree (section 3.1)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dragoman import measures
from dragoman.errors import need
from dragoman.identifiers.classifier import balanced_rows, rows_by_language
from dragoman.identifiers.url.custom_features import feature_names
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.training import Trainer


def greedy_selection(trainer: Trainer) -> Arrays:
    """language, feature and F of every step: at each, the feature that helps the tree's F most is added.

    F is the mean over the tuning halves of all test sets. A tree is grown for every feature not chosen yet, so a
    language costs 74 trees per step; they are grown on a sample of balanced rows, which moves F little at this depth. A
    language stops early where no feature helps any more.
    """
    tree = need("train", "sklearn.tree")
    corpus, plan = trainer.corpus, trainer.plan
    train = corpus.train
    dictionaries, held_out = trainer.custom
    names = feature_names(corpus.languages)
    rng = np.random.default_rng(0)
    tests = []
    for test in corpus.tests.values():
        rows = np.flatnonzero(~test.judge & (test.truth >= 0))
        part = test.take(rows)
        tests.append((dictionaries.counts(part.urls)[0], part.truth))
    all_counts = np.concatenate([counts for counts, _ in tests])
    ends = np.cumsum([0, *(len(truth) for _, truth in tests)])
    steps: list[tuple[str, str, float]] = []
    groups = rows_by_language(train.truth, len(corpus.languages))
    for column, language in enumerate(corpus.languages):
        rows = balanced_rows(groups, column, rng)
        rows = np.sort(rng.choice(rows, min(plan.greedy_rows, len(rows)), replace=False))
        counts, answer = held_out[rows], train.truth[rows] == column
        chosen: list[int] = []
        best = 0.0
        for _ in range(plan.greedy_steps):
            added = -1
            for feature in range(len(names)):
                if feature in chosen:
                    continue
                columns = [*chosen, feature]
                grown = tree.DecisionTreeClassifier(max_leaf_nodes=50, min_samples_leaf=5, random_state=0)
                answers = grown.fit(counts[:, columns], answer).predict(all_counts[:, columns]).astype(bool)
                fs = [
                    measures.judge(truth == column, answers[start:end]).f
                    for (_, truth), (start, end) in zip(tests, pairwise(ends), strict=True)
                    if np.any(truth == column)
                ]
                if (f := float(np.mean(fs))) > best + 1e-9:
                    added, best = feature, f
            if added < 0:
                break
            chosen.append(added)
            steps.append((language, names[added], best))
    return {
        "language": np.array([language for language, _, _ in steps], np.str_),
        "feature": np.array([feature for _, feature, _ in steps], np.str_),
        "f": np.array([f for _, _, f in steps]),
    }
