"""`dragoman url`: the language of URLs from arguments, files and stdin."""

from __future__ import annotations

import sys

import click
from click.core import ParameterSource

from dragoman.cli import complete, options
from dragoman.cli.inputs import note, urls_or_files
from dragoman.cli.progress import Bar
from dragoman.cli.show import TableWriter, show_sites
from dragoman.errors import UsageError
from dragoman.identifiers.models import open_url_model
from dragoman.label.inputs import formats_of, is_stdout, loses_columns, output_format
from dragoman.label.judges import language_judge
from dragoman.label.pipeline import label_rows, row_writer
from dragoman.tables.formats import Format
from dragoman.tables.output import check_kept, output


@click.command()
@click.argument("inputs", nargs=-1, metavar="URL... | FILE | -")
@options.written_format("Default: a table on a terminal; else a table file as it came in, and JSON lines for URLs.")
@options.output_file
@options.url_column
@options.chosen_languages()
@click.option(
    "--language", metavar="TAG", help="Ask for one language only: is it this one?", shell_complete=complete.languages
)
@click.option(
    "--precision", type=float, metavar="P", help='With --language: "wanted" is true where at least P of the yes hold.'
)
@click.option(
    "--recall", type=float, metavar="R", help="With --language: the same, so that at least R of the language are found."
)
@options.url_model
@options.threshold("Below this probability the language is null; 0 answers always. Default: the model's own.")
@options.top_scores
@click.option(
    "--explain",
    is_flag=True,
    help='Add what spoke for and against the likeliest languages (K with --top K, else 3) as "contributions".',
)
@click.option(
    "--script",
    is_flag=True,
    help='Add the script as "script", and both as "written": "srp_Latn". What the URL shows, else what is usual.',
)
@click.option("--by-site", "sites", is_flag=True, help="One row per host instead: how many URLs, which languages.")
@click.option(
    "--folders", is_flag=True, help="With --by-site: one row per host and first folder (example.org/catalan/)."
)
@options.threads("For large files.")
@options.replace_columns
@options.input_format(
    "text", "Default: by the name; else by the first line: JSON lines, a header with the column, or text."
)
def url(
    inputs: tuple[str, ...],
    format_: str | None,
    path: str | None,
    column: str,
    languages: str | None,
    language: str | None,
    precision: float | None,
    recall: float | None,
    model_name: str,
    threshold: float | None,
    top: int | None,
    explain: bool,
    script: bool,
    sites: bool,
    folders: bool,
    threads: int,
    replace: bool,
    input_format: str | None,
) -> None:
    """The language of each URL, told from the URL alone.

    Inputs are URLs, files and - (stdin), mixed as you like; without any, what is piped in is read. A Parquet, CSV, TSV
    or JSON-lines file comes back with "language" and "probability" added to its columns; any other file is text with
    one URL per line. A row that cannot be read gets no language, is counted, and the rest goes on.
    """
    if sites and (top or explain or script):
        raise UsageError("--by-site has one row per host, not per URL: leave out --top, --explain and --script")
    if folders and not sites:
        raise UsageError("--folders is for --by-site: give both")
    judge = language_judge(
        open_url_model(model_name), languages, threshold, language=language, precision=precision, recall=recall,
        top=top or 0, explain=explain, script=script,
    )  # fmt: skip
    stated = Format(input_format) if input_format else None
    sources = urls_or_files(inputs, stated, () if sites else judge.names, replace, column)
    formats, shared = formats_of(sources)
    asked = click.get_current_context().get_parameter_source("column") is not ParameterSource.DEFAULT
    if asked and formats == {Format.TEXT}:
        raise UsageError("--column is for tables, and this was taken for text: say --input-format csv, tsv or jsonl")
    written = output_format(format_, path, None if sites else shared, table=True)
    if sites or formats == {Format.TEXT}:
        check_kept(inputs, path)
    # What is known before the first row comes first: a reader that has enough (`| head`) must have seen it.
    note([judge.point.sentence()] if judge.point else [])
    to_terminal = is_stdout(path) and sys.stdout.isatty()
    with Bar("URLs", wanted=not to_terminal) as bar, output(path) as stream:
        if sites:
            from dragoman.label.by_site import count_sites, write_sites

            counted, counts = count_sites(judge, sources, column, threads, bar.update, folders)
            if written is Format.TABLE:
                show_sites(counted, stream)
            else:
                write_sites(counted, written, stream)
        else:
            out = TableWriter(stream) if written is Format.TABLE else row_writer(sources, written, stream)
            counts = label_rows(judge, sources, column, out, threads, bar.update)
    if not sites and loses_columns(sources, written):
        note(["only the URLs, languages and probabilities are written: the rows do not share their columns"])
    note(counts.notes())
