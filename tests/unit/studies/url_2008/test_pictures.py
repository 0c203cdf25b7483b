from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.pictures import right_answers, share_ticks, tree_plot

pytest.importorskip("matplotlib")

#: "de" in the host: yes leads to node 2, which says German; no to node 1, which asks again and twice says no.
TREE: Arrays = {
    "feature": np.array([3, 4, -1, -1, -1]),
    "left": np.array([1, 3, 0, 0, 0]),
    "right": np.array([2, 4, 0, 0, 0]),
    "threshold": np.array([0.5, 1.5, 0, 0, 0]),
    "value": np.array([0, 0, 0.9, 0.1, 0.5]),
    "names": np.array(["host code de", "$trained$ de", "", "", ""]),
    "positives": np.array([10, 2, 8, 2, 0]),
    "negatives": np.array([10, 8, 2, 5, 3]),
}


def test_the_success_ratio_counts_right_answers() -> None:
    assert right_answers(TREE, 2) == 8
    assert right_answers(TREE, 1) == 5 + 3
    assert right_answers(TREE, 0) == 16


def test_a_tree_is_drawn_as_sound_svg_and_the_same_every_time() -> None:
    drawn = tree_plot(TREE, "German")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")  # noqa: S314  (our own output)
    assert drawn == tree_plot(TREE, "German")


def test_shares_are_ticked_in_percent_and_many_of_them_at_powers_of_ten() -> None:
    assert share_ticks([0.01, 0.1, 1.0, 0.01]) == {0.01: "1 %", 0.1: "10 %", 1.0: "100 %"}
    assert list(share_ticks([0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0])) == [0.001, 0.01, 0.1, 1.0]
