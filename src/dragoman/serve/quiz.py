"""`GET /v1/quiz` and `POST /v1/quiz`: a person guesses the languages of URLs, and is judged beside the model.

The questions come from a table given on the command line (`app.state.quiz`, a path: `dragoman serve --quiz FILE`), or
from the URLs that ship. The server keeps nothing between the two requests: the seed draws the same URLs again, and the
answers come back with their URLs. The true languages are told with the result, not with the questions.
"""

from __future__ import annotations

import secrets
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from dragoman import languages, measures
from dragoman.columns import ByteColumn
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.answer import answer, choice
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import FIVE
from dragoman.serve.operations import JSON, WHOLE, Inputs, Operation, as_json, read_json
from dragoman.serve.problems import Problem
from dragoman.serve.service import Service, service_of
from dragoman.studies.url_2008.published import published_cell, published_figure
from dragoman.studies.url_2008.quiz import Result, draw, score
from dragoman.types import Language

#: Most questions of a quiz, most languages to choose from (one key each), rounds of resampling for the intervals.
MOST, CHOICES, ROUNDS = 200, 9, 200
YOU, MODEL = "you", "model"
_TABLE_OF_HUMANS = 2

#: URLs and their languages.
Questions = tuple[tuple[str, Language], ...]


class QuizQuery(Inputs):
    """Which questions are asked."""

    n: Annotated[int, Field(strict=True, ge=1, le=MOST, description="How many URLs"), WHOLE] = 20
    seed: Annotated[int, Field(strict=True, ge=0, lt=1 << 32, description="Draw the same URLs again"), WHOLE] = -1


class QuizAnswer(Inputs):
    """One answer: a URL of the quiz and the language that somebody took it for; null is "don't know"."""

    url: str = Field(max_length=4_000)
    answer: str | None = Field(default=None, max_length=40)


class QuizAnswers(Inputs):
    """The answers of one person, each URL once."""

    answers: list[QuizAnswer] = Field(min_length=1, max_length=MOST)


