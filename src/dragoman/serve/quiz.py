"""`GET /v1/quiz` and `POST /v1/quiz`: nothing is kept between the two, the answers come back with their URLs."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response

from dragoman.languages import name
from dragoman.measures import plain
from dragoman.serve.models import QuizAnswers, QuizQuery
from dragoman.serve.operations import JSON, Inputs, Operation, as_json, read_json
from dragoman.serve.problems import Problem
from dragoman.serve.service import service_of


async def ask_quiz(request: Request, query: QuizQuery) -> Response:
    """URLs in the order to ask them, as many of each language as there are, and the languages to choose from."""
    service = service_of(request)
    seed = query.seed if query.seed >= 0 else secrets.randbelow(1 << 32)
    choices = [{"language": tag, "name": name(tag)} for tag in service.quiz.choices]
    urls, own = service.quiz.draw(query.n, seed), service.settings.quiz is not None
    return as_json({"seed": seed, "own": own, "choices": choices, "urls": urls})


async def judge_quiz(request: Request, query: Inputs) -> Response:
    """F of the person, the model and the 2008 paper's two people: overall with 95 % intervals, and by language."""
    service, sent = service_of(request), read_json(request, await request.body(), QuizAnswers)
    quiz, answers = service.quiz, {row.url: row.answer for row in sent.answers}
    if any(quiz.questions.get(url) not in quiz.choices for url in answers):
        raise Problem(409, "An answer has a URL that is not of this quiz: GET /v1/quiz gives its URLs")
    if not {None, *quiz.choices} >= {*answers.values()}:
        raise Problem(409, f"An answer is none of {', '.join(quiz.choices)}, and not null either")
    result = await service.rooms.files.run(quiz.result, {"you": answers}, "model", 200)
    return as_json(plain(result))


_OBJECT = {JSON: {"type": "object"}}
OPERATIONS = (
    Operation("GET", "/v1/quiz", ask_quiz, "URLs to guess the language of", _OBJECT, query=QuizQuery, tag="quiz"),
    Operation("POST", "/v1/quiz", judge_quiz, "How well somebody did", _OBJECT, {JSON: (QuizAnswers,)}, tag="quiz"),
)
