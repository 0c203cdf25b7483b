"""How well a tracker does: the share of letters with the right language, and F1 of the places where it changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from dragoman.errors import BadTable
from dragoman.languages import normalise
from dragoman.measures import f_measure
from dragoman.types import Language, Span

#: Characters that a boundary may be off.
WITHIN = 10


@dataclass(frozen=True)
class Tracked:
    """A document with the spans that it has."""

    name: str
    text: str
    spans: tuple[Span, ...]
    #: The set it belongs to, and the half: `tune` or `judge`.
    kind: str = ""
    half: str = ""

    @property
    def languages(self) -> frozenset[Language | None]:
        """The languages that it is in."""
        return frozenset(span.language for span in self.spans)


@dataclass(frozen=True)
class Tracking:
    """Counts over some documents, and the figures that follow from them."""

    letters: int = 0
    right: int = 0
    boundaries: int = 0
    found: int = 0
    matched: int = 0

    def __add__(self, other: Tracking) -> Tracking:
        return Tracking(
            self.letters + other.letters,
            self.right + other.right,
            self.boundaries + other.boundaries,
            self.found + other.found,
            self.matched + other.matched,
        )

    @property
    def accuracy(self) -> float:
        """The share of letters whose language is right."""
        return self.right / self.letters if self.letters else float("nan")

    @property
    def f1(self) -> float:
        """F1 of the boundaries; 1 where there are none and none was found."""
        if not self.boundaries and not self.found:
            return 1.0
        return f_measure(self.matched / self.found if self.found else 0.0, self.matched / max(1, self.boundaries))


def changes(spans: Sequence[Span]) -> list[int]:
    """The places where the language changes: where a span begins that follows one of another language.

    >>> changes([Span(0, 4, "de"), Span(5, 9, "en"), Span(10, 12, "en")])
    [5]
    """
    return [span.start for before, span in pairwise(spans) if before.language != span.language]


def matched(truth: Sequence[int], found: Sequence[int], within: int = WITHIN) -> int:
    """How many places of two rising rows can be paired, each once, not further apart than `within`.

    Pairing from the left is as good as any other: an earlier place is never of more use to a later one.

    >>> matched([10, 30], [19, 21, 100])
    2
    """
    pairs = one = other = 0
    while one < len(truth) and other < len(found):
        if abs(truth[one] - found[other]) <= within:
            pairs, one, other = pairs + 1, one + 1, other + 1
        elif truth[one] < found[other]:
            one += 1
        else:
            other += 1
    return pairs


def letters_right(text: str, truth: Iterable[Span], found: Iterable[Span]) -> tuple[int, int]:
    """(letters, right): the letters inside the true spans, and how many of them were given the same language.

    >>> letters_right("Ja, no.", [Span(0, 3, "de"), Span(4, 7, "es")], [Span(0, 7, "de")])
    (4, 2)
    """
    given: list[Language | None] = [None] * len(text)
    for span in found:
        given[span.start : span.end] = [span.language] * (span.end - span.start)
    letters = right = 0
    for span in truth:
        for place in range(span.start, span.end):
            if text[place].isalpha():
                letters += 1
                right += given[place] == span.language
    return letters, right


def judge(text: str, truth: Sequence[Span], found: Sequence[Span], within: int = WITHIN) -> Tracking:
    """The counts of one document; counts of several are added."""
    true, said = changes(truth), changes(found)
    return Tracking(*letters_right(text, truth, found), len(true), len(said), matched(true, said, within))


def read_tracked(path: Path) -> list[Tracked]:
    """The documents of a JSON-lines file with id, set, half, text and spans ([start, end, language])."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            spans = tuple(Span(start, end, normalise(language)) for start, end, language in row["spans"])
            found.append(Tracked(str(row["id"]), row["text"], spans, row.get("set", ""), row.get("half", "")))
        except (ValueError, KeyError, TypeError) as error:
            raise BadTable(f"'{path.name}', line {number}: needs id, text and spans ({error})") from error
    return found
