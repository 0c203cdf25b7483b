from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.made_corpus import write_corpus

from dragoman.evaluate.corpus import Corpus, load_corpus
from dragoman.identifiers.algorithms import make
from dragoman.languages import FIVE
from dragoman.measures import macro_f
from dragoman.studies.url_2008.plan import (
    SCALES,
    UrlCell,
    all_cells,
    content_cells,
    main_cells,
    nearest_cell,
    sensitivity_cells,
    size_cells,
    variant_cells,
)
from dragoman.studies.url_2008.training import TEXTS_PER_URL, Trainer

PLAN = SCALES["small"]
TEXTS = {language: [f"text of {language}"] for language in FIVE}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return load_corpus(write_corpus(tmp_path_factory.mktemp("urls")), FIVE)


@pytest.mark.parametrize("scale", SCALES)
def test_every_cell_is_planned_once_and_has_a_name_of_its_own(scale: str) -> None:
    cells = all_cells(SCALES[scale])
    assert len(set(cells)) == len({cell.name for cell in cells}) == len(cells)
    groups = (
        main_cells(),
        variant_cells(),
        size_cells(SCALES[scale]),
        content_cells(),
        sensitivity_cells(SCALES[scale]),
    )
    assert {cell for group in groups for cell in group} | {nearest_cell(SCALES[scale])} == set(cells)


def test_cells_of_one_feature_set_follow_each_other() -> None:
    features = [cell.features for cell in all_cells(PLAN) if not cell.content]
    changes = sum(one != other for one, other in pairwise(features))
    assert changes == len(set(features)) - 1


def test_all_training_urls_or_a_drawn_share_of_them(corpus: Corpus) -> None:
    trainer = Trainer(corpus, PLAN, {})
    n = len(corpus.train)
    assert trainer.rows(UrlCell("words", "naive-bayes")).tolist() == list(range(n))
    tenth = trainer.rows(UrlCell("words", "naive-bayes", 0.1))
    assert len(tenth) == n // 10
    assert tenth.tolist() == trainer.rows(UrlCell("trigrams", "max-entropy", 0.1)).tolist()
    assert tenth.tolist() != trainer.rows(UrlCell("words", "naive-bayes", 0.1, seed=1)).tolist()


@pytest.mark.parametrize(
    "cell",
    [
        UrlCell("words", "naive-bayes"),
        UrlCell("words", "max-entropy", 0.5),
        UrlCell("trigrams", "relative-entropy", 0.5, 1),
        UrlCell("words", "naive-bayes", content="url"),
        UrlCell("placed-words", "naive-bayes", content="content"),
        UrlCell("words", "nearest", params=(("kept", 100),)),
        UrlCell("tld", "cctld"),
        UrlCell("tld", "cctld-plus"),
    ],
    ids=lambda cell: cell.name,
)
def test_scores_have_the_studys_columns_whatever_order_a_classifier_has(corpus: Corpus, cell: UrlCell) -> None:
    found = Trainer(corpus, PLAN, TEXTS).run(cell)
    test = corpus.tests["crawl"]
    matrix = found["crawl"]
    assert matrix.shape == (len(test), len(FIVE))
    assert found["seconds"] >= 0
    inside = test.truth >= 0
    best = np.where(np.isnan(matrix), -np.inf, matrix).argmax(axis=1)
    share = (best == test.truth)[inside & (matrix.max(axis=1) > matrix.min(axis=1))].mean()
    assert share > 0.6, "columns of the wrong languages would give a fifth"


def test_a_share_scores_as_a_classifier_that_saw_only_its_rows(tmp_path: Path) -> None:
    order = tuple(sorted(FIVE))  # negatives are drawn language by language, and `fit` has them in this order
    corpus = load_corpus(write_corpus(tmp_path), order)
    trainer = Trainer(corpus, PLAN, {})
    for features, algorithm in (("words", "naive-bayes"), ("trigrams", "relative-entropy")):
        cell = UrlCell(features, algorithm, 0.3)
        part = corpus.train.take(trainer.rows(cell))
        alone = make(algorithm, features=features).fit(part.urls, np.array(order, object)[part.truth])
        expected = alone.scores(corpus.tests["crawl"].urls).matrix
        assert np.allclose(trainer.run(cell)["crawl"], expected, atol=1e-4, equal_nan=True)


def test_content_is_an_even_sample_with_text_of_its_language_behind_each_url(corpus: Corpus) -> None:
    trainer = Trainer(corpus, PLAN, TEXTS)
    sample = trainer.content_sample()
    assert len(set(np.bincount(sample.truth).tolist())) == 1
    for url, longer, place in zip(sample.urls, trainer.with_text(sample), sample.truth.tolist(), strict=True):
        assert longer == url + b"/ " + b" ".join([f"text of {FIVE[place]}".encode()] * TEXTS_PER_URL)


def test_binary_decisions_are_better_than_chance(corpus: Corpus) -> None:
    said = Trainer(corpus, PLAN, {}).run(UrlCell("words", "naive-bayes"))["crawl"] > 0
    inside = corpus.tests["crawl"].truth >= 0
    assert macro_f(corpus.tests["crawl"].truth[inside], said[inside]) > 0.8


def test_relative_entropy_has_one_answer_but_on_custom_made_features(corpus: Corpus) -> None:
    trainer = Trainer(corpus, PLAN, {})
    assert trainer.train(UrlCell("words", "relative-entropy", 0.5)).get_params()["binary"] is False
    yes = trainer.run(UrlCell("words", "relative-entropy", 0.5))["crawl"] > 0
    assert yes.sum(axis=1).max() == 1


def test_content_is_trained_on_for_two_rounds_as_in_the_paper() -> None:
    rounds = {
        cell.content: dict(cell.params).get("rounds", 40) for cell in content_cells() if cell.algorithm == "max-entropy"
    }
    assert rounds == {"url": 40, "content": 2}
