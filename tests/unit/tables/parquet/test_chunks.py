from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.columns import AnswerColumns
from dragoman.tables.parquet import chunks, thrift
from dragoman.tables.parquet.chunks import encode, joined
from dragoman.tables.parquet.reading import ROWS
from dragoman.tables.parquet.splice import Splice, footer_of
from dragoman.tables.read import open_source, pieces

SILENT, GERMAN = -1, 0
LANGUAGES = ("de", "fr", "zu")


def added(codes: list[int]) -> AnswerColumns:
    probability = np.array([np.nan if code < 0 else 0.5 + code / 10 for code in codes], np.float32)
    return AnswerColumns(LANGUAGES, np.array(codes), probability)


def spliced(folder: Path, parts: list[AnswerColumns]) -> bytes:
    """A file of one row group to whose rows these parts were added."""
    path, out = folder / "in.parquet", io.BytesIO()
    rows = sum(len(part.language) for part in parts)
    pq.write_table(pa.table({"url": ["http://a.de/"] * rows}), path)
    footer = footer_of(str(path))
    assert footer is not None
    writer = Splice(out, str(path), footer)
    for part in parts:
        writer.write(encode(part))
    writer.close()
    return out.getvalue()


PARTS = [
    [[SILENT] * 3, [GERMAN, 2], [1]],
    [[2, 2], [SILENT], [SILENT, GERMAN, 1] * 30_000],
    [[SILENT], [SILENT, SILENT]],
    [[1]],
]


@pytest.mark.parametrize("codes", PARTS)
def test_pieces_encoded_apart_are_read_as_one_column(tmp_path: Path, codes: list[list[int]]) -> None:
    whole = added([code for part in codes for code in part])
    made = pq.ParquetFile(io.BytesIO(spliced(tmp_path, [added(part) for part in codes])))
    table = made.read()
    assert table["language"].to_pylist() == whole.tags()
    assert table["probability"].to_pylist() == whole.arrow()["probability"].to_pylist()
    table.validate(full=True)
    column = made.metadata.row_group(0).column(1)
    known = [tag for tag in whole.tags() if tag is not None]
    assert column.statistics.null_count == whole.tags().count(None)
    assert column.statistics.has_min_max == bool(known)
    if known:
        assert (column.statistics.min, column.statistics.max) == (min(known), max(known))


@pytest.mark.parametrize("codes", PARTS)
def test_the_footer_tells_the_sizes_that_the_pages_have(tmp_path: Path, codes: list[list[int]]) -> None:
    made = spliced(tmp_path, [added(part) for part in codes])
    group = pq.ParquetFile(io.BytesIO(made)).metadata.row_group(0)
    for number in (1, 2):
        column = group.column(number)
        at = column.dictionary_page_offset if column.has_dictionary_page else column.data_page_offset
        end, unpacked, values, dictionaries = at + column.total_compressed_size, 0, 0, 0
        while at < end:
            header, length = thrift.read_first(made[at:])
            unpacked += length + header.field(2)
            at += length + header.field(3)
            dictionaries += 7 in header.value
            values += header[5].field(1) if 5 in header.value else 0
        assert at == end
        assert (unpacked, values) == (column.total_uncompressed_size, column.num_values)
        assert dictionaries == column.has_dictionary_page


def test_yes_or_no_and_extra_values_are_joined_too(tmp_path: Path) -> None:
    yes = np.array([True, False])
    half = np.array([0.5, np.nan], np.float32)
    parts = [AnswerColumns.decisions(yes, half, {"scores": [{"de": number}, None]}) for number in (1, 2)]
    made = pq.ParquetFile(io.BytesIO(spliced(tmp_path, parts)))
    found = made.read()
    assert found["wanted"].to_pylist() == [True, False] * 2
    assert found["probability"].to_pylist() == [0.5, None] * 2
    assert found["scores"].to_pylist() == ['{"de": 1}', None, '{"de": 2}', None]
    statistics = made.metadata.row_group(0).column(1).statistics
    assert (statistics.min, statistics.max) == (False, True)


def test_pages_that_mean_other_dictionaries_are_never_joined() -> None:
    other = AnswerColumns(("fr", "de", "zu"), np.array([0]), np.array([0.5], np.float32))
    with pytest.raises(AssertionError):
        joined([encode(added([GERMAN])), encode(other)], 4)


def test_what_is_joined_does_not_change_what_was_encoded() -> None:
    parts = [encode(added([GERMAN, SILENT])), encode(added([2]))]
    before = [thrift.write(part.footer) for part in parts]
    first = joined(parts, 100)
    assert [thrift.write(part.footer) for part in parts] == before
    again = joined(parts, 100)
    assert first[0] == again[0]
    assert list(map(thrift.write, first[1])) == list(map(thrift.write, again[1]))
    assert first[1][0][chunks.META].field(chunks.DICTIONARY_PAGE) == 100


def test_the_last_rows_of_a_file_come_in_smaller_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"url": [f"http://a.de/{n}" for n in range(4 * ROWS + 5)]}), path)
    sizes = [len(piece) for piece in pieces(open_source(str(path)))]
    assert sizes == [ROWS] * 3 + [ROWS // 4] * 4 + [5]
