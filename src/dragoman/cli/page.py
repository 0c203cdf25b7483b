"""`dragoman page`: the language of documents, and of tables of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

import click

from dragoman.cli import complete, options
from dragoman.cli.inputs import check_files, note, tell
from dragoman.cli.progress import Bar
from dragoman.cli.show import show_documents
from dragoman.errors import UsageError, shorten
from dragoman.identifiers.text.charset_rule import CharsetRule
from dragoman.identifiers.text.identify import DEFAULT, document_method
from dragoman.label.documents import Documents, document_columns, document_rows, is_archive_name
from dragoman.label.file import label_file
from dragoman.label.inputs import is_stdout, output_format
from dragoman.label.pages import PageJudge, page_judge
from dragoman.tables.formats import Format, format_of
from dragoman.tables.output import check_kept, output
from dragoman.tables.rows import write_rows


@click.command()
@click.argument("inputs", nargs=-1, metavar="FILE... | -")
@options.written_format("Default: a table on a terminal, else JSON lines; a table file as it came in.")
@options.output_file
@click.option(
    "--column", metavar="NAME", help='The column of a table: HTML if it is named "html", else text.  [default: text]'
)
@options.chosen_languages()
@click.option(
    "--method",
    default=DEFAULT,
    show_default=True,
    metavar="NAME|PATH",
    help="See above.",
    shell_complete=complete.page_methods,
)
@click.option("--content-type", metavar="TYPE", help='What a server would say: "text/html; charset=tis-620".')
@options.threshold("Below this probability the language is null.")
@options.top_scores
@click.option("--shares", is_flag=True, help='Add the share of each language of the text as "languages".')
@click.option("--fused", is_flag=True, help='Add the answer of text, declarations, header and URL together as "fused".')
@click.option("--script", is_flag=True, help='Add the script as "script", and both as "written": "eng_Latn".')
@click.option("--outcome", is_flag=True, help='Add why there is no language as "outcome".')
@options.threads("For tables.")
@options.replace_columns
@options.input_format("document", "Default: by the name; what is no table is a document.")
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
    shares: bool,
    fused: bool,
    script: bool,
    outcome: bool,
    threads: int,
    replace: bool,
    input_format: str | None,
) -> None:
    """The language of documents, HTML or text, told from their running text.

    Menus, names of languages, choices, notices about cookies, commands and code hardly count.

    Every file is a document; a web archive (WARC or WET, packed or not, whatever its name) holds many, whose rows tell
    archive, offset, record_id and date too, and an error where it is damaged or cut off. A Parquet, CSV, TSV or
    JSON-lines table comes back with "language" and "probability" added to its columns, one document per row. .gz and
    .zst are unpacked. A file that cannot be read is told on stderr, and the rest goes on.

    Methods: default (the model that ships), any file of a model that reads text (dragoman train), heliport, py3langid,
    fasttext, lingua and pycld2 where they are installed, charset-rule (the META charset, else the text) and
    charset-rule-both (the two together).
    """
    check_files(inputs, "page")
    tables = [name for name in inputs if _is_table(name, input_format, column)]
    if tables and len(tables) < len(inputs):
        other = next(name for name in inputs if name not in tables)
        raise UsageError(f"'{shorten(tables[0])}' is a table and '{shorten(other)}' a document: run them one by one")
    rule = document_method(method)
    if rule is not None and (
        tables or languages or threshold is not None or top or shares or fused or script or outcome
    ):
        raise UsageError(
            f"'{method}' reads whole documents and has no probabilities: give files, and none of the options"
        )
    if not tables:
        check_kept(inputs, path)
        judge = rule or page_judge(
            method, languages, threshold, shares=shares, fused=fused, script=script, outcome=outcome, top=top or 0
        )
        _documents(judge, inputs, content_type, format_, path)
        return
    column = column or "text"
    html = column.lower() == "html" if content_type is None else "html" in content_type.lower()
    with Bar("pages") as bar:
        counts = label_file(
            tables, path or "-", column, holds="html" if html else "texts", model=method, languages=languages,
            threshold=threshold, top=top or 0, shares=shares, fused=fused, script=script, outcome=outcome,
            replace=replace, threads=threads, input_format=input_format, output_format=format_, progress=bar.update,
        )  # fmt: skip
    note(counts.notes())


def _is_table(name: str, input_format: str | None, column: str | None) -> bool:
    if input_format:
        return input_format != "document"
    if is_archive_name(name):
        return False
    return column is not None if name == "-" else format_of(name) is not None


def _documents(
    judge: PageJudge | CharsetRule,
    names: Sequence[str],
    content_type: str | None,
    format_: str | None,
    path: str | None,
) -> None:
    written = output_format(format_, path, None, table=True)
    documents = Documents(names, content_type, tell)
    to_terminal = is_stdout(path) and sys.stdout.isatty()
    with Bar("pages", wanted=not to_terminal) as bar, output(path) as stream:
        archives = documents.archives
        rows = document_rows(judge, documents, archives, lambda count: bar.update(None, count))
        if written is Format.TABLE:
            show_documents(rows, stream, more=judge.names[2:] if isinstance(judge, PageJudge) else ())
        else:
            write_rows(written, stream, document_columns(judge, archives), _flushed(rows, stream))
        documents.check_some()
    documents.check()


def _flushed(rows: Iterable[tuple[Any, ...]], stream: IO[bytes]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        yield row
        stream.flush()
