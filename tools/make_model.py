"""Trains the model that ships, from labelled URLs, texts and words, and writes it where the package keeps it.

    python tools/make_model.py [--urls DIR] [--texts DIR] [--interfaces DIR] [--runs N] [-o FILE]

Real URLs come from train.parquet and train2.parquet, words and phrases from sentences.parquet, sentences2.parquet and
words2.parquet, messages of interfaces from packages that are fetched once (url_material/interfaces.tsv; pip and npm).
How sharp probabilities are, the thresholds and the curves of precision and recall come from the tuning
halves of dev_*.parquet; the figures in the model's notes are from the judge halves.
The same data and seed give the same bytes. Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from context_calibration import refined_sharpness
from operating_curves import measure
from url_material import texts
from url_material.gathering import Gathered, gather
from url_material.web_sizes import web_sizes

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import Corpus, UrlSet, load_corpus
from dragoman.evaluate.judging import evaluate
from dragoman.identifiers import model_file as store
from dragoman.identifiers.quality import by_language
from dragoman.identifiers.url.parts.classifier import WeighedParts
from dragoman.languages import FIVE
from dragoman.types import Scores

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
INTERFACES = ROOT / "build" / "interfaces"
#: Runs differ by chance; their mean is steadier.
RUNS, PASSES = 4, 3
#: How far URLs lean to the large languages of the web, and from how many thousand pages on one of words is large.
PRIOR, LARGE = 0.3, 100_000
#: How far two words and more under generic domains lean to them.
PRIOR_ON_GENERIC = 0.35
#: How far home pages of generic domains lean to the languages of our lists, and what each has beforehand.
PRIOR_AT_HOME, LEAST = 0.4, 30
LICENCE = "Apache-2.0, as Dragoman; what it was learnt from keeps its own licences (see provenance)"
PROVENANCE = (
    "Learnt from URLs with language labels gathered from public lists, registers, news collections and blog rolls, and "
    "from words and sentences: Tatoeba (CC BY 2.0 FR), the Universal Declaration of Human Rights, Debian package "
    "descriptions, messages of MediaWiki and Firefox, Common Voice, NLLB-Seed, TICO-19, Universal Dependencies and "
    "others, lists of frequent words, names of cities (GeoNames, CC BY 4.0), and messages of free software that sites "
    "are run with (BSD, MIT, Apache, ISC, ZPL, GPL and AGPL; tools/url_material/interfaces.tsv lists them). The file "
    "holds hashed weights only."
)


@dataclass(frozen=True, eq=False)
class TuningRows:
    """The tuning halves of all test sets: URLs, their languages, what else is accepted, and which set each is of."""

    urls: ByteColumn
    labels: list[str | None]
    accepted: list[set[str | None]]
    sets: np.ndarray


def tuning_rows(folder: Path) -> TuningRows:
    """Read them."""
    urls, labels, accepted, sets = [], [], [], []
    for path in sorted(folder.glob("dev_*.parquet")):
        for row in parquet.read_table(path).to_pylist():
            if row["half"] == "tune":
                urls.append(row["url"])
                labels.append(texts.language_of(row["lang"]))
                accepted.append({texts.language_of(tag) for tag in row.get("accept", row["lang"]).split(",")})
                sets.append(path.stem)
    return TuningRows(ByteColumn.of(urls), labels, accepted, np.array(sets))


def lean(model: WeighedParts, rows: dict[str, int]) -> None:
    """Let the model lean to large languages as far as the web does."""
    at_home = np.array([rows.get(tag, 0) + LEAST for tag in model.languages_], np.float64) ** PRIOR_AT_HOME
    sizes = web_sizes(model.languages_)
    model.lean(sizes**PRIOR, LARGE**PRIOR, sizes**PRIOR_ON_GENERIC, at_home)


def calibrate(model: WeighedParts, tuning: TuningRows) -> None:
    """Choose how sharp the probabilities of each context are, by the log loss and then by the worst set."""
    number = {tag: place for place, tag in enumerate(model.languages_)}
    model.calibrate(tuning.urls, np.array([number.get(tag or "", -1) for tag in tuning.labels], np.int64))
    scores, contexts = model.scores_and_contexts(tuning.urls)
    best = [model.languages_[column] if column >= 0 else "" for column in scores.best.tolist()]
    right = np.array([tag in tags for tag, tags in zip(best, tuning.accepted, strict=True)])
    model.sharpness_ = refined_sharpness(model.sharpness_, scores.matrix, contexts, right, tuning.sets)


def halves(corpus: Corpus, judge: bool) -> UrlSet:
    """One half of all test sets together."""
    parts = [test.take(np.flatnonzero((test.judge == judge) & (test.truth >= 0))) for test in corpus.tests.values()]
    return UrlSet(
        name="judge" if judge else "tune",
        urls=ByteColumn.joined([part.urls for part in parts]),
        truth=np.concatenate([part.truth for part in parts]),
        sites=np.concatenate([part.sites for part in parts]),
        unseen=np.concatenate([part.unseen for part in parts]),
        judge=np.concatenate([part.judge for part in parts]),
    )


def quality(model: WeighedParts, corpus: Corpus) -> dict[str, Any]:
    """Figures of the judge halves: all languages, the five of the paper alone, and each language over all sets."""
    found: dict[str, Any] = {}
    for name, test in corpus.tests.items():
        part = test.take(np.flatnonzero(test.judge & (test.truth >= 0)))
        scores = model.scores(part.urls)
        stated = model.best(part.urls)[1]
        everything = evaluate(scores, part.truth, part.sites, "best", model.temperature_, rounds=200, stated=stated)
        enough = [one.f for one in everything.judgements if one.positives >= 25]
        place = np.array([FIVE.index(tag) if tag in FIVE else -1 for tag in corpus.languages])
        five = np.flatnonzero(place[part.truth] >= 0)
        closed = Scores(FIVE, scores.restricted(FIVE).matrix[five])
        answers = measures.one_hot(closed.best, len(FIVE))
        interval = measures.site_bootstrap(place[part.truth[five]], part.sites[five], answers, rounds=200)
        found[name] = {
            "rows": len(part),
            "accuracy": round(everything.accuracy, 4),
            "mean_f_of_languages_with_25_rows": round(float(np.mean(enough)), 4),
            "languages_with_25_rows": len(enough),
            "five_languages_f": round(interval.value, 4),
            "five_languages_interval": [round(interval.low, 4), round(interval.high, 4)],
            "calibration_error": round(everything.calibration_error, 4),
        }
    both = halves(corpus, judge=True)
    found["languages"] = by_language(both.truth, model.scores(both.urls).best, corpus.languages)
    return found


def operating_notes(model: WeighedParts, corpus: Corpus) -> dict[str, Any]:
    """What the tuning halves show of risk. Languages that the model does not have stay in: every answer is wrong."""
    parts = {name: test.take(np.flatnonzero(~test.judge)) for name, test in corpus.tests.items()}
    urls = ByteColumn.joined([part.urls for part in parts.values()])
    truth = np.concatenate([part.truth for part in parts.values()])
    sets = np.concatenate([np.full(len(part), name) for name, part in parts.items()])
    sites = np.concatenate([part.sites for part in parts.values()])
    return measure(model.probabilities(urls), truth, corpus.languages, sets, sites)


def training_rows(gathered: Gathered) -> dict[str, int]:
    """How many real URLs each language had."""
    names, counts = np.unique(gathered.labels[: gathered.real], return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def main() -> int:
    """Gather, train, calibrate, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED / "urls")
    parser.add_argument("--texts", type=Path, default=SHARED / "text")
    parser.add_argument("--interfaces", type=Path, default=INTERFACES, help="folder for packages with messages")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs whose mean is kept")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models/default.dragoman")
    arguments = parser.parse_args()
    if not ((arguments.urls / "train2.parquet").exists() and (arguments.texts / "words2.parquet").exists()):
        print("There is no data to make the model from (--urls, --texts): the one that ships stays as it is.")
        return 0
    started = time.monotonic()

    def report(what: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)

    gathered = gather(arguments.urls, arguments.texts, arguments.interfaces, report)
    languages = gathered.material.languages
    model = WeighedParts(epochs=PASSES, runs=arguments.runs).fit(
        gathered.urls, gathered.labels, gathered.material, gathered.counted, report
    )
    rows = training_rows(gathered)
    lean(model, rows)
    calibrate(model, tuning_rows(arguments.urls))
    corpus = load_corpus(arguments.urls, languages)
    model.notes_ = {
        "licence": LICENCE,
        "provenance": PROVENANCE,
        "data": corpus.digests,
        "training_rows": rows,
        "operating": operating_notes(model, corpus),
        "judged": quality(model, corpus),
    }
    digest = store.save(model, arguments.output)
    for name, figures in model.notes_["judged"].items():
        if name != "languages":
            print(name, figures)
    report(f"{len(languages)} languages, {arguments.output.stat().st_size:,} bytes, {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
