"""The test sets with everything that the model says about them: what all parts of the judgement start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from targets import UNSEEN

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import Corpus, UrlSet, load_corpus
from dragoman.evaluate.strata import Strata, strata
from dragoman.identifiers.calibration import probabilities
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import FIVE
from dragoman.tables.labelled.reading import read_labelled

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def stated_probabilities(model: Classifier, urls: ByteColumn) -> Floats:
    """The model's calibrated probabilities of all its languages; a row of NaN where it has nothing to judge by."""
    own: Any = getattr(model, "probabilities", None)
    matrix = own(urls) if own is not None else probabilities(model.scores(urls), model.temperature_)
    return np.asarray(getattr(matrix, "matrix", matrix), np.float64)


@dataclass(frozen=True, eq=False)
class Answered:
    """A test set and the model's answers: `truth` numbers all languages, the model's own first."""

    test: UrlSet
    languages: tuple[str, ...]
    known: int
    probability: Floats
    best: Ints
    five_best: Ints

    @property
    def name(self) -> str:
        """The set's name."""
        return self.test.name

    @property
    def judge(self) -> Bools:
        """The rows on which claims are made."""
        return self.test.judge

    @cached_property
    def certain(self) -> Floats:
        """The probability of the likeliest language; NaN where there is no answer."""
        return np.asarray(self.probability.max(axis=1))

    @cached_property
    def right(self) -> Bools:
        """True where the likeliest language is the row's."""
        return np.asarray((self.best == self.test.truth) & (self.best >= 0))

    @cached_property
    def five_truth(self) -> Ints:
        """The row's place among the five languages; -1 for the others."""
        return np.asarray(_five_places(self.languages)[self.test.truth])

    @cached_property
    def five_probability(self) -> Floats:
        """Probabilities of the five languages as if there were no others."""
        part = self.probability[:, [self.languages.index(tag) for tag in FIVE]]
        total = part.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(part, total, out=np.full_like(part, 1 / len(FIVE)), where=total > 0))

    @cached_property
    def five_said(self) -> Bools:
        """The likeliest of the five languages, as one yes per row."""
        return measures.one_hot(self.five_best, len(FIVE))

    @cached_property
    def strata(self) -> Strata:
        """The rows by kind of URL."""
        return strata(self.test.urls, self.test.unseen)


@dataclass(frozen=True, eq=False)
class Material:
    """The data, the model, and its answers by test set."""

    corpus: Corpus
    model: Classifier
    sets: dict[str, Answered]

    def places(self) -> Iterator[tuple[str, Answered, Bools]]:
        """(name, set, rows): every test set, and the unseen sites of the crawl."""
        for name, one in self.sets.items():
            yield name, one, np.ones(len(one.test), np.bool_)
        if "crawl" in self.sets:
            yield UNSEEN, self.sets["crawl"], self.sets["crawl"].test.unseen

    def five_corpus(self) -> Corpus:
        """The same data with the columns of the five languages alone, as the study of 2008 takes it."""
        place, corpus = _five_places(self.corpus.languages), self.corpus
        train = corpus.train.take(np.flatnonzero(place[corpus.train.truth] >= 0))
        return Corpus(
            languages=FIVE,
            train=replace(train, truth=place[train.truth]),
            tests={name: replace(test, truth=place[test.truth]) for name, test in corpus.tests.items()},
            digests=corpus.digests,
        )


def _five_places(languages: tuple[str, ...]) -> Ints:
    """The number of each language among the five, -1 for the others; the last entry answers for rows without one."""
    return np.array([*(FIVE.index(tag) if tag in FIVE else -1 for tag in languages), -1], np.int64)


def load(folder: Path, model: Classifier, cap: int, half: str = "judge") -> Material:
    """Read the data and ask the model; languages that it does not have count too, as ones it always misses.

    With `half` "tune" everything below is told of the tuning halves: for choosing, with the figures of the judgement.
    """
    labels = {
        str(tag)
        for path in sorted(folder.glob("dev_*.parquet"))
        for tag in read_labelled(path).languages.tolist()
        if tag is not None
    }
    languages = (*model.languages_, *sorted(labels - set(model.languages_)))
    corpus = load_corpus(folder, languages, cap=cap)
    if half == "tune":
        tests = {name: replace(test, judge=~test.judge) for name, test in corpus.tests.items()}
        corpus = replace(corpus, tests=tests)
    return Material(corpus, model, {name: _ask(model, test, languages) for name, test in corpus.tests.items()})


def _ask(model: Classifier, test: UrlSet, languages: tuple[str, ...]) -> Answered:
    scores = model.scores(test.urls)
    return Answered(
        test=test,
        languages=languages,
        known=len(model.languages_),
        probability=stated_probabilities(model, test.urls),
        best=scores.best,
        five_best=scores.restricted(FIVE).best,
    )
