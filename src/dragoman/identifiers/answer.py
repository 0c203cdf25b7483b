"""Scores become answers: a language or none, a probability, and on request the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import AnswerColumns, ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers import calibration
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.operating import OperatingPoint, default_threshold, lacks_language
from dragoman.languages import PRESETS, normalise
from dragoman.types import Contribution, Language, Prediction, Scores

#: Rows that are scored at a time: enough to keep the kernel busy, few enough that scores stay small.
ROWS = 1 << 15

#: Languages whose contributions are told, unless somebody asks for the K likeliest.
REASONS = 3

#: The preset that stands for all languages of a model.
ALL = "default"

#: Where the languages to choose from have less probability than this together, too few digits of it are left.
_FAINT = 1e-30


@dataclass(frozen=True, eq=False)
class Answers:
    """One answer per URL: the number of its language in `languages` (-1: none) and its probability (NaN: no evidence).

    `matrix` holds the probabilities of all languages where they were asked for.
    """

    languages: tuple[Language, ...]
    language: NDArray[np.int64]
    probability: NDArray[np.float32]
    matrix: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.language)

    def tags(self) -> list[Language | None]:
        """The languages as Python values."""
        return self.columns().tags()

    def columns(self, extra: Mapping[str, Sequence[Any]] | None = None) -> AnswerColumns:
        """The answers as columns of a table, and `extra` ones beside them."""
        return AnswerColumns(self.languages, self.language, self.probability, extra or {})

    def rows(self, part: slice) -> Answers:
        """The answers to some rows."""
        matrix = None if self.matrix is None else self.matrix[part]
        return Answers(self.languages, self.language[part], self.probability[part], matrix)

    def with_rows(self, rows: Sequence[int], others: Answers) -> Answers:
        """The same with other answers to these rows."""
        language, probability = self.language.copy(), self.probability.copy()
        language[rows], probability[rows] = others.language, others.probability
        matrix = None if self.matrix is None else self.matrix.copy()
        if matrix is not None:
            matrix[rows] = others.matrix
        return Answers(self.languages, language, probability, matrix)

    def above(self, threshold: float | None) -> Answers:
        """The same without the languages that are less likely than this."""
        if threshold is None:
            return self
        language = np.where(self.probability >= threshold, self.language, -1)
        return Answers(self.languages, language, self.probability, self.matrix)

    def arrow(self) -> tuple[Any, Any]:
        """(language, probability) as Arrow columns, null where there is no answer."""
        language, probability = self.columns().arrow().values()
        return language, probability

    def top(self, row: int, k: int) -> dict[Language, float]:
        """The k likeliest languages of a row and their probabilities; empty where there was no evidence."""
        if self.matrix is None or np.isnan(self.probability[row]):
            return {}
        values = self.matrix[row]
        order = np.argsort(-values, kind="stable")[:k].tolist()
        return {self.languages[column]: round(float(values[column]), 6) for column in order}


def answer(
    model: Classifier,
    urls: ByteColumn,
    languages: str | Iterable[str] | None = None,
    threshold: float | None = None,
    threads: int = 1,
    matrix: bool = False,
    point: OperatingPoint | None = None,
) -> Answers:
    """The language and its probability for every URL.

    - Nothing to judge (no web address, or no evidence at all: every language scores the same): no language, NaN.
    - `languages` restricts the choice to some of the model's; probabilities are those among them. One language alone
      leaves no choice and is read as a question: is it this one? Its probability is then among all languages of the
      model, and the answer is no language where another one is likelier.
    - Below `threshold`: no language, but the probability is kept. None is the model's own threshold, if one was
      measured for it (dragoman.identifiers.operating); 0 answers wherever there is evidence.
    - `point` asks for one language at an operating point: yes from its threshold on, even where another language is
      likelier. It goes without `languages` and `threshold`.
    """
    if point is not None and (languages is not None or threshold is not None):
        raise UsageError("An operating point has its own language and threshold: give no others beside it")
    chosen = choice(model, languages)
    check_threshold(threshold)
    if point is None and threshold is None:
        threshold = default_threshold(model)
    bounds = range(0, len(urls), ROWS)
    parts = [urls.slice(start, min(start + ROWS, len(urls))) for start in bounds] or [urls]

    def judge(part: ByteColumn) -> Answers:
        if point is not None:
            return _at_point(model, part, point, matrix)
        return _judge(model, part, chosen, threshold, matrix)

    if threads > 1 and len(parts) > 1:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            judged = list(pool.map(judge, parts))
    else:
        judged = [judge(part) for part in parts]
    if len(judged) == 1:
        return judged[0]
    return Answers(
        judged[0].languages,
        np.concatenate([part.language for part in judged]),
        np.concatenate([part.probability for part in judged]),
        np.concatenate([part.matrix for part in judged if part.matrix is not None]) if matrix else None,
    )


def _judge(
    model: Classifier, urls: ByteColumn, chosen: tuple[Language, ...] | None, threshold: float | None, keep: bool
) -> Answers:
    if chosen == model.languages_ and len(chosen) > 1:
        chosen = None  # all of them is no restriction, and goes the fast way
    several = chosen is not None and len(chosen) > 1
    if not keep and (chosen is None or (several and model.chooses)):
        likeliest, certain = model.best(urls, chosen) if chosen else model.best(urls)
        passed = likeliest if threshold is None else np.where(certain >= threshold, likeliest, -1)
        return Answers(chosen or model.languages_, passed.astype(np.int64), certain)
    if chosen is not None and len(chosen) == 1:
        return _question(model, urls, chosen[0], threshold, keep)
    languages = model.languages_ if chosen is None else chosen
    matrix, best = _probabilities(model, urls, languages)
    rows = np.flatnonzero(best >= 0)
    probability = np.full(len(best), np.nan, np.float32)
    probability[rows] = matrix[rows, best[rows]]
    if chosen is None and len(rows):  # what is missing to 1 is text in no language: it may be the likeliest
        best = np.where(1 - matrix.sum(axis=1) > probability, -1, best)
    if threshold is not None:
        best = np.where(probability >= threshold, best, -1)
    return Answers(languages, best, probability, matrix if keep else None)


def _question(model: Classifier, urls: ByteColumn, language: Language, threshold: float | None, keep: bool) -> Answers:
    """Is it this language, rather than any other?"""
    likeliest, probability = model.question(urls, language)
    return _yes_or_no(language, likeliest & (probability >= (threshold or 0)), probability, keep)


def _at_point(model: Classifier, urls: ByteColumn, point: OperatingPoint, keep: bool) -> Answers:
    """Is it likely enough to be this language?"""
    tags = choice(model, [point.language])
    assert tags is not None
    _, probability = model.question(urls, tags[0])
    return _yes_or_no(tags[0], probability >= point.threshold, probability, keep)


def _yes_or_no(language: Language, yes: NDArray[np.bool_], probability: NDArray[np.float32], keep: bool) -> Answers:
    return Answers((language,), np.where(yes, 0, -1), probability, probability[:, None] if keep else None)


def _probabilities(
    model: Classifier, urls: ByteColumn, languages: tuple[Language, ...]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The probabilities among these languages and the likeliest of them; -1 and a row of NaN where nothing speaks."""
    matrix = np.array(model.probabilities(urls), np.float32)
    if languages != model.languages_:
        matrix = _among(model, urls, matrix, languages)
    best = Scores(languages, matrix).best
    silent = (best < 0) | np.isnan(matrix).any(axis=1)
    matrix[silent] = np.nan
    return matrix, np.where(silent, -1, best)


