from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.made_urls import WORDS, labelled_texts

from dragoman.errors import UsageError
from dragoman.identifiers.text.algorithms.hmm import viterbi
from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm, joined
from dragoman.identifiers.text.algorithms.hmm.exponents import grid, loss
from dragoman.identifiers.text.algorithms.hmm.kinds import kinds
from dragoman.identifiers.text.algorithms.hmm.model import Shape, reestimate, spread, train
from dragoman.identifiers.text.algorithms.hmm.streams import observations, starts
from dragoman.identifiers.text.algorithms.hmm.symbols import (
    LATIN,
    PAPER,
    PERIOD,
    SCRIPTS,
    SPACE,
    Alphabet,
    plain_symbols,
    symbols,
)
from dragoman.kernels import hmm as kernel

LANGUAGES = ("de", "en", "es", "fr", "it")
DATA = labelled_texts(LANGUAGES)
Doubles = NDArray[np.float64]


def made(models: int, states: int, cells: int, seed: int = 0) -> tuple[Doubles, Doubles]:
    """Tables of random models, some of whose transitions are impossible."""
    rng = np.random.default_rng(seed)
    table = np.log(rng.random((cells, models * states)))
    moves = rng.random((models, states, states + 1)) * (rng.random((models, states, states + 1)) < 0.8)
    moves[:, :, -1] += 0.1
    with np.errstate(divide="ignore"):
        return table, np.log(moves / moves.sum(axis=2, keepdims=True))


@pytest.mark.parametrize("text", ["", " . ", "Grüße  aus\tBerlin, 1989.", "да, Straße ÿ𐐀\ud800", "a" * 9 + " "])
def test_plain_symbols_equal_the_fast_ones(text: str) -> None:
    for alphabet in (PAPER, Alphabet.of(["да да да страница"])):
        assert plain_symbols(text, alphabet) == symbols(text, alphabet).tolist()


def test_letters_outside_latin_1_get_symbols_of_their_own_or_of_their_script() -> None:
    alphabet = Alphabet.of(["дада да ж"])
    assert alphabet.letters.tolist() == [ord("а"), ord("д")]
    assert alphabet.size == LATIN + 2 + len(SCRIPTS)
    assert symbols("ад", alphabet).tolist() == [61, 62]
    other, greek = symbols("жλ", alphabet).tolist()
    assert other == symbols("я", alphabet)[0] != greek
    assert max(other, greek) <= alphabet.size
    assert symbols("ад", PAPER).tolist() == []


def test_an_alphabet_of_western_text_is_the_papers() -> None:
    assert Alphabet.of(["Grüße aus Köln"] * 9).size == 60


def test_successive_differences_are_differences_of_differences() -> None:
    s = np.array([1, 3, 2, 60, 1], np.int64)
    padded = np.concatenate([[0, 0, 0], s])
    found = observations(s.astype(np.int32), "s&d0&d1&d2", 60, "successive").T
    for order in range(4):
        expected = np.diff(padded, order)[-len(s) :]
        assert np.array_equal(found[order] - found[order][0] + expected[0], expected)
        assert found[order].min() >= 1


def test_what_came_before_gives_the_first_differences() -> None:
    whole, part = symbols("x. acb"), symbols("acb")
    expected = observations(whole, "s&d0&d1&d2", 60)[3:]
    assert np.array_equal(observations(part, "s&d0&d1&d2", 60, before=whole[:3].tolist()), expected)


@pytest.mark.parametrize(("models", "states"), [(1, 1), (1, 4), (3, 3), (6, 2)])
def test_compiled_decoding_equals_the_plain_one(models: int, states: int) -> None:
    table, moves = made(models, states, 30)
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 30, (n, 3)).astype(np.int32) for n in (0, 1, 2, 5, 200)]
    offsets = np.cumsum([0, *map(len, rows)])
    found = kernel.scores(np.concatenate(rows), offsets, table, moves)
    for row, compiled in zip(rows, found, strict=True):
        assert viterbi.plain_scores(row, table, moves) == compiled.tolist()


@pytest.mark.parametrize("states", [1, 2, 3, 7])
def test_compiled_alignment_equals_the_plain_one(states: int) -> None:
    table, moves = made(1, states, 20, seed=states)
    cells = np.random.default_rng(2).integers(0, 20, (300, 2)).astype(np.int32)
    value, path = kernel.align(cells, table, moves)
    plain_value, plain_path = viterbi.plain_align(cells, table, moves)
    assert (value, path.tolist()) == (plain_value, plain_path)


