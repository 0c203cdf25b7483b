"""The models that a service answers with: opened once, by name only. Nothing in a request is ever a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.columns import ByteColumn
from dragoman.errors import shorten
from dragoman.identifiers import models as shelf
from dragoman.identifiers.answer import Answers, answer
from dragoman.identifiers.classifier import Classifier
from dragoman.serve.problems import Problem
from dragoman.types import Language


@dataclass(frozen=True, eq=False)
class Judge:
    """A model under the name that requests call it by."""

    name: str
    model: Classifier
    digest: str

    def chosen(self, languages: Sequence[str] | None) -> tuple[Language, ...] | None:
        """The languages to choose from, each once; a Problem for one that the model does not have."""
        return chosen(self.model.languages_, languages)

    def answers(self, urls: ByteColumn, languages: tuple[Language, ...] | None = None, matrix: bool = False) -> Answers:
        """The language of every URL, as everywhere else in Dragoman."""
        return answer(self.model, urls, languages, matrix=matrix)


class Judges:
    """All models that read URLs, and the one that is asked where a request names none.

    >>> Judges("cctld").names
    ('cctld', 'cctld-plus', 'default')
    """

    def __init__(self, default: str = shelf.DEFAULT) -> None:
        self._judges: dict[str, Judge] = {}
        self.described: list[dict[str, Any]] = []
        for name in shelf.names():
            told = shelf.describe(name)
            model = shelf.open_model(name)
            self.described.append(told | {"reads": model.reads})
            if model.reads == "urls":
                self._judges[name] = Judge(name, model, told["digest"])
        if default not in self._judges:  # a file of one's own
            told = shelf.describe(default)
            model = shelf.open_url_model(default)
            name = str(told["file"] or default)
            self.described.append(told | {"name": name, "reads": model.reads})
            self._judges[name] = Judge(name, model, told["digest"])
            default = name
        self.default = self._judges[default]
        self.names = tuple(sorted(self._judges, key=lambda name: (name != default, name)))

    def of(self, name: str | None) -> Judge:
        """The model with a name; a Problem if there is none."""
        if name is None:
            return self.default
        found = self._judges.get(name)
        if found is None:
            raise Problem(422, f"model: there is none of that name that reads URLs; there are {', '.join(self.names)}")
        return found


def chosen(known: Sequence[Language], given: Sequence[str] | None) -> tuple[Language, ...] | None:
    """The languages of a request, each once: tags, as they are told, and nothing else."""
    if given is None:
        return None
    for one in given:
        if one not in known:
            raise Problem(
                422, f"languages: '{shorten(one, 40)}' is not among those of the model; GET /v1/models lists them"
            )
    return tuple(dict.fromkeys(given))
