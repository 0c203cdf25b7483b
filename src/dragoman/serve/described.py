"""What OpenAPI says about the routes of URLs, pages and models: parameters, bodies of every type, answers, problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragoman.serve import batches
from dragoman.serve.problems import CONTENT_TYPE
from dragoman.serve.settings import Limits
from dragoman.serve.urls import MOST_TOP

Schema = dict[str, Any]

_LANGUAGE: Schema = {"type": ["string", "null"], "description": "BCP 47 tag; null where nothing could be told"}
_PROBABILITY: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_HOW: Schema = {"type": ["string", "null"]}


def _object(required: dict[str, Schema], optional: dict[str, Schema] | None = None, about: str = "") -> Schema:
    described: Schema = {"description": about} if about else {}
    members = required | (optional or {})
    return {"type": "object", **described, "properties": members, "required": list(required),
            "additionalProperties": False}  # fmt: skip


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def components(
    limits: Limits, default: str, models: tuple[str, ...], languages: Mapping[str, tuple[str, ...]]
) -> dict[str, Schema]:
    """The schemas by name; `models` are those that read URLs, `languages` those that each model has."""
    whole, count = {"type": "integer", "minimum": 0}, {"type": "integer"}
    top = {"type": "integer", "minimum": 1, "maximum": MOST_TOP, "description": "Tell so many of the likeliest"}
    likeliest = _list(_ref("Likely"))

    def chosen(model: str) -> Schema:
        return _list(
            {"type": "string", "enum": list(languages[model])}, minItems=1, description="Choose among these only"
        )

    most = f"Strings, at most {limits.urls:,}; anything else is answered with an error"
    urls = {"urls": _list({}, description=most)}
    batch = [_object(urls, {"languages": chosen(default), "top": top})]
    batch += [_object(urls | {"model": {"const": name}}, {"languages": chosen(name), "top": top}) for name in models]
    weights = {"type": "object", "additionalProperties": {"type": "number"}}
    said = {"language": _LANGUAGE, "weight": {"type": "number"}, "weights": weights}
    result = {"url": {"type": ["string", "null"]}, "language": _LANGUAGE, "probability": _PROBABILITY}
    spans = _object(
        {"start": whole, "end": whole, "language": _LANGUAGE},
        {"source_start": whole, "source_end": whole},
        "Half-open offsets in characters: of the text, and, for HTML, of its source",
    )
    origin = {"type": "string", "maxLength": limits.url, "description": "Where it came from"}
    return {
        "Problem": _object(
            {"type": {"type": "string"}, "title": {"type": "string"}, "status": count, "detail": {"type": "string"}},
            about="What went wrong (RFC 9457)",
        ),
        "Likely": _object({"language": {"type": "string"}, "probability": {"type": "number"}}),
        "Batch": {"anyOf": batch},
        "Result": _object(result, {"top": likeliest, "error": {"type": "string"}}),
        "Results": _object({"model": {"type": "string"}, "results": _list(_ref("Result"))}),
        "Part": _object(
            {"start": whole, "end": whole, "text": {"type": "string"}, **said},
            about="A word of the URL: its weights for the likeliest languages, and the one of them it speaks for most",
        ),
        "Other": _object({"feature": {"type": "string"}, **said}, about="What stands nowhere in the URL, as the prior"),
        "OneUrl": _object(
            result, {"top": likeliest, "parts": _list(_ref("Part")), "others": _list(_ref("Other"))}
        ),
        **{
            name: {"oneOf": [_object({kind: {"type": "string"}}, {"url": origin, "languages": chosen(model)})
                             for kind in ("html", "text")]}
            for name, model in (("PageInput", "text"), ("TrackInput", "track"))
        },
        "PageOutput": _object(
            {
                "kind": {"enum": ["html", "text", "binary"]},
                "language": _LANGUAGE,
                "probability": _PROBABILITY,
                "declared": _LANGUAGE,
                "declared_how": _HOW,
                "charset": _HOW,
                "charset_how": _HOW,
                "title": {"type": ["string", "null"]},
                "letters": whole,
                "url": {"oneOf": [_object(result, about="What the URL alone says"), {"type": "null"}]},
                "agreement": _object({"declared": {"type": ["boolean", "null"]}, "url": {"type": ["boolean", "null"]}}),
            }
        ),
        "Tracked": _object(
            {
                "kind": {"enum": ["html", "text", "binary"]},
                "text": {"type": "string", "description": "What a reader sees"},
                "spans": _list(spans),
                "languages": _list(_object({"language": _LANGUAGE, "letters": whole, "share": {"type": "number"}})),
            }
        ),
        "Models": _object(
            {
                "default": {"type": "string"},
                "models": _list(
                    _object(
                        {
                            "name": {"type": "string"},
                            "reads": {"enum": ["urls", "text"]},
                            "algorithm": {"type": "string"},
                            "about": {"type": "string"},
                            "languages": _list({"type": "string"}),
                            "size": whole,
                            "digest": {"type": "string"},
                            "file": {"type": ["string", "null"]},
                        }
                    )
                ),
            }
        ),
        "Languages": _object(
            {
                "languages": _list(
                    _object(
                        {
                            "code": {"type": "string"},
                            "name": {"type": "string"},
                            "of": _list({"enum": ["urls", "texts", "parts of texts"]}),
                        }
                    )
                )
            }
        ),
        "Health": _object(
            {
                "ready": {"type": "boolean"},
                "version": {"type": "string"},
                "models": {"type": "object", "additionalProperties": {"type": "string"}},
            }
        ),
    }  # fmt: skip


#: Every answer that is not 200.
PROBLEMS: dict[str, Schema] = {
    "default": {"description": "A problem", "content": {CONTENT_TYPE: {"schema": _ref("Problem")}}}
}


def operations(limits: Limits, default: str, languages: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, str], Schema]:
    """What is said about each route, by method and path."""
    raw = {"type": "string", "format": "binary"}

    def chosen(model: str) -> Schema:
        listed = _list({"type": "string", "enum": list(languages[model])}, minItems=1)
        return _query("languages", listed, "Choose among these only", style="form", explode=False)

    top = _query(
        "top", {"type": "integer", "minimum": 1, "maximum": MOST_TOP}, "Tell so many of the likeliest languages"
    )

    def of_page(model: str, given: str, told: str) -> Schema:
        kinds = ("text/html", "application/xhtml+xml", "text/plain")
        content = {kind: {"schema": raw} for kind in kinds} | _json(given)
        origin = _query("url", {"type": "string", "maxLength": limits.url}, "Where the page came from")
        return {
            "parameters": [origin, chosen(model)],
            "requestBody": {"required": True, "content": content},
            "responses": _answers(_json(told)),
        }

    return {
        ("GET", "/v1/url"): {
            "parameters": [
                _query("u", {"type": "string", "maxLength": limits.url}, "The URL, percent-encoded", required=True),
                _query("why", {"type": "boolean"}, "Tell what each part of the URL said"),
                top, chosen(default),
            ],
            "responses": _answers(_json("OneUrl")),
        },
        ("POST", "/v1/urls"): {
            "parameters": [top, chosen(default)],
            "requestBody": {
                "required": True,
                "content": {
                    batches.JSON: {"schema": _ref("Batch")},
                    batches.NDJSON: {"schema": raw | {"description": 'A JSON string or {"url": ...} per line'}},
                    batches.ARROW: {"schema": raw | {"description": "A stream with a column `url`, not compressed"}},
                },
            },
            "responses": _answers(
                {
                    batches.JSON: {"schema": _ref("Results")},
                    batches.NDJSON: {"schema": {"type": "string", "description": "A Result per line"}},
                    batches.ARROW: {"schema": raw | {"description": "Columns language, probability, error"}},
                }
            ),
        },
        ("POST", "/v1/page"): of_page("text", "PageInput", "PageOutput"),
        ("POST", "/v1/track"): of_page("track", "TrackInput", "Tracked"),
        ("GET", "/v1/models"): {"responses": _answers(_json("Models"))},
        ("GET", "/v1/languages"): {"responses": _answers(_json("Languages"))},
        ("GET", "/health"): {"responses": _answers(_json("Health"))},
        ("GET", "/metrics"): {"responses": _answers({"text/plain": {"schema": {"type": "string"}}})},
    }  # fmt: skip


def _query(name: str, schema: Schema, about: str, required: bool = False, **more: Any) -> Schema:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": about, **more}


def _json(name: str) -> Schema:
    return {batches.JSON: {"schema": _ref(name)}}


def _answers(content: Schema) -> Schema:
    return {"200": {"description": "The answer", "content": content}, **PROBLEMS}
