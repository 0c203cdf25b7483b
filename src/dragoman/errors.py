"""The exceptions of Dragoman, and how a missing extra is told.

DragomanError                 anything that Dragoman itself raises; its text is one line for people
├── UsageError                a bad argument: what was given, what is allowed, what to do (exit code 2)
│   ├── UnknownName           no such model, feature set, algorithm, study ...; says the known and the nearest
│   ├── UnknownLanguage       no such language
│   ├── BrokenMember          what another package adds to a family (an algorithm, a strategy) cannot be used; says why
│   └── UnfitTable            a table that is not there, or not one that this can be asked of (a BadTable, too)
├── MissingExtra              an optional package is not installed; says what to install
├── BadTable                  a file of URLs or labels that cannot be used; says what was found and needed
├── BadGraph                  a web graph whose numbers lead outside it, or a file of one that cannot be used
└── BadModel                  a model file that is truncated, altered, foreign or of another version
    └── MissingModel          a model file that is not there (a UsageError, too)
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Iterable
from typing import Any


class DragomanError(Exception):
    """Anything that Dragoman itself raises; its text is one line for people."""


class UsageError(DragomanError):
    """A bad argument: what was given, what is allowed, what to do."""


class UnknownName(UsageError):
    """A name that no registry knows, answered with the known names and the nearest."""

    def __init__(self, kind: str, given: str, known: Iterable[str]) -> None:
        names = sorted(known)
        nearest = difflib.get_close_matches(given.lower().replace("_", "-"), names, n=1, cutoff=0.5)
        hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
        super().__init__(f"Unknown {kind} '{shorten(given)}'. Known: {', '.join(names)}.{hint}")


class UnknownLanguage(UsageError):
    """A language that the table of languages does not have, answered with the nearest."""

    def __init__(self, given: str, known: Iterable[str]) -> None:
        nearest = difflib.get_close_matches(given.lower(), [name.lower() for name in known], n=3, cutoff=0.6)
        hint = f" Did you mean {' or '.join(repr(name) for name in nearest)}?" if nearest else ""
        super().__init__(
            f"Unknown language '{shorten(given)}'. Give a BCP 47 tag, an ISO 639 code or an English name.{hint}"
        )


class BrokenMember(UsageError):
    """What another package adds to a family cannot be used."""

    def __init__(self, family: str, name: str, package: str, problem: str) -> None:
        super().__init__(f"The {family} '{shorten(name)}' of the package '{package}' cannot be used: {problem}")


class MissingExtra(DragomanError):
    """An optional package is not installed."""

    def __init__(self, extra: str, module: str, cause: ImportError | None = None) -> None:
        package, remedy = module.partition(".")[0], f"pip install 'dragoman[{extra}]'"
        missing = (getattr(cause, "name", None) or package).partition(".")[0]
        if cause is not None and not isinstance(cause, ModuleNotFoundError):
            problem = f"is installed but cannot be imported ({shorten(str(cause), 200)})"
        elif missing == package:
            problem = "is not installed"
        else:
            problem = f"needs '{missing}', which is not installed"
        super().__init__(f"This needs '{package}', which {problem}: {remedy}")


class BadTable(DragomanError):
    """A file of URLs or labels that cannot be used."""


class UnfitTable(BadTable, UsageError):
    """A table that is not there, or without the columns that are asked for: what was asked cannot be."""


class BadGraph(DragomanError):
    """A web graph whose numbers lead outside it, or a file of one that cannot be used."""


class BadModel(DragomanError):
    """A model file that is truncated, altered, foreign or of another version."""


class MissingModel(BadModel, UsageError):
    """A model file that is not there."""


def printable(text: str) -> str:
    """Text that cannot play tricks on a terminal: what is not printable is escaped.

    >>> printable("http://a.de/\\x1b[2J")
    'http://a.de/\\\\x1b[2J'
    """
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def shorten(text: str, limit: int = 80) -> str:
    """`text` on one line, printable and at most `limit` characters long, for use inside a message."""
    line = printable(" ".join(text.split())[: limit + 1])
    return line if len(line) <= limit else line[: limit - 3] + "..."


def need(extra: str, module: str) -> Any:
    """The imported `module`, or MissingExtra naming the extra that carries it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(extra, module, error) from error


def check_extra(extra: str, *modules: str) -> None:
    """MissingExtra if one of these modules is not there; none is imported, so it is told at once."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise MissingExtra(extra, module)
