"""What the queue does; and the compiled one is held to the plain one, to the last step."""

from __future__ import annotations

import random
from collections.abc import Hashable
from weakref import WeakKeyDictionary

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.crawl.frontier import Frontier, PlainFrontier
from dragoman.crawl.frontier.plain import shuffled
from dragoman.errors import UsageError
from dragoman.types import Decision, Shift

#: Keys of one kind or of the other; numbers, pairs of numbers and anything else as groups.
_KEYS = st.sampled_from([int, str])
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
        st.tuples(st.just("values"), st.integers(0, 20)),
        st.tuples(st.just("take"), st.integers(0, 40)),
        st.tuples(st.just("rest"), st.integers(0, 40)),
        st.tuples(st.just("wake")),
        st.tuples(st.just("drop"), _GROUPS),
        st.tuples(st.just("shift"), _GROUPS, st.floats(-8, 8), st.floats(0.01, 4)),
    ),
    max_size=120,
)
AnyFrontier = Frontier | PlainFrontier
#: By what the groups that rest are woken.
_RESTING: WeakKeyDictionary[AnyFrontier, list[int]] = WeakKeyDictionary()


def emptied(frontier: AnyFrontier) -> list[Hashable]:
    found = []
    while (key := frontier.pop()) is not None:
        found.append(key)
    return found


def test_higher_priorities_go_first_and_equals_in_their_order() -> None:
    frontier = Frontier()
    for key, priority in (("a", 0.0), ("b", 1.0), ("c", 1.0), ("d", 0.0)):
        assert frontier.put(key, "server", priority)
    assert emptied(frontier) == ["b", "c", "a", "d"]


def test_a_url_has_one_entry_and_moves_up_only_with_promotion() -> None:
    for promotion, order in ((True, ["b", "a", "c"]), (False, ["b", "c", "a"])):
        frontier = Frontier(promotion=promotion)
        frontier.put("c", "s", 0.0)
        frontier.put("a", "s", 0.0)
        frontier.put("b", "s", 2.0)
        assert frontier.put("a", "s", 1.0) is promotion
        assert not frontier.put("a", "s", 0.5)
        assert len(frontier) == 3
        assert emptied(frontier) == order


def test_a_popped_url_is_never_taken_again() -> None:
    frontier = Frontier()
    frontier.put("a", "s", 1.0)
    assert frontier.pop() == "a"
    assert frontier.done("a")
    assert not frontier.put("a", "s", 9.0)
    assert (len(frontier), frontier.pop()) == (0, None)


def test_dropping_a_group_lets_its_urls_go_and_they_may_come_back() -> None:
    frontier = Frontier()
    for number in range(10):
        frontier.put(number, number % 2, 1.0)
    frontier.put(77, 1, 1.0, held=True)
    assert frontier.waiting(1) == 6
    assert frontier.drop(1) == 6
    assert frontier.drop(1) == 0
    assert len(frontier) == 5
    assert 3 not in frontier
    assert frontier.put(3, 1, 0.0)
    assert emptied(frontier) == [0, 2, 4, 6, 8, 3]


def test_held_urls_wait_and_are_counted_but_never_popped() -> None:
    frontier = Frontier()
    frontier.put("seen", "s", 5.0, held=True)
    frontier.put("a", "s", 1.0)
    assert not frontier.put("seen", "s", 9.0)
    assert len(frontier) == 2
    assert emptied(frontier) == ["a"]
    assert len(frontier) == 1
    assert "seen" in frontier


def test_a_shift_ranks_a_whole_group_anew() -> None:
    frontier = Frontier()
    for key, group, priority in (("a1", "a", 1.0), ("a2", "a", 2.0), ("b1", "b", 5.0), ("b2", "b", 0.0)):
        frontier.put(key, group, priority)
    frontier.shift("a", 10.0)
    frontier.shift("b", 0.0, 0.1)
    assert frontier.pop() == "a2"
    frontier.shift("a", -10.0)
    assert emptied(frontier) == ["b1", "b2", "a1"]
    with pytest.raises(UsageError, match="scale is 0"):
        frontier.shift("a", 1.0, 0.0)


def test_a_url_put_into_another_group_moves_there() -> None:
    frontier = Frontier()
    frontier.shift("good", 5.0)
    frontier.put("a", "poor", 1.0)
    frontier.put("b", "poor", 2.0)
    assert frontier.put("a", "good", 1.0)
    assert (len(frontier), frontier.waiting("poor"), frontier.waiting("good")) == (2, 1, 1)
    assert emptied(frontier) == ["a", "b"]


def test_a_seed_draws_the_order_of_equals() -> None:
    def order(seed: int | None) -> list[Hashable]:
        frontier = Frontier(seed=seed)
        for number in range(50):
            frontier.put(number, number % 5, 1.0)
        return emptied(frontier)

    assert order(None) == list(range(50))
    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == list(range(50))  # type: ignore[type-var]
    assert len({shuffled(number) for number in range(10_000)}) == 10_000


def test_a_limit_forgets_the_worst() -> None:
    frontier = Frontier(limit=8)
    for number in range(100):
        frontier.put(number, number % 3, float(number))
        assert len(frontier) <= 8
    assert frontier.pop() == 99
    with pytest.raises(UsageError, match="room for at least 1"):
        Frontier(limit=0)


