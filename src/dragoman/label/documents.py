"""Files, stdin and the answers in web archives become documents, and documents rows with their languages.

A file that cannot be read is told at once, and the rest goes on.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import BadTable, need, shorten
from dragoman.identifiers.text.charset_rule import CharsetRule
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import text_batch
from dragoman.label.judges import SCORES, LanguageJudge
from dragoman.label.pages import page_text
from dragoman.tables.packing import unpacked
from dragoman.tables.read import stdin
from dragoman.tables.source import reading
from dragoman.types import Page

_ARCHIVES = (".warc", ".warc.gz", ".warc.zst")
#: Documents that are judged together: enough to keep a method busy, few enough that rows come as they are ready.
_TOGETHER, _BYTES = 64, 1 << 22


@dataclass(frozen=True)
class RawDocument:
    """Bytes, where they came from, and what the server said about them."""

    source: str
    data: bytes
    content_type: str | None = None
    content_language: str | None = None
    url: str | None = None

    def page(self) -> Page:
        """The document, read."""
        return read_page(self.data, self.content_type, self.url, self.content_language)


def is_archive(name: str) -> bool:
    """True for the name of a WARC file.

    >>> is_archive("crawl.warc.gz"), is_archive("page.html.gz")
    (True, False)
    """
    return PurePath(name).name.lower().endswith(_ARCHIVES)


class Documents:
    """The documents of some inputs, in their order; `failures` are the inputs that could not be read.

    An input is a file (`-` is stdin), unpacked if it is packed, or a web archive, which has a document for each answer.
    `tell` gets a line about every failure when it happens.
    """

    def __init__(self, names: Sequence[str], content_type: str | None, tell: Callable[[str], None]) -> None:
        self.names, self.content_type, self.tell = names, content_type, tell
        self.failures: list[str] = []
        self.count = 0

    def __iter__(self) -> Iterator[RawDocument]:
        for name in self.names:
            try:
                for document in _answers(name) if is_archive(name) else [self._read(name)]:
                    self.count += 1
                    yield document
            except (OSError, BadTable) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                self.failures.append(name)
                self.tell(f"{shorten(name, 300)}: {shorten(reason, 500)}")

    def check_some(self) -> None:
        """BadTable if inputs could not be read and there was no document at all: then no file is to be left behind."""
        if not self.count:
            self.check()

    def check(self) -> None:
        """BadTable if some inputs could not be read."""
        if self.failures:
            raise BadTable(f"{len(self.failures):,} of {len(self.names):,} inputs could not be read")

    def _read(self, name: str) -> RawDocument:
        with reading(name):
            if name == "-":
                return RawDocument("-", unpacked(stdin())[0].read(), self.content_type)
            with Path(name).open("rb") as raw:
                data = unpacked(raw)[0].read()
        # A name may hold bytes that are no text; what is written must be.
        return RawDocument(os.fsencode(name).decode("utf-8", "replace"), data, self.content_type)


def _answers(name: str) -> Iterator[RawDocument]:
    """The HTTP answers in a WARC file, in their order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package warns of its own older parts
        warc = need("page", "fastwarc.warc")
    with reading(name), Path(name).open("rb") as raw:
        head = raw.read(5)
        raw.seek(0)
        if not head.startswith((b"WARC/", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
            raise BadTable(f"'{name}' is no web archive: it begins with {head!r}")
        for record in warc.ArchiveIterator(raw, record_types=warc.WarcRecordType.response, parse_http=True):
            headers = record.http_headers or {}
            address = record.headers.get("WARC-Target-URI")
            yield RawDocument(
                address or str(record.record_id),
                record.reader.read(),
                headers.get("Content-Type"),
                headers.get("Content-Language"),
                address,
            )


def document_columns(judge: LanguageJudge | CharsetRule) -> dict[str, str]:
    """The columns of the rows and their types, in the words of tables.rows."""
    columns = {
        "source": "string",
        LANGUAGE: "string",
        PROBABILITY: "float32",
        "declared": "string",
        "charset": "string",
    }
    return columns | ({SCORES: "json"} if isinstance(judge, LanguageJudge) and judge.top else {})


def document_rows(
    judge: LanguageJudge | CharsetRule, documents: Iterable[RawDocument], progress: Callable[[int], None]
) -> Iterator[tuple[Any, ...]]:
    """A row for every document; `progress` is told how many there were so far."""
    count = 0
    for batch in _together(documents):
        pages = [document.page() for document in batch]
        for document, page, answers in zip(batch, pages, _judged(judge, batch, pages), strict=True):
            yield document.source, *answers[:2], page.declared, page.charset, *answers[2:]
        count += len(pages)
        progress(count)


def _judged(
    judge: LanguageJudge | CharsetRule, batch: Sequence[RawDocument], pages: Sequence[Page]
) -> Iterator[tuple[Any, ...]]:
    """(language, probability) of each document, and its likeliest languages where they were asked for."""
    if isinstance(judge, CharsetRule):
        yield from ((judge.identify(document.data).language, None) for document in batch)
        return
    answers = judge.answers(text_batch([page_text(page) for page in pages]))
    for row, pair in enumerate(zip(answers.tags(), answers.columns().probabilities(), strict=True)):
        yield (*pair, answers.top(row, judge.top)) if judge.top else pair


def _together(documents: Iterable[RawDocument]) -> Iterator[list[RawDocument]]:
    batch: list[RawDocument] = []
    for document in documents:
        batch.append(document)
        if len(batch) >= _TOGETHER or sum(len(other.data) for other in batch) >= _BYTES:
            yield batch
            batch = []
    if batch:
        yield batch
