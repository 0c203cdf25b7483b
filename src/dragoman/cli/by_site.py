"""`dragoman url --by-site`: one row per host, the largest first."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import IO

from dragoman.cli.inputs import Inputs, all_pieces
from dragoman.cli.labelling import Job, batch_of
from dragoman.cli.progress import Bar
from dragoman.cli.show import readable
from dragoman.identifiers.answer import Answers
from dragoman.label.by_site import Heads, Site, Sites, heads
from dragoman.tables.formats import Format
from dragoman.tables.overlap import overlapped
from dragoman.tables.pieces import Piece
from dragoman.tables.rows import write_rows
from dragoman.tables.source import Source

#: The columns and their types.
COLUMNS = {
    "host": "string",
    "urls": "int64",
    "language": "string",
    "share": "float64",
    "shares": "json",
    "unanswered": "int64",
}
_LISTED = 5  # languages in the table for people


def by_site(job: Job, found: Inputs, column: str, written: Format, stream: IO[bytes], bar: Bar) -> None:
    """Read and judge all rows, count them by host, and write the hosts."""
    for one in found:
        if isinstance(one, Source):
            one.alone = True

    def work(piece: Piece) -> tuple[Heads, Answers]:
        return heads(batch_of(piece)), job.judge(piece)

    sites: Sites | None = None
    rows = all_pieces(found, column, False, lambda fraction: bar.update(fraction, job.rows))
    for piece, (beginnings, answers) in overlapped(rows, work, job.threads):
        job.count(piece)
        sites = sites or Sites(answers.languages)
        sites.add(beginnings, answers.language)
    counted: Iterable[Site] = sites if sites is not None else ()
    if written is Format.TABLE:
        _table(counted, stream)
    else:
        write_rows(written, stream, COLUMNS, (tuple(vars(site).values()) for site in counted))


def _table(sites: Iterable[Site], stream: IO[bytes]) -> None:
    """A table for people: the likeliest languages in a line, hosts last."""
    from rich.console import Console
    from rich.text import Text

    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
    console = Console(file=text, highlight=False)
    try:
        console.print(Text(f"{'urls':>10}  {'language':<10}{'share':<7}{'none':<7}host", "bold"), soft_wrap=True)
        for site in sites:
            tag = Text(f"{site.language or '-':<10}", "green" if site.language else "dim")
            none = f"{site.unanswered / site.urls:.2f}"
            line = Text.assemble(f"{site.urls:>10,}  ", tag, f"{site.share:<7.2f}{none:<7}", readable(site.host or "-"))
            others = list(site.shares.items())[1:_LISTED]
            if others:
                line.append("  " + ", ".join(f"{other} {share:.2f}" for other, share in others), "dim")
            console.print(line, soft_wrap=True)
    finally:
        text.detach()
