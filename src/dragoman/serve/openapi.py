"""The OpenAPI document, made from the operations: parameters, bodies of every type, answers, problems.

What depends on the service stands in it too: the languages of its models, and the longest URL that it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from inspect import getdoc
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from dragoman.serve.models import ProblemDetails
from dragoman.serve.operations import Operation
from dragoman.serve.problems import CONTENT_TYPE
from dragoman.serve.service import Service

Schema = dict[str, Any]
_REFERENCE = "#/components/schemas/{model}"


def openapi(operations: Sequence[Operation], service: Service) -> Schema:
    """The document."""
    from dragoman import __version__

    bodies = (body for operation in operations for body in (*operation.answers.values(), *operation.bodies.values()))
    models: dict[type[BaseModel], None] = dict.fromkeys(
        [ProblemDetails, *(model for body in bodies for model in _models(body))]
    )
    _, definitions = models_json_schema([(model, "validation") for model in models], ref_template=_REFERENCE)
    schemas = definitions["$defs"]
    paths: dict[str, Schema] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, schemas, service)
    about = (
        "The language of web pages: from their URLs, from their text, and where it changes. A parameter that a route "
        "does not know is refused with 422."
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dragoman", "description": about, "version": __version__},
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def _models(content: Any) -> tuple[type[BaseModel], ...]:
    """The models of a body or an answer: none where a schema is written out."""
    if isinstance(content, dict):
        return ()
    return content if isinstance(content, tuple) else (content,)


def _described(operation: Operation, schemas: Schema, service: Service) -> Schema:
    """What is said about one route."""
    described: Schema = {
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": " ".join((getdoc(operation.endpoint) or "").split()),
        "operationId": operation.endpoint.__name__,
        "parameters": _parameters(operation, service),
        "responses": {
            "200": {"description": "The answer", "content": _content(operation.answers)},
            "default": {"description": "A problem", "content": _content({CONTENT_TYPE: ProblemDetails})},
        },
    }
    if operation.bodies:
        bodies = {
            kind: _alternatives(models, operation, schemas, service) if isinstance(models, tuple) else models
            for kind, models in operation.bodies.items()
        }
        described["requestBody"] = {"required": True, "content": _content(bodies)}
    return described


def _content(bodies: Mapping[str, Any]) -> Schema:
    return {
        kind: {"schema": {"$ref": _REFERENCE.format(model=model.__name__)} if _models(model) else model}
        for kind, model in bodies.items()
    }


def _parameters(operation: Operation, service: Service) -> list[Schema]:
    schema = _with_choices(operation.query.model_json_schema(), operation.languages_of, service)
    described: list[Schema] = [
        {"name": part.strip("{}"), "in": "path", "required": True, "schema": {"type": "string"}}
        for part in operation.path.split("/")
        if part.startswith("{")
    ]
    for name, member in schema.get("properties", {}).items():
        parameter = {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": member}
        if "description" in member:
            parameter["description"] = member.pop("description")
        if member.get("type") == "array":  # with commas between
            parameter |= {"style": "form", "explode": False}
        described.append(parameter)
    return described


def _alternatives(
    models: tuple[type[BaseModel], ...], operation: Operation, schemas: Schema, service: Service
) -> Schema:
    """A body that is one of several objects; one that may name a model has the languages of that model."""
    alternatives = []
    for model in models:
        schema = _with_choices(deepcopy(schemas[model.__name__]), operation.languages_of, service)
        if schema["properties"].pop("model", None):
            for name in service.judges.names:
                named = _with_choices(deepcopy(schemas[model.__name__]), name, service)
                named["properties"]["model"] = {"const": name}
                named["required"].append("model")
                alternatives.append(named)
        alternatives.append(schema)
    return {"anyOf": alternatives, "description": " or ".join(f"`{model.__name__}`" for model in models)}


def _with_choices(schema: Schema, name: str, service: Service) -> Schema:
    """The schema with the languages of a model to choose from, and with the longest URL."""
    members = schema.get("properties", {})
    if "languages" in members:
        members["languages"]["items"]["enum"] = service.judges.languages_of(name)
    for url in {"u", "url"} & members.keys():
        members[url]["maxLength"] = service.settings.limits.url
    return schema
