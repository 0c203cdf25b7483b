"""All routes together: the application that a worker runs."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dragoman.serve import about, front, pages, problems, quiz, runs, urls
from dragoman.serve.guard import Guard
from dragoman.serve.openapi import openapi
from dragoman.serve.operations import OBJECT, Inputs, Operation, as_json
from dragoman.serve.service import Service
from dragoman.serve.settings import ServiceSettings

#: What OpenAPI describes, the routes that are asked most first.
OPERATIONS = (
    *urls.OPERATIONS, *pages.OPERATIONS, *about.OPERATIONS, *runs.OPERATIONS, *quiz.OPERATIONS,
)  # fmt: skip


def make_app(settings: ServiceSettings | None = None, service: Service | None = None) -> Starlette:
    """The application; `service` is given where it is there already. Its `state.openapi` is the OpenAPI document."""
    service = service or Service(settings or ServiceSettings())
    described = Operation("GET", "/openapi.json", tell_openapi, "This document", OBJECT)
    operations = (*OPERATIONS, described)
    methods: dict[str, list[str]] = {}
    for operation in operations:
        methods.setdefault(operation.path, []).extend(
            [operation.method, "HEAD"] if operation.method == "GET" else [operation.method]
        )
    app = Starlette(
        routes=[
            *(Route(operation.path, operation, methods=[operation.method]) for operation in operations),
            *front.ROUTES,
        ],
        middleware=[Middleware(Guard, settings=service.settings, metrics=service.metrics, routes=tuple(methods))],
        exception_handlers={HTTPException: problems.on_http_exception, Exception: problems.on_failure},
    )
    app.router.redirect_slashes = False
    app.state.service, app.state.methods, app.state.openapi = service, methods, openapi(OPERATIONS, service)
    return app


async def tell_openapi(request: Request, query: Inputs) -> Response:
    """What there is, as an OpenAPI document."""
    return as_json(request.app.state.openapi)