def test_the_best_path_is_the_best_of_all_paths() -> None:
    table, moves = made(1, 3, 9, seed=5)
    cells = np.random.default_rng(3).integers(0, 9, (6, 1)).astype(np.int32)
    best = -math.inf
    for number in range(3**6):
        path = [number // 3**t % 3 for t in range(6)]
        if path[0]:
            continue
        value = sum(table[cells[t, 0], path[t]] for t in range(6))
        value += sum(moves[0, one, two] for one, two in itertools.pairwise(path)) + moves[0, path[-1], 3]
        best = max(best, float(value))
    assert kernel.align(cells, table, moves)[0] == pytest.approx(best)


def test_a_kernel_refuses_what_would_lead_outside() -> None:
    table, moves = made(2, 2, 5)
    with pytest.raises(ValueError, match="outside the table"):
        kernel.align(np.array([[5]], np.int32), table[:, :2].copy(), moves[:1].copy())
    with pytest.raises(ValueError, match="do not fit"):
        kernel.scores(np.zeros((1, 1), np.int32), np.array([0, 1]), table[:, :3].copy(), moves)
    with pytest.raises(ValueError, match="offsets"):
        kernel.scores(np.zeros((1, 1), np.int32), np.array([0, 2]), table, moves)


def test_training_shares_the_text_among_the_states_and_counts() -> None:
    shape = Shape(2, "left-right", (0, 4))
    cells = np.array([[0], [0], [0], [1], [2], [2]], np.int32)
    model = train([cells], shape, [1.0], floor=0.5)
    shares = np.exp(model.emissions)
    assert shares.sum(axis=0) == pytest.approx([1, 1])
    assert shares[3] == pytest.approx([0.5 / (3 + 2), 0.5 / (3 + 2)])
    assert np.exp(model.transitions) == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [0, 2 / 3, 1 / 3]]))


def test_alignment_finds_where_the_text_changes() -> None:
    shape = Shape(2, "left-right", (0, 2))
    model = train([np.array([[0]] * 10 + [[1]] * 90, np.int32)], shape, [1.0])
    assert np.exp(model.transitions[0, 1]) == pytest.approx(0.1)


def test_a_round_of_baum_welch_raises_the_likelihood_of_one_stream() -> None:
    rng = np.random.default_rng(4)
    shape = Shape(2, "ergodic", (0, 5))
    cells = np.concatenate([rng.integers(0, 3, 40), rng.integers(2, 5, 40)]).astype(np.int32)[:, None]

    def likelihood(one: object) -> float:
        moves, table = np.exp(one.transitions), np.exp(one.emissions)  # type: ignore[attr-defined]
        forward = np.array([1.0, 0.0]) * table[cells[0, 0]]
        total = 0.0
        for cell in cells[1:, 0]:
            forward = (forward @ moves[:, :-1]) * table[cell]
            total += math.log(forward.sum())
            forward /= forward.sum()
        return total + math.log(float(forward @ moves[:, -1]))

    first = train([cells], shape, [1.0], floor=1e-9, rounds=1)
    values = [likelihood(first)]
    for _ in range(4):
        first = reestimate([cells], first, shape, [1.0], 1e-9)
        values.append(likelihood(first))
    assert values == sorted(values)


@pytest.mark.parametrize("topology", ["left-right", "skips", "ergodic"])
@pytest.mark.parametrize("sequences", [1, 4])
def test_every_topology_learns(topology: str, sequences: int) -> None:
    model = Hmm.paper(topology=topology, sequences=sequences).fit(DATA.urls, DATA.labels)
    right = np.mean([one == two for one, two in zip(model.predict(DATA.urls), DATA.labels, strict=True)])
    assert right > 0.5


@pytest.mark.parametrize(
    "params",
    [
        {"states": 1},
        {"states": 2},
        {"states": 5, "sequences": 4},
        {"deltas": "successive"},
        {"baum_welch": 1},
        {"streams": "s&d0"},
        {"exponents": "learnt", "streams": "s&d0&d1"},
        {"exponents": "equal"},
        {"topology": "left-right"},
    ],
)
def test_every_option_learns(params: dict[str, object]) -> None:
    model = Hmm(**params).fit(DATA.urls[:60], DATA.labels[:60])  # type: ignore[arg-type]
    answers = model.predict(DATA.urls[:60])
    assert np.mean([one == two for one, two in zip(answers, DATA.labels, strict=False)]) > 0.7
    total = 1 if model.topology == "left-right" else len(model.exponents_) / 2
    assert sum(model.exponents_) == pytest.approx(total)


