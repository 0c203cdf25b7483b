"""The compiled frontier is held to the plain one, to the last step."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.crawl.frontier import CompactFrontier, Frontier
from dragoman.errors import UsageError
from dragoman.types import Decision, Shift

_GROUPS = st.one_of(
    st.integers(0, 4), st.tuples(st.integers(0, 2), st.integers(0, 3)), st.sampled_from(["a", -1, ("b", 1), 2**62])
)
_PRIORITIES = st.one_of(st.sampled_from([0.0, 1.0, -0.0]), st.floats(-4, 4, width=32))
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 40), _GROUPS, _PRIORITIES, st.booleans()),
        st.tuples(st.just("put"), st.integers(0, 40), _GROUPS, _PRIORITIES, st.just(False)),
        st.tuples(st.just("pop")),
        st.tuples(st.just("peek")),
        st.tuples(st.just("take"), st.integers(0, 40)),
        st.tuples(st.just("drop"), _GROUPS),
        st.tuples(st.just("shift"), _GROUPS, st.floats(-8, 8), st.floats(0.01, 4)),
    ),
    max_size=120,
)


def stand(frontier: Frontier) -> tuple[object, ...]:
    groups = sorted(frontier.groups(), key=str)
    return len(frontier), frontier.forgotten, groups, [frontier.waiting(one) for one in groups]


def step(frontier: Frontier, one: tuple[object, ...]) -> object:
    if one[0] == "put":
        _, key, group, priority, held = one
        assert isinstance(priority, float)
        return frontier.put(key, group, priority, held=bool(held))
    if one[0] == "pop":
        return frontier.pop()
    if one[0] == "peek":
        return frontier.peek()
    if one[0] == "take":
        return frontier.take(one[1])
    if one[0] == "drop":
        return frontier.drop(one[1])
    _, group, offset, scale = one
    assert isinstance(offset, float)
    assert isinstance(scale, float)
    frontier.shift(group, offset, scale)
    return None


@settings(max_examples=150, deadline=None)
@given(_STEPS, st.booleans(), st.sampled_from([None, 0, 7, -3]), st.sampled_from([None, 1, 3, 12]))
def test_any_sequence_of_calls_ends_as_with_the_plain_frontier(
    steps: list[tuple[object, ...]], promotion: bool, seed: int | None, limit: int | None
) -> None:
    plain = Frontier(promotion=promotion, seed=seed, limit=limit)
    compact = CompactFrontier(promotion=promotion, seed=seed, limit=limit)
    for one in steps:
        assert step(compact, one) == step(plain, one)
        assert stand(compact) == stand(plain)
    for key in range(42):
        assert (key in compact, compact.done(key)) == (key in plain, plain.done(key))
    while (key_of_plain := plain.pop()) is not None:
        assert compact.pop() == key_of_plain
    assert compact.pop() is None
    assert len(compact) == len(plain)


def test_long_sequences_agree_too() -> None:
    for number, limit in ((1, None), (2, 700)):
        chance = random.Random(number)
        plain, compact = Frontier(limit=limit, seed=number), CompactFrontier(limit=limit, seed=number)
        for _ in range(15_000):
            action = chance.random()
            group = (chance.randrange(40), chance.randrange(20)) if action < 0.5 else chance.randrange(30)
            if action < 0.7:
                key, priority = chance.randrange(3_000), chance.choice([0.0, 1.0, chance.random()])
                held = chance.random() < 0.05
                assert compact.put(key, group, priority, held=held) == plain.put(key, group, priority, held=held)
            elif action < 0.72:
                assert compact.drop(group) == plain.drop(group)
            elif action < 0.78:
                offset, scale = chance.random(), 0.1 + chance.random()
                plain.shift(group, offset, scale)
                compact.shift(group, offset, scale)
            else:
                assert compact.pop() == plain.pop()
        assert stand(compact) == stand(plain)
        while (key_of_plain := plain.pop()) is not None:
            assert compact.pop() == key_of_plain


def test_many_puts_and_shifts_at_once_are_as_good_as_one_by_one() -> None:
    chance = random.Random(5)
    decisions = [
        Decision(chance.randrange(300), (chance.randrange(9), 1), chance.choice([None, 0.0, chance.random()]), "why")
        for _ in range(1_000)
    ]
    shifts = [Shift((group, 1), chance.random(), 0.5 + chance.random()) for group in range(9)]
    orders = []
    for frontier in (Frontier(limit=200), CompactFrontier(limit=200)):
        frontier.put_all(decisions[:500])
        frontier.shift_all(shifts)
        frontier.put_all(decisions[500:])
        frontier.put_all([])
        orders.append([frontier.forgotten, *(frontier.pop() for _ in range(len(frontier)))])
    assert orders[0] == orders[1]


def test_what_is_no_number_is_refused_as_a_key_and_taken_as_a_group() -> None:
    frontier = CompactFrontier()
    groups: list[Hashable] = ["a.example", -1, 2**62, 2**80, ("a", 1), (1, 256), (1, 2, 3), None]
    for key, group in enumerate(groups):
        assert frontier.put(key, group, 1.0)
    assert list(frontier.groups()) == groups
    for wrong in (-1, 2**32 - 1, "a"):
        with pytest.raises(UsageError, match="A key is"):
            frontier.put(wrong, 0, 1.0)
    with pytest.raises(UsageError, match="scale is 0"):
        frontier.shift(1, 1.0, 0.0)
    with pytest.raises(UsageError, match="scale is -1"):
        frontier.shift_all([Shift(1, 1.0, -1.0)])
    with pytest.raises(UsageError, match="room for at least 1"):
        CompactFrontier(limit=0)
    assert (len(frontier), -1 in frontier, "a" in frontier, frontier.done(2**40)) == (len(groups), False, False, False)
