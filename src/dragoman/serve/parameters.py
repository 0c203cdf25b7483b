"""The parameters of a request's query: those that a route knows, and no others.

A name that is not known is most often a known one that was mistyped, and an answer that left it out would be taken for
the one that was asked for. So every route refuses it; only the files of the page take any, as those of any web server
do.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from dragoman.errors import shorten
from dragoman.serve.problems import Problem


def query_of(query: bytes, known: tuple[str, ...]) -> dict[str, str]:
    """The parameters of a query; a Problem where one is not known, or is given twice: it would be a guess which counts.

    >>> query_of(b"u=http%3A%2F%2Fa.de%2F&top=3", ("u", "top"))
    {'u': 'http://a.de/', 'top': '3'}
    """
    if not query:
        return {}
    try:
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, errors="surrogateescape", max_num_fields=100)
    except ValueError:
        raise Problem(422, "The query has too many parameters") from None
    found = dict(pairs)
    if unknown := found.keys() - known:
        name = shorten(min(unknown).encode("utf-8", "surrogateescape").decode("utf-8", "replace")) or "''"
        told = f"known are {', '.join(known)}" if known else "nothing is asked in the query"
        raise Problem(422, f"{name}: not known here; {told}")
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Problem(422, f"{next(name for name in names if names.count(name) > 1)}: given more than once")
    return found


async def only_known(request: Request) -> None:
    """For routes of FastAPI, as a dependency: a Problem where the query has what the route does not declare."""
    if query := request.scope["query_string"]:
        declared: Any = request.scope["route"].dependant.query_params
        query_of(query, tuple(one.alias for one in declared))


def once(name: str, body: dict[str, Any], query: dict[str, str]) -> None:
    """A Problem where both the body and the query say something: it would be a guess which of them is meant."""
    if name in body and name in query:
        raise Problem(409, f"{name}: given in the body and in the query; give it in one of them")
