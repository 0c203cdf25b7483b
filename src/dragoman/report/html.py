"""One HTML file from sections of text, tables and figures; the same sections as Markdown and CSV.

The file needs nothing else: styles and pictures are inside, there is no script and no address of another
place. It follows the reader's light or dark mode, and on a phone a wide table scrolls inside its own box.

>>> page = ReportPage("Study", [Section("Result", ["Words **win**."])])
>>> "<strong>win</strong>" in page.to_html()
True
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from itertools import groupby
from pathlib import Path

from dragoman.errors import UsageError
from dragoman.files import write_whole
from dragoman.report.canvas import PNG_DPI, Drawing
from dragoman.report.tables import Table, slug

_KINDS = {b"\x89PNG": "png", b"<svg": "svg", b"<?xm": "svg"}
#: CSS pixels from which on a picture has a row to itself.
_WIDE = 900
_MIME = {"png": "image/png", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot (SVG or PNG bytes), what it shows, and the words for people who cannot see it."""

    image: bytes
    caption: str
    alt: str = ""

    @property
    def kind(self) -> str:
        """ "svg" or "png", from the first bytes."""
        kind = _KINDS.get(self.image.lstrip()[:4])
        if kind is None:
            raise UsageError(f"Picture '{self.caption}': neither SVG nor PNG; draw it with dragoman.report.plots.")
        return kind

    @property
    def slug(self) -> str:
        """The start of the caption as a file name without its ending."""
        return slug(re.split(r"[:.]", self.caption, maxsplit=1)[0])[:60]

    @property
    def width(self) -> int:
        """The width at which its letters have the size of the text, in CSS pixels."""
        if self.kind == "png":
            return round(int.from_bytes(self.image[16:20], "big") * 96 / PNG_DPI)
        points = re.search(rb'<svg[^>]*?\bwidth="([\d.]+)pt"', self.image)
        return round(float(points[1]) * 96 / 72) if points else 640

    def to_html(self) -> str:
        """The picture inside the page, as a data address."""
        words, address = escape(self.alt or self.caption), _address(self.image, self.kind)
        image = f'<img alt="{words}" width="{self.width}" src="{address}">'
        narrow = self.image.narrow() if isinstance(self.image, Drawing) else None
        classes, box = "picture", 'class="scroll" tabindex="0"'
        if narrow is not None:
            source = f'<source media="(max-width:40rem)" srcset="{_address(narrow, "svg")}">'
            classes, box, image = "picture phone", 'class="scroll"', f"<picture>{source}{image}</picture>"
        if self.width > _WIDE:
            classes += " wide"
        return (
            f'<figure class="{classes}" id="{self.slug}" style="--wide:{self.width}px"><div {box}>{image}</div>'
            f"<figcaption>{inline(self.caption)}</figcaption></figure>"
        )


