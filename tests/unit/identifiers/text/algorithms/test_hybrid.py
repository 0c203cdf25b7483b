from __future__ import annotations

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.errors import UsageError
from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
from dragoman.identifiers.text.algorithms.hybrid import Hybrid, log_loss, mixture, pieces

DATA = labelled_texts(("de", "en", "fr"), 30)


def test_the_weights_go_to_the_member_that_knows() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    right = np.eye(3)[truth] + 0.3 * rng.standard_normal((300, 3))
    noise = rng.standard_normal((300, 3))
    weights = mixture([noise.astype(np.float32), right.astype(np.float32)], truth)
    assert weights[0] < 0.1 * weights[1]


def test_two_that_know_different_things_are_mixed() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 600)
    members = [(np.eye(3)[truth] + rng.standard_normal((600, 3))).astype(np.float32) for _ in range(2)]
    weights = mixture(members, truth)
    assert min(weights) > 0.5 * max(weights)


def test_nothing_held_out_gives_equal_weights() -> None:
    assert mixture([np.full((2, 3), np.nan, np.float32)] * 2, np.array([0, 1])) == (1.0, 1.0)
    assert Hybrid().fit(["das haus", "the house"], ["de", "en"]).weights_ == (1.0, 1.0, 1.0)


def test_the_weights_are_kept_in_the_notes() -> None:
    model = Hybrid(("hmm", "rank-order")).fit(DATA.urls, DATA.labels)
    assert list(model.notes_["weights"]) == ["hmm", "rank-order"]
    assert model.languages_ == ("de", "en", "fr")


def test_a_silent_member_stays_out_of_the_sum() -> None:
    model = Hybrid().fit(DATA.urls, DATA.labels)
    model.members_["hmm"] = Hmm.paper().fit(DATA.urls, DATA.labels)  # needs three symbols
    assert np.isnan(model.members_["hmm"].scores(["at"]).matrix).all()
    assert np.isfinite(model.scores(["at"]).matrix).all()


@pytest.mark.parametrize("members", [(), ("hmm", "hmm"), ("naive-bayes:words",), ("hmmm",)])
def test_members_that_cannot_be_are_refused(members: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        Hybrid(members).fit(DATA.urls, DATA.labels)


def test_pieces_hold_the_whole_text_but_short_rests() -> None:
    text = " ".join(DATA.urls[:30]).encode()
    assert b" ".join(pieces(text)).replace(b" ", b"") in text.replace(b" ", b"") + b""
    assert list(pieces(b"x" * 60)) == [b"x" * 25, b"x" * 34]
    assert list(pieces(b"  ")) == []


def test_log_loss_of_even_odds_is_a_bit() -> None:
    assert log_loss(np.zeros((4, 2)), np.array([0, 1, 0, 1])) == pytest.approx(np.log(2))
