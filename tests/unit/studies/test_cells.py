from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from dragoman.studies import cells
from dragoman.studies.cells import Arrays, Cells, code_version


def test_a_piece_is_made_once_and_read_ever_after(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> Arrays:
        made.append(1)
        return {"scores": np.arange(6, dtype=np.float32).reshape(2, 3), "name": np.array("ä")}

    for _ in range(2):
        pieces = Cells(tmp_path, {"seed": 0})
        found = pieces.compute("words/naive-bayes/1/0", make)
        assert found["scores"].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert found["scores"].dtype == np.float32
        assert str(found["name"]) == "ä"
    assert made == [1]
    assert pieces.has("words/naive-bayes/1/0")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_interrupted_piece_leaves_nothing_and_is_made_again(tmp_path: Path, error: type[BaseException]) -> None:
    pieces = Cells(tmp_path, {})

    def fail() -> Arrays:
        raise error

    with pytest.raises(error):
        pieces.compute("one", fail)
    assert not pieces.has("one")
    assert [path.name for path in pieces.folder.iterdir()] == ["recipe.json"]
    assert pieces.compute("one", lambda: {"a": np.array(1)})["a"] == 1


def test_what_was_finished_before_an_interrupt_is_kept(tmp_path: Path) -> None:
    def stop() -> Arrays:
        raise KeyboardInterrupt

    pieces = Cells(tmp_path, {})
    pieces.compute("one", lambda: {"a": np.array(1)})
    with pytest.raises(KeyboardInterrupt):
        pieces.compute("two", stop)
    assert Cells(tmp_path, {}).compute("one", stop)["a"] == 1


def test_pieces_of_an_older_version_of_the_code_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cells(tmp_path, {"seed": 0}).compute("piece", lambda: {"a": np.array(1)})
    monkeypatch.setattr(cells, "code_version", lambda: "another version")
    later = Cells(tmp_path, {"seed": 0})
    assert not later.has("piece")
    assert later.compute("piece", lambda: {"a": np.array(2)})["a"] == 2


def test_the_version_changes_with_the_code_that_makes_pieces_and_not_with_what_reads_them(tmp_path: Path) -> None:
    making = (
        "identifiers/model.py",
        "studies/x/plan.py",
        "studies/x/published.json",
        "studies/x/figures.py",
        "kernels/a.c",
    )
    for name in (*making, "studies/x/page.py", "report/html.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")

    def version_after(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return code_version.__wrapped__(tmp_path)

    first = version_after("studies/x/page.py", "2")
    assert version_after("report/html.py", "2") == version_after("studies/x/page.py", "3") == first
    versions = {version_after(name, "2") for name in making}
    assert len(versions | {first}) == len(making) + 1


def test_what_makes_pieces_imports_nothing_whose_changes_leave_them_as_they_are() -> None:
    """Else a piece made by older code could be used again."""
    studies = Path(cells.__file__).parent
    reading = "|".join(cells._READING_MODULES)
    for path in studies.rglob("*.py"):
        modules = {part.removesuffix(".py") for part in path.relative_to(studies).parts}
        if not modules & {*cells._READING_MODULES, "study"}:
            imported = re.findall(rf"^from dragoman\.studies\.(?:\w+\.)?({reading}) import", path.read_text(), re.M)
            assert not imported, path


def test_another_recipe_is_another_folder(tmp_path: Path) -> None:
    one, other = Cells(tmp_path, {"seed": 0, "data": "x"}), Cells(tmp_path, {"seed": 1, "data": "x"})
    one.compute("piece", lambda: {"a": np.array(1)})
    assert not other.has("piece")
    assert one.folder != other.folder
    assert Cells(tmp_path, {"data": "x", "seed": 0}).has("piece")
