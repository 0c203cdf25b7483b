"""Batches of URLs in and out of JSON, NDJSON and Arrow, with as little work per row as can be.

A row that is no URL keeps its place: it is answered with an `error`, and its neighbours with what they would be told
without it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import orjson

from dragoman.columns import ByteColumn
from dragoman.errors import need
from dragoman.identifiers.answer import Answers
from dragoman.serve.problems import Problem

#: One of the escapes that stand for half of a character, of which JSON has two for letters beyond 16 bits.
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
NDJSON, ARROW = "application/x-ndjson", "application/vnd.apache.arrow.stream"
_KINDS = {bool: "true or false", int: "a number", float: "a number", dict: "an object", list: "a list"}


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a batch: as they came, as a column, and why some of them are no URL."""

    urls: Sequence[str | None]
    batch: ByteColumn
    errors: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.batch)


def loads(body: bytes, most: int) -> Any:
    """JSON of at most so many values, or a Problem: a few bytes each become fifty and more when they are read."""
    if body.count(b",") > most:
        raise Problem(413, f"The body holds more than {most:,} values: send less at a time")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if _HALF_CHARACTER.search(body):  # it may be JSON all the same: Python's own reader takes such strings
            with suppress(ValueError, RecursionError):
                return json.loads(body, parse_constant=_no_constant)
        raise Problem(422, f"The body is not JSON: {error}") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def from_json(values: Sequence[Any], longest: int) -> Rows:
    """The rows of a list of JSON values, of which strings are URLs."""
    try:
        joined = "".join(values)
    except TypeError:
        return _row_by_row(values, longest)
    if not joined.isascii():
        return _row_by_row(values, longest)
    lengths = np.fromiter(map(len, values), np.int64, len(values))
    if len(values) and lengths.max() > longest:
        return _row_by_row(values, longest)
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return Rows(values, ByteColumn(np.frombuffer(joined.encode(), np.uint8), offsets))


def _row_by_row(values: Sequence[Any], longest: int) -> Rows:
    urls: list[str | None] = []
    written: list[bytes] = []
    errors: dict[int, str] = {}
    for number, value in enumerate(values):
        if isinstance(value, _NoUrl):
            errors[number] = value.why
        elif not isinstance(value, str):
            errors[number] = f"not a string but {_KINDS.get(type(value), 'null')}"
        else:
            if len(value) > longest:
                errors[number] = f"longer than {longest:,} characters"
            elif any("\ud800" <= letter <= "\udfff" for letter in value):
                errors[number] = "not text: a half of a surrogate pair stands alone"
            else:
                urls.append(value)
                written.append(value.encode())
                continue
        urls.append(None)
        written.append(b"")
    return Rows(urls, ByteColumn.from_rows(written), errors)


@dataclass(frozen=True)
class _NoUrl:
    why: str


def from_ndjson(body: bytes, most: int, longest: int) -> Rows:
    """The rows of lines that are a JSON string or an object with `url`; empty lines at the end are none."""
    body = body.rstrip()
    if body.count(b"\n") >= most:
        raise too_many(most)
    lines = body.split(b"\n") if body else []
    values: list[Any] = []
    for line in lines:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            value = _odd_line(line)
        if type(value) is dict:
            value = value["url"] if "url" in value else _NoUrl('an object without "url"')
        values.append(value)
    return from_json(values, longest)


def _odd_line(line: bytes) -> Any:
    """The value of a line that is hardly JSON, or why it is none."""
    if not line.strip():
        return _NoUrl("an empty line")
    try:
        return loads(line, len(line))
    except Problem:
        return _NoUrl("not JSON")


def too_many(most: int) -> Problem:
    """What is said to a batch with too many rows."""
    return Problem(413, f"A batch may have {most:,} URLs: send several")


def from_arrow(body: bytes, most: int, longest: int) -> Rows:
    """The rows of an Arrow stream's column `url`, which share its memory."""
    from dragoman.serve.arrow import read_column

    column, errors = read_column(body, most, longest)
    return Rows((), ByteColumn.from_arrow(column), errors)


def results(rows: Rows, answers: Answers, top: int = 0) -> list[dict[str, Any]]:
    """A value per row: url, language, probability, and on request the likeliest languages; `error` in bad rows."""
    columns = answers.columns()
    values: list[dict[str, Any]] = [
        {"url": url, "language": tag, "probability": value}
        for url, tag, value in zip(rows.urls, columns.tags(), columns.probabilities(), strict=True)
    ]
    if top:
        for number, row in enumerate(values):
            row["top"] = likeliest(answers, number, top)
    for number, why in rows.errors.items():
        values[number] = {"url": None, "language": None, "probability": None, "error": why}
    return values


def likeliest(answers: Answers, row: int, top: int) -> list[dict[str, Any]]:
    """The likeliest languages of a row, as JSON has them."""
    return [{"language": tag, "probability": value} for tag, value in answers.top(row, top).items()]


def to_json(model: str, rows: Rows, answers: Answers, top: int = 0) -> bytes:
    """The answer to a batch in JSON."""
    head = b'{"model":%b,"results":[' % orjson.dumps(model)
    if top or rows.errors:
        return head + orjson.dumps(results(rows, answers, top))[1:-1] + b"]}"
    return head + _assembled(rows.urls, answers, b",") + b"]}"


def to_ndjson(rows: Rows, answers: Answers, top: int = 0) -> bytes:
    """The answer to a batch in NDJSON."""
    if top or rows.errors:
        return b"".join([orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in results(rows, answers, top)])
    return _assembled(rows.urls, answers, b"\n") + b"\n" * bool(len(rows))


@lru_cache(maxsize=64)
def _between(languages: tuple[str, ...]) -> list[bytes]:
    """What stands between a URL and its probability, for each language and, last, for none."""
    return [b'","language":%b,"probability":' % orjson.dumps(tag) for tag in (*languages, None)]


def _assembled(urls: Sequence[str | None], answers: Answers, between: bytes) -> bytes:
    """What `results` gives, as JSON, put together from three columns that are written at once.

    How much that saves: benchmarks/serve/alternatives.py.

    Nothing in a string that JSON escapes can be `","`, so a list of strings can be cut there.
    """
    if not len(urls):
        return b""
    cells = [b""] * (3 * len(urls))
    cells[0::3] = orjson.dumps(urls)[2:-2].split(b'","')
    between_cells = _between(answers.languages)
    cells[1::3] = [between_cells[code] for code in answers.language.tolist()]
    values = np.round(answers.probability.astype(np.float64), 6).tolist()  # one that is not a number is written as null
    cells[2::3] = orjson.dumps(values)[1:-1].replace(b",", b'}%b{"url":"\0' % between).split(b"\0")
    return b'{"url":"' + b"".join(cells) + b"}"


def to_arrow(rows: Rows, answers: Answers, top: int = 0) -> bytes:
    """The answer to a batch in Arrow: language, probability, and error, null in good rows."""
    pa = need("bulk", "pyarrow")
    language, probability = answers.arrow()
    messages: list[str | None] = [None] * len(rows)
    for number, why in rows.errors.items():
        messages[number] = why
    error = pa.array(messages, pa.string())
    sink = pa.BufferOutputStream()
    columns = {"language": language, "probability": probability, "error": error}
    if top:
        kind = pa.list_(pa.struct([("language", pa.string()), ("probability", pa.float32())]))
        columns["top"] = pa.array([likeliest(answers, row, top) for row in range(len(rows))], kind)
    batch = pa.record_batch(columns)
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())
