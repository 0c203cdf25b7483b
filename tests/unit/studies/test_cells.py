from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.studies.cells import Arrays, Cells


def test_a_piece_is_made_once_and_read_ever_after(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> Arrays:
        made.append(1)
        return {"scores": np.arange(6, dtype=np.float32).reshape(2, 3), "name": np.array("ä")}

    for _ in range(2):
        cells = Cells(tmp_path, {"seed": 0})
        found = cells.compute("words/naive-bayes/1/0", make)
        assert found["scores"].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert found["scores"].dtype == np.float32
        assert str(found["name"]) == "ä"
    assert made == [1]
    assert cells.has("words/naive-bayes/1/0")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_interrupted_piece_leaves_nothing_and_is_made_again(tmp_path: Path, error: type[BaseException]) -> None:
    cells = Cells(tmp_path, {})

    def fail() -> Arrays:
        raise error

    with pytest.raises(error):
        cells.compute("one", fail)
    assert not cells.has("one")
    assert [path.name for path in cells.folder.iterdir()] == ["recipe.json"]
    assert cells.compute("one", lambda: {"a": np.array(1)})["a"] == 1


def test_what_was_finished_before_an_interrupt_is_kept(tmp_path: Path) -> None:
    def stop() -> Arrays:
        raise KeyboardInterrupt

    cells = Cells(tmp_path, {})
    cells.compute("one", lambda: {"a": np.array(1)})
    with pytest.raises(KeyboardInterrupt):
        cells.compute("two", stop)
    assert Cells(tmp_path, {}).compute("one", stop)["a"] == 1


def test_another_recipe_is_another_folder(tmp_path: Path) -> None:
    one, other = Cells(tmp_path, {"seed": 0, "data": "x"}), Cells(tmp_path, {"seed": 1, "data": "x"})
    one.compute("piece", lambda: {"a": np.array(1)})
    assert not other.has("piece")
    assert one.folder != other.folder
    assert Cells(tmp_path, {"data": "x", "seed": 0}).has("piece")
