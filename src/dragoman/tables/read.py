"""Files, stdin and arguments become pieces of rows; nothing that stands in a row raises, and no row moves another.

What each format does with a bad row:

- text: every line is a row, whatever its bytes; an empty line is an empty URL. A byte order mark at the start and a
  carriage return at the end of a line are cut off.
- JSON lines: a line that is no object, or lacks the column, or holds something else than text there, is a row with an
  error. A URL that is null is a row without an answer.
- CSV, TSV: see dragoman.tables.delimited. CSV may have semicolons instead of commas, and keeps them.
- Parquet: a null is a row without an answer. Bytes that are not UTF-8 are read as they are; see
  dragoman.tables.legible for how they are written.

What begins with the mark of UTF-16, as spreadsheets write it, is read as UTF-8 from there on.

A file that cannot be used as a whole (no such column, cut off, not what its name says) is a BadTable.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import BadTable, UnfitTable, need, shorten
from dragoman.tables.delimited import DelimitedRows, scan
from dragoman.tables.formats import DELIMITERS, Format, delimiter_of, format_of, sniff
from dragoman.tables.packing import unpacked
from dragoman.tables.parquet.reading import check_schema, not_parquet, read_parquet
from dragoman.tables.pieces import Lines, RowPiece
from dragoman.tables.source import NEW_COLUMNS, Source, nearest_column, reading

BLOCK = 1 << 21
_MARK = b"\xef\xbb\xbf"
_MARKS_OF_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEAD = 1 << 12


def open_source(
    name: str,
    format: Format | None = None,
    new_columns: Sequence[str] = NEW_COLUMNS,
    replace: bool = False,
    column: str | None = None,
) -> Source:
    """The source of this name (`-` is stdin), with the format found out; a file is not kept open.

    Where the name tells no format, a first line with the name of the `column` in it is taken for a header.
    """
    if name == "-":
        return _flow("stdin", stdin(), format, new_columns, replace, column)
    format = format or format_of(name)
    with reading(name):
        if Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir():
            # A pipe with a name can be opened only once: what has been read is gone.
            return _flow(name, Path(name).open("rb"), format, new_columns, replace, column)
    with _readable(name) as (plain, _):
        head = plain.read(_HEAD)
    size = Path(name).stat().st_size
    return _source(name, format, head, column, size=size, new_columns=new_columns, replace=replace)


def _source(name: str, format: Format | None, head: bytes, column: str | None, **others: Any) -> Source:
    """A source whose format is told, or seen in its first bytes."""
    source = Source(name, format or sniff(head, column), **others)
    if source.format is Format.TEXT and head.startswith(b"WARC/"):
        raise UnfitTable(f"'{name}' is a web archive and no table: 'dragoman page' and 'dragoman links' read its pages")
    if source.format is Format.TEXT and re.match(rb'\s*\[\s*[{"\]]', head.removeprefix(_MARK)):
        raise UnfitTable(
            f"'{name}' is an array of JSON: JSON lines are read, an object on each (jq -c '.[]' FILE > FILE.jsonl)"
        )
    if source.format is Format.TEXT and b"\0" in head:
        source.remark = f"'{name}' does not look like text: its lines were taken for URLs"
    elif source.format is Format.TEXT and re.match(rb"\s*<(!doctype|html|head|body|\?xml)\b", head, re.IGNORECASE):
        source.remark = f"'{name}' looks like a page: its lines were taken for URLs ('dragoman page' reads pages)"
    return source


def stdin() -> Any:
    """The bytes of stdin, the first of which can be peeked at."""
    raw: Any = getattr(sys.stdin, "buffer", sys.stdin)
    return raw if hasattr(raw, "peek") else io.BufferedReader(raw)


def _flow(
    name: str, raw: Any, format: Format | None, new_columns: Sequence[str], replace: bool, column: str | None
) -> Source:
    """A source that can be read only once, from its start."""
    with reading(name):
        stream = _utf8(unpacked(raw)[0])
        head = stream.peek(_HEAD)
    return _source(name, format, head, column, stream=stream, new_columns=new_columns, replace=replace)


@contextmanager
def _readable(name: str) -> Iterator[tuple[Any, Callable[[], int]]]:
    """(stream, place): the bytes of a file, unpacked if it is packed; what goes wrong becomes a BadTable."""
    with reading(name), Path(name).open("rb") as raw:
        stream, position = unpacked(raw)
        yield _utf8(stream), position


def _utf8(stream: Any) -> Any:
    """A buffered stream of bytes, in UTF-8 where they came with the mark of UTF-16."""
    return io.BufferedReader(_FromUtf16(stream)) if stream.peek(2).startswith(_MARKS_OF_UTF16) else stream


class _FromUtf16(io.RawIOBase):
    """A stream of UTF-16 as UTF-8; what is no character there is a question mark."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.waiting = stream, b""
        self.decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes."""
        while not self.waiting and (block := self.stream.read1(len(buffer))):
            self.waiting = self.decoder.decode(block).encode()
        part = self.waiting[: len(buffer)] or self.decoder.decode(b"", True).encode()
        buffer[: len(part)], self.waiting = part, self.waiting[len(part) :]
        return len(part)


def check_columns(source: Source, column: str) -> None:
    """BadTable if a file cannot be labelled, as far as its columns tell; what can be read only once is not touched."""
    if source.stream is not None:
        return
    if source.format is Format.PARQUET:
        pa = need("bulk", "pyarrow")
        with reading(source.name):
            try:
                check_schema(source, need("bulk", "pyarrow.parquet").read_schema(source.name), column)
            except pa.ArrowInvalid as error:
                raise not_parquet(source.name, error) from error
    else:
        next(pieces(source, column))


def pieces(source: Source, column: str = "url") -> Iterator[RowPiece]:
    """The rows of a source, piece by piece; at least one piece, which may have no row."""
    if source.format is Format.PARQUET:
        yield from read_parquet(source, column)
    elif source.stream is not None:
        with reading(source.name):
            yield from _read(source, column, getattr(source.stream, "read1", source.stream.read), lambda: 0)
    else:
        with _readable(source.name) as (stream, position):
            yield from _read(source, column, stream.read, position)


def _read(source: Source, column: str, read: Any, position: Callable[[], int]) -> Iterator[RowPiece]:
    def blocks() -> Iterator[bytes]:
        while block := read(BLOCK):
            source.position = position()
            yield block

    if source.format in DELIMITERS:
        yield from _delimited(source, blocks(), column)
        return
    empty, line = True, 1
    for lines in _lines(blocks()):
        empty = False
        yield Lines(lines) if source.format is Format.TEXT else _objects(source, lines, column, line)
        line += len(lines)
    if empty:
        yield Lines([], objects=[] if source.format is Format.JSONL else None, column=column)


def _lines(blocks: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Lines without their ends, some at a time; a last line without an end is a line too."""
    rest: list[bytes] = []
    start = True
    for block in blocks:
        rest.append(block)
        if b"\n" not in block:
            continue
        lines = b"".join(rest).split(b"\n")
        rest = [lines.pop()]
        if start:
            lines[0] = lines[0].removeprefix(_MARK)
            start = False
        yield [line.removesuffix(b"\r") for line in lines]
    if last := b"".join(rest):
        yield [(last.removeprefix(_MARK) if start else last).removesuffix(b"\r")]


