from __future__ import annotations

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.text.algorithms.fisher_cosine import FisherCosine
from dragoman.identifiers.text.ngrams import NGrams

DATA = labelled_texts(("de", "en", "fr", "ru"))
TEXTS = [text.encode() for text in DATA.urls[:12]] + [b"", b"12", b"a", b"\xff\xfe", "погода 天気".encode()]


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("selection", ["fisher", "frequency"])
def test_every_choice_scores_as_its_plain_version(root: bool, selection: str) -> None:
    for selected, sizes, edges in ((20, (3, 3), "wrap"), (1000, (1, 5), "space"), (300, (2, 4), "words")):
        model = FisherCosine(selected, *sizes, selection, edges, root=root).fit(DATA.urls, DATA.labels)
        scores = model.scores(TEXTS).matrix
        for row, text in enumerate(TEXTS):
            plain = np.array(model.plain_scores(text), np.float32)
            assert np.array_equal(plain, scores[row], equal_nan=True), text


def test_selection_and_vectors_are_the_papers() -> None:
    """Formulas 0.2 to 0.8 by hand, with loops."""
    texts = ["abab cd", "abcd abcd", "cdcd ef", "efef cd cd"]
    labels = ["en", "en", "de", "de"]
    floor, selected = 1e-6, 4
    model = FisherCosine(selected, 2, 2, edges="wrap", document=0, floor=floor, root=False).fit(texts, labels)
    grams = [list(NGrams(2, 2, "wrap").of(text.encode())) for text in texts]
    known = sorted({gram for row in grams for gram in row})
    freq = [{gram: row.count(gram) / len(row) for gram in known} for row in grams]
    unit = [{gram: one[gram] / np.sqrt(sum(x * x for x in one.values())) for gram in known} for one in freq]
    rows = {"en": unit[:2], "de": unit[2:]}
    mean = {tag: {gram: sum(one[gram] for one in rows[tag]) / 2 for gram in known} for tag in rows}
    fisher = {
        gram: (mean["en"][gram] - mean["de"][gram]) ** 2
        / (sum(sum((one[gram] - mean[tag][gram]) ** 2 for one in rows[tag]) / 2 for tag in rows) + floor)
        for gram in known
    }  # fmt: skip
    limit = sorted(fisher.values())[-selected]
    best = {word_key(gram) for gram in known if fisher[gram] > limit + 1e-9}
    assert best <= set(model.keys_.tolist())
    assert len(model.keys_) == selected
    chosen = [gram for gram in known if word_key(gram) in set(model.keys_.tolist())]
    for column, tag in enumerate(model.languages_):
        joined = [gram for row, label in zip(grams, labels, strict=True) if label == tag for gram in row]
        counts = np.array([joined.count(gram) for gram in chosen], float)
        expected = counts / np.linalg.norm(counts)
        found = [model.table_[model.number_of_[word_key(gram)], column] for gram in chosen]
        assert np.allclose(found, expected, atol=1e-6)


def test_scores_are_cosines() -> None:
    model = FisherCosine().fit(DATA.urls, DATA.labels)
    scores = model.scores(list(DATA.urls)).matrix
    assert scores.min() >= 0
    assert scores.max() <= 1 + 1e-6
    assert np.allclose(np.linalg.norm(model.table_, axis=0), 1, atol=1e-5)


def test_one_document_per_language_still_gives_features() -> None:
    texts = [" ".join(text for text, label in zip(DATA.urls, DATA.labels, strict=True) if label == tag) for tag in ("de", "en")]  # fmt: skip  # noqa: E501
    for document in (0, 200):
        model = FisherCosine(500, document=document).fit(texts, ["de", "en"])
        assert model.predict(["wetter und garten", "weather and garden"]) == ["de", "en"]


def test_the_papers_choices_are_one_call_away() -> None:
    paper = FisherCosine.paper()
    assert (paper.selected, paper.shortest, paper.longest, paper.edges, paper.root) == (1000, 3, 3, "wrap", False)
    assert paper.fit(DATA.urls, DATA.labels).predict(["weather in the garden"]) == ["en"]


def test_wrong_parameters_are_refused_when_they_are_used() -> None:
    for wrong in (
        FisherCosine(0),
        FisherCosine(selection="luck"),
        FisherCosine(document=-1),
        FisherCosine(floor=0.0),
        FisherCosine(edges="torn"),
    ):
        with pytest.raises(UsageError):
            wrong.fit(DATA.urls, DATA.labels)


def test_vectors_that_do_not_fit_are_refused() -> None:
    model = FisherCosine(50).fit(DATA.urls, DATA.labels)
    _, arrays = model.state()
    for wrong in (
        {"keys": arrays["keys"][::-1].copy()},
        {"weights": arrays["weights"] * np.float32(np.nan)},
        {"weights": arrays["weights"].astype(np.float64)},
    ):
        with pytest.raises(BadModel):
            model.restore({}, arrays | wrong)
