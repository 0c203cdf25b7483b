"""Scores become answers: a language or none, a probability, and on request the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.languages import normalise
from dragoman.models.calibration import probabilities
from dragoman.models.classifier import Classifier
from dragoman.tables.pieces import Added
from dragoman.types import Contribution, Language, Prediction
from dragoman.url.batch import UrlBatch

#: Rows that are scored at a time: enough to keep the kernel busy, few enough that scores stay small.
ROWS = 1 << 15


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
        return self.added().tags()

    def added(self, extra: Mapping[str, Sequence[Any]] | None = None) -> Added:
        """The answers as what is added to a table."""
        return Added(self.languages, self.language, self.probability, extra or {})

    def arrow(self) -> tuple[Any, Any]:
        """(language, probability) as Arrow columns, null where there is no answer."""
        return self.added().arrow()

    def top(self, row: int, k: int) -> dict[Language, float]:
        """The k likeliest languages of a row and their probabilities; empty where there was no evidence."""
        if self.matrix is None or np.isnan(self.probability[row]):
            return {}
        values = self.matrix[row]
        order = np.argsort(-values, kind="stable")[:k].tolist()
        return {self.languages[column]: round(float(values[column]), 6) for column in order}


def answer(
    model: Classifier,
    urls: UrlBatch,
    languages: Iterable[str] | None = None,
    threshold: float | None = None,
    threads: int = 1,
    matrix: bool = False,
) -> Answers:
    """The language and its probability for every URL.

    - Nothing to judge (no web address, or no evidence at all: every language scores the same): no language, NaN.
    - `languages` restricts the choice to some of the model's; probabilities are those among them. One language alone
      leaves no choice and is read as a question: is it this one? Its probability is then among all languages of the
      model, and the answer is no language where another one is likelier.
    - Below `threshold`: no language, but the probability is kept.
    """
    chosen = choice(model, languages)
    check_threshold(threshold)
    bounds = range(0, len(urls), ROWS)
    parts = [urls.slice(start, min(start + ROWS, len(urls))) for start in bounds] or [urls]

    def judge(part: UrlBatch) -> Answers:
        return _judge(model, part, chosen, threshold, matrix)

    if threads > 1 and len(parts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(judge, parts))
    else:
        found = [judge(part) for part in parts]
    if len(found) == 1:
        return found[0]
    return Answers(
        found[0].languages,
        np.concatenate([one.language for one in found]),
        np.concatenate([one.probability for one in found]),
        np.concatenate([one.matrix for one in found if one.matrix is not None]) if matrix else None,
    )


def _judge(
    model: Classifier, urls: UrlBatch, chosen: tuple[Language, ...] | None, threshold: float | None, keep: bool
) -> Answers:
    if chosen is None and not keep:
        found, certain = model.best(urls)
        passed = found if threshold is None else np.where(certain >= threshold, found, -1)
        return Answers(model.languages_, passed.astype(np.int64), certain)
    scores = model.scores(urls)
    if chosen is not None and len(chosen) > 1:
        scores = scores.restricted(chosen)
    matrix = probabilities(scores, model.temperature_)
    best = scores.best
    silent = (best < 0) | np.isnan(matrix).any(axis=1)
    best = np.where(silent, -1, best)
    matrix[silent] = np.nan
    if chosen is not None and len(chosen) == 1:
        column = scores.languages.index(chosen[0])
        language = np.where(best == column, 0, -1)
        matrix = np.ascontiguousarray(matrix[:, [column]])
        probability = matrix[:, 0].copy()
    else:
        chosen = scores.languages
        language = best
        rows = np.flatnonzero(~silent)
        probability = np.full(len(best), np.nan, np.float32)
        probability[rows] = matrix[rows, best[rows]]
    if threshold is not None:
        language = np.where(probability >= threshold, language, -1)
    return Answers(chosen, language.astype(np.int64), probability, matrix if keep else None)


def choice(model: Classifier, languages: Iterable[str] | None) -> tuple[Language, ...] | None:
    """The languages to choose from, as tags, each once; UsageError for one that the model does not have."""
    if languages is None:
        return None
    if isinstance(languages, str):
        raise UsageError(f"Give a list of languages, not '{languages}'")
    tags = tuple(dict.fromkeys(tag if tag in model.languages_ else normalise(tag) for tag in languages))
    if not tags:
        raise UsageError("Give at least one language to choose from, or none to choose from all")
    for tag in tags:
        if tag not in model.languages_:
            known = ", ".join(model.languages_)
            raise UsageError(f"This model does not have the language '{tag}'. It has: {known}")
    return tags


def check_threshold(threshold: float | None) -> None:
    """UsageError unless the threshold is a probability."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"A threshold is a probability from 0 to 1, not {threshold}")


def predictions(
    model: Classifier,
    urls: UrlBatch,
    languages: Iterable[str] | None = None,
    threshold: float | None = None,
    threads: int = 1,
    top: int = 0,
    explain: bool = False,
) -> list[Prediction]:
    """The answers for people: one Prediction per URL, with the `top` likeliest languages and what decided, if asked.

    >>> from dragoman.models.cctld import CountryCode
    >>> predictions(CountryCode.ready(), UrlBatch.of(["http://a.de/"]))[0].language
    'de'
    """
    found = answer(model, urls, languages, threshold, threads, matrix=top > 0)
    values = found.probability.astype(np.float64).tolist()
    return [
        Prediction(
            tag,
            None if value != value else value,
            found.top(row, top) if top else {},
            contributions(model, urls[row], found.languages) if explain else (),
        )
        for row, (tag, value) in enumerate(zip(found.tags(), values, strict=True))
    ]


def contributions(model: Classifier, url: bytes, languages: Sequence[Language]) -> tuple[Contribution, ...]:
    """What spoke for or against these languages in one URL, largest first; nothing where nothing could be scored."""
    if np.isnan(model.scores(UrlBatch.from_rows([url])).matrix).all():
        return ()
    return tuple(one for one in model.explain(url) if one.language in languages and one.weight)
