"""Our tracker: tokens, what they cost in each language, the languages worth naming, the cheapest path, spans.

A text is decided in cells of about CELL characters, cut where blocks or sentences end; what a cell's languages are is
told by the cell and CONTEXT characters before and behind it, and by nothing else. So no span depends on text that is
further away, and a text of any length needs little memory: it is read in windows of some cells. The cost is linear. A
window without a place to cut (no letters, or one run of them) is made longer until there is one.

Lines that are commands or code (dragoman.identifiers.text.code_lines) have no language and say nothing, and neither do
long words of one or two letters again and again. A text that is one such word has no language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import open_model
from dragoman.identifiers.text.code_lines import coded_lines
from dragoman.identifiers.text.identify import identify_text
from dragoman.identifiers.track.assemble import NONE, Assembler, LabelledTokens, labels
from dragoman.identifiers.track.choose import letters_of, worthwhile
from dragoman.identifiers.track.decode import PathSettings, best_path
from dragoman.identifiers.track.home import HomeLanguages, Sentences
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.identifiers.track.lexicon import Lexicon
from dragoman.identifiers.track.tokens import (
    BLOCK,
    END,
    END_SMALL,
    ENDS,
    INSIDE,
    LINE,
    WIDE_ENDS,
    TrackTokens,
    code_points,
    tokens,
)
from dragoman.kernels import track as kernel
from dragoman.types import Language, Span

#: The model file behind it.
SHIPPED = "track"
#: Characters that are decided at a time, and those around them that they are decided by.
CELL, CONTEXT = 1500, 500
#: Characters that are read at a time, and those of them that wait for the next ones.
WINDOW, AHEAD = 1 << 16, 1 << 12
#: A text of one language that is not longer than this is told as `page` tells it.
SHORT = 2000
#: A span of names whose language is less probable than this is joined to one beside it.
DOUBTFUL = 0.5
#: A word of so many letters and no more than two different ones says nothing, and from so many on it has no language.
LONG, ENDLESS = 12, 40


class Tracker(LanguageTracker):
    """Spans of texts, told by a lexicon among some languages (all that it has, if none are given).

    The lexicon is the one that ships, one that is given, or that of a file, `argument`. Among many languages the
    identifier of texts tells which are at home (dragoman.identifiers.track.home).

    >>> Tracker().spans("Das ist ein Haus. This is a house and it is mine.")
    [Span(start=0, end=17, language='de'), Span(start=18, end=49, language='en')]
    """

    name: ClassVar[str] = "default"
    takes: ClassVar[str] = "the file of a model of 'lexicon'"

    languages: tuple[Language, ...]

    def __init__(
        self,
        languages: str | Iterable[str] | None = None,
        argument: str = "",
        *,
        lexicon: Lexicon | None = None,
        settings: PathSettings | None = None,
    ) -> None:
        self.lexicon = lexicon or (opened(argument) if argument else shipped())
        self.settings = settings or PathSettings()
        self.languages = choice(self.lexicon, languages) or self.lexicon.languages_
        if self.languages != self.lexicon.languages_:
            self.lexicon = self.lexicon.restricted(self.languages)
        self.home = HomeLanguages(self.languages, self.lexicon.latin(self.languages), asked=languages is not None)

    def spans(self, text: str, lines: bool = False) -> list[Span]:
        """The spans of a text, in order; `lines`: every line is a block of its own, as in the text of a page."""
        spans = list(self.stream((text[at : at + WINDOW] for at in range(0, len(text), WINDOW)), lines))
        if len(spans) == 1 and spans[0].language and self.home.wide:
            whole = identify_text(text)
            if whole.language != spans[0].language and (len(text) <= SHORT or whole.language is None):
                return [replace(spans[0], language=whole.language, probability=whole.probability)]
        return _without_names(_asked_again(spans, text), text) if self.home.wide else spans

    def stream(self, pieces: Iterable[str], lines: bool = False) -> Iterator[Span]:
        """The spans of a text that comes in pieces, as soon as they are decided."""
        source, ended = iter(pieces), False
        assembler = Assembler(self.home.namable)
        window, base, wanted = "", 0, WINDOW + AHEAD
        fresh = 0  # where the tokens of the window begin that are not decided yet
        while True:
            waiting = [window]
            while not ended and sum(map(len, waiting)) < wanted:
                piece = next(source, None)
                ended = piece is None
                waiting.append(piece or "")
            window = "".join(waiting)
            words = _tokens(window, lines)
            first = int(np.searchsorted(words.starts, fresh))
            cells = _cells(words, first, len(window), ended)
            if not cells and not ended:
                wanted = 2 * wanted
                continue
            if cells:
                read = self._read(window, words)
                for start, end in cells:
                    part = words.part(max(0, start - 1), end)
                    labelled = self._cell(read, start, end)
                    yield from assembler.feed(window, base, part, labelled, ended and end == len(words))
                fresh = int(words.ends[cells[-1][1] - 1])
            if ended:
                yield from assembler.finish(window, base)
                return
            # what is decided stays as the context of what comes, and its last token as the beginning of the next span
            at = min(int(words.starts[cells[-1][1] - 1]), max(0, fresh - CONTEXT))
            window, base, fresh, wanted = window[at:], base + at, fresh - at, WINDOW + AHEAD

    def _read(self, window: str, words: TrackTokens) -> _Window:
        coded, held = _of_code(window, words), _held_down(window, words)
        words.coded[coded | held] = 1
        coded |= held & (words.ends - words.starts >= ENDLESS)
        costs = self.lexicon.costs(code_points(window), words, self.languages)
        return _Window(window, words, coded, costs, self.home.sentences(window, words))

    def _cell(self, read: _Window, start: int, end: int) -> LabelledTokens:
        """The languages of the tokens start..end, and what each says about all of them."""
        first, last = read.around(start, end)
        words, costs = read.tokens.part(first, last), read.costs[first:last]
        home = self.home.costs(read.text_of(first, last), read.sentences, first, last)
        columns = worthwhile(costs, words, self.languages, self.settings, home)
        beginning = self.settings.beginning(home[columns])
        path = best_path(costs, words, columns, self.settings, beginning, home[columns])
        everything = path.evidence if len(columns) == len(self.languages) else None
        letters = letters_of(path, words, len(columns))
        used = np.flatnonzero(letters)
        if len(used) > 1:
            if len(used) < len(columns):
                columns, beginning = columns[used], self.settings.beginning(home[columns[used]])
            rare = self.settings.entering(letters[used], [self.languages[column] for column in columns])
            entering = np.maximum(home[columns], rare)
            path = best_path(costs, words, columns, self.settings, beginning, entering)
        label = labels(columns[path.columns], path.known, words)
        label[read.coded[first:last]] = NONE
        if everything is None:
            everything, _ = kernel.evidence(
                costs, np.arange(len(self.languages), dtype=np.int32), words.starts, words.ends, words.boundaries,
                words.coded, self.settings.limits(),
            )  # fmt: skip
        chosen = slice(start - first, end - first)
        label, sure = self.home.settled(label[chosen], read.sentences, start, first, last)
        return LabelledTokens(label, everything[chosen], sure)


@dataclass(frozen=True, eq=False)
class _Window:
    """A window with what is known of its tokens: those of code, what each costs, and the sentences they stand in."""

    text: str
    tokens: TrackTokens
    coded: NDArray[np.bool_]
    costs: NDArray[np.int32]
    sentences: Sentences

    def around(self, start: int, end: int) -> tuple[int, int]:
        """The tokens start..end and those that they are decided by."""
        first = int(np.searchsorted(self.tokens.starts, self.tokens.starts[start] - CONTEXT))
        return first, int(np.searchsorted(self.tokens.ends, self.tokens.ends[end - 1] + CONTEXT, side="right"))

    def text_of(self, first: int, last: int) -> str:
        """The text of some tokens."""
        return self.text[int(self.tokens.starts[first]) : int(self.tokens.ends[last - 1])]


def _asked_again(spans: list[Span], text: str) -> list[Span]:
    """The spans; whole lines and sentences that are rather not in their language as the identifier of texts tells them,
    if it knows."""
    asked = []
    for span in spans:
        if (
            span.language
            and (span.probability or 0.0) < DOUBTFUL
            and _begins(text, span.start)
            and _ends(text, span.end)
        ):
            answer = identify_text(text[span.start : span.end])
            probability = round(answer.probability or 0.0, 4)
            if answer.language and probability >= DOUBTFUL:
                span = replace(span, language=answer.language, probability=probability)
        asked.append(span)
    return asked


def _begins(text: str, at: int) -> bool:
    """True where a line or sentence begins."""
    return text[max(0, at - SHORT) : at].rstrip(" ")[-1:] in ("", "\n", *ENDS, *WIDE_ENDS)


def _ends(text: str, at: int) -> bool:
    """True where a line or sentence ends."""
    return text[at - 1] in ENDS | WIDE_ENDS or text[at : at + 1] in ("", "\n")


def _without_names(spans: list[Span], text: str) -> list[Span]:
    """The spans without those that are rather not in their language and mostly names: each joined to one beside it."""
    joined: list[Span] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before is not None and before.language and span.language and "\n" not in text[before.end : span.start]:
            weaker, stronger = sorted((before, span), key=lambda part: part.probability or 0.0)
            words = text[weaker.start : weaker.end].split()
            names = 2 * sum(word[0].isupper() for word in words) > len(words)
            if names and (weaker.probability or 0.0) < DOUBTFUL <= (stronger.probability or 0.0):
                span = replace(stronger, start=joined.pop().start, end=span.end)
                before = joined[-1] if joined else None
        if before is not None and before.language == span.language:
            likelier = max(before, span, key=lambda part: part.probability or 0.0)
            span = replace(likelier, start=joined.pop().start, end=span.end)
        joined.append(span)
    return joined


def _tokens(window: str, lines: bool) -> TrackTokens:
    words = tokens(window)
    if lines:
        words.boundaries[words.boundaries == LINE] = BLOCK
    return words


def _of_code(window: str, words: TrackTokens) -> NDArray[np.bool_]:
    """True for each token on a line that is code."""
    coded, start = np.zeros(len(words), bool), 0
    lines = window.split("\n")
    for line, is_code in zip(lines, coded_lines(lines), strict=True):
        if is_code:
            coded[slice(*np.searchsorted(words.starts, [start, start + len(line)]))] = True
        start += len(line) + 1
    return coded


def _held_down(window: str, words: TrackTokens) -> NDArray[np.bool_]:
    """True for each long token of one or two letters."""
    held = np.zeros(len(words), bool)
    for number in np.flatnonzero(words.ends - words.starts >= LONG).tolist():
        held[number] = len(set(window[words.starts[number] : words.ends[number]].lower())) <= 2
    return held


def _cells(words: TrackTokens, first: int, window: int, ended: bool) -> list[tuple[int, int]]:
    """The cells of the tokens from `first` on as (start, end), those that are complete with what comes behind them."""
    last = len(words) if ended else int(np.searchsorted(words.ends, window - AHEAD))
    if ended and first < last and words.starts[-1] - words.starts[first] < CELL // 4:
        return [(first, last)]
    before = words.boundaries
    kinds = (
        (CELL // 4, np.flatnonzero(before == BLOCK)),
        (CELL, np.flatnonzero((before == END) | (before == END_SMALL) | (before == LINE))),
        (2 * CELL, np.flatnonzero(before != INSIDE)),
        (4 * CELL, np.arange(len(words))),
    )
    cells = []
    while first < last:
        cut = last if ended else len(words)
        for least, places in kinds:
            behind = int(np.searchsorted(words.starts, words.starts[first] + least))
            number = int(np.searchsorted(places, max(behind, first + 1)))
            if number < len(places):
                cut = min(cut, int(places[number]))
        if cut > last or (cut == len(words) and not ended):
            break
        cells.append((first, cut))
        first = cut
    return cells


@lru_cache(maxsize=1)
def shipped() -> Lexicon:
    """The lexicon that ships."""
    return opened(SHIPPED)


def opened(name: str) -> Lexicon:
    """The lexicon of a name or in a file."""
    model = open_model(name)
    if not isinstance(model, Lexicon):
        raise UsageError(f"'{name}' is not a lexicon but '{model.algorithm}'")
    return model
