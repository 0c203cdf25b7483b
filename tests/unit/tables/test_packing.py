from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from dragoman.errors import BadTable
from dragoman.tables.output import output
from dragoman.tables.read import open_source, pieces

TEXT = b"http://a.de/\nhttp://b.fr/\n" * 5000


def zstd(data: bytes) -> bytes:
    packed = pa.compress(data, "zstd", asbytes=True)
    assert isinstance(packed, bytes)
    return packed


def rows(path: Path) -> int:
    return sum(len(piece) for piece in pieces(open_source(str(path))))


PACKERS = pytest.mark.parametrize("pack", [gzip.compress, zstd])


@PACKERS
def test_a_packed_file_is_known_by_its_bytes_whatever_its_name(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(pack(TEXT))
    assert rows(path) == 10_000


@PACKERS
def test_packed_parts_that_follow_each_other_are_one_file(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "urls.txt.gz"
    path.write_bytes(pack(TEXT) + pack(TEXT))
    assert rows(path) == 20_000


@PACKERS
def test_a_packed_file_that_is_damaged_or_cut_off_is_refused(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "urls.txt.gz"
    whole = pack(TEXT)
    for damaged in (
        whole[:-3],
        whole[: len(whole) // 2],
        whole[:5],
        whole + b"more",
        whole[:12] + b"????" + whole[16:],
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadTable, match="damaged or cut off"):
            rows(path)


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "txt.zst"])
def test_what_is_packed_by_its_name_comes_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    with output(str(path)) as stream:
        stream.write(TEXT)
        stream.flush()
        stream.write(TEXT)
    assert rows(path) == 20_000
    assert (path.stat().st_size < len(TEXT)) == (ending != "txt")
    before = path.read_bytes()
    with output(str(path)) as stream:
        stream.write(TEXT + TEXT)
    if ending == "txt.zst":
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
    elif ending == "txt":
        assert path.read_bytes() == before


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "txt.zst"])
def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    path.write_bytes(b"before")

    def fail() -> None:
        with output(str(path)) as stream:
            stream.write(TEXT)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
