"""`dragoman sites`: lists of sites by language."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli import options
from dragoman.cli.inputs import note, urls_or_files
from dragoman.cli.progress import Bar
from dragoman.errors import UsageError
from dragoman.files import write_whole
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import open_url_model
from dragoman.label.judges import language_judge
from dragoman.languages import name
from dragoman.tables.formats import Format
from dragoman.tables.output import check_kept, output


@click.command(short_help="Lists of the sites, or parts of sites, that are in a language.")
@click.argument("inputs", nargs=-1, metavar="FILE | -")
@options.chosen_languages("Lists of these.  [default: of all that have a site]", "th,lo,...")
@click.option("-o", "--output", "path", metavar="FILE|DIR", help="A file for one language, a folder for several.")
@click.option("--least", type=click.IntRange(min=1), default=3, show_default=True, help="URLs that a site must have.")
@click.option(
    "--share", type=click.FloatRange(0, 1, min_open=True), default=0.8, show_default=True,
    help="Share of its URLs that must be in the language.",
)  # fmt: skip
@options.url_column
@options.url_model
@options.threshold("Below this probability a URL counts for no language.")
@options.threads("For large files.")
@options.input_format("text", "Default: by name.")
def sites(
    inputs: tuple[str, ...],
    languages: str | None,
    path: str | None,
    least: int,
    share: float,
    column: str,
    model_name: str,
    threshold: float | None,
    threads: int,
    input_format: str | None,
) -> None:
    """Lists of the sites that are in a language, by the addresses of their pages, to be read and corrected by people.

    A site is a host, or a first directory of one (https://example.org/th/) where only that is in the language. The
    lists have the form of Common Crawl's web-languages project, and `dragoman crawl --seeds` reads them.
    """
    from dragoman.label.site_lists import as_markdown, count_prefixes

    model = open_url_model(model_name)
    wanted = choice(model, languages or None) or ()
    if path is None and len(wanted) != 1:
        raise UsageError("Several lists need a folder: give -o DIR, or one language with --languages")
    judge = language_judge(model, None, threshold)
    sources = urls_or_files(inputs, Format(input_format) if input_format else None, (), False, column)
    check_kept(inputs, path)
    with Bar("URLs") as bar:
        counted, counts = count_prefixes(judge, sources, column, threads, bar.update)
    chosen = wanted or counted.languages(least, share)
    total = 0
    for language in chosen:
        listed = counted.of(language, least, share)
        total += len(listed)
        text = as_markdown(language, listed)
        if len(wanted) == 1:
            with output(path) as stream:
                stream.write(text.encode())
        else:
            write_whole(Path(str(path)) / f"{name(language).lower().replace(' ', '_')}.md", text)
    note([f"{_number(len(chosen), 'list')} with {_number(total, 'site')}", *counts.notes()])
    if not total:
        note([f"a site needs {_number(least, 'URL')}, {share:.0%} in the language: --least and --share ask for less"])


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
