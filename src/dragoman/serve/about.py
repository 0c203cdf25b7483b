"""`GET /v1/models`, `/v1/languages`, `/health` and `/metrics`: what there is, and how it does."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from dragoman import languages
from dragoman.errors import UnknownLanguage
from dragoman.identifiers.track.colours import hue
from dragoman.serve.metrics import CONTENT_TYPE
from dragoman.serve.models import HealthAnswer, LanguagesAnswer, ModelDescription, ModelsAnswer
from dragoman.serve.operations import JSON, Inputs, Operation, as_json
from dragoman.serve.service import service_of


async def list_models(request: Request, query: Inputs) -> Response:
    """The default is asked where a request names none."""
    judges = service_of(request).judges
    models = [{key: model[key] for key in ModelDescription.model_fields} for model in judges.described]
    return as_json({"default": judges.default.name, "models": models})


async def list_languages(request: Request, query: Inputs) -> Response:
    """Tags and English names."""
    judges = service_of(request).judges
    uses: dict[str, list[str]] = {}
    for name, use in (("track", "parts of texts"), ("text", "texts"), (judges.default.name, "urls")):
        for tag in judges.languages_of(name):
            uses.setdefault(tag, []).append(use)
    rows = [{"code": tag, "name": _name(tag), "hue": hue(tag), "of": uses[tag]} for tag in sorted(uses)]
    return as_json({"languages": rows})


def _name(tag: str) -> str:
    """The English name; the tag itself where a model has labels of its own."""
    try:
        return languages.name(tag)
    except UnknownLanguage:
        return tag


async def tell_health(request: Request, query: Inputs) -> Response:
    """And the digests of its models."""
    from dragoman import __version__

    digests = {model["name"]: model["digest"] for model in service_of(request).judges.described}
    return as_json({"ready": True, "version": __version__, "models": digests})


async def tell_metrics(request: Request, query: Inputs) -> Response:
    """Of all workers together."""
    return Response(service_of(request).metrics.text(), headers={"content-type": CONTENT_TYPE})


OPERATIONS = (
    Operation("GET", "/v1/models", list_models, "The models that are there", {JSON: ModelsAnswer}),
    Operation("GET", "/v1/languages", list_languages, "The languages that can be told", {JSON: LanguagesAnswer}),
    Operation("GET", "/health", tell_health, "Whether the service is ready", {JSON: HealthAnswer}),
    Operation(
        "GET", "/metrics", tell_metrics, "Counters for Prometheus", {"text/plain": {"type": "string"}}, tag="status"
    ),
)
