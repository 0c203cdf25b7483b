"""Pieces and the answers to them become bytes, in the format they came in or another.

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
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import AnswerColumns, cell_text, text_of
from dragoman.errors import BadTable, UnfitTable, need, shorten
from dragoman.tables.delimited import DelimitedRows
from dragoman.tables.formats import DELIMITERS, Format
from dragoman.tables.parquet.spark_schema import with_spark_schema
from dragoman.tables.pieces import PACKED, Columns, Lines, RowPiece

#: Rows of a row group: enough for columns to be compressed well, few enough that memory stays small.
GROUP = 1 << 18


class Writer(Protocol):
    """Writes pieces with the answers to them to a stream of bytes."""

    @property
    def format(self) -> Format:
        """What it writes."""

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> Any:
        """What is to be written for a piece; changes nothing, and may be called by several threads."""

    def write(self, encoded: Any) -> None:
        """Write what `encode` has made of the next piece."""

    def close(self) -> None:
        """Write what comes last; the stream stays open."""


def writer(format: Format, stream: IO[bytes]) -> Writer:
    """The writer of a format."""
    if format is Format.JSONL:
        return JsonLines(stream)
    if format is Format.PARQUET:
        return Parquet(stream)
    return Delimited(stream, format)


class JsonLines:
    """One JSON object per row; a row that could not be read says why in `error`."""

    format = Format.JSONL

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> bytes:
        """Splice objects that are there; make those that are not."""
        rows = zip(_objects(piece), _json_tails(piece, answers), strict=True)
        return b"".join(body + tail for body, tail in rows)

    def write(self, encoded: bytes) -> None:
        """Write the lines, so that a reader has them at once."""
        self.stream.write(encoded)
        self.stream.flush()

    def close(self) -> None:
        """Nothing comes last."""


def _json_tails(piece: RowPiece, answers: AnswerColumns) -> list[bytes]:
    """The new fields of every row and what ends its object."""
    tags = answers.languages if answers.decides else [json.dumps(tag) for tag in answers.languages]
    words, extra = [*tags, "null"], [(json.dumps(name), values) for name, values in answers.extra.items()]
    first = json.dumps(answers.names[0])
    tails = []
    for row, (code, value) in enumerate(zip(answers.language.tolist(), answers.probabilities(), strict=True)):
        text = ""
        if tags:
            text = f', {first}: {words[code]}, "probability": {"null" if value is None else repr(value)}'
        for name, values in extra:
            text += f", {name}: {json.dumps(values[row], ensure_ascii=False)}"
        if row in piece.errors:
            text += f', "error": {json.dumps(piece.errors[row])}'
        tails.append(text[2:].encode() + b"}\n")
    return tails


def _objects(piece: RowPiece) -> list[bytes]:
    """The rows as JSON objects without their last brace, ready for more."""
    if isinstance(piece, Lines):
        name = json.dumps(piece.column)
        if piece.objects is None:
            return [f"{{{name}: {encode_basestring(text_of(value))}, ".encode() for value in piece.values]
        return [f"{{{name}: null, ".encode() if line is None else _opened(line) for line in piece.objects]
    names = piece.names if isinstance(piece, DelimitedRows) else piece.batch.schema.names  # type: ignore[attr-defined]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UnfitTable(
            f"Two columns are named '{twice}', and a JSON object has room for one: rename one, or write CSV"
        )
    if isinstance(piece, DelimitedRows):
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
        return json.dumps(value, ensure_ascii=False, default=_as_text, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=_as_text)


def _as_text(value: Any) -> Any:
    return text_of(value) if isinstance(value, bytes) else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Delimited:
    """CSV or TSV with a header."""

    def __init__(self, stream: IO[bytes], format: Format) -> None:
        self.stream, self.format, self.delimiter = stream, format, DELIMITERS[format]
        self.begun = False

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> tuple[bytes, bytes]:
        """(header, rows): new fields inserted where the rows are delimited so already; written anew otherwise."""
        if isinstance(piece, DelimitedRows) and piece.format is self.format:
            line = piece.header.rstrip(b"\r\n")
            names = b"".join(piece.delimiter + name.encode() for name in answers.names)
            return line + names + piece.header[len(line) :], piece.with_fields(*_tails(answers, piece.delimiter))
        return self._of_arrow(piece, answers) if isinstance(piece, Columns) else self._of_rows(piece, answers)

    def _of_arrow(self, piece: Columns, answers: AnswerColumns) -> tuple[bytes, bytes]:
        pa, arrow_csv = need("bulk", "pyarrow"), need("bulk", "pyarrow.csv")
        table = _table(piece, answers)

        def text(part: Any, header: bool) -> bytes:
            sink = pa.BufferOutputStream()
            options = arrow_csv.WriteOptions(delimiter=self.delimiter.decode(), include_header=header)
            arrow_csv.write_csv(part, sink, options)
            return bytes(sink.getvalue())

        try:
            return text(table.slice(0, 0), True), text(table, False)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise BadTable(f"This table cannot be written as text: {shorten(str(error))}; write Parquet") from error

    def _of_rows(self, piece: RowPiece, answers: AnswerColumns) -> tuple[bytes, bytes]:
        if isinstance(piece, DelimitedRows):
            names = list(piece.names)
            columns: list[Sequence[Any]] = [piece.texts(number) for number in range(len(names))]
        else:
            assert isinstance(piece, Lines)
            names, columns = [piece.column], [[text_of(value) for value in piece.values]]
        if answers.languages:
            columns += [answers.tags(), answers.probabilities()]
        columns += [list(map(cell_text, values)) for values in answers.extra.values()]

        def text(rows: Iterable[Iterable[Any]]) -> bytes:
            out = io.StringIO(newline="")
            csv.writer(out, delimiter=self.delimiter.decode(), lineterminator="\n").writerows(rows)
            return out.getvalue().encode()

        return text([[*names, *answers.names]]), text(zip(*columns, strict=True))

    def write(self, encoded: tuple[bytes, bytes]) -> None:
        """Write the rows, the first time with their header."""
        header, rows = encoded
        self.stream.write(rows if self.begun else header + rows)
        self.begun = True
        self.stream.flush()

    def close(self) -> None:
        """Nothing comes last."""


def _tails(answers: AnswerColumns, delimiter: bytes) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(bytes, lengths) of the new fields of all rows, each with a delimiter before it: no Python object per row."""
    tags = [tag.encode() for tag in answers.languages] + [b""]
    longest = max(map(len, tags))
    padded = np.frombuffer(b"".join(tag.ljust(longest) for tag in tags), np.uint8).reshape(len(tags), longest)
    sizes = np.array([len(tag) for tag in tags])
    digits, counts = _digits(answers.probability)
    mark = np.full((len(digits), 1), delimiter[0], np.uint8)
    always = np.full((len(digits), 1), bool(answers.languages))
    text = np.hstack([mark, padded[answers.language], mark, digits])
    shown = np.hstack([always, np.arange(longest) < sizes[answers.language][:, None], always, counts])
    if not answers.extra:
        return text[shown], shown.sum(axis=1)
    rows = []
    for row in range(len(text)):
        values = (cell_text(values[row]) for values in answers.extra.values())
        quoted = ("" if value is None else '"' + value.replace('"', '""') + '"' for value in values)
        rows.append(text[row][shown[row]].tobytes() + b"".join(delimiter + value.encode() for value in quoted))
    return np.frombuffer(b"".join(rows), np.uint8), np.array([len(row) for row in rows], np.int64)


