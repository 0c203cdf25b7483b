"""`dragoman page`: the language of documents, and of tables of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

import click

from dragoman.cli.documents import Document, documents, is_archive
from dragoman.cli.inputs import formats_of, output_format
from dragoman.cli.labelling import Job, batch_of, label
from dragoman.cli.progress import Bar
from dragoman.cli.show import readable
from dragoman.columns import ByteColumn
from dragoman.errors import BadTable, UsageError, shorten
from dragoman.identifiers.answer import Answers, answer, check_threshold, choice
from dragoman.identifiers.text.charset_rule import CharsetRule
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import DEFAULT, open_method, text_batch
from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.tables.formats import Format, format_of
from dragoman.tables.output import output
from dragoman.tables.pieces import Piece
from dragoman.tables.read import source
from dragoman.tables.rows import write_rows
from dragoman.types import Page

#: Documents that are judged together: enough to keep a method busy, few enough that rows come as they are ready.
_TOGETHER, _BYTES = 64, 1 << 22
#: Methods that go by the charset that a page names, and how they ask the text (dragoman.identifiers.text.charset_rule).
_RULES = {"charset-rule": "first", "charset-rule-both": "both"}
_COLUMNS = {
    "source": "string", "language": "string", "probability": "float32", "declared": "string", "charset": "string",
}  # fmt: skip


@click.command()
@click.argument("inputs", nargs=-1, metavar="FILE... | -")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "jsonl", "tsv", "csv", "parquet"]),
    help="Default: a table on a terminal, else JSON lines; a table file as it came in.",
)
@click.option("-o", "--output", "path", metavar="FILE", help="Write here instead of to stdout; whole or not at all.")
@click.option(
    "--column", metavar="NAME", help='The column of a table: HTML if it is named "html", else text.  [default: text]'
)
@click.option("--languages", metavar="en,de,...", help="Choose among these only: tags, codes or names.")
@click.option("--method", default=DEFAULT, show_default=True, metavar="NAME|PATH", help="See above.")
@click.option("--content-type", metavar="TYPE", help='What a server would say: "text/html; charset=tis-620".')
@click.option("--threshold", type=float, metavar="P", help="Below this probability the language is null.")
@click.option("--top", type=click.IntRange(min=1), metavar="K", help='Add the K likeliest languages as "scores".')
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="For tables.")
@click.option("--replace", is_flag=True, help="Write over columns of a table that have the names of ours.")
@click.option(
    "--input-format",
    type=click.Choice(["document", "jsonl", "tsv", "csv", "parquet"]),
    help="Default: by the name; what is no table is a document.",
)
def page(
    inputs: tuple[str, ...],
    format_: str | None,
    path: str | None,
    column: str | None,
    languages: str | None,
    method: str,
    content_type: str | None,
    threshold: float | None,
    top: int | None,
    threads: int,
    replace: bool,
    input_format: str | None,
) -> None:
    """The language of documents, HTML or text, told from their text.

    Every file is a document; a web archive (.warc, .warc.gz) holds many. A Parquet, CSV, TSV or JSON-lines table comes
    back with "language" and "probability" added to its columns, one document per row. .gz and .zst are unpacked. A file
    that cannot be read is told on stderr, and the rest goes on.

    Methods: default (the model that ships), any file of a model that reads text (dragoman train), heliport, py3langid,
    fasttext, lingua and pycld2 where they are installed, charset-rule (the META charset, else the text) and
    charset-rule-both (the two together).
    """
    if not inputs:
        raise UsageError("Nothing to do: give files, or - for stdin (dragoman page --help)")
    if inputs.count("-") > 1:
        raise UsageError("'-' (stdin) can be read only once: give it once")
    check_threshold(threshold)
    tables = [one for one in inputs if _is_table(one, input_format, column)]
    if tables and len(tables) < len(inputs):
        other = next(one for one in inputs if one not in tables)
        raise UsageError(f"'{shorten(tables[0])}' is a table and '{shorten(other)}' a document: run them one by one")
    model = open_method(DEFAULT if method in _RULES else method)
    job = PageJob(model, choice(model, languages), threshold, threads=threads, top=top or 0)
    if method in _RULES:
        job.rule = CharsetRule(model, _RULES[method])
    if job.rule and (tables or languages or threshold is not None or top):
        raise UsageError(
            f"'{method}' reads whole documents and has no probabilities: give files, and none of the options"
        )
    if not tables:
        _documents(job, inputs, content_type, format_, path)
        return
    job.column = column or "text"
    job.html = job.column.lower() == "html" if content_type is None else "html" in content_type.lower()
    _table(job, tables, input_format, format_, path, replace)


@dataclass
class PageJob(Job):
    """A job on texts instead of URLs; with `html`, its rows are pages."""

    column: str = "text"
    html: bool = False
    rule: CharsetRule | None = None

    def judge(self, piece: Piece) -> Answers:
        """The answers for a piece; called by several threads at once, and changes nothing."""
        batch = batch_of(piece)
        return self.judge_texts(ByteColumn.from_rows(map(_row_text, batch)) if self.html else batch)

    def judge_texts(self, texts: ByteColumn) -> Answers:
        """The answers for a batch of texts."""
        return answer(self.model, texts, self.languages, self.threshold, matrix=self.top > 0)


def _row_text(row: bytes) -> str:
    """The visible text of a page in a table, where it is UTF-8 already, whatever it says about its charset."""
    try:
        source = row.decode()
    except UnicodeDecodeError:
        return _text(read_page(row, "text/html"))
    text = read_markup(source).text  # without the links and all the rest: five times as fast
    return text if any(map(str.isalpha, text)) else read_page(source, "text/html").title or ""


def _text(found: Page) -> str:
    """What a page is judged by: its text, or its title where nothing else is written on it."""
    return found.text if any(map(str.isalpha, found.text)) else found.title or ""


def _is_table(name: str, input_format: str | None, column: str | None) -> bool:
    if input_format:
        return input_format != "document"
    if is_archive(name):
        return False
    return column is not None if name == "-" else format_of(name) is not None


def _table(
    job: PageJob, given: Sequence[str], input_format: str | None, format_: str | None, path: str | None, replace: bool
) -> None:
    told = Format(input_format) if input_format else None
    found: list[Any] = [source(one, told, job.added, replace, job.column) for one in given]
    formats, kept = formats_of(found)
    if Format.TEXT in formats:
        raise UsageError(
            "--column is for tables, and this is none: leave it out, or say --input-format csv, tsv or jsonl"
        )
    if kept is None:
        raise UsageError(f"These tables have several formats ({', '.join(sorted(formats))}): run them one by one")
    if format_ is None and path in (None, "-"):
        # The texts of a table would fill a terminal: rows go there as they came, as far as they can be read.
        format_ = (Format.JSONL if kept is Format.PARQUET and sys.stdout.isatty() else kept).value
    written = output_format(format_, path, kept)
    if written is Format.TABLE or (kept is Format.JSONL and written is not Format.JSONL):
        hint = "write JSON lines" if kept is Format.JSONL else "write CSV, TSV, JSON lines or Parquet"
        raise UsageError(f"A table of texts cannot be written as '{written}': {hint}")
    job.begin()
    with Bar("pages") as bar, output(path) as stream:
        label(job, found, job.column, written, True, stream, bar)
    job.tell()


def _documents(
    job: PageJob, given: Sequence[str], content_type: str | None, format_: str | None, path: str | None
) -> None:
    written = output_format(format_, path, None)
    columns = {**_COLUMNS, **({"scores": "json"} if job.top else {})}
    failures: list[str] = []
    to_terminal = path in (None, "-") and sys.stdout.isatty()
    with Bar("pages", wanted=not to_terminal) as bar, output(path) as stream:
        rows = _rows(job, _read(given, content_type, failures), bar)
        if written is Format.TABLE:
            _show(rows, stream)
        else:
            write_rows(written, stream, columns, _flushed(rows, stream))
        if failures and not job.rows:
            raise _unread(failures, given)  # and no file is left behind
    if failures:
        raise _unread(failures, given)


def _unread(failures: Sequence[str], given: Sequence[str]) -> BadTable:
    return BadTable(f"{len(failures):,} of {len(given):,} inputs could not be read")


def _read(given: Iterable[str], content_type: str | None, failures: list[str]) -> Iterator[Document]:
    """The documents of all inputs; what cannot be read is told at once, and the rest goes on."""
    for name in given:
        try:
            yield from documents(name, content_type)
        except (OSError, BadTable) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            failures.append(name)
            click.echo(f"dragoman: {shorten(name, 300)}: {shorten(reason, 500)}", err=True)


def _rows(job: PageJob, given: Iterable[Document], bar: Bar) -> Iterator[tuple[Any, ...]]:
    """A row for every document."""
    for some in _together(given):
        pages = [read_page(one.data, one.content_type, one.url, one.content_language) for one in some]
        for one, found, answers in zip(some, pages, _judged(job, some, pages), strict=True):
            yield one.source, *answers[:2], found.declared, found.charset, *answers[2:]
        job.rows += len(pages)
        bar.update(None, job.rows)


def _judged(job: PageJob, some: Sequence[Document], pages: Sequence[Page]) -> Iterator[tuple[Any, ...]]:
    """(language, probability) of each document, and its likeliest languages where they were asked for."""
    if job.rule:
        yield from ((job.rule.identify(one.data).language, None) for one in some)
        return
    answers = job.judge_texts(text_batch([_text(one) for one in pages]))
    for row, pair in enumerate(zip(answers.tags(), answers.columns().probabilities(), strict=True)):
        yield (*pair, answers.top(row, job.top)) if job.top else pair


def _together(found: Iterable[Document]) -> Iterator[list[Document]]:
    some: list[Document] = []
    for one in found:
        some.append(one)
        if len(some) >= _TOGETHER or sum(len(other.data) for other in some) >= _BYTES:
            yield some
            some = []
    if some:
        yield some


def _flushed(rows: Iterable[tuple[Any, ...]], stream: IO[bytes]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        yield row
        stream.flush()


def _show(rows: Iterable[tuple[Any, ...]], stream: IO[bytes]) -> None:
    """A table for people, written as rows come."""
    import io

    from rich.console import Console
    from rich.text import Text

    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
    console = Console(file=text, highlight=False)
    try:
        head = f"{'language':<10}{'probability':<13}{'declared':<10}{'charset':<14}source"
        console.print(Text(head, "bold"), soft_wrap=True)
        for name, tag, probability, declared, charset, *scores in rows:
            sure = "" if probability is None else f"{probability:.3f}"
            line = Text.assemble((f"{tag or '-':<10}", "green" if tag else "dim"), f"{sure:<13}")
            line.append(f"{declared or '-':<10}{charset or '-':<14}{readable(name)}")
            console.print(line, soft_wrap=True)
            if scores and scores[0]:
                told = ", ".join(f"{language} {value:.3f}" for language, value in scores[0].items())
                console.print(Text(f"{'':<10}{told}", "dim"), soft_wrap=True)
    finally:
        text.detach()
