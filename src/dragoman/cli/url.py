"""`dragoman url`: the language of URLs from arguments, files and stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource

from dragoman.cli.progress import Bar
from dragoman.cli.show import TableWriter
from dragoman.errors import BadTable, UsageError, shorten
from dragoman.languages import parse_list
from dragoman.models.answer import Answers, answer, check_threshold, choice, contributions
from dragoman.models.classifier import Classifier
from dragoman.models.shelf import DEFAULT, open_model
from dragoman.tables.formats import Format, format_of, looks_like_a_table
from dragoman.tables.output import output
from dragoman.tables.pieces import LANGUAGE, PROBABILITY, Lines, Piece
from dragoman.tables.read import Source, pieces, source
from dragoman.tables.write import Writer, writer
from dragoman.url.batch import UrlBatch

_TABLES = (Format.PARQUET, Format.CSV, Format.TSV, Format.JSONL)
_REASONS = 3  # languages whose contributions are listed, unless --top asks for more


@dataclass
class Job:
    """What was asked for, and what happened on the way."""

    model: Classifier
    languages: tuple[str, ...] | None
    threshold: float | None
    threads: int
    top: int
    explain: bool
    rows: int = 0
    unreadable: int = 0
    first_error: str = ""
    notes: list[str] = field(default_factory=list)

    def judged(self, piece: Piece) -> Answers:
        """The answers for a piece."""
        urls = piece.urls
        batch = UrlBatch(*urls) if isinstance(urls, tuple) else UrlBatch.of(urls)
        self.rows += len(piece)
        if piece.errors:
            self.first_error = self.first_error or piece.errors[min(piece.errors)]
            self.unreadable += len(piece.errors)
        wanted = self.top > 0 or self.explain
        return answer(self.model, batch, self.languages, self.threshold, self.threads, matrix=wanted)

    def extras(self, piece: Piece, answers: Answers) -> dict[str, list[Any]]:
        """Scores and contributions, row by row."""
        found: dict[str, list[Any]] = {}
        if self.top:
            found["scores"] = [answers.top(row, self.top) for row in range(len(answers))]
        if self.explain:
            found["contributions"] = [
                [
                    {"feature": one.feature, "language": one.language, "weight": round(one.weight, 6)}
                    for one in contributions(self.model, url, tuple(answers.top(row, max(self.top, _REASONS))))
                ]
                for row, url in enumerate(piece.plain().urls)
            ]
        return found


def sources_of(
    inputs: Sequence[str], format: Format | None, added: Sequence[str], replace: bool
) -> list[Source | Lines]:
    """The inputs in their order: files and stdin as sources, URLs beside each other as one piece."""
    found: list[Source | Lines] = []
    if inputs.count("-") > 1:
        raise UsageError("'-' (stdin) can be read only once: give it once")
    for given in inputs:
        if given == "-" or _is_there(given):
            found.append(source(given, format, added, replace))
        elif looks_like_a_table(given):
            hint = "if it is a URL, write http:// before it"
            raise UsageError(f"No such file: '{shorten(given)}'; check its name, or {hint}")
        else:
            if not found or not isinstance(found[-1], Lines):
                found.append(Lines([]))
            found[-1].urls.append(os.fsencode(given))  # type: ignore[union-attr]
    return found


def _is_there(given: str) -> bool:
    try:
        return Path(given).exists()
    except (OSError, ValueError):  # too long for a name, or NUL in it
        return False


def output_format(asked: str | None, path: str | None, kept: Format | None) -> Format:
    """The format to write: as asked, as the file's name says, a table on a terminal, as it came in, or JSON lines."""
    if asked:
        chosen = Format(asked)
        if chosen is Format.PARQUET and path in (None, "-") and sys.stdout.isatty():
            raise UsageError("Parquet is not for a terminal: give a file with -o FILE")
        return chosen
    if path not in (None, "-"):
        try:
            by_name = format_of(str(path))
        except BadTable:
            raise UsageError(
                f"Cannot write '{path}': end it in .parquet, .csv, .tsv or .jsonl (or give --format)"
            ) from None
        return by_name or kept or Format.JSONL
    return Format.TABLE if sys.stdout.isatty() else kept or Format.JSONL


