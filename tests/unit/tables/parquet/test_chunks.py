from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.columns import AnswerColumns
from dragoman.tables.parquet import chunks
from dragoman.tables.parquet.chunks import encode
from dragoman.tables.parquet.reading import ROWS
from dragoman.tables.parquet.splice import Splice, footer_of
from dragoman.tables.pieces import Lines
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
        writer.write(writer.encode(Lines([]), part))
    writer.close()
    return out.getvalue()


PARTS = [
    [[SILENT] * 3, [GERMAN, 2], [1]],
    [[2, 2], [SILENT], [SILENT, GERMAN, 1] * 30_000],
    [[SILENT], [SILENT, SILENT]],
    [[1]],
]


@pytest.mark.parametrize("codes", PARTS)
def test_pieces_judged_apart_are_read_as_one_column(tmp_path: Path, codes: list[list[int]]) -> None:
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


def test_chunks_tell_where_they_lie_and_no_other_places(tmp_path: Path) -> None:
    table = pa.table(added([GERMAN, SILENT, 2]).arrow(coded=True))
    new = encode(table, True, 100)
    first, second = (chunk[chunks.META] for chunk in new.chunks)
    assert first.field(chunks.DICTIONARY_PAGE) == 100
    assert second.field(chunks.DATA_PAGE) == 100 + first.field(chunks.PACKED)
    assert len(new.body) == first.field(chunks.PACKED) + second.field(chunks.PACKED)


def test_the_last_rows_of_a_file_come_in_smaller_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"url": [f"http://a.de/{n}" for n in range(4 * ROWS + 5)]}), path)
    sizes = [len(piece) for piece in pieces(open_source(str(path)))]
    assert sizes == [ROWS] * 3 + [ROWS // 4] * 4 + [5]
