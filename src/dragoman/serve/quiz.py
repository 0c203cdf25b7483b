"""`GET /v1/quiz` and `POST /v1/quiz`: nothing is kept between the two, the answers come back with their URLs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from dragoman.languages import name
from dragoman.measures import plain
from dragoman.serve.models import QuizAnswers, QuizQuery
from dragoman.serve.operations import JSON, OBJECT, Inputs, Operation, as_json, read_json
from dragoman.serve.problems import Problem
from dragoman.serve.service import service_of
from dragoman.studies.url_2008.quiz import quiz_tables


async def ask_quiz(request: Request, query: QuizQuery) -> Response:
    """URLs in the order to ask them, as many of each language as there are, and the languages to choose from."""
    service = service_of(request)
    urls, seed = service.quiz.draw(query.n, query.seed if query.seed >= 0 else None)
    choices = [{"language": tag, "name": name(tag)} for tag in service.quiz.choices]
    return as_json({"seed": seed, "own": service.settings.quiz is not None, "choices": choices, "urls": urls})


async def judge_quiz(request: Request, query: Inputs) -> Response:
    """F of the person, the model and the 2008 paper's two people: overall with 95 % intervals, and by language."""
    service, sent = service_of(request), read_json(request, await request.body(), QuizAnswers)
    quiz, answers = service.quiz, {row.url: row.answer for row in sent.answers}
    if not {None, *quiz.choices} >= {*answers.values()} or not {*quiz.questions} >= {*answers}:
        raise Problem(409, f"An answer is not of this quiz: a URL of others, or none of {', '.join(quiz.choices)}")
    result = await service.rooms.files.run(quiz.result, {"you": answers}, "model", 200)
    return as_json(plain(result) | {"tables": [table.to_json() for table in quiz_tables(result)]})


OPERATIONS = (
    Operation("GET", "/v1/quiz", ask_quiz, "URLs to guess the language of", OBJECT, query=QuizQuery, tag="quiz"),
    Operation("POST", "/v1/quiz", judge_quiz, "How well somebody did", OBJECT, {JSON: (QuizAnswers,)}, tag="quiz"),
)
