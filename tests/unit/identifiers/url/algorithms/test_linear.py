from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from tests.made_urls import HOSTILE, Labelled

from dragoman.columns import ByteColumn
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.algorithms.custom_columns import SCALINGS
from dragoman.identifiers.url.algorithms.linear import LinearTable, scale_of, scaled
from dragoman.identifiers.url.algorithms.max_entropy import MaxEntropy
from dragoman.identifiers.url.algorithms.naive_bayes import NaiveBayes
from dragoman.identifiers.url.algorithms.relative_entropy import RelativeEntropy


def table(scaling: str) -> LinearTable:
    keys = np.array([word_key("haus"), word_key("wald")], np.uint64)
    weights = np.array([[1.0, -1.0], [0.5, 2.0]], np.float32)
    return LinearTable.of("words", scaling, keys, weights, np.array([0.25, -0.25], np.float32))


@pytest.mark.parametrize(("scaling", "scale"), [("counts", 1.0), ("shares", 0.25), ("roots", 0.5)])
def test_a_score_is_the_scaled_sum_and_the_bias(scaling: str, scale: float) -> None:
    url = b"/haus/haus/wald/neu"
    expected = [scale * 2.5 + 0.25, scale * 0.0 - 0.25]
    assert table(scaling).scores(ByteColumn.from_rows([url])).tolist() == [expected]
    assert table(scaling).plain_scores(url) == expected


def test_unknown_words_add_nothing_but_count() -> None:
    found = table("shares").scores(ByteColumn.from_rows(["/haus", "/haus/neu"]))
    assert found[:, 0].tolist() == [1.25, 0.75]


@pytest.mark.parametrize("scaling", SCALINGS)
def test_without_a_known_word_there_is_no_score(scaling: str) -> None:
    assert np.isnan(table(scaling).scores(ByteColumn.from_rows(["/neu", "/"]))).all()
    assert np.isnan([table(scaling).plain_scores(url) for url in (b"/neu", b"/")]).all()


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("scaling", SCALINGS)
def test_threads_change_nothing(scaling: str, threads: int, six_languages: Labelled) -> None:
    urls = ByteColumn.from_rows([*HOSTILE.values(), *six_languages.urls])
    assert table(scaling).scores(urls, threads).tobytes() == table(scaling).scores(urls).tobytes()


def test_weights_of_another_shape_are_refused() -> None:
    keys, bias = np.array([1, 2], np.uint64), np.zeros(2, np.float32)
    for shape in ((1, 2), (2, 1), (3, 2), (2,), (0, 0)):
        with pytest.raises(ValueError, match="weights of shape"):
            LinearTable.of("words", "counts", keys, np.zeros(shape, np.float32), bias)


def test_rows_are_scaled_by_their_sums() -> None:
    counts = csr_matrix(np.array([[1, 3], [0, 0], [0, 4]], np.float32))
    assert scaled(counts, "counts") is counts
    assert scaled(counts, "shares").toarray().tolist() == [[0.25, 0.75], [0, 0], [0, 1]]
    assert scaled(counts, "roots").toarray().tolist() == [[0.5, 1.5], [0, 0], [0, 2]]
    assert [scale_of(name, 4) for name in SCALINGS] == [1.0, 0.25, 0.5]
    assert [scale_of(name, 0) for name in SCALINGS] == [1.0, 1.0, 1.0]


def test_naive_bayes_is_its_formula() -> None:
    model = NaiveBayes(smoothing=1.0).fit(["/haus/haus/wald", "/house/wald"], ["de", "en"])
    # Words: haus, wald, house. German has 2, 1, 0 of them, English 0, 1, 1.
    german, english = np.array([3, 2, 1]) / 6, np.array([1, 2, 2]) / 5
    expected = np.log(german) - np.log(english)
    assert model.scores(["/haus", "/wald", "/house"]).matrix[:, 0] == pytest.approx(expected, rel=1e-6)
    assert model.scores(["/haus", "/wald", "/house"]).matrix[:, 1] == pytest.approx(-expected, rel=1e-6)


