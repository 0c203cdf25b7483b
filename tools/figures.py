"""Writes the figures that README.md and docs quote into the pages, from the files that the commands write.

    python tools/figures.py            rewrite what has changed
    python tools/figures.py --check    fail where a page says something else

In a page, `<!-- figure: NAME -->...<!-- /figure -->` holds a figure; docs/figures.toml says where it comes from, as
"FILE; WHERE; FORMAT" with these forms:

    FILE      a .json, .csv or .md of the repository; "model NAME" for what is known of a model that ships, or
              "answer NAME" for what it answers to the URL that WHERE is
    WHERE     keys of JSON with " > " between them, of which one may end in * for the first that begins so; in CSV, the
              values that choose the row and then a column: "Set=crawl & Rule=ccTLD > F (ours)". " : " between two of
              them divides one figure by the other, and "1 - " before one of JSON takes what it lacks of one. In
              Markdown, a pattern whose group is the figure
    FORMAT    .3 (.931)   %2 (99.05 %, of a share)   of100 (99.1 %, of what is in hundredths already)   , (4,667)
              hundredths (94.7, of a share)
              million (1.1)   MB (14.5)   x (24)   tenths (nine, of ten)   12 (so many letters of a text)
              table (the table of a Markdown file whose first line WHERE begins)

What stands in a code block has no marks: `[places]` has a page and a pattern whose group is the figure.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "docs" / "figures.toml"
MARK = re.compile(r"(<!-- figure: ([\w.-]+) -->)(.*?)(<!-- /figure -->)", re.DOTALL)
DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def pages() -> list[Path]:
    """README.md and every page of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def content(name: str) -> Any:
    """What a file holds, or what is known of a model."""
    kind, _, model = name.partition(" ")
    if kind == "model":
        from dragoman.identifiers.models import describe

        return describe(model)
    path = ROOT / name
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))
    return json.loads(path.read_text(encoding="utf-8"))


def value_at(name: str, where: str) -> Any:
    """The value in a file at a place."""
    if name.startswith("answer "):
        import dragoman

        return dragoman.identify(where, name.partition(" ")[2], threshold=0).probability
    if name.endswith(".md"):
        match = re.search(where, (ROOT / name).read_text(encoding="utf-8"))
        if match is None:
            raise SystemExit(f"{name} has no {where}")
        return match[1].replace(",", "")
    if where.startswith("1 - "):
        return 1 - float(value_at(name, where.removeprefix("1 - ")))
    value = content(name)
    *keys, last = where.split(" > ")
    if isinstance(value, list):
        wanted = dict(part.split("=", 1) for part in " > ".join(keys).split(" & "))
        rows = [row for row in value if all(row[column] == cell for column, cell in wanted.items())]
        if len(rows) != 1:
            raise SystemExit(f"{name} has {len(rows)} rows with {wanted}")
        return rows[0][last]
    for key in (*keys, last):
        exact = next((known for known in value if key.endswith("*") and known.startswith(key[:-1])), key)
        value = value[exact]
    return value


def table_at(name: str, beginning: str) -> str:
    """The table of a Markdown file that begins so, with the empty lines that a table stands between."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith(beginning)), None)
    if first is None:
        raise SystemExit(f"{name} has no table that begins with {beginning}")
    table = "\n".join(itertools.takewhile(lambda line: line.startswith("|"), lines[first:]))
    return f"\n\n{table}\n\n"


def shown(value: Any, format: str) -> str:
    """A value as a page has it.

    >>> [shown(.9296, ".3"), shown(.9905, "%2"), shown(97.22, "of100"), shown(4667, ","), shown(24.4, "x")]
    ['.930', '99.05 %', '97.2 %', '4,667', '24']
    """
    if format.isdigit():
        return str(value)[: int(format)]
    if isinstance(value, list | tuple):
        value = len(value)
    number = float(value)
    match format[0], format:
        case ".", _:
            return f"{number:.{format[1:]}f}".removeprefix("0") if number < 1 else f"{number:.{format[1:]}f}"
        case "%", _:
            return f"{100 * number:.{format[1:]}f} %"
        case _, "hundredths":
            return f"{100 * number:.1f}"
        case _, "of100":
            return f"{number:.1f} %"
        case _, "of100 whole":
            return f"{number:.0f} %"
        case ",", _:
            return f"{round(number):,}"
        case _, "million":
            return f"{number / 1e6:.1f}"
        case _, "MB":
            return f"{number / 1e6:.1f}"
        case _, "x":
            return f"{number:.0f}"
        case _, "x.1":
            return f"{number:.1f}"
        case _, "tenths":
            return DIGITS[round(10 * number)]
    raise SystemExit(f"'{format}' is no format of a figure")


@cache
def figures() -> dict[str, str]:
    """Every figure by name."""
    made = {}
    for name, source in tomllib.loads(SOURCES.read_text(encoding="utf-8"))["figures"].items():
        file, where, format = source.split("; ")
        if format == "table":
            made[name] = table_at(file, where)
            continue
        first, colon, second = where.partition(" : ")
        if file.startswith("answer "):
            first, colon = where, ""
        value = value_at(file, first)
        made[name] = shown(float(value) / float(value_at(file, second)) if colon else value, format)
    return made


def refreshed(page: str, text: str) -> str:
    """A page with the figures of today."""

    def marked(match: re.Match[str]) -> str:
        if match[2] not in figures():
            raise SystemExit(f"{page}: there is no figure '{match[2]}' in {SOURCES.name}")
        return match[1] + figures()[match[2]] + match[4]

    text = MARK.sub(marked, text)
    for place in tomllib.loads(SOURCES.read_text(encoding="utf-8")).get("places", []):
        if place["page"] == page:
            match = re.search(place["pattern"], text)
            if match is None:
                raise SystemExit(f"{page} has no {place['pattern']}")
            text = text[: match.start(1)] + figures()[place["figure"]] + text[match.end(1) :]
    return text


def main() -> int:
    """Every page."""
    check, stale = "--check" in sys.argv[1:], []
    for path in pages():
        name, before = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        after = refreshed(name, before)
        if after != before:
            stale.append(name)
            if not check:
                path.write_text(after, encoding="utf-8")
    if stale:
        print(f"{'out of date' if check else 'written'}: {', '.join(stale)}")
        if check:
            print("run python tools/figures.py")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
