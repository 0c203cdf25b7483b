"""The ways to track a text, behind one call.

default               our tracker (dragoman.identifiers.track.tracker)
sentences             each sentence by itself, with the default identifier of texts; `sentences:NAME` with another
                      (dragoman.identifiers.text.identify), such as sentences:heliport
hmm-network:FILE      the network of the HMM paper, with a model of the algorithm `hmm` in a file
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.answer import choice
from dragoman.identifiers.track.assemble import Assembler
from dragoman.identifiers.track.tokens import BLOCK, END, END_SMALL, LINE, tokens
from dragoman.types import Page, Span

DEFAULT = "default"
METHODS = (DEFAULT, "sentences", "hmm-network")
#: What a change of language costs in the network of HMMs: without it (0, as in the paper) half the letters are wrong.
PENALTY = 8.0
#: What a method becomes when its languages are known: text, and whether every line is a block, to spans.
Ready = Callable[[str, bool], list[Span]]


def track(
    text: str | Page, languages: str | Iterable[str] | None = None, method: str = DEFAULT, lines: bool = False
) -> list[Span]:
    """Where the language of a text changes: its spans, in order, that do not overlap.

    - `text` is a text, or a page (text.document.read_page): then its visible text is tracked, the borders of
      its blocks are evidence, and spans tell their place in the page's source too.
    - `languages` restricts the choice: a list, or a text such as "en,de"; `five` and `eleven` are known.
    - `lines` says that every line of a text is a block of its own; else only empty lines separate blocks.

    >>> track("Er sagte: “Let's go to the beach” und ging.", "en,de")[1]
    Span(start=10, end=33, language='en')
    >>> track("1984")
    [Span(start=0, end=4, language=None)]
    """
    ready = open_tracker(method, languages)
    if isinstance(text, Page):
        return placed(ready(text.text, text.kind == "html"), text)
    return ready(text, lines)


def open_tracker(method: str = DEFAULT, languages: str | Iterable[str] | None = None) -> Ready:
    """A method, ready to track many texts among the same languages."""
    name, _, argument = method.partition(":")
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    if name == "sentences":
        return _sentences(argument or DEFAULT, languages)
    if name == "hmm-network":
        return _network(argument, languages)
    chosen = languages if isinstance(languages, str) or languages is None else tuple(languages)
    return _ours(chosen)


@lru_cache(maxsize=8)
def _ours(languages: str | tuple[str, ...] | None) -> Ready:
    from dragoman.identifiers.track.tracker import Tracker

    return Tracker(languages=languages).spans


def placed(spans: Iterable[Span], page: Page) -> list[Span]:
    """The spans with their places in the page's source."""
    found = []
    for span in spans:
        start, end = page.map.source_span(span.start, span.end)
        found.append(replace(span, source_start=start, source_end=end))
    return found


def sentences(text: str, lines: bool = False) -> list[tuple[int, int]]:
    """The sentences of a text as offsets, by what stands between its words.

    >>> sentences("So. Et tu, Brute?")
    [(0, 3), (4, 17)]
    """
    found = tokens(text)
    stops = (END, END_SMALL, BLOCK, LINE) if lines else (END, END_SMALL, BLOCK)
    first = np.flatnonzero(np.isin(found.boundaries, stops))
    if not len(found):
        return []
    bounds = [0, *(one for one in first.tolist() if one), len(found)]
    # each sentence is a label of its own, so that spans are cut where those of languages would be
    label = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
    assembler = Assembler(tuple(map(str, range(len(bounds) - 1))))
    spans = [*assembler.feed(text, 0, found, label, True), *assembler.finish(text, 0)]
    return [(span.start, span.end) for span in spans]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans with neighbours of the same language joined."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].language == span.language:
            found[-1] = replace(found[-1], end=span.end)
        else:
            found.append(span)
    return found


def _sentences(identifier: str, languages: str | Iterable[str] | None) -> Ready:
    from dragoman.identifiers.text.identify import answer_texts, open_method

    model = open_method(identifier)
    chosen = choice(model, languages)

    def spans(text: str, lines: bool = False) -> list[Span]:
        places = sentences(text, lines)
        tags = answer_texts([text[start:end] for start, end in places], model, chosen, 0.0).tags()
        return merged(Span(start, end, tag) for (start, end), tag in zip(places, tags, strict=True))

    return spans


def _network(file: str, languages: str | Iterable[str] | None) -> Ready:
    from dragoman.identifiers.models import open_model
    from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
    from dragoman.identifiers.text.algorithms.hmm.network import Network

    model = open_model(file or "hmm")
    if not isinstance(model, Hmm):
        raise UsageError(
            f"'{file or 'hmm'}' holds a model of '{model.algorithm}', and 'hmm-network' needs one of 'hmm'"
        )
    network = Network(model, PENALTY, choice(model, languages))

    def spans(text: str, lines: bool = False) -> list[Span]:
        return network.decode(text)

    return spans
