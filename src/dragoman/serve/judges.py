"""The models that a service answers with: opened once, by name only. Nothing in a request is ever a path."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.columns import ByteColumn
from dragoman.errors import shorten
from dragoman.identifiers import models
from dragoman.identifiers.answer import Answers, answer
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.operating import default_threshold
from dragoman.languages import find
from dragoman.serve.problems import Problem
from dragoman.types import Language


@dataclass(frozen=True, eq=False)
class Judge:
    """A model under the name that requests call it by."""

    name: str
    model: Classifier

    def answers(
        self, urls: ByteColumn, tags: Sequence[str] = (), matrix: bool = False, threshold: float | None = None
    ) -> Answers:
        """The language of every URL, as everywhere else in Dragoman; among these, if there are some."""
        return answer(self.model, urls, choose(self.model.languages_, tags), threshold, matrix=matrix)


class Judges:
    """All models that read URLs, and the one that is asked where a request names none.

    >>> Judges("cctld").names
    ('cctld', 'cctld-plus', 'default')
    """

    def __init__(self, default: str = models.DEFAULT) -> None:
        self._judges: dict[str, Judge] = {}
        self.described: list[dict[str, Any]] = []
        for name in models.names():
            self._add(name, models.open_model(name), models.describe(name))
        if default not in self._judges:  # a file of one's own
            description = models.describe(default)
            model = models.open_url_model(default)
            default = str(description["file"] or default)
            self._add(default, model, description | {"name": default})
        self.default = self._judges[default]
        self.names = tuple(sorted(self._judges, key=lambda name: (name != default, name)))

    def _add(self, name: str, model: Classifier, description: dict[str, Any]) -> None:
        self.described.append(description | {"reads": model.reads, "threshold": default_threshold(model)})
        if model.reads == "urls":
            self._judges[name] = Judge(name, model)

    def of(self, name: str) -> Judge:
        """The model with a name; a Problem if there is none."""
        if name not in self._judges:
            raise Problem(422, f"model: there is none of that name that reads URLs; there are {', '.join(self.names)}")
        return self._judges[name]

    def languages_of(self, name: str) -> list[Language]:
        """The languages of the model with a name; without one, of the default."""
        wanted = name or self.default.name
        return next(list(model["languages"]) for model in self.described if model["name"] == wanted)


def choose(available: Sequence[Language], tags: Sequence[str]) -> tuple[Language, ...] | None:
    """The languages of a request, each once: tags, codes or English names of those that are there; None for none.

    >>> choose(("de", "fr"), ["DE", "French", "deu"])
    ('de', 'fr')
    """
    chosen = [tag if tag in available else find(tag.strip()) for tag in tags]
    for tag, language in zip(tags, chosen, strict=True):
        if language not in available:
            raise Problem(
                422, f"languages: '{shorten(tag, 40)}' is not among those of the model; GET /v1/models lists them"
            )
    return tuple(dict.fromkeys(language for language in chosen if language)) or None


class UrlsTogether:
    """Single URLs that come at the same time, judged as one batch.

    Handing a URL to the model costs many times what judging it does, so the requests that the event loop has at hand
    are collected, and the next turn of the loop judges all of them. Nobody waits for others to come: a request that is
    alone is answered in the next turn, too. The busier the service, the less a request costs.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.waiting: list[tuple[bytes, Future[tuple[Language | None, float | None]]]] = []

    def ask(self, url: bytes) -> Future[tuple[Language | None, float | None]]:
        """The language of a URL and its probability, soon."""
        loop: AbstractEventLoop = get_running_loop()
        future: Future[tuple[Language | None, float | None]] = loop.create_future()
        if not self.waiting:
            loop.call_soon(self._answer)
        self.waiting.append((url, future))
        return future

    def _answer(self) -> None:
        waiting, self.waiting = self.waiting, []
        try:
            added = self.judge.answers(ByteColumn.from_rows([url for url, _ in waiting])).columns()
            answers = list(zip(added.tags(), added.probabilities(), strict=True))
        except Exception as error:
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), pair in zip(waiting, answers, strict=True):
            if not future.done():  # the one who asked may have gone
                future.set_result(pair)
