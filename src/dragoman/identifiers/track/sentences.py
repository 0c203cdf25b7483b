"""Each sentence by itself, with an identifier of texts; neighbours of one language are one span."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dragoman.identifiers.answer import choice
from dragoman.identifiers.text.identify import DEFAULT, answer_texts, open_method
from dragoman.identifiers.track.assemble import Assembler, LabelledTokens
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.identifiers.track.tokens import BLOCK, END, END_SMALL, LINE, tokens
from dragoman.types import Span


class SentenceTracker(LanguageTracker):
    """Sentences, each told by itself, by an identifier of texts (dragoman.identifiers.text.identify).

    >>> SentenceTracker("de,en").spans("Das Wetter ist schön. The weather is fine.")
    [Span(start=0, end=21, language='de'), Span(start=22, end=42, language='en')]
    """

    name: ClassVar[str] = "sentences"
    takes: ClassVar[str] = "a method of `dragoman page`"

    def __init__(self, languages: str | Iterable[str] | None = None, argument: str = "") -> None:
        self.identifier = open_method(argument or DEFAULT)
        self.languages = choice(self.identifier, languages)

    def spans(self, text: str, lines: bool = False) -> list[Span]:
        """A span for each run of sentences in one language."""
        places = sentences(text, lines)
        answers = answer_texts([text[start:end] for start, end in places], self.identifier, self.languages, 0.0)
        judged = zip(places, answers.tags(), answers.columns().probabilities(), strict=True)
        return merged(
            Span(start, end, tag, probability=certain if tag else None) for (start, end), tag, certain in judged
        )


def sentences(text: str, lines: bool = False) -> list[tuple[int, int]]:
    """The sentences of a text as offsets, by what stands between its words.

    >>> sentences("So. Et tu, Brute?")
    [(0, 3), (4, 17)]
    """
    words = tokens(text)
    stops = (END, END_SMALL, BLOCK, LINE) if lines else (END, END_SMALL, BLOCK)
    first = np.flatnonzero(np.isin(words.boundaries, stops))
    if not len(words):
        return []
    bounds = [0, *(number for number in first.tolist() if number), len(words)]
    # each sentence is a label of its own, so that spans are cut where those of languages would be
    label = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
    assembler = Assembler(tuple(map(str, range(len(bounds) - 1))))
    nothing = np.zeros((len(words), len(bounds) - 1), np.int32)
    labelled = LabelledTokens(label, nothing, np.full(len(words), np.nan))
    spans = [*assembler.feed(text, 0, words, labelled, True), *assembler.finish(text, 0)]
    return [(span.start, span.end) for span in spans]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans with neighbours of the same language joined, the likelier one speaking for both."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].language == span.language:
            probability = max(
                (part.probability for part in (joined[-1], span) if part.probability is not None), default=None
            )
            joined[-1] = replace(joined[-1], end=span.end, probability=probability)
        else:
            joined.append(span)
    return joined