def _among(
    model: Classifier, urls: ByteColumn, matrix: NDArray[np.float32], languages: tuple[Language, ...]
) -> NDArray[np.float32]:
    """The probabilities of some languages if it is one of them: their ratios stay, and they sum to 1."""
    part = matrix[:, [model.languages_.index(tag) for tag in languages]].astype(np.float64)
    total = part.sum(axis=1)
    faint = np.flatnonzero(total < _FAINT)
    with np.errstate(invalid="ignore", divide="ignore"):
        probabilities: NDArray[np.float32] = (part / total[:, None]).astype(np.float32)
    if len(faint):  # all but impossible, yet asked for: the scores still say which of them is the likeliest
        scores = model.scores(urls.take(faint)).restricted(languages)
        probabilities[faint] = calibration.probabilities(scores, model.temperature_)
    return probabilities


def choice(model: Classifier, languages: str | Iterable[str] | None) -> tuple[Language, ...] | None:
    """The languages to choose from, as tags, each once; UsageError for one that the model does not have.

    They may be given as a text (`"en,de"`), and as presets: `five` for the URL paper's, `default` for all that the
    model has.
    """
    if languages is None:
        return None
    tags: dict[Language, str] = {}  # each with what was given for it
    for item in languages.split(",") if isinstance(languages, str) else languages:
        given = str(item).strip()
        if given in model.languages_:
            tags[given] = given
        elif given.lower() in (ALL, "all"):
            tags |= dict.fromkeys(model.languages_, given)
        elif given or not isinstance(languages, str):
            tags |= dict.fromkeys(PRESETS.get(given.lower()) or (normalise(given),), given)
    if not tags:
        raise UsageError("Give at least one language to choose from, or none to choose from all")
    for tag, given in tags.items():
        if tag not in model.languages_:
            raise UsageError(lacks_language(model, tag, given))
    return tuple(tags)


