"""Prints the figures of docs/decisions 0003 (even negatives) and 0005 (one thread for the solver) again.

    python benchmarks/decisions.py [--data DIR]

0003 is measured on the tuning halves, because a choice was made by it. 0005 is a time on a machine that other work may
share: trust the ratio.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from dragoman import measures
from dragoman.evaluate.corpus import Corpus, load_corpus
from dragoman.identifiers.classifier import balanced_rows, rows_by_language
from dragoman.identifiers.url.algorithms.linear import log_ratios, scaled
from dragoman.identifiers.url.features import Vocabulary, feature_set
from dragoman.languages import FIVE

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "urls"
Groups = list[NDArray[np.int64]]
Draw = Callable[[Groups, int, np.random.Generator], NDArray[np.int64]]
#: URLs with which the solver is timed.
TIMED = 22_000


def at_random(groups: Groups, column: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """As many negatives as positives, drawn from all other rows alike."""
    positive = groups[column]
    negative = np.concatenate([rows for other, rows in enumerate(groups) if other != column])
    size = min(len(positive), len(negative))
    return np.concatenate([rng.choice(side, size, replace=False) for side in (positive, negative)])


def even_negatives(corpus: Corpus) -> None:
    """0003: mean F on words by how negatives are drawn."""
    vocabulary = Vocabulary.empty(feature_set("words"))
    counts = vocabulary.learn(corpus.train.urls)
    groups = rows_by_language(corpus.train.truth, len(FIVE))
    draws: dict[str, Draw] = {"at random": at_random, "evenly": balanced_rows}
    for name, scaling, smoothing in (("naive Bayes", "counts", 0.1), ("relative entropy", "shares", 0.03)):
        rows = scaled(counts, scaling)
        for how, draw in draws.items():
            weights = np.zeros((counts.shape[1], len(FIVE)))
            for column in range(len(FIVE)):
                chosen = draw(groups, column, np.random.default_rng([0, column]))
                weights[:, column] = log_ratios(rows[chosen], corpus.train.truth[chosen] == column, smoothing)
            found = []
            for test in corpus.tests.values():
                part = test.take(np.flatnonzero(~test.judge & (test.truth >= 0)))
                said = vocabulary.counts(part.urls) @ weights > 0  # the scale does not change the sign
                found.append(f"{test.name} {measures.macro_f(part.truth, said):.3f}")
            print(f"0003 {name:17} {how:10} {', '.join(found)}")


def solver_threads(corpus: Corpus) -> None:
    """0005: seconds for one solver run per language, with and without threads."""
    chosen = np.sort(np.random.default_rng(0).choice(len(corpus.train), TIMED, replace=False))
    train = corpus.train.take(chosen)
    groups = rows_by_language(train.truth, len(FIVE))
    for features in ("words", "trigrams"):
        rows = scaled(Vocabulary.empty(feature_set(features)).learn(train.urls), "roots").astype(np.float64)
        samples = [balanced_rows(groups, column, np.random.default_rng(column)) for column in range(len(FIVE))]

        def solve(rows: Any = rows, samples: Groups = samples) -> float:
            started = time.perf_counter()
            for column, sample in enumerate(samples):
                LogisticRegression(C=10, max_iter=100, tol=1e-4).fit(rows[sample], train.truth[sample] == column)
            return time.perf_counter() - started

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            free = solve()
            with threadpool_limits(limits=1):
                alone = solve()
        print(f"0005 {features:9} threads as BLAS likes {free:.1f} s, one thread {alone:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print("skipped: there are no labelled URLs beside the repository (give some with --data)")
        return 0
    corpus = load_corpus(arguments.data, FIVE)
    even_negatives(corpus)
    solver_threads(corpus)
    return 0


if __name__ == "__main__":
    sys.exit(main())
