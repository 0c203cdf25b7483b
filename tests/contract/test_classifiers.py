"""What every registered algorithm promises. Nothing here names one, and none can be left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from tests.contract.cases import CASES, CASES_OF, Case, digests, fitted
from tests.made_urls import HOSTILE, LONE_SURROGATE

from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, BadTable, DragomanError, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import ALGORITHMS
from dragoman.identifiers.calibration import best_temperature, probabilities
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.address import read_address
from dragoman.types import Scores

HOSTILE_ROWS = list(HOSTILE.values())
SHORT_HOSTILE = [row for row in HOSTILE_ROWS if len(row) < 10_000]


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


@pytest.fixture
def model(case: Case) -> Classifier:
    return fitted(case)


def bits(scores: Scores | NDArray[Any] | list[Any]) -> NDArray[np.uint32]:
    """Scores as bits, with one NaN for all: equal bits are equal scores, and 0 is not -0."""
    matrix = np.asarray(scores.matrix if isinstance(scores, Scores) else scores, np.float32)
    return np.where(np.isnan(matrix), np.float32(np.nan), matrix).view(np.uint32)


def one_line(error: BaseException) -> str:
    text = str(error)
    assert text, "a message that says nothing"
    assert "\n" not in text
    assert len(text) < 500
    return text


def test_every_registered_algorithm_is_examined() -> None:
    assert set(CASES_OF) == set(ALGORITHMS)
    assert all(CASES_OF.values()), "an algorithm that accepts no feature set"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_algorithm_is_registered_under_its_own_name_and_says_what_it_is(algorithm: str) -> None:
    kind = ALGORITHMS[algorithm]
    assert kind.algorithm == algorithm
    assert ALGORITHMS.about(algorithm)
    assert "\n" not in ALGORITHMS.about(algorithm)
    assert ALGORITHMS.reads(algorithm) == kind.reads
    assert str(kind()).startswith(kind.__name__ + "(")


def test_fit_returns_self_and_keeps_the_parameters(case: Case) -> None:
    made = case.make()
    before = made.get_params()
    assert made.fit(case.data.urls, case.data.labels) is made
    assert made.get_params() == before
    assert made.languages_ == case.data.languages


def test_a_constructor_only_stores(case: Case) -> None:
    made = case.make()
    assert made.languages_ == ()
    assert not [name for name in vars(made) if name.endswith("_")]
    assert vars(made) == made.get_params()


def test_parameters_go_round(case: Case) -> None:
    made = case.make()
    params = made.get_params()
    assert type(made)(**params).get_params() == params
    assert made.set_params(**params) is made
    assert made.get_params(deep=False) == params
    with pytest.raises(UsageError) as caught:
        made.set_params(no_such_parameter=1)
    assert "no_such_parameter" in one_line(caught.value)


def test_scikit_learn_can_clone(case: Case, model: Classifier) -> None:
    copy = clone(model)
    assert copy is not model
    assert copy.languages_ == ()
    assert copy.get_params() == model.get_params()
    assert store.to_bytes(copy.fit(case.data.urls, case.data.labels)) == store.to_bytes(model)


def test_it_learns_something(case: Case, model: Classifier) -> None:
    right = [found == label for found, label in zip(model.predict(case.data.urls), case.data.labels, strict=True)]
    assert np.mean(right) > 1.3 / len(case.data.languages)


def test_one_equals_the_row_of_many(case: Case, model: Classifier) -> None:
    rows = [*(url.encode() for url in case.data.urls[:30]), *HOSTILE_ROWS]
    many = bits(model.scores(rows))
    for number, row in enumerate(rows):
        assert np.array_equal(bits(model.scores([row]))[0], many[number]), row[:80]


def test_compiled_equals_plain_to_the_last_bit(case: Case, model: Classifier) -> None:
    # The plain path takes seconds for a megabyte: once per algorithm is enough, the keys are compared on their own.
    hostile = HOSTILE_ROWS if case == CASES_OF[case.algorithm][0] else SHORT_HOSTILE
    rows = [*(url.encode() for url in case.data.urls[:30]), *hostile]
    compiled = bits(model.scores(rows))
    for number, row in enumerate(rows):
        assert np.array_equal(bits(model.plain_scores(row)), compiled[number]), row[:80]


def test_a_question_for_one_language_is_answered_as_by_the_probabilities(case: Case, model: Classifier) -> None:
    rows = ByteColumn.of([*case.data.urls[:60], ""])
    for language in model.languages_[:3]:
        likeliest, probability = model.question(rows, language)
        best, plain = Classifier.question(model, rows, language)
        assert likeliest.tolist() == best.tolist()
        np.testing.assert_allclose(probability, plain, rtol=1e-4, atol=1e-6)


def test_saving_and_loading_changes_nothing(case: Case, model: Classifier, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    digest = store.save(model, path)
    again = store.load(path)
    assert type(again) is type(model)
    assert again.languages_ == model.languages_
    assert again.get_params() == model.get_params()
    rows = [*case.data.urls, *SHORT_HOSTILE]
    assert np.array_equal(bits(again.scores(rows)), bits(model.scores(rows)))
    assert [again.plain_scores(row) for row in HOSTILE_ROWS[-5:]] == [
        model.plain_scores(row) for row in HOSTILE_ROWS[-5:]
    ]
    assert store.to_bytes(again) == path.read_bytes() == store.to_bytes(model)
    assert path.read_bytes()[-store.DIGEST :].hex() == digest
    assert [file.name for file in tmp_path.iterdir()] == ["a.model"]


def test_temperature_and_notes_are_kept_in_the_file(case: Case, model: Classifier) -> None:
    again = store.from_bytes(store.to_bytes(model))
    again.temperature_ = 2.5
    again.notes_ = {"made": "for a test", "F": [0.5, 0.25], "é": None}
    last = store.from_bytes(store.to_bytes(again))
    assert last.temperature_ == 2.5
    assert last.notes_ == again.notes_


def test_a_file_whose_arrays_do_not_fit_is_refused(model: Classifier, monkeypatch: pytest.MonkeyPatch) -> None:
    state, arrays = model.state()
    for name, array in arrays.items():
        for wrong in (array[:-1], array[:0], np.concatenate([array, array[-1:]])):
            if len(wrong) == len(array):  # nothing was learnt of this: it is empty, and cannot be cut
                continue
            monkeypatch.setattr(model, "state", lambda name=name, wrong=wrong: (state, arrays | {name: wrong}))
            with pytest.raises(BadModel) as caught:
                store.from_bytes(store.to_bytes(model))
            one_line(caught.value)
        monkeypatch.setattr(
            model, "state", lambda name=name: (state, {key: kept for key, kept in arrays.items() if key != name})
        )
        with pytest.raises(BadModel) as caught:
            store.from_bytes(store.to_bytes(model))
        one_line(caught.value)


def test_the_order_of_inputs_changes_nothing(case: Case, model: Classifier) -> None:
    rows = [*(url.encode() for url in case.data.urls), *SHORT_HOSTILE]
    order = np.random.default_rng(1).permutation(len(rows))
    mixed = model.scores([rows[place] for place in order])
    assert np.array_equal(bits(mixed), bits(model.scores(rows))[order])


def test_scoring_twice_gives_the_same(case: Case, model: Classifier) -> None:
    first = bits(model.scores(case.data.urls))
    model.scores(HOSTILE_ROWS)
    assert np.array_equal(bits(model.scores(case.data.urls)), first)


def test_an_empty_batch_has_no_scores(model: Classifier) -> None:
    scores = model.scores([])
    assert scores.matrix.shape == (0, len(model.languages_))
    assert scores.matrix.dtype == np.float32
    assert scores.languages == model.languages_
    assert scores.yes.shape == scores.matrix.shape
    assert model.predict([]) == []


@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=list(HOSTILE))
def test_a_hostile_row_is_scored_or_has_no_score(number: int) -> None:
    row = HOSTILE_ROWS[number]
    web = read_address(row).kind == "web"
    for case in CASES:
        model = fitted(case)
        scores = model.scores([row])
        assert scores.matrix.shape == (1, len(model.languages_)), case
        silent = np.isnan(scores.matrix).all()  # no web address, or none of its features is known
        meant = web or case.reads == "text"  # any bytes are text, but only some are addresses
        assert silent or (meant and np.isfinite(scores.matrix).all()), case
        if silent:
            assert model.predict([row]) == [None], case
            assert not scores.yes.any(), case


def test_a_lone_surrogate_is_scored(model: Classifier) -> None:
    assert np.isfinite(model.scores([LONE_SURROGATE.replace("example.org", "example.de")]).matrix).all()


def test_a_missing_row_has_no_score(model: Classifier) -> None:
    assert np.isnan(model.scores([None, ""]).matrix).all()
    assert np.isnan(model.scores(pa.array([None, ""], pa.string())).matrix).all()


def test_a_bad_row_never_moves_its_neighbours(case: Case, model: Classifier) -> None:
    good = [url.encode() for url in case.data.urls[: len(HOSTILE_ROWS)]]
    mixed = [row for pair in zip(HOSTILE_ROWS, good, strict=True) for row in pair]
    assert np.array_equal(bits(model.scores(mixed))[1::2], bits(model.scores(good)))


def test_bad_rows_can_be_trained_on(case: Case) -> None:
    rows = [*(url.encode() for url in case.data.urls), *SHORT_HOSTILE]
    labels = [*case.data.labels, *(case.data.labels[n % 50] for n in range(len(SHORT_HOSTILE)))]
    model = case.make().fit(rows, labels)
    assert model.languages_ == case.data.languages
    scored = [np.isfinite(one.scores(case.data.urls).matrix) for one in (model, fitted(case))]
    assert scored[0].any()
    assert np.array_equal(scored[0], scored[1])


def test_rows_without_a_label_are_not_a_language(case: Case) -> None:
    urls = [*case.data.urls, "http://nobody.example/knows", "http://nobody.example/either", "http://a.example/"]
    model = case.make().fit(urls, [*case.data.labels, None, float("nan"), ""])
    assert model.languages_ == case.data.languages


def test_fitting_again_gives_the_same_bytes(case: Case, model: Classifier) -> None:
    assert store.to_bytes(case.fit()) == store.to_bytes(model)


def test_fitting_again_forgets_what_was_learnt_before(case: Case, model: Classifier) -> None:
    used = case.make().fit(case.data.urls[::-2], case.data.labels[::-2])
    assert store.to_bytes(used.fit(case.data.urls, case.data.labels)) == store.to_bytes(model)


@pytest.mark.slow
def test_every_process_gives_the_same_bytes() -> None:
    root = str(Path(__file__).resolve().parents[2])
    code = "import json, sys; sys.path.insert(0, sys.argv[1]); from tests.contract.cases import digests; "
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code + "print(json.dumps(digests()))", root],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (json.loads(run.communicate(timeout=300)[0]) for run in runs)
    assert len(first) == len(CASES)
    assert first == second == digests()


@pytest.mark.parametrize(
    "labels", [["en"] * 3, [None] * 3, ["", None, "de"], []], ids=["one", "none", "one and gaps", "empty"]
)
def test_one_language_or_none_is_refused(case: Case, labels: list[str | None]) -> None:
    with pytest.raises(BadTable) as caught:
        case.make().fit(["http://a.com/", "http://b.de/", "http://c.fr/"][: len(labels)], labels)
    assert "two languages" in one_line(caught.value)


def test_labels_and_urls_of_different_length_are_refused(case: Case) -> None:
    with pytest.raises(BadTable) as caught:
        case.make().fit(["http://a.com/", "http://b.de/", "http://c.fr/"], ["en", "de"])
    message = one_line(caught.value)
    assert "3 URLs" in message
    assert "2 labels" in message


def test_one_url_instead_of_a_list_is_refused(case: Case, model: Classifier) -> None:
    for url in ("http://a.com/", b"http://a.com/"):
        with pytest.raises((TypeError, DragomanError)) as caught:
            model.scores(url)
        one_line(caught.value)


def test_all_kinds_of_columns_give_equal_results(case: Case, model: Classifier) -> None:
    urls, labels = list(case.data.urls), list(case.data.labels)
    half = len(urls) // 2
    columns: dict[str, tuple[Any, Any]] = {
        "bytes": ([url.encode() for url in urls], np.array(labels)),
        "a generator": ((url for url in urls), np.array(labels, dtype=object)),
        "an Arrow column": (pa.array(urls), pa.array(labels)),
        "large strings": (pa.array(urls, pa.large_string()), pa.array(labels).dictionary_encode()),
        "chunks": (pa.chunked_array([urls[:half], urls[half:]]), pa.chunked_array([labels[:half], labels[half:]])),
        "a slice": (pa.array(["http://before.example/", *urls, "after"])[1:-1], labels),
        "binaries": (pa.array([url.encode() for url in urls], pa.binary()), labels),
        "a batch": (ByteColumn.from_rows(urls), tuple(labels)),
        "a slice of a batch": (ByteColumn.from_rows(["x", *urls, "y"]).slice(1, len(urls) + 1), tuple(labels)),
    }
    expected = bits(model.scores(urls))
    content = store.to_bytes(model)
    for name, (column, names) in columns.items():
        if name != "a generator":
            assert np.array_equal(bits(model.scores(column)), expected), name
        assert store.to_bytes(case.make().fit(column, names)) == content, name


def test_probabilities_sum_to_one_after_calibration(case: Case, model: Classifier) -> None:
    scores = model.scores([*case.data.urls, *SHORT_HOSTILE])
    place = {language: column for column, language in enumerate(model.languages_)}
    truth = np.array([place[label] for label in case.data.labels] + [-1] * len(SHORT_HOSTILE), np.int64)
    temperature = best_temperature(scores, truth)
    assert 1e-3 <= temperature <= 1e3
    found = probabilities(scores, temperature)
    known = ~np.isnan(scores.matrix).any(axis=1)
    assert np.allclose(found[known].sum(axis=1), 1.0, atol=1e-5)
    assert found[known].min() >= 0
    assert np.isnan(found[~known]).all()
    assert np.array_equal(np.argmax(found[known], axis=1), np.argmax(scores.matrix[known], axis=1)) or temperature > 100


def test_an_explanation_adds_up_to_the_score(case: Case, model: Classifier) -> None:
    for url in [url.encode() for url in case.data.urls[:20]] + SHORT_HOSTILE:
        try:
            parts = model.explain(url)
        except UsageError as error:
            one_line(error)
            return
        scores = model.plain_scores(url)
        if np.isnan(scores).any():
            continue
        for language, score in zip(model.languages_, scores, strict=True):
            total = sum(part.weight for part in parts if part.language == language)
            assert total == pytest.approx(score, rel=1e-4, abs=1e-4), (url, language)
        assert [abs(part.weight) for part in parts] == sorted((abs(part.weight) for part in parts), reverse=True)
