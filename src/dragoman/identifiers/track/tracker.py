"""Our tracker: tokens, what they cost in each language, the languages worth naming, the cheapest path, spans.

A long text is read in windows of WINDOW characters and AHEAD more. The windows' parts up to WINDOW are decided for good
(the cheapest path of tokens that far back hardly ever depends on what comes later than AHEAD); the next window begins
with the last decided token, in its language and style. Memory depends on the window alone, and the cost is linear. A
window without a place to cut (no letters, or one run of them) is made longer until there is one.

Each window chooses its languages, from those that it must pay for and those of the window before, which are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import open_model
from dragoman.identifiers.track.assemble import Assembler, labels
from dragoman.identifiers.track.choose import letters_of, worthwhile
from dragoman.identifiers.track.decode import NEVER, STYLES, Path, PathSettings, best_path
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.identifiers.track.lexicon import Lexicon
from dragoman.identifiers.track.tokens import BLOCK, LINE, TrackTokens, code_points, tokens
from dragoman.types import Language, Span

#: The model file behind it.
SHIPPED = "track"
#: Characters that are decided at a time, and those that are read ahead for it.
WINDOW, AHEAD = 1 << 16, 1 << 12


class Tracker(LanguageTracker):
    """Spans of texts, told by a lexicon among some languages (all that it has, if none are given).

    The lexicon is the one that ships, one that is given, or that of a file, `argument`.

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

    def spans(self, text: str, lines: bool = False) -> list[Span]:
        """The spans of a text, in order; `lines`: every line is a block of its own, as in the text of a page."""
        return list(self.stream((text[at : at + WINDOW] for at in range(0, len(text), WINDOW)), lines))

    def stream(self, pieces: Iterable[str], lines: bool = False) -> Iterator[Span]:
        """The spans of a text that comes in pieces, as soon as they are decided."""
        source, ended = iter(pieces), False
        assembler = Assembler(self.languages)
        window, base, wanted = "", 0, WINDOW + AHEAD
        decided: tuple[int, int] | None = None  # column and style of the window's first token, if it is decided
        named: frozenset[Language] = frozenset()
        while True:
            waiting = [window]
            while not ended and sum(map(len, waiting)) < wanted:
                piece = next(source, None)
                ended = piece is None
                waiting.append(piece or "")
            window = "".join(waiting)
            found = tokens(window)
            if lines:
                found.boundaries[found.boundaries == LINE] = BLOCK
            last = len(found) if ended else _last(found, len(window), decided is not None)
            if not last and not ended:
                wanted = 2 * wanted
                continue
            path, columns = self._path(window, found, decided, named)
            label = labels(columns[path.columns], path.known, found)
            if decided is not None and assembler.open is not None:
                label[0] = assembler.open[1]
            yield from assembler.feed(window, base, found.part(0, last), label[:last], ended)
            if ended:
                yield from assembler.finish(window, base)
                return
            decided = int(columns[path.columns[last - 1]]), int(path.styles[last - 1])
            named = frozenset(self.languages[one] for one in np.unique(columns[path.columns[:last]]))
            at = int(found.starts[last - 1])
            window, base, wanted = window[at:], base + at, WINDOW + AHEAD

    def _path(
        self, window: str, found: TrackTokens, decided: tuple[int, int] | None, named: frozenset[Language]
    ) -> tuple[Path, NDArray[np.int32]]:
        """(path, columns): the cheapest path of a window, and the columns that its languages are."""
        costs = self.lexicon.costs(code_points(window), found, self.languages)
        columns = worthwhile(costs, found, self.languages, self.settings, named)
        if decided is not None and decided[0] not in columns:
            columns = np.sort(np.append(columns, np.int32(decided[0]))).astype(np.int32)
        path = best_path(costs, found, columns, self.settings, self._beginning(columns, decided))
        letters = letters_of(path, found, len(columns))
        used = np.flatnonzero(letters)
        if len(used) < 2:
            return path, columns
        if decided is not None:
            used = np.union1d(used, np.flatnonzero(columns == decided[0]))
        columns = columns[used]
        entering = self.settings.entering(letters[used], [self.languages[one] for one in columns])
        beginning = self._beginning(columns, decided)
        return best_path(costs, found, columns, self.settings, beginning, entering), columns

    def _beginning(self, columns: NDArray[np.int32], decided: tuple[int, int] | None) -> NDArray[np.int64]:
        """What each state costs before the first token: one is free and no other can be, if it is decided."""
        if decided is None:
            return self.settings.beginning(len(columns))
        beginning = np.full(len(STYLES) * len(columns), NEVER, np.int64)
        beginning[decided[1] * len(columns) + int(np.flatnonzero(columns == decided[0])[0])] = 0
        return beginning


def _last(found: TrackTokens, window: int, again: bool) -> int:
    """The number of tokens that are decided, all of them complete: 0 where there is nothing new among them."""
    last = int(np.searchsorted(found.starts, max(0, window - AHEAD)))
    while last and found.ends[last - 1] >= window:
        last -= 1
    return last if last > again else 0


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
