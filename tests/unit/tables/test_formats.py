from __future__ import annotations

import pytest

from dragoman.errors import BadTable
from dragoman.tables.formats import Format, format_of, looks_like_a_table, sniff


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.parquet", Format.PARQUET),
        ("dir/a.CSV", Format.CSV),
        ("a.tsv.gz", Format.TSV),
        ("a.jsonl", Format.JSONL),
        ("a.ndjson.gz", Format.JSONL),
        ("a.txt", None),
        ("a.gz", None),
        ("urls", None),
    ],
)
def test_a_name_tells_its_format(name: str, format: Format | None) -> None:
    assert format_of(name) is format


@pytest.mark.parametrize("name", ["a.parquet.gz", "a.parquet.zst", "a.csv.xz", "a.xlsx"])
def test_what_cannot_be_read_is_said_with_what_to_do(name: str) -> None:
    with pytest.raises(BadTable, match="unpack"):
        format_of(name)


def test_the_first_bytes_tell_the_format_where_the_name_does_not() -> None:
    assert sniff(b"PAR1\x00") is Format.PARQUET
    assert sniff(b"\xef\xbb\xbf\n {") is Format.JSONL
    assert sniff(b"http://a.de/{x}") is Format.TEXT
    assert sniff(b"") is Format.TEXT


def test_a_url_that_ends_like_a_file_is_no_file() -> None:
    assert looks_like_a_table("urls.csv.gz")
    assert not looks_like_a_table("http://a.de/urls.csv")
    assert not looks_like_a_table("www.example.org")
