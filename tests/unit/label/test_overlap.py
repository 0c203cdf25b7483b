from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from dragoman.label.overlap import AHEAD, overlapped


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_pairs_come_out_in_their_order(threads: int) -> None:
    def work(number: int) -> int:
        time.sleep(0.002 * (number % 3))
        return number * number

    assert list(overlapped(range(40), work, threads)) == [(n, n * n) for n in range(40)]


def test_no_more_threads_work_at_once_than_asked_and_the_asking_one_is_among_them() -> None:
    at_work: set[int] = set()
    seen: set[int] = set()
    most = 0

    def work(number: int) -> None:
        nonlocal most
        at_work.add(threading.get_ident())
        seen.update(at_work)
        most = max(most, len(at_work))
        time.sleep(0.005)
        at_work.discard(threading.get_ident())

    list(overlapped(range(30), work, 2))
    assert most == len(seen) == 2
    assert threading.get_ident() in seen


def test_items_are_read_only_a_little_ahead() -> None:
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        for number in range(100):
            read += 1
            yield number

    for number, _ in overlapped(items(), lambda item: time.sleep(0.001), 2):
        assert read <= number + 1 + 2 * AHEAD


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_up_in_its_turn(threads: int) -> None:
    def work(number: int) -> int:
        if number == 7:
            raise ValueError("seven")
        return number

    pairs = overlapped(range(20), work, threads)
    assert [next(pairs)[0] for _ in range(7)] == list(range(7))
    with pytest.raises(ValueError, match="seven"):
        next(pairs)


def test_who_stops_early_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    pairs = overlapped(range(1000), lambda item: time.sleep(0.001), 3)
    next(pairs)
    pairs.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
