"""`dragoman records`: records of web archives by an index, as WARC or WET."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dragoman.cli import complete
from dragoman.cli.inputs import check_files, note, tell
from dragoman.cli.progress import Bar
from dragoman.errors import BadTable, UsageError
from dragoman.files import new_file
from dragoman.tables.archives import ArchiveRecord
from dragoman.tables.output import check_kept


@click.command(short_help="Pages of web archives by their places in an index, as WARC or as text (WET).")
@click.argument("inputs", nargs=-1, metavar="INDEX|WARC...")
@click.option(
    "-o",
    "--output",
    "path",
    required=True,
    metavar="FILE",
    help="NAME.warc.gz: as they are; NAME.wet.gz: texts.",
)
@click.option(
    "--from", "base", default="", metavar="DIR|URL",
    help="Where the archives of an index are: a folder, or an address of http(s) before their names.",
)  # fmt: skip
@click.option(
    "--language", "languages", multiple=True, help="Only pages whose text is in it; repeatable, or a,b,c.",
    shell_complete=complete.languages,
)  # fmt: skip
def records(inputs: tuple[str, ...], path: str, base: str, languages: tuple[str, ...]) -> None:
    """The records that an index tells of, each by its range of bytes: a page costs kilobytes, not an archive.

    An index is a table with warc_filename, warc_record_offset and warc_record_length (Common Crawl's columnar index, or
    what `dragoman url` has left of it), or CDXJ. What is written is a web archive again, for `dragoman page`, `pairs`
    and `crawl --earlier`. A WARC instead of an index becomes WET. A record that cannot be read is told, and the rest
    goes on.
    """
    from dragoman.label.records import as_warc, as_wet, is_wanted, records_in, text_and_language
    from dragoman.languages import parse_list

    check_files(inputs, "records")
    wanted = parse_list(",".join(languages)) if languages else ()
    wet = path.endswith(".wet.gz")
    if not path.endswith((".warc.gz", ".wet.gz")):
        raise UsageError(f"Cannot write '{path}': end it in .warc.gz or .wet.gz")
    check_kept(inputs, path)
    asked = written = failures = 0
    with Bar("records") as bar, new_file(path) as stream:
        for item in _items(inputs, base, wet):
            asked += 1
            bar.update(None, asked)
            if isinstance(item, BadTable):
                failures += 1
                tell(str(item))
                continue
            for record in records_in(item) if isinstance(item, bytes) else (item,):
                text, language = text_and_language(record) if wet or wanted else ("", None)
                if not is_wanted(language, wanted) or (wet and not text):
                    continue
                written += 1
                stream.write(as_wet(record, text, language) if wet or not isinstance(item, bytes) else as_warc(item))
                if not wet:
                    break
        unread = BadTable(f"{failures:,} of {asked:,} records could not be read")
        if failures and failures == asked:  # what was there before stays
            raise unread
    note([f"{asked:,} records, {written:,} written"])
    if failures:
        raise unread


def _items(inputs: tuple[str, ...], base: str, wet: bool) -> Iterator[bytes | ArchiveRecord | BadTable]:
    """The bytes of each record of an index, the records of an archive, or why one cannot be read."""
    from pathlib import Path

    from dragoman.label.documents import is_archive_name
    from dragoman.tables.archives import DamagedPlace, read_archive
    from dragoman.tables.ranges import places, read_range
    from dragoman.tables.source import reading

    for name in inputs:
        if is_archive_name(name):
            if not wet:
                raise UsageError(f"'{name}' is an archive already: give an index, or write .wet.gz")
            with reading(name), Path(name).open("rb") as raw:
                for record in read_archive(raw):
                    yield BadTable(f"'{name}': {record}") if isinstance(record, DamagedPlace) else record
            continue
        for record_place in places(name):
            try:
                yield read_range(base, record_place)
            except BadTable as error:
                yield error
