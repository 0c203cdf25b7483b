"""`dragoman pairs`: pages of web archives that are translations of each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from dragoman.cli import options
from dragoman.cli.inputs import note, tell
from dragoman.cli.progress import Bar
from dragoman.errors import BadTable, UsageError
from dragoman.tables.archives import ArchiveRecord, read_archive
from dragoman.tables.output import check_kept, output
from dragoman.tables.source import reading
from dragoman.web.translations import TranslatedPage, Translations


@click.command(short_help="Pages that are translations of each other, from a crawl or web archives.")
@click.argument("inputs", nargs=-1, required=True, type=options.PATH, metavar="WARC|DIR...")
@options.output_file
@options.chosen_languages("Pairs of these only, the first on the left.", "en,th,...")
def pairs(inputs: tuple[Path, ...], path: str | None, languages: str | None) -> None:
    """Pages that are translations of each other, as JSON lines: both addresses, both languages, what says so.

    Inputs are web archives (WARC, packed or not) and folders of `dragoman crawl`. Pages belong together where one names
    the other (hreflang), or where their addresses differ by a language's code alone (path: /en/x and /th/x, or /x).
    Both must have been fetched, and the text of each must be in the language that this says.
    """
    from dragoman.languages import parse_list

    wanted = parse_list(languages) if languages else ()
    if len(wanted) == 1:
        two = f"{wanted[0]},{'de' if wanted[0] == 'en' else 'en'}"
        raise UsageError(f"A pair needs two languages or more, not only '{wanted[0]}': give --languages {two}")
    translations = Translations()
    damaged = 0
    with Bar("pages") as bar:
        for file in _archives(inputs):
            check_kept([file], path)
            for page in _pages(file):
                if page is None:
                    damaged += 1
                else:
                    translations.add(page)
                    bar.update(None, len(translations))
    count = 0
    with output(path) as stream:
        for count, pair in enumerate(translations.pairs(wanted), 1):  # noqa: B007
            stream.write(json.dumps(pair.row(), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    pages = len(translations)
    note([f"{pages:,} page{'s' * (pages != 1)}, {count:,} pair{'s' * (count != 1)}"])
    if damaged:
        tell(f"note: {damaged:,} place{'s' * (damaged != 1)} of the archives could not be read")


def _archives(inputs: tuple[Path, ...]) -> Iterator[Path]:
    from dragoman.crawl.live.earlier.archives import files_of

    for given in inputs:
        for file in files_of(given):
            if ".warc" not in file.name.lower():
                raise UsageError(f"'{given}' has no WARC files, and pairs are told from pages: give some")
            yield file


def _pages(file: Path) -> Iterator[TranslatedPage | None]:
    """The pages of an archive whose language can be told; None for a place that cannot be read."""
    from dragoman.identifiers.text.blocks import running_text
    from dragoman.identifiers.text.document import read_page
    from dragoman.identifiers.text.identify import identify_text

    with reading(str(file)), file.open("rb") as stream:
        records = 0
        for record in read_archive(stream):
            if not isinstance(record, ArchiveRecord):
                yield None
                continue
            records += 1
            if record.kind != "response" or record.status != 200 or not (record.url or "").startswith("http"):
                continue
            page = read_page(record.body, record.content_type, record.url, record.headers.get("content-language"))
            language = identify_text(running_text(page).text).language if page.kind == "html" else None
            if language is not None and record.url:
                yield TranslatedPage(record.url, language, page.alternates, file.name, record.offset)
        if not records:
            raise BadTable(f"'{file}' holds no records of a web archive")
