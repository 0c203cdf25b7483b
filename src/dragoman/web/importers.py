"""Graphs from what others have: JSON lines of pages, edge lists, and web archives (WARC, WAT)."""

from __future__ import annotations

import bz2
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from dragoman.errors import BadGraph, UsageError, shorten
from dragoman.tables.archives import ArchiveRecord, read_archive
from dragoman.web.addresses import plain_spelling
from dragoman.web.building import UNKNOWN_LENGTH, Building
from dragoman.web.graph import Graph

#: A weight of an edge list is a number of links, at most this.
MOST_TIMES = 10_000
#: Text beyond this is not read to tell a page's language.
MOST_TEXT = 20_000

Identify = Callable[[str], str | None]


def from_jsonl(lines: Iterable[str], name: str = "the lines") -> Graph:
    """A graph of pages: {"url": ..., "language": ... or null, "links": [...], "length": ..., "seed": true}.

    `length` is the number of characters of text; `text` may be given instead; without both it is 1000. `seed` marks
    where crawls begin; the first page where nobody is marked. URLs that only links name were only seen.

    >>> graph = from_jsonl(['{"url": "http://a.th/", "language": "th", "links": ["http://a.th/b", "http://c.com/"]}'])
    >>> len(graph), graph.links, graph.fetched.tolist()
    (3, 2, [True, False, False])
    """
    building = Building()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            url, links = row["url"], row.get("links") or []
            language = row.get("language")
            if not isinstance(url, str) or not url.strip() or not isinstance(language, str | None):
                raise TypeError
            if not isinstance(links, list) or not all(isinstance(link, str) for link in links):
                raise TypeError
            text = row.get("text")
            length = len(text) if isinstance(text, str) else int(row.get("length", UNKNOWN_LENGTH))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadGraph(
                f"Line {number} of {name} is no page: needed is "
                f'{{"url": "...", "language": "..." or null, "links": ["..."]}}, found {shorten(line)}'
            ) from error
        try:
            page = building.page(url, language, length, links)
        except BadGraph as error:
            raise BadGraph(f"Line {number} of {name}: {error}") from error
        if row.get("seed"):
            building.seeds.append(page)
    return building.graph()


def from_edges(lines: Iterable[str], name: str = "the lines", *, weights: bool = False) -> Graph:
    """A graph of an edge list: `source TAB end` and perhaps a weight; lines that begin with # are left out.

    Host graphs of web archives, `year|source|end TAB weight`, are understood too. With `weights` a link is there as
    often as its weight says, else once. Languages are not known; label the vertices by their URLs.

    >>> graph = from_edges(["a.uk\\tb.uk", "1996|b.uk|c.uk\\t3"], weights=True)
    >>> len(graph), graph.links
    (3, 4)
    """
    building = Building()
    there: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if "|" in fields[0] and fields[0].count("|") == 2:
            fields = [*fields[0].split("|")[1:], *fields[1:]]
        times = 1
        try:
            source, end = fields[0].strip(), fields[1].strip()
            if weights and len(fields) > 2:
                times = int(fields[2])
            if not source or not end or not times >= 0 or len(fields) > 4:
                raise ValueError
        except (ValueError, IndexError) as error:
            raise BadGraph(
                f"Line {number} of {name} is no link: needed is 'source TAB end' or 'source TAB end TAB weight', "
                f"found {shorten(line)}"
            ) from error
        if (source, end) not in there or weights:
            there.add((source, end))
            building.link(source, end, min(times, MOST_TIMES))
    return building.graph()


def from_archives(streams: Iterable[IO[bytes]], identify: Identify | None = None) -> Graph:
    """A graph of web archives: WARC responses are read as pages, WAT records give links that somebody extracted.

    `identify` tells the language of a page's text; without it, and for WAT records, which have no text, only what
    a page declares is known. A record that cannot be read is left out, and the second of two pages with one URL too.
    """
    building = Building()
    taken: set[str] = set()
    for stream in streams:
        for url, language, length, links in pages_of(stream, identify):
            if (name := plain_spelling(url)) not in taken:
                taken.add(name)
                building.page(url, language, length, links)
    return building.graph()


def pages_of(stream: IO[bytes], identify: Identify | None = None) -> Iterator[tuple[str, str | None, int, list[str]]]:
    """(URL, language, length, links) of the pages of an archive, as `from_archives` reads them."""
    for record in read_archive(stream):
        if not isinstance(record, ArchiveRecord) or not (record.url or "").startswith(("http://", "https://")):
            continue
        assert record.url is not None
        if record.kind == "metadata":
            links = _extracted(record.body)
            if links is not None:
                yield record.url, None, UNKNOWN_LENGTH, links
        elif record.kind == "response" and record.status == 200:
            yield _page(record, record.url, identify)


def _page(record: ArchiveRecord, url: str, identify: Identify | None) -> tuple[str, str | None, int, list[str]]:
    from dragoman.identifiers.text.blocks import running_text
    from dragoman.identifiers.text.document import read_page

    page = read_page(record.body, record.content_type, url, record.headers.get("content-language"))
    language = identify(running_text(page).text[:MOST_TEXT]) if identify and page.text else page.declared
    return url, language, len(page.text), [link.url for link in page.links if link.url.startswith("http")]


def _extracted(data: bytes) -> list[str] | None:
    """The links of a WAT record's HTML; None where it is about something else."""
    try:
        at: Any = json.loads(data)
        for key in ("Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata"):
            at = at[key]
        rows = at.get("Links") or []
        return [row["url"] for row in rows if str(row.get("url", "")).startswith(("http://", "https://"))]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def open_text(path: Path) -> IO[str]:
    """A text file, unpacked if its name ends in .gz or .bz2; bytes that are no UTF-8 are replaced."""
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path), encoding="utf-8", errors="replace")
    if path.suffix == ".bz2":
        return io.TextIOWrapper(bz2.open(path), encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8", errors="replace")


def import_graph(path: Path, *, weights: bool = False, identify: Identify | None = None) -> Graph:
    """The graph in any file that is understood, told by its name: see `KINDS`."""
    from dragoman.web.graph_file import SUFFIXES, read_graph

    name = path.name.lower().removesuffix(".gz").removesuffix(".bz2")
    if name.endswith(SUFFIXES):
        return read_graph(path)
    if name.endswith((".warc", ".wat")):
        with path.open("rb") as stream:
            return from_archives([stream], identify)
    if not path.is_file():
        raise FileNotFoundError(2, "A folder, not a file" if path.is_dir() else "No such file", str(path))
    if name.endswith((".jsonl", ".ndjson")):
        with open_text(path) as lines:
            return from_jsonl(lines, f"'{path.name}'")
    if name.endswith((".tsv", ".txt", ".edges")):
        with open_text(path) as lines:
            return from_edges(lines, f"'{path.name}'", weights=weights)
    raise UsageError(f"'{path.name}' is no kind of graph that is known by its name; known are {KINDS}")


KINDS = ".arrow, .parquet, .jsonl (pages), .tsv (links), .warc and .wat, packed (.gz) or not"
