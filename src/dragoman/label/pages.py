"""What a page is judged by."""

from __future__ import annotations

from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.types import Page


def page_text(page: Page) -> str:
    """What a page is judged by: its text, or its title where nothing else is written on it."""
    return page.text if any(map(str.isalpha, page.text)) else page.title or ""


def visible_text(row: bytes) -> str:
    """The text of a page in a table, where it is UTF-8 already, whatever it says about its charset."""
    try:
        source = row.decode()
    except UnicodeDecodeError:
        return page_text(read_page(row, "text/html"))
    text = read_markup(source).text  # without the links and all the rest: five times as fast
    return text if any(map(str.isalpha, text)) else read_page(source, "text/html").title or ""