def _objects(source: Source, lines: list[bytes], column: str, first: int) -> Lines:
    """Lines of JSON, read as far as needed: the URL or text, and whether the line is what it should be."""
    values: list[bytes] = []
    objects: list[bytes | None] = []
    errors: dict[int, str] = {}
    missing: set[int] = set()
    for row, line in enumerate(lines):
        value, text = b"", None
        try:
            fields = json.loads(line.decode())
            if not isinstance(fields, dict):
                raise ValueError("is not a JSON object")
            text = line.strip()
            if clash := source.clashes(tuple(fields), column):
                text = json.dumps({name: field for name, field in fields.items() if name not in clash}).encode()
            if column not in fields:
                near = nearest_column(column, tuple(fields))
                known = f"did you mean '{near}'?" if near else f"it has {shorten(', '.join(fields))}" if fields else ""
                raise ValueError(f"has no '{column}'" + (f" ({known})" if known else ""))
            if fields[column] is None:
                missing.add(row)
            elif not isinstance(fields[column], str):
                raise ValueError(f"has a '{column}' that is not text")
            else:
                value = fields[column].encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError) as error:
            errors[row] = f"line {first + row} {_reason(error, line)}"
        values.append(value)
        objects.append(text)
    return Lines(values, errors, objects, column, missing)


def _reason(error: Exception, line: bytes) -> str:
    if not line.strip():
        return "is empty"
    if isinstance(error, UnicodeDecodeError):
        return "is not valid UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
    return str(error)


def _delimited(source: Source, blocks: Iterator[bytes], column: str) -> Iterator[DelimitedRows]:
    delimiter = DELIMITERS[source.format]
    header: DelimitedRows | None = None
    drop: set[int] = set()
    top = b""
    rest, line, mark = b"", 1, b""
    waiting, size, fruitless = [rest], 0, 0
    for block, final in _with_last(blocks):
        waiting.append(block)
        size += len(block)
        # A very long record is not looked at anew with every block that it takes: only when twice as much is there.
        if not final and (b"\n" not in block or BLOCK < size < 2 * fruitless):
            continue
        rest = b"".join(waiting)
        if header is None and rest.startswith(_MARK):
            rest, mark = rest.removeprefix(_MARK), _MARK
        if header is None:
            delimiter = delimiter_of(rest, source.format, column)
        if final and rest and not rest.endswith(b"\n"):
            rest += b"\n"
        marks, ends, cut, unclosed = scan(rest, delimiter, final)
        waiting, size, fruitless = [rest], len(rest), 0 if cut else len(rest)
        if header is None:
            header, used = _header(rest, ends, delimiter, column)
            if header is None:
                continue
            rest, line = rest[used:], line + rest[:used].count(b"\n")
            marks, ends, unclosed = (where[where >= used] - used for where in (marks, ends, unclosed))
            cut -= used
            source.schema = header.names, delimiter
            replaced = source.replaced(header.names, column)
            drop = {number for number, name in enumerate(header.names) if name in replaced}
            top = header.without(drop, 1).data if drop else header.data
        places = marks, ends, unclosed
        rows = DelimitedRows.of(rest[:cut], header.names, column, delimiter, mark + top, line, places)
        yield rows.without(drop, line) if drop else rows
        line += rest.count(b"\n", 0, cut)
        rest = rest[cut:]
        waiting, size = [rest], len(rest)
    if header is None:
        raise BadTable(f"'{source.name}' is empty: a header line with a column '{column}' is needed")


def _with_last(blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    for block in blocks:
        yield block, False
    yield b"", True


def _header(data: bytes, ends: NDArray[np.int64], delimiter: bytes, column: str) -> tuple[DelimitedRows | None, int]:
    """The first line that is not empty, and how many bytes it takes with those before it."""
    start = 0
    for end in ends.tolist():
        if data[start:end].strip(b"\r"):
            line = DelimitedRows.of(data[start : end + 1], ("?",), column, delimiter)
            names = tuple(line.texts(number)[0] for number in range(int(line.count[0]) + 1))
            return DelimitedRows.of(line.data, names, column, delimiter), end + 1
        start = end + 1
    return None, 0
