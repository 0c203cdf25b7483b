from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import BadTable
from dragoman.tables.parquet.folders import Folder

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'dragoman[remote]'")


@pytest.fixture(params=["path", "file", "local", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    """A folder that is not there yet: on the disk by three names, and in a file system of somebody else's."""
    path = tmp_path / "a" / "b"
    name = {"path": str(path), "file": f"file://{path}", "local": f"local://{path}", "memory": f"memory://{path}/"}
    return Folder(name[request.param])


def test_files_are_found_below_a_folder_by_their_paths_in_it(folder: Folder) -> None:
    assert (folder.files(), folder.parts(), folder.read("x=1/a.parquet")) == ([], [], None)
    for path in ("x=1/a.parquet", "_note.json", "x=2/b.txt", "x=1/.hidden.parquet", "_temporary/c.parquet"):
        folder.write(path, path.encode())
    assert folder.files() == sorted(
        ["_note.json", "_temporary/c.parquet", "x=1/.hidden.parquet", "x=1/a.parquet", "x=2/b.txt"]
    )
    assert folder.parts() == ["x=1/a.parquet"]
    assert folder.read("_note.json") == b"_note.json"
    with folder.here("x=1/a.parquet") as path:
        assert Path(path).read_bytes() == b"x=1/a.parquet"


def test_a_file_is_there_when_it_is_whole_and_not_before(folder: Folder) -> None:
    with folder.new("x/a.parquet") as stream:
        stream.write(b"half")
        assert folder.parts() == []
    with pytest.raises(TypeError), folder.new("x/a.parquet") as stream:
        stream.writelines([b"other", None])  # type: ignore[list-item]
    assert folder.files() == ["x/a.parquet"]
    assert folder.read("x/a.parquet") == b"half"


def test_what_a_killed_run_left_is_swept_away(folder: Folder) -> None:
    for path in ("x/a.parquet", "x/.a.parquet.1f.part", ".b.parquet.2e.part", "x/c.part"):
        folder.write(path, b"")
    folder.sweep()
    assert folder.files() == ["x/a.parquet", "x/c.part"]


def test_a_file_that_is_not_there_is_named(folder: Folder) -> None:
    if "://" in folder.name and not folder.name.startswith("file://"):
        with pytest.raises(BadTable, match=r"No such file: '.*b/+x\.parquet'"), folder.here("x.parquet"):
            pass
