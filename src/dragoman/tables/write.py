"""Pieces and what is added to them become bytes, in the format they came in or another.

A table written in its own format keeps everything it had: CSV and JSON lines are spliced, not written anew; Parquet
keeps its columns and their types. From one format to another: CSV columns are text; JSON lines, whose objects may
differ, keep only the URL when they become a table with fixed columns. Extra values (scores, contributions) are JSON
values in JSON lines and JSON text elsewhere.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import AnswerColumns, text_of
from dragoman.errors import BadTable, need, shorten
from dragoman.tables.delimited import Records
from dragoman.tables.formats import DELIMITERS, Format
from dragoman.tables.parquet.spark_schema import with_spark_schema
from dragoman.tables.pieces import PACKED, Columns, Lines, Piece

#: Rows of a row group: enough for columns to be compressed well, few enough that memory stays small.
GROUP = 1 << 18


class Writer(Protocol):
    """Writes pieces to a stream of bytes."""

    def write(self, piece: Piece, added: AnswerColumns) -> None:
        """Write the rows of a piece."""

    def close(self) -> None:
        """Write what comes last; the stream stays open."""


def writer(format: Format, stream: IO[bytes]) -> Writer:
    """The writer of a format."""
    if format is Format.JSONL:
        return JsonLines(stream)
    if format is Format.PARQUET:
        return Parquet(stream)
    return Delimited(stream, DELIMITERS[format])


class JsonLines:
    """One JSON object per row; a row that could not be read says why in `error`."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def write(self, piece: Piece, added: AnswerColumns) -> None:
        """Splice objects that are there; make those that are not."""
        rows = zip(_objects(piece), self._tails(piece, added), strict=True)
        self.stream.write(b"".join(body + tail for body, tail in rows))
        self.stream.flush()

    def _tails(self, piece: Piece, added: AnswerColumns) -> list[bytes]:
        known = added.languages if added.decides else [json.dumps(tag) for tag in added.languages]
        names, first = [*known, "null"], json.dumps(added.names[0])
        extra = list(added.extra.items())
        tails = []
        for row, (code, value) in enumerate(zip(added.language.tolist(), added.probabilities(), strict=True)):
            text = f'{first}: {names[code]}, "probability": {"null" if value is None else repr(value)}'
            for name, values in extra:
                text += f", {json.dumps(name)}: {json.dumps(values[row], ensure_ascii=False)}"
            if row in piece.errors:
                text += f', "error": {json.dumps(piece.errors[row])}'
            tails.append(text.encode() + b"}\n")
        return tails

    def close(self) -> None:
        """Nothing comes last."""


def _objects(piece: Piece) -> list[bytes]:
    """The rows as JSON objects without their last brace, ready for more."""
    if isinstance(piece, Lines):
        name = json.dumps(piece.column)
        if piece.objects is None:
            return [f"{{{name}: {encode_basestring(text_of(url))}, ".encode() for url in piece.urls]
        return [f"{{{name}: null, ".encode() if line is None else _opened(line) for line in piece.objects]
    if isinstance(piece, Records):
        columns = [piece.texts(number) for number in range(len(piece.names))]
        rows: Sequence[Any] = [dict(zip(piece.names, values, strict=True)) for values in zip(*columns, strict=True)]
    else:
        assert isinstance(piece, Columns)
        rows = piece.batch.to_pylist()
    return [_opened(_json(row).encode()) for row in rows]


def _opened(line: bytes) -> bytes:
    body = line[:-1].rstrip()
    return body if body == b"{" else body + b", "


def _json(value: Any) -> str:
    """JSON of any value of a table: what JSON does not know becomes text, and no number becomes null."""
    try:
        return json.dumps(value, ensure_ascii=False, default=_known, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=_known)


