from __future__ import annotations

import json
from pathlib import Path

import pytest
from tracking_quality import Tracking, changes, judge, letters_right, matched, read_tracked

from dragoman.errors import BadTable
from dragoman.types import Span

TEXT = "aaaa bbbb cccc"
TRUTH = [Span(0, 4, "de"), Span(5, 9, "en"), Span(10, 14, "de")]


def test_the_truth_itself_is_right_everywhere() -> None:
    found = judge(TEXT, TRUTH, TRUTH)
    assert (found.accuracy, found.f1) == (1.0, 1.0)
    assert (found.letters, found.boundaries) == (12, 2)


def test_letters_count_and_other_characters_do_not() -> None:
    assert letters_right("a1, b!", [Span(0, 6, "de")], [Span(0, 3, "de")]) == (2, 1)
    assert letters_right("ab", [Span(0, 2, "de")], []) == (2, 0)


def test_places_are_paired_once_and_only_near_ones() -> None:
    assert matched([10], [10, 11, 12]) == 1
    assert matched([10, 12], [11]) == 1
    assert matched([0, 100], [10, 111]) == 1
    assert matched([], [1]) == matched([1], []) == 0


def test_neighbours_of_the_same_language_are_no_change() -> None:
    assert changes([Span(0, 1, "de"), Span(2, 3, "de"), Span(4, 5, None)]) == [4]


def test_one_span_for_all_has_no_boundary_right() -> None:
    found = judge(TEXT, TRUTH, [Span(0, 14, "de")])
    assert found.f1 == 0.0
    assert found.accuracy == pytest.approx(8 / 12)


def test_no_boundary_where_there_is_none_is_right() -> None:
    one = [Span(0, 14, "de")]
    assert judge(TEXT, one, one).f1 == 1.0
    assert judge(TEXT, one, TRUTH).f1 == 0.0


def test_counts_of_documents_add_up() -> None:
    total = sum((judge(TEXT, TRUTH, TRUTH) for _ in range(3)), Tracking())
    assert (total.letters, total.right, total.matched) == (36, 36, 6)


def test_documents_are_read_and_bad_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = {"id": 1, "set": "s", "half": "judge", "text": TEXT, "spans": [[0, 4, "nb"], [5, 14, "de"]]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (found,) = read_tracked(path)
    assert found.spans[0] == Span(0, 4, "no")
    assert found.languages == {"no", "de"}
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(BadTable, match="line 1"):
        read_tracked(path)