def check_threshold(threshold: float | None) -> None:
    """UsageError unless the threshold is a probability."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"A threshold is a probability from 0 to 1, not {threshold}")


def predictions(
    model: Classifier,
    urls: ByteColumn,
    languages: str | Iterable[str] | None = None,
    threshold: float | None = None,
    threads: int = 1,
    top: int = 0,
    explain: bool = False,
    point: OperatingPoint | None = None,
) -> list[Prediction]:
    """The answers for people: one Prediction per URL, with the `top` likeliest languages and what decided, if asked.

    What decided is told for the `top` likeliest languages, or for three (see `reasons`).

    >>> from dragoman.identifiers.url.algorithms.cctld import CountryCode
    >>> predictions(CountryCode.ready(), ByteColumn.of(["http://a.de/"]))[0].language
    'de'
    """
    if top < 0:
        raise UsageError(f"The likeliest languages are 0 or more of them, not {top}: give another top")
    answers = answer(model, urls, languages, threshold, threads, matrix=top > 0 or explain, point=point)
    values = answers.probability.astype(np.float64).tolist()
    outcomes = outcomes_of(model, urls, answers)
    return [
        Prediction(
            tag,
            None if value != value else value,
            answers.top(row, top) if top else {},
            reasons(model, urls[row], answers, row, top) if explain else (),
            outcomes.get(row),
        )
        for row, (tag, value) in enumerate(zip(answers.tags(), values, strict=True))
    ]


def outcomes_of(model: Classifier, rows: ByteColumn, answers: Answers) -> dict[int, str | None]:
    """Why there is no language, for each row that got none, by its number."""
    silent = np.flatnonzero(answers.language < 0)
    return dict(zip(silent.tolist(), model.outcomes(rows.take(silent)) if len(silent) else (), strict=True))


def reasons(model: Classifier, url: bytes, answers: Answers, row: int, top: int = 0) -> tuple[Contribution, ...]:
    """What spoke for and against the `top` likeliest languages (0: three) of a row: the likeliest first, each by size.

    `answers` must have been asked for with their matrix.
    """
    languages = tuple(answers.top(row, top or REASONS))
    return tuple(sorted(contributions(model, url, languages), key=lambda part: languages.index(part.language)))


def contributions(model: Classifier, url: bytes, languages: Sequence[Language]) -> tuple[Contribution, ...]:
    """What spoke for or against these languages in one URL, largest first; nothing where nothing could be scored."""
    if np.isnan(model.scores(ByteColumn.from_rows([url])).matrix).all():
        return ()
    return tuple(part for part in model.explain(url) if part.language in languages and part.weight)
