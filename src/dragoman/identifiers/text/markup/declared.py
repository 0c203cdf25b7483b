"""The language that a page says it is in."""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.languages import find
from dragoman.types import Language

_ORDER = {"html": 0, "meta": 1, "header": 2, "og:locale": 3}


def declared(declarations: Iterable[tuple[str, str]]) -> tuple[Language | None, str | None]:
    """(language, where) of the first declaration that names one known language: `html`, `meta`, `header`, `og:locale`.

    A list of several languages says that the page is for readers of each, not what it is written in.

    >>> declared([("html", ""), ("meta", "de, fr"), ("og:locale", "pt_BR")])
    ('pt', 'og:locale')
    """
    for how, value in sorted(declarations, key=lambda declaration: _ORDER[declaration[0]]):
        tags = {find(part) for part in value.split(",") if part.strip()}
        if len(tags) == 1 and (language := tags.pop()):
            return language, how
    return None, None
