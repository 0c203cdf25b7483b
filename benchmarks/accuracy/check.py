"""Quality is a test: F of each classifier, test set and language must not fall below its floor.

    python benchmarks/accuracy/check.py [--data DIR] [--update]

Trains the classifiers of the URL paper on train.parquet and judges them on the judge halves of dev_*.parquet (five
languages, one yes or no per language); the model that ships is judged with one answer per URL, among the five and among
all its languages, and on ordinary URLs by kind (dev_sense). `--update` raises floors to what was reached, less a
margin, and refuses to lower any. Floors belong to the data they were measured on: another digest is said and not
compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "url_model"))

from sense import judge_sense

from dragoman import measures
from dragoman.evaluate.corpus import Corpus, load_corpus
from dragoman.identifiers.algorithms import make_spec
from dragoman.identifiers.models import open_model
from dragoman.languages import FIVE

FLOORS = Path(__file__).with_name("floors.json")
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "urls"
SPECS = (
    "cctld-plus",
    "naive-bayes:words",
    "relative-entropy:words",
    "max-entropy:words",
    "logistic-regression:words",
    "logistic-regression:trigrams",
)
#: Floors lie this far below what was reached: compilers and library versions move the last digits.
MARGIN = 0.002


def shipped(corpus: Corpus) -> dict[str, float]:
    """F of the model that ships, one answer per URL: among the five languages, and the accuracy among all it has."""
    model = open_model("default")
    found: dict[str, float] = {}
    for name, test in corpus.tests.items():
        rows = np.flatnonzero(test.judge & (test.truth >= 0))
        scores = model.scores(test.urls.take(rows))
        closed = measures.one_hot(scores.restricted(FIVE).best, len(FIVE))
        judged = measures.judge_all(test.truth[rows], closed)
        for language, one in zip(FIVE, judged, strict=True):
            found[f"default/{name}/{language}"] = one.f
        found[f"default/{name}/macro"] = float(np.mean([one.f for one in judged]))
        unseen = test.unseen[rows]
        found[f"default/{name}, unseen sites/macro"] = measures.macro_f(test.truth[rows][unseen], closed[unseen])
        right = np.array(scores.languages)[scores.best] == np.array(FIVE)[test.truth[rows]]
        found[f"default/{name}, all languages open/accuracy"] = float((right & (scores.best >= 0)).mean())
    return found


def ordinary(folder: Path) -> dict[str, float]:
    """The share of ordinary URLs that the model that ships gets right, by kind."""
    path = folder / "dev_sense.parquet"
    shares = judge_sense(open_model("default"), path, "judge") if path.exists() else {}
    return {f"default/ordinary URLs/{kind}": share.right for kind, share in shares.items()}


def measure(folder: Path) -> tuple[dict[str, str], dict[str, float]]:
    """(digests, F by `model/set/language`; the mean of the languages is `macro`)."""
    corpus = load_corpus(folder, FIVE)
    labels = np.array(FIVE, object)[corpus.train.truth]
    found = shipped(corpus) | ordinary(folder)
    for spec in SPECS:
        model = make_spec(spec).fit(corpus.train.urls, labels)
        for name, test in corpus.tests.items():
            rows = np.flatnonzero(test.judge & (test.truth >= 0))
            # `fit` orders languages by the alphabet; the truth is in the corpus's order.
            scores = model.scores(test.urls.take(rows)).restricted(corpus.languages)
            judged = measures.judge_all(test.truth[rows], scores.yes)
            for language, one in zip(FIVE, judged, strict=True):
                found[f"{spec}/{name}/{language}"] = one.f
            found[f"{spec}/{name}/macro"] = float(np.mean([one.f for one in judged]))
    return corpus.digests, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print("accuracy: skipped, there are no labelled URLs beside the repository (give some with --data)")
        return 0
    kept = json.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.exists() else {"digests": {}, "floors": {}}
    digests, found = measure(arguments.data)
    if kept["digests"] and kept["digests"] != digests and not arguments.update:
        print("accuracy: skipped, the data is not that of the floors (other digests)")
        return 0
    low = {name: value for name, value in found.items() if value < kept["floors"].get(name, 0.0)}
    for name, value in found.items():
        if name.endswith(("macro", "accuracy")) or "/ordinary" in name or name in low:
            sign = "BELOW" if name in low else "ok"
            print(f"{name:45} {value:.4f}  floor {kept['floors'].get(name, float('nan')):.4f}  {sign}")
    if low:
        print(f"accuracy: {len(low)} of {len(found)} figures are below their floor")
        return 1
    if arguments.update:
        floors = {name: max(round(value - MARGIN, 4), kept["floors"].get(name, 0.0)) for name, value in found.items()}
        FLOORS.write_text(json.dumps({"digests": digests, "floors": floors}, indent=1) + "\n", encoding="utf-8")
    print(f"accuracy: {len(found)} figures at or above their floor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
