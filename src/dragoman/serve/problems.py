"""What goes wrong, as `application/problem+json` (RFC 9457): type, title, status, detail, and nothing of the inside."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

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
    500: "failed",
    503: "busy",
    504: "took-too-long",
}


class Problem(Exception):
    """Something that the answer says in one line: a status, and what was given, what is allowed, what to do."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.headers = status, dict(headers or {})
        self.detail = detail.encode("utf-8", "replace").decode()  # what was given may hold what UTF-8 cannot

    def response(self) -> Response:
        """The answer, with the four members that every problem has.

        >>> Problem(404, "There is no such page").response().body[:42]
        b'{"type":"urn:dragoman:problem:not-found","'
        """
        kind = f"urn:dragoman:problem:{KINDS[self.status]}" if self.status in KINDS else "about:blank"
        title = HTTPStatus(self.status).phrase
        body = orjson.dumps({"type": kind, "title": title, "status": self.status, "detail": self.detail})
        return Response(body, self.status, self.headers, CONTENT_TYPE)


async def on_http_exception(request: Request, error: Exception) -> Response:
    """The answer to what Starlette refuses: no such path, no such method."""
    assert isinstance(error, HTTPException)
    path = shorten(request.url.path)
    if error.status_code == 405:
        route = getattr(request.scope["endpoint"], "path", "")
        allowed = ", ".join(request.app.state.methods.get(route, ("GET", "HEAD")))
        detail = f"{path} does not answer {shorten(request.method, 20)}; it answers {allowed}"
        return Problem(405, detail, {"Allow": allowed}).response()
    detail = str(error.detail)
    if error.status_code == 404 and detail == HTTPStatus.NOT_FOUND.phrase:
        detail = f"There is nothing at {path}; GET /openapi.json says what there is"
    return Problem(error.status_code, detail, error.headers).response()


async def on_failure(request: Request, error: Exception) -> Response:
    """The answer to what nobody thought of; what it was is in the log only."""
    return Problem(500, "The service failed at this request; its log says where").response()
