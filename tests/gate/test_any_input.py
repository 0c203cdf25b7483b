"""What must hold for the model that ships: no bytes are refused as a URL, and no altered file is taken for a model."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import dragoman
from dragoman.cli.main import cli
from dragoman.errors import BadModel
from dragoman.identifiers import model_file as store
from dragoman.identifiers.models import shipped

ROWS = 1000


@pytest.fixture(scope="module")
def rows() -> list[bytes]:
    """Random bytes; every second row begins like a web address, so that it is read further than its first byte."""
    draw = random.Random(1)
    starts = (b"", b"http://")
    return [starts[number % 2] + draw.randbytes(draw.randrange(300)) for number in range(ROWS)]


def test_a_thousand_rows_of_random_bytes_give_a_thousand_answers(rows: list[bytes]) -> None:
    found = dragoman.identify(rows)
    assert len(found) == ROWS
    for one in found:
        assert one.probability is None or 0 <= one.probability <= 1
        assert one.language is None or one.probability is not None
    assert [dragoman.identify(row).language for row in rows[:100]] == [one.language for one in found[:100]]


def test_a_file_of_random_bytes_gives_a_line_per_line(rows: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(b"".join(row.replace(b"\n", b"") + b"\n" for row in rows))
    result = CliRunner().invoke(cli, ["url", str(path), "--input-format", "text", "--format", "jsonl"])
    assert result.exit_code == 0, result.output
    assert len([json.loads(line) for line in result.stdout.rstrip("\n").split("\n")]) == ROWS


def test_a_column_of_random_bytes_gives_a_row_per_row(rows: list[bytes], tmp_path: Path) -> None:
    path, out = tmp_path / "urls.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"url": pa.array(rows, pa.binary())}), path)
    result = CliRunner().invoke(cli, ["url", str(path), "-o", str(out)])
    assert result.exit_code == 0, result.output
    written = pq.read_table(out)
    assert written.num_rows == ROWS
    assert written.column("url").to_pylist() == rows


@pytest.mark.slow
def test_the_model_that_ships_is_refused_with_any_single_byte_altered() -> None:
    content = bytearray(shipped()["default"].read_bytes())
    draw = random.Random(2)
    start, end = range(64), range(len(content) - store.DIGEST, len(content), 4)
    inside = [draw.randrange(len(content)) for _ in range(100)]
    for place in (*start, *end, *inside):
        whole, content[place] = content[place], content[place] ^ (1 << draw.randrange(8))
        with pytest.raises(BadModel, match=r"not a Dragoman model|format version|digest"):
            store.read_header(content)
        content[place] = whole
    assert store.from_bytes(content).languages_ == dragoman.load_model().languages_


def test_an_altered_file_is_refused_by_name(tmp_path: Path) -> None:
    content = bytearray(shipped()["default"].read_bytes())
    content[len(content) // 2] ^= 1
    path = tmp_path / "altered.dragoman"
    path.write_bytes(content)
    with pytest.raises(BadModel, match=r"altered\.dragoman' is damaged"):
        dragoman.load_model(path)
