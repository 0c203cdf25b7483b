"""Models judged on the rows of a labelled table, and two of them compared row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.columns import ByteColumn, text_of
from dragoman.errors import BadTable
from dragoman.evaluate.judging import Evaluation, answers, evaluate
from dragoman.evaluate.splits import number_sites, sites_of
from dragoman.evaluate.strata import mixed_sites, strata
from dragoman.identifiers.answer import choice
from dragoman.identifiers.classifier import Classifier
from dragoman.measures import Interval
from dragoman.tables.labelled.reading import Labelled
from dragoman.types import Scores


@dataclass(frozen=True, eq=False)
class JudgedModel:
    """A model's scores of the rows that it was judged on, and what came out in each reading."""

    #: Which rows of the table; their true languages as columns of the scores (-1: another), and their sites.
    rows: NDArray[np.int64]
    truth: NDArray[np.int64]
    sites: NDArray[np.int64]
    scores: Scores
    readings: dict[str, Evaluation]


def judge_model(
    model: Classifier,
    name: str,
    labelled: Labelled,
    wanted_rows: NDArray[np.bool_],
    source: str,
    languages: str | None = None,
    open_set: bool = False,
) -> JudgedModel:
    """A model judged on those of the wanted rows that are in its languages (all of them if `open_set`).

    BadTable if there is nothing to judge, with the names of the model and of the table (`source`).
    """
    judged = choice(model, languages) or model.languages_
    column = {language: number for number, language in enumerate(judged)}
    truth = np.array([column.get(label, -1) for label in labelled.languages], np.int64)
    rows = np.flatnonzero(wanted_rows & ((truth >= 0) | open_set))
    truth = truth[rows]
    if not np.any(truth >= 0):
        raise BadTable(f"'{source}' has no URL labelled with a language of '{name}': {', '.join(judged)}")
    if len(np.unique(truth)) < 2:
        only = judged[truth[0]]
        raise BadTable(f"'{source}' has URLs of '{only}' only; judging needs two languages or more (or --open)")
    urls = ByteColumn.of(labelled.urls).take(rows)
    sites = number_sites(labelled.sites[rows]) if labelled.sites is not None else sites_of(urls)
    unseen = None
    if "site_unseen" in labelled.table.column_names:
        unseen = labelled.table["site_unseen"].to_numpy()[rows].astype(bool)
    masks = strata(urls, unseen, mixed_sites(sites, truth, sites))
    scores = model.scores(urls).restricted(judged)
    among = model.probabilities(urls)[:, [model.languages_.index(tag) for tag in judged]]
    with np.errstate(invalid="ignore", divide="ignore"):
        stated = among.max(axis=1) / among.sum(axis=1)
    readings = {
        reading: evaluate(scores, truth, sites, reading, model.temperature_, masks, stated=stated)
        for reading in model.readings
    }
    return JudgedModel(rows, truth, sites, scores, readings)


@dataclass(frozen=True)
class Disagreement:
    """A row to which two models give different answers."""

    url: str
    language: str | None
    first: str | None
    second: str | None

    @property
    def right(self) -> str:
        """Who is right: "first", "second" or "neither"."""
        return {self.first: "first", self.second: "second"}.get(self.language, "neither")


@dataclass(frozen=True)
class Comparison:
    """What the first of two models has more than the second, on the rows and in the languages that both judge."""

    models: tuple[str, str]
    rows: int
    languages: int
    #: Difference of mean F, by reading, and of the share of right answers, with 95 % intervals by whole sites.
    macro_f: dict[str, Interval]
    accuracy: Interval
    disagreements: list[Disagreement]

    def to_json(self) -> dict[str, Any]:
        """The figures as plain values, and all disagreements."""
        figures = {
            "models": list(self.models),
            "rows": self.rows,
            "languages": self.languages,
            "macro_f": self.macro_f,
            "accuracy": self.accuracy,
            "disagreements": [{**vars(row), "right": row.right} for row in self.disagreements],
        }
        plain: dict[str, Any] = measures.plain(figures)
        return plain


def compare(labelled: Labelled, first: tuple[str, JudgedModel], second: tuple[str, JudgedModel]) -> Comparison | None:
    """Two models that were judged, compared row by row; None where they have no row or no language in common."""
    (name, own), (other_name, rival) = first, second
    shared = [tag for tag in own.scores.languages if tag in rival.scores.languages]
    rows, mine, theirs = np.intersect1d(own.rows, rival.rows, assume_unique=True, return_indices=True)
    if not len(rows) or not shared:
        return None
    columns = {own.scores.languages.index(tag): number for number, tag in enumerate(shared)}
    truth = np.array([columns.get(number, -1) for number in own.truth[mine].tolist()], np.int64)
    sites = own.sites[mine]
    macro_f = {}
    for reading in own.readings.keys() & rival.readings.keys():
        yes = [
            answers(judged.scores, reading)[places][:, [judged.scores.languages.index(tag) for tag in shared]]
            for judged, places in ((own, mine), (rival, theirs))
        ]
        macro_f[reading] = measures.site_bootstrap(truth, sites, yes[0], yes[1])
    tags = [
        [(*judged.scores.languages, None)[number] for number in judged.scores.best[places]]  # -1: no answer
        for judged, places in ((own, mine), (rival, theirs))
    ]
    labels = labelled.languages[rows].tolist()
    gain = np.array([(a == label) - (b == label) for a, b, label in zip(*tags, labels, strict=True)], np.float64)
    listed = list(_disagreements(ByteColumn.of(labelled.urls).take(rows), labels, *tags))
    ordered = {reading: macro_f[reading] for reading in own.readings if reading in macro_f}
    return Comparison((name, other_name), len(rows), len(shared), ordered, _mean_by_sites(gain, sites), listed)


def _disagreements(
    urls: ByteColumn, labels: list[str | None], first: list[str | None], second: list[str | None]
) -> Iterator[Disagreement]:
    for url, label, first_tag, second_tag in zip(urls, labels, first, second, strict=True):
        if first_tag != second_tag:
            yield Disagreement(text_of(url), label, first_tag, second_tag)


def _mean_by_sites(values: NDArray[np.float64], sites: NDArray[np.int64], rounds: int = 1000) -> Interval:
    """The mean with a 95 % interval from resampling whole sites."""
    _, site = np.unique(sites, return_inverse=True)
    sums, counts = np.bincount(site, values), np.bincount(site).astype(np.float64)
    weights = np.random.default_rng(0).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), rounds)
    low, high = np.percentile((weights @ sums) / (weights @ counts), [2.5, 97.5])
    return Interval(float(values.mean()), float(low), float(high))
