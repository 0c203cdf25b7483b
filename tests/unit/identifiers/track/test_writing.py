from __future__ import annotations

import io
import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from rich.console import Console

from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.track import track
from dragoman.identifiers.track.colours import shares, to_page, to_terminal
from dragoman.identifiers.track.writing import marked_up, rows, to_xml
from dragoman.types import Span

TEXT = "Das ist ein Haus & ein Hund. <This> is a house & a dog.\x00 1984"
SPANS = [Span(0, 28, "de"), Span(29, 56, "en"), Span(57, 61, None)]
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def test_rows_have_offsets_and_language_and_places_in_the_source_if_known() -> None:
    assert rows(SPANS)[2] == {"start": 57, "end": 61, "language": None, "probability": None}
    assert rows([Span(0, 1, "de", 5, 6)]) == [
        {"start": 0, "end": 1, "language": "de", "probability": None, "source_start": 5, "source_end": 6}
    ]


def test_xml_is_well_formed_and_holds_the_whole_text() -> None:
    root = ElementTree.fromstring(to_xml(TEXT, SPANS, 'a "b" <c>'))  # noqa: S314
    assert root.get("source") == 'a "b" <c>'
    assert "".join(root.itertext()) == TEXT.replace("\x00", "\ufffd")
    assert next((one.get(XML_LANG), one.text) for one in root) == ("de", "Das ist ein Haus & ein Hund.")
    assert [one.get(XML_LANG) for one in root] == ["de", "en", "und"]


class Nesting(HTMLParser):
    """Elements that are open; asserts that end tags close the innermost one."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.found: list[tuple[str | None, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "img", "meta"):
            self.stack.append(dict(attributes).get("lang") or tag)

    def handle_endtag(self, tag: str) -> None:
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append((self.stack[-1] if self.stack else None, data))


def test_pages_keep_their_markup_and_elements_never_cross() -> None:
    source = (
        "<html><head><title>Das Haus</title></head><body><h1>Das ist <i>ein sch&ouml;nes</i> Haus</h1>"
        "<p>This is a <a href='x'>very old house</a> and it is mine.<br>It is not yours.</p>"
        "<select><option>Bonjour tout le monde</option></select><textarea>Das ist nicht da</textarea>"
        "<svg><text>Der Hund</text></svg></body></html>"
    )
    page = read_page(source)
    found = marked_up(page, track(page))
    assert re.sub(r"<span lang=\"[a-z]+\">|</span>", "", found) == source
    parser = Nesting()
    parser.feed(found)
    assert parser.stack == []
    assert ("de", "Das ist") in parser.found
    assert ("de", "ein schönes") in parser.found
    assert ("en", "very old house") in parser.found
    assert "<option>Bonjour tout le monde</option>" in found
    assert "<textarea>Das ist nicht da</textarea>" in found
    assert "<title>Das Haus</title>" in found


@pytest.mark.parametrize("seed", range(30))
def test_any_markup_is_the_same_without_the_new_tags(seed: int) -> None:
    rng = random.Random(seed)
    tags = (
        "<p> </p> <b> </b> < > &amp; & <!-- --> <br> <select> <option> </select> <textarea> </textarea> <a href=' '> é"
    )
    parts = [*tags.split(), "Das ist ein Haus. ", "This is a house ", "\n"]
    source = "<p>" + "".join(rng.choice(parts) for _ in range(40))
    page = read_page(source, "text/html")
    spans = track(page)
    found = marked_up(page, spans)
    assert re.sub(r"<span lang=\"[a-z]+\">|</span>", "", found) == source
    assert all(0 <= (span.source_start or 0) <= (span.source_end or 0) <= len(source) for span in spans)


def test_the_coloured_page_holds_the_text_and_says_what_colours_mean() -> None:
    found = to_page(TEXT, SPANS, "<me>")
    assert "<title>&lt;me&gt;</title>" in found
    assert "German (de)" in found
    assert '<mark lang="en"' in found
    assert "&lt;This&gt; is a house &amp; a dog." in found
    assert "http" not in found


def test_probabilities_are_written_with_six_digits() -> None:
    written = [row["probability"] for row in rows([Span(0, 2, "de", probability=1 / 3), Span(2, 4, None)])]
    assert written == [0.333333, None]


def test_shares_are_of_letters_and_sorted() -> None:
    assert list(shares(TEXT, SPANS)) == ["de", "en", "und"]
    assert shares("", []) == {}


def test_the_terminal_shows_colours_and_a_legend_and_no_control_characters() -> None:
    stream = io.StringIO()
    text = "Das ist \x1b[2Jein Haus. \u202eThis is a house."
    to_terminal(text, [Span(0, 21, "de"), Span(22, 39, "en")], Console(file=stream, force_terminal=True, width=200))
    shown = stream.getvalue()
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown
    assert "German (de)" in shown
    assert "\x1b[91mDas ist" in shown


def test_without_colours_the_answer_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=200)
    to_terminal("Das ist gut. So it is.", [Span(0, 12, "de"), Span(13, 22, "en")], console)
    assert stream.getvalue().startswith("[de] Das ist gut. [en] So it is.\n")
