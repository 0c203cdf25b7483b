"""Training of a model of parts: weights learn, the largest of each n-gram are kept, learn once more, become bytes.

Plain stochastic gradient descent on the log loss, the rate falling to zero, in single precision, each run in one
thread, so that the same rows and seed give the same bytes. A word of the path is now and then read as n-grams, so that
these learn from known words what they need for others; a known site, a domain and the whole host are now and then
left out, so that the rest learns to do without them.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.parts.material import Material, WordWeights, weighed_meanings
from dragoman.identifiers.url.parts.weighing import context_of
from dragoman.kernels.library import aligned
from dragoman.kernels.parts import COMMON, CONTEXTS, NO_LANGUAGE, PATH_ENTRIES, PartReader, PartTables
from dragoman.kernels.parts_tables import PackedWords, RowIndex, word_slots
from dragoman.kernels.parts_training import ITEM_BITS, SILENT_ITEM, Items, Learning, Pace, read_items

Floats = NDArray[np.float32]
#: Runs that go on beside each other.
THREADS = 2
#: The gates at the beginning: host n-grams, host words, path words, path n-grams, the host as a path, domain, site.
_FIRST_GATES = (1.0, 0.3, 0.7, 1.0, 0.5, 1.0, 1.0)
#: That of a site beside a code: `apple.com/de/` is German.
_SITE_BESIDE_CODE = 0.2
#: The rates of the parts beside that of n-grams; words of the host learn a fifth of what those of the path do, and
#: n-grams of paths half as much from hosts as from paths.
_HOST_WORD_SHARE, _DOMAIN_RATE, _GATE_RATE, _BIAS_RATE, _TEXT_RATE = 0.2, 0.02, 0.004, 0.02, 0.5
#: What a known site counts beside what training shows, where there is no code: the list is written by hand, labels of
#: URLs are not; but people write in all languages on the sites of English (reddit.com), and a path of five words or
#: more says in which. And what one counts that is not in English: sites of all languages have English words in their
#: addresses (y.qq.com/n/singer), and codes that are mostly a country's (coupang.com/np/). Beside codes all count less.
_SURE_SITES, _FOREIGN_SITES, _LESS_BESIDE_CODES = 2.5, 6.0, 3.0
#: Contexts before it have paths of fewer words.
_SENTENCES = context_of(5, 0, False)
#: The rate of the last pass, over the weights that are kept, beside the first; and its number.
_AGAIN, _LAST = 0.3, 99
#: What learns, and is the mean of the runs.
_LEARNT = ("host_rows", "path_rows", "word_weights", "domains", "gates", "bias")
_LARGEST = 127
_CHUNK, _MANY_ITEMS = 1 << 14, 1 << 24
#: Kinds of items that are n-grams of the host, and of the path (or of the host read as one).
_HOST_GRAMS, _PATH_GRAMS = (0,), (1, 7)


@dataclass(frozen=True)
class TrainingSettings:
    """How training goes: passes, rates, chances, and the sizes (bits) of the tables of n-grams."""

    epochs: int = 3
    rate: float = 0.7
    word_rate: float = 0.3
    word_kept: float = 0.6
    site_kept: float = 0.3
    host_dropped: float = 0.25
    domain_dropped: float = 0.3
    host_bits: int = 20
    path_bits: int = 20
    seed: int = 0
    runs: int = 1
    host_kept: int = 49_152
    path_kept: int = 245_760


@dataclass(frozen=True, eq=False)
class RowWeights:
    """How much each row counts, how much of that for what its host is made of, and how far its label is doubted.

    A row whose label is doubted moves what learns by that power of the label's probability: a list of French sites has
    English ones, too, and what contradicts all else is to teach little.
    """

    importance: Floats
    host_share: Floats
    doubt: Floats

    def take(self, rows: NDArray[np.int64]) -> RowWeights:
        """Those of some rows."""
        return RowWeights(
            *(np.asarray(each[rows], np.float32) for each in (self.importance, self.host_share, self.doubt))
        )


def train(
    material: Material,
    urls: ByteColumn,
    labels: NDArray[np.int32],
    counted: RowWeights,
    settings: TrainingSettings,
    report: Callable[[str], None] = lambda line: None,
) -> PartTables:
    """The tables learnt from URLs, the numbers of their languages, and how much each row counts."""
    reader = material.reader()
    words = material.words
    slots = word_slots(words.keys, np.arange(len(words.keys), dtype=np.uint32))
    read = read_items(urls.data, urls.offsets, reader, slots, (settings.host_bits, settings.path_bits))
    report(f"{len(labels):,} URLs with {len(read.items):,} items")
    common = common_languages(labels, len(material.languages))
    model = _untrained(material, common, settings)
    # runs know nothing of each other, and their mean is taken in their order: threads change no byte
    with ThreadPoolExecutor(THREADS) as threads:
        learn = partial(_run, material, common, read, labels, counted, settings, report=report)
        for number, learnt in enumerate(threads.map(learn, range(settings.runs)), 1):
            for name in _LEARNT:
                getattr(model, name)[:] += (getattr(learnt, name) - getattr(model, name)) / np.float32(number)
    model.path_kept = sparsify(model.path_rows)
    marked = worthy_rows(times_met(read.items, _PATH_GRAMS, len(model.path_rows)), model.path_rows, settings.path_kept)
    for table in (model.path_rows, model.path_kept):
        table *= marked[:, None]
    marked = worthy_rows(times_met(read.items, _HOST_GRAMS, len(model.host_rows)), model.host_rows, settings.host_kept)
    model.host_rows *= marked[:, None]
    silence(read.items, marked)
    loss = _pass(model, read, labels, counted, settings, (_AGAIN, 0.0), _LAST)
    report(f"what is left: log loss {loss:.4f}")
    foreign = np.array([1.0 if tag == "en" else _FOREIGN_SITES for tag in material.languages], np.float32)
    return packed_tables(reader, model, words, np.float32(material.site_weight) * foreign)


def times_met(items: NDArray[np.uint32], kinds: tuple[int, ...], rows: int) -> NDArray[np.int64]:
    """How often each row of a table of n-grams is met; by parts, since there are hundreds of millions of items."""
    times = np.zeros(rows, np.int64)
    for start in range(0, len(items), _MANY_ITEMS):
        part = items[start : start + _MANY_ITEMS]
        numbers = part[np.isin(part >> ITEM_BITS, kinds)] & np.uint32((1 << ITEM_BITS) - 1)
        times += np.bincount(numbers, minlength=rows)
    return times


def worthy_rows(times: NDArray[np.int64], rows: Floats, most: int) -> NDArray[np.bool_]:
    """The rows of n-grams that say the most in all: how often each is met, times its largest weight."""
    worth = times * np.abs(rows).max(axis=1)
    marked = np.asarray(worth > 0)
    if np.count_nonzero(marked) > most:
        marked[np.argsort(-worth, kind="stable")[most:]] = False
    return marked


def silence(items: NDArray[np.uint32], marked: NDArray[np.bool_]) -> None:
    """N-grams of the host whose row is not marked count from now on, and say nothing."""
    for start in range(0, len(items), _MANY_ITEMS):
        part = items[start : start + _MANY_ITEMS]
        grams = np.flatnonzero(part < len(marked))
        part[grams[~marked[part[grams]]]] = SILENT_ITEM


def _run(
    material: Material,
    common: NDArray[np.uint8],
    read: Items,
    labels: NDArray[np.int32],
    counted: RowWeights,
    settings: TrainingSettings,
    run: int,
    report: Callable[[str], None],
) -> Learning:
    """All passes once, over the rows in an order of the run's own."""
    model = _untrained(material, common, settings)
    for epoch in range(settings.epochs):
        falling = 1 - epoch / settings.epochs, 1 - (epoch + 1) / settings.epochs
        loss = _pass(model, read, labels, counted, settings, falling, epoch + 10 * run)
        report(f"run {run + 1}, pass {epoch + 1}: log loss {loss:.4f}")
    return model


