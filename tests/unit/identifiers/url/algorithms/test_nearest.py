from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import UsageError
from dragoman.identifiers.url.algorithms.nearest import NearestNeighbours

URLS = ["/haus", "/haus/wald", "/house", "/house/wood", "/maison"]
LABELS = ["de", "de", "en", "en", "fr"]


def test_the_score_is_the_share_of_votes_less_one_half() -> None:
    model = NearestNeighbours(k=2).fit(URLS, LABELS)
    assert model.scores(["/haus"]).matrix.tolist() == [[0.5, -0.5, -0.5]]
    assert model.scores(["/haus/house"]).matrix.tolist() == [[0.0, 0.0, -0.5]]


def test_neighbours_that_share_nothing_do_not_vote() -> None:
    model = NearestNeighbours(k=5).fit(URLS, LABELS)
    assert model.scores(["/maison"]).matrix.tolist() == [[-0.5, -0.5, 0.5]]
    assert model.scores(["/unbekannt", "/"]).matrix.tolist() == [[-0.5] * 3] * 2
    assert model.predict(["/unbekannt"]) == [None]


def test_equal_cosines_go_to_the_earlier_url() -> None:
    assert NearestNeighbours(k=1).fit(["/x/haus", "/x/house"], ["de", "en"]).predict(["/x/haus/house"]) == ["de"]
    assert NearestNeighbours(k=1).fit(["/x/house", "/x/haus"], ["en", "de"]).predict(["/x/haus/house"]) == ["en"]


def test_at_most_so_many_urls_are_kept_evenly() -> None:
    urls = [f"/{'abcdefghij'[n % 10] * 3}{'abcdefghij'[n // 10 % 10] * 2}" for n in range(100)]
    model = NearestNeighbours(kept=30).fit(urls, ["de"] * 80 + ["en"] * 15 + ["fr"] * 5)
    assert np.bincount(model.truth_).tolist() == [10, 10, 5]


def test_pieces_change_nothing() -> None:
    model = NearestNeighbours().fit(URLS, LABELS)
    rows = URLS * 3 + ["", "mailto:x"]
    assert model.scores(rows, rows=2).matrix.tobytes() == model.scores(rows).matrix.tobytes()


def test_custom_features_are_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match="'custom' features are columns made by hand; words or trigrams"):
        NearestNeighbours(features="custom").fit(URLS, LABELS)
