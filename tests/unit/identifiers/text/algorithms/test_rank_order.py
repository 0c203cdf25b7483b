from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.text.algorithms.rank_order import MISSING, TIES, RankOrder, ranked

DATA = labelled_texts(("de", "en", "fr", "ru"))
TEXTS = [text.encode() for text in DATA.urls[:12]] + [b"", b"12", b"a", b"\xff\xfe", "погода 天気".encode()]


@pytest.mark.parametrize(("ties", "missing", "placed"), list(itertools.product(TIES, MISSING, (True, False))))
def test_every_choice_scores_as_its_plain_version(ties: str, missing: str, placed: bool) -> None:
    for common, edges in ((7, "wrap"), (399, "space"), (5000, "words")):
        model = RankOrder(common, edges=edges, ties=ties, missing=missing, placed=placed).fit(DATA.urls, DATA.labels)
        scores = model.scores(TEXTS).matrix
        for row, text in enumerate(TEXTS):
            plain = np.array(model.plain_scores(text), np.float32)
            assert np.array_equal(plain, scores[row], equal_nan=True), (text, common)


def test_the_distance_is_the_papers() -> None:
    # G_en = a b c; G_de = b c a; the text "ccbcba" has c, b, a.
    model = RankOrder(3, 1, 1, "wrap", "first", "end", True).fit(["aaabbc", "bbbcca"], ["en", "de"])
    distances = -model.scores(["cccbba"]).matrix[0] * 4 * np.sqrt(3)
    expected = {"de": abs(2 - 1) + abs(1 - 2) + abs(3 - 3), "en": abs(3 - 1) + abs(2 - 2) + abs(1 - 3)}
    assert np.allclose(distances, [expected[tag] for tag in model.languages_], atol=1e-5)
    # A missing n-gram costs C + 1 - j at rank j, or C + 1 from everywhere.
    far = RankOrder(3, 1, 1, "wrap", "first", "far", True).fit(["aaabbc", "bbbcca"], ["en", "de"])
    lacking = [-m.scores(["zzza"]).matrix[0] * 4 * np.sqrt(2) for m in (model, far)]
    place = model.languages_.index("en")
    assert [round(float(one[place])) for one in lacking] == [(4 - 1) + abs(1 - 2), 4 + abs(1 - 2)]


def test_ranks_share_or_follow_the_order() -> None:
    assert ranked(np.array([], np.int64), "shared").tolist() == []
    assert ranked(np.array([2, 2, 1, 2]), "shared").tolist() == [1, 1, 4, 1]
    assert ranked(np.array([2, 2, 1, 2]), "first").tolist() == [1, 2, 4, 3]


def test_text_in_a_script_that_no_language_has_is_not_scored() -> None:
    model = RankOrder().fit(DATA.urls, DATA.labels)
    assert model.predict(["天気予報です", "weather in the garden", "погода лето"]) == [None, "en", "ru"]


def test_the_papers_choices_are_one_call_away() -> None:
    paper = RankOrder.paper()
    assert (paper.common, paper.shortest, paper.longest, paper.edges) == (399, 1, 5, "wrap")
    assert paper.fit(DATA.urls, DATA.labels).predict(["weather in the garden"]) == ["en"]


def test_wrong_parameters_are_refused_when_they_are_used() -> None:
    for wrong in (RankOrder(0), RankOrder(ties="none"), RankOrder(missing="near"), RankOrder(longest=99)):
        with pytest.raises(UsageError):
            wrong.fit(DATA.urls, DATA.labels)


def test_lists_that_do_not_fit_are_refused() -> None:
    model = RankOrder(50).fit(DATA.urls, DATA.labels)
    _, arrays = model.state()
    for wrong in (
        {"keys": arrays["keys"][::-1].copy()},
        {"ranks": arrays["ranks"] + 60},
        {"ranks": -arrays["ranks"]},
        {"ranks": arrays["ranks"].astype(np.int64)},
    ):
        with pytest.raises(BadModel):
            model.restore({}, arrays | wrong)
