"""The algorithm `hmm`: one hidden Markov model per language, and the best path's log probability as the score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch, encode_labels, rows_by_language
from dragoman.identifiers.text.algorithms.hmm import exponents as weighing
from dragoman.identifiers.text.algorithms.hmm import viterbi
from dragoman.identifiers.text.algorithms.hmm.kinds import kinds
from dragoman.identifiers.text.algorithms.hmm.model import Model, Shape, train
from dragoman.identifiers.text.algorithms.hmm.streams import DELTAS, batch_observations, chosen, observations, starts
from dragoman.identifiers.text.algorithms.hmm.symbols import PAPER, PERIOD, SPACE, Alphabet, batch_symbols, symbols
from dragoman.identifiers.text.clean import Rules, clean
from dragoman.kernels import hmm as kernel
from dragoman.types import Scores

Cells = NDArray[np.int32]

ALPHABETS = ("script", "latin-1")
CLEANING = ("paper", "none")
EXPONENTS = ("equal", "learnt", "tuned")
#: What comes before a text: nothing, as in the paper, or the end of another sentence.
STARTS = {"paper": (), "sentence": (PERIOD, SPACE)}
#: What is done to a text of which the paper's cleaning leaves nothing: an address alone is still read.
_LIGHT = Rules(mail=False, urls=False, acronyms=False, stop_list=frozenset(), names=False)
#: Rows that are decoded at once.
_AT_ONCE = 2048


class Hmm(Classifier):
    """log P(best path through the language's model), less the mean of the languages, over the root of the length.

    "Language identification in web documents using discrete HMMs" (Xafopoulos and others, 2004), section 3. Every
    language has one model, trained on its rows joined into one text (a period behind each) that is cut into
    `sequences` equal parts; a text goes to the model with the best Viterbi path. `streams` names the observations
    (text.algorithms.hmm.streams), weighted by `exponents`: "equal", "learnt" (on held-out training text), "tuned" (s
    and
    d0 count twice), or numbers. Streams are not independent, so their product is a score and no probability: the root
    of the length, by which it is divided, keeps the scores of short and long texts comparable and changes no decision.

    Departures, which `Hmm.paper()` takes back: in the topology "letters" the three states are no thirds of the training
    text but begin as spaces, vowels and consonants, and every state follows every other (worth three points on
    sentences of 20 to 100 characters with the paper's own streams); exponents are "tuned", and sum in that topology to
    half the number of streams instead of to 1, so that transitions do not outweigh the letters; `start="sentence"`
    takes the first differences from a period and a space instead of from 0, whose cells training sees once and every
    test sentence needs six times (worth half a point); `alphabet="script"` adds symbols for letters outside Latin-1.
    Offered besides: `deltas="successive"` and other numbers of states.

    At most `most` characters of a row are read. A row has no score if it has no letter, or fewer symbols than the
    topology needs: 3 with three states from left to right, 1 with "letters".
    Cost per symbol: languages x states x (states + streams).

    >>> texts = ["das wetter ist schön heute", "the weather is fine today", "le temps est beau"]
    >>> Hmm(states=1).fit(texts, ["de", "en", "fr"]).predict(["the water is fine", "das ist nicht schön"])
    ['en', 'de']
    """

    algorithm: ClassVar[str] = "hmm"
    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)

    def __init__(
        self,
        streams: str = "s&d0&d1&d2",
        states: int = 3,
        topology: str = "letters",
        sequences: int = 1,
        deltas: str = "lag",
        exponents: str | Sequence[float] = "tuned",
        start: str = "sentence",
        floor: float = 0.1,
        rounds: int = 20,
        baum_welch: int = 0,
        alphabet: str = "script",
        cleaning: str = "paper",
        most: int = 100_000,
    ) -> None:
        self.streams = streams
        self.states = states
        self.topology = topology
        self.sequences = sequences
        self.deltas = deltas
        self.exponents = exponents if isinstance(exponents, str) else tuple(exponents)
        self.start = start
        self.floor = floor
        self.rounds = rounds
        self.baum_welch = baum_welch
        self.alphabet = alphabet
        self.cleaning = cleaning
        self.most = most

    @classmethod
    def paper(cls, **params: Any) -> Hmm:
        """With the paper's choices: left-right, equal exponents, its values at the start, its symbols, one sequence."""
        return cls(**{"topology": "left-right", "exponents": "equal", "start": "paper", "alphabet": "latin-1"} | params)

    def _check(self) -> None:
        """UsageError for parameters that no model can have."""
        names = chosen(self.streams)
        for kind, given, known in (
            ("alphabet", self.alphabet, ALPHABETS),
            ("cleaning", self.cleaning, CLEANING),
            ("kind of differences", self.deltas, DELTAS),
            ("start", self.start, tuple(STARTS)),
        ):
            if given not in known:
                raise UnknownName(kind, given, known)
        if not 1 <= self.states <= 64 or self.sequences < 1 or self.most < 1:
            raise UsageError(f"States must be 1 to 64, sequences and most 1 or more, not {self.states}, "
                             f"{self.sequences}, {self.most}")  # fmt: skip
        if not self.floor > 0:
            raise UsageError(f"The floor must be above 0, not {self.floor}: a letter that was never seen can come")
        if isinstance(self.exponents, str):
            if self.exponents not in EXPONENTS:
                raise UsageError(
                    f"Exponents are {', '.join(EXPONENTS)} or one number per stream, not '{self.exponents}'"
                )
        elif len(self.exponents) != len(names) or min(self.exponents) < 0 or sum(self.exponents) <= 0:
            raise UsageError(f"{self.streams} needs {len(names)} exponents of 0 or more, not {self.exponents}")
        Shape(self.states, self.topology, (0, 1)).allowed()

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Train a model of each language."""
        self._check()
        rows = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(rows))
        if len(self.languages_) * self.states > kernel.WIDTH_LIMIT:
            raise UsageError(f"{len(self.languages_)} languages of {self.states} states are more than "
                             f"{kernel.WIDTH_LIMIT} states: give fewer")  # fmt: skip
        groups = rows_by_language(truth, len(self.languages_))
        texts = [[self._text(rows[int(row)]) for row in group] for group in groups]
        self.alphabet_ = Alphabet.of(t for group in texts for t in group) if self.alphabet == "script" else PAPER
        self.shape_ = Shape(self.states, self.topology, self._starts())
        sequences = [joined([symbols(text, self.alphabet_) for text in group]) for group in texts]
        names = chosen(self.streams)
        total = len(names) / 2 if self.topology == "letters" else 1.0
        self.exponents_: tuple[float, ...] = tuple(total / len(names) for _ in names)
        if self.exponents == "learnt":
            self.exponents_ = weighing.learnt(sequences, self._models, self._cells, self.shape_, total)
        elif self.exponents == "tuned":
            self.exponents_ = weighing.tuned(names, total)
        elif not isinstance(self.exponents, str):
            self.exponents_ = tuple(float(exponent) for exponent in self.exponents)
        self._keep(self._models(sequences, self.exponents_))
        self.notes_ = {}
        return self

    def _starts(self) -> tuple[int, ...]:
        return tuple(starts(self.streams, self.alphabet_.size, self.deltas).tolist())

    def _models(self, texts: Sequence[NDArray[np.int32]], weights: Sequence[float]) -> list[Model]:
        """A model of each language's symbols, cut into sequences of virtually equal length."""
        state = kinds(self.alphabet_, self.states) if self.topology == "letters" else None
        models = []
        for sequence in texts:
            parts = np.array_split(sequence, self.sequences)
            first = None if state is None else [state[part] for part in parts]
            cells = [self._cells(part) for part in parts]
            models.append(train(cells, self.shape_, weights, self.floor, self.rounds, self.baum_welch, first))
        return models

    def _keep(self, models: Sequence[Model]) -> None:
        self.models_ = list(models)
        self.table_, self.moves_ = tables(models, self.shape_, self.exponents_)

    def _text(self, row: bytes) -> str:
        """A row as clean text; where cleaning leaves nothing, as it is."""
        text = row.decode("utf-8", "replace")[: self.most]
        if self.cleaning == "none":
            return text
        return _clean_short(text) if len(text) <= _SHORT else _clean(text)

    def _cells(self, sequence: NDArray[np.int32]) -> Cells:
        """The observations as rows of the table."""
        before = STARTS[self.start] if len(sequence) else ()
        values = observations(sequence, self.streams, self.alphabet_.size, self.deltas, before)
        return np.ascontiguousarray(values - 1 + np.array(self.shape_.starts[:-1], np.int32), np.int32)

    def _row(self, row: bytes) -> Cells:
        """The observations of one row; none where it has no letter."""
        sequence = symbols(self._text(row), self.alphabet_)
        silent = not np.any((sequence != SPACE) & (sequence != PERIOD))
        return self._cells(sequence[:0] if silent else sequence)

    def scores(self, inputs: Any) -> Scores:
        """The compiled loops over some rows at a time."""
        rows = batch(inputs)
        out = np.empty((len(rows), len(self.languages_)), np.float32)
        for start in range(0, len(rows), _AT_ONCE):
            part = [self._text(row) for row in rows.slice(start, min(start + _AT_ONCE, len(rows)))]
            values, offsets = batch_symbols(part, self.alphabet_)
            cells = batch_observations(
                values, offsets, self.streams, self.alphabet_.size, self.deltas, STARTS[self.start]
            )
            cells = np.ascontiguousarray(cells - 1 + np.array(self.shape_.starts[:-1], np.int32), np.int32)
            paths = kernel.scores(cells, offsets, self.table_, self.moves_)
            letters = np.concatenate([[0], np.cumsum((values != SPACE) & (values != PERIOD))])
            paths[letters[offsets[1:]] == letters[offsets[:-1]]] = -np.inf
            out[start : start + len(part)] = comparable(paths, np.diff(offsets))
        return Scores(self.languages_, out)

    def plain_scores(self, row: bytes) -> list[float]:
        """One text, symbol by symbol."""
        cells = self._row(row)
        paths = viterbi.plain_scores(cells, self.table_, self.moves_)
        return [float(score) for score in comparable(np.array([paths]), np.array([len(cells)]))[0]]

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Emissions and transitions as logarithms, the exponents, and the letters beyond the paper's."""
        return {"exponents": list(self.exponents_)}, {
            "emissions": np.stack([model.emissions for model in self.models_]),
            "transitions": np.stack([model.transitions for model in self.models_]),
            "letters": self.alphabet_.letters,
        }

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The models again."""
        self._check()
        letters = np.asarray(arrays["letters"], np.uint32)
        self.alphabet_ = Alphabet(letters)
        self.shape_ = Shape(self.states, self.topology, self._starts())
        self.exponents_ = tuple(float(exponent) for exponent in header["exponents"])
        emissions, transitions = arrays["emissions"], arrays["transitions"]
        n = len(self.languages_)
        if emissions.shape != (n, self.shape_.cells, self.states) or len(self.exponents_) != len(chosen(self.streams)):
            raise ValueError("emissions that do not fit the languages and streams")
        if transitions.shape != (n, self.states, self.states + 1):
            raise ValueError("transitions that do not fit the states")
        if np.any(letters[1:] <= letters[:-1]) or np.isnan(emissions).any() or np.isnan(transitions).any():
            raise ValueError("letters out of order, or numbers that are none")
        self._keep([Model(np.array(e), np.array(t)) for e, t in zip(emissions, transitions, strict=True)])
        return self


def _clean(text: str) -> str:
    return clean(text) or clean(text, _LIGHT)


#: Learning in folds and hybrids clean the same sentences again and again; this keeps some of them.
_SHORT = 1000
_clean_short = lru_cache(maxsize=8192)(_clean)


def joined(texts: Iterable[NDArray[np.int32]]) -> NDArray[np.int32]:
    """The symbols of several texts as one, a period and a space between two, as the paper merges its pages."""
    parts: list[NDArray[np.int32]] = []
    for text in texts:
        if len(text):
            end = [SPACE] if text[-1] == PERIOD else [PERIOD, SPACE]
            parts += [text, np.array(end, np.int32)]
    return np.concatenate(parts)[:-1] if parts else np.empty(0, np.int32)


def tables(
    models: Sequence[Model], shape: Shape, exponents: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(table, moves) of all models, as the loops want them: one row per cell, one column per model and state."""
    table = np.stack([model.table(shape, exponents) for model in models], axis=1)
    return (
        np.ascontiguousarray(table.reshape(shape.cells, len(models) * shape.states)),
        np.ascontiguousarray(np.stack([model.transitions for model in models])),
    )


def comparable(paths: NDArray[np.float64], lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """Log probabilities less the mean of their row, over the root of the length; NaN where a path is missing."""
    mean = np.zeros(len(paths))
    for column in range(paths.shape[1]):  # one after the other: the sum must not depend on the number of rows
        mean += paths[:, column]
    mean /= paths.shape[1]
    roots = np.array([math.sqrt(max(length, 1)) for length in lengths.tolist()])
    with np.errstate(invalid="ignore"):
        scaled = (paths - mean[:, None]) / roots[:, None]
    silent = np.asarray(~np.isfinite(paths).all(axis=1), np.bool_)
    return np.where(silent[:, None], np.nan, scaled).astype(np.float32)
