"""An HTML page's visible text with a map to its source, and the tags that say something about the page.

The work is done by the compiled tokeniser (dragoman.kernels.markup); its definition, in Python, is
dragoman.identifiers.text.markup.tokenise. Cost: linear in the length, whatever the page holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.markup.elements import ATTRIBUTES, CLOSED, ELEMENTS, END, LANGUAGE_ATTRIBUTES, NAMES
from dragoman.identifiers.text.markup.references import names, unreference
from dragoman.kernels.markup import Grammar, Rows, markup
from dragoman.types import TextMap


class Tag(NamedTuple):
    """A tag: its name in lower case, and those of its attributes that are told (the first of each name)."""

    name: str
    attributes: Mapping[str, str]
    #: True for an end tag; True for `<.../>`.
    ends: bool
    closed: bool
    #: source[start:end] is the tag; source[end:content_end] what it holds, if that is no markup (a title).
    start: int
    end: int
    content_end: int
    #: Where the text stood when it came.
    text_offset: int


@dataclass(frozen=True, eq=False)
class Markup:
    """What a page in HTML is made of."""

    source: str
    text: str
    map: TextMap
    #: See dragoman.identifiers.text.markup.tokenise.MarkupTokens.
    tag_rows: Rows
    attribute_rows: Rows

    def tags(self, most: int | None = None, among: frozenset[str] = frozenset()) -> Iterator[Tag]:
        """The tags that are told, in order, or those of the first `most`: an object for each is slow for millions.

        With names of elements, those of them alone.
        """
        rows = self.tag_rows[:most]
        ends = np.append(self.tag_rows[:, 6], len(self.attribute_rows))[1 : len(rows) + 1]
        attributes, source = self.attribute_rows[: ends[-1] if len(ends) else 0].tolist(), self.source
        if among:
            chosen = _places(among)[rows[:, 0]]
            rows, ends = rows[chosen], ends[chosen]
        for (number, kind, start, end, content, position, first), last in zip(
            rows.tolist(), ends.tolist(), strict=True
        ):
            values: dict[str, str] = {}
            for name, value, stop in attributes[first:last]:
                given = source[value:stop]
                values.setdefault(ATTRIBUTES[name], unreference(given, attribute=True) if "&" in given else given)
            name = NAMES[number] if number >= 0 else self._name(start, end)
            yield Tag(name, values, bool(kind & END), bool(kind & CLOSED), start, end, content, position)

    def _name(self, start: int, end: int) -> str:
        words = self.source[start + 1 : end - 1].lstrip("/").split(None, 1)
        return words[0].partition("/")[0].lower() if words else ""


@cache
def _places(names: frozenset[str]) -> NDArray[np.bool_]:
    """For each element by its number, whether it is among them; the last stands for those without a number."""
    return np.array([*(name in names for name in NAMES), False])


@cache
def _grammar() -> Grammar:
    return Grammar.of(ELEMENTS, ATTRIBUTES, LANGUAGE_ATTRIBUTES, names())


def read_markup(source: str, xml: bool = False, all_tags: bool = False) -> Markup:
    """The visible text of HTML, its map to the source, and the tags that say something about the page.

    Text that a browser would not show (scripts, styles, templates, comments, the title) is left out; blocks begin on
    lines of their own, and white space is one space, except in `<pre>`. `all_tags` tells them all; `xml` is for pages
    that are really XHTML.

    >>> page = read_markup("<p lang=fr>Caf&eacute; <i>noir</i><br>et th&eacute;")
    >>> page.text
    'Café noir\\net thé'
    >>> page.map.source_span(0, 4), page.source[11:22]
    ((11, 22), 'Caf&eacute;')
    >>> [(tag.name, dict(tag.attributes)) for tag in page.tags()]
    [('p', {'lang': 'fr'})]
    """
    text, segments, kinds, tags, attributes = markup(source.encode("utf-8", "surrogatepass"), _grammar(), xml, all_tags)
    visible = text.decode("utf-8", "surrogatepass")
    return Markup(source, visible, text_map(segments, kinds, len(visible)), tags, attributes)


def text_map(segments: Rows, kinds: NDArray[np.uint8], length: int) -> TextMap:
    """The map of these rows (text start, source start, source length)."""
    columns = np.ascontiguousarray(segments.reshape(-1, 3).T)
    return TextMap(columns[0], columns[1], columns[2], kinds, length)


def one_to_one(length: int) -> TextMap:
    """The map of a text that is its own source."""
    rows = np.array([[0, 0, length]] if length else [], np.int64)
    return text_map(rows, np.zeros(len(rows), np.uint8), length)
