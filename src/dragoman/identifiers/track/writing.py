"""Spans as rows of JSON, as XML with `xml:lang`, and as `lang` attributes in the page's own markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.types import Page, Span

#: What a span without language is marked as: undetermined (ISO 639-2), as BCP 47 has it.
UNDETERMINED = "und"
#: Elements whose content is text and nothing else, or not HTML: nothing is put into them.
_CLOSED = frozenset({"math", "option", "select", "style", "script", "svg", "textarea", "title", "noscript", "iframe"})
#: What XML 1.0 has no place for.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def rows(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """The spans as JSON has them: start, end, language, its probability, and places in the source if they have some."""
    written = []
    for span in spans:
        probability = None if span.probability is None else round(span.probability, 6)
        row: dict[str, Any] = {
            "start": span.start, "end": span.end, "language": span.language, "probability": probability
        }  # fmt: skip
        if span.source_start is not None:
            row |= {"source_start": span.source_start, "source_end": span.source_end}
        written.append(row)
    return written


def to_xml(text: str, spans: Sequence[Span], source: str = "") -> str:
    """The whole text as XML, each span an element with `xml:lang`; characters that XML cannot hold become U+FFFD.

    >>> print(to_xml("Ja & no.", [Span(0, 4, "de"), Span(5, 8, "es")]).splitlines()[1])
    <text><span xml:lang="de">Ja &amp;</span> <span xml:lang="es">no.</span></text>
    """
    parts = []
    for piece, span in pieces(text, spans):
        shown = escape(_FORBIDDEN.sub("\ufffd", piece), quote=False).replace("\r", "&#13;")
        parts.append(f'<span xml:lang="{escape(tag(span))}">{shown}</span>' if span else shown)
    named = f' source="{escape(_FORBIDDEN.sub(chr(0xFFFD), source))}"' if source else ""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<text{named}>{"".join(parts)}</text>\n'


def tag(span: Span) -> str:
    """The language of a span as a tag."""
    return span.language or UNDETERMINED


def pieces(text: str, spans: Iterable[Span]) -> Iterator[tuple[str, Span | None]]:
    """The whole text in order: what each span covers with the span, and what lies between with None."""
    at = 0
    for span in spans:
        if span.start > at:
            yield text[at : span.start], None
        yield text[span.start : span.end], span
        at = span.end
    if at < len(text):
        yield text[at:], None


def marked_up(page: Page, spans: Iterable[Span]) -> str:
    """The page's source with `<span lang="...">` around the text of each span.

    A span of text is split wherever a tag stands in it, so that elements never cross, and nothing is put where HTML
    allows no elements (options, text areas, titles, SVG). Without the new tags the source is as it was.

    >>> from dragoman.identifiers.text.document import read_page
    >>> page = read_page("<p>Guten <b>Tag</b>, how are you?")
    >>> marked_up(page, [Span(0, 9, "de"), Span(11, 23, "en")])
    '<p><span lang="de">Guten</span> <b><span lang="de">Tag</span></b>, <span lang="en">how are you?</span>'
    """
    closed = _closed(page.source)
    out, at = [], 0
    for start, end, language in _runs(page, spans):
        if any(first <= start < last for first, last in _near(closed, start)):
            continue
        out += [page.source[at:start], f'<span lang="{escape(language)}">', page.source[start:end], "</span>"]
        at = end
    return "".join([*out, page.source[at:]])


def _runs(page: Page, spans: Iterable[Span]) -> Iterator[tuple[int, int, str]]:
    """(start, end, language) of the stretches of source between tags that hold the text of a span."""
    starts = page.map.text_starts
    for span in spans:
        first = int(np.searchsorted(starts, span.start, side="right")) - 1
        last = int(np.searchsorted(starts, span.end, side="left"))
        run: tuple[int, int] | None = None
        for segment in range(max(0, first), last):
            if page.map.kinds[segment] == 2:  # white space or tags
                continue
            begin = max(span.start, int(starts[segment]))
            stop = min(span.end, int(starts[segment + 1]) if segment + 1 < len(starts) else page.map.length)
            if begin >= stop:
                continue
            source = page.map.source_span(begin, stop)
            if run is not None and "<" not in page.source[run[1] : source[0]]:
                run = (run[0], source[1])
                continue
            if run is not None:
                yield (*run, tag(span))
            run = source
        if run is not None:
            yield (*run, tag(span))


def _closed(source: str) -> list[tuple[int, int]]:
    """The stretches of source in which no element may be put, in order."""
    stretches, inside, start = list[tuple[int, int]](), set[str](), 0
    for tag in read_markup(source, all_tags=True).tags():
        if tag.name not in _CLOSED or tag.closed:
            continue
        before = bool(inside)
        if tag.ends:
            # they cannot be nested, but the end tags of options may be left out
            inside -= {tag.name, "option"} if tag.name == "select" else {tag.name}
        else:
            inside.add(tag.name)
        if inside and not before:
            start = tag.start
        elif before and not inside:
            stretches.append((start, tag.end))
    return [*stretches, (start, len(source))] if inside else stretches


def _near(closed: Sequence[tuple[int, int]], position: int) -> Sequence[tuple[int, int]]:
    """The last stretch that begins at or before a place, if there is one."""
    low, high = 0, len(closed)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if closed[middle][0] <= position else (low, middle)
    return closed[low - 1 : low] if low else ()
