from __future__ import annotations

import numpy as np
import pytest

from dragoman.types import Contribution, Prediction, Scores

NAN = float("nan")


def scores(rows: list[list[float]], languages: tuple[str, ...] = ("de", "en", "fr")) -> Scores:
    return Scores(languages, np.array(rows, np.float32).reshape(-1, len(languages)))


def test_best_is_the_first_of_the_highest() -> None:
    assert scores([[1, 2, 3], [3, 3, 1], [-3, -1, -2]]).best.tolist() == [2, 0, 1]


def test_there_is_no_best_without_a_score_or_where_all_score_the_same() -> None:
    assert scores([[NAN, NAN, NAN], [2, 2, 2], [0, 0, 0]]).best.tolist() == [-1, -1, -1]


def test_a_single_language_is_the_best_wherever_it_has_a_score() -> None:
    assert scores([[-1], [0], [NAN]], ("de",)).best.tolist() == [0, 0, -1]


def test_no_rows_and_no_languages_have_no_best() -> None:
    assert scores([]).best.tolist() == []
    assert Scores((), np.empty((2, 0), np.float32)).best.tolist() == [-1, -1]


def test_yes_is_above_zero() -> None:
    assert scores([[1, 0, -1], [NAN, NAN, NAN], [1, 1, 0]]).yes.tolist() == [
        [True, False, False],
        [False, False, False],
        [True, True, False],
    ]


def test_restricted_takes_columns_in_the_given_order() -> None:
    found = scores([[1, 2, 3], [4, 5, 6]]).restricted(["fr", "de"])
    assert found.languages == ("fr", "de")
    assert found.matrix.tolist() == [[3, 1], [6, 4]]
    assert found.matrix.flags.c_contiguous
    with pytest.raises(ValueError, match="not in tuple"):
        scores([[1, 2, 3]]).restricted(["it"])


def test_scores_have_the_length_of_their_rows() -> None:
    assert len(scores([[1, 2, 3], [4, 5, 6]])) == 2


def test_values_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Prediction("de", 0.5).language = "en"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Contribution("haus", "de", 1.0).weight = 2.0  # type: ignore[misc]
    assert Prediction("de", 0.5).scores == {}
