"""Writes papers/README.md from the committed reports: what each is, its claims by verdict, and all of them together.

python tools/make_papers_page.py            write the page
python tools/make_papers_page.py --check    fail when it is out of date

The words about the four together are in tools/papers_together.md; the tables are the closing tables of the reports.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from dragoman.files import write_whole
from dragoman.report.tables import CellValue, Column, Table
from dragoman.studies import STUDIES
from dragoman.studies.claims import Verdict

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "papers" / "README.md"
NOTE = (
    "<!-- Written by tools/make_papers_page.py: run a study again, or change tools/papers_together.md, then run it. -->"
)


def committed_claims(name: str) -> list[list[str]]:
    """The rows of a committed report's closing table: verdict, number, section, claim, theirs, ours."""
    path = ROOT / "papers" / name / "tables" / "claims-by-verdict.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))[1:]


def counts(claims: dict[str, list[list[str]]]) -> Table:
    """How many claims of each paper came out how."""
    rows: list[list[CellValue]] = []
    for name, lines in claims.items():
        verdicts = [line[0] for line in lines]
        rows.append([name, *(verdicts.count(verdict) for verdict in Verdict)])
    rows.append(["all", *(sum(int(str(row[at])) for row in rows) for at in range(1, len(Verdict) + 1))])
    return Table("Claims", [Column("paper", "text"), *(Column(str(verdict), "count") for verdict in Verdict)], rows)


def claims_of(name: str, lines: list[list[str]]) -> Table:
    """The claims of one paper by verdict."""
    names = ("Section", "Claim", "Theirs", "Ours")
    columns = [Column("Verdict", "group"), Column("", "text"), *(Column(name, "text") for name in names)]
    return Table(f"Claims of {name} by verdict", columns, lines)


def page() -> str:
    """The whole page."""
    claims = {name: lines for name in STUDIES if (lines := committed_claims(name))}
    parts = ["# Four papers, run again", NOTE, (ROOT / "tools" / "papers_together.md").read_text("utf-8").strip()]
    parts += ["## Verdicts", counts(claims).to_markdown()]
    for name, lines in claims.items():
        links = f"[what came out]({name}/README.md), [every table]({name}/report.md)"
        parts += [f"## {name}", f"{STUDIES.about(name)}: {links}.", claims_of(name, lines).to_markdown()]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the page, or compare it with what is there."""
    text = page()
    if "--check" in sys.argv[1:]:
        if PAGE.exists() and PAGE.read_text("utf-8") == text:
            return 0
        print("papers/README.md is out of date: run python tools/make_papers_page.py")
        return 1
    write_whole(PAGE, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
