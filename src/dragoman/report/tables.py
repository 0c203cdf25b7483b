"""A table of numbers that can be written as plain text, Markdown, CSV or HTML.

Numbers are printed the way the papers print them: `.88`, and `1.0` for one. None is a dash for people
(nothing in a column of text) and an empty field in CSV. A mark such as "inconsistent" becomes a sign (a
dagger and so on) that is explained below the table.

>>> table = Table("F", (Column("Language", "text"), Column("F", "pair")), [["de", Versus(0.94, 0.957)]])
>>> print(table.to_markdown())
**F**
<BLANKLINE>
| Language | F (theirs \\| ours) |
| :--- | ---: |
| de | .94 \\| .96 |
>>> print(table.to_text())
F
<BLANKLINE>
Language  F (theirs | ours)
--------  -----------------
de                .94 | .96
"""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from dragoman.errors import UsageError, printable
from dragoman.measures import Interval

Kind = Literal["text", "group", "number", "count", "percent", "pair"]
DASH = "–"
_SIGNS = "†‡§¶"
_LONG_TEXT = 32
#: On a terminal: where notes are broken, and the longest rule under a heading (a URL may be any length).
_LINE, _LONGEST_RULE = 100, 40


@dataclass(frozen=True, slots=True)
class Versus:
    """The published number and ours; both may carry an interval, theirs a mark such as "inconsistent"."""

    theirs: float | Interval | None
    ours: float | Interval | None = None
    mark: str = ""


