"""The picture of the rooms in docs/explanation/architecture.md, drawn from the code.

    python tools/draw_rooms.py [--check]

One row per room from the top of the house to its foundation: what it is for, how large it is, and a matrix of how often
it uses each of the others. Whatever lies on one side of the diagonal only goes one way. Colours follow the reader's
preference for light or dark.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from xml.sax.saxutils import escape

from rooms import ROOT, Graph, Room, read_rooms

FILE = ROOT / "docs" / "explanation" / "rooms.svg"
#: Height of a row, width of a cell of the matrix, and where the columns begin.
ROW, CELL = 26, 26
LEFT, ABOUT, BAR, MATRIX = 16, 116, 560, 690
HEAD = 112
#: The longest bar, and how many characters of a line fit.
LONGEST, CHARACTERS = 70, 66
STYLE = """
  text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
  .name { font-weight: 600; } .about, .head { fill: #57606a; } .count { font-size: 10px; text-anchor: middle; }
  .size { font-size: 10px; fill: #57606a; }
  .paper { fill: #ffffff; } .floor { fill: #f3f5f8; } .bar { fill: #b9c4d3; }
  .use { fill: #2166ac; } .own { fill: #d5dae1; } .strong { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .about, .head, .size { fill: #9aa5b1; }
    .paper { fill: #14181d; } .floor { fill: #1c2229; } .bar { fill: #46536a; }
    .use { fill: #6cb0f2; } .own { fill: #343c46; } .strong { fill: #0b1117; }
  }
"""


def drawn(graph: Graph) -> str:
    """The picture as SVG."""
    rooms = [room for room in graph.rooms.values() if room.name != "__main__"]
    counts, largest = graph.counts(), max(room.lines for room in rooms)
    most = max(counts.values())
    width, height = MATRIX + CELL * len(rooms) + 30, HEAD + ROW * len(rooms) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="The rooms of Dragoman, their sizes, and how often each uses the others">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
        _text(LEFT, HEAD - 10, "room", "head"),
        _text(ABOUT, HEAD - 10, "what it is for", "head"),
        _text(BAR, HEAD - 10, "lines", "head"),
        _text(MATRIX, 20, "uses: number of imports", "head"),
    ]
    for column, room in enumerate(rooms):
        x = MATRIX + CELL * column + CELL / 2 + 4
        parts.append(
            f'<text class="head" transform="translate({x:g} {HEAD - 8}) rotate(-50)">{escape(room.name)}</text>'
        )
    for row, room in enumerate(rooms):
        parts += _row(room, HEAD + ROW * row, row % 2 == 0, width, largest)
        for column, other in enumerate(rooms):
            x, y = MATRIX + CELL * column, HEAD + ROW * row
            if room is other:
                parts.append(_box("own", x + 1, y + 1, CELL - 2, ROW - 2))
            elif count := counts[room.name, other.name]:
                share = 0.15 + 0.85 * math.log1p(count) / math.log1p(most)
                parts.append(_box("use", x + 1, y + 1, CELL - 2, ROW - 2, share))
                style = "count strong" if share > 0.55 else "count"
                parts.append(_text(x + CELL / 2, y + ROW / 2 + 3.5, str(count), style))
    return "\n".join([*parts, "</svg>", ""])


def _row(room: Room, y: float, striped: bool, width: float, largest: int) -> list[str]:
    """A room without its matrix."""
    parts = [_box("floor", 6, y, width - 12, ROW)] if striped else []
    middle = y + ROW / 2 + 4
    length = max(2, LONGEST * room.lines / largest)
    return [
        *parts,
        _text(LEFT, middle, room.name, "name"),
        _text(ABOUT, middle, shortened(room.about), "about"),
        _box("bar", BAR, y + 8, length, ROW - 16),
        _text(BAR + length + 5, middle - 0.5, f"{room.lines:,}", "size"),
    ]


def shortened(about: str) -> str:
    """What fits of a line, cut at the end of a clause if one ends late enough, else of a word."""
    line = about.rstrip(".").replace("`", "")
    if len(line) <= CHARACTERS:
        return line
    clause = re.match(rf"(.{{{CHARACTERS * 2 // 3},{CHARACTERS}}})[,;:] ", line)
    return clause[1] if clause else line[:CHARACTERS].rpartition(" ")[0] + " …"


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _box(style: str, x: float, y: float, width: float, height: float, opacity: float = 1) -> str:
    seen = "" if opacity == 1 else f' opacity="{opacity:.2f}"'
    return f'<rect class="{style}" x="{x:g}" y="{y:g}" width="{width:.3g}" height="{height:g}" rx="3"{seen}/>'


def main() -> int:
    """Write the picture, or say that it is out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a room is missing or elsewhere")
    picture = drawn(read_rooms())
    if not parser.parse_args().check:
        FILE.write_text(picture, encoding="utf-8")
    elif not FILE.exists() or shape(FILE.read_text(encoding="utf-8")) != shape(picture):
        print(f"out of date: {FILE.relative_to(ROOT)}; run python tools/draw_rooms.py")
        return 1
    return 0


def shape(picture: str) -> list[str]:
    """What must be up to date: the rooms and their order. Sizes and counts change with every commit."""
    return [line for line in picture.split("\n") if 'class="name"' in line]


if __name__ == "__main__":
    sys.exit(main())