def distances(q: list[float], averages: list[list[float]]) -> list[float]:
    """D(q | p) for each average, its words raised by the half URL's mass of these tests."""
    raised = [np.array(average) + 0.5 for average in averages]
    share = np.array(q)
    return [float((share * np.log(share / (p / p.sum()))).sum()) for p in raised]


def test_relative_entropy_is_the_difference_of_two_distances() -> None:
    # Averages of the distributions of haus, wald, house: (2/3, 1/3, 0) and (0, 1/2, 1/2).
    german, english = distances([1 / 4, 1 / 2, 1 / 4], [[2 / 3, 1 / 3, 0], [0, 1 / 2, 1 / 2]])
    for binary in (False, True):  # with two languages of one URL each both readings are the same
        model = RelativeEntropy(smoothing=0.5, binary=binary).fit(["/haus/haus/wald", "/house/wald"], ["de", "en"])
        scores = model.scores(["/haus/wald/wald/house"]).matrix[0]
        assert scores.tolist() == pytest.approx([english - german, german - english], rel=1e-5)


def test_relative_entropy_has_one_answer_the_lowest_distance() -> None:
    model = RelativeEntropy(smoothing=0.5).fit(["/haus/wald", "/house/wald", "/casa/wald"], ["de", "en", "es"])
    # Words: haus, wald, house, casa. The URL has three parts of haus to two of house and one of each of the others.
    q = [3 / 7, 1 / 7, 2 / 7, 1 / 7]
    german, english, spanish = distances(q, [[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0, 0.5, 0, 0.5]])
    assert german < english < spanish
    scores = model.scores(["/haus/haus/haus/house/house/wald/casa"])
    expected = [english - german, german - english, german - spanish]
    assert scores.matrix[0].tolist() == pytest.approx(expected, rel=1e-5)
    assert scores.yes.tolist() == [[True, False, False]]


def test_with_one_answer_per_url_misses_equal_false_alarms(six_languages: Labelled) -> None:
    for binary in (False, True):
        model = RelativeEntropy("trigrams", binary=binary).fit(six_languages.urls[::2], six_languages.labels[::2])
        yes = model.scores(six_languages.urls[1::2]).yes
        truth = np.array(six_languages.labels[1::2])[:, None] == np.array(model.languages_)
        misses, false_alarms = int((truth & ~yes).sum()), int((~truth & yes).sum())
        assert misses > 0
        assert (misses == false_alarms) is not binary


def test_rounds_of_iterative_scaling_are_those_worked_by_hand() -> None:
    # Shares: haus and wald have a half each of the German URL, house and wald of the English one.
    urls, labels = ["/haus/wald", "/house/wald"], ["de", "en"]
    # Before the first round p(de) is 1/2 everywhere, so that half of all of haus is expected in German: log 2.
    first = MaxEntropy(rounds=1).fit(urls, labels)
    assert first.scores(["/haus", "/wald", "/house"]).matrix[:, 0] == pytest.approx([np.log(2), 0, -np.log(2)])
    # Then p(de) of the German URL is 1 / (1 + exp(-log(2) / 2)); haus is expected so often, of once.
    certain = 1 / (1 + 2**-0.5)
    second = MaxEntropy(rounds=2).fit(urls, labels)
    weight = np.log(2) + np.log(1 / certain)
    assert second.scores(["/haus", "/wald", "/house"]).matrix[:, 0] == pytest.approx([weight, 0, -weight])
    assert second.scores(["/haus/wald"]).matrix[0].tolist() == pytest.approx([weight / 2, -weight / 2])


def test_a_word_that_one_side_never_has_is_no_feature_there() -> None:
    urls = ["/haus", "/haus/wald", "/house/wald", "/house"]
    model = MaxEntropy(rounds=500).fit(urls, ["de", "de", "en", "en"])
    assert np.isfinite(model.scores(urls).matrix).all()
    assert model.predict(urls) == ["de", "de", "en", "en"]
