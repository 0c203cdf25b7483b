"""Spans for people: colours in the terminal, and a page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from colorsys import hls_to_rgb
from html import escape
from typing import Any
from zlib import crc32

from dragoman import languages
from dragoman.identifiers.track.writing import UNDETERMINED, pieces, tag
from dragoman.types import Span

#: Languages that texts are often in: their hues lie as far apart as can be, the further ahead the further.
_FREQUENT = (
    "en", "de", "fr", "es", "it", "ru", "ar", "zh", "pt", "ja", "nl", "pl", "tr", "uk", "th", "ko", "fa", "sv", "cs",
    "el", "he", "vi", "hi", "ro", "hu", "da", "fi", "no", "id", "ca", "bg", "sr", "hr", "sk", "lt", "lv", "et", "sl",
    "bn", "ta", "ur", "ms", "ka", "hy", "eu", "gl", "is", "ga", "cy", "sq", "mk",
)  # fmt: skip
_FIRST_HUE, _GOLDEN_ANGLE = 210.0, 137.508


def hue(language: str) -> int:
    """The hue of a language in degrees: always the same, in a page, a report and a terminal.

    >>> hue("en"), hue("de"), hue("fr")
    (210, 348, 125)
    """
    if language in _FREQUENT:
        return round(_FIRST_HUE + _GOLDEN_ANGLE * _FREQUENT.index(language)) % 360
    return crc32(language.encode()) % 360


_STYLE = """\
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --light: 90%; --dark: 35%; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #17181a; --light: 22%; --dark: 75%; } }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 1.05rem/1.75 system-ui, sans-serif; }
h1 { font-size: 1.1rem; overflow-wrap: anywhere; }
main { white-space: pre-wrap; overflow-wrap: anywhere; }
ul { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: 0; list-style: none; font-size: .9rem; }
mark { color: inherit; border-radius: .2em; padding: .1em .15em; background: hsl(var(--hue) 80% var(--light));
  border-bottom: 2px solid hsl(var(--hue) 60% var(--dark)); -webkit-box-decoration-break: clone;
  box-decoration-break: clone; }
mark.none { background: none; border-bottom: 2px dotted; opacity: .7; }
"""


def shares(text: str, spans: Iterable[Span]) -> dict[str, float]:
    """The share of the letters that each language has, the largest first.

    >>> shares("Ja, no.", [Span(0, 3, "de"), Span(4, 7, "es")])
    {'de': 0.5, 'es': 0.5}
    """
    letters: dict[str, int] = {}
    for piece, span in pieces(text, spans):
        if span:
            letters[tag(span)] = letters.get(tag(span), 0) + sum(map(str.isalpha, piece))
    total = sum(letters.values()) or 1
    return {name: count / total for name, count in sorted(letters.items(), key=lambda pair: (-pair[1], pair[0]))}


def _named(language: str) -> str:
    return "no language" if language == UNDETERMINED else f"{languages.name(language)} ({language})"


def to_page(text: str, spans: Sequence[Span], title: str) -> str:
    """A text coloured by language, as a page of HTML that loads nothing from anywhere."""
    portions = shares(text, spans)

    def marked(shown: str, language: str) -> str:
        if language == UNDETERMINED:
            return f'<mark class="none" lang="{UNDETERMINED}" title="no language">{shown}</mark>'
        named = escape(_named(language))
        return f'<mark lang="{escape(language)}" title="{named}" style="--hue:{hue(language)}">{shown}</mark>'

    legend = "".join(f"<li>{marked(escape(_named(name)), name)} {share:.1%}</li>" for name, share in portions.items())
    body = "".join(marked(escape(piece), tag(span)) if span else escape(piece) for piece, span in pieces(text, spans))
    main = next((name for name in portions if name != UNDETERMINED), UNDETERMINED)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(main)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1 lang="en">Languages of {escape(title)}</h1>\n<ul lang="en">{legend}</ul>\n<main>{body}</main>\n'
        "</body>\n</html>\n"
    )


def to_terminal(text: str, spans: Sequence[Span], console: Any) -> None:
    """Print a text in the colours of its languages, and what they mean, on a console of rich.

    Without colours (NO_COLOR, a file) the language stands before its part: [de] Das ist gut. [en] So it is.
    """
    from rich.text import Text

    portions = shares(text, spans)
    style = {language: _terminal_colour(language) for language in portions} | {UNDETERMINED: "dim"}
    shown, plain = Text(), console.no_color or console.color_system is None
    for piece, span in pieces(_visible(text), spans):
        mark = f"[{tag(span)}] " if span and plain else ""
        shown.append(mark + piece, style[tag(span)] if span else "")
    console.print(shown, soft_wrap=True)
    legend = [(f"{_named(spoken)} {share:.1%}", f"bold {style[spoken]}" if spoken != UNDETERMINED else "dim")
              for spoken, share in portions.items()]  # fmt: skip
    if legend:
        parts: list[Any] = []
        for entry in legend:
            parts += [" ", entry] if parts else [entry]
        console.print(Text.assemble(*parts), soft_wrap=True)


def _terminal_colour(language: str) -> str:
    """The colour of a language on a terminal; rich takes the nearest that the terminal has."""
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue(language) / 360, 0.55, 0.7))
    return f"rgb({red},{green},{blue})"


def _visible(text: str) -> str:
    """The text with one visible sign for each control character: a page must not steer the terminal."""
    signs = dict.fromkeys(range(0x80, 0xA0), 0xFFFD) | {point: 0x2400 + point for point in range(32)} | {127: 0x2421}
    return text.translate({point: sign for point, sign in signs.items() if point not in (9, 10)}).translate(
        dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)], 0xFFFD)
    )
