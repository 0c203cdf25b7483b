"""New files appear whole or not at all, and nothing else in the package renames one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dragoman
from dragoman.files import is_unfinished, new_file, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_there_when_it_is_whole_and_not_before(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with new_file(target) as stream:
        stream.write(b"new")
        assert target.read_text() == "old"
        assert [is_unfinished(name) for name in names(tmp_path)] == [True, False]
    assert target.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interrupt_leaves_the_old_file_and_no_rest(tmp_path: Path, error: type[BaseException]) -> None:
    target = write_whole(tmp_path / "a.txt", "old")

    def stopped() -> Iterator[bytes]:
        yield b"half"
        raise error

    with pytest.raises(error), new_file(target) as stream:
        stream.writelines(stopped())
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_what_cannot_be_written_leaves_no_rest(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a.txt", 3)  # type: ignore[arg-type]
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "x")
    assert names(tmp_path) == ["folder"]


def test_a_folder_that_is_not_there_is_named_and_not_the_unfinished_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, new_file(tmp_path / "no" / "out.csv"):
        pytest.fail("there is nowhere to write")
    assert caught.value.filename == str(tmp_path / "no")


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    assert write_whole(tmp_path / "new", "").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(write_whole(tmp_path / "there", "old"))
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "there").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path: Path) -> None:
    name = "é" * 120
    assert write_whole(tmp_path / name, "x").read_text() == "x"


def test_a_remote_file_appears_whole_too() -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'dragoman[remote]'")
    system = fsspec.filesystem("memory")
    with new_file("memory://files/deep/a.txt") as stream:
        stream.write(b"new")
        assert not system.exists("/files/deep/a.txt")
    with pytest.raises(KeyboardInterrupt), new_file("memory://files/deep/a.txt"):
        raise KeyboardInterrupt
    assert [path.rpartition("/")[2] for path in system.find("/files")] == ["a.txt"]
    assert system.cat("/files/deep/a.txt") == b"new"


def test_no_other_module_renames_files() -> None:
    root = Path(dragoman.__file__).parent
    renames = re.compile(
        r"os\.(replace|rename)\(|(part|temporary|unfinished|path|target)\.(replace|rename)\(|mkstemp\("
    )
    others = {str(path.relative_to(root)) for path in root.rglob("*.py") if renames.search(path.read_text("utf-8"))}
    assert others == {"files.py"}
