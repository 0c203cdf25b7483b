"""What goes wrong, as `application/problem+json` (RFC 9457): type, title, status, detail, and nothing of the inside."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dragoman.errors import shorten

CONTENT_TYPE = "application/problem+json"
#: The kinds of problems: the last part of `type`, by status; `type` is for programs, title and detail for people.
KINDS = {
    400: "bad-request",
    403: "not-this-host",
    404: "not-found",
    405: "method-not-allowed",
    408: "too-slow",
    409: "contradiction",
    413: "too-large",
    415: "unknown-content-type",
    421: "not-this-host",
    422: "not-understood",
    429: "too-many-requests",
    431: "header-too-large",
    500: "failed",
    503: "busy",
    504: "took-too-long",
}


class Problem(Exception):
    """Something that the answer says in one line: a status, and what was given, what is allowed, what to do."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, dict(headers or {})

    @property
    def body(self) -> bytes:
        """The answer's body."""
        return problem_body(self.status, self.detail)

    def response(self) -> Response:
        """The answer."""
        return Response(self.body, self.status, self.headers, CONTENT_TYPE)


def problem_body(status: int, detail: str) -> bytes:
    """The four members that every problem has.

    >>> problem_body(404, "There is no such page")[:42]
    b'{"type":"urn:dragoman:problem:not-found","'
    """
    kind = f"urn:dragoman:problem:{KINDS[status]}" if status in KINDS else "about:blank"
    title = HTTPStatus(status).phrase
    return orjson.dumps({"type": kind, "title": title, "status": status, "detail": detail})


async def on_problem(request: Request, error: Exception) -> Response:
    """The answer to a Problem."""
    assert isinstance(error, Problem)
    return error.response()


async def on_http_exception(request: Request, error: Exception) -> Response:
    """The answer to what Starlette and FastAPI refuse: no such path, no such method."""
    assert isinstance(error, HTTPException)
    detail = str(error.detail)
    if error.status_code == 404 and detail == HTTPStatus.NOT_FOUND.phrase:
        detail = f"There is nothing at {shorten(request.url.path)}; GET /openapi.json says what there is"
    elif error.status_code == 405:
        allowed = _methods(request) or (error.headers or {}).get("Allow", "")
        detail = f"{shorten(request.url.path)} does not answer {shorten(request.method, 20)}; it answers {allowed}"
        return Problem(405, detail, {"Allow": allowed}).response()
    return Problem(error.status_code, detail, error.headers).response()


def _methods(request: Request) -> str:
    """All methods of a path, of which several routes may have one each."""
    path = getattr(request.scope.get("route"), "path", "")
    found = [method.upper() for method in request.app.openapi()["paths"].get(path, {})]
    return ", ".join([*found, "HEAD"] if "GET" in found else found)


async def on_invalid(request: Request, error: Exception) -> Response:
    """The answer to what FastAPI finds wrong in parameters: the first of it."""
    found: list[Any] = getattr(error, "errors", list)()
    first = found[0] if found else {}
    kind, said = first.get("type"), first.get("msg", "not understood")
    where = ".".join(str(part) for part in first.get("loc", ())[1:])
    if kind == "json_invalid":
        return Problem(422, shorten(f"The body is not JSON: {first.get('ctx', {}).get('error', said)}", 300)).response()
    if not where:
        return Problem(422, "Send a JSON object" if kind != "missing" else "Send a body: a JSON object").response()
    return Problem(422, shorten(f"{where}: {said}", 300)).response()


async def on_failure(request: Request, error: Exception) -> Response:
    """The answer to what nobody thought of; what it was is in the log only."""
    return Problem(500, "The service failed at this request; its log says where").response()
