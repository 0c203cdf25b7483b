"""A person guesses the language of URLs, and is judged beside the model on exactly the same URLs.

As in the URL paper, where two people answered what the classifiers answered (section 5.1). Nothing here knows of a
terminal: what is read and what is said are functions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.errors import BadTable, UnknownLanguage
from dragoman.languages import name, normalise
from dragoman.measures import Interval
from dragoman.studies.url_2008.published import published_figure
from dragoman.types import Language

#: URLs of a language below which its recall says nothing.
ENOUGH = 5

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Answer:
    """A URL, its language, what was answered (None: don't know), and the languages there were to choose from."""

    url: str
    truth: Language
    said: Language | None
    choices: tuple[Language, ...]


class Stop(Exception):
    """The person has enough."""


def draw(
    urls: Sequence[str],
    labels: Sequence[Language | None],
    choices: Sequence[Language],
    number: int,
    seed: int = 0,
    evenly: bool = True,
) -> list[int]:
    """The rows to ask about, in the order to ask: of these languages only, no URL twice.

    Evenly: as many of each language as there are, the others giving more where one has too few. Else: rows at random.

    >>> rows = draw(["a", "b", "c", "d", "a"], ["de", "de", "de", "fr", "de"], ["de", "fr"], 2)
    >>> sorted(["de", "de", "de", "fr", "de"][row] for row in rows)
    ['de', 'fr']
    """
    first: dict[str, int] = {}
    for row, (url, label) in enumerate(zip(urls, labels, strict=True)):
        if label in choices and url:
            first.setdefault(url, row)
    rng = np.random.default_rng(seed)
    rows: list[int] = rng.permutation(np.array(list(first.values()), np.int64)).tolist()
    if not evenly:
        return rows[:number]
    turn: dict[Language | None, int] = {}
    turns = []
    for row in rows:
        turns.append(turn.setdefault(labels[row], 0))
        turn[labels[row]] += 1
    # Sorting by turn is stable: the first of every language, then the second of every language, and so on.
    chosen = [rows[place] for place in np.argsort(turns, kind="stable")[:number]]
    return [int(row) for row in rng.permutation(np.array(chosen, np.int64))]


def read_answer(text: str, choices: Sequence[Language]) -> Language | None:
    """What a typed line means: a language, None for "don't know"; Stop for `q`; UnknownLanguage for anything else.

    >>> read_answer("2", ("en", "de")), read_answer("Deutsch", ("en", "de")), read_answer(" ", ("en", "de"))
    ('de', 'de', None)
    """
    given = text.strip()
    if not given:
        return None
    if given.lower() in ("q", "quit"):
        raise Stop
    if given.isascii() and given.isdigit():
        if len(given) < 6 and 1 <= int(given) <= len(choices):
            return choices[int(given) - 1]
        raise UnknownLanguage(given, ())
    if (tag := normalise(given)) in choices:
        return tag
    raise UnknownLanguage(name(tag), ())


def ask(
    questions: Sequence[tuple[str, Language]],
    choices: tuple[Language, ...],
    read: Callable[[], str],
    say: Callable[[str], None],
    show: Callable[[str], str] = str,
) -> list[Answer]:
    """The answers to (URL, language) questions, until all are answered, `q`, the end of the input or an interrupt.

    `read` gives a line with its end (an empty string: no more), `say` writes without one; `show` makes a URL harmless.
    """
    menu = "  ".join(f"{number} {name(tag)}" for number, tag in enumerate(choices, 1))
    say(f"Which language is the page in?  {menu}\nEnter: don't know. q: stop.\n")
    found: list[Answer] = []
    try:
        for place, (url, truth) in enumerate(questions, 1):
            say(f"\n{place}/{len(questions)}  {show(url)}\n")
            found.append(Answer(url, truth, _reply(choices, menu, read, say), choices))
    except (Stop, KeyboardInterrupt):
        say("\n")
    return found


def _reply(choices: Sequence[Language], menu: str, read: Callable[[], str], say: Callable[[str], None]) -> str | None:
    while True:
        say("> ")
        line = read()
        if not line:
            raise Stop
        try:
            return read_answer(line, choices)
        except UnknownLanguage:
            say(f"Not one of the choices. Type a number or a language: {menu}\n")


def to_lines(answers: Iterable[Answer]) -> bytes:
    """The answers as JSON lines."""
    rows = (
        {"url": one.url, "language": one.truth, "answer": one.said, "choices": list(one.choices)} for one in answers
    )
    return b"".join(json.dumps(row, ensure_ascii=True).encode() + b"\n" for row in rows)


def read_answers(path: str | os.PathLike[str]) -> list[Answer]:
    """Stored answers, as `to_lines` wrote them; a URL that occurs again is passed over."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadTable(f"'{path}' holds no answers of a quiz: it is not text") from error
    found: dict[str, Answer] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            one = _stored(str(path), number, line)
            found.setdefault(one.url, one)
    if not found:
        raise BadTable(f"'{path}' holds no answers of a quiz: it is empty")
    return list(found.values())


def _stored(path: str, number: int, line: str) -> Answer:
    try:
        row = json.loads(line)
        url, truth, said, choices = row["url"], row["language"], row["answer"], row["choices"]
        tags = [normalise(tag) for tag in choices]
        return Answer(str(url), normalise(truth), None if said is None else normalise(said), tuple(tags))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UnknownLanguage) as error:
        raise BadTable(
            f"'{path}', line {number}: not an answer of a quiz; lines like "
            '{"url": ..., "language": "de", "answer": "de", "choices": ["de", "en"]} are needed'
        ) from error


@dataclass(frozen=True)
class Score:
    """How well one judge did: share right, the paper's F and recall (means of the languages), recall by language."""

    accuracy: Interval
    macro_f: Interval
    recall: Interval
    by_language: dict[Language, tuple[int, Interval]]


@dataclass(frozen=True)
class Result:
    """A quiz that is over: every judge's answers to the same URLs, their scores and how they agree."""

    urls: tuple[str, ...]
    truths: tuple[Language, ...]
    choices: tuple[Language, ...]
    answers: dict[str, tuple[Language | None, ...]]
    scores: dict[str, Score]
    correlations: dict[tuple[str, str], Interval]

    @property
    def missed(self) -> list[int]:
        """Rows that somebody got wrong: where the judges disagree, or all were wrong."""
        return [
            row for row, truth in enumerate(self.truths) if any(said[row] != truth for said in self.answers.values())
        ]

    def to_json(self) -> dict[str, Any]:
        """The result as plain values; None where there is nothing to divide by."""
        return {
            "choices": list(self.choices),
            "n": len(self.urls),
            "judges": {judge: _score_json(score) for judge, score in self.scores.items()},
            "correlations": [
                {"judges": list(pair)} | _interval_json("value", one) for pair, one in self.correlations.items()
            ],
            "published": published(),
            "urls": [
                {"url": url, "language": truth, "answers": {judge: said[row] for judge, said in self.answers.items()}}
                for row, (url, truth) in enumerate(zip(self.urls, self.truths, strict=True))
            ],
        }


def published() -> dict[str, float]:
    """What the URL paper says of its two human judges."""
    names = ("human-f", "human-recall", "correlation-judges", "correlation-best-first", "correlation-best-second")
    return {one.replace("-", "_"): published_figure(one).value for one in names}


def together(people: Mapping[str, Sequence[Answer]]) -> dict[str, list[Answer]]:
    """The answers to the URLs that everybody has answered, in the first one's order."""
    common = set.intersection(*({one.url for one in answers} for answers in people.values()))
    order = [one.url for one in next(iter(people.values())) if one.url in common]
    found = {}
    for person, answers in people.items():
        by_url = {one.url: one for one in answers}
        found[person] = [by_url[url] for url in order]
    return found


def score(
    urls: Sequence[str],
    truths: Sequence[Language],
    answers: Mapping[str, Sequence[Language | None]],
    choices: Sequence[Language],
    rounds: int = 1000,
) -> Result:
    """All figures of judges who answered the same URLs, with 95 % intervals from resampling URLs."""
    place = {language: column for column, language in enumerate(choices)}
    truth = np.array([place.get(language, -1) for language in truths], np.int64)
    said = {
        judge: measures.one_hot(np.array([place.get(one or "", -1) for one in given], np.int64), len(choices))
        for judge, given in answers.items()
    }
    return Result(
        tuple(urls),
        tuple(truths),
        tuple(choices),
        {judge: tuple(given) for judge, given in answers.items()},
        {judge: _score(truth, matrix, choices, rounds) for judge, matrix in said.items()},
        {
            (one, other): _with_interval(
                lambda rows, a=said[one], b=said[other]: measures.correlation(a[rows], b[rows]),  # type: ignore[misc]
                len(truth),
                rounds,
            )
            for one, other in combinations(said, 2)
        },
    )


def _score(truth: Ints, said: Bools, choices: Sequence[Language], rounds: int) -> Score:
    right = measures.one_hot(truth, len(choices)) & said
    counts = {language: (truth == column, column) for column, language in enumerate(choices)}
    return Score(
        accuracy=_with_interval(lambda rows: float(right[rows].any(axis=1).mean()), len(truth), rounds),
        macro_f=_with_interval(lambda rows: measures.macro_f(truth[rows], said[rows]), len(truth), rounds),
        recall=_with_interval(lambda rows: _macro_recall(truth[rows], said[rows]), len(truth), rounds),
        by_language={
            language: (int(mask.sum()), measures.share_interval(int(right[mask, column].sum()), int(mask.sum())))
            for language, (mask, column) in counts.items()
            if mask.sum() >= ENOUGH
        },
    )


def _macro_recall(truth: Ints, said: Bools) -> float:
    values = [one.recall for one in measures.judge_all(truth, said) if one.positives]
    return float(np.mean(values)) if values else float("nan")


def _with_interval(figure: Callable[[Ints], float], n: int, rounds: int) -> Interval:
    """The figure with its interval; nothing at all where there are no rows or the figure is not defined on them."""
    value = figure(np.arange(n)) if n else float("nan")
    return Interval(value, value, value) if np.isnan(value) else measures.bootstrap(figure, n, rounds)


def _score_json(one: Score) -> dict[str, Any]:
    return {
        **_interval_json("accuracy", one.accuracy),
        **_interval_json("macro_f", one.macro_f),
        **_interval_json("recall", one.recall),
        "languages": {
            language: {"n": n} | _interval_json("recall", recall) for language, (n, recall) in one.by_language.items()
        },
    }


def _interval_json(key: str, one: Interval) -> dict[str, Any]:
    low, value, high = (None if np.isnan(x) else round(float(x), 6) for x in (one.low, one.value, one.high))
    return {key: value, f"{key}_interval": [low, high]}
