"""The languages that a page says it is in: as a whole, and element by element (`lang` and `xml:lang`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from dragoman.identifiers.text.markup.visible import Tag, read_markup
from dragoman.languages import find
from dragoman.types import Language, Span

#: Elements that hold nothing.
_VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
#: Elements that the next of their kind closes, where nobody did.
_CLOSED_BY_THE_NEXT = frozenset(("p", "li", "dt", "dd", "tr", "td", "th", "option"))
_ORDER = {"html": 0, "meta": 1, "header": 2, "og:locale": 3}


def declared(said: Iterable[tuple[str, str]]) -> tuple[Language | None, str | None]:
    """(language, where) of the first declaration that names one known language: `html`, `meta`, `header`, `og:locale`.

    A list of several languages says that the page is for readers of each, not what it is written in.

    >>> declared([("html", ""), ("meta", "de, fr"), ("og:locale", "pt_BR")])
    ('pt', 'og:locale')
    """
    for how, value in sorted(said, key=lambda one: _ORDER[one[0]]):
        found = {find(part) for part in value.split(",") if part.strip()}
        if len(found) == 1 and (language := found.pop()):
            return language, how
    return None, None


def declared_spans(source: str, xml: bool = False) -> list[Span]:
    """The spans of a page's visible text for which an element declares a language; what nobody declares is left out.

    An element holds until its end tag; inside, another one may say otherwise. `lang=""` says that the language is not
    known. There is no tree: an end tag closes all that was opened since its start tag, one without a start tag nothing,
    and a paragraph or an item of a list or table ends where the next begins. A language that no table knows is none.
    The cost is that of an object per tag.

    >>> declared_spans("<p lang=de>Er sagte <q lang=en>never mind</q> und ging.<p>Ende")
    [Span(start=0, end=8, language='de'), Span(start=9, end=19, language='en'), Span(start=20, end=29, language='de')]
    """
    markup = read_markup(source, xml=xml, every=True)
    spans: list[Span] = []
    open_: list[tuple[str, Language | None]] = []
    count = Counter[str]()

    def until(place: int) -> None:
        """The text up to here is in the language of the innermost element."""
        start = spans[-1].end if spans else 0
        language = open_[-1][1] if open_ else None
        if place > start:
            if spans and spans[-1].language == language:
                start = spans.pop().start
            spans.append(Span(start, place, language))

    for tag in markup.tags():
        if tag.ends and not count[tag.name]:
            continue
        until(tag.place)
        if tag.ends or (tag.name in _CLOSED_BY_THE_NEXT and open_ and open_[-1][0] == tag.name):
            while open_:
                name, _ = open_.pop()
                count[name] -= 1
                if name == tag.name:
                    break
        if not tag.ends and tag.name not in _VOID and not (xml and tag.closed):
            open_.append((tag.name, _said(tag, open_[-1][1] if open_ else None)))
            count[tag.name] += 1
    until(len(markup.text))
    found = (_trimmed(span, markup.text) for span in spans if span.language)
    return [span for span in found if span.end > span.start]


def _said(tag: Tag, outside: Language | None) -> Language | None:
    given = tag.attributes.get("lang", tag.attributes.get("xml:lang"))
    return outside if given is None else find(given)


def _trimmed(span: Span, text: str) -> Span:
    """A span without the separators before and after it."""
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip(" \n"))
    return Span(start, max(start, span.start + len(part.rstrip(" \n"))), span.language)
