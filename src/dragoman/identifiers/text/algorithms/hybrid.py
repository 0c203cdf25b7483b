"""The hybrid: hidden Markov models, ranked n-grams and cosines together, weighted by what held-out text says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.calibration import best_temperature
from dragoman.identifiers.classifier import (
    Arrays,
    Classifier,
    Labels,
    batch,
    encode_labels,
    joined_states,
    restored_member,
)
from dragoman.types import Scores

#: Lengths of the held-out pieces in characters, in turn: the sentences of the HMM paper have 20 to 200.
PIECES = (25, 40, 60, 100, 160)
#: Weights are multiples of 1 / STEPS before scaling.
STEPS = 10


class Hybrid(Classifier):
    """sum over members of weight x score: the hybrid that the HMM paper suggests (sections 4.2 and 5) and leaves open.

    The members' scores have scales of their own. The training text is cut into pieces of 25 to 160 characters and
    dealt into `folds`; each fold is scored by members trained on the others. There every member gets the temperature
    that makes its scores the best probabilities, and of the mixtures of these (steps of a tenth) the one with the least
    log loss is kept: a product of experts, linear in the scores. Then the members are trained on everything.
    A member that has no score for a text stays out of the sum; no score where none has one.
    Cost: that of the members, `folds` + 1 times in training.

    >>> texts = ["das wetter ist schön heute und morgen", "the weather is fine today and tomorrow"] * 5
    >>> Hybrid().fit(texts, ["de", "en"] * 5).predict(["the water is fine", "das ist nicht schön"])
    ['en', 'de']
    """

    algorithm: ClassVar[str] = "hybrid"
    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)

    def __init__(self, members: Sequence[str] = ("hmm", "rank-order", "fisher-cosine"), folds: int = 3) -> None:
        self.members = tuple(members)
        self.folds = folds

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Weigh the members on held-out pieces, then train them on everything."""
        if not self.members or len(set(self.members)) < len(self.members):
            raise UsageError(f"Give each member once, as in hmm, rank-order; not {', '.join(self.members)}")
        if self.folds < 2:
            raise UsageError(f"Folds must be 2 or more, not {self.folds}")
        made = self._made()
        for spec, member in made.items():
            if member.reads != self.reads:
                raise UsageError(f"'{spec}' reads {member.reads}, not text: it cannot be a member")
        rows = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(rows))
        names = np.array([*self.languages_, None], dtype=object)[truth]
        self.weights_ = self._weigh(rows, names)
        self.members_ = {spec: member.fit(rows, names) for spec, member in made.items()}
        self.notes_ = {"weights": dict(zip(self.members, self.weights_, strict=True))}
        return self

    def _made(self) -> dict[str, Classifier]:
        from dragoman.identifiers.algorithms import make_spec

        return {spec: make_spec(spec) for spec in self.members}

    def _weigh(self, rows: ByteColumn, names: NDArray[Any]) -> tuple[float, ...]:
        """The members' weights; equal ones where the text is too little to hold some out."""
        cut = [(piece, name) for row, name in zip(rows, names, strict=True) if name for piece in pieces(row)]
        fold = np.arange(len(cut)) % self.folds
        texts, labels = [piece for piece, _ in cut], np.array([name for _, name in cut], dtype=object)
        index = {name: number for number, name in enumerate(self.languages_)}
        by_member: dict[str, list[NDArray[np.float32]]] = {spec: [] for spec in self.members}
        truth: list[NDArray[np.int64]] = []
        for number in range(self.folds):
            inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            try:
                encode_labels(labels[inside], len(inside), self.languages_)
            except BadTable:
                return tuple(1.0 for _ in self.members)
            held = [texts[i] for i in outside]
            for spec, member in self._made().items():
                # The members join a language's rows again, so pieces train as well as whole texts do.
                member.fit([texts[i] for i in inside], labels[inside])
                by_member[spec].append(member.scores(held).matrix)
            truth.append(np.array([index[name] for name in labels[outside]], np.int64))
        return mixture([np.concatenate(matrices) for matrices in by_member.values()], np.concatenate(truth))

    def scores(self, inputs: Any) -> Scores:
        """The members' scores, weighted and added."""
        rows = batch(inputs)
        return Scores(self.languages_, self._joined([member.scores(rows).matrix for member in self.members_.values()]))

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one text."""
        matrices = [np.array([member.plain_scores(row)], np.float32) for member in self.members_.values()]
        return [float(value) for value in self._joined(matrices)[0]]

    def _joined(self, matrices: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        total = np.zeros(matrices[0].shape, np.float64)
        silent = np.ones(len(total), np.bool_)
        for weight, matrix in zip(self.weights_, matrices, strict=True):
            missing = np.asarray(np.isnan(matrix).any(axis=1), np.bool_)
            silent &= missing
            total += weight * np.where(missing[:, None], 0.0, matrix.astype(np.float64))
        total[silent] = math.nan
        return total.astype(np.float32)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The weights, and the members' states side by side."""
        headers, arrays = joined_states(self.members_.values())
        return {"weights": list(self.weights_), "parts": headers}, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The members again."""
        self.weights_ = tuple(float(weight) for weight in header["weights"])
        made = self._made()
        if len(self.weights_) != len(made) or len(header["parts"]) != len(made):
            raise ValueError("weights that do not fit the members")
        for number, (member, state) in enumerate(zip(made.values(), header["parts"], strict=True)):
            restored_member(member, self.languages_, number, state, arrays)
        self.members_ = made
        return self


def pieces(row: bytes) -> Iterator[bytes]:
    """The text cut at spaces into pieces of the lengths of PIECES, in turn; a rest that is too short is left out.

    >>> [len(piece) for piece in pieces(b"word " * 30)]
    [24, 39, 59, 24]
    """
    start, turn = 0, 0
    while start < len(row):
        length = PIECES[turn % len(PIECES)]
        end = len(row) if start + length >= len(row) else row.rfind(b" ", start, start + length)
        if end <= start:  # a word longer than the piece
            end = start + length
        if (piece := row[start:end].strip()) and len(piece) * 2 >= PIECES[0]:
            yield piece
        start, turn = end + 1, turn + 1


def mixture(matrices: Sequence[NDArray[np.float32]], truth: NDArray[np.int64]) -> tuple[float, ...]:
    """The weights of the members with the least log loss on labelled rows that every member has scored."""
    known = ~np.any([np.isnan(matrix).any(axis=1) for matrix in matrices], axis=0)
    if not known.any():
        return tuple(1.0 for _ in matrices)
    right = truth[known]
    scored = [matrix[known].astype(np.float64) for matrix in matrices]
    names = tuple(map(str, range(scored[0].shape[1])))
    scale = [1 / best_temperature(Scores(names, matrix.astype(np.float32)), right) for matrix in scored]
    best, weights = math.inf, tuple(scale)
    for parts in product(range(STEPS + 1), repeat=len(scored)):
        if sum(parts) != STEPS:
            continue
        tried = [part / STEPS * own for part, own in zip(parts, scale, strict=True)]
        total = sum(weight * matrix for weight, matrix in zip(tried, scored, strict=True))
        joint = np.asarray(total, np.float32)
        sharp = 1 / best_temperature(Scores(names, joint), right)
        loss = log_loss(joint.astype(np.float64) * sharp, right)
        if loss < best - 1e-9:
            best, weights = loss, tuple(weight * sharp for weight in tried)
    return weights


def log_loss(scaled: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """The mean of -log of the right language's probability."""
    level = scaled - scaled.max(axis=1, keepdims=True)
    return float(np.mean(np.log(np.exp(level).sum(axis=1)) - level[np.arange(len(truth)), truth]))
