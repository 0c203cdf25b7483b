"""Dragoman tells the language of a web page before it is fetched, after it is fetched, and steers crawls by both.

    url ──► features ──► model ──► scores ────────────────┐
    page bytes ──► text ──► identifier ──► scores, spans ─┤
    links, servers ──► votes and records ─────────────────┴──► what to fetch next

The rooms, in the order in which data moves; a room imports only from those before it:

    languages, types, errors, measures     values, and what is known about languages
    kernels, tables                        compiled loops; columns of URLs in and out of files
    url                                    a URL becomes tokens and features
    models                                 features become scores, scores become answers
    page                                   bytes become text, text becomes scores and spans
    links                                  who links to whom, and what that says
    crawl                                  scores become the next URL: strategies, frontier, simulator
    evaluate                               answers become rows of numbers
    report                                 rows become tables and plots
    integrations                           Dragoman inside other engines
    serve                                  all of it over HTTP, and a page that shows it
    cli                                    one file per command

In short:

>>> import dragoman
>>> dragoman.identify("http://www.wetter.de/", model="cctld").language
'de'
>>> [p.language for p in dragoman.identify(["http://a.fr/", "mailto:b@c.fr"], model="cctld")]
['fr', None]

Names are imported when they are first used: `import dragoman` alone costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.errors import (
        BadModel,
        BadTable,
        DragomanError,
        MissingExtra,
        UnknownLanguage,
        UnknownName,
        UsageError,
    )
    from dragoman.languages import normalise
    from dragoman.models.answer import Answers, answer
    from dragoman.models.classifier import Classifier
    from dragoman.models.identify import identify, identify_column
    from dragoman.models.shelf import describe as describe_model
    from dragoman.models.shelf import names as model_names
    from dragoman.models.shelf import open_model as load_model
    from dragoman.models.store import save as save_model
    from dragoman.page.identify import identify_text, identify_text_column
    from dragoman.page.track import track
    from dragoman.types import Contribution, Language, Prediction, Scores, Span
    from dragoman.url.batch import UrlBatch

    __version__: str

#: Where each public name is.
_PLACES = {
    "Answers": "dragoman.models.answer:Answers",
    "BadModel": "dragoman.errors:BadModel",
    "BadTable": "dragoman.errors:BadTable",
    "Classifier": "dragoman.models.classifier:Classifier",
    "Contribution": "dragoman.types:Contribution",
    "DragomanError": "dragoman.errors:DragomanError",
    "Language": "dragoman.types:Language",
    "MissingExtra": "dragoman.errors:MissingExtra",
    "Prediction": "dragoman.types:Prediction",
    "Scores": "dragoman.types:Scores",
    "Span": "dragoman.types:Span",
    "UnknownLanguage": "dragoman.errors:UnknownLanguage",
    "UnknownName": "dragoman.errors:UnknownName",
    "UrlBatch": "dragoman.url.batch:UrlBatch",
    "UsageError": "dragoman.errors:UsageError",
    "answer": "dragoman.models.answer:answer",
    "describe_model": "dragoman.models.shelf:describe",
    "identify": "dragoman.models.identify:identify",
    "identify_column": "dragoman.models.identify:identify_column",
    "identify_text": "dragoman.page.identify:identify_text",
    "identify_text_column": "dragoman.page.identify:identify_text_column",
    "load_model": "dragoman.models.shelf:open_model",
    "model_names": "dragoman.models.shelf:names",
    "normalise": "dragoman.languages:normalise",
    "save_model": "dragoman.models.store:save",
    "track": "dragoman.page.track:track",
}

__all__ = [
    "Answers",
    "BadModel",
    "BadTable",
    "Classifier",
    "Contribution",
    "DragomanError",
    "Language",
    "MissingExtra",
    "Prediction",
    "Scores",
    "Span",
    "UnknownLanguage",
    "UnknownName",
    "UrlBatch",
    "UsageError",
    "__version__",
    "answer",
    "describe_model",
    "identify",
    "identify_column",
    "identify_text",
    "identify_text_column",
    "load_model",
    "model_names",
    "normalise",
    "save_model",
    "track",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("dragoman")
    elif name in _PLACES:
        module, _, attribute = _PLACES[name].partition(":")
        value = getattr(importlib.import_module(module), attribute)
    else:
        raise AttributeError(f"module 'dragoman' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