def _untrained(material: Material, common: NDArray[np.uint8], settings: TrainingSettings) -> Learning:
    width = len(material.languages)
    return Learning(
        host_rows=np.zeros((1 << settings.host_bits, COMMON), np.float32),
        host_languages=common,
        path_rows=np.zeros((1 << settings.path_bits, width), np.float32),
        word_starts=material.words.starts,
        word_languages=material.words.languages,
        word_weights=material.words.weights.copy(),
        domains=material.domains.rows.copy(),
        domain_kinds=material.domains.kinds,
        scripts=material.scripts(),
        meanings=weighed_meanings(material.meanings(), material.strengths),
        gates=_first_gates(),
        bias=np.zeros(width, np.float32),
        site_weight=material.site_weight,
    )


def _first_gates() -> Floats:
    gates = np.tile(np.array(_FIRST_GATES, np.float32), (CONTEXTS, 1))
    gates[1::2, -1] = _SITE_BESIDE_CODE
    return gates


def _pass(
    model: Learning,
    read: Items,
    labels: NDArray[np.int32],
    counted: RowWeights,
    settings: TrainingSettings,
    falling: tuple[float, float],
    number: int,
) -> float:
    pace = Pace(
        start=settings.rate * falling[0],
        end=settings.rate * falling[1],
        gram=1.0,
        text=_TEXT_RATE,
        word=settings.word_rate,
        host_word=_HOST_WORD_SHARE * settings.word_rate,
        domain=_DOMAIN_RATE,
        gate=_GATE_RATE,
        bias=_BIAS_RATE,
        word_kept=settings.word_kept,
        site_kept=settings.site_kept,
        host_dropped=settings.host_dropped,
        domain_dropped=settings.domain_dropped,
    )
    seed = 1 + number + 100 * settings.seed
    order = np.random.default_rng(seed).permutation(len(labels))
    return model.descend(
        read, labels, counted.importance, counted.host_share, counted.doubt, order, pace, seed * 7919 + 1
    )


