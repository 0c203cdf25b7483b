from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.made_urls import Labelled

from dragoman import measures
from dragoman.identifiers import model_file as store
from dragoman.identifiers.url.algorithms.combined import Combined, Rule, best_rules, join
from dragoman.identifiers.url.algorithms.naive_bayes import NaiveBayes
from dragoman.identifiers.url.algorithms.relative_entropy import RelativeEntropy

Bools = NDArray[np.bool_]


@pytest.mark.parametrize(
    ("main", "helper"), [(-1.0, -2.0), (-1.0, 2.0), (1.0, -2.0), (1.0, 2.0), (0.0, 0.0), (0.0, 1.0)]
)
def test_or_and_and_follow_their_truth_tables(main: float, helper: float) -> None:
    one, two = np.array([main]), np.array([helper])
    assert (join(Rule("a", "b", "or"), one, two) > 0).tolist() == [main > 0 or helper > 0]
    assert (join(Rule("a", "b", "and"), one, two) > 0).tolist() == [main > 0 and helper > 0]


def test_no_score_stays_no_score() -> None:
    nan, one = np.array([np.nan]), np.array([1.0])
    for how in ("or", "and"):
        assert np.isnan(join(Rule("a", "b", how), nan, one)).all()


def test_a_rule_reads_like_a_sentence() -> None:
    assert str(Rule("a", "b", "or")) == "a OR b"
    assert str(Rule("a", "b", "and")) == "a AND b"
    assert str(Rule("a", "a", "or")) == "a"


def planted(how: str) -> tuple[dict[str, list[Bools]], NDArray[np.int64]]:
    """Four members; only b and d together, joined by `how`, know language 0. Member a knows language 1 alone."""
    rng = np.random.default_rng(4)
    truth = (np.arange(400) % 2).astype(np.int64)
    right = truth == 0
    half = rng.random(400) < 0.5
    first, second = (right & half, right & ~half) if how == "or" else (right | half, right | ~half)
    noise = [rng.random(400) < 0.5 for _ in range(6)]
    members = {
        "a": np.stack([noise[0], ~right], axis=1),
        "b": np.stack([first, noise[1]], axis=1),
        "c": np.stack([noise[2], noise[3]], axis=1),
        "d": np.stack([second, noise[4]], axis=1),
    }
    return {name: [answers] for name, answers in members.items()}, truth


@pytest.mark.parametrize("how", ["or", "and"])
def test_the_search_finds_the_planted_pair(how: str) -> None:
    answers, truth = planted(how)
    assert best_rules(answers, [truth], 2) == [Rule("b", "d", how), Rule("a", "a", "or")]


def test_the_search_is_no_worse_than_any_pair_it_tried() -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 200)
    members = {name: [(measures.one_hot(truth, 3) ^ (rng.random((200, 3)) < 0.3))] for name in "abcd"}
    for column, rule in enumerate(best_rules(members, [truth], 3)):
        both = np.logical_or if rule.how == "or" else np.logical_and
        found = measures.judge(truth == column, both(members[rule.main][0], members[rule.helper][0])[:, column]).f
        for one in members.values():
            for two in members.values():
                for operation in (np.logical_or, np.logical_and):
                    other = measures.judge(truth == column, operation(one[0], two[0])[:, column]).f
                    assert found >= other - 1e-9


def test_ties_go_to_the_first_and_to_one_alone() -> None:
    truth = np.array([0, 1, 0, 1], np.int64)
    same = measures.one_hot(truth, 2)
    assert best_rules({"x": [same], "y": [same.copy()]}, [truth], 2) == [Rule("x", "x", "or")] * 2
    assert best_rules({"y": [same], "x": [same.copy()]}, [truth], 2) == [Rule("y", "y", "or")] * 2


def test_sets_weigh_the_same_whatever_their_size() -> None:
    small, large = np.array([0, 1], np.int64), np.array([0, 1] * 100, np.int64)
    good, bad = measures.one_hot(small, 2), ~measures.one_hot(small, 2)
    nearly = measures.one_hot(large, 2)
    nearly[:20] = ~nearly[:20]
    answers = {"all sets": [good, nearly], "large only": [bad, measures.one_hot(large, 2)]}
    assert best_rules(answers, [small, large], 2)[0].main == "all sets"


def test_a_language_without_urls_gets_the_first_member() -> None:
    truth = np.array([0, 0], np.int64)
    answers = {"x": [np.zeros((2, 2), np.bool_)], "y": [np.ones((2, 2), np.bool_)]}
    assert best_rules(answers, [truth], 2)[1] == Rule("x", "x", "or")


def test_combining_trained_classifiers_follows_the_rules(six_languages: Labelled) -> None:
    members = {
        "naive-bayes:words": NaiveBayes().fit(six_languages.urls, six_languages.labels),
        "relative-entropy:trigrams": RelativeEntropy("trigrams").fit(six_languages.urls, six_languages.labels),
        "naive-bayes:trigrams": NaiveBayes("trigrams").fit(six_languages.urls, six_languages.labels),
    }
    first, second = "naive-bayes:words", "relative-entropy:trigrams"
    rules = [Rule(first, second, "or"), Rule(first, second, "and")] * 3
    model = Combined().of(members, rules)
    assert list(model.members_) == [first, second], "a member that no rule uses is dropped"
    one, two, both = (m.scores(six_languages.urls).yes for m in (members[first], members[second], model))
    assert np.array_equal(both[:, 0::2], (one | two)[:, 0::2])
    assert np.array_equal(both[:, 1::2], (one & two)[:, 1::2])
    again = store.from_bytes(store.to_bytes(model))
    assert isinstance(again, Combined)
    assert again.rules_ == rules
    assert np.array_equal(again.scores(six_languages.urls).matrix, model.scores(six_languages.urls).matrix)


def test_rules_that_do_not_fit_their_members_are_refused() -> None:
    member = NaiveBayes().fit(["http://a.de/haus", "http://b.com/house"], ["de", "en"])
    for rules in ([], [Rule("m", "m", "or")], [Rule("m", "x", "or")] * 2):
        with pytest.raises(ValueError, match="do not fit"):
            Combined().of({"m": member}, rules)


def test_few_rows_are_enough_to_learn_from() -> None:
    model = Combined(members=("naive-bayes:words", "relative-entropy:words")).fit(
        ["http://a.de/haus", "http://b.com/house"], ["de", "en"]
    )
    assert model.predict(["http://c.net/haus", "http://c.net/house"]) == ["de", "en"]
