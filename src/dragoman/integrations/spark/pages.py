"""Pages and their languages as data frames of `url` and `language`: from an index, archives, and earlier crawls.

What reads archives reads them in the executors' Python processes, each file in a task: they must lie where Python opens
them on every executor, on a disk that all see or where fsspec reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import IO, Any

from dragoman.columns import LANGUAGE
from dragoman.errors import UsageError
from dragoman.files import file_system, local_path
from dragoman.integrations.spark.crawls import merge_catalogues
from dragoman.label.records import text_and_language
from dragoman.tables.archives import ArchiveRecord, read_archive
from dragoman.tables.labelled.columnar_index import LANGUAGES, STATUS, URL, is_index
from dragoman.tables.parquet.folders import Folder
from dragoman.types import Language
from dragoman.web.importers import pages_of

_KIND, _HTML = "content_mime_detected", ("text/html", "application/xhtml+xml")
_ENDINGS = tuple(f".{kind}{packed}" for kind in ("warc", "wet", "wat") for packed in ("", ".gz", ".zst"))
#: Rows of an Arrow batch.
_ROWS = 10_000

Reader = Callable[[IO[bytes]], Iterator[tuple[str, Language | None]]]


def index_pages(spark: Any, *paths: str) -> Any:
    """The pages of Common Crawl's columnar index, `url` and `language`: fetched with status 200, and HTML.

    Paths are Parquet files or folders, as Spark names them. The language is the first of `content_languages`, as the
    index writes it (`tha`); null where it has none.
    """
    df = spark.read.parquet(*paths)
    if not is_index(df.columns):
        raise UsageError(
            f"'{paths[0]}' has no columns '{URL}' and '{LANGUAGES}': give Common Crawl's columnar index; its columns: "
            f"{', '.join(df.columns)}"
        )
    if STATUS in df.columns:
        df = df.where(df[STATUS] == 200)
    if _KIND in df.columns:
        df = df.where(df[_KIND].isin(*_HTML))
    return df.selectExpr(URL, f"nullif(substring_index({LANGUAGES}, ',', 1), '') AS {LANGUAGE}")


def crawl_pages(spark: Any, *folders: str) -> Any:
    """The pages of crawl folders, `url` and `language`: each once, as `merge_catalogues` has it."""
    merged = merge_catalogues(spark, *folders)
    return merged.where("reason IS NULL").selectExpr(f"final_url AS {URL}", LANGUAGE)


def archive_pages(spark: Any, *paths: str) -> Any:
    """The pages of web archives (WARC, WET), `url` and `language`, by their texts as `dragoman records` tells it.

    Paths are archives, or folders of such. Answers other than 200 and what is no text are left out, and what cannot be
    read of a damaged archive.
    """
    return _read(spark, paths, _pages)


def archive_links(spark: Any, *paths: str) -> Any:
    """The addresses, each once, to which the pages of web archives link (WAT or WARC): `url`, for `identify`.

    A WAT file has no texts. What it tells of languages are the addresses of its links.
    """
    return _read(spark, paths, _links).select(URL).distinct()


def _pages(stream: IO[bytes]) -> Iterator[tuple[str, Language | None]]:
    for record in read_archive(stream):
        if isinstance(record, ArchiveRecord) and record.url and not record.url.endswith("/robots.txt"):
            # what hostile pages do to parsers costs this page only
            with suppress(ValueError, ArithmeticError, LookupError, RecursionError):
                text, language = text_and_language(record)
                if text:
                    yield record.url, language


def _links(stream: IO[bytes]) -> Iterator[tuple[str, Language | None]]:
    return ((link, None) for _, _, _, links in pages_of(stream) for link in links)


def _read(spark: Any, paths: Iterable[str], read: Reader) -> Any:
    """A data frame of what `read` finds in each archive, one in each task."""
    names = [name for path in paths for name in _archives(path)]
    if not names:
        raise UsageError("There is no archive to read: give a WARC, WET or WAT file, or a folder of such")

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for number in (number for batch in batches for number in batch.column(0).to_pylist()):
            with _opened(names[number]) as stream:
                pairs = read(stream)
                while part := list(islice(pairs, _ROWS)):
                    urls = pa.array([url.encode("utf-8", "replace") for url, _ in part], pa.string())
                    languages = pa.array([language for _, language in part], pa.string())
                    yield pa.RecordBatch.from_arrays([urls, languages], names=[URL, LANGUAGE])

    return spark.range(0, len(names), 1, len(names)).mapInArrow(rows, f"{URL} string, {LANGUAGE} string")


def _opened(name: str) -> IO[bytes]:
    if (here := local_path(name)) is not None:
        return here.open("rb")
    system, inner = file_system(name)
    stream: IO[bytes] = system.open(inner, "rb")
    return stream


def _archives(path: str) -> list[str]:
    """An archive by its path, or those below a folder; by whole paths, since executors may run in other folders."""
    if (here := local_path(path)) is not None:
        path = str(here.absolute())
    folder, _, name = path.rpartition("/")
    if name.lower().endswith(_ENDINGS) and Folder(folder or "/").is_file(name):
        return [path]
    inside = [f"{path.rstrip('/')}/{file}" for file in Folder(path).files() if file.lower().endswith(_ENDINGS)]
    if not inside:
        raise UsageError(f"'{path}' has no web archives: give a WARC, WET or WAT file, or a folder of such")
    return inside