@pytest.mark.parametrize("kind", [PlainFrontier, Frontier])
def test_a_url_that_waits_and_moves_counts_against_the_limit_whatever_is_asked(kind: type) -> None:
    frontier = kind(limit=3)
    for key in (3, 2, 0):
        frontier.put(key, 0, 0.0)
    frontier.put(1, 0, 0.0, held=True)
    assert frontier.put(0, 1, 0.0, held=True)
    assert (len(frontier), frontier.forgotten) == (3, 1)


def state(frontier: AnyFrontier) -> tuple[object, ...]:
    groups = sorted(frontier.groups(), key=str)
    return len(frontier), frontier.forgotten, groups, [frontier.waiting(group) for group in groups]


def carried_out(frontier: AnyFrontier, step: tuple[object, ...], key_of: type) -> object:
    name, *values = step
    if name == "put":
        key, group, priority, held = values
        assert isinstance(priority, float)
        return frontier.put(key_of(key), group, priority, held=bool(held))
    if name == "take":
        return frontier.take(key_of(values[0]))
    if name == "values":
        return frontier.values(int(str(values[0]))).tolist()
    resting = _RESTING.setdefault(frontier, [])
    if name == "rest":
        resting.append(frontier.rest(key_of(values[0])))
        return bool(resting[-1]) or resting.pop()
    if name == "wake":
        return frontier.wake(resting.pop()) if resting else None
    return getattr(frontier, str(name))(*values)


@settings(max_examples=150, deadline=None)
@given(_STEPS, _KEYS, st.booleans(), st.sampled_from([None, 0, 7, -3]), st.sampled_from([None, 1, 3, 12]))
def test_any_sequence_of_calls_ends_as_with_the_plain_frontier(
    steps: list[tuple[object, ...]], key_of: type, promotion: bool, seed: int | None, limit: int | None
) -> None:
    plain = PlainFrontier(promotion=promotion, seed=seed, limit=limit)
    compiled = Frontier(promotion=promotion, seed=seed, limit=limit)
    for step in steps:
        assert carried_out(compiled, step, key_of) == carried_out(plain, step, key_of)
        assert state(compiled) == state(plain)
    for key in map(key_of, range(42)):
        assert (key in compiled, compiled.done(key)) == (key in plain, plain.done(key))
    assert emptied(compiled) == emptied(plain)
    assert len(compiled) == len(plain)


def test_long_sequences_agree_too() -> None:
    for number, limit in ((1, None), (2, 300)):
        chance = random.Random(number)
        plain, compiled = PlainFrontier(limit=limit, seed=number), Frontier(limit=limit, seed=number)
        for _ in range(6_000):
            action = chance.random()
            group = (chance.randrange(40), chance.randrange(20)) if action < 0.5 else chance.randrange(30)
            if action < 0.8:
                key, priority = chance.randrange(1_500), chance.choice([0.0, 1.0, chance.random()])
                held = chance.random() < 0.05
                assert compiled.put(key, group, priority, held=held) == plain.put(key, group, priority, held=held)
            elif action < 0.82:
                assert compiled.drop(group) == plain.drop(group)
            elif action < 0.88:
                offset, scale = chance.random(), 0.1 + chance.random()
                plain.shift(group, offset, scale)
                compiled.shift(group, offset, scale)
            else:
                assert compiled.pop() == plain.pop()
        assert state(compiled) == state(plain)
        assert emptied(compiled) == emptied(plain)


def test_a_group_that_rests_is_passed_over_until_it_is_woken() -> None:
    frontier = Frontier()
    for key, group in ((0, "a"), (1, "b"), (2, "a"), (3, "b")):
        frontier.put(key, group, 4.0 - key)
    resting = frontier.rest(0)
    assert (frontier.pop(), len(frontier)) == (1, 3)
    frontier.put(4, "a", 9.0)
    assert (frontier.pop(), frontier.pop()) == (3, None)
    frontier.wake(resting)
    assert emptied(frontier) == [4, 0, 2]


def test_many_puts_and_shifts_at_once_are_as_good_as_one_by_one() -> None:
    chance = random.Random(5)
    decisions = [
        Decision(chance.randrange(300), (chance.randrange(9), 1), chance.choice([None, 0.0, chance.random()]), "why")
        for _ in range(1_000)
    ]
    shifts = [Shift((group, 1), chance.random(), 0.5 + chance.random()) for group in range(9)]
    singly, at_once = Frontier(limit=200), Frontier(limit=200)
    for part in (decisions[:500], decisions[500:], []):
        at_once.put_all(part)
        at_once.shift_all(shifts)
        for decision in part:
            if decision.priority is not None:
                singly.put(decision.key, decision.group, decision.priority)
        for shift in shifts:
            singly.shift(shift.group, shift.offset, shift.scale)
    assert state(singly) == state(at_once)
    assert emptied(singly) == emptied(at_once)


def test_keys_and_groups_are_anything() -> None:
    frontier = Frontier()
    groups: list[Hashable] = ["a.example", -1, 2**62, 2**80, ("a", 1), (1, 256), (1, 2, 3), None]
    for key, group in enumerate(groups):
        assert frontier.put(key, group, 1.0)
    assert list(frontier.groups()) == groups
    assert (len(frontier), -1 in frontier, "a" in frontier, frontier.done(2**40)) == (len(groups), False, False, False)
    with pytest.raises(TypeError, match="not both"):
        frontier.put("a", 0, 1.0)
    with pytest.raises(UsageError, match="scale is -1"):
        frontier.shift_all([Shift(1, 1.0, -1.0)])
