"""What each ingredient of the production recipe is worth: it is left out, and the tuning halves tell the difference.

    python benchmarks/url_model/ablation.py [--data DIR] [--texts FILE] [--only NAME ...] [--rows N] [--output DIR]

Ingredients: every kind of feature (left out of training and scoring, so that the others are scaled as if it did not
exist), every kind of made URL (the others stay as many), all made URLs, dropout, higher rates for codes, the balance of
languages and the cap of URLs per site. `--list` names them. Judged before rounding, on the tuning halves: this is for
choosing. A training takes a minute or two, all of them about half an hour; `--only` takes some, `--rows` fewer URLs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from page import as_json, save
from targets import MANY_ROWS, UNSEEN

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from make_model import CAP, LEAST, read_texts  # noqa: E402

from dragoman import measures  # noqa: E402
from dragoman.columns import ByteColumn  # noqa: E402
from dragoman.evaluate.corpus import Corpus, UrlSet, load_corpus  # noqa: E402
from dragoman.identifiers.url import augmentation  # noqa: E402
from dragoman.identifiers.url.algorithms import production  # noqa: E402
from dragoman.identifiers.url.features import feature_set  # noqa: E402
from dragoman.identifiers.url.production_features import KINDS  # noqa: E402
from dragoman.languages import FIVE  # noqa: E402
from dragoman.report.tables import Column, Table  # noqa: E402
from dragoman.tables.labelled.reading import read_labelled  # noqa: E402

SHARED = ROOT.parent / "shared" / "data"
#: The lowest bits of a key say which kind of feature it is: the position in KINDS.
MASK = 15
ALL = "everything"
NO_CAP = 1_000_000

Ints = NDArray[np.int64]
Keys = tuple[Ints, NDArray[np.uint64]]


@dataclass(frozen=True)
class Variant:
    """The recipe without something."""

    name: str
    feature: int | None = None
    made: str | None = None
    rates: bool = True
    cap: int = CAP
    params: tuple[tuple[str, Any], ...] = ()


def variants() -> list[Variant]:
    """Everything, then everything less one ingredient each."""
    return [
        Variant(ALL),
        *(Variant(f"feature {name}", feature=kind) for kind, name in enumerate(KINDS)),
        *(Variant(f"made {name}", made=name) for name in augmentation.KINDS),
        Variant("all made URLs", params=(("made", 0.0),)),
        Variant("dropout", params=(("dropout", 0.0),)),
        Variant("higher rates", rates=False),
        Variant("balance of languages", params=(("balance", 0.0),)),
        Variant("cap per site", cap=NO_CAP),
    ]


def keys_without(urls: ByteColumn, feature: int | None) -> Keys:
    """(indptr, keys) of the production features, less those of a kind."""
    indptr, keys, *_ = feature_set("production").keys(urls)
    if feature is None:
        return indptr, keys
    stays = (keys & np.uint64(MASK)) != np.uint64(feature)
    before = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])
    return before[indptr], keys[stays]


@contextmanager
def left_out(variant: Variant) -> Iterator[None]:
    """The recipe's tables without the variant's kind of made URL, or without higher rates."""
    shares, rates = dict(augmentation.KINDS), dict(production.RATES)
    if variant.made:
        augmentation.KINDS[variant.made] = 0.0
    if not variant.rates:
        production.RATES.clear()
    try:
        yield
    finally:
        augmentation.KINDS.update(shares)
        production.RATES.update(rates)


class Bench:
    """Trains variants over one corpus; the made URLs are made once for all variants that leave them alone."""

    def __init__(self, corpus: Corpus, texts: Mapping[str, list[str]]) -> None:
        self.corpus = corpus
        self.texts = texts
        self._made: tuple[ByteColumn, Ints] | None = None

    def train(self, variant: Variant) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(weights, bias): before rounding."""
        model = production.Production(**dict(variant.params))
        model.languages_ = self.corpus.languages
        train = self.corpus.train
        with left_out(variant):
            more, of = self._augment(model, variant)
            indptr, keys = keys_without(ByteColumn.joined([train.urls, more]), variant.feature)
            return model._descend(indptr, keys, train.truth, of, model.seed, model.rate, model.epochs)

    def _augment(self, model: production.Production, variant: Variant) -> tuple[ByteColumn, Ints]:
        usual = variant.made is None and "made" not in dict(variant.params)
        if usual and self._made is not None:
            return self._made
        train, number = self.corpus.train, round(model.made * len(self.corpus.train))
        made = augmentation.augment(train.urls, train.truth, self.corpus.languages, number, self.texts, model.seed)
        if usual:
            self._made = made
        return made


def scores(weights: Any, bias: Any, test: UrlSet, feature: int | None) -> Any:
    """sum of the weights / sqrt(number of features) + bias, as the module of the recipe defines it."""
    from scipy.sparse import csr_matrix

    indptr, keys = keys_without(test.urls, feature)
    ones = np.ones(len(keys), np.float32)
    counts = csr_matrix((ones, production.buckets(keys), indptr), shape=(len(test), len(weights)))
    return counts @ weights / np.sqrt(np.maximum(1, np.diff(indptr)))[:, None] + bias


