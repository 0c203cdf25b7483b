"""How the text model learns: pieces of texts are drawn, and descent on their log loss moves vectors and weights.

Nearly half of the draws are whole texts, the others a word, two words, or three to six words next to each other (some
letters, where a script has no spaces): a model that never saw short texts does not know what can be said of them. The
rate falls in a straight line. Each class competes with those of its script alone.

Words are listed with the classes that they are met in most. What they say begins with how often they are met there, and
is learnt beside the vectors, several times as fast, for each is met less often; in half of the draws they are not
heard, so that n-grams learn to do without them. More words than are kept are listed; those that say most are kept.

Vectors are learnt in float and kept as bytes: each dimension has a step of its own, which its weights take over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.classifier import Labels, encode_labels
from dragoman.identifiers.text.algorithms.text import BITS, NO_LANGUAGE, TextClass
from dragoman.identifiers.text.scripts import HAN, SCRIPTS, script_table
from dragoman.kernels import fold
from dragoman.kernels.strange_letters import StrangeLetters
from dragoman.kernels.text import DIMENSIONS, LENGTHS, MOST_CLASSES, MOST_SCRIPTS, SCRIPT_POINTS, text_scripts
from dragoman.kernels.text_training import TextDrawing
from dragoman.kernels.word_list import WordList, word_keys
from dragoman.types import Language

if TYPE_CHECKING:
    from dragoman.identifiers.text.algorithms.text import Text

#: A language has a class in another script than its usual one with this share of its texts, or with so many.
_SHARE, _MANY = 0.03, 1000
#: How often a draw is a whole text, a word, two words, three to six words.
CUTS = (0.45, 0.15, 0.14, 0.26)
#: Draws for each text, where nobody says how many; the least of them; and how many choose the features that are kept.
_PER_TEXT, _LEAST, _CHOOSING = 30, 30_000, 400_000
#: A word is listed with at most so many classes, those that it was met in so often.
_CLASSES, _TWICE = 6, 2
#: What words say changes so many times faster, and in this share of draws they are not heard: n-grams must do without.
_FASTER, _UNHEARD = 4.0, 0.5
#: So many times the words that are kept are listed while it learns. What each says begins with so much for every e-fold
#: that it is more frequent in a class than this; what says less than so many steps is left out at the end.
_MORE_WORDS, _FIRST, _RARE, _QUIET = 3, 0.5, 2e-6, 1.5
#: A class lacks a letter of which it has so small a share, where another has so large a one (there are many Chinese
#: characters), if it has so many letters; they are counted in texts of so many bytes, where there are no spaces.
_LACKING, _USUAL, _USUAL_HAN, _LETTERS, _RUNNING = 1e-5, 1e-3, 1e-4, 20_000, 45
#: The rate at the end, as a share of that at the beginning.
_LAST = 0.02


class LearntVectors(NamedTuple):
    """What has been learnt: see dragoman.kernels.text.TextTable."""

    languages: tuple[Language, ...]
    classes: tuple[TextClass, ...]
    buckets: NDArray[np.uint32]
    rows: NDArray[np.int8]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    words: WordList
    word_steps: NDArray[np.int8]
    step: float
    letters: StrangeLetters


def trained(
    model: Text, texts: ByteColumn, labels: Labels, chances: NDArray[np.float64] | None, merged: Mapping[str, Language]
) -> LearntVectors:
    """What `model` learns from the texts, drawn by their chances (None: see `Text.fit`)."""
    tags, truth = encode_labels(labels, len(texts))
    languages = tuple(sorted({merged.get(tag, tag) for tag in tags if not tag.startswith(NO_LANGUAGE)}))
    if len(languages) < 2:
        raise BadTable(f"Training needs texts of two languages or more; found {len(languages)}")
    classes, number = _classes(texts, tags, truth, merged)
    if len(classes) > MOST_CLASSES:
        raise UsageError(f"'text' tells at most {MOST_CLASSES} languages and scripts apart, not {len(classes)}")
    used = np.flatnonzero(number >= 0)
    if chances is None:
        chances = 1 / np.sqrt(np.maximum(np.bincount(number[used], minlength=len(classes)), 1))[number]
    texts, number, chances = texts.take(used), number[used], np.asarray(chances, np.float64)[used]
    drawing, first = _drawing(model, texts, number, classes, chances)
    words, word_weights = _words(texts, number, chances, first, model.words * _MORE_WORDS)
    counts = drawing.counted(_CHOOSING)
    order = np.argsort(-counts.astype(np.int64), kind="stable")[: model.kept]
    buckets = np.sort(order[counts[order] > 0]).astype(np.uint32)
    index = np.zeros(1 << BITS, np.uint32)
    index[buckets] = np.arange(1, len(buckets) + 1, dtype=np.uint32)
    rng = np.random.default_rng(model.seed)
    rows = rng.random((len(buckets) + 1, DIMENSIONS), np.float32)
    rows = (rows - np.float32(0.5)) * np.float32(2 / DIMENSIONS)
    weights = np.zeros((len(classes), DIMENSIONS), np.float32)
    bias = np.zeros((LENGTHS, len(classes)), np.float32)
    drawing.descend(
        index, rows, weights, bias, first, words, word_weights, (model.rate, model.rate * _LAST, _FASTER, _UNHEARD)
    )
    rows[0] = 0
    step = np.maximum(np.abs(rows).max(axis=0), np.float32(1e-9)) / np.float32(127)
    as_bytes = np.rint(rows / step).astype(np.int8)
    most = float(np.abs(word_weights).max()) / 127 if len(word_weights) and np.any(word_weights) else 1.0
    words, word_weights = _telling(words, word_weights, np.float32(most), model.words)
    return LearntVectors(
        languages,
        classes,
        buckets,
        as_bytes,
        np.ascontiguousarray(weights.T * step[:, None]),
        bias,
        words,
        np.rint(word_weights / np.float32(most)).astype(np.int8),
        float(np.float32(most)),
        strange_letters(texts, number, classes),
    )


def _words(
    texts: ByteColumn, number: NDArray[np.int32], chances: NDArray[np.float64], first: NDArray[np.int32], most: int
) -> tuple[WordList, NDArray[np.float32]]:
    """The words that are met most, each with the classes it is met in most, and what it says about them to begin with;
    none in scripts of one class, which need no word."""
    indptr, keys = word_keys(texts.data, texts.offsets, script_table())
    row = np.repeat(np.arange(len(number)), np.diff(indptr))
    single = np.repeat(np.diff(first) == 1, np.diff(first))
    needed = ~single[number[row]]
    keys, row = keys[needed], row[needed]
    pairs, pair_of_row = np.unique(
        keys.astype(np.uint64) << np.uint64(16) | number[row].astype(np.uint64), return_inverse=True
    )
    drawn = np.bincount(pair_of_row, weights=chances[row])
    alone = np.diff(indptr) == 1  # a word of a list: somebody has counted it
    often = np.bincount(pair_of_row, weights=np.where(alone, _TWICE, 1)[row]) >= _TWICE
    of_class = (pairs & np.uint64(0xFFFF)).astype(np.int64)
    of_class_drawn = np.bincount(of_class, weights=drawn, minlength=len(single))
    share = drawn / np.maximum(of_class_drawn[of_class], 1e-300)
    pairs, drawn, share = pairs[often], drawn[often], share[often]
    word, word_of_pair = np.unique(pairs >> np.uint64(16), return_inverse=True)
    order = np.lexsort((-drawn, word_of_pair))
    rank = np.arange(len(order)) - np.searchsorted(word_of_pair[order], word_of_pair[order])
    strongest = np.zeros(len(pairs), bool)
    strongest[order[rank < _CLASSES]] = True
    total = np.bincount(word_of_pair, weights=drawn)
    best = np.zeros(len(word), bool)
    best[np.argsort(-total, kind="stable")[:most]] = True
    strongest &= best[word_of_pair]
    pairs = pairs[strongest]
    listed, sizes = np.unique(pairs >> np.uint64(16), return_counts=True)
    words = WordList(listed.astype(np.uint32), sizes.astype(np.uint8), (pairs & np.uint64(0xFFFF)).astype(np.uint16))
    return words, (_FIRST * np.log1p(share[strongest] / _RARE)).astype(np.float32)


def _telling(
    words: WordList, word_weights: NDArray[np.float32], step: np.float32, most: int
) -> tuple[WordList, NDArray[np.float32]]:
    """The words that say most, and what they say; entries that say next to nothing left out."""
    word = np.repeat(np.arange(len(words.sizes)), words.sizes)
    loud = np.abs(word_weights) >= _QUIET * step
    strength = np.zeros(len(words.sizes), np.float32)
    np.maximum.at(strength, word, np.abs(word_weights))
    best = np.zeros(len(words.sizes), bool)
    best[np.argsort(-strength, kind="stable")[:most]] = True
    loud &= best[word]
    sizes = np.bincount(word[loud], minlength=len(words.sizes))
    return WordList(words.keys[sizes > 0], sizes[sizes > 0].astype(np.uint8), words.classes[loud]), word_weights[loud]


def strange_letters(texts: ByteColumn, number: NDArray[np.int32], classes: tuple[TextClass, ...]) -> StrangeLetters:
    """The letters that classes lack, counted in texts of several words or of many bytes: lists of words have foreign
    ones. Classes with few letters lack none, nor do kinds of text in no language."""
    indptr, _ = word_keys(texts.data, texts.offsets, script_table())
    running = (np.diff(indptr) > 1) | (np.diff(texts.offsets) >= _RUNNING)
    share = np.zeros((len(classes), SCRIPT_POINTS), np.float32)
    knows = np.zeros(len(classes), bool)
    table = script_table()
    for class_number, known in enumerate(classes):
        own = np.flatnonzero(running & (number == class_number))
        counts = _letters(texts.take(own)) * (table == SCRIPTS.index(known.script))
        knows[class_number] = counts.sum() >= _LETTERS and not known.tag.startswith(NO_LANGUAGE)
        share[class_number] = counts / max(1, counts.sum())
    scripts = np.array([SCRIPTS.index(known.script) for known in classes])
    points, lacking = [], []
    for script in np.unique(scripts[knows]).tolist():
        rivals = knows & (scripts == script)
        usual = share[rivals].max(axis=0) >= (_USUAL_HAN if script == HAN else _USUAL)
        for point in np.flatnonzero(usual & (np.arange(SCRIPT_POINTS) >= 0x80)).tolist():
            lacks = rivals & (share[:, point] < _LACKING)
            if lacks.any():
                points.append(point)
                lacking.append(lacks)
    order = np.argsort(points)
    rows = np.array(lacking, np.uint8).reshape(len(points), len(classes))
    return StrangeLetters(np.array(points, np.uint32)[order], np.ascontiguousarray(rows[order]))


def _letters(texts: ByteColumn) -> NDArray[np.int64]:
    """How often each letter stands in texts, in lower case."""
    start, end = (int(texts.offsets[0]), int(texts.offsets[-1])) if len(texts) else (0, 0)
    written = bytes(texts.data[start:end]).decode("utf-8", "ignore")
    points, met = np.unique(np.frombuffer(written.encode("utf-32-le", "ignore"), np.uint32), return_counts=True)
    counts = np.zeros(SCRIPT_POINTS, np.int64)
    for point, times in zip(points.tolist(), met.tolist(), strict=True):
        if 0 < (letter := fold(point)) < SCRIPT_POINTS:
            counts[letter] += times
    return counts


def _classes(
    texts: ByteColumn, tags: tuple[str, ...], truth: NDArray[np.int64], merged: Mapping[str, Language]
) -> tuple[tuple[TextClass, ...], NDArray[np.int32]]:
    """The classes in the order of their scripts, and the number of each text's class; -1: of none."""
    script = text_scripts(texts.data, texts.offsets, script_table())
    good = (truth >= 0) & (script >= 0)
    counts = np.zeros((len(tags), len(SCRIPTS)), np.int64)
    np.add.at(counts, (truth[good], script[good]), 1)
    enough = (counts > 0) & ((counts >= _SHARE * counts.sum(axis=1, keepdims=True)) | (counts >= _MANY))
    enough &= counts.max(axis=1, keepdims=True) > 0
    numbers = np.full(counts.shape, -1, np.int32)
    classes: list[TextClass] = []
    for at_script, at_tag in np.argwhere(enough.T).tolist():
        numbers[at_tag, at_script] = len(classes)
        tag = tags[at_tag]
        classes.append(TextClass(tag, merged.get(tag, tag), SCRIPTS[at_script]))
    return tuple(classes), np.where(good, numbers[truth, script], -1).astype(np.int32)


def _drawing(
    model: Text,
    texts: ByteColumn,
    number: NDArray[np.int32],
    classes: tuple[TextClass, ...],
    chances: NDArray[np.float64],
) -> tuple[TextDrawing, NDArray[np.int32]]:
    """The draws in their order, and where the classes of each script begin."""
    rng = np.random.default_rng(model.seed)
    draws = model.draws or max(_LEAST, _PER_TEXT * len(number))
    # each text as often as its chance says, rounded up or down at random, so that nothing is left out by bad luck
    up_to = np.floor(np.cumsum(chances) / chances.sum() * draws + rng.random())
    order = np.repeat(np.arange(len(number), dtype=np.int32), np.diff(up_to, prepend=0).astype(np.int64))
    order = rng.permutation(order)
    cuts = rng.choice(len(CUTS), len(order), p=CUTS).astype(np.uint8)
    scripts = np.array([SCRIPTS.index(known.script) for known in classes], np.int32)
    first = np.searchsorted(scripts, np.arange(MOST_SCRIPTS + 1)).astype(np.int32)
    seed = int(rng.integers(1, 1 << 63))
    return TextDrawing(texts.data, texts.offsets, number, order, cuts, script_table(), scripts, BITS, seed), first