def sparsify(rows: Floats) -> NDArray[np.uint8]:
    """Leave in each row the sixteen weights that are farthest from its median, less the median; 1 where one is left.

    Adding a number to a whole row changes no softmax.
    """
    left = np.zeros(rows.shape, np.uint8)
    most = min(PATH_ENTRIES, rows.shape[1])
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        met = np.flatnonzero(part.any(axis=1))
        shifted = part[met] - np.median(part[met], axis=1, keepdims=True)
        largest = np.argpartition(-np.abs(shifted), most - 1, axis=1)[:, :most]
        marks = np.zeros(shifted.shape, np.uint8)
        np.put_along_axis(marks, largest, 1, axis=1)
        part[met] = shifted * marks
        left[start + met] = marks
    return left


def packed_tables(reader: PartReader, model: Learning, words: WordWeights, site_weights: Floats) -> PartTables:
    """The weights in bytes, with one step for each table; of n-grams the rows that say something."""
    host_said, path_said = ((rows != 0).any(axis=1) for rows in (model.host_rows, model.path_rows))
    host_step = step_of(model.host_rows)
    host = aligned((int(np.count_nonzero(host_said)), COMMON))
    host[:] = np.rint(model.host_rows[host_said] / np.float32(host_step))
    path, path_step = packed_rows(model.path_rows[path_said])
    packed, word_step = packed_words(words, model.word_weights)
    gates = model.gates.copy()
    gates[:_SENTENCES:2, -1] *= np.float32(_SURE_SITES)
    gates[1::2, -1] /= np.float32(_LESS_BESIDE_CODES)
    return PartTables(
        reader, packed, RowIndex.of(host_said), host, model.host_languages, RowIndex.of(path_said), path,
        (host_step, path_step, word_step), model.domains, model.domain_kinds, model.scripts, model.meanings, gates,
        np.tile(model.bias - model.bias.mean(dtype=np.float32), (CONTEXTS, 1)), site_weights,
    )  # fmt: skip


def common_languages(labels: NDArray[np.int32], width: int) -> NDArray[np.uint8]:
    """The languages with the most URLs, for which n-grams of the host speak; filled with none."""
    most = np.argsort(-np.bincount(labels, minlength=width), kind="stable")[:COMMON]
    return np.append(most, np.full(COMMON - len(most), NO_LANGUAGE)).astype(np.uint8)


def step_of(weights: Floats) -> float:
    """The largest weight is 127 steps."""
    return float(np.float32(np.abs(weights).max(initial=0) / _LARGEST)) or 1.0


def packed_rows(rows: Floats) -> tuple[NDArray[np.uint8], float]:
    """(table, step): sixteen languages and their weights for each row; what is not used has the weight 0."""
    width, step = rows.shape[1], step_of(rows)
    packed = np.zeros((len(rows), 2 * PATH_ENTRIES), np.uint8)
    # of different languages where nothing is said, too: additions do not wait for each other
    packed[:, :PATH_ENTRIES] = np.arange(PATH_ENTRIES) % width
    most = min(PATH_ENTRIES, width)
    for start in range(0, len(rows), _CHUNK):
        steps = np.rint(rows[start : start + _CHUNK] / step).astype(np.int8)
        largest = np.argsort(-np.abs(steps.astype(np.int16)), axis=1, kind="stable")[:, :most]
        weights = np.take_along_axis(steps, largest, axis=1)
        part = packed[start : start + _CHUNK]
        part[:, :most] = np.where(weights != 0, largest, part[:, :most])
        part[:, PATH_ENTRIES : PATH_ENTRIES + most] = weights.view(np.uint8)
    return packed, step


def packed_words(words: WordWeights, weights: Floats) -> tuple[PackedWords, float]:
    """(words, step): entries in bytes; those of weight 0 are left out, but a word stays known."""
    step = step_of(weights)
    steps = np.rint(weights / step).astype(np.int8)
    of_word = np.repeat(np.arange(len(words.keys)), np.diff(words.starts))
    first = np.zeros(len(steps), bool)
    first[words.starts[:-1]] = True
    written = (steps != 0) | first
    entries = np.stack([words.languages[written], steps[written].view(np.uint8)], axis=1)
    counts = np.bincount(of_word[written], minlength=len(words.keys)).astype(np.uint8)
    return PackedWords(words.keys, counts, np.ascontiguousarray(entries, np.uint8)), step
