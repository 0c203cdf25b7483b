"""Text becomes tokens: words with what stands before each, the plain definition that kernels/track.c repeats.

A token is a run of letters (with their marks, as in URLs: Unicode 14), cut where scripts that write words together
(Han, kana, Thai, Lao, Tibetan, Burmese, Khmer) meet others. Runs of those scripts are cut into single characters. The
signs that only some languages have before a sentence, `¿` and `¡`, are tokens too.

What stands between a token and the one before decides how likely a change of language is there (`BOUNDARIES`).

Tokens inside addresses, paths and code are `coded`: their run of western characters (below U+0250, without white space)
has one of the signs / \\ _ @ = $ { } | ~ ^ #. Commands and names say nothing about the language around them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels

#: What can stand before a token. `capital`: the token begins with a capital letter.
BOUNDARIES = (
    "space",
    "space, capital",
    "mark",
    "mark, capital",
    "end",
    "end, small",
    "inside",
    "line",
    "block",
    "quote",
)
SPACE, SPACE_CAPITAL, MARK, MARK_CAPITAL, END, END_SMALL, INSIDE, LINE, BLOCK, QUOTE = range(len(BOUNDARIES))

#: What ends a sentence, with a space behind it or (those of East Asia) without.
ENDS = frozenset(".!?…؟।॥։።")
WIDE_ENDS = frozenset("。！？｡")
#: Quotation marks, without those that are apostrophes as well.
QUOTES = frozenset('"«»‹›《》“”„‟「」『』')
#: What may stand inside a word or a name: a change of language there is out of the question.
JOINERS = frozenset("'’‘ʼ`-‐‑.·_@/&+:\u00ad\u200b\u200c\u200d")
#: Scripts that do not write spaces between words: first and last code point of their blocks.
UNSPACED = (
    (0x0E00, 0x0FFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)
OPENERS = frozenset("¿¡")
SPACES = frozenset(" \t\r\n\f\v\u00a0\u2028\u2029\u3000")
SIGNS_OF_CODE = frozenset("/\\_@=${}|~^#")
WESTERN = 0x250


@dataclass(frozen=True, eq=False)
class TrackTokens:
    """Where the tokens of a text are (half open, in code points), what stands before each, and 1 for coded ones."""

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    boundaries: NDArray[np.uint8]
    coded: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts)

    def part(self, first: int, last: int) -> TrackTokens:
        """Some tokens in a row."""
        chosen = slice(first, last)
        return TrackTokens(self.starts[chosen], self.ends[chosen], self.boundaries[chosen], self.coded[chosen])


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text, one per character as Python counts them (lone surrogates too)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def is_unspaced(point: int) -> bool:
    """True for characters of scripts that do not write spaces between words."""
    return any(first <= point <= last for first, last in UNSPACED)


def tokens(text: str) -> TrackTokens:
    """The tokens of a text.

    >>> found = tokens("Non è vero. “Ja!”")
    >>> [BOUNDARIES[one] for one in found.boundaries]
    ['inside', 'space', 'space', 'end']
    """
    from dragoman.kernels import track as kernel

    return TrackTokens(*kernel.tokens(code_points(text)))


def plain_tokens(text: str) -> TrackTokens:
    """The same by the definition at the top of this module."""
    starts: list[int] = []
    ends: list[int] = []
    boundaries: list[int] = []
    at = 0
    while at < len(text):
        point = ord(text[at])
        end = at + 1
        if text[at] not in OPENERS:
            if not kernels.fold(point):
                at += 1
                continue
            while not is_unspaced(point) and end < len(text) and _continues(text[end]):
                end += 1
        gap = text[ends[-1] if ends else 0 : at]
        boundaries.append(_boundary(gap, text[at], bool(ends) and is_unspaced(ord(text[at - 1])) != is_unspaced(point)))
        starts.append(at)
        ends.append(end)
        at = end
    places = (np.array(starts, np.int32), np.array(ends, np.int32))
    coded = np.array([_is_coded(text, start) for start in starts], np.uint8)
    return TrackTokens(*places, np.array(boundaries, np.uint8), coded)


def _is_coded(text: str, at: int) -> bool:
    """True if the run of western characters at this place has a sign of code."""
    if not _is_western(text[at]):
        return False
    first = last = at
    while first > 0 and _is_western(text[first - 1]):
        first -= 1
    while last < len(text) and _is_western(text[last]):
        last += 1
    return not SIGNS_OF_CODE.isdisjoint(text[first:last])


def _is_western(character: str) -> bool:
    return ord(character) < WESTERN and character not in SPACES


def _continues(character: str) -> bool:
    return bool(kernels.fold(ord(character))) and not is_unspaced(ord(character))


def _boundary(gap: str, first: str, changes_script: bool) -> int:
    """What a token that begins with `first` has before it."""
    capital = kernels.fold(ord(first)) not in (0, ord(first))
    if not gap:
        return SPACE if changes_script else INSIDE
    lines = gap.count("\n")
    spaced = any(character in SPACES for character in gap)
    if lines > 1:
        return BLOCK
    if not spaced and all(character in JOINERS or (character.isdecimal() and character.isascii()) for character in gap):
        return INSIDE
    if any(character in WIDE_ENDS or (spaced and character in ENDS) for character in gap):
        return END if capital or lines else END_SMALL
    if lines:
        return LINE
    if not QUOTES.isdisjoint(gap):
        return QUOTE
    if any(not _is_quiet(character) for character in gap):
        return MARK_CAPITAL if capital else MARK
    return SPACE_CAPITAL if capital else SPACE


def _is_quiet(character: str) -> bool:
    """True for what says nothing between two words: spaces, digits, and the signs of words."""
    return character in SPACES or (character.isascii() and character.isdigit()) or character in JOINERS
