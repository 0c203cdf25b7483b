"""`dragoman track`: where the language of a text or a page changes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import click

from dragoman.cli.documents import Document, documents, is_archive
from dragoman.cli.progress import Bar
from dragoman.errors import BadTable, UsageError, need, shorten
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.track import DEFAULT, open_tracker, placed
from dragoman.identifiers.track.methods import Ready
from dragoman.identifiers.track.writing import marked_up, rows, to_xml
from dragoman.tables.formats import Format, format_of
from dragoman.tables.output import output
from dragoman.tables.packing import unpacked
from dragoman.tables.source import told
from dragoman.types import Page, Span

_SPANS = "spans"
_ENDINGS = {".jsonl": "jsonl", ".xml": "xml", ".html": "html", ".htm": "html"}


@click.command()
@click.argument("inputs", nargs=-1, metavar="FILE... | -")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["jsonl", "xml", "html", "terminal"]),
    help="Default: by the name of -o; colours on a terminal, else JSON lines.",
)
@click.option("-o", "--output", "path", metavar="FILE", help="Write here instead of to stdout; whole or not at all.")
@click.option("--languages", metavar="en,de,...", help="Choose among these only: tags, codes or names.")
@click.option(
    "--method",
    default=DEFAULT,
    show_default=True,
    metavar="NAME",
    help="default, sentences, sentences:IDENTIFIER, hmm-network or hmm-network:FILE.",
)
@click.option("--column", metavar="NAME", help="The column of a JSON-lines or Parquet table that holds the texts.")
@click.option("--content-type", metavar="TYPE", help='What a server would say: "text/plain; charset=latin1".')
@click.option("--replace", is_flag=True, help='Write over a column "spans" of the table.')
def track(
    inputs: tuple[str, ...],
    format_: str | None,
    path: str | None,
    languages: str | None,
    method: str,
    column: str | None,
    content_type: str | None,
    replace: bool,
) -> None:
    """Where the language changes, in documents of HTML or text: spans with offsets in characters.

    Of a page the visible text is tracked; its spans tell their places in the source too. HTML comes out as HTML with
    lang attributes, text as a coloured page. With --column, a JSON-lines or Parquet table comes back as JSON lines with
    "spans" added to each row (the column "html" holds pages).
    """
    if not inputs:
        raise UsageError("Nothing to do: give files, or - for stdin (dragoman track --help)")
    if inputs.count("-") > 1:
        raise UsageError("'-' (stdin) can be read only once: give it once")
    ready = open_tracker(method, languages)
    tables = [one for one in inputs if column is not None or _is_table(one)]
    if tables and len(tables) < len(inputs):
        raise UsageError(f"'{shorten(tables[0])}' is a table and others are documents: run them one by one")
    written = format_ or _by_name(path) or ("jsonl" if tables or path or not sys.stdout.isatty() else "terminal")
    if tables:
        if written != "jsonl":
            raise UsageError(f"A table comes back as JSON lines, not as '{written}': leave out --format")
        _tables(ready, tables, column or "text", path, replace)
        return
    if written in ("xml", "html") and len(inputs) > 1:
        raise UsageError(f"One document at a time can be written as {written.upper()}, and {len(inputs)} were given")
    failures = 0
    with output(path) as stream:
        for name in inputs:
            try:
                for document in documents(name, content_type):
                    _write(ready, document, written, stream)
            except (OSError, BadTable) as error:
                failures += 1
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                click.echo(f"dragoman: {shorten(name, 300)}: {shorten(reason, 500)}", err=True)
        if failures:
            raise BadTable(f"{failures:,} of {len(inputs):,} inputs could not be read")


def _by_name(path: str | None) -> str | None:
    return None if path in (None, "-") else _ENDINGS.get(Path(str(path).removesuffix(".gz")).suffix.lower())


def _is_table(name: str) -> bool:
    return name != "-" and not is_archive(name) and format_of(name) in (Format.JSONL, Format.PARQUET)


def _tracked(ready: Ready, page: Page) -> list[Span]:
    """The spans of a page's text; with places in the source if that is HTML."""
    spans = ready(page.text, page.kind == "html")
    return placed(spans, page) if page.kind == "html" else spans


def _write(ready: Ready, document: Document, written: str, stream: IO[bytes]) -> None:
    """One document in the format that was asked for."""
    page = read_page(document.data, document.content_type, document.url, document.content_language)
    spans = _tracked(ready, page)
    if written == "jsonl":
        text = json.dumps({"source": document.source, _SPANS: rows(spans)}, ensure_ascii=False) + "\n"
    elif written == "xml":
        text = to_xml(page.text, spans, document.source)
    elif written == "html" and page.kind == "html":
        text = marked_up(page, spans)
    elif written == "html":
        from dragoman.identifiers.track.colours import to_page

        text = to_page(page.text, spans, document.source)
    else:
        _show(page.text, spans, stream)
        return
    stream.write(text.encode("utf-8", "replace"))
    stream.flush()


def _show(text: str, spans: list[Span], stream: IO[bytes]) -> None:
    from rich.console import Console

    from dragoman.identifiers.track.colours import to_terminal

    wrapped = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
    try:
        to_terminal(text, spans, Console(file=wrapped, highlight=False, force_terminal=None))
    finally:
        wrapped.detach()


def _tables(ready: Ready, given: Iterable[str], column: str, path: str | None, replace: bool) -> None:
    done = 0
    with Bar("texts", wanted=path not in (None, "-")) as bar, output(path) as stream:
        for name in given:
            for row in _rows(name):
                if column not in row:
                    known = ", ".join(map(str, row)) or "none"
                    raise BadTable(f"'{shorten(name)}' has no column '{column}'; its columns: {shorten(known)}")
                if _SPANS in row and not replace:
                    raise UsageError(
                        f"'{shorten(name)}' has a column '{_SPANS}' already: add --replace to write over it"
                    )
                row[_SPANS] = _spans_of(ready, row[column], column.lower() == "html")
                stream.write(json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n")
                done += 1
                bar.update(None, done)


def _spans_of(ready: Ready, value: Any, html: bool) -> list[dict[str, Any]] | None:
    """The spans of a cell; None where it holds no text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return None
    page = read_page(value, "text/html" if html else "text/plain")
    return rows(_tracked(ready, page))


def _rows(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a JSON-lines or Parquet table, one after the other."""
    with told(name):
        if name != "-" and format_of(name) is Format.PARQUET:
            parquet = need("bulk", "pyarrow.parquet")
            with parquet.ParquetFile(name) as file:
                for batch in file.iter_batches(1024):
                    yield from batch.to_pylist()
            return
        if name == "-":
            raw: Any = getattr(sys.stdin, "buffer", sys.stdin)
            yield from _objects(name, raw if hasattr(raw, "peek") else io.BufferedReader(raw))
            return
        with Path(name).open("rb") as file:
            yield from _objects(name, file)


def _objects(name: str, raw: Any) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(unpacked(raw)[0], 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise BadTable(f"'{shorten(name)}', line {number:,}: not a JSON object")
        yield row
