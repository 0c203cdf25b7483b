"""Files, stdin and the records of web archives become documents, and documents rows with their languages.

A file that cannot be read is told at once, and the rest goes on. An archive that is damaged or cut off gives all that
can be read of it, and a row with an `error` for every place that cannot.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import BadTable, shorten
from dragoman.identifiers.text.charset_rule import CharsetRule
from dragoman.identifiers.text.document import read_page
from dragoman.label.pages import PageJudge, SeenPage
from dragoman.tables.archives import MOST_BYTES, ArchiveRecord, DamagedPlace, is_archive, read_archive
from dragoman.tables.packing import unpacked
from dragoman.tables.read import stdin
from dragoman.tables.source import reading
from dragoman.types import Page

_ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
#: Resources with other addresses are a crawler's own notes.
_FETCHED = ("http:", "https:", "ftp:")
#: Documents that are judged together: enough to keep a method busy, few enough that rows come as they are ready.
_TOGETHER, _BYTES = 64, 1 << 22
#: What is read of a file that cannot be HTML; of any other MOST_BYTES, since markup takes memory.
MOST_TEXT = 1 << 25
#: Enough of a file to see in its packed bytes what it is.
_BUFFER = 1 << 18
#: What rows tell of a record beside the rest, where some input is an archive.
RECORD_COLUMNS = {"archive": "string", "offset": "int64", "record_id": "string", "date": "string", "error": "string"}


@dataclass(frozen=True)
class RawDocument:
    """Bytes, where they came from, and what the server said about them."""

    source: str
    data: bytes
    content_type: str | None = None
    content_language: str | None = None
    url: str | None = None
    #: Of a record in an archive: the values of RECORD_COLUMNS; an error is all that there is of what cannot be read.
    record: tuple[str | None, int | None, str | None, str | None, str | None] = (None,) * 5

    @property
    def error(self) -> str | None:
        """Why it could not be read."""
        return self.record[-1]

    def page(self) -> Page:
        """The document, read."""
        return read_page(self.data, self.content_type, self.url, self.content_language)


def is_archive_name(name: str) -> bool:
    """True for the name of a WARC or WET file, which is no table.

    >>> is_archive_name("crawl.warc.gz"), is_archive_name("page.html.gz")
    (True, False)
    """
    return PurePath(name).name.lower().endswith(_ARCHIVES)


class Documents:
    """The documents of some inputs, in their order; `failures` are the inputs that could not be read whole.

    An input is a file (`-` is stdin), unpacked if it is packed, or a web archive, known by its first bytes, which has a
    document for each answer (WARC) or text (WET). Of each document MOST_BYTES are read (MOST_TEXT of plain text);
    `cut` names longer ones. `tell` gets a line about every failure when it happens.
    """

    def __init__(self, names: Sequence[str], content_type: str | None, tell: Callable[[str], None]) -> None:
        self.names, self.content_type, self.tell = names, content_type, tell
        self.failures: dict[str, None] = {}
        self.cut: list[str] = []
        self.count = 0
        self._stdin: Any = None

    def __iter__(self) -> Iterator[RawDocument]:
        for name in self.names:
            try:
                yield from self._documents(name)
            except (OSError, BadTable) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                self._fail(name, reason)

    @property
    def archives(self) -> bool:
        """True if some input is a web archive."""
        for name in self.names:
            try:
                with self._opened(name) as raw:
                    if is_archive_name(name) or is_archive(raw):
                        return True
            except (OSError, BadTable):
                continue  # it is told when its turn comes
        return False

    def check_some(self) -> None:
        """BadTable if inputs could not be read and there was no document at all: then no file is to be left behind."""
        if not self.count:
            self.check()

    def check(self) -> None:
        """BadTable if some inputs could not be read whole."""
        if self.failures:
            whole = " whole" if self.count else ""
            raise BadTable(f"{len(self.failures):,} of {len(self.names):,} inputs could not be read{whole}")

    @contextmanager
    def _opened(self, name: str) -> Iterator[Any]:
        """The bytes of an input; what goes wrong with it becomes a BadTable that names it."""
        with reading(name):
            if name == "-":
                self._stdin = self._stdin or stdin()  # what was peeked at is in it
                yield self._stdin
                return
            with Path(name).open("rb", _BUFFER) as raw:
                yield raw

    def _fail(self, name: str, reason: str) -> None:
        self.failures[name] = None
        self.tell(f"{shorten(name, 300)}: {shorten(reason, 500)}")

    def _cut(self, source: str, most: int = MOST_BYTES) -> None:
        self.cut.append(source)
        self.tell(f"{shorten(source, 300)}: only its first {most >> 20} MB are read")

    def _documents(self, name: str) -> Iterator[RawDocument]:
        with self._opened(name) as raw:
            # A name may hold bytes that are no text; what is written must be.
            source = os.fsencode(name).decode("utf-8", "replace")
            if is_archive(raw) or is_archive_name(name):
                yield from self._of_archive(name, source, raw)
                return
            data = unpacked(raw)[0].read(MOST_TEXT + 1)
        most = MOST_BYTES if b"<" in data[:_BUFFER] else MOST_TEXT
        if len(data) > most:
            self._cut(name, most)
        self.count += 1
        yield RawDocument(source, data[:most], self.content_type)

    def _of_archive(self, name: str, source: str, raw: Any) -> Iterator[RawDocument]:
        sound = False
        for part in read_archive(raw):
            if isinstance(part, DamagedPlace):
                self._fail(name, str(part))
                yield RawDocument(source, b"", record=(source, part.offset, None, None, part.reason))
                continue
            sound = True
            if not _is_document(part):
                continue
            self.count += 1
            address = part.url or part.record_id or source
            if part.cut:
                self._cut(address)
            yield RawDocument(
                address,
                part.body,
                part.content_type,
                part.headers.get("content-language"),
                part.url,
                (source, part.offset, part.record_id, part.date, None),
            )
        if not sound:
            self._fail(name, "no web archive: there is no record in it")


def _is_document(record: ArchiveRecord) -> bool:
    """True for HTTP answers, texts that were made of them, and files that were fetched in another way."""
    if record.kind == "response":
        return record.status is not None
    return record.kind == "conversion" or (record.kind == "resource" and (record.url or "").startswith(_FETCHED))


def document_columns(judge: PageJudge | CharsetRule, archives: bool) -> dict[str, str]:
    """The columns of the rows and their types, in the words of tables.rows; more where there are `archives`."""
    columns = {
        "source": "string",
        LANGUAGE: "string",
        PROBABILITY: "float32",
        "declared": "string",
        "charset": "string",
    }
    more = dict.fromkeys(judge.names[2:], "json") if isinstance(judge, PageJudge) else {}
    return columns | more | (RECORD_COLUMNS if archives else {})


def document_rows(
    judge: PageJudge | CharsetRule,
    documents: Iterable[RawDocument],
    archives: bool,
    progress: Callable[[int], None],
) -> Iterator[tuple[Any, ...]]:
    """A row for every document, as `document_columns` has them; `progress` is told how many there were so far."""
    count = 0
    for batch in _together(documents):
        seen, declared = [], []
        for document in batch:
            page = document.page()  # read, and let go: a page takes many times the memory of its text
            seen.append(SeenPage.of(page))
            declared.append((page.declared, page.charset if document.error is None else None))
        for document, about, answers in zip(batch, declared, _judged(judge, batch, seen), strict=True):
            row = (document.source, *answers[:2], *about, *answers[2:])
            yield (*row, *document.record) if archives else row
        count += len(batch)
        progress(count)


def _judged(
    judge: PageJudge | CharsetRule, batch: Sequence[RawDocument], seen: Sequence[SeenPage]
) -> Iterator[tuple[Any, ...]]:
    """(language, probability) of each document, and what else was asked for."""
    if isinstance(judge, CharsetRule):
        yield from ((judge.identify(document.data).language, None) for document in batch)
        return
    columns = judge.columns(seen)
    yield from zip(columns.tags(), columns.probabilities(), *columns.extra.values(), strict=True)


def _together(documents: Iterable[RawDocument]) -> Iterator[list[RawDocument]]:
    batch: list[RawDocument] = []
    for document in documents:
        batch.append(document)
        if len(batch) >= _TOGETHER or sum(len(other.data) for other in batch) >= _BYTES:
            yield batch
            batch = []
    if batch:
        yield batch