def _digits(probability: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Probabilities as text of the form 0.123456, one row each, and which characters count (no zeros at the end)."""
    answered = ~np.isnan(probability)
    millionths = np.rint(np.where(answered, probability, 0).astype(np.float64) * 1e6).astype(np.int64)
    numbers = millionths[:, None] // 10 ** np.arange(6, -1, -1) % 10
    text = np.full((len(numbers), 8), ord("."), np.uint8)
    text[:, 0], text[:, 2:] = numbers[:, 0] + ord("0"), numbers[:, 1:] + ord("0")
    counts = np.ones(text.shape, bool)
    counts[:, 3:] = np.cumsum(numbers[:, :1:-1] > 0, axis=1)[:, ::-1] > 0
    return text, counts & answered[:, None]


class Parquet:
    """One Parquet file, written anew; the first piece decides the columns and how they are compressed."""

    format = Format.PARQUET

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.file: Any = None
        self.waiting: list[Any] = []

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> tuple[Any, str, bool]:
        """(table, compression, timestamps of the old kind): the rows, and how the file that they come from has them."""
        table = _table(piece, answers)
        table = table.replace_schema_metadata(with_spark_schema(table.schema, answers.names).metadata)
        return table, *((piece.compression, piece.int96) if isinstance(piece, Columns) else (PACKED, False))

    def write(self, encoded: tuple[Any, str, bool]) -> None:
        """Take the rows, and write a row group when there are enough."""
        pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
        table, packed, int96 = encoded
        if self.file is None:
            sink = pa.PythonFile(self.stream, mode="w")
            self.file = pq.ParquetWriter(
                sink, table.schema, compression=packed, use_deprecated_int96_timestamps=int96 or None
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


def _table(piece: RowPiece, answers: AnswerColumns) -> Any:
    """An Arrow table of the rows with the new columns."""
    pa = need("bulk", "pyarrow")
    if isinstance(piece, Columns):
        table = pa.Table.from_batches([piece.batch])
    elif isinstance(piece, DelimitedRows):
        table = pa.Table.from_batches([piece.arrow()])
    else:
        assert isinstance(piece, Lines)
        table = pa.table({piece.column: pa.array([text_of(value) for value in piece.values], pa.string())})
    for name, column in answers.arrow().items():
        table = table.append_column(name, column)
    return table
