"""The text model: the script decides which languages are in question, then averaged vectors of n-grams and words.

A class is a language in one script (`sr` in `Cyrl`, `sr` in `Latn`), or a kind of text in no language. Only classes of
the script that a text is written in compete (text.scripts); a script with one class answers by itself, one with
none gives no answer, and neither has a code of letters and digits (grams.says_something). With the features of a text
(text.grams) that are known, n of them,

    mean(text)          = (the sum of the features' vectors of 64 bytes) / n^(3/4)
    said(text, class)   = (the sum of what its m listed words say about the class) / m^(1/2)
    score(text, class)  = weights[class] . mean(text) + bias[class, length] + said(text, class)
                          - what letters say against it (text.letters)
    score(text, language) = the best score of its classes; OUTSIDE where it has none in the script

words that stand as names do (text.grams) and all their features counting half, length being one of six classes of the
number of letters: of a single word less can be said than of a line, and a language that is rarely met needs more. Words
are listed with the classes that they were met in most: a vector of 64 numbers for n-grams that three hundred classes
share cannot keep hundreds of thousands of words apart, and words are what close languages differ in. Vectors, weights
and what words say are learnt together
(text.algorithms.text_training).

Kinds of text in no language have labels that begin with `zxx-`: `zxx-romanised`, `zxx-code`, `zxx-names`. They are not
among the languages, but they have a share in the probabilities, and where they are together likelier than the likeliest
language the answer is none. Names and code have something added to their score where a short text looks so
(grams.looks_of): capitals and digits, which no feature knows.

Probabilities depend on n, too (dragoman.identifiers.bulk).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.bulk import BulkClassifier
from dragoman.identifiers.calibration import softmax
from dragoman.identifiers.classifier import Arrays, Labels, batch
from dragoman.identifiers.explanation import explained
from dragoman.identifiers.text.grams import LONGEST_WORD, SHORT, SURER, heard, looks_of, of_word, says_something
from dragoman.identifiers.text.letters import veto
from dragoman.identifiers.text.scripts import SCRIPTS, script_table
from dragoman.kernels.strange_letters import StrangeLetters
from dragoman.kernels.text import DIMENSIONS, LONGEST, MOST_SCRIPTS, OUTSIDE, TextTable
from dragoman.kernels.word_list import WordList
from dragoman.types import Contribution, Language, Scores

#: What labels of text in no language begin with (ISO 639: no linguistic content).
NO_LANGUAGE = "zxx-"
NAMES, CODE = NO_LANGUAGE + "names", NO_LANGUAGE + "code"
#: Bits of a feature's number.
BITS = 21
#: What names of files and hosts have, and romanised text has not.
_NAME_OF_A_FILE = re.compile(rb"[a-z0-9]\.[a-z]")


class TextClass(NamedTuple):
    """A class: its tag as it was labelled (`nb`, `zxx-code`), the language it counts for, and its script."""

    tag: str
    language: Language
    script: str


class Text(BulkClassifier):
    """Averaged vectors of n-grams of letters, one class for each language and script.

    `kept` features have a vector: those most frequent in what is drawn from the texts; `words` words are listed, too.
    `draws` pieces of texts are read (0: 30 for each text, at least 30,000); the seed decides which. The same texts
    and seed give the same bytes.

    Scoring: one pass from bytes to answers. A text of more than 32 KiB costs no more than one of 32 KiB.

    >>> model = Text().fit(["guten Tag", "guten Morgen", "bonne nuit", "bonjour"], ["de", "de", "fr", "fr"])
    >>> model.predict(["Gute Nacht", "bon", "123"])
    ['de', 'fr', None]
    """

    algorithm: ClassVar[str] = "text"
    reads: ClassVar[str] = "text"
    table_: TextTable
    classes_: tuple[TextClass, ...] = ()
    #: What is added to the scores of names and of code where a short text looks so; chosen on labelled texts.
    looks_: tuple[float, float] = (0.0, 0.0)

    def __init__(
        self, kept: int = 1 << 18, draws: int = 0, rate: float = 0.25, words: int = 1 << 17, seed: int = 1
    ) -> None:
        self.kept = kept
        self.words = words
        self.draws = draws
        self.rate = rate
        self.seed = seed

    def fit(
        self,
        inputs: Any,
        labels: Labels,
        weights: NDArray[np.float64] | None = None,
        merged: Mapping[str, Language] | None = None,
    ) -> Self:
        """Learn from texts and their languages.

        `weights`: how often each text is drawn in relation to the others; left out, each class is drawn by the root of
        the number of its texts. `merged`: the language that a label counts for, where it is not its own (`nb`: `no`).
        """
        from dragoman.identifiers.text.algorithms.text_training import trained

        if not 1 <= self.kept < 1 << BITS:
            raise UsageError(f"'text' keeps 1 to {(1 << BITS) - 1} features, not {self.kept}")
        if self.words < 0:
            raise UsageError(f"'text' lists 0 words or more, not {self.words}")
        if self.draws < 0 or not self.rate > 0:
            raise UsageError(f"'text' needs 0 draws or more and a rate above 0, not {self.draws} and {self.rate}")
        learnt = trained(self, batch(inputs), labels, weights, merged or {})
        self.languages_, self.classes_, self.looks_ = learnt.languages, learnt.classes, (0.0, 0.0)
        self.table_ = self._table(
            learnt.buckets,
            learnt.rows,
            learnt.weights,
            learnt.bias,
            learnt.words,
            learnt.word_steps,
            learnt.step,
            learnt.letters,
        )
        self.slope_ = 0.0
        self.notes_ = {}
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of text in no language that it knows, in the order of their columns."""
        return tuple(sorted({known.tag for known in self.classes_ if known.tag.startswith(NO_LANGUAGE)}))

    def _table(
        self,
        buckets: NDArray[np.uint32],
        rows: NDArray[np.int8],
        weights: NDArray[np.float32],
        bias: NDArray[np.float32],
        words: WordList,
        word_steps: NDArray[np.int8],
        step: float,
        letters: StrangeLetters,
    ) -> TextTable:
        """The table, with the index that leads to its rows; ValueError where they do not fit each other."""
        places = {tag: number for number, tag in enumerate((*self.languages_, *self.kinds))}
        scripts = np.array([SCRIPTS.index(known.script) for known in self.classes_])
        if len(rows) != len(buckets) + 1 or len(np.unique(buckets)) != len(buckets) or np.any(np.diff(scripts) < 0):
            raise ValueError("one row for each bucket")
        index = np.zeros(1 << BITS, np.uint32)
        index[buckets] = np.arange(1, len(rows), dtype=np.uint32)
        column = np.array([places[known.language] for known in self.classes_], np.int32)
        first = np.searchsorted(scripts, np.arange(MOST_SCRIPTS + 1)).astype(np.int32)
        kinds = places.get(NAMES, -1), places.get(CODE, -1)
        return TextTable(
            index,
            rows,
            weights,
            bias,
            column,
            first,
            script_table(),
            len(self.languages_),
            words,
            word_steps,
            step,
            letters,
            *kinds,
            *self.looks_,
        )

    def plain_scores(self, row: bytes) -> list[float]:
        """The definition at the top of this module, for one text."""
        columns = self._columns(row)
        return [math.nan if columns is None else float(columns[n]) for n in range(len(self.languages_))]

    def _columns(self, row: bytes) -> NDArray[np.float32] | None:
        """The scores of languages and kinds of text in none; None where nothing is known."""
        classes = self._classes(row)
        if classes is None:
            return None
        columns = np.full(self.table_.columns, OUTSIDE, np.float32)
        first, scores = classes
        for number, score in enumerate(scores, first):
            column = self.table_.column[number]
            columns[column] = max(columns[column], score)
        table, (named, coded) = self.table_, looks_of(row)
        surely = SURER if coded and len(row) > SHORT else 0
        for like, column, more in ((named, table.names, table.named), (coded, table.codes, table.coded + surely)):
            if like and column >= 0 and columns[column] > OUTSIDE:
                columns[column] += np.float32(more)
        return columns

    def _classes(self, row: bytes) -> tuple[int, NDArray[np.float32]] | None:
        """The number of the first class of the text's script, and the scores of all of them; None: nothing is known."""
        script, vectors, length = self._vectors(row)
        lacking = veto(self.table_, heard(row))
        if script is None or not (vectors or lacking.any()):
            return None
        first, end = self.table_.first[script : script + 2].tolist()
        sums = sum((half * vector for _, half, vector in vectors), np.zeros(DIMENSIONS, np.int64))
        scale = _scale(vectors)
        scores = self.table_.bias_by_length[length, first:end].copy()
        for dimension in range(DIMENSIONS):
            scores += self.table_.weights[dimension, first:end] * (np.float32(sums[dimension]) * scale)
        listed = self._listed(row)
        if listed:
            steps = np.zeros(len(self.classes_), np.int64)
            for _, half, entries in listed:
                np.add.at(
                    steps, self.table_.words.classes[entries], half * self.table_.word_steps[entries].astype(np.int64)
                )
            scores += self._share(listed) * steps[first:end].astype(np.float32)
        return first, scores - lacking[first:end]

    def _share(self, listed: list[tuple[str, int, slice]]) -> np.float32:
        """What half a step is worth in a text with these listed words."""
        number = np.float32(0.5) * np.float32(sum(half for _, half, _ in listed))
        return np.float32(np.float32(0.5) * np.float32(np.float32(self.table_.step) / np.sqrt(number)))

    def _listed(self, row: bytes) -> list[tuple[str, int, slice]]:
        """The listed words of a text, each with what it counts in halves and its entries."""
        listed, reading = [], heard(row)
        for word, half in zip(reading.words, reading.halves, strict=True):
            if len(word) <= LONGEST_WORD:
                *_, (name, key) = of_word(word)
                entries = self.table_.words.entries_of(key >> 32)
                if entries is not None:
                    listed.append((name, half, entries))
        return listed

    def _vectors(self, row: bytes) -> tuple[int | None, list[tuple[str, int, NDArray[np.int64]]], int]:
        """The script of a text (None: nothing can be said), its known features with what they count in halves and their
        vectors, and its class of length."""
        reading = heard(row)
        if (
            reading.script is None
            or self.table_.first[reading.script] == self.table_.first[reading.script + 1]
            or not says_something(row, reading.letters)
        ):
            return None, [], 0
        words = zip(reading.words, reading.halves, strict=True)
        named = ((name, half, key) for word, half in words for name, key in of_word(word))
        vectors = [(name, half, vector) for name, half, key in named if (vector := self.table_.row(key)) is not None]
        return reading.script, vectors, sum(reading.letters > longest for longest in LONGEST)

    def scores_and_features(self, rows: ByteColumn) -> tuple[Scores, NDArray[np.int32]]:
        """The scores of every row, and the number of its features that are known."""
        matrix, features = self.table_.scores(rows.data, rows.offsets)
        return Scores(self.languages_, np.ascontiguousarray(matrix[:, : len(self.languages_)])), features

    def probabilities(self, inputs: Any) -> NDArray[np.float32]:
        """Each row's probabilities; what is missing to 1 is the share of texts in no language."""
        rows = batch(inputs)
        matrix, features = self.table_.scores(rows.data, rows.offsets)
        return softmax(matrix * self.sharpness(features)[:, None])[:, : len(self.languages_)]

    def written(self, rows: ByteColumn) -> list[TextClass | None]:
        """The likeliest class of every text: its language as it is labelled and its script, or a kind of text in no
        language; None where nothing is known."""
        best, _ = self.table_.classes_of(rows.data, rows.offsets)
        return [self.classes_[number] if number >= 0 else None for number in best.tolist()]

    def outcomes(self, rows: ByteColumn) -> list[str | None]:
        """Why each text got no language, of texts that got none.

        `no script of ours`: it is written in one that no language of the model has; `romanised` or `code`: it reads
        like a language in the wrong letters, or like none; `too little`: nothing to go by, or names, or several
        languages that are equally likely.
        """
        best, scripts = self.table_.classes_of(rows.data, rows.offsets)
        reasons: list[str | None] = []
        for row, number, script in zip(rows, best.tolist(), scripts.tolist(), strict=True):
            tag = self.classes_[number].tag if number >= 0 else ""
            strange = number < 0 and (script >= 0 or _has_letters(row))
            known = script >= 0 and self.table_.first[script] < self.table_.first[script + 1]
            reason = "no script of ours" if strange and not known else tag.removeprefix(NO_LANGUAGE)
            if reason == "romanised" and _NAME_OF_A_FILE.search(row):
                reason = "code"
            reasons.append(reason if reason in REASONS else REASONS[0])
        return reasons

    def explain(self, row: bytes) -> list[Contribution]:
        """What each known feature said, the bias as `(prior)`, and the script as `(script)` where a language is not
        written in it; the weights of a language sum to its score."""
        script, vectors, length = self._vectors(row)
        classes = self._classes(row)
        if script is None or classes is None:
            return []
        first, scores = classes
        best: dict[int, int] = {}
        for number, score in enumerate(scores, first):
            column = int(self.table_.column[number])
            if column not in best or score > scores[best[column] - first]:
                best[column] = number
        shown = [column for column in best if column < len(self.languages_)]
        chosen = self.table_.weights[:, [best[column] for column in shown]] * _scale(vectors)
        total: dict[str, NDArray[np.float64]] = {}
        for name, half, vector in vectors:
            total[name] = total.get(name, np.zeros(len(self.languages_)))
            total[name][shown] += half * vector @ chosen
        listed = self._listed(row)
        columns = {best[column]: column for column in shown}
        for name, half, entries in listed:
            values = total.setdefault(name, np.zeros(len(self.languages_)))
            for number, steps in zip(self.table_.words.classes[entries], self.table_.word_steps[entries], strict=True):
                if int(number) in columns:
                    values[columns[int(number)]] += float(half * int(steps)) * float(self._share(listed))
        outside = np.full(len(self.languages_), OUTSIDE)
        outside[shown] = 0
        bias = np.zeros(len(self.languages_))
        bias[shown] = self.table_.bias_by_length[length, [best[column] for column in shown]]
        lost = np.zeros(len(self.languages_))
        lost[shown] = -veto(self.table_, heard(row))[[best[column] for column in shown]]
        weights = {name: values.tolist() for name, values in total.items()} | {"(script)": outside.tolist()}
        if lost.any():
            weights["(letters)"] = lost.tolist()
        return explained(self.languages_, weights, bias.tolist())

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The rows of the known features, which features they belong to, and the weights of the classes."""
        table = self.table_
        known = np.flatnonzero(table.index)
        arrays: Arrays = {
            "buckets": known[np.argsort(table.index[known], kind="stable")].astype(np.uint32),
            "rows": table.rows,
            "weights": table.weights,
            "bias": table.bias_by_length,
            "word_keys": table.words.keys,
            "word_sizes": table.words.sizes,
            "word_classes": table.words.classes,
            "said": table.word_steps,
            "letters": table.letters.arrays[0],
            "lacking": table.letters.arrays[1],
        }
        return {
            "bits": BITS,
            "looks": [table.named, table.coded],
            "slope": self.slope_,
            "step": table.step,
            "classes": [list(row) for row in self.classes_],
        }, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The table again."""
        try:
            if header["bits"] != BITS:
                raise ValueError("other tables than these")
            self.classes_ = tuple(TextClass(*row) for row in header["classes"])
            named, coded = header["looks"]
            self.looks_ = float(named), float(coded)
            buckets, rows, weights, bias = (arrays[name] for name in ("buckets", "rows", "weights", "bias"))
            words = WordList(*(arrays[name] for name in ("word_keys", "word_sizes", "word_classes")))
            letters = StrangeLetters.from_arrays(arrays["letters"], arrays["lacking"], len(self.classes_))
            self.table_ = self._table(
                buckets, rows, weights, bias, words, arrays["said"], float(header["step"]), letters
            )
            self.slope_ = float(header["slope"])
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise BadModel("is damaged: its tables do not fit each other") from error
        return self


#: Why there is no language: what is said of texts that have none.
REASONS: Sequence[str] = ("too little", "no script of ours", "romanised", "code")


def _scale(known: list[tuple[str, int, NDArray[np.int64]]]) -> np.float32:
    """What half a feature is worth among these."""
    root = np.sqrt(np.float32(0.5) * np.float32(sum(half for _, half, _ in known) or 2))
    return np.float32(np.float32(0.5) / (root * np.sqrt(root)))


def _has_letters(row: bytes) -> bool:
    return any(letter.isalpha() for letter in row[:1000].decode("utf-8", "ignore"))
