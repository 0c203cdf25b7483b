"""Train several algorithms on the same labelled URLs and see which is best on sites that none of them saw.

    python examples/train_and_compare.py LABELLED [ALGORITHM:FEATURES ...]

LABELLED is a CSV, TSV, JSONL or Parquet file with the columns `url` and `lang`.
"""

from __future__ import annotations

import sys

import numpy as np

from dragoman import ByteColumn
from dragoman.evaluate.judging import evaluate
from dragoman.evaluate.splits import held_out, sites_of
from dragoman.identifiers.algorithms import make_spec
from dragoman.identifiers.classifier import encode_labels
from dragoman.tables.labelled.reading import read_labelled

WORDS = ("naive-bayes:words", "relative-entropy:words", "logistic-regression:words")
SPECS = ("cctld-plus", *WORDS, "logistic-regression:trigrams")


def compare(file: str, specs: tuple[str, ...] = SPECS) -> dict[str, float]:
    """The mean F of each, one answer per URL."""
    labelled = read_labelled(file)
    urls = ByteColumn.of(labelled.urls)
    languages, truth = encode_labels(labelled.languages, len(urls))
    sites = sites_of(urls)
    unseen = held_out(sites, share=0.3)
    train, test = np.flatnonzero(~unseen), np.flatnonzero(unseen & (truth >= 0))
    found = {}
    for spec in specs:
        model = make_spec(spec).fit(urls.take(train), labelled.languages[train])
        scores = model.scores(urls.take(test)).restricted(languages)
        f = evaluate(scores, truth[test], sites[test], "best").macro_f
        print(f"{spec:26} F {f.value:.3f}  [{f.low:.3f}, {f.high:.3f}]")
        found[spec] = f.value
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    compare(sys.argv[1], tuple(sys.argv[2:]) or SPECS)
