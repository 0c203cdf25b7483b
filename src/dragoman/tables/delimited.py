"""Records of CSV and TSV found in raw bytes, so that what is written back is what was read, byte for byte.

A table goes through here without being taken apart: the places of line ends and delimiters outside quotes are found
with numpy, the column that is judged is copied out, and new fields are inserted where the last field ends. Values such
as `00123`, line ends, quotes and spaces stay as they were, and no Python object is made per row.

What counts as what: a field that begins with a quote goes on to the quote that a delimiter or line end follows, two
quotes inside stand for one (RFC 4180). A quote anywhere else is a character like any other, and so is one that is never
closed properly: it spoils its own row and not the ones after it. An empty line is no row and stays.

Two kinds of rows are bad: those with more or fewer fields than the header, and in CSV those with a field whose quote is
never closed (in TSV, which most programs write without any quoting, that is no fault). A bad row gets no language and
is counted. All its bytes come back in their order, and only delimiters are added, so that the new columns are empty:
behind a row that is too short as many as it lacks, in a row that is too long before the fields that are too many. These
would else be read as the language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn, cut_out, text_of
from dragoman.errors import need
from dragoman.tables.formats import DELIMITERS, Format
from dragoman.tables.pieces import Lines

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

_QUOTE, _LINE, _RETURN = b'"'[0], b"\n"[0], b"\r"[0]
#: A quoted field may be this long; beyond it, its quote is taken for a character.
LONGEST_QUOTED = 1 << 24


_NONE = np.zeros(0, np.int64)


def scan(data: bytes, delimiter: bytes, final: bool) -> tuple[Places, Places, int, Places]:
    """(delimiters, line ends, cut, unclosed): places that separate, where the last record ends, quotes never closed.

    What separates is outside quotes. All places are before `cut`.
    """
    raw = np.frombuffer(data, np.uint8)
    places = np.flatnonzero((raw == _QUOTE) | (raw == delimiter[0]) | (raw == _LINE))
    kinds = raw[places]
    is_quote = kinds == _QUOTE
    if is_quote.any():
        if not _well_formed(raw, places[is_quote], delimiter[0]) or (final and is_quote.sum() % 2):
            return _scan_slowly(data, delimiter, final)
        outside = (np.cumsum(is_quote) % 2 == 0) & ~is_quote
        places, kinds = places[outside], kinds[outside]
    ends = places[kinds == _LINE]
    if not len(ends) and len(data) > LONGEST_QUOTED:
        return _scan_slowly(data, delimiter, final)
    cut = int(ends[-1]) + 1 if len(ends) else 0
    delimiters = places[kinds == delimiter[0]]
    return delimiters[delimiters < cut], ends, cut, _NONE


def _well_formed(raw: Bytes, quotes: Places, delimiter: int) -> bool:
    """True if every opening quote begins a field and every closing one ends it (a doubled quote does both)."""
    opening, closing = quotes[0::2], quotes[1::2]
    before = raw[opening[opening > 0] - 1]
    following = closing[closing + 1 < len(raw)] + 1
    after = raw[following]
    returns = following[after == _RETURN]
    ends = raw[returns[returns + 1 < len(raw)] + 1]
    return bool(
        np.all((before == delimiter) | (before == _LINE) | (before == _QUOTE))
        and np.all((after == delimiter) | (after == _LINE) | (after == _RETURN) | (after == _QUOTE))
        and np.all(ends == _LINE)
    )


def _scan_slowly(data: bytes, delimiter: bytes, final: bool) -> tuple[Places, Places, int, Places]:
    """The same, field by field: for pieces with stray quotes."""
    mark = re.escape(delimiter)
    quoted = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"(?=\r?\n|' + mark + rb"|\Z)")
    # What may still become a quoted field when more has been read: open, or followed by what is not known yet.
    unclosed = re.compile(rb'"[^"]*+(?:""[^"]*+)*+(?:"\r?)?\Z')
    plain = re.compile(rb"[^\n" + mark + rb"]*+")
    delimiters: list[int] = []
    ends: list[int] = []
    unclosed_quotes: list[int] = []
    at = cut = complete = 0
    while at < len(data):
        if not final and len(data) - at <= LONGEST_QUOTED and unclosed.match(data, at):
            break  # the rest of the field has not been read yet
        match = quoted.match(data, at)
        if match is None:
            if data[at] == _QUOTE:
                unclosed_quotes.append(at)
            match = plain.match(data, at)
        at = match.end() if match else len(data)
        if data[at : at + 1] == delimiter:
            delimiters.append(at)
        elif data[at : at + 1] == b"\n":
            ends.append(at)
            cut, complete = at + 1, len(delimiters)
        elif at < len(data):  # a carriage return after a closing quote
            continue
        at += 1
    stray = np.array([at_quote for at_quote in unclosed_quotes if at_quote < cut], np.int64)
    return np.array(delimiters[:complete], np.int64), np.array(ends, np.int64), cut, stray


@dataclass(frozen=True, eq=False)
class DelimitedRows:
    """Whole records in raw bytes, empty lines among them; `names` are the columns, `header` the line that said so."""

    data: bytes
    names: tuple[str, ...]
    column: str
    delimiter: bytes
    header: bytes
    marks: Places
    first: Places  # of each row: the number of its first delimiter in `marks`
    count: Places  # of each row: how many delimiters it has
    starts: Places
    ends: Places
    errors: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        data: bytes,
        names: tuple[str, ...],
        column: str,
        delimiter: bytes,
        header: bytes = b"",
        line: int = 1,
        places: tuple[Places, Places, Places] | None = None,
    ) -> DelimitedRows:
        """The records of bytes that end with a line end; `line` is the number of their first line.

        `places` are the delimiters, line ends and quotes never closed where they are known already.
        """
        if places is None:
            marks, newlines, _, unclosed = scan(data, delimiter, True)
        else:
            marks, newlines, unclosed = places
        raw = np.frombuffer(data, np.uint8)
        starts = np.concatenate([np.zeros(1, np.int64), newlines + 1])[: len(newlines)]
        returned = (newlines > starts) & (raw[newlines - 1] == _RETURN) if len(newlines) else np.zeros(0, bool)
        ends = newlines - returned
        rows = ends > starts
        starts, ends = starts[rows], ends[rows]
        first = np.searchsorted(marks, starts)
        count = np.searchsorted(marks, ends) - first
        quoted = delimiter != DELIMITERS[Format.TSV]
        open_ = np.searchsorted(starts, unclosed, side="right") - 1 if quoted else _NONE
        errors = _errors(raw, starts, count, open_, len(names), line)
        return cls(data, names, column, delimiter, header, marks, first, count, starts, ends, errors)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def format(self) -> Format:
        """TSV or CSV, by what stands between the columns."""
        return Format.TSV if self.delimiter == DELIMITERS[Format.TSV] else Format.CSV

    @property
    def byte_column(self) -> ByteColumn:
        """The column that is judged; empty in rows with an error."""
        return self.values(self.names.index(self.column), True)

    @property
    def missing(self) -> tuple[int, ...]:
        """None: these formats do not know null."""
        return ()

    def bounds(self, column: int) -> tuple[Places, Places]:
        """(begin, end) of a field in each row, its quotes included; empty where the row does not reach so far."""
        last = np.maximum(len(self.marks) - 1, 0)
        padded = self.marks if len(self.marks) else np.zeros(1, np.int64)
        begin = self.starts if column == 0 else padded[np.minimum(self.first + column - 1, last)] + 1
        end = np.where(column < self.count, padded[np.minimum(self.first + column, last)], self.ends)
        there = column <= self.count
        return np.where(there, begin, self.ends), np.where(there, end, self.ends)

    def values(self, column: int, checked: bool = False) -> ByteColumn:
        """A column with the quotes undone; with `checked`, empty in rows with an error."""
        raw = np.frombuffer(self.data, np.uint8)
        begin, end = self.bounds(column)
        if checked and self.errors:
            bad = list(self.errors)
            end = end.copy()
            end[bad] = begin[bad]
        long = np.flatnonzero(end - begin >= 2)
        quoted = np.zeros(len(self), bool)
        quoted[long] = (raw[begin[long]] == _QUOTE) & (raw[end[long] - 1] == _QUOTE)
        begin, lengths = begin + quoted, end - begin - 2 * quoted
        fields = cut_out(raw, begin, lengths)
        data, offsets = fields.data, fields.offsets
        # Inside a quoted field quotes come in pairs: the second of each pair goes.
        if quoted.any():
            pairs = np.flatnonzero((data == _QUOTE) & np.repeat(quoted, lengths))[1::2]
            offsets = offsets - np.searchsorted(pairs, offsets)
            data = np.delete(data, pairs)
        return ByteColumn(data, offsets)

    def texts(self, column: int) -> list[str]:
        """A column as Python strings."""
        return [text_of(value) for value in self.values(column)]

    def arrow(self) -> Any:
        """An Arrow record batch, every column as strings."""
        pa = need("bulk", "pyarrow")
        columns = []
        for number in range(len(self.names)):
            values = self.values(number)
            try:
                values.data.tobytes().decode()
                buffers = [None, pa.py_buffer(values.offsets.astype(np.int64)), pa.py_buffer(values.data)]
                columns.append(pa.Array.from_buffers(pa.large_string(), len(self), buffers))
            except UnicodeDecodeError:
                columns.append(pa.array(self.texts(number), pa.large_string()))
        return pa.RecordBatch.from_arrays(columns, names=list(self.names))

    def plain(self) -> Lines:
        """The values as bytes."""
        return Lines(list(self.byte_column), self.errors)

    def with_fields(self, tails: Bytes, lengths: Places) -> bytes:
        """The bytes with something inserted after the last field of each row; tails and their lengths row by row."""
        width = len(self.names) - 1
        where = self.bounds(width)[1]
        missing = np.maximum(width - self.count, 0)
        if missing.any():
            whole = np.repeat(self.delimiter[0], int((missing + lengths).sum())).astype(np.uint8)
            whole[_alternating(missing, lengths)] = tails
            tails, lengths = whole, lengths + missing
        gaps = np.diff(np.concatenate([np.zeros(1, np.int64), where, [len(self.data)]]))
        own = np.concatenate([lengths, [0]])
        out = np.empty(len(self.data) + len(tails), np.uint8)
        new = _alternating(gaps, own)
        out[new], out[~new] = tails, np.frombuffer(self.data, np.uint8)
        return out.tobytes()

    def without(self, columns: set[int], line: int) -> DelimitedRows:
        """The records without some columns."""
        change = np.zeros(len(self.data) + 1, np.int64)
        # A field goes with the delimiter before it; those at the very front go with the one after it.
        front = next(number for number in range(len(self.names) + 1) if number not in columns)
        for column in columns:
            begin, end = self.bounds(column)
            there, more = self.count >= column, self.count > column
            np.add.at(change, (begin - (column >= front))[there], 1)
            np.add.at(change, (end + (more & (column < front)))[there], -1)
        data = np.frombuffer(self.data, np.uint8)[np.cumsum(change)[:-1] == 0].tobytes()
        names = tuple(name for number, name in enumerate(self.names) if number not in columns)
        rows = DelimitedRows.of(data, names, self.column, self.delimiter, self.header, line)
        # What was wrong with a row is told as it stood in the file.
        return replace(rows, errors=self.errors) if len(rows) == len(self) else rows


def _errors(raw: Bytes, starts: Places, count: Places, unclosed: Places, names: int, line: int) -> dict[int, str]:
    """What is wrong with which rows: `unclosed` are those that have a quote that is never closed."""
    odd = np.flatnonzero(count != names - 1)
    if not len(odd) and not len(unclosed):
        return {}
    breaks = np.flatnonzero(raw == _LINE)
    open_ = set(unclosed.tolist())
    bad = np.array(sorted(open_ | set(odd.tolist())), np.int64)
    lines = line + np.searchsorted(breaks, starts[bad])
    errors = {}
    for row, number, fields in zip(bad.tolist(), lines.tolist(), (count[bad] + 1).tolist(), strict=True):
        if row in open_:
            far = f" within {LONGEST_QUOTED:,} bytes" if len(raw) - starts[row] > LONGEST_QUOTED else ""
            errors[row] = f"line {number} has a quote that is not closed{far}"
        else:
            errors[row] = f"line {number} has {fields:,} field{'s' * (fields != 1)} and the header {names:,}"
    return errors


def _alternating(off: Places, on: Places) -> NDArray[np.bool_]:
    """A mask of runs: off[0] times False, on[0] times True, off[1] times False ..."""
    return np.repeat(np.tile([False, True], len(off)), np.stack([off, on], axis=1).ravel())
