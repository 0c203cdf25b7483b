"""Read, judge, write: the one way from tables of URLs or texts to the same tables with answers beside each row.

    inputs ──► pieces ──► judge, encode (several threads) ──► write, in order ──► counts

- A bad row is a row without an answer, which says why where the format has room for it (`error` in JSON lines). It is
  counted, and the work goes on.
- A file that cannot be used as a whole, or turns out to be damaged on the way, is a BadTable.
- An error or an interrupt leaves no file and no half of one, if the stream is that of a new file (tables.output).
- What is written is whole: the writer of a spliced Parquet file checks that all rows have come before its footer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from dragoman.label.inputs import Inputs, all_pieces, formats_of
from dragoman.label.judges import RowJudge
from dragoman.label.overlap import overlapped
from dragoman.tables.formats import Format
from dragoman.tables.json_columns import column_types, with_columns
from dragoman.tables.legible import legible
from dragoman.tables.parquet.splice import splice
from dragoman.tables.pieces import Lines, RowPiece
from dragoman.tables.source import Source
from dragoman.tables.write import Writer, writer

#: Told how far the work is: a fraction (None: not known), and how many rows are done.
Progress = Callable[[float | None, int], None]


@dataclass
class RowCounts:
    """What happened on the way: rows in all, those that could not be read, those with bytes that are no text."""

    rows: int = 0
    unreadable: int = 0
    escaped: int = 0
    first_error: str = ""
    #: What is to be known about the inputs, a line each.
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, inputs: Inputs) -> RowCounts:
        """No rows yet."""
        return cls(remarks=tuple(part.remark for part in inputs if isinstance(part, Source) and part.remark))

    def add(self, piece: RowPiece, escaped: int = 0) -> None:
        """Count a piece."""
        self.rows += len(piece)
        self.escaped += escaped
        if piece.errors:
            self.first_error = self.first_error or piece.errors[min(piece.errors)]
            self.unreadable += len(piece.errors)

    def notes(self) -> list[str]:
        """Lines for people about rows that were not as they should be."""
        lines, rows = [*self.remarks], f"of {self.rows:,} rows"
        if self.unreadable:
            lines.append(f"{self.unreadable:,} {rows} could not be read (the first: {self.first_error})")
        if self.escaped:
            lines.append(f"{self.escaped:,} {rows} hold bytes that are not UTF-8: they are written as %XX")
        return lines


def row_writer(inputs: Inputs, written: Format, stream: IO[bytes]) -> Writer:
    """The writer for these inputs: one Parquet file that stays Parquet is copied, not written anew."""
    source = inputs[0] if len(inputs) == 1 else None
    if written is Format.PARQUET and isinstance(source, Source) and source.format is Format.PARQUET:
        return splice(source, stream) or writer(written, stream)
    return writer(written, stream)


def counted_pieces(
    work: Callable[[RowPiece], Any], inputs: Inputs, column: str, threads: int, progress: Progress
) -> tuple[RowCounts, Iterator[tuple[RowPiece, Any]]]:
    """(counts, pieces): every piece of one column with what `work` makes of it; the counts grow as the pieces come."""
    counts = RowCounts.of(inputs)
    for part in inputs:
        if isinstance(part, Source):
            part.one_column = True

    def pieces() -> Iterator[tuple[RowPiece, Any]]:
        rows = all_pieces(inputs, column, False, lambda fraction: progress(fraction, counts.rows))
        for piece, outcome in overlapped(rows, work, threads):
            counts.add(piece)
            yield piece, outcome

    return counts, pieces()


def label_rows(
    judge: RowJudge,
    inputs: Inputs,
    column: str,
    out: Writer,
    threads: int = 1,
    progress: Progress = lambda fraction, rows: None,
    keeps_objects: bool = False,
) -> RowCounts:
    """Read, judge and write all rows; what happened on the way. Tables of one format keep their columns.

    JSON lines that are written in another format keep theirs with `keeps_objects`, and are read twice for it.
    """
    counts, whole = RowCounts.of(inputs), formats_of(inputs)[1] is not None
    for part in inputs:
        if isinstance(part, Source):
            part.piece_rows = judge.piece_rows

    types: Mapping[str, str] = {}
    if keeps_objects and out.format is not Format.JSONL and formats_of(inputs)[1] is Format.JSONL:
        types = column_types((part for part in inputs if isinstance(part, Source)), column)

    def work(piece: RowPiece) -> tuple[Any, int]:
        shown, escaped = legible(piece if whole else piece.plain(), out.format)
        if types and isinstance(shown, Lines):
            shown = with_columns(shown, types)
        return out.encode(shown, judge(piece)), escaped

    rows = all_pieces(inputs, column, whole, lambda fraction: progress(fraction, counts.rows))
    try:
        for piece, (encoded, escaped) in overlapped(rows, work, threads):
            out.write(encoded)
            counts.add(piece, escaped)
    except BaseException:
        with suppress(Exception):  # what went wrong first is what is told
            out.close()
        raise
    out.close()
    return counts