CellValue = str | int | float | Interval | Versus | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, the kind of its cells and how many digits their numbers have.

    Kinds: text; group (text that is shown once for a run of equal rows); number (`.88`); count (`12,345`);
    percent (the number is a share, printed as `88 %`); pair (cells are `Versus`).
    """

    name: str
    kind: Kind = "number"
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns, rows of cells and a note; every row has one cell per column."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[CellValue]]
    note: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise UsageError(f"Table '{self.title}': row {number} has {len(row)} cells, not {len(self.columns)}.")

    @property
    def slug(self) -> str:
        """The title as a file name without its ending."""
        return slug(self.title)

    def marks(self) -> dict[str, str]:
        """Each mark of the table and the sign that stands for it, in order of appearance."""
        signs: dict[str, str] = {}
        for row in self.rows:
            for cell in row:
                mark = cell.mark if isinstance(cell, Versus) else ""
                if mark and mark not in signs:
                    turn, number = divmod(len(signs), len(_SIGNS))
                    signs[mark] = _SIGNS[number] * (turn + 1)
        return signs

    def to_text(self) -> str:
        """The table for a terminal: aligned columns under the bare title, note and marks below, no markup."""
        lines = self._texts(_printable)
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        lines.insert(1, ["-" * min(width, _LONGEST_RULE) for width in widths])
        shown = [_printable(self.title), ""]
        for line in lines:
            cells = [_aligned(*cell) for cell in zip(line, self.columns, widths, strict=True)]
            shown.append("  ".join(cells).rstrip())
        for below in self._below(_printable):
            # A URL or a file name in a note is copied from the screen: it stays in one piece.
            shown += ["", textwrap.fill(below, _LINE, break_long_words=False, break_on_hyphens=False)]
        return "\n".join(shown)

    def to_markdown(self) -> str:
        """The table as a Markdown pipe table under its bold title, note and marks below."""
        heading, *rows = self._texts(_escaped)
        rules = [_RULES.get(column.kind, "---:") for column in self.columns]
        lines = [f"**{_escaped(self.title)}**", "", *map(_pipe_row, [heading, rules, *rows])]
        for below in self._below(_escaped):
            lines += ["", below]
        return "\n".join(lines)

    def to_csv(self) -> str:
        """The table for programs: unrounded numbers, pairs, intervals and marks in columns of their own."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        shapes = [_csv_parts(column, [row[i] for row in self.rows]) for i, column in enumerate(self.columns)]
        writer.writerow(
            [name for column, parts in zip(self.columns, shapes, strict=True) for name in _csv_names(column, parts)]
        )
        for row in self.rows:
            fields: list[str] = []
            for cell, parts in zip(row, shapes, strict=True):
                values = _csv_values(cell)
                fields += [values.get(part, "") for part in parts]
            writer.writerow(fields)
        return out.getvalue()

    def to_json(self) -> dict[str, Any]:
        """The table for a page of somebody else's: everything as people read it."""
        columns, *rows = self._texts(str)
        return {"title": self.title, "columns": columns, "rows": rows, "note": " ".join(self._below(str))}

    def to_html(self) -> str:
        """The table as an HTML figure; a wide one scrolls inside its own box."""
        signs = self.marks()
        head = "".join(f'<th scope="col" class="{column.kind}">{_html_heading(column)}</th>' for column in self.columns)
        spans = self._group_spans()
        prose = self._is_prose()
        kind_of_table = ' class="prose"' if prose else ""
        labels = [f' data-label="{escape(column.name)}"' if prose else "" for column in self.columns]
        body: list[str] = []
        for number, (row, fresh) in enumerate(self._rows_with_groups()):
            starts = any(shown for shown, column in zip(fresh, self.columns, strict=True) if column.kind == "group")
            cells: list[str] = []
            for column_number, (cell, column) in enumerate(zip(row, self.columns, strict=True)):
                long = _is_long(cell)
                if column.kind != "group":
                    kind = "text long" if long else column.kind
                    cells.append(f'<td class="{kind}"{labels[column_number]}>{_html(cell, column, signs)}</td>')
                elif fresh[column_number]:
                    span = spans[number, column_number]
                    text = _html(cell, column, signs)
                    wide = " long" if long else ""
                    cells.append(f'<th scope="rowgroup" rowspan="{span}" class="group{wide}">{text}</th>')
            opening = '<tr class="start">' if starts else "<tr>"
            body.append(f"{opening}{''.join(cells)}</tr>")
        below = [escape(self.note)] if self.note else []
        below += [f'<span class="sign">{sign}</span> {escape(mark)}' for mark, sign in signs.items()]
        notes = "".join(f'<p class="note">{line}</p>' for line in below)
        return (
            f'<figure class="table" id="{self.slug}"><figcaption>{escape(self.title)}</figcaption>'
            f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(self.title)}">'
            f"<table{kind_of_table}><thead><tr>{head}</tr></thead>\n<tbody>\n"
            + "\n".join(body)
            + "\n</tbody></table></div>"
            f"{notes}</figure>"
        )

    def _is_prose(self) -> bool:
        """True where sentences stand in several columns: such a table is read row by row, and shown so on a phone."""
        sentences = [column for column in zip(*self.rows, strict=True) if any(_is_long(cell) for cell in column)]
        return len(sentences) > 1 and not any(column.kind == "group" for column in self.columns)

    def _texts(self, clean: Callable[[str], str]) -> list[list[str]]:
        """The heading and every row as texts, a group's only where it starts."""
        signs = self.marks()
        lines = [[_heading(column, clean) for column in self.columns]]
        for row, fresh in self._rows_with_groups():
            cells = zip(row, self.columns, fresh, strict=True)
            lines.append([_text(cell, column, signs, clean) if shown else "" for cell, column, shown in cells])
        return lines

    def _below(self, clean: Callable[[str], str]) -> list[str]:
        """The note and what the signs mean."""
        notes = [clean(self.note)] if self.note else []
        return notes + [f"{sign} {clean(mark)}" for mark, sign in self.marks().items()]

    def _rows_with_groups(self) -> Iterator[tuple[Sequence[CellValue], list[bool]]]:
        """Each row and, per column, whether its group starts here; an outer group restarts the inner ones."""
        before: Sequence[CellValue] | None = None
        for row in self.rows:
            fresh: list[bool] = []
            restarted = before is None
            for number, column in enumerate(self.columns):
                if column.kind == "group":
                    restarted = restarted or (before is not None and row[number] != before[number])
                    fresh.append(restarted)
                else:
                    fresh.append(True)
            before = row
            yield row, fresh

    def _group_spans(self) -> dict[tuple[int, int], int]:
        spans: dict[tuple[int, int], int] = {}
        open_at: dict[int, int] = {}
        for number, (_, fresh) in enumerate(self._rows_with_groups()):
            for column_number, column in enumerate(self.columns):
                if column.kind == "group":
                    if fresh[column_number]:
                        open_at[column_number] = number
                        spans[number, column_number] = 0
                    spans[open_at[column_number], column_number] += 1
        return spans


_RULES = {"text": ":---", "group": ":---"}


