from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dragoman import columns as module
from dragoman.columns import LONG_ROWS, ByteColumn, cut_out
from dragoman.errors import MissingExtra

ROWS = ["http://a.de/", "", "http://b.fr/é", "c"]
AS_BYTES = [row.encode() for row in ROWS]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view()])
def test_every_type_of_arrow_column_gives_the_same_rows(kind: Any) -> None:
    column = pa.array(AS_BYTES, pa.binary()).cast(kind)
    assert list(ByteColumn.of(column)) == AS_BYTES
    assert list(ByteColumn.of(pa.chunked_array([column, column]))) == AS_BYTES * 2


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
def test_slices_with_offsets_keep_to_their_rows(kind: Any) -> None:
    column = pa.array(AS_BYTES, pa.binary()).cast(kind)
    for start in range(len(ROWS) + 1):
        for stop in range(start, len(ROWS) + 1):
            assert list(ByteColumn.of(column[start:stop])) == AS_BYTES[start:stop]
    assert list(ByteColumn.of(column[1:][1:])) == AS_BYTES[2:]
    pieces = pa.chunked_array([column[:1], column[1:1], column[1:3], column[3:]])
    assert list(ByteColumn.of(pieces)) == AS_BYTES
    assert list(ByteColumn.of(pieces[2:])) == AS_BYTES[2:]


def test_nulls_are_empty() -> None:
    assert list(ByteColumn.of(pa.array(["a", None, "b"]))) == [b"a", b"", b"b"]
    assert list(ByteColumn.of(pa.array([None, None], pa.string()))) == [b"", b""]
    assert list(ByteColumn.of(pa.array([None, None]))) == [b"", b""]
    assert list(ByteColumn.of([None, "a"])) == [b"", b"a"]


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string(), pa.large_binary()])
def test_the_bytes_under_a_null_are_not_read(kind: Any) -> None:
    full = pa.array(["a", "hidden", "b"], kind)
    validity = pa.py_buffer(bytes([0b101]))
    masked = pa.Array.from_buffers(kind, 3, [validity, *full.buffers()[1:]])
    assert list(ByteColumn.of(masked)) == [b"a", b"", b"b"]
    assert list(ByteColumn.of(masked[1:])) == [b"", b"b"]
    assert list(ByteColumn.of(pa.chunked_array([masked, full]))) == [b"a", b"", b"b", b"a", b"hidden", b"b"]


def test_dictionaries_are_read() -> None:
    column = pa.array([*ROWS, None, *ROWS]).dictionary_encode()
    assert list(ByteColumn.of(column)) == [*AS_BYTES, b"", *AS_BYTES]
    assert list(ByteColumn.of(column[3:6])) == [b"c", b"", AS_BYTES[0]]
    assert list(ByteColumn.of(pa.chunked_array([column, column[:1]]))) == [*AS_BYTES, b"", *AS_BYTES, AS_BYTES[0]]


@pytest.mark.parametrize("column", [pa.array([], pa.string()), pa.chunked_array([], pa.string()), [], iter(())])
def test_no_rows_are_a_batch_too(column: Any) -> None:
    found = ByteColumn.of(column)
    assert len(found) == 0
    assert list(found) == []
    assert found.offsets.tolist() == [0]


def test_binaries_need_not_be_utf_8() -> None:
    rows = [b"\xff\xfe", b"\x00", bytes(range(256))]
    assert list(ByteColumn.of(pa.array(rows, pa.binary()))) == rows
    assert list(ByteColumn.of(pa.chunked_array([pa.array(rows, pa.binary())] * 2))) == rows * 2


def test_an_arrow_column_shares_its_bytes() -> None:
    column = pa.array(ROWS)
    found = ByteColumn.of(column)
    assert found.data.ctypes.data == column.buffers()[2].address


def test_anything_that_speaks_arrow_is_read() -> None:
    class Speaker:
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return pa.array(ROWS).__arrow_c_array__(requested_schema)

    class Streamer:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return pa.chunked_array([ROWS[:1], ROWS[1:]]).__arrow_c_stream__(requested_schema)

    assert list(ByteColumn.of(Speaker())) == AS_BYTES
    assert list(ByteColumn.of(Streamer())) == AS_BYTES


def test_a_batch_is_its_own_batch() -> None:
    found = ByteColumn.from_rows(ROWS)
    assert ByteColumn.of(found) is found


def test_text_and_bytes_and_lone_surrogates_become_bytes() -> None:
    assert list(ByteColumn.from_rows(["é", b"\xe9", "\ud800", None])) == ["é".encode(), b"\xe9", b"\xed\xa0\x80", b""]


@pytest.mark.parametrize("url", ["http://a.de/", b"http://a.de/"])
def test_one_url_is_no_list(url: str | bytes) -> None:
    with pytest.raises(TypeError, match=r"\[url\]"):
        ByteColumn.of(url)


def test_take_gives_rows_in_any_order() -> None:
    found = ByteColumn.from_rows(ROWS)
    assert list(found.take([3, 0, 0, 1, 2])) == [AS_BYTES[row] for row in (3, 0, 0, 1, 2)]
    assert list(found.take([])) == []
    assert list(found.take(np.array([1, 1]))) == [b"", b""]
    assert list(ByteColumn.of(pa.array(["before", *ROWS])[1:]).take([2])) == [AS_BYTES[2]]
    assert list(found.slice(2, 4).take([1, 0])) == [AS_BYTES[3], AS_BYTES[2]]


def test_slices_of_a_batch_share_its_bytes() -> None:
    found = ByteColumn.from_rows(ROWS)
    for start in range(len(ROWS) + 1):
        for stop in range(len(ROWS) + 2):
            assert list(found.slice(start, stop)) == AS_BYTES[start:stop]
    assert found.slice(1, 3).data is found.data


def test_without_pyarrow_an_arrow_column_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(extra: str, name: str) -> Any:
        raise MissingExtra(extra, name)

    monkeypatch.setattr(module, "need", missing)
    with pytest.raises(MissingExtra, match=r"dragoman\[bulk\]"):
        ByteColumn.of(pa.array(ROWS))


def test_long_rows_are_cut_out_without_a_number_for_each_of_their_bytes() -> None:
    rows = [b"short", b"", b"a" * 4_000_000, b"end"]
    column = ByteColumn.from_rows(rows)
    tracemalloc.start()
    taken = column.take([3, 2, 0, 2])
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert list(taken) == [rows[3], rows[2], rows[0], rows[2]]
    assert highest < 3 * 8_000_000


@pytest.mark.parametrize("length", [1, LONG_ROWS - 1, LONG_ROWS, LONG_ROWS + 1])
def test_rows_are_the_same_whether_they_are_copied_one_by_one_or_together(length: int) -> None:
    data = np.arange(2 * length + 3, dtype=np.uint8)
    starts, lengths = np.array([3, 0, length]), np.array([length, length, length])
    found = list(cut_out(data, starts, lengths))
    assert found == [data[start : start + length].tobytes() for start in starts.tolist()]
    assert list(cut_out(data, starts[:0], lengths[:0])) == []
