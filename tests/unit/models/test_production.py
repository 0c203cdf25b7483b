"""The production model: compact, honest about what it cannot know, and the same on every path."""

from __future__ import annotations

import numpy as np
import pytest
from tests.made_urls import labelled_urls

from dragoman.errors import BadModel
from dragoman.models import store
from dragoman.models.augmentation import KINDS, Maker, augment, unmarked
from dragoman.models.calibration import probabilities
from dragoman.models.production import Production
from dragoman.url.batch import UrlBatch

DATA = labelled_urls(("de", "en", "es", "fr", "it", "ru"))


@pytest.fixture(scope="module")
def model() -> Production:
    return Production(bits=16, seed=3).fit(DATA.urls, DATA.labels)


def test_the_bulk_path_gives_the_decisions_of_the_scores(model: Production) -> None:
    urls = UrlBatch.of([*labelled_urls(("de", "fr", "ru"), seed=9).urls, "mailto:a@b.de", "", "http://192.0.2.7/"])
    best, probability = model.best(urls)
    scores = model.scores(urls)
    assert best.tolist() == scores.best.tolist()
    expected = probabilities(scores, model.temperature_).max(axis=1)
    np.testing.assert_allclose(probability, expected, rtol=2e-5)
    assert best[-3:].tolist() == [-1, -1, -1]
    assert np.isnan(probability[-3:]).all()


def test_large_weights_are_kept_without_clipping(model: Production) -> None:
    assert np.abs(model.rounded_).max() == 127
    assert 0 < model.fine_ <= len(model.rounded_)


def test_contributions_sum_to_the_score(model: Production) -> None:
    url = b"http://www.example.com/fr/maison"
    said = model.plain_scores(url)
    for language, score in zip(model.languages_, said, strict=True):
        total = sum(one.weight for one in model.explain(url) if one.language == language)
        assert total == pytest.approx(score, abs=1e-5)


def test_fewer_kept_rows_make_a_smaller_file() -> None:
    small = Production(bits=14, kept=50).fit(DATA.urls, DATA.labels)
    assert len(small.buckets_) == 50
    assert len(store.to_bytes(small)) < 5000


def test_weights_that_do_not_fit_the_languages_are_refused(model: Production) -> None:
    header, arrays = model.state()
    other = Production(bits=16)
    other.languages_ = model.languages_
    with pytest.raises(BadModel, match="do not fit"):
        other.restore(header, arrays | {"weights": arrays["weights"][:, 1:]})


def test_every_kind_of_made_url_is_made_and_labelled() -> None:
    tags = sorted(set(DATA.labels))
    truth = np.array([tags.index(tag) for tag in DATA.labels])
    urls = UrlBatch.of(DATA.urls)
    maker = Maker(urls, truth, tags, {}, seed=1)
    for kind in (kind for kind in KINDS if kind != "name"):
        made = [getattr(maker, kind)(tags.index("de")) for _ in range(50)]
        assert any(url and url.startswith("http://") for url in made), kind
    assert maker.name(tags.index("de")) is None, "a language with few URLs would be swamped by its name"
    more, of = augment(urls, truth, tags, 500, {}, seed=1)
    assert len(more) == len(of) > 300
    again, _ = augment(urls, truth, tags, 500, {}, seed=1)
    assert list(again) == list(more)


def test_marks_are_lost_as_urls_lose_them() -> None:
    assert unmarked("übergrößen") == "ubergrossen"
