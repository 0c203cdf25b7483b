"""A route: what it is asked with, who answers it and what with; what it is asked with is checked here.

A parameter that is not known is most often a known one that was mistyped, and an answer that left it out would be taken
for the one that was asked for. So every route refuses it; only the files of the page take any, as those of any web
server do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dragoman.errors import shorten
from dragoman.serve.problems import Problem

JSON = "application/json"
#: An answer whose members the description of its route tells.
OBJECT = {JSON: {"type": "object"}}
#: Most languages that a request may ask to be told.
MOST_TOP = 100


class Inputs(BaseModel):
    """What a request may say, and nothing else."""

    model_config = ConfigDict(extra="forbid")


def whole_number(value: Any) -> Any:
    """The whole number that a query writes with digits alone, and JSON with or without a fraction of zero."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        return int(value)
    return int(value) if type(value) is float and value.is_integer() else value


def _truth(value: Any) -> Any:
    return {"true": True, "false": False}.get(value, value)


def _share(value: Any) -> float:
    """A number from 0 to 1, which a query writes as text."""
    try:
        share = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        share = math.nan
    if not 0 <= share <= 1:
        raise PydanticCustomError("share", "give a number from 0 to 1")
    return share


#: Put behind the `Field` of a number: what it says of the number's size is then said by OpenAPI, too.
WHOLE = BeforeValidator(whole_number)
Top = Annotated[
    int, Field(strict=True, ge=1, le=MOST_TOP, description="Tell so many of the likeliest languages"), WHOLE
]
Threshold = Annotated[
    float | None,
    Field(description="Below it no language is told; without it, the model's own counts"),
    PlainValidator(_share),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Flag = Annotated[bool, Field(strict=True), BeforeValidator(_truth)]
#: A URL in a query: its bytes need not be UTF-8, which a text in JSON's sense must be.
UrlText = Annotated[str, PlainValidator(str), WithJsonSchema({"type": "string"})]
Tags = Annotated[
    list[str], Field(min_length=1, description="Choose among these only; codes and names are understood, too")
]
#: In a query they stand with commas between them.
ListedTags = Annotated[Tags, BeforeValidator(lambda text: text.split(","))]

#: What is said about a value that is not as it must be, in place of pydantic's own words.
_WORDS = {
    "bool_type": "give true or false",
    "extra_forbidden": "not known here",
    "greater_than_equal": "give {ge} or more",
    "int_type": "give a whole number",
    "less_than": "give less than {lt}",
    "less_than_equal": "give {le} or less",
    "list_type": "give a list",
    "missing": "is needed",
    "string_type": "give a string",
    "too_short": "give one or more",
}

Endpoint = Callable[[Request, Any], Awaitable[Response]]
SomeInputs = TypeVar("SomeInputs", bound=Inputs)


@dataclass(frozen=True, eq=False)
class Operation:
    """A route of the service, as an ASGI application and as OpenAPI describes it (dragoman.serve.openapi).

    `answers` and `bodies` have a model, or several, or a schema by media type. `languages_of` names the model that has
    the languages to choose from. The endpoint's docstring is the description.
    """

    method: str
    path: str
    endpoint: Endpoint
    summary: str
    answers: Mapping[str, Any]
    bodies: Mapping[str, Any] = field(default_factory=dict)
    query: type[Inputs] = Inputs
    languages_of: str = ""
    tag: str = "languages"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        response = await self.endpoint(Request(scope, receive), read_query(scope["query_string"], self.query))
        await response(scope, receive, send)


def read_query(query: bytes, model: type[SomeInputs]) -> SomeInputs:
    """The parameters of a query; a Problem where one is not known, or is given twice: it would be a guess which counts.

    >>> class Sizes(Inputs):
    ...     width: Annotated[int, WHOLE] = 1
    >>> read_query(b"width=3", Sizes)
    Sizes(width=3)
    """
    if not query:
        return validated(model, {})
    try:
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, errors="surrogateescape", max_num_fields=100)
    except ValueError:
        raise Problem(422, "The query has too many parameters") from None
    values = dict(pairs)
    if unknown := values.keys() - model.model_fields.keys():
        name = shorten(min(unknown).encode("utf-8", "surrogateescape").decode("utf-8", "replace")) or "''"
        known = f"known are {', '.join(model.model_fields)}" if model.model_fields else "nothing is asked in the query"
        raise Problem(422, f"{name}: not known here; {known}")
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        raise Problem(422, f"{next(name for name in names if names.count(name) > 1)}: given more than once")
    return validated(model, values)


def validated(model: type[SomeInputs], values: dict[str, Any]) -> SomeInputs:
    """The values as the model has them; a Problem, in one line, for the first that is not as it must be."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name, kind = ".".join(map(str, first["loc"])), first["type"]
        detail = _WORDS[kind].format(**first.get("ctx", {})) if kind in _WORDS else first["msg"]
        if kind == "extra_forbidden" and name in values:
            detail += f"; known are {', '.join(model.model_fields)}"
        elif kind == "missing" and name in model.model_fields:
            detail += f": {model.model_fields[name].description}"
        raise Problem(422, shorten(f"{shorten(name)}: {detail}", 300)) from None


def read_json(request: Request, body: bytes, model: type[SomeInputs]) -> SomeInputs:
    """The object in a small body; a Problem where it is none."""
    if media_type(request) != JSON:
        raise Problem(415, f"Send {JSON}")
    if not body:
        raise Problem(422, "Send a body: a JSON object")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Problem(422, shorten(f"The body is not JSON: {getattr(error, 'msg', error)}", 300)) from None
    if not isinstance(value, dict):
        raise Problem(422, "Send a JSON object")
    return validated(model, value)


def refuse_twice(body: Inputs, query: Inputs) -> None:
    """A Problem where both the body and the query say something: it would be a guess which of them is meant."""
    if both := body.model_fields_set & query.model_fields_set:
        raise Problem(409, f"{min(both)}: given in the body and in the query; give it in one of them")


def media_type(request: Request) -> str:
    """The media type of a body, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def as_json(value: Any) -> Response:
    """A value as an answer."""
    return Response(orjson.dumps(value), media_type=JSON)
