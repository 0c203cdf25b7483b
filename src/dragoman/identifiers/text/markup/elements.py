"""What the elements of HTML do to the text in them, as a table: the one place that the tokeniser looks it up.

| property | meaning |
|---|---|
| BLOCK | a line of its own: a line break before and after (cells of a table and options too: they are no one text) |
| RAW | its content is not markup: it goes on until the end tag of the same name |
| SHOWN | raw, and yet to be seen |
| CODED | raw, with character references |
| REST | raw to the end of the page, whatever comes |
| KEPT | white space is kept as it is, but for a line break right behind the start tag |
| ABSENT | neither its text nor its links are on the page |
| FOREIGN | SVG and MathML: CDATA sections are text there |
| TOLD | its tags are told to whoever asked: they say something about the page |

Raw and not shown: what a browser that runs scripts hides. That `<noscript>` is among them keeps "please switch on
JavaScript" out of the text of pages in other languages. The attribute `hidden` and style sheets are not looked at.
"""

from __future__ import annotations

from types import MappingProxyType

BLOCK, RAW, SHOWN, CODED, REST, KEPT, ABSENT, FOREIGN, TOLD = (1 << bit for bit in range(9))

_BLOCKS = frozenset(
    """address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup
option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp""".split()  # noqa: SIM905 (a list of this length reads better as words)
)

_OTHERS = {
    "a": TOLD,
    "area": TOLD,
    "base": TOLD,
    "body": TOLD,
    "code": TOLD,
    "datalist": TOLD,
    "frame": TOLD,
    "html": TOLD,
    "iframe": RAW | TOLD,
    "kbd": TOLD,
    "link": TOLD,
    "listing": KEPT,
    "math": FOREIGN,
    "menu": TOLD,
    "meta": TOLD,
    "nav": TOLD,
    "noembed": RAW,
    "noframes": RAW,
    "noscript": RAW,
    "plaintext": RAW | SHOWN | REST | KEPT,
    "pre": KEPT | TOLD,
    "samp": TOLD,
    "script": RAW,
    "select": TOLD,
    "style": RAW,
    "svg": FOREIGN,
    "template": ABSENT,
    "textarea": RAW | SHOWN | CODED | KEPT,
    "title": RAW | CODED | TOLD,
    "xmp": RAW | SHOWN | KEPT,
}

#: The properties of each element, by its name; an element that is not here has none.
ELEMENTS = MappingProxyType(
    {
        name: (BLOCK if name in _BLOCKS else 0) | _OTHERS.get(name, 0)
        for name in sorted({*_BLOCKS, *_OTHERS, "img", "span"})
    }
)
NAMES = tuple(ELEMENTS)

#: The attributes that are told.
ATTRIBUTES = (
    "alt", "charset", "content", "href", "hreflang", "http-equiv", "lang", "name", "property", "rel", "src", "title",
    "xml:lang",
)  # fmt: skip

#: The attributes that make any tag worth telling.
LANGUAGE_ATTRIBUTES = ("lang", "xml:lang")

#: What happens to a stretch of source: each character stays one, or it is replaced, or it is a gap that became a
#: separator.
SAME, REPLACED, SEPARATOR = 0, 1, 2

#: What a tag may be besides a start tag.
END, CLOSED = 1, 2