def figures(bench: Bench, variant: Variant) -> dict[str, float]:
    """Macro F on the tuning halves: of the five by set, of many languages as the mean of the sets."""
    weights, bias = bench.train(variant)
    languages = bench.corpus.languages
    five = [languages.index(tag) for tag in FIVE]
    place = np.array([*(FIVE.index(tag) if tag in FIVE else -1 for tag in languages), -1])
    found: dict[str, float] = {}
    many: dict[str, float] = {}
    for name, test in bench.corpus.tests.items():
        tune = test.take(np.flatnonzero(~test.judge))
        matrix = scores(weights, bias, tune, variant.feature)
        truth, said = place[tune.truth], measures.one_hot(matrix[:, five].argmax(axis=1), len(FIVE))
        closed = truth >= 0
        found[name] = measures.macro_f(truth[closed], said[closed])
        if name == "crawl":
            unseen = closed & tune.unseen
            found[UNSEEN] = measures.macro_f(truth[unseen], said[unseen])
        enough = np.flatnonzero(np.bincount(test.truth[test.truth >= 0], minlength=len(languages)) >= MANY_ROWS)
        best = matrix.argmax(axis=1)
        judged = [measures.judge(tune.truth == column, best == column) for column in enough]
        many[f"many, {name}"] = float(np.mean([one.f for one in judged if one.positives]))
    return found | many


def table(results: Mapping[str, Mapping[str, float]]) -> Table:
    """F of everything, and what leaving each ingredient out changes, in points."""
    whole = results[ALL]
    rows: list[tuple[Any, ...]] = [(ALL, *(f"{100 * value:.2f}" for value in whole.values()))]
    rows += [
        (f"without {name}", *(f"{100 * (one[key] - value):+.2f}" for key, value in whole.items()))
        for name, one in results.items()
        if name != ALL
    ]
    columns = [Column("recipe", "text"), *(Column(name, "text") for name in whole)]
    note = "Macro balanced F in percent: the five languages, and many (those with 50 rows or more in the set)."
    return Table("Left out one at a time, tuning halves", columns, rows, note)


def load(folder: Path, languages: list[str], cap: int, rows: int | None) -> Corpus:
    """The corpus; with `rows` about so many training URLs, whole sites left out."""
    corpus = load_corpus(folder, languages, cap=cap)
    if not rows or rows >= len(corpus.train):
        return corpus
    _, site = np.unique(corpus.train.sites, return_inverse=True)
    drawn = np.random.default_rng(1).random(int(site.max()) + 1)[site] < rows / len(corpus.train)
    return Corpus(corpus.languages, corpus.train.take(np.flatnonzero(drawn)), corpus.tests, corpus.digests)


def main() -> int:
    """Train all variants, print what each costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "urls")
    parser.add_argument("--texts", type=Path, default=SHARED / "text" / "sentences.parquet")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this ingredient; may be repeated")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    parser.add_argument("--list", action="store_true", help="the names of the ingredients")
    arguments = parser.parse_args()
    chosen = [one for one in variants() if not arguments.only or one.name in (ALL, *arguments.only)]
    if arguments.list or len(chosen) <= len(set(arguments.only)):
        print("\n".join(one.name for one in variants()))
        return 0 if arguments.list else 2
    if not (arguments.data / "train.parquet").exists():
        print("ablation: skipped, there are no labelled URLs beside the repository (give some with --data)")
        return 0
    counts = Counter(read_labelled(arguments.data / "train.parquet").languages.tolist())
    languages = sorted(tag for tag, n in counts.items() if tag is not None and n >= LEAST)
    texts = read_texts(arguments.texts)
    usual = Bench(load(arguments.data, languages, CAP, arguments.rows), texts)
    results: dict[str, dict[str, float]] = {}
    for variant in chosen:
        started = time.monotonic()
        bench = usual
        if variant.cap != CAP:
            bench = Bench(load(arguments.data, languages, variant.cap, arguments.rows), texts)
        results[variant.name] = figures(bench, variant)
        shown = " ".join(f"{value:.4f}" for value in results[variant.name].values())
        print(f"{variant.name}: {time.monotonic() - started:.0f} s: {shown}", file=sys.stderr)
    print(table(results).to_text())
    if not arguments.only and not arguments.rows:
        write(arguments.output, results, usual.corpus.digests)
    return 0


def write(folder: Path, results: Mapping[str, Mapping[str, float]], digests: Mapping[str, str]) -> None:
    """ablation.json and ablation.md; a partial or smaller run writes nothing."""
    about = "\n\n".join(__doc__.strip().split("\n\n")[2:])
    files = {
        "ablation.json": as_json({"data": digests, "results": results}),
        "ablation.md": f"# What each ingredient is worth\n\n{about}\n\n{table(results).to_markdown()}\n".encode(),
    }
    save(folder, files)


if __name__ == "__main__":
    sys.exit(main())
