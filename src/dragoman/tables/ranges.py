"""Records of web archives that lie somewhere else, each read by its range of bytes, as an index tells it.

An index (Common Crawl's columnar one, CDXJ, or any table) has for each page the name of an archive, where its record
begins and how long it is. So a page costs a request of some kilobytes, not an archive of a gigabyte.

>>> import tempfile
>>> from pathlib import Path
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "a.warc").write_bytes(b"0123456789")
>>> read_range(str(folder), RecordPlace("a.warc", 2, 3))
b'234'
"""

from __future__ import annotations

import csv
import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import BadTable, UnfitTable, need, shorten
from dragoman.files import file_system, is_remote
from dragoman.tables.formats import Format, format_of
from dragoman.tables.packing import unpacked
from dragoman.tables.source import reading

#: What indexes call the archive, the first byte of a record and its length: Common Crawl's columns, then CDXJ's.
NAMES = (("warc_filename", "warc_record_offset", "warc_record_length"), ("filename", "offset", "length"))
#: A record that claims to be longer is not asked for.
LONGEST = 1 << 28
_SECONDS = 60


@dataclass(frozen=True)
class RecordPlace:
    """Where a record is: the name of its archive, its first byte and its length."""

    archive: str
    offset: int
    length: int


def places(path: str) -> Iterator[RecordPlace]:
    """The places that an index tells, row by row: Parquet, CSV, TSV, JSON lines or CDXJ, packed or not."""
    with reading(path):
        format = format_of(path)
        rows = _parquet_rows(path) if format is Format.PARQUET else _text_rows(path, format)
        for number, row in enumerate(rows, 1):
            yield _record_place(path, number, row)


def _record_place(path: str, number: int, row: Mapping[str, Any]) -> RecordPlace:
    for names in NAMES:
        if all(name in row for name in names):
            archive, offset, length = (row[name] for name in names)
            break
    else:
        wanted = " or ".join(", ".join(names) for names in NAMES)
        raise UnfitTable(f"'{path}' has no columns {wanted}: give an index that says where records are")
    try:
        record = RecordPlace(str(archive), int(offset), int(length))
    except (TypeError, ValueError):
        raise BadTable(f"'{path}', row {number}: '{shorten(f'{offset}, {length}')}' are no numbers of bytes") from None
    if not (record.offset >= 0 and 0 < record.length <= LONGEST):
        raise BadTable(f"'{path}', row {number}: a record of {record.length:,} bytes at {record.offset:,} cannot be")
    return record


def _parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    pq = need("bulk", "pyarrow.parquet")
    table = pq.ParquetFile(path)
    there = set(table.schema_arrow.names)
    wanted = next((list(names) for names in NAMES if there.issuperset(names)), [])
    if not wanted:
        yield {}
        return
    for batch in table.iter_batches(columns=wanted):
        yield from batch.to_pylist()


def _text_rows(path: str, format: Format | None) -> Iterator[dict[str, Any]]:
    with Path(path).open("rb") as raw:
        lines = (line.decode("utf-8", "replace") for line in unpacked(raw)[0])
        if format in (Format.CSV, Format.TSV):
            yield from csv.DictReader(lines, delimiter="\t" if format is Format.TSV else ",")
            return
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:  # in CDXJ the key and the time stand before the object
                row = json.loads(line[line.index("{") :])
            except (ValueError, RecursionError):
                raise BadTable(f"'{path}', line {number}: there is no JSON object in it") from None
            yield row if isinstance(row, dict) else {}


def read_range(base: str, record: RecordPlace) -> bytes:
    """The bytes of a record: of a file below a folder `base`, or of http(s), or of what fsspec reaches."""
    name = f"{base.rstrip('/')}/{record.archive}" if base else record.archive
    end = record.offset + record.length
    if name.startswith(("http://", "https://")):
        data = _over_http(name, record)
    elif is_remote(name):
        with reading(name):
            system, inner = file_system(name)
            data = bytes(system.cat_file(inner, record.offset, end))
    else:
        with reading(name), Path(name).open("rb") as stream:
            stream.seek(record.offset)
            data = stream.read(record.length)
    if len(data) != record.length:
        there = f"{len(data):,} bytes at {record.offset:,}, not {record.length:,}"
        raise BadTable(f"'{name}' has {there}: is this its index?")
    return data


def _over_http(url: str, record: RecordPlace) -> bytes:
    wanted = f"bytes={record.offset}-{record.offset + record.length - 1}"
    request = urllib.request.Request(url, headers={"Range": wanted, "User-Agent": "dragoman"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
            if answer.status != 206:
                raise BadTable(f"'{url}' does not answer for a range of bytes (status {answer.status})")
            return bytes(answer.read(record.length + 1))
    except urllib.error.HTTPError as error:
        raise BadTable(f"'{url}' answers with status {error.code} ({error.reason})") from None
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise BadTable(f"Cannot read '{url}': {shorten(str(reason))}") from None
