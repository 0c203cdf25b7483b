"""The values that the rooms pass to each other: no behaviour beyond reading them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

#: A language is its BCP 47 tag (see dragoman.languages).
Language = str


@dataclass(frozen=True, eq=False)
class Scores:
    """Languages (columns) and a float32 matrix, one row per input; larger is likelier, NaN rows have no score.

    Two readings of the same matrix: `best` ("which language?") and `yes` ("is it language X?", one answer per
    language, so a row may be several languages or none).
    """

    languages: tuple[Language, ...]
    matrix: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def best(self) -> NDArray[np.int64]:
        """The column of the highest score in each row (the first where some tie).

        -1 where there is no answer: no score, or several languages that all score the same.
        """
        if not len(self.languages):
            return np.full(len(self), -1, np.int64)
        known = np.where(np.isnan(self.matrix), -np.inf, self.matrix)
        silent = known.max(axis=1) == known.min(axis=1) if len(self.languages) > 1 else np.isnan(self.matrix[:, 0])
        return np.where(silent, -1, np.argmax(known, axis=1))

    @property
    def yes(self) -> NDArray[np.bool_]:
        """True where the answer to "is it this language?" is yes: the score is above zero."""
        return self.matrix > 0

    def restricted(self, languages: Sequence[Language]) -> Scores:
        """The scores of these languages only, in this order."""
        columns = [self.languages.index(language) for language in languages]
        return Scores(tuple(languages), np.ascontiguousarray(self.matrix[:, columns]))


@dataclass(frozen=True)
class Contribution:
    """How much one feature spoke for (or, below zero, against) a language."""

    feature: str
    language: Language
    weight: float


@dataclass(frozen=True)
class Prediction:
    """One row for people: the language or None (nothing passed the threshold, or nothing to score)."""

    language: Language | None
    probability: float | None
    scores: Mapping[Language, float] = field(default_factory=dict)
    contributions: tuple[Contribution, ...] = ()
    #: Why there is no language, where there is none and the model can tell: `too little`, `no script of ours`,
    #: `romanised`, `code`.
    outcome: str | None = None


@dataclass(frozen=True, eq=False)
class TextMap:
    """Where each character of a page's text stands in its source: segments, in order, one number per segment.

    A segment begins at `text_starts` and goes on to the next one (the last to `length`); it came from `source_lengths`
    characters at `source_starts`. Its kind: 0 each character stays one, 1 it is replaced (`&eacute;`), 2 it is a gap
    (white space, tags) that became a separator.
    """

    text_starts: NDArray[np.int64]
    source_starts: NDArray[np.int64]
    source_lengths: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    length: int

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """(start, end) in the source of the text start..end; markup inside it is inside.

        An empty span is an empty one in the source. Positions outside the text are moved to its nearest end.
        """
        start = min(max(start, 0), self.length)
        end = min(max(end, start), self.length)
        if not self.length:
            return 0, 0
        first = self._bounds(min(start, self.length - 1))
        if start == end:
            return (first[1], first[1]) if start == self.length else (first[0], first[0])
        return first[0], self._bounds(end - 1)[1]

    def _bounds(self, character: int) -> tuple[int, int]:
        """Where one character of the text begins and ends in the source."""
        segment = int(np.searchsorted(self.text_starts, character, side="right")) - 1
        source = int(self.source_starts[segment])
        if self.kinds[segment]:
            return source, source + int(self.source_lengths[segment])
        source += character - int(self.text_starts[segment])
        return source, source + 1


@dataclass(frozen=True)
class Link:
    """A link on a page: where it leads, and what is said about it."""

    url: str
    #: The anchor text, and where it stands in the page's text.
    text: str = ""
    start: int = 0
    end: int = 0
    rel: tuple[str, ...] = ()
    #: The language that `hreflang` promises.
    language: Language | None = None
    #: What the `title` attribute says.
    title: str = ""

    @property
    def nofollow(self) -> bool:
        """True if the author asks crawlers not to follow it."""
        return "nofollow" in self.rel


@dataclass(frozen=True, eq=False)
class Page:
    """A page read from its bytes; what is not there is None or empty."""

    #: What it was taken for: `html`, `text` or `binary` (no text at all).
    kind: str
    #: The decoded page, and the text that a reader sees.
    source: str
    text: str
    map: TextMap
    title: str | None = None
    #: The charset, and how it was found: `bom`, `header`, `meta`, `detected`, `assumed`; None for a `str`.
    charset: str | None = None
    charset_how: str | None = None
    #: The language that the page declares, and where: `html`, `meta`, `header`, `og:locale`.
    declared: Language | None = None
    declared_how: str | None = None
    #: Every declaration of a language as it stands: (where, what).
    declarations: tuple[tuple[str, str], ...] = ()
    url: str | None = None
    #: What relative links are resolved against.
    base: str | None = None
    links: tuple[Link, ...] = ()
    #: (hreflang as given, URL) of the page in other languages.
    alternates: tuple[tuple[str, str], ...] = ()
    frames: tuple[str, ...] = ()
    #: Where a META refresh leads.
    refresh: str | None = None
    #: The words of META robots, in lower case.
    robots: frozenset[str] = frozenset()
    #: Stretches of the text that are links, menus, code and the like: rows of (start, end, kind), see
    #: dragoman.identifiers.text.markup.stretches.
    stretches: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 3), np.int64), repr=False)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page that a crawl has fetched, as its strategy sees it: keys are numbers in a simulation, URLs in a live crawl.

    Answers that are errors or no HTML are not pages: they are no N_a, and a strategy is told of them by `fail`.
    """

    key: Hashable
    server: Hashable
    #: The pair of server and first path segment; `/about.html` is in the root.
    directory: Hashable
    relevant: bool
    language: Language | None = None
    #: What the anchor text of the link by which it was found says, in log-odds.
    anchor: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A link's end, with everything that is known of it before it is fetched."""

    key: Hashable
    server: Hashable
    directory: Hashable
    #: How much its URL speaks for relevance, in log-odds; 0 says nothing.
    score: float = 0.0
    #: The language that `hreflang` promises, and what the anchor text says, in log-odds.
    hreflang: Language | None = None
    anchor: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a link: a priority in the queue of its group, or None (rejected), and always a reason."""

    key: Hashable
    group: Hashable
    priority: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Shift:
    """From now on a URL of this group that was queued with priority p ranks as offset + scale * p."""

    group: Hashable
    offset: float
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a strategy makes of a page: one decision per link, in their order, and what else the frontier must do."""

    links: tuple[Decision, ...]
    #: Groups whose queued URLs leave the queue now.
    dropped: tuple[Hashable, ...] = ()
    #: Links that had been kept aside and are decided now.
    released: tuple[Decision, ...] = ()
    shifts: Iterable[Shift] = ()


@dataclass(frozen=True)
class Span:
    """A part of a text in one language: half-open offsets in characters, as Python counts them; None: no decision."""

    start: int
    end: int
    language: Language | None
    #: Where it is in the page's source, for spans of the text of a page in HTML.
    source_start: int | None = field(default=None, repr=False)
    source_end: int | None = field(default=None, repr=False)
    #: How probable the language is, where a tracker can tell.
    probability: float | None = field(default=None, repr=False, compare=False)
