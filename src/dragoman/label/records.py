"""Records of web archives, chosen and written anew: as they are (WARC), or as the texts of their pages (WET)."""

from __future__ import annotations

import gzip
import io
import uuid
from collections.abc import Iterator, Sequence

from dragoman.identifiers.text.blocks import running_text
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text
from dragoman.languages import alpha3
from dragoman.tables.archives import ArchiveRecord, read_archive
from dragoman.types import Language

_MAGIC = b"\x1f\x8b"


def records_in(data: bytes) -> Iterator[ArchiveRecord]:
    """The records in some bytes of an archive; what cannot be read is left out."""
    for record in read_archive(io.BytesIO(data)):
        if isinstance(record, ArchiveRecord):
            yield record


def text_and_language(record: ArchiveRecord) -> tuple[str, Language | None]:
    """What a reader sees of a page, and its language; no text where the record is no page."""
    if record.kind == "conversion":
        text = record.body.decode("utf-8", "replace")
        return text, identify_text(text).language
    if record.kind not in ("response", "resource") or record.status not in (200, None):
        return "", None
    page = read_page(record.body, record.content_type, record.url, record.headers.get("content-language"))
    if not page.text:
        return "", None
    return page.text, identify_text(running_text(page).text).language


def as_wet(record: ArchiveRecord, text: str, language: Language | None) -> bytes:
    """A record with the text of a page, packed, as Common Crawl's WET files have it."""
    body = text.encode("utf-8", "replace")
    fields = {
        "WARC-Type": "conversion", "WARC-Target-URI": record.url, "WARC-Date": record.date,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{record.record_id} {record.url}')}>",
        "WARC-Refers-To": record.record_id,
        "WARC-Identified-Content-Language": alpha3(language) if language else None,
        "Content-Type": "text/plain", "Content-Length": str(len(body)),
    }  # fmt: skip
    head = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in fields.items() if value)
    return gzip.compress(f"WARC/1.0\r\n{head}\r\n".encode() + body + b"\r\n\r\n", 6, mtime=0)


def as_warc(data: bytes) -> bytes:
    """A record as it came, packed: as it was, if it is."""
    return data if data.startswith(_MAGIC) else gzip.compress(data, 6, mtime=0)


def is_wanted(language: Language | None, wanted: Sequence[Language]) -> bool:
    """Whether a page in this language is to be written; every one is, where nothing in particular is wanted."""
    return not wanted or language in wanted
