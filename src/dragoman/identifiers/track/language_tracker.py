"""LanguageTracker: what every way to track a text is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from dragoman.errors import UsageError
from dragoman.languages import parse_list
from dragoman.types import Language, Span


class LanguageTracker(ABC):
    """Where the language changes in texts, told among some languages. One writes `spans`.

    >>> class Halves(LanguageTracker):
    ...     name = "halves"
    ...
    ...     def spans(self, text, lines=False):
    ...         middle = len(text) // 2
    ...         return [Span(0, middle, "de"), Span(middle, len(text), "en")]
    >>> Halves().spans("ja no")
    [Span(start=0, end=2, language='de'), Span(start=2, end=5, language='en')]
    """

    #: The name in the registry and on the command line.
    name: ClassVar[str]
    #: What may stand behind the name and a colon, in words (`sentences:heliport`); empty: nothing may.
    takes: ClassVar[str] = ""

    #: The languages to choose from, as tags; None: all that there are.
    languages: tuple[Language, ...] | None

    def __init__(self, languages: str | Iterable[str] | None = None, argument: str = "") -> None:
        if argument and not self.takes:
            raise UsageError(f"'{self.name}' takes nothing behind a colon, not '{argument}'")
        self.argument = argument
        self.languages = None if languages is None else tags_of(languages)

    @abstractmethod
    def spans(self, text: str, lines: bool = False) -> list[Span]:
        """The spans of a text, in order, that do not overlap; `lines`: every line is a block of its own."""


def tags_of(languages: str | Iterable[str]) -> tuple[Language, ...]:
    """A choice of languages as tags, each once: a list, or a text such as "en,de"."""
    return parse_list(languages if isinstance(languages, str) else ",".join(languages))