def slug(title: str) -> str:
    """`title` in lower-case ASCII letters, digits and hyphens, for file names and anchors."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled"


def share(value: float | None, digits: int = 2) -> str:
    """A number the papers' way: `.88`, `1.0`, `-.05`, `12.30`; a dash for None.

    >>> share(0.876), share(0.999), share(-0.05), share(None)
    ('.88', '1.0', '-.05', '–')
    """
    if value is None or math.isnan(value):
        return DASH
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    if digits and abs(float(text)) < 1:
        return text.replace("0.", ".", 1)
    if digits > 1 and abs(float(text)) == 1:
        return text[:-1]
    return text


def _number(value: float | None, column: Column) -> str:
    if value is None or math.isnan(value):
        return "" if column.kind in ("text", "group") else DASH
    if column.kind == "count":
        return f"{value:,.0f}"
    if column.kind == "percent":
        return f"{100 * value:.{max(0, column.digits - 2)}f} %"
    return share(value, column.digits)


def _with_interval(value: float | Interval | None, column: Column) -> tuple[str, str]:
    """The number and its interval as texts, the second empty where there is none: no ends (NaN), or a single point."""
    if not isinstance(value, Interval):
        return _number(value, column), ""
    number, low, high = (_number(part, column) for part in (value.value, value.low, value.high))
    return number, "" if math.isnan(value.low) or number == low == high else f"[{low}, {high}]"


def _text(cell: CellValue, column: Column, signs: dict[str, str], clean: Callable[[str], str]) -> str:
    if isinstance(cell, str):
        return clean(cell)
    if isinstance(cell, Versus):
        (their, range_), ours = _with_interval(cell.theirs, column), _with_interval(cell.ours, column)
        theirs = " ".join(filter(None, (f"{their}{signs.get(cell.mark, '')}", range_)))
        return f"{theirs} {clean('|')} {' '.join(filter(None, ours))}"
    return " ".join(filter(None, _with_interval(cell, column)))


def _is_long(cell: CellValue) -> bool:
    return isinstance(cell, str) and len(cell) > _LONG_TEXT


def _html(cell: CellValue, column: Column, signs: dict[str, str]) -> str:
    if isinstance(cell, str):
        return re.sub("`([^`]+)`", r"<code>\1</code>", escape(cell))
    if isinstance(cell, Versus):
        theirs = f'<span class="theirs">{_html_figure(cell.theirs, column, _html_sign(cell.mark, signs))}</span>'
        return f'{theirs}<span class="bar">|</span><span class="ours">{_html_figure(cell.ours, column)}</span>'
    return _html_figure(cell, column)


def _html_figure(value: float | Interval | None, column: Column, sign: str = "") -> str:
    number, interval = _with_interval(value, column)
    return f'{number}{sign} <span class="interval">{interval}</span>' if interval else number + sign


def _html_sign(mark: str, signs: dict[str, str]) -> str:
    return f'<sup class="sign" title="{escape(mark)}">{signs[mark]}</sup>' if mark else ""


def _heading(column: Column, clean: Callable[[str], str]) -> str:
    return clean(f"{column.name} (theirs | ours)" if column.kind == "pair" else column.name)


def _html_heading(column: Column) -> str:
    name = escape(column.name)
    if column.kind != "pair":
        return name
    return f'{name} <span class="key"><span class="theirs">theirs</span>|<span class="ours">ours</span></span>'


def _escaped(text: str) -> str:
    """Text that stays inside one Markdown cell and starts no markup of its own."""
    line = " ".join(text.split())
    line = re.sub(r"([\\`*_\[\]|])", r"\\\1", line)
    return line.replace("<", "&lt;")


def _printable(text: str) -> str:
    """Text that stays on one line of a terminal and cannot steer it."""
    return printable(" ".join(text.split()))


def _width(text: str) -> int:
    """The columns that a text takes on a terminal: two for a wide letter, none for a mark on the one before."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def _aligned(text: str, column: Column, width: int) -> str:
    space = " " * (width - _width(text))
    return text + space if column.kind in _RULES else space + text


def _pipe_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"


_CSV_PARTS = ("value", "theirs", "theirs low", "theirs high", "ours", "low", "high", "mark")


def _csv_parts(column: Column, cells: Sequence[CellValue]) -> list[str]:
    """The fields that a column becomes: the fixed ones of its kind and those that any of its cells needs."""
    used = {part for cell in cells for part in _csv_values(cell)}
    fixed = ["theirs", "ours"] if column.kind == "pair" else ["value"]
    return [part for part in _CSV_PARTS if part in fixed or part in used]


def _csv_names(column: Column, parts: Sequence[str]) -> list[str]:
    return [column.name if part == "value" else f"{column.name} ({part})" for part in parts]


def _csv_values(cell: CellValue) -> dict[str, str]:
    if isinstance(cell, Versus):
        inner = _csv_values(cell.ours)
        inner["ours"] = inner.pop("value")
        theirs = _csv_values(cell.theirs)
        inner["theirs"] = theirs.pop("value")
        inner |= {f"theirs {part}": value for part, value in theirs.items()}
        return inner | ({"mark": cell.mark} if cell.mark else {})
    if isinstance(cell, Interval):
        ends = {} if math.isnan(cell.low) else {"low": _csv_number(cell.low), "high": _csv_number(cell.high)}
        return {"value": _csv_number(cell.value)} | ends
    return {"value": cell if isinstance(cell, str) else _csv_number(cell)}


def _csv_number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6g}"
