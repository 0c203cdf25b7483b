"""All routes together: the application that a worker runs."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp

from dragoman.serve import about, described, front, problems, quiz, runs
from dragoman.serve.guard import Guard
from dragoman.serve.pages import AboutPage, TrackedPage
from dragoman.serve.parameters import only_known
from dragoman.serve.settings import Settings
from dragoman.serve.state import State
from dragoman.serve.urls import ManyUrls, OneUrl

#: What every route does first, but for the files of the page.
_CHECKED = [Depends(only_known)]


def make_app(settings: Settings | None = None, state: State | None = None) -> FastAPI:
    """The application; `state` is given where workers share it."""
    state = state or State(settings or Settings())

    app = FastAPI(
        title="Dragoman",
        description="The language of web pages: from their URLs, from their text, and where it changes. A parameter "
        "that a route does not know is refused with 422.",
        version=_version(),
        openapi_url=None,  # it has a route like the others
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        responses=dict(described.PROBLEMS.items()),
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.service = state
    app.state.settings = state.settings
    app.state.folders = state.settings.folders
    app.state.quiz = state.settings.quiz
    direct: dict[tuple[str, str], ASGIApp] = {
        ("GET", "/v1/url"): OneUrl(state),
        ("POST", "/v1/urls"): ManyUrls(state),
        ("POST", "/v1/page"): AboutPage(state),
        ("POST", "/v1/track"): TrackedPage(state),
    }
    app.add_middleware(Guard, settings=state.settings, metrics=state.metrics, direct=direct)
    app.add_exception_handler(problems.Problem, problems.on_problem)
    app.add_exception_handler(HTTPException, problems.on_http_exception)
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    app.add_exception_handler(Exception, problems.on_failure)
    _describe(app, state)
    for one in (runs, quiz):
        app.include_router(one.router, dependencies=_CHECKED)
    app.add_api_route("/openapi.json", about.get_openapi, include_in_schema=False, dependencies=_CHECKED)
    app.include_router(front.router)
    return app


def _version() -> str:
    from dragoman import __version__

    return __version__


def _describe(app: FastAPI, state: State) -> None:
    """Register the routes with what OpenAPI says about them; those that are handed over directly are only described."""
    limits, judges = state.settings.limits, state.judges
    tags = {one["name"]: tuple(one["languages"]) for one in judges.described}
    told = described.operations(limits, judges.default.name, tags)
    for path, (summary, endpoint, about_it) in _ROUTES.items():
        ((method, _),) = [key for key in told if key[1] == path]
        plain = path == "/metrics"
        app.add_api_route(
            path, endpoint, methods=[method], summary=summary, description=about_it,
            openapi_extra=told[method, path], response_model=None, tags=["status" if plain else "languages"],
            response_class=PlainTextResponse if plain else JSONResponse, operation_id=path.strip("/").replace("/", "_"),
            dependencies=_CHECKED,
        )  # fmt: skip
    plain_openapi = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = plain_openapi()
            schemas = found.setdefault("components", {}).setdefault("schemas", {})
            schemas |= described.components(limits, judges.default.name, judges.names, tags)
        return plain_openapi()

    app.openapi = openapi  # type: ignore[method-assign]


async def _direct() -> None:
    """Answered before it comes here (dragoman.serve.guard)."""


_ROUTES: dict[str, tuple[str, Any, str]] = {
    "/v1/url": (
        "The language of one URL", _direct,
        "With `why`, every word of the URL with the language that it speaks for; offsets are characters of the URL.",
    ),
    "/v1/urls": (
        "The languages of a batch of URLs", _direct,
        "As JSON, as NDJSON (a line each) or as an Arrow stream; the answer comes in the same format, row for row. A "
        "row that is no URL is answered with an error. JSON may have `languages` and `top` in its body; given there "
        "and in the query, they are refused with 409.",
    ),
    "/v1/page": (
        "The language of a page or a text", _direct,
        "Told from its text, beside what it declares, what its URL alone says, and whether they agree.",
    ),
    "/v1/track": (
        "Where the language of a page or a text changes", _direct,
        "The text that a reader sees, spans of it with their languages, and the share of each language in its letters.",
    ),
    "/v1/models": ("The models that are there", about.get_models, "The default is asked where a request names none."),
    "/v1/languages": ("The languages that can be told", about.get_languages, "Tags and English names."),
    "/health": ("Whether the service is ready", about.get_health, "And the digests of its models."),
    "/metrics": ("Counters for Prometheus", about.get_metrics, "Of all workers together."),
}  # fmt: skip
