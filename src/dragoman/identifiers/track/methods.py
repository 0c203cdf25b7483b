"""The ways to track a text, by name, behind one call.

default               our tracker (dragoman.identifiers.track.tracker); `default:FILE` with a lexicon of one's own
sentences             each sentence by itself, with the default identifier of texts; `sentences:NAME` with another
                      (dragoman.identifiers.text.identify), such as sentences:heliport
hmm-network:FILE      the network of the HMM paper, with a model of the algorithm `hmm` in a file

To add one: a file with a LanguageTracker and a line here, or an entry point of another package in `dragoman.trackers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from dragoman.identifiers.answer import check_threshold
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.registry import Member, Registry, subclass_problem
from dragoman.types import Page, Span

DEFAULT = "default"
_HERE = "dragoman.identifiers.track"


def _problem(name: str, value: Any) -> str | None:
    return subclass_problem(value, LanguageTracker, ("name", name))


TRACKERS: Registry[type[LanguageTracker]] = Registry(
    "method",
    "dragoman.trackers",
    {
        DEFAULT: Member(f"{_HERE}.tracker:Tracker", "words, and where changing costs least"),
        "sentences": Member(f"{_HERE}.sentences:SentenceTracker", "each sentence by itself"),
        "hmm-network": Member(f"{_HERE}.hmm_network:NetworkTracker", "the network of the HMM paper"),
    },
    _problem,
)

#: What a method becomes when its languages are known: text, and whether every line is a block, to spans.
Ready = Callable[[str, bool], list[Span]]


def track(
    text: str | Page,
    languages: str | Iterable[str] | None = None,
    method: str = DEFAULT,
    lines: bool = False,
    threshold: float | None = None,
) -> list[Span]:
    """Where the language of a text changes: its spans, in order, that do not overlap.

    - `text` is a text, or a page (text.document.read_page): then its visible text is tracked, the borders of
      its blocks are evidence, and spans tell their place in the page's source too.
    - `languages` restricts the choice: a list, or a text such as "en,de"; `five` and `eleven` are known.
    - `lines` says that every line of a text is a block of its own; else only empty lines separate blocks.
    - `threshold`: a language less probable than this is not told (None), where the method has probabilities.

    >>> track("Er sagte: “Let's go to the beach” und ging.", "en,de")[1]
    Span(start=10, end=33, language='en')
    >>> track("1984")
    [Span(start=0, end=4, language=None)]
    """
    if not isinstance(text, str | Page):
        raise TypeError(f"track takes a text (str), or a page that was read, not {type(text).__name__}")
    ready = open_tracker(method, languages, threshold)
    if isinstance(text, Page):
        return placed(ready(text.text, text.kind == "html"), text)
    return ready(text, lines)


def open_tracker(
    method: str = DEFAULT, languages: str | Iterable[str] | None = None, threshold: float | None = None
) -> Ready:
    """A method, ready to track many texts among the same languages."""
    check_threshold(threshold)
    name, _, argument = method.partition(":")
    chosen = languages if isinstance(languages, str) or languages is None else tuple(languages)
    spans = (_opened(name, chosen) if not argument else _made(name, chosen, argument)).spans
    if threshold is None:
        return spans
    return lambda text, lines: above(spans(text, lines), threshold)


def above(spans: Iterable[Span], threshold: float) -> list[Span]:
    """The spans, those whose language is less probable than this without one; neighbours without one are joined.

    >>> above([Span(0, 4, "de", probability=0.9), Span(5, 9, "nl", probability=0.4)], 0.5)
    [Span(start=0, end=4, language='de'), Span(start=5, end=9, language=None)]
    """
    joined: list[Span] = []
    for span in spans:
        if span.probability is not None and span.probability < threshold:
            span = replace(span, language=None)
        if joined and span.language is None and joined[-1].language is None:
            span = replace(joined.pop(), end=span.end, probability=None)
        joined.append(span)
    return joined


def _made(name: str, languages: str | tuple[str, ...] | None, argument: str = "") -> LanguageTracker:
    tracker: LanguageTracker = TRACKERS.made(name, languages, argument, examine=_examined)
    return tracker


_opened = lru_cache(maxsize=8)(_made)


def _examined(tracker: LanguageTracker) -> str | None:
    """What is wrong with the spans of a short text, in words."""
    text, end = "Guten Tag! Good day to you.", 0
    for span in tracker.spans(text, False):
        if not isinstance(span, Span):
            return f"`spans` gives {type(span).__name__}, not Span"
        if not end <= span.start < span.end <= len(text):
            return f"`spans` gives {span.start} to {span.end} behind {end} in a text of {len(text)} characters"
        end = span.end
    return None


def placed(spans: Iterable[Span], page: Page) -> list[Span]:
    """The spans with their places in the page's source."""
    return [
        replace(span, source_start=start, source_end=end)
        for span in spans
        for start, end in [page.map.source_span(span.start, span.end)]
    ]