def test_states_begin_as_spaces_vowels_and_consonants() -> None:
    alphabet = Alphabet.of(["дада да ж"])
    assert kinds(alphabet, 3)[symbols("Où est-il. ад", alphabet)].tolist() == [1, 1, 0, 1, 2, 2, 0, 1, 2, 0, 0, 1, 2]
    assert kinds(PAPER, 1).tolist() == [0] * 61
    assert sorted(set(kinds(PAPER, 2)[symbols("la mia")].tolist())) == [0, 1]
    assert sorted(set(kinds(PAPER, 6).tolist())) == [0, 1, 2, 3, 4, 5]


def test_states_that_begin_as_letters_stay_letters() -> None:
    model = Hmm(cleaning="none").fit(DATA.urls, DATA.labels)
    emissions = model.models_[0].emissions
    for letter, state in (("a", 1), ("e", 1), ("n", 2), ("s", 2)):
        assert int(np.argmax(emissions[symbols(letter)[0] - 1])) == state


def test_a_language_of_one_word_leaves_a_path_for_every_text() -> None:
    model = Hmm(cleaning="none").fit(["haus", "the house of the day"], ["de", "en"])
    assert np.isfinite(model.scores(["a", "ab", "a b c", "xyz. q " * 9]).matrix).all()


def test_a_text_of_fewer_symbols_than_states_has_no_score() -> None:
    model = Hmm.paper(cleaning="none").fit(DATA.urls, DATA.labels)
    assert np.isnan(model.scores(["ab", "1234", "...", "", " "]).matrix).all()
    assert np.isfinite(model.scores(["abc"]).matrix).all()
    for ours in (Hmm(states=1, cleaning="none"), Hmm(cleaning="none")):
        assert np.isfinite(ours.fit(DATA.urls, DATA.labels).scores(["a"]).matrix).all()


def test_texts_are_joined_with_a_period() -> None:
    parts = [symbols("ab"), symbols("c."), symbols(""), symbols("d")]
    assert joined(parts).tolist() == [1, 2, PERIOD, SPACE, 3, PERIOD, SPACE, 4, PERIOD]


def test_a_language_without_a_symbol_does_not_harm_the_others() -> None:
    texts = [*DATA.urls, *WORDS["ru"]]
    model = Hmm.paper().fit(texts, [*DATA.labels, *["ru"] * len(WORDS["ru"])])
    assert np.isfinite(model.scores(["weather and water"]).matrix).all()
    assert model.predict(["погода"]) == [None]
    assert Hmm().fit(texts, [*DATA.labels, *["ru"] * len(WORDS["ru"])]).predict(["погода сад"]) == ["ru"]


@pytest.mark.parametrize(
    "params",
    [
        {"streams": "s&d9"},
        {"streams": "s&s"},
        {"topology": "ring"},
        {"deltas": "none"},
        {"states": 0},
        {"floor": 0.0},
        {"exponents": "best"},
        {"exponents": (1.0,)},
        {"alphabet": "greek"},
        {"start": "middle"},
    ],
)
def test_a_bad_parameter_is_refused(params: dict[str, object]) -> None:
    with pytest.raises(UsageError) as caught:
        Hmm(**params).fit(DATA.urls, DATA.labels)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_exponents_are_on_the_simplex_and_equal_ones_come_first() -> None:
    assert grid(2)[0] == (0.5, 0.5)
    assert all(sum(one) == pytest.approx(1) for one in grid(3))
    assert spread(Shape(1, "left-right", (0, 2, 3)), (0.75, 0.25)).tolist() == [0.75, 0.75, 0.25]


def test_the_loss_falls_with_the_lead() -> None:
    truth = np.array([0, 1])
    assert loss(np.array([[3.0, 0], [0, 3.0]]), truth) < loss(np.array([[1.0, 0], [0, 1.0]]), truth)


def test_cells_of_streams_follow_each_other() -> None:
    assert starts("s&d0&d1&d2", 60, "lag").tolist() == [0, 60, 180, 300, 420]
    assert starts("s&d0&d1&d2", 60, "successive").tolist() == [0, 60, 180, 420, 900]
