from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.frontier.plain import shuffled
from dragoman.errors import UsageError


def emptied(frontier: Frontier) -> list[Hashable]:
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
    frontier.put("held", 1, 1.0, held=True)
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


def test_any_sequence_of_calls_agrees_with_a_list_that_is_searched() -> None:
    """The definition: a list of entries, of which the best is looked for each time."""
    chance = random.Random(3)
    frontier, done, puts = Frontier(), set(), 0
    plain: dict[int, tuple[int, float, int]] = {}
    shifts: dict[int, tuple[float, float]] = {}

    def rank(item: tuple[int, tuple[int, float, int]]) -> tuple[float, int]:
        of, priority, turn = item[1]
        offset, scale = shifts.get(of, (0.0, 1.0))
        return -(offset + scale * priority), turn

    for _ in range(4000):
        action = chance.random()
        group = chance.randrange(6)
        if action < 0.6:
            key, priority = chance.randrange(400), float(chance.randrange(4))
            frontier.put(key, group, priority)
            now = plain.get(key)
            if key not in done and (now is None or now[0] != group or priority > now[1]):
                plain[key] = (group, priority, puts)
                puts += 1
        elif action < 0.65:
            frontier.drop(group)
            plain = {key: entry for key, entry in plain.items() if entry[0] != group}
            shifts.pop(group, None)
        elif action < 0.75:
            shifts[group] = (chance.random(), 0.5 + chance.random())
            frontier.shift(group, *shifts[group])
        elif plain:
            best = min(plain.items(), key=rank)[0]
            assert frontier.pop() == best
            del plain[best]
            done.add(best)
        else:
            assert frontier.pop() is None
        assert len(frontier) == len(plain)
