"""The page of docs/reference about the HTTP service: its routes, from the OpenAPI document that it serves itself.

Used by tools/make_reference.py.
"""

from __future__ import annotations

import textwrap
from typing import Any

from dragoman.serve.app import make_app


def kind_of(schema: dict[str, Any], document: dict[str, Any]) -> str:
    """A schema in few words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(kind_of(one, document) for one in schema["anyOf"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return f"list of {kind_of(schema.get('items', {}), document)}".replace(
            "list of a known tag", "list of known tags"
        )
    if kind == "object" and isinstance(more := schema.get("additionalProperties"), dict):
        return f"object of {kind_of(more, document)}"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"]) if len(schema["enum"]) <= 6 else "a known tag"
    bounds = {"minimum": "at least {}", "maximum": "at most {}", "maxLength": "at most {} characters"}
    told = [text.format(schema[key]) for key, text in bounds.items() if key in schema]
    return ", ".join([kind, *told])


def cell(text: str | None) -> str:
    """Text that fits into a cell of a table."""
    return " ".join((text or "").split()).replace("|", "\\|")


def values(schema: dict[str, Any], document: dict[str, Any]) -> str:
    """The table of an object's values."""
    needed = set(schema.get("required", ()))
    rows = [
        f"| `{name}` | {cell(kind_of(one, document))} | {'yes' if name in needed else ''} "
        f"| {cell(one.get('description'))} |"
        for name, one in schema.get("properties", {}).items()
    ]
    return "| value | kind | always | what it is |\n|---|---|---|---|\n" + "\n".join(rows)


def route(method: str, path: str, operation: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """The section of one route."""
    told = f"{operation.get('summary', '')}. {operation.get('description', '')}".strip()
    parts = [f"### {method.upper()} {path}", textwrap.fill(told, 120, break_long_words=False, break_on_hyphens=False)]
    if asked := operation.get("parameters"):
        rows = [
            f"| `{one['name']}` | {cell(kind_of(one['schema'], document))} | {'yes' if one.get('required') else ''} "
            f"| {cell(one.get('description'))} |"
            for one in asked
        ]
        parts.append("| parameter | kind | needed | what it is |\n|---|---|---|---|\n" + "\n".join(rows))
    if content := operation.get("requestBody", {}).get("content"):
        rows = []
        for name, one in content.items():
            schema = one.get("schema", {})
            rows.append(f"- body `{name}`: {schema.get('description') or kind_of(schema, document)}")
        parts.append("\n".join(rows))
    answers = operation["responses"].get("200", {}).get("content", {})
    rows = [f"- answer `{name}`: {kind_of(one.get('schema', {}), document)}" for name, one in answers.items()]
    return [*parts, "\n".join(rows)] if rows else parts


def page(note: str) -> str:
    """The page."""
    document = make_app().state.openapi
    parts = [
        "# HTTP",
        note,
        "The routes of `dragoman serve`, from the OpenAPI document that the service has at `/openapi.json`. How to use "
        "them:\n[How to serve over HTTP](../how-to/serve-over-http.md). Errors are `application/problem+json`.",
        "## Routes",
    ]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts += route(method, path, operation, document)
    parts.append("## Objects")
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        if schema.get("properties"):
            parts += [f"### {name}", *([schema["description"]] if schema.get("description") else [])]
            parts.append(values(schema, document))
    return "\n\n".join(parts) + "\n"