def _known(value: Any) -> Any:
    return text_of(value) if isinstance(value, bytes) else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Delimited:
    """CSV or TSV with a header."""

    def __init__(self, stream: IO[bytes], delimiter: bytes) -> None:
        self.stream, self.delimiter = stream, delimiter
        self.begun = False

    def write(self, piece: Piece, added: AnswerColumns) -> None:
        """Insert the new fields where the rows are delimited so already; write anew otherwise."""
        if isinstance(piece, Records) and piece.delimiter == self.delimiter:
            if not self.begun:
                line = piece.header.rstrip(b"\r\n")
                names = self.delimiter.join(name.encode() for name in added.names)
                self.stream.write(line + self.delimiter + names + piece.header[len(line) :])
            self.stream.write(piece.with_fields(*_tails(added, self.delimiter)))
        elif isinstance(piece, Columns):
            self._write_arrow(piece, added)
        else:
            self._write_rows(piece, added)
        self.begun = True
        self.stream.flush()

    def _write_arrow(self, piece: Columns, added: AnswerColumns) -> None:
        pa, arrow_csv = need("bulk", "pyarrow"), need("bulk", "pyarrow.csv")
        options = arrow_csv.WriteOptions(delimiter=self.delimiter.decode(), include_header=not self.begun)
        try:
            arrow_csv.write_csv(_table(piece, added), self.stream, options)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise BadTable(f"This table cannot be written as text: {shorten(str(error))}; write Parquet") from error

    def _write_rows(self, piece: Piece, added: AnswerColumns) -> None:
        if isinstance(piece, Records):
            names = list(piece.names)
            columns: list[Sequence[Any]] = [piece.texts(number) for number in range(len(names))]
        else:
            assert isinstance(piece, Lines)
            names, columns = [piece.column], [[text_of(url) for url in piece.urls]]
        columns += [added.tags(), added.probabilities()]
        columns += [[json.dumps(value, ensure_ascii=False) for value in values] for values in added.extra.values()]
        out = io.StringIO(newline="")
        rows = csv.writer(out, delimiter=self.delimiter.decode(), lineterminator="\n")
        if not self.begun:
            rows.writerow([*names, *added.names])
        rows.writerows(zip(*columns, strict=True))
        self.stream.write(out.getvalue().encode())

    def close(self) -> None:
        """Nothing comes last."""


def _tails(added: AnswerColumns, delimiter: bytes) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(bytes, lengths) of the new fields of all rows, each with a delimiter before it: no Python object per row."""
    tags = [tag.encode() for tag in added.languages] + [b""]
    longest = max(map(len, tags))
    padded = np.frombuffer(b"".join(tag.ljust(longest) for tag in tags), np.uint8).reshape(len(tags), longest)
    sizes = np.array([len(tag) for tag in tags])
    digits, kept = _digits(added.probability)
    mark = np.full((len(digits), 1), delimiter[0], np.uint8)
    always = np.ones((len(digits), 1), bool)
    text = np.hstack([mark, padded[added.language], mark, digits])
    shown = np.hstack([always, np.arange(longest) < sizes[added.language][:, None], always, kept])
    if not added.extra:
        return text[shown], shown.sum(axis=1)
    rows = []
    for row in range(len(text)):
        values = (json.dumps(values[row], ensure_ascii=False) for values in added.extra.values())
        quoted = ('"' + value.replace('"', '""') + '"' for value in values)
        rows.append(text[row][shown[row]].tobytes() + b"".join(delimiter + value.encode() for value in quoted))
    return np.frombuffer(b"".join(rows), np.uint8), np.array([len(row) for row in rows], np.int64)


def _digits(probability: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Probabilities as text of the form 0.123456, one row each, and which characters count (no zeros at the end)."""
    known = ~np.isnan(probability)
    millionths = np.rint(np.where(known, probability, 0).astype(np.float64) * 1e6).astype(np.int64)
    numbers = millionths[:, None] // 10 ** np.arange(6, -1, -1) % 10
    text = np.full((len(numbers), 8), ord("."), np.uint8)
    text[:, 0], text[:, 2:] = numbers[:, 0] + ord("0"), numbers[:, 1:] + ord("0")
    kept = np.ones(text.shape, bool)
    kept[:, 3:] = np.cumsum(numbers[:, :1:-1] > 0, axis=1)[:, ::-1] > 0
    return text, kept & known[:, None]


class Parquet:
    """One Parquet file, written anew; the first piece decides the columns and how they are compressed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.file: Any = None
        self.waiting: list[Any] = []

    def write(self, piece: Piece, added: AnswerColumns) -> None:
        """Take the rows, and write a row group when there are enough."""
        pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
        table = _table(piece, added)
        if self.file is None:
            sink = pa.PythonFile(self.stream, mode="w")
            packed, int96 = (piece.compression, piece.int96) if isinstance(piece, Columns) else (PACKED, False)
            schema = with_spark_schema(table.schema, added.names)
            self.file = pq.ParquetWriter(
                sink, schema, compression=packed, use_deprecated_int96_timestamps=int96 or None
            )
        self.waiting.append(table)
        if sum(map(len, self.waiting)) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        self.file.write_table(need("bulk", "pyarrow").concat_tables(self.waiting), row_group_size=2 * GROUP)
        self.waiting = []

    def close(self) -> None:
        """Write the last rows and the footer."""
        if self.file is not None:
            if self.waiting:
                self._flush()
            self.file.close()


def _table(piece: Piece, added: AnswerColumns) -> Any:
    """An Arrow table of the rows with the new columns."""
    pa = need("bulk", "pyarrow")
    if isinstance(piece, Columns):
        table = pa.Table.from_batches([piece.batch])
    elif isinstance(piece, Records):
        table = pa.Table.from_batches([piece.arrow()])
    else:
        assert isinstance(piece, Lines)
        table = pa.table({piece.column: pa.array([text_of(url) for url in piece.urls], pa.string())})
    for name, column in added.arrow().items():
        table = table.append_column(name, column)
    return table