@dataclass(frozen=True, slots=True)
class Points:
    """A list of short remarks."""

    items: Sequence[str]

    def to_html(self) -> str:
        """The remarks as a list."""
        return "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in self.items) + "</ul>"


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text whose lines and spaces matter, such as a printed tree."""

    text: str

    def to_html(self) -> str:
        """The text in its own scrolling box."""
        return f'<pre class="scroll" tabindex="0">{escape(self.text)}</pre>'


@dataclass(frozen=True, slots=True)
class Legend:
    """The key of "theirs" and "ours", with one sentence on what each is."""

    theirs: str = "as published"
    ours: str = "measured here"

    def to_html(self) -> str:
        """The key as one line."""
        return (
            f'<p class="legend"><span><span class="theirs">theirs</span> {inline(self.theirs)}</span>'
            f'<span><span class="ours">ours</span> {inline(self.ours)}</span></p>'
        )


Part = str | Table | Picture | Points | Verbatim | Legend


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; a string is a paragraph, in which `code` and **strong** work."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A title, an opening paragraph and sections, written as one HTML file."""

    title: str
    sections: Sequence[Section]
    lead: str = ""
    footer: str = ""

    def to_html(self) -> str:
        """The whole page as text."""
        anchors = self._anchors()
        contents = "".join(
            f'<li><a href="#{anchor}">{escape(section.title)}</a></li>'
            for anchor, section in zip(anchors, self.sections, strict=True)
        )
        body = "\n".join(
            f'<section id="{anchor}"><h2>{escape(section.title)}</h2>\n{_parts_html(section.parts)}</section>'
            for anchor, section in zip(anchors, self.sections, strict=True)
        )
        lead = f'<p class="lead">{inline(self.lead)}</p>' if self.lead else ""
        footer = f"<footer><p>{inline(self.footer)}</p></footer>" if self.footer else ""
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n"
            f"<header><h1>{escape(self.title)}</h1>{lead}</header>\n"
            f'<nav aria-label="Contents"><h2>Contents</h2><ol>{contents}</ol></nav>\n'
            f"<main>\n{body}\n</main>\n{footer}\n</body>\n</html>\n"
        )

    def to_markdown(self, figures: str = "figures") -> str:
        """The page as Markdown; its pictures are files of the folder `figures`, as `save` writes them."""
        blocks = [f"# {self.title}"] + ([self.lead] if self.lead else [])
        names = self._picture_names()
        for section in self.sections:
            blocks.append(f"## {section.title}")
            blocks += [_part_markdown(part, names, figures) for part in section.parts]
        return "\n\n".join(blocks + ([self.footer] if self.footer else [])) + "\n"

    def write(self, path: str | os.PathLike[str]) -> Path:
        """The path of the written HTML file; it appears whole or not at all."""
        return write_whole(path, self.to_html())

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """The written files: report.html, report.md, tables/*.csv, figures/*.svg and the same drawn as PNG."""
        base = Path(folder)
        written = [self.write(base / "report.html"), write_whole(base / "report.md", self.to_markdown())]
        names = self._picture_names()
        taken: dict[str, int] = {}
        for section in self.sections:
            for part in section.parts:
                if isinstance(part, Table):
                    name = _fresh(part.slug, taken)
                    written.append(write_whole(base / "tables" / f"{name}.csv", part.to_csv()))
                elif isinstance(part, Picture):
                    path = base / "figures" / names[id(part)]
                    written.append(write_whole(path, part.image))
                    if isinstance(part.image, Drawing) and path.suffix != ".png":
                        written.append(write_whole(path.with_suffix(".png"), part.image.png()))
        return written

    def _anchors(self) -> list[str]:
        taken: dict[str, int] = {}
        return [_fresh(f"section-{slug(section.title)}", taken) for section in self.sections]

    def _picture_names(self) -> dict[int, str]:
        taken: dict[str, int] = {}
        pictures = [part for section in self.sections for part in section.parts if isinstance(part, Picture)]
        return {id(picture): f"{_fresh(picture.slug, taken)}.{picture.kind}" for picture in pictures}


def inline(text: str) -> str:
    """`text` escaped for HTML, with `code` and **strong** turned into elements."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(piece[1:-1])}</code>"
        if len(piece) > 2 and piece[0] == piece[-1] == "`"
        else re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(piece))
        for piece in pieces
    )


@cache
def _style() -> str:
    """The style sheet: light and dark, wide and narrow."""
    return resources.files("dragoman.report").joinpath("style.css").read_text("utf-8")


def _address(image: bytes, kind: str) -> str:
    """An image as an address that holds it."""
    return f"data:{_MIME[kind]};base64,{base64.b64encode(image).decode('ascii')}"


def _parts_html(parts: Sequence[Part]) -> str:
    """What stands under a heading; tables or pictures that follow each other stand side by side where there is room."""
    blocks = []
    for framed, group in groupby(parts, lambda part: isinstance(part, Table | Picture)):
        members = list(group)
        written = [_part_html(part) for part in members]
        if framed and len(members) > 1:
            pictures = all(isinstance(part, Picture) for part in members)
            written = [f'<div class="{"pictures" if pictures else "beside"}">', *written, "</div>"]
        blocks += written
    return "\n".join(blocks)


def _part_html(part: Part) -> str:
    return f"<p>{inline(part)}</p>" if isinstance(part, str) else part.to_html()


def _part_markdown(part: Part, names: dict[int, str], figures: str) -> str:
    if isinstance(part, Table):
        return part.to_markdown()
    if isinstance(part, Picture):
        return f"![{part.alt or part.caption}]({figures}/{names[id(part)]})\n\n{part.caption}"
    if isinstance(part, Points):
        return "\n".join(f"- {item}" for item in part.items)
    if isinstance(part, Verbatim):
        return f"```text\n{part.text.rstrip()}\n```"
    if isinstance(part, Legend):
        return f"**theirs**: {part.theirs}; **ours**: {part.ours}"
    return part


def _fresh(name: str, taken: dict[str, int]) -> str:
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name}-{taken[name]}"