def all_pieces(found: Sequence[Source | Lines], column: str, whole: bool, bar: Bar, job: Job) -> Iterator[Piece]:
    """The pieces of all inputs; with `whole`, tables keep their columns, which must then agree."""
    schema: Any = None
    for number, one in enumerate(found):
        if isinstance(one, Lines):
            yield one
            continue
        first = True
        for piece in pieces(one, column):
            if first and whole and one.schema is not None:
                if schema is not None and not _same(schema, one.schema):
                    raise BadTable(f"'{one.name}' does not have the columns of '{found[0].name}': run them one by one")  # type: ignore[union-attr]
                schema = schema if schema is not None else one.schema
            first = False
            yield piece if whole else piece.plain()
            bar.update((number + one.done / one.total) / len(found) if one.total else None, job.rows)


def _same(one: Any, other: Any) -> bool:
    return bool(one.equals(other)) if hasattr(one, "equals") else bool(one == other)


def make_writer(format: Format, stream: IO[bytes]) -> Writer:
    """The writer of any format, the table for people included."""
    return TableWriter(stream) if format is Format.TABLE else writer(format, stream)


@click.command()
@click.argument("inputs", nargs=-1, metavar="URL... | FILE | -")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "jsonl", "tsv", "csv", "parquet"]),
    help="Default: a table on a terminal; else a table file as it came in, and JSON lines for URLs.",
)
@click.option("-o", "--output", "path", metavar="FILE", help="Write here instead of to stdout; whole or not at all.")
@click.option("--column", default="url", show_default=True, help="The column that holds the URLs of a table.")
@click.option("--languages", metavar="en,de,...", help="Choose among these only: tags, codes or names.")
@click.option(
    "--model", "model_name", default=DEFAULT, show_default=True, metavar="NAME|PATH", help="See 'dragoman models'."
)
@click.option("--threshold", type=float, metavar="P", help="Below this probability the language is null.")
@click.option("--top", type=click.IntRange(min=1), metavar="K", help='Add the K likeliest languages as "scores".')
@click.option(
    "--explain",
    is_flag=True,
    help='Add what spoke for and against the likeliest languages (3, or K) as "contributions".',
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="For large files.")
@click.option("--replace", is_flag=True, help="Write over columns of a table that have the names of ours.")
@click.option("--input-format", type=click.Choice(["text", "jsonl", "tsv", "csv", "parquet"]),
              help="Default: by the name; else text, or JSON lines by their first byte.")  # fmt: skip
def url(
    inputs: tuple[str, ...],
    format_: str | None,
    path: str | None,
    column: str,
    languages: str | None,
    model_name: str,
    threshold: float | None,
    top: int | None,
    explain: bool,
    threads: int,
    replace: bool,
    input_format: str | None,
) -> None:
    """The language of each URL, told from the URL alone.

    Inputs are URLs, files and - (stdin), mixed as you like. A Parquet, CSV, TSV or JSON-lines file comes back with
    "language" and "probability" added to its columns; any other file is text with one URL per line. A row that cannot
    be read gets no language, and the rest goes on.
    """
    if not inputs:
        raise UsageError("Nothing to do: give URLs, files, or - for stdin (dragoman url --help)")
    check_threshold(threshold)
    model = open_model(model_name)
    chosen = choice(model, parse_list(languages) if languages is not None else None)
    job = Job(model, chosen, threshold, threads, top or 0, explain)
    added = [LANGUAGE, PROBABILITY] + ["scores"] * bool(top) + ["contributions"] * explain
    found = sources_of(inputs, Format(input_format) if input_format else None, added, replace)
    formats = {one.format if isinstance(one, Source) else Format.TEXT for one in found}
    asked = click.get_current_context().get_parameter_source("column") is not ParameterSource.DEFAULT
    if asked and formats == {Format.TEXT}:
        raise UsageError("--column is for tables, and this was taken for text: say --input-format csv, tsv or jsonl")
    kept = next(iter(formats)) if len(formats) == 1 and formats <= set(_TABLES) else None
    written = output_format(format_, path, kept)
    if (kept is None and formats & set(_TABLES)) or (kept is Format.JSONL and written not in (kept, Format.TABLE)):
        job.notes.append("only the URLs, languages and probabilities are written: the rows do not share their columns")
    whole = kept is not None
    to_terminal = path in (None, "-") and sys.stdout.isatty()
    with Bar("URLs", wanted=not to_terminal) as bar, output(path) as stream:
        out = make_writer(written, stream)
        try:
            for piece in all_pieces(found, column, whole, bar, job):
                answers = job.judged(piece)
                out.write(piece, answers.added(job.extras(piece, answers)))
        finally:
            out.close()
    if job.unreadable:
        job.notes.append(f"{job.unreadable:,} of {job.rows:,} rows could not be read (the first: {job.first_error})")
    for note in job.notes:
        click.echo(f"dragoman: note: {note}", err=True)
