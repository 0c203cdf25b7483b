"""Judges of the same URLs: which are drawn, the paper's measures of each, and how they agree."""

from __future__ import annotations

from collections import Counter

import pytest

from dragoman.evaluate.judges import compare_judges, even_rows
from dragoman.measures import plain

CHOICES = ("en", "de", "fr")
LABELS = (*["en"] * 20, *["de"] * 6, *["fr"] * 2)


def urls(languages: list[str]) -> list[tuple[str, str]]:
    return [(f"http://{number}.org/", language) for number, language in enumerate(languages)]


def test_rows_are_drawn_evenly_and_others_fill_up() -> None:
    rows = even_rows(LABELS, 12, seed=0)
    assert Counter(LABELS[row] for row in rows) == {"en": 5, "de": 5, "fr": 2}
    assert len(set(rows)) == 12


def test_rows_as_they_come_follow_the_labels() -> None:
    assert Counter(LABELS[row] for row in even_rows(LABELS, 28, seed=0, evenly=False)) == Counter(LABELS)


def test_the_seed_decides_which_rows_and_in_which_order() -> None:
    first, again, other = (even_rows(LABELS, 9, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [LABELS[row] for row in first] != sorted(LABELS[row] for row in first)
    assert even_rows((), 3, seed=1) == []


def test_figures_are_the_papers_measures() -> None:
    truths = ["en", "en", "de", "de", "fr", "fr"]
    person = ["en", "de", "de", "de", None, "fr"]
    result = compare_judges(urls(truths), {"you": person, "model": truths}, CHOICES, rounds=100)
    you, model = result["judges"]["you"], result["judges"]["model"]
    assert you["accuracy"].value == pytest.approx(4 / 6)
    assert you["right"] == 4
    assert you["recall"].value == pytest.approx((0.5 + 1 + 0.5) / 3)
    # en: R .5, no false alarm, F 2/3. de: R 1, p(-|-) 3/4, P .8, F 8/9. fr: R .5, F 2/3.
    assert [row["you"] for row in result["languages"]] == pytest.approx([2 / 3, 8 / 9, 2 / 3])
    assert you["macro_f"].value == pytest.approx((2 / 3 + 8 / 9 + 2 / 3) / 3)
    assert (model["macro_f"].value, model["accuracy"].value) == (1, 1)
    assert you["accuracy"].low < you["accuracy"].value < you["accuracy"].high
    assert 0 < result["correlations"][0]["value"].value < 1
    assert you["languages"] == {}, "two URLs say nothing about a language"


def test_a_language_with_enough_urls_has_its_recall() -> None:
    said = ["en", "en", "en", "en", "de", "de"]
    row = compare_judges(urls(["en"] * 5 + ["de"]), {"you": said}, CHOICES, rounds=20)["judges"]["you"]
    assert (row["languages"]["en"]["n"], row["languages"]["en"]["recall"].value) == (5, 0.8)
    assert row["languages"]["en"]["recall"].low < 0.8 < row["languages"]["en"]["recall"].high


def test_two_judges_who_say_the_same_agree_wholly() -> None:
    said = ["en", "de", None]
    result = compare_judges(urls(["en", "de", "fr"]), {"a": said, "b": said, "c": [None] * 3}, CHOICES, rounds=20)
    assert [row["judges"] for row in result["correlations"]] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert result["correlations"][0]["value"].value == pytest.approx(1)
    assert plain(result)["correlations"][1]["value"] is None, "who says nothing correlates with nobody"
