"""`GET /v1/models`, `/v1/languages`, `/health`, `/metrics` and `/openapi.json`: what there is, and how it does."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from dragoman import languages as known
from dragoman.errors import UnknownLanguage
from dragoman.serve.metrics import TYPE
from dragoman.serve.state import State

#: What is told about a model, of all that is known.
_TOLD = ("name", "reads", "algorithm", "about", "languages", "size", "digest", "file")


def models(state: State) -> dict[str, Any]:
    """The models that are there; the default is the one that is asked where a request names none."""
    described = [{key: one[key] for key in _TOLD} for one in state.judges.described]
    return {"default": state.judges.default.name, "models": described}


def languages(state: State) -> dict[str, Any]:
    """The languages that URLs, texts and parts of texts can be told to be in."""
    reads: dict[str, set[str]] = {}
    for one in state.judges.described:
        if one["name"] in (state.judges.default.name, "text", "track"):
            use = {"text": "texts", "track": "parts of texts"}.get(one["name"], "urls")
            for tag in one["languages"]:
                reads.setdefault(tag, set()).add(use)
    return {"languages": [{"code": tag, "name": named(tag), "of": sorted(reads[tag])} for tag in sorted(reads)]}


def health(state: State) -> dict[str, Any]:
    """Ready, and the digests of the models."""
    from dragoman import __version__

    digests = {one["name"]: one["digest"] for one in state.judges.described}
    return {"ready": True, "version": __version__, "models": digests}


def named(tag: str) -> str:
    """The English name; the tag itself where a model has labels of its own."""
    try:
        return known.name(tag)
    except UnknownLanguage:
        return tag


def as_json(value: Any) -> Response:
    """A value as an answer."""
    return Response(orjson.dumps(value), media_type="application/json")


async def get_models(request: Request) -> Response:
    """The models that are there."""
    return as_json(models(request.app.state.service))


async def get_languages(request: Request) -> Response:
    """The languages that can be told, with their English names."""
    return as_json(languages(request.app.state.service))


async def get_health(request: Request) -> Response:
    """Whether the service is ready."""
    return as_json(health(request.app.state.service))


async def get_openapi(request: Request) -> Response:
    """What there is, as an OpenAPI document."""
    return as_json(request.app.openapi())


async def get_metrics(request: Request) -> Response:
    """The counters of all workers, for Prometheus."""
    return Response(request.app.state.service.metrics.text(), headers={"content-type": TYPE})
