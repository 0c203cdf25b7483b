"""`dragoman track`: where the language of a text or a page changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO

import click

from dragoman.cli import complete, options
from dragoman.cli.inputs import check_files, note, tell
from dragoman.cli.progress import Bar
from dragoman.cli.show import console_on
from dragoman.errors import BadTable, UsageError, shorten
from dragoman.identifiers.track import DEFAULT
from dragoman.identifiers.track.writing import marked_up, rows, to_xml
from dragoman.label.documents import Documents, RawDocument, is_archive_name
from dragoman.label.file import label_file
from dragoman.label.inputs import is_stdout, named_format
from dragoman.label.spans import SPANS, SpanJudge, span_judge
from dragoman.tables.formats import Format, format_of
from dragoman.tables.output import check_kept, output

_ENDINGS = {".jsonl": "jsonl", ".xml": "xml", ".html": "html", ".htm": "html"}
#: Names that say nothing: JSON lines.
_SAY_NOTHING = frozenset({"", ".json", ".ndjson", ".txt", ".log"})


@click.command()
@click.argument("inputs", nargs=-1, metavar="FILE... | -")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["jsonl", "xml", "html", "terminal"]),
    help="Default: by the name of -o; colours on a terminal, else JSON lines.",
)
@options.output_file
@options.chosen_languages()
@click.option(
    "--method",
    default=DEFAULT,
    show_default=True,
    metavar="NAME",
    help="default, sentences, sentences:IDENTIFIER, hmm-network or hmm-network:FILE.",
    shell_complete=complete.track_methods,
)
@options.threshold("Below this probability a span has no language.")
@click.option("--column", metavar="NAME", help="The column of a table that holds the texts.")
@click.option("--content-type", metavar="TYPE", help='What a server would say: "text/plain; charset=latin1".')
@click.option("--replace", is_flag=True, help='Write over a column "spans" of the table.')
def track(
    inputs: tuple[str, ...],
    format_: str | None,
    path: str | None,
    languages: str | None,
    method: str,
    threshold: float | None,
    column: str | None,
    content_type: str | None,
    replace: bool,
) -> None:
    """Where the language changes, in documents of HTML or text: spans with offsets in characters.

    Of a page the visible text is tracked; its spans tell their places in the source too. HTML comes out as HTML with
    lang attributes, text as a coloured page. With --column, a table comes back with "spans" added to each row (the
    column "html" holds pages), as JSON lines unless -o ends in .parquet, .csv or .tsv. A row that cannot be read says
    so, and the rest goes on.
    """
    check_files(inputs, "track")
    tables = [name for name in inputs if column is not None or _is_table(name)]
    if tables and len(tables) < len(inputs):
        raise UsageError(f"'{shorten(tables[0])}' is a table and others are documents: run them one by one")
    written = (
        format_
        or _by_name(path, bool(tables))
        or ("jsonl" if tables or path or not sys.stdout.isatty() else "terminal")
    )
    if tables:
        if written != "jsonl":
            raise UsageError(f"A table comes back as JSON lines, not as '{written}': leave out --format")
        # JSON lines, unless the names of all tables, or that of the output, say something else.
        stated = None if all(name != "-" and format_of(name) for name in tables) else "jsonl"
        named = named_format(path)
        html = column is not None and column.lower() == "html"
        with Bar("texts", wanted=not is_stdout(path)) as bar:
            counts = label_file(
                tables, path or "-", column or "text", holds="html" if html else "texts", spans=True, model=method,
                languages=languages, threshold=threshold, replace=replace, input_format=stated,
                output_format=named or "jsonl", progress=bar.update,
            )  # fmt: skip
        note(counts.notes())
        return
    if written in ("xml", "html") and len(inputs) > 1:
        raise UsageError(f"One document at a time can be written as {written.upper()}, and {len(inputs)} were given")
    check_kept(inputs, path)
    judge = span_judge(method, languages, threshold=threshold)
    documents = Documents(inputs, content_type, tell)
    with output(path) as stream:
        for document in documents:
            _write(judge, document, written, stream)
        documents.check_some()
    documents.check()
    if documents.cut:
        raise BadTable(f"{len(documents.cut):,} of {documents.count:,} documents are tracked only in part")


def _by_name(path: str | None, tables: bool) -> str | None:
    """The format that the name of the output says; UsageError where that is one that is not written."""
    if is_stdout(path):
        return None
    ending = Path(str(path).removesuffix(".gz").removesuffix(".zst")).suffix.lower()
    if not tables and ending not in _ENDINGS and ending not in _SAY_NOTHING:
        raise UsageError(f"Cannot write '{path}': end it in .jsonl, .xml or .html, or say --format")
    return _ENDINGS.get(ending)


def _is_table(name: str) -> bool:
    return name != "-" and not is_archive_name(name) and format_of(name) in (Format.JSONL, Format.PARQUET)


def _write(judge: SpanJudge, document: RawDocument, written: str, stream: IO[bytes]) -> None:
    """One document in the format that was asked for."""
    if document.error is not None:
        if written == "jsonl":
            stream.write(json.dumps({"source": document.source, SPANS: None, "error": document.error}).encode() + b"\n")
        return
    page = document.page()
    spans = judge.spans(page)
    if written == "jsonl":
        text = json.dumps({"source": document.source, SPANS: rows(spans)}, ensure_ascii=False) + "\n"
    elif written == "xml":
        text = to_xml(page.text, spans, document.source)
    elif written == "html" and page.kind == "html":
        text = marked_up(page, spans)
    elif written == "html":
        from dragoman.identifiers.track.colours import to_page

        text = to_page(page.text, spans, document.source)
    else:
        from dragoman.identifiers.track.colours import to_terminal

        with console_on(stream) as console:
            to_terminal(page.text, spans, console)
        return
    stream.write(text.encode("utf-8", "replace"))
    stream.flush()
