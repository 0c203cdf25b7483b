"""Trains the model that ships, from labelled URLs and texts, and writes it where the package keeps it.

    python tools/make_model.py [--urls DIR] [--texts FILE] [-o FILE]

The production recipe learns from train.parquet (languages with 30 rows or more, at most 20 URLs per site). The
temperature, the thresholds and the curves of precision and recall come from the tuning halves of dev_*.parquet; the
figures in the model's notes are from the judge halves.
The same data and seed give the same bytes. Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from operating_curves import measure
from size_calibration import best_sharpness_and_slope

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage
from dragoman.evaluate.corpus import Corpus, UrlSet, load_corpus
from dragoman.evaluate.judging import evaluate
from dragoman.identifiers import model_file as store
from dragoman.identifiers.quality import by_language
from dragoman.identifiers.url.algorithms.production import Production
from dragoman.languages import FIVE, normalise
from dragoman.tables.labelled.reading import read_labelled
from dragoman.types import Scores

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
LEAST = 30
#: URLs per site: more gain nothing on the tuning halves but time.
CAP = 20
LICENCE = "Apache-2.0, as Dragoman; what it was learnt from keeps its own licences (see provenance)"
PROVENANCE = (
    "Learnt from URLs with language labels gathered from public lists, registers, news collections and blog rolls, "
    "from the word lists of wordfreq (code Apache-2.0, data CC BY-SA 4.0) and from Tatoeba sentences (CC BY 2.0 FR), "
    "the Universal Declaration of Human Rights and Debian package descriptions. The file holds hashed weights only."
)


def read_texts(path: Path) -> dict[str, list[str]]:
    """Texts by language; nothing where there is no file."""
    if not path.exists():
        return {}
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang"])
    found: dict[str, list[str]] = {}
    for label, text in zip(table["lang"].to_pylist(), table["text"].to_pylist(), strict=True):
        try:
            found.setdefault(normalise(label), []).append(text)
        except UnknownLanguage:
            continue
    return found


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


def quality(model: Production, corpus: Corpus) -> dict[str, Any]:
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
        said = measures.one_hot(closed.best, len(FIVE))
        interval = measures.site_bootstrap(place[part.truth[five]], part.sites[five], said, rounds=200)
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


def calibrate(model: Production, corpus: Corpus) -> dict[str, Any]:
    """Choose temperature and slope on the tuning halves, by the worst set; what they then show of risk.

    Languages that the model does not have stay in: there, every answer is wrong.
    """
    parts = {name: test.take(np.flatnonzero(~test.judge)) for name, test in corpus.tests.items()}
    urls = ByteColumn.joined([part.urls for part in parts.values()])
    truth = np.concatenate([part.truth for part in parts.values()])
    sets = np.concatenate([np.full(len(part), name) for name, part in parts.items()])
    scores, features = model.scores_and_features(urls)
    sharpness, model.slope_ = best_sharpness_and_slope(scores, features, truth, sets)
    model.temperature_ = round(1 / sharpness, 4)
    sites = np.concatenate([part.sites for part in parts.values()])
    return measure(model.probabilities(urls), truth, corpus.languages, sets, sites)


def main() -> int:
    """Train, calibrate, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED / "urls")
    parser.add_argument("--texts", type=Path, default=SHARED / "text" / "sentences.parquet")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models/default.dragoman")
    arguments = parser.parse_args()
    if not (arguments.urls / "train.parquet").exists():
        print("There are no labelled URLs to make the model from (--urls DIR): the one that ships stays as it is.")
        return 0
    started = time.monotonic()
    counts = Counter(read_labelled(arguments.urls / "train.parquet").languages.tolist())
    languages = sorted(tag for tag, n in counts.items() if tag is not None and n >= LEAST)
    corpus = load_corpus(arguments.urls, languages, cap=CAP)
    names = np.array(languages, object)
    model = Production().fit(corpus.train.urls, names[corpus.train.truth], read_texts(arguments.texts))
    operating = calibrate(model, corpus)
    rows = np.bincount(corpus.train.truth, minlength=len(languages)).tolist()
    model.notes_ = {
        "licence": LICENCE,
        "provenance": PROVENANCE,
        "data": corpus.digests,
        "training_rows": dict(zip(languages, rows, strict=True)),
        "operating": operating,
        "judged": quality(model, corpus),
    }
    digest = store.save(model, arguments.output)
    for name, figures in model.notes_["judged"].items():
        if name != "languages":
            print(name, figures)
    size, seconds = arguments.output.stat().st_size, time.monotonic() - started
    print(f"{len(languages)} languages, {size:,} bytes, temperature {model.temperature_}, slope {model.slope_}")
    print(f"{seconds:.0f} s, {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
