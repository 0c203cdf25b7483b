"""The production model: compact, honest about what it cannot know, and the same on every path."""

from __future__ import annotations

import numpy as np
import pytest
from tests.made_urls import labelled_urls

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.calibration import probabilities
from dragoman.identifiers.url.algorithms.production import Production
from dragoman.identifiers.url.augmentation import KINDS, Maker, augment, unmarked

DATA = labelled_urls(("de", "en", "es", "fr", "it", "ru"))


@pytest.fixture(scope="module")
def model() -> Production:
    return Production(runs=1, seed=3).fit(DATA.urls, DATA.labels)


def test_the_bulk_path_gives_the_decisions_of_the_scores(model: Production) -> None:
    urls = ByteColumn.of([*labelled_urls(("de", "fr", "ru"), seed=9).urls, "mailto:a@b.de", "", "http://192.0.2.7/"])
    best, probability = model.best(urls)
    scores = model.scores(urls)
    assert best.tolist() == scores.best.tolist()
    expected = probabilities(scores, model.temperature_).max(axis=1)
    np.testing.assert_allclose(probability, expected, rtol=2e-5)
    assert best[-3:].tolist() == [-1, -1, -1]
    assert np.isnan(probability[-3:]).all()


def test_the_bulk_path_chooses_among_some_languages(model: Production) -> None:
    urls = ByteColumn.of(labelled_urls(("de", "fr", "ru"), seed=9).urls)
    best, probability = model.best(urls, ("ru", "de"))
    columns = [model.languages_.index(tag) for tag in ("ru", "de")]
    some = model.probabilities(urls)[:, columns]
    assert best.tolist() == some.argmax(axis=1).tolist()
    np.testing.assert_allclose(probability, some.max(axis=1) / some.sum(axis=1), rtol=2e-5)


def test_a_slope_sharpens_or_softens_by_the_number_of_features(model: Production) -> None:
    urls = ByteColumn.of(["http://www.example.com/maison", "http://www.example.com/" + "maison-" * 30])
    plain = model.probabilities(urls).max(axis=1)
    model.slope_ = 2.0
    try:
        sharper = model.probabilities(urls).max(axis=1)
        np.testing.assert_allclose(model.best(urls)[1], sharper, rtol=2e-5)
    finally:
        model.slope_ = 0.0
    assert sharper[0] - plain[0] > sharper[1] - plain[1] > 0


def test_large_weights_are_kept_without_clipping(model: Production) -> None:
    tables = model.table_
    assert max(np.abs(rows).max() for rows in (tables.grams, tables.words.common, tables.codes.common)) == 127


def test_the_plain_loops_give_the_same_bits_as_those_of_the_processor(model: Production) -> None:
    urls = ByteColumn.of([*labelled_urls(("de", "fr", "ru"), seed=9).urls, "http://a.de/" + "wetter-" * 3000])
    fast, answers = model.scores(urls).matrix, model.best(urls)
    kernels.choose(plain=True)
    try:
        assert model.scores(urls).matrix.tobytes() == fast.tobytes()
        again = model.best(urls)
    finally:
        kernels.choose(plain=False)
    assert again[0].tolist() == answers[0].tolist()
    assert again[1].tobytes() == answers[1].tobytes()


def test_languages_beyond_the_common_ones_are_told_apart_too() -> None:
    letters = [chr(0x4E00 + 40 * number) for number in range(90)]
    urls = [f"http://site{n}-{copy}.example/{letter * 2}" for n, letter in enumerate(letters) for copy in range(6)]
    labels = [f"q{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(90) for _ in range(6)]
    model = Production(runs=1, made=0).fit(urls, labels)
    assert model.table_.words.rare.shape[1] == 32
    right = [said == label for said, label in zip(model.predict(urls), labels, strict=True)]
    assert sum(right) > 0.7 * len(right)  # n-grams say nothing about the rare ones, so that words must do
    again = store.from_bytes(store.to_bytes(model))
    assert again.scores(urls).matrix.tobytes() == model.scores(urls).matrix.tobytes()
    assert [model.plain_scores(urls[-1].encode())] == model.scores(urls[-1:]).matrix.tolist()


def test_a_word_speaks_with_its_n_grams(model: Production) -> None:
    said = model.explain(b"http://www.example.com/fr/maison")
    assert {"path:maison", "code-segment:fr", ".com", "(prior)"} <= {one.feature for one in said}
    assert len({(one.feature, one.language) for one in said}) == len(said)


def test_contributions_sum_to_the_score(model: Production) -> None:
    url = b"http://www.example.com/fr/maison"
    said = model.plain_scores(url)
    for language, score in zip(model.languages_, said, strict=True):
        total = sum(one.weight for one in model.explain(url) if one.language == language)
        assert total == pytest.approx(score, abs=1e-5)


def test_no_run_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="one run or more"):
        Production(runs=0).fit(DATA.urls, DATA.labels)


def test_fewer_kept_rows_make_a_smaller_file() -> None:
    small, large = (Production(kept=kept, runs=1, epochs=1).fit(DATA.urls, DATA.labels) for kept in (50, 500))
    assert [len(model.table_.words.common) for model in (small, large)] == [51, 501]
    assert len(store.to_bytes(small)) < len(store.to_bytes(large))


def test_weights_that_do_not_fit_the_languages_are_refused(model: Production) -> None:
    header, arrays = model.state()
    other = Production()
    other.languages_ = model.languages_
    with pytest.raises(BadModel, match="do not fit"):
        other.restore(header, arrays | {"words-common": arrays["words-common"][:, 1:]})


def test_every_kind_of_made_url_is_made_and_labelled() -> None:
    tags = sorted(set(DATA.labels))
    truth = np.array([tags.index(tag) for tag in DATA.labels])
    urls = ByteColumn.of(DATA.urls)
    maker = Maker(urls, truth, tags, {}, seed=1)
    for kind in (kind for kind in KINDS if kind != "name"):
        made = [maker.empty() if kind == "empty" else getattr(maker, kind)(tags.index("de")) for _ in range(50)]
        assert any(url and url.startswith("http://") for url in made), kind
    assert maker.name(tags.index("de")) is None, "a language with few URLs would be swamped by its name"
    more, of = augment(urls, truth, tags, 500, {}, seed=1)
    assert len(more) == len(of) > 300
    again, _ = augment(urls, truth, tags, 500, {}, seed=1)
    assert list(again) == list(more)


def test_marks_are_lost_as_urls_lose_them() -> None:
    assert unmarked("übergrößen") == "ubergrossen"
