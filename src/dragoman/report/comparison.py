"""What a report says about where its figures come from, and about two models side by side."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dragoman.evaluate.comparing import Comparison
from dragoman.files import write_whole
from dragoman.identifiers.models import describe
from dragoman.report.tables import CellValue, Column, Table, slug
from dragoman.tables.formats import Format
from dragoman.tables.rows import write_rows

READINGS = {"binary": "one yes or no per language", "best": "one answer per URL"}
#: Disagreements that a table for people has; the file beside the report has all.
SHOWN = 20


def provenance(file: Path, models: Sequence[str], command: str) -> dict[str, Any]:
    """What somebody needs to cite figures, or to make them again: version, date, command, digests."""
    from dragoman import __version__

    with file.open("rb") as stream:
        data = hashlib.file_digest(stream, "sha256").hexdigest()
    return {
        "dragoman": __version__,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": command,
        "data": {"file": file.name, "sha256": data},
        "models": {name: describe(name)["digest"] for name in models},
    }


def about_table(about: Mapping[str, Any]) -> Table:
    """The same for people."""
    rows: list[list[CellValue]] = [
        ["Dragoman", about["dragoman"]],
        ["date", about["date"]],
        ["command", about["command"]],
        [f"SHA-256 of {about['data']['file']}", about["data"]["sha256"]],
        *([f"digest of model {name}", digest] for name, digest in about["models"].items()),
    ]
    return Table("What was measured", [Column("", "text"), Column("", "text")], rows)


def comparison_table(compared: Sequence[Comparison]) -> Table:
    """What the first model has more than each of the others, with intervals."""
    rows: list[list[CellValue]] = []
    for comparison in compared:
        pair = f"{comparison.models[0]} less {comparison.models[1]}"
        for reading, difference in comparison.macro_f.items():
            rows.append([pair, f"mean F, {READINGS[reading]}", comparison.rows, difference])
        rows.append([pair, "share of right answers", comparison.rows, comparison.accuracy])
    columns = [Column("Models", "group"), Column("", "text"), Column("URLs", "count"), Column("difference", digits=3)]
    note = "Paired, on the URLs and in the languages that both judge; 95 % intervals by whole sites."
    return Table("Differences", columns, rows, note)


def disagreement_table(comparison: Comparison) -> Table:
    """The first URLs to which two models give different answers."""
    first, second = comparison.models
    listed = comparison.disagreements
    rows: list[list[CellValue]] = [[row.url, row.language, row.first, row.second] for row in listed[:SHOWN]]
    counts = {who: sum(row.right == who for row in listed) for who in ("first", "second", "neither")}
    note = (
        f"{len(listed):,} of {comparison.rows:,} URLs: {first} is right on {counts['first']:,}, {second} on "
        f"{counts['second']:,}, neither on {counts['neither']:,}."
    )
    columns = [Column("URL", "text"), Column("language", "text"), Column(first, "text"), Column(second, "text")]
    return Table(f"Where {first} and {second} disagree", columns, rows, note)


def write_disagreements(comparison: Comparison, folder: Path) -> Path:
    """The file with all URLs to which two models give different answers."""
    first, second = comparison.models
    names = ["url", "language", first, second, "right"]
    out = io.BytesIO()
    rows = ((row.url, row.language, row.first, row.second, row.right) for row in comparison.disagreements)
    write_rows(Format.CSV, out, dict.fromkeys(names, "string"), rows)
    return write_whole(folder / f"disagreements-{slug(Path(first).name)}-{slug(Path(second).name)}.csv", out.getvalue())
