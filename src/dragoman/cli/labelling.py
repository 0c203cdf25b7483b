"""The work of `dragoman url`: pieces of rows are judged, on as many threads as asked, and written in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, Any

import click

from dragoman.cli.inputs import Inputs, all_pieces
from dragoman.cli.progress import Bar
from dragoman.cli.show import TableWriter
from dragoman.columns import LANGUAGE, PROBABILITY, WANTED, AnswerColumns, ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.answer import Answers, answer, check_threshold, choice, reasons
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.operating import OperatingPoint, operating_point
from dragoman.tables.formats import Format
from dragoman.tables.legible import legible
from dragoman.tables.overlap import overlapped
from dragoman.tables.parquet.chunks import encode
from dragoman.tables.parquet.splice import Splice, splice
from dragoman.tables.pieces import Piece
from dragoman.tables.source import Source
from dragoman.tables.write import Writer, writer
from dragoman.types import Language


@dataclass
class Job:
    """What was asked for, and what happened on the way."""

    model: Classifier
    languages: tuple[Language, ...] | None = None
    threshold: float | None = None
    point: OperatingPoint | None = None
    threads: int = 1
    top: int = 0
    explain: bool = False
    rows: int = 0
    unreadable: int = 0
    escaped: int = 0
    first_error: str = ""
    opening: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def added(self) -> list[str]:
        """The names of the columns that will be added."""
        extra = ["scores"] * bool(self.top) + ["contributions"] * self.explain
        return [WANTED if self.point else LANGUAGE, PROBABILITY, *extra]

    def judge(self, piece: Piece) -> Answers:
        """The answers for a piece; called by several threads at once, and changes nothing."""
        matrix = self.top > 0 or self.explain
        return answer(self.model, batch_of(piece), self.languages, self.threshold, matrix=matrix, point=self.point)

    def count(self, piece: Piece) -> None:
        """Note what a piece had in it."""
        self.rows += len(piece)
        if piece.errors:
            self.first_error = self.first_error or piece.errors[min(piece.errors)]
            self.unreadable += len(piece.errors)

    def put(self, piece: Piece, answers: Answers) -> AnswerColumns:
        """The columns for a piece, with scores and contributions row by row where they were asked for."""
        extra: dict[str, list[Any]] = {}
        if self.top:
            extra["scores"] = [answers.top(row, self.top) for row in range(len(answers))]
        if self.explain:
            extra["contributions"] = [
                [
                    {"feature": one.feature, "language": one.language, "weight": round(one.weight, 6)}
                    for one in reasons(self.model, url, answers, row, self.top)
                ]
                for row, url in enumerate(piece.plain().urls)
            ]
        if self.point:
            return AnswerColumns.decisions(answers.language >= 0, answers.probability, extra)
        return answers.columns(extra)

    def begin(self) -> None:
        """What is known before the first row, on stderr: a reader that has enough (`| head`) must have seen it."""
        _note(self.opening)

    def tell(self) -> None:
        """What has been counted on the way, on stderr."""
        if self.unreadable:
            self.notes.append(
                f"{self.unreadable:,} of {self.rows:,} rows could not be read (the first: {self.first_error})"
            )
        if self.escaped:
            self.notes.append(
                f"{self.escaped:,} of {self.rows:,} rows hold bytes that are not UTF-8: they are written as %XX"
            )
        _note(self.notes)


def _note(lines: list[str]) -> None:
    for line in lines:
        click.echo(f"dragoman: note: {line}", err=True)


def job_of(
    model: Classifier,
    languages: str | None,
    language: str | None,
    threshold: float | None,
    precision: float | None,
    recall: float | None,
) -> Job:
    """The job that the options ask for; UsageError where they do not go together."""
    check_threshold(threshold)
    if language is None:
        if precision is not None or recall is not None:
            name = "precision" if precision is not None else "recall"
            raise UsageError(f"--{name} is a promise for one language: say which with --language")
        return Job(model, choice(model, languages), threshold)
    if languages is not None:
        raise UsageError("--language asks for one language and --languages for a choice: give one of the two")
    chosen = choice(model, language)
    if chosen is None or len(chosen) != 1:
        raise UsageError(f"--language takes one language, not '{language}'; --languages takes several")
    if precision is None and recall is None:
        return Job(model, chosen, threshold)
    if precision is not None and recall is not None:
        raise UsageError("--precision and --recall cannot both be chosen: give one, and the other follows")
    if threshold is not None:
        name = "precision" if precision is not None else "recall"
        raise UsageError(f"--{name} picks the threshold by itself: leave out --threshold")
    point = operating_point(model, chosen[0], precision, recall)
    job = Job(model, point=point)
    job.opening.append(point.told())
    return job


def batch_of(piece: Piece) -> ByteColumn:
    """The URLs of a piece."""
    urls = piece.urls
    return ByteColumn(*urls) if isinstance(urls, tuple) else ByteColumn.of(urls)


def label(job: Job, found: Inputs, column: str, written: Format, whole: bool, stream: IO[bytes], bar: Bar) -> None:
    """Read, judge and write all rows; with `whole`, tables keep their columns."""
    out = _writer(found, written, whole, stream)
    try:
        rows = all_pieces(found, column, whole, lambda fraction: bar.update(fraction, job.rows))
        if isinstance(out, Splice) and not (job.top or job.explain):
            # Encoding and packing are done by the thread that judged: one core alone would not keep up with two.
            for piece, part in overlapped(rows, lambda one: encode(job.put(one, job.judge(one))), job.threads):
                job.count(piece)
                out.take(len(piece), part)
            return
        for piece, answers in overlapped(rows, job.judge, job.threads):
            job.count(piece)
            shown, escaped = legible(piece if whole else piece.plain(), written)
            job.escaped += escaped
            out.write(shown, job.put(piece, answers))
    finally:
        out.close()


def _writer(found: Inputs, written: Format, whole: bool, stream: IO[bytes]) -> Writer:
    """The writer of any format, the table for people included."""
    if written is Format.TABLE:
        return TableWriter(stream)
    if written is Format.PARQUET and whole and len(found) == 1:
        given = found[0]
        if isinstance(given, Source) and (out := splice(given, stream)) is not None:
            return out
    return writer(written, stream)
