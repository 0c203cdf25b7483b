from __future__ import annotations

import csv
import io
import random

import numpy as np
import pytest

from dragoman.tables import delimited
from dragoman.tables.delimited import DelimitedRows, scan

NAMES = ("url", "id", "note")


def records(text: bytes, names: tuple[str, ...] = NAMES) -> DelimitedRows:
    return DelimitedRows.of(text, names, names[0], b",")


def inserted(given: DelimitedRows, tails: list[bytes]) -> bytes:
    lengths = np.array([len(tail) for tail in tails], np.int64)
    return given.with_fields(np.frombuffer(b"".join(tails), np.uint8), lengths)


def test_fields_are_read_as_the_csv_module_reads_them() -> None:
    rng = random.Random(4)
    for _ in range(200):
        rows = [
            ["".join(rng.choice('ab,"\n ') for _ in range(rng.randrange(6))) + "x" for _ in NAMES]
            for _ in range(rng.randrange(1, 6))
        ]
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator=rng.choice(["\n", "\r\n"])).writerows(rows)
        found = records(text.getvalue().encode())
        assert [list(row) for row in zip(*(found.texts(column) for column in range(3)), strict=True)] == rows
        assert not found.errors


def test_new_fields_are_inserted_and_nothing_else_changes() -> None:
    given = records(b'a,00123,"x, ""y"""\r\n"b\nb",,\n\nc,1.10,\xff\x00\n')
    out = inserted(given, [b",1", b",2", b",3"])
    assert out == b'a,00123,"x, ""y""",1\r\n"b\nb",,,2\n\nc,1.10,\xff\x00,3\n'


def test_a_ragged_row_keeps_its_columns_in_line_and_says_so() -> None:
    given = records(b"a,1,2\nb,1,2,3\nc\nd,1,2\n")
    assert given.errors == {1: "line 2 has 4 fields and the header 3", 2: "line 3 has 1 field and the header 3"}
    assert given.plain().values == [b"a", b"", b"", b"d"]
    assert inserted(given, [b",A", b",", b",", b",D"]) == b"a,1,2,A\nb,1,2,,3\nc,,,\nd,1,2,D\n"


def test_a_stray_quote_spoils_no_row_but_its_own() -> None:
    given = records(b'a"a,1,2\n"b,1,2\n"c",1,2\nd,"1"x,2\ne,1,2\n')
    assert given.texts(0) == ['a"a', '"b', "c", "d", "e"]
    assert given.errors == {1: "line 2 has a quote that is not closed", 3: "line 4 has a quote that is not closed"}
    assert given.plain().values == [b'a"a', b"", b"c", b"", b"e"]


def test_an_unclosed_quote_is_no_fault_in_tsv_which_has_no_quotes() -> None:
    given = DelimitedRows.of(b'a\t"Titel" von x\n"b\t"c\n', ("url", "title"), "url", b"\t")
    assert not given.errors
    assert given.texts(1) == ['"Titel" von x', '"c']


@pytest.mark.parametrize("row", [b'"', b'"' * 3, b'"a"b"', b'"a" "b"', b'x,1,"', b'"a""', b'"x,1,2'])
def test_every_way_to_leave_a_quote_open_is_told_and_spoils_one_row(row: bytes) -> None:
    given = records(b'first,"1,1",2\n' + row + b'\n"last","1,1",""\n')
    assert list(given.errors) == [1]
    assert "quote that is not closed" in given.errors[1]
    assert [given.texts(0)[0], given.texts(0)[2]] == ["first", "last"]
    assert given.texts(1)[2] == "1,1"


def test_taking_the_new_fields_out_of_a_bad_row_gives_its_bytes_back() -> None:
    rows = [b"c", b'"c', b"c,", b",,,,", b"b,1,2,3", b'"b"x,1,2', b"\xff\xfe,", b'b,1,2,"3,""3"']
    for row in rows:
        given = records(row + b"\r\n")
        assert len(given.errors) == 1
        out = inserted(given, [b",,"])
        fields = int(given.count[0]) + 1
        end = given.bounds(2)[1][0] if fields > 3 else len(row)
        assert out == row[:end] + b"," * (max(3 - fields, 0) + 2) + row[end:] + b"\r\n"


def test_a_bad_row_stays_bad_when_columns_are_taken_out() -> None:
    given = DelimitedRows.of(b'1,a,"x\n2,b\n3,c,y\n', ("p", "url", "q"), "url", b",", line=7)
    left = given.without({2}, 7)
    assert left.data == b"1,a\n2,b\n3,c\n"
    assert left.errors == {0: "line 7 has a quote that is not closed", 1: "line 8 has 2 fields and the header 3"}


def test_a_quote_that_is_never_closed_swallows_nothing() -> None:
    given = records(b'a,1,2\n"b,1,2\nc,1,2\n')
    assert given.texts(0) == ["a", '"b', "c"]


def test_a_quoted_field_that_goes_on_behind_the_block_waits_for_the_rest() -> None:
    whole = b'a,1,"one\ntwo"\nb,1,2\n'
    for place in range(len(whole)):
        cut = scan(whole[:place], b",", final=False)[2]
        assert cut in (0, len(b'a,1,"one\ntwo"\n'))


def test_a_quote_open_for_too_long_is_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "LONGEST_QUOTED", 20)
    data = b'"a,1\n' + b"b,1\n" * 20
    assert scan(data, b",", final=False)[2] > 0
    closed = DelimitedRows.of(b'u,"a\n' + b"b,1\n" * 20 + b'"\n', ("url", "n"), "url", b",")
    assert not closed.errors
    places = scan(data, b",", final=False)
    rows = DelimitedRows.of(data[: places[2]], ("url", "n"), "url", b",", places=(places[0], places[1], places[3]))
    assert rows.errors == {0: "line 1 has a quote that is not closed within 20 bytes"}


def test_columns_can_be_taken_out() -> None:
    given = DelimitedRows.of(b'1,"a,b",x,2\n3,c,y,4\n', ("p", "url", "q", "r"), "url", b",")
    assert given.without({0}, 1).data == b'"a,b",x,2\nc,y,4\n'
    assert given.without({2, 3}, 1).data == b'1,"a,b"\n3,c\n'
    assert given.without({0, 2}, 1).names == ("url", "r")
    first = DelimitedRows.of(b"1,2,u\n", ("p", "q", "url"), "url", b",")
    assert first.without({0, 1}, 1).data == b"u\n"


def test_no_rows_are_no_trouble() -> None:
    given = records(b"")
    assert len(given) == 0
    assert given.plain().values == []
    assert inserted(given, []) == b""
