"""Tokens with languages become spans: where they begin and end, and what has no language.

- A span takes in everything up to the last white space before the next one's first letter (up to the last line, if
  there is one between them): the marks behind its last word, and those before its first, a quotation mark with a space
  behind it (« oui ») among them. White space between two spans
  belongs to none.
- Words in letters that none of the languages knows have no language (None); fewer than 8 such letters in a row, such as
  a Greek letter in a formula, count to the words before them.
- More than 200 characters without a letter in a row are a span without language; fewer count to the words before them.
- Text without letters is one span without language; text of white space alone, or of nothing, has no spans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.track.lexicon import UNIT
from dragoman.identifiers.track.tokens import TrackTokens
from dragoman.types import Language, Span

#: Letters of no known language, in a row, that make a span of their own.
STRANGE = 8
#: Characters without a letter, in a row, that make a span of their own.
SILENT = 200
#: How much is believed of what tokens say: they are not independent of each other.
SHARPNESS = 0.5
#: The place of None among the labels of tokens.
NONE = -1

SPACES = (
    " \t\r\n\f\v\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
#: What opens a quotation, in French with a space behind it.
_OPENING = "«‹“„‘"


def labels(columns: NDArray[np.int32], known: NDArray[np.uint8], tokens: TrackTokens) -> NDArray[np.int32]:
    """The column of each token, or NONE where enough letters in a row belong to no language."""
    out = columns.astype(np.int32)
    strange = np.flatnonzero(known == 0)
    if not len(strange):
        return out
    for run in np.split(strange, np.flatnonzero(np.diff(strange) > 1) + 1):
        first, last = int(run[0]), int(run[-1])
        if int(np.sum(tokens.ends[run] - tokens.starts[run])) >= STRANGE:
            out[run] = NONE
        elif first > 0:
            out[run] = out[first - 1]
        elif last + 1 < len(out):
            out[run] = out[last + 1]
    return out


def with_silences(
    window: str, tokens: TrackTokens, label: NDArray[np.int32], begins: bool, ends: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """(starts, ends, labels) of the tokens and of the long stretches between them, which have no language.

    `begins` and `ends` tell whether the window begins and ends with the text: only then are its edges stretches too.
    """
    edges = (0 if begins else int(tokens.starts[0]), len(window.rstrip(SPACES)) if ends else int(tokens.ends[-1]))
    left = np.concatenate([edges[:1], tokens.ends]).astype(np.int64)
    right = np.concatenate([tokens.starts, edges[1:]]).astype(np.int64)
    places = np.flatnonzero(right - left > SILENT)
    starts, stops = tokens.starts.astype(np.int64), tokens.ends.astype(np.int64)
    if not len(places):
        return starts, stops, label
    inner = [_inner(window, int(left[gap]), int(right[gap])) for gap in places]
    real = [end > start for start, end in inner]  # a run that touches the words on both sides leaves nothing between
    places, inner = places[real], [bounds for bounds, is_real in zip(inner, real, strict=True) if is_real]
    return (
        np.insert(starts, places, [start for start, _ in inner]),
        np.insert(stops, places, [end for _, end in inner]),
        np.insert(label, places, NONE),
    )


def _inner(window: str, left: int, right: int) -> tuple[int, int]:
    """A stretch without what touches the words before and behind it."""
    gap = window[left:right]
    if not gap.strip(SPACES):
        return left, left
    head = next((at for at, character in enumerate(gap) if character in SPACES), 0) if left else 0
    tail = next((at for at, character in enumerate(reversed(gap)) if character in SPACES), 0)
    inner = gap[head : len(gap) - tail]
    start = left + head + len(inner) - len(inner.lstrip(SPACES))
    return start, max(start, right - tail - (len(inner) - len(inner.rstrip(SPACES))))


@dataclass(frozen=True, eq=False)
class LabelledTokens:
    """The labels of some tokens, what each of them says about every language, and how sure a sentence was (or NaN)."""

    label: NDArray[np.int32]
    evidence: NDArray[np.int32]
    sure: NDArray[np.float64]


class Assembler:
    """Spans from the tokens of a text that comes in parts; `feed` yields those that are complete.

    How probable a span's language is follows from what its tokens say about all of them,

        p(language) = exp(-SHARPNESS * evidence(language)) / sum over languages,

    or from what its sentences say, where those decided.
    """

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self.languages = languages
        #: The span that is still open: where it begins, and its label. None before the first token.
        self.open: tuple[int, int] | None = None
        self._evidence: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sure: list[float] = []

    def feed(self, window: str, base: int, tokens: TrackTokens, labelled: LabelledTokens, ends: bool) -> Iterator[Span]:
        """Take some tokens; unless they are the first, they begin with the last of those before, which has no label."""
        if not len(tokens):
            return
        label, skipped = labelled.label, len(tokens) - len(labelled.label)
        if skipped:
            assert self.open is not None
            label = np.concatenate([np.array([self.open[1]], np.int32), label])
        # the number of each token, and NONE for the stretches between them
        starts, stops, order = with_silences(
            window, tokens, np.arange(len(tokens), dtype=np.int32), self.open is None, ends
        )
        label = np.where(order >= 0, label[order], NONE)
        if self.open is None:
            self.open = (base + len(window) - len(window.lstrip(SPACES)), int(label[0]))
        sums = np.cumsum(labelled.evidence, axis=0, dtype=np.int64)
        sure = labelled.sure if not np.isnan(labelled.sure).all() else None
        counts = np.maximum(np.cumsum(order >= 0) - skipped, 0)  # labelled tokens up to here
        before = 0
        for change in [*(np.flatnonzero(np.diff(label)) + 1).tolist(), len(label)]:
            behind = int(counts[change - 1])
            if behind > before:
                own = sums[behind - 1] - sums[before - 1] if before else sums[behind - 1]
                self._evidence = self._evidence + own if len(self._evidence) else own
                if sure is not None:
                    self._sure += sure[before:behind][~np.isnan(sure[before:behind])].tolist()
            before = behind
            if change == len(label):
                break
            cut, begin = _cut(window, int(stops[change - 1]), int(starts[change]))
            yield self._span(base + cut)
            self.open = (base + begin, int(label[change]))

    def finish(self, window: str, base: int) -> Iterator[Span]:
        """The last span, given a window that goes to the end of the text."""
        end = base + len(window.rstrip(SPACES))
        if self.open is None:
            self.open = (base + len(window) - len(window.lstrip(SPACES)), NONE)
        if end > self.open[0]:
            yield self._span(end)

    def _span(self, end: int) -> Span:
        assert self.open is not None
        start, label = self.open
        evidence, sure, self._evidence, self._sure = self._evidence, self._sure, np.zeros(0, np.int64), []
        if label == NONE:
            return Span(start, end, None)
        if sure:
            probability = sum(sure) / len(sure)
        else:
            share = np.exp(-SHARPNESS / UNIT * (evidence - evidence.min()))
            probability = float(share[label] / share.sum())
        return Span(start, end, self.languages[label], probability=round(probability, 4))


def _cut(window: str, left: int, right: int) -> tuple[int, int]:
    """(end, start): where the span before a gap ends and the next begins, at the last line or white space in it."""
    gap = window[left:right]
    if "\n" in gap:  # what stands before the next word on its own line is its own
        line = gap.rindex("\n")
        return left + len(gap[:line].rstrip(SPACES)), right - len(gap[line:].lstrip(SPACES))
    body = gap.rstrip(SPACES)
    if len(body) < len(gap):  # white space directly before the next word
        before = body.rstrip(_OPENING)
        if len(before) < len(body) and before.endswith(tuple(SPACES)):  # and a quotation mark with more before it
            return left + len(before.rstrip(SPACES)), left + len(before)
        return left + len(body), right
    at = max((position for position, character in enumerate(gap) if character in SPACES), default=-1)
    if at < 0:
        closing = len(gap) - len(gap.lstrip(")]}»”’'\".,;:!?…。、！？」』）"))
        return left + closing, left + closing
    return left + len(gap[:at].rstrip(SPACES)), left + at + 1
