from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.made_urls import Labelled

from dragoman.columns import ByteColumn
from dragoman.errors import BadTable
from dragoman.evaluate.holding_out import Trained, train_and_judge
from dragoman.evaluate.splits import number_sites
from dragoman.identifiers import model_file as store
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.algorithms.naive_bayes import NaiveBayes


def make() -> Classifier:
    return NaiveBayes(features="words")


def trained(data: Labelled, said: list[str] | None = None, cap: int | None = None, seed: int = 0) -> Trained:
    tell = (said if said is not None else []).append
    labels = np.array(data.labels, object)
    return train_and_judge(make, ByteColumn.of(data.urls), labels, number_sites(data.sites), cap, 0.3, seed, tell)


def test_the_model_has_learnt_from_all_rows_and_says_how_good_it_was_without(six_languages: Labelled) -> None:
    said: list[str] = []
    found = trained(six_languages, said)
    assert found.rows == len(six_languages.urls)
    assert 0 < found.held_rows < found.rows
    assert set(found.readings) == {"binary", "best"}
    assert found.readings["best"].macro_f.value > 0.6
    assert len(said) == 3
    whole = make().fit(six_languages.urls, six_languages.labels)
    urls = ByteColumn.of(six_languages.urls)
    assert np.array_equal(found.model.scores(urls).matrix, whole.scores(urls).matrix)


def test_the_quality_travels_in_the_models_notes(six_languages: Labelled) -> None:
    model = store.from_bytes(store.to_bytes(trained(six_languages).model))
    assert model.notes_["rows"] == len(six_languages.urls)
    assert model.notes_["held_out"]["best"]["macro_f"] > 0.6


def test_the_cap_bounds_what_is_learnt_per_site(six_languages: Labelled) -> None:
    found = trained(six_languages, cap=2)
    assert found.rows == sum(min(2, count) for count in Counter(six_languages.sites).values())


def test_the_same_seed_gives_the_same_file(six_languages: Labelled) -> None:
    first, again, other = (store.to_bytes(trained(six_languages, cap=3, seed=seed).model) for seed in (0, 0, 1))
    assert first == again != other


def test_rows_without_a_language_are_left_out(six_languages: Labelled) -> None:
    more = Labelled(
        (*six_languages.urls, "http://x.de/"), (*six_languages.labels, ""), (*six_languages.sites, "nowhere.de")
    )
    assert trained(more).rows == len(six_languages.urls)


def test_with_too_few_sites_a_model_comes_without_figures() -> None:
    data = Labelled(("http://a.de/wetter", "http://b.fr/jardin"), ("de", "fr"), ("a.de", "b.fr"))
    said: list[str] = []
    found = trained(data, said)
    assert found.held_rows == 0
    assert found.readings == {}
    assert "too few sites" in said[0]
    assert found.model.languages_ == ("de", "fr")
    assert store.from_bytes(store.to_bytes(found.model)).languages_ == ("de", "fr")


@pytest.mark.parametrize("sites", range(1, 9))
@pytest.mark.parametrize("seed", range(4))
def test_figures_come_from_two_languages_or_not_at_all(sites: int, seed: int) -> None:
    hosts = [f"{name}{number}.org" for number in range(sites) for name in ("haus", "maison")]
    said: list[str] = []
    found = trained(
        Labelled(tuple(f"http://{host}/" for host in hosts), ("de", "fr") * sites, tuple(hosts)), said, seed=seed
    )
    assert any("too few sites" in line for line in said) == (found.held_rows == 0) == (not found.readings)
    for one in found.readings.values():
        assert all(judgement.positives for judgement in one.judgements)


def test_one_language_is_refused() -> None:
    with pytest.raises(BadTable, match="two languages or more; found only 'de' in 2 rows"):
        trained(Labelled(("http://a.de/", "http://b.de/"), ("de", "de"), ("a.de", "b.de")))