@lru_cache(maxsize=1)
def shipped() -> Questions:
    """The questions that ship."""
    text = files("dragoman.data").joinpath("quiz.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return tuple((url, language) for language, url in rows)


@lru_cache(maxsize=2)
def from_table(path: Path) -> Questions:
    """The questions of a table with the columns `url` and `lang`; BadTable if there are not two languages in it."""
    from dragoman.columns import text_of
    from dragoman.tables.labelled.reading import read_labelled

    labelled = read_labelled(path, "url", "lang")
    urls = [text_of(url) for url in ByteColumn.of(labelled.urls)]
    found: dict[str, Language] = {}
    for url, label in zip(urls, labelled.languages.tolist(), strict=True):
        if url and label is not None:
            found.setdefault(url, label)
    if len(set(found.values())) < 2:
        raise BadTable(f"'{path}': a quiz needs URLs of two languages or more")
    return tuple(found.items())


def choices_of(questions: Questions, model: Classifier) -> tuple[Language, ...]:
    """The languages to choose from: the URL paper's five if all are there, else the commonest that the model has."""
    counts = Counter(language for _, language in questions if language in model.languages_)
    if all(language in counts for language in FIVE):
        return choice(model, FIVE) or ()
    return tuple(language for language, _ in counts.most_common(CHOICES))


def check_table(path: Path, model: Classifier) -> None:
    """UsageError, with the line that says why, where a table has no questions for this model."""
    try:
        questions = from_table(path)
    except BadTable as error:
        raise UsageError(str(error)) from None
    if len(choices_of(questions, model)) < 2:
        raise UsageError(f"'{path}': a quiz needs URLs of two languages or more that the model knows")


async def ask_quiz(request: Request, query: QuizQuery) -> Response:
    """URLs in the order to ask them, as many of each language as there are, and the languages to choose from."""
    service = service_of(request)
    return as_json(await service.rooms.files.run(_questions, service, query.n, query.seed))


async def judge_quiz(request: Request, query: Inputs) -> Response:
    """F of the person, the model and the 2008 paper's two people: overall with 95 % intervals, and by language."""
    service = service_of(request)
    answers = read_json(request, await request.body(), QuizAnswers)
    return as_json(await service.rooms.files.run(_judged, service, answers.answers))


def _asked(service: Service) -> tuple[Questions, tuple[Language, ...]]:
    path = service.settings.quiz
    questions = from_table(path) if path else shipped()
    return questions, choices_of(questions, service.judges.default.model)


def _questions(service: Service, n: int, seed: int) -> dict[str, Any]:
    questions, choices = _asked(service)
    seed = secrets.randbelow(1 << 32) if seed < 0 else seed
    rows = draw([url for url, _ in questions], [language for _, language in questions], choices, n, seed)
    return {
        "seed": seed,
        "own": service.settings.quiz is not None,
        "choices": [{"language": tag, "name": languages.name(tag)} for tag in choices],
        "urls": [questions[row][0] for row in rows],
    }


def _judged(service: Service, answers: list[QuizAnswer]) -> dict[str, Any]:
    questions, choices = _asked(service)
    truth_of = dict(questions)
    found: dict[str, Language | None] = {}
    for one in answers:
        if truth_of.get(one.url) not in choices:
            raise Problem(409, "An answer has a URL that is not of this quiz: GET /v1/quiz gives its URLs")
        if one.answer is not None and one.answer not in choices:
            raise Problem(409, f"An answer is none of {', '.join(choices)}, and not null either")
        found.setdefault(one.url, one.answer)
    urls = list(found)
    said = answer(service.judges.default.model, ByteColumn.from_rows(urls), choices, threshold=0).tags()
    result = score(urls, [truth_of[url] for url in urls], {YOU: list(found.values()), MODEL: said}, choices, ROUNDS)
    return _told(result)


def _told(result: Result) -> dict[str, Any]:
    place = {language: column for column, language in enumerate(result.choices)}
    truth = np.array([place[language] for language in result.truths], np.int64)
    judged = {
        judge: measures.judge_all(
            truth, measures.one_hot(np.array([place.get(one or "", -1) for one in said], np.int64), len(place))
        )
        for judge, said in result.answers.items()
    }
    counts = Counter(result.truths)
    return {
        "n": len(result.urls),
        "judges": {
            judge: {
                "right": sum(one == true for one, true in zip(result.answers[judge], result.truths, strict=True)),
                "f": _rounded(one.macro_f.value),
                "interval": [_rounded(one.macro_f.low), _rounded(one.macro_f.high)],
            }
            for judge, one in result.scores.items()
        },
        "humans": {"f": published_figure("human-f").value},
        "languages": [
            {
                "language": language,
                "name": languages.name(language),
                "n": counts[language],
                **{judge: _rounded(rows[column].f) if counts[language] else None for judge, rows in judged.items()},
                "humans": _humans(language),
            }
            for language, column in place.items()
        ],
        "urls": [
            {"url": url, "language": result.truths[row], **{judge: said[row] for judge, said in result.answers.items()}}
            for row, url in enumerate(result.urls)
        ],
    }


def _humans(language: Language) -> float | None:
    """The F of the 2008 paper's people for a language, if it was one of theirs (Table 2)."""
    cell = published_cell(_TABLE_OF_HUMANS, "crawl", language, "human")
    return None if cell is None else cell.f


def _rounded(value: float) -> float | None:
    return None if value != value else round(float(value), 6)


_OBJECT = {JSON: {"type": "object"}}
OPERATIONS = (
    Operation("GET", "/v1/quiz", ask_quiz, "URLs to guess the language of", _OBJECT, query=QuizQuery, tag="quiz"),
    Operation(
        "POST", "/v1/quiz", judge_quiz, "How well somebody did, beside the model and the people of 2008", _OBJECT,
        bodies={JSON: (QuizAnswers,)}, tag="quiz",
    ),
)  # fmt: skip
