"""Stretches of a page's text that are something else than running text: links, choices, menus, code, notices.

What is told of a stretch: (start, end, kind), places in the text, in order of their ends. They may lie in each other.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.markup.elements import ATTRIBUTES, CLOSED, END, NAMES
from dragoman.identifiers.text.markup.visible import Markup
from dragoman.kernels.markup import Rows
from dragoman.kernels.phrases import SoughtPhrases

#: A link; a link that promises a language (`hreflang`); `<select>`; `<nav>`, `<menu>`; code; a notice about cookies.
LINK, LANGUAGE_LINK, CHOICE, NAVIGATION, CODE, NOTICE = range(6)
_KINDS = {"select": CHOICE, "datalist": CHOICE, "nav": NAVIGATION, "menu": NAVIGATION, "pre": CODE, "code": CODE,
          "samp": CODE, "kbd": CODE}  # fmt: skip
#: Tags that are looked at, and notices: a page of 100 MB may have millions.
_MOST, _MOST_NOTICES = 50_000, 20
#: What the elements of notices about cookies are named after, and such an element.
_ABOUT = ("cookie", "consent", "gdpr", "onetrust", "cybot", "didomi", "usercentrics")
_NOTICE = re.compile(
    r"<(div|section|aside|dialog|form|footer|p)\b[^<>]{0,300}?\b(?:id|class)\s*=\s*[\"']?[^\"'<>]{0,200}?"
    rf"(?:{'|'.join(_ABOUT)})[^<>]{{0,500}}>",
    re.IGNORECASE,
)
_NAMED_SO = SoughtPhrases(_ABOUT)
#: So much of the source a notice may take.
_LONGEST = 30_000


@cache
def _numbers() -> NDArray[np.int64]:
    """The kind of each told element, by its number; -1 for others. Links are -2."""
    kinds = np.full(len(NAMES) + 1, -1, np.int64)  # the last is for those without a number
    for name, kind in _KINDS.items():
        kinds[NAMES.index(name)] = kind
    kinds[NAMES.index("a")] = -2
    return kinds


def stretches_of(markup: Markup) -> Rows:
    """The stretches of a page.

    >>> from dragoman.identifiers.text.markup.visible import read_markup
    >>> stretches_of(read_markup("<p>See <a href=/>here</a><select><option>Deutsch</select>")).tolist()
    [[4, 8, 0], [9, 16, 2]]
    """
    rows = markup.tag_rows[: 4 * _MOST]
    kinds = _numbers()[rows[:, 0]]
    chosen = np.flatnonzero(kinds != -1)[:_MOST]
    speaking = _with_hreflang(markup)
    parts: list[tuple[int, int, int]] = []
    depths, starts = dict.fromkeys(range(6), 0), dict.fromkeys(range(6), 0)
    anchor: tuple[int, int] | None = None
    for row, kind in zip(chosen.tolist(), kinds[chosen].tolist(), strict=True):
        flags, position = int(rows[row, 1]), int(rows[row, 5])
        if kind == -2:
            if anchor is not None:
                parts.append((anchor[0], position, anchor[1]))
            anchor = None if flags & END else (position, LANGUAGE_LINK if row in speaking else LINK)
        elif flags & END:
            if depths[kind] == 1:
                parts.append((starts[kind], position, kind))
            depths[kind] = max(0, depths[kind] - 1)
        elif not flags & CLOSED:
            if not depths[kind]:
                starts[kind] = position
            depths[kind] += 1
    end = len(markup.text)
    parts += [(anchor[0], end, anchor[1])] if anchor else []
    parts += [(starts[kind], end, kind) for kind, depth in depths.items() if depth]
    parts += _notices(markup)
    text = markup.text
    # a stretch begins at the separator before it: the text itself begins behind
    return np.array(
        [(start + (text[start : start + 1] in ("\n", " ")), stop, kind) for start, stop, kind in parts if stop > start],
        np.int64,
    ).reshape(-1, 3)


def _with_hreflang(markup: Markup) -> frozenset[int]:
    """The rows of the tags that promise a language."""
    places = np.flatnonzero(markup.attribute_rows[:, 0] == ATTRIBUTES.index("hreflang"))
    return frozenset((np.searchsorted(markup.tag_rows[:, 6], places, side="right") - 1).tolist())


def _notices(markup: Markup) -> list[tuple[int, int, int]]:
    """Notices about cookies, by the names of their elements."""
    source, places = markup.source, markup.map
    if not _NAMED_SO.any_in(source.encode("utf-8", "surrogatepass").lower()):
        return []
    notices, at = list[tuple[int, int, int]](), 0
    while len(notices) < _MOST_NOTICES and (match := _NOTICE.search(source, at)):
        at = _end(source, match.end(), match[1])
        first, last = (int(np.searchsorted(places.source_starts, position)) for position in (match.end(), at))
        starts = places.text_starts
        start, stop = (int(starts[segment]) if segment < len(starts) else places.length for segment in (first, last))
        notices.append((start, stop, NOTICE))
    return notices


def _end(source: str, at: int, name: str) -> int:
    """Where the element that begins before `at` ends, if its tags are paired."""
    depth = 1
    for match in re.compile(rf"<(/?){name}\b", re.IGNORECASE).finditer(source, at, min(len(source), at + _LONGEST)):
        depth += -1 if match[1] else 1
        if not depth:
            return match.start()
    return at
