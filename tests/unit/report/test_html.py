from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dragoman.errors import UsageError
from dragoman.report.html import Legend, Picture, Points, ReportPage, Section, Verbatim, inline
from dragoman.report.plots import Series, line_plot
from dragoman.report.tables import Column, Table, Versus

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt"></svg>'
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x2c\x00\x00\x00\x64"
TABLE = Table("Table 1: F", [Column("Language", "text"), Column("F", "pair")], [["de", Versus(0.9, 0.91)]])
PAGE = ReportPage(
    "Theirs & <ours>",
    [
        Section("Result", ["Words **win** over `a<b`.", Legend("2008", "here"), Points(["one", "**two**"])]),
        Section(
            "Result",
            [TABLE, TABLE, Picture(SVG, "Figure 2. F and size.", "a curve"), Picture(PNG, "Figure 2: x")],
        ),
        Section("Tree", [Verbatim("a < b\n  c")]),
    ],
    lead="Lead.",
    footer="Digest `abc`",
)


class Balance(HTMLParser):
    """Notes every element that is closed out of order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_every_element_is_closed_in_order() -> None:
    balance = Balance()
    balance.feed(PAGE.to_html())
    assert (balance.open, balance.wrong) == ([], [])


def test_the_page_needs_nothing_from_elsewhere() -> None:
    page = PAGE.to_html()
    assert "<script" not in page
    assert "<link" not in page
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert addresses
    assert all(address.startswith(("data:image/", "#")) for address in addresses)
    assert "url(" not in page


def test_text_is_escaped() -> None:
    page = PAGE.to_html()
    assert "<title>Theirs &amp; &lt;ours&gt;</title>" in page
    assert "<code>a&lt;b</code>" in page
    assert "a &lt; b\n  c" in page
    assert inline("<i> `**x**` **y**") == "&lt;i&gt; <code>**x**</code> <strong>y</strong>"


def test_contents_lead_to_every_section_even_when_titles_repeat() -> None:
    page = PAGE.to_html()
    targets = re.findall(r'<a href="#([^"]+)"', page)
    assert targets == ["section-result", "section-result-2", "section-tree"]
    assert all(page.count(f'<section id="{target}"') == 1 for target in targets)


def test_light_dark_and_narrow_are_provided_for() -> None:
    page = PAGE.to_html()
    assert "prefers-color-scheme:dark" in page
    assert 'name="viewport"' in page
    assert page.count('class="scroll"') == 5


def test_pictures_know_their_kind_and_width() -> None:
    assert (Picture(SVG, "a").kind, Picture(SVG, "a").width) == ("svg", 96)
    assert (Picture(PNG, "a").kind, Picture(PNG, "a").width) == ("png", 192)
    with pytest.raises(UsageError, match="neither SVG nor PNG"):
        Picture(b"GIF89a", "a").to_html()


def test_saving_writes_the_page_markdown_tables_and_figures(tmp_path: Path) -> None:
    written = PAGE.save(tmp_path / "new")
    names = [path.relative_to(tmp_path / "new").as_posix() for path in written]
    assert names == [
        "report.html",
        "report.md",
        "tables/table-1-f.csv",
        "tables/table-1-f-2.csv",
        "figures/figure-2.svg",
        "figures/figure-2-2.png",
    ]
    markdown = written[1].read_text(encoding="utf-8")
    assert "![a curve](figures/figure-2.svg)" in markdown
    assert "- **two**" in markdown
    assert "```text\na < b" in markdown
    assert written[4].read_bytes() == SVG
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "figures",
        "report.html",
        "report.md",
        "tables",
    ]


def test_the_same_page_is_the_same_bytes(tmp_path: Path) -> None:
    assert PAGE.write(tmp_path / "a.html").read_bytes() == PAGE.write(tmp_path / "b.html").read_bytes()


def test_a_drawn_picture_has_a_narrow_twin_for_phones_and_others_scroll() -> None:
    pytest.importorskip("matplotlib")
    drawn = Picture(line_plot([Series("a", [1, 2], [1, 2])], xlabel="x", ylabel="y"), "Figure 1. Drawn")
    page = ReportPage("Study", [Section("A", [drawn, Picture(SVG, "Figure 2. Given")])]).to_html()
    assert page.count('<source media="(max-width:40rem)" srcset="data:image/svg+xml;base64,') == 1
    assert '<div class="pictures">' in page
    assert page.count('<div class="scroll" tabindex="0">') == 1


def test_a_drawn_picture_is_saved_as_png_too(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = line_plot([Series("a", [1, 2], [1, 2])], xlabel="x", ylabel="y")
    page = ReportPage("Study", [Section("A", [Picture(drawn, "Figure 1. Drawn"), Picture(SVG, "Figure 2. Given")])])
    names = {path.name for path in page.save(tmp_path) if path.parent.name == "figures"}
    assert names == {"figure-1.svg", "figure-1.png", "figure-2.svg"}
    assert (tmp_path / "figures" / "figure-1.png").read_bytes().startswith(b"\x89PNG")
    assert "figure-1.svg" in (tmp_path / "report.md").read_text()
