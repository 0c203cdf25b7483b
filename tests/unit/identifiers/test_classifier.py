from __future__ import annotations

import json
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa
import pytest

from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.classifier import Classifier, Labels, balanced_rows, encode_labels, rows_by_language
from dragoman.identifiers.model_file import to_bytes


def test_languages_come_in_alphabetical_or_in_the_given_order() -> None:
    languages, truth = encode_labels(["fr", "de", "fr", None, ""], 5)
    assert (languages, truth.tolist()) == (("de", "fr"), [1, 0, 1, -1, -1])
    languages, truth = encode_labels(["fr", "de", "en"], 3, ("fr", "de"))
    assert (languages, truth.tolist()) == (("fr", "de"), [0, 1, -1])


def test_labels_may_be_an_arrow_column() -> None:
    column = pa.chunked_array([["fr", None], ["de"]])
    assert encode_labels(column, 3)[1].tolist() == [1, -1, 0]


def test_a_wanted_language_without_urls_is_named() -> None:
    with pytest.raises(BadTable, match="No URL is labelled it"):
        encode_labels(["fr", "de"], 2, ("fr", "de", "it"))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["de", "de"], r"found only 'de' in 2 rows"),
        ([None, None], r"found no labelled URL in 2 rows"),
        (["de"], r"2 URLs but 1 labels"),
        (["de"] * 1234, r"2 URLs but 1,234 labels"),
    ],
)
def test_labels_that_cannot_be_learnt_from_say_what_was_found(labels: list[str | None], message: str) -> None:
    with pytest.raises(BadTable, match=message):
        encode_labels(labels, 2)


def test_the_rows_of_each_language_come_in_order() -> None:
    truth = np.array([1, -1, 0, 1, 3, 0], np.int64)
    assert [rows.tolist() for rows in rows_by_language(truth, 4)] == [[2, 5], [0, 3], [], [4]]
    assert [rows.tolist() for rows in rows_by_language(np.empty(0, np.int64), 2)] == [[], []]


def balance(sizes: list[int], column: int) -> tuple[int, list[int]]:
    """(positives, negatives of each language) of a balanced sample."""
    truth = np.repeat(np.arange(-1, len(sizes) - 1), sizes)
    rows = balanced_rows(rows_by_language(truth, len(sizes) - 1), column, np.random.default_rng(0))
    assert len(set(rows.tolist())) == len(rows), "no row twice"
    counts = np.bincount(truth[rows] + 1, minlength=len(sizes)).tolist()
    assert counts[0] == 0, "rows of no language are no negatives"
    return counts[column + 1], [n for language, n in enumerate(counts[1:]) if language != column]


def test_negatives_are_drawn_evenly_from_the_other_languages() -> None:
    assert balance([50, 30, 1000, 1000, 1000], 0) == (30, [10, 10, 10])


def test_a_small_language_gives_all_it_has_and_the_others_more() -> None:
    assert balance([50, 30, 4, 1000, 1000], 0) == (30, [4, 13, 13])


def test_positives_are_cut_down_where_negatives_are_too_few() -> None:
    assert balance([50, 1000, 20, 30], 0) == (50, [20, 30])


def test_the_sample_depends_on_the_seed_alone() -> None:
    groups = rows_by_language(np.repeat([0, 1, 2], 100), 3)
    one, two, other = (balanced_rows(groups, 0, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2))
    assert one == two != other


class Remembering(Classifier):
    """Keeps whatever it is given."""

    algorithm: ClassVar[str] = "remembering"

    def fit(self, inputs: Any, labels: Labels) -> Self:
        self.languages_ = ("de", "en")
        return self

    def plain_scores(self, row: bytes) -> list[float]:
        return [len(row), 0.0]


def test_scores_are_derived_from_the_plain_definition() -> None:
    scores = Remembering().fit([], []).scores(["ab", "abc"])
    assert scores.matrix.tolist() == [[2.0, 0.0], [3.0, 0.0]]
    assert scores.matrix.dtype == np.float32
    assert Remembering().fit([], []).scores([]).matrix.shape == (0, 2)


def test_what_was_learnt_goes_through_a_state_and_back() -> None:
    model = Remembering().fit([], [])
    model.words_, model.counts_ = {"haus": 2}, np.arange(6.0).reshape(2, 3)  # type: ignore[attr-defined]
    header, arrays = model.state()
    again: Any = Remembering().restore(json.loads(json.dumps(header)), arrays)
    assert again.words_ == {"haus": 2}
    assert again.counts_.tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError, match="other shapes"):
        Remembering().restore(header, {"counts_": arrays["counts_"][:1]})


@pytest.mark.parametrize("value", [("a", "b"), {1: "a"}, {"a"}, np.int64(3), object()])
def test_what_a_file_cannot_keep_as_it_is_is_refused_by_name(value: object) -> None:
    model: Any = Remembering().fit([], [])
    model.odd_ = value
    with pytest.raises(UsageError, match=r"cannot be kept in a file: odd_ is neither .* but"):
        model.state()


def test_an_array_of_a_kind_that_no_file_has_is_refused_before_it_is_written() -> None:
    model: Any = Remembering().fit([], [])
    model.yes_ = np.array([True, False])
    with pytest.raises(UsageError, match="has an array of bool, 'yes_'; files keep float32"):
        to_bytes(model)
