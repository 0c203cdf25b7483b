"""Dragoman tells the language of a web page before it is fetched, after it is fetched, and steers crawls by both.

    url ──► features ──► model ──► scores ────────────────┐
    page bytes ──► text ──► identifier ──► scores, spans ─┤
    links, servers ──► votes and records ─────────────────┴──► what to fetch next

The rooms, in the order in which data moves; a room imports only from those before it:

    languages, types, errors, measures     values, and what is known about languages
    registry, files, columns               members of a family by name; whole files; columns of bytes
    kernels                                compiled loops
    identifiers                            URLs and texts become scores, answers and spans
    tables                                 rows in and out of files
    web                                    who links to whom, and what that says
    label                                  read, judge, write: tables with languages added
    crawl                                  scores become the next URL: strategies, frontier, simulator, live crawl
    evaluate, report                       answers become rows of numbers, rows become tables and plots
    studies                                a paper is a folder: its plan, its figures, its claims
    integrations, serve                    Dragoman inside other engines, and over HTTP
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
    from dragoman.columns import ByteColumn
    from dragoman.errors import (
        BadModel,
        BadTable,
        DragomanError,
        MissingExtra,
        UnknownLanguage,
        UnknownName,
        UsageError,
    )
    from dragoman.identifiers.answer import Answers, answer
    from dragoman.identifiers.classifier import Classifier
    from dragoman.identifiers.model_file import save as save_model
    from dragoman.identifiers.models import describe as describe_model
    from dragoman.identifiers.models import names as model_names
    from dragoman.identifiers.models import open_model as load_model
    from dragoman.identifiers.text.identify import identify_text, identify_text_column
    from dragoman.identifiers.track import track
    from dragoman.identifiers.url.identify import identify, identify_column
    from dragoman.label.file import label_file
    from dragoman.label.pages import PagePrediction, identify_page
    from dragoman.languages import normalise
    from dragoman.types import Contribution, Language, Prediction, Scores, Span

    __version__: str

#: Where each public name is.
_PLACES = {
    "Answers": "dragoman.identifiers.answer:Answers",
    "BadModel": "dragoman.errors:BadModel",
    "BadTable": "dragoman.errors:BadTable",
    "Classifier": "dragoman.identifiers.classifier:Classifier",
    "Contribution": "dragoman.types:Contribution",
    "DragomanError": "dragoman.errors:DragomanError",
    "Language": "dragoman.types:Language",
    "MissingExtra": "dragoman.errors:MissingExtra",
    "PagePrediction": "dragoman.label.pages:PagePrediction",
    "Prediction": "dragoman.types:Prediction",
    "Scores": "dragoman.types:Scores",
    "Span": "dragoman.types:Span",
    "UnknownLanguage": "dragoman.errors:UnknownLanguage",
    "UnknownName": "dragoman.errors:UnknownName",
    "ByteColumn": "dragoman.columns:ByteColumn",
    "UsageError": "dragoman.errors:UsageError",
    "answer": "dragoman.identifiers.answer:answer",
    "describe_model": "dragoman.identifiers.models:describe",
    "identify": "dragoman.identifiers.url.identify:identify",
    "identify_column": "dragoman.identifiers.url.identify:identify_column",
    "identify_page": "dragoman.label.pages:identify_page",
    "identify_text": "dragoman.identifiers.text.identify:identify_text",
    "identify_text_column": "dragoman.identifiers.text.identify:identify_text_column",
    "label_file": "dragoman.label.file:label_file",
    "load_model": "dragoman.identifiers.models:open_model",
    "model_names": "dragoman.identifiers.models:names",
    "normalise": "dragoman.languages:normalise",
    "save_model": "dragoman.identifiers.model_file:save",
    "track": "dragoman.identifiers.track:track",
}

__all__ = [
    "Answers",
    "BadModel",
    "BadTable",
    "ByteColumn",
    "Classifier",
    "Contribution",
    "DragomanError",
    "Language",
    "MissingExtra",
    "PagePrediction",
    "Prediction",
    "Scores",
    "Span",
    "UnknownLanguage",
    "UnknownName",
    "UsageError",
    "__version__",
    "answer",
    "describe_model",
    "identify",
    "identify_column",
    "identify_page",
    "identify_text",
    "identify_text_column",
    "label_file",
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
