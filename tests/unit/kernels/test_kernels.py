"""What Python refuses before C could see it, and the tables of keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dragoman import kernels

DATA = np.frombuffer(b"http://a.de/hausb.fr/maison", np.uint8)
OFFSETS = np.array([0, 16, 27], np.int64)
SLOTS = kernels.new_slots(4)
WEIGHTS, BIAS = np.zeros((4, 2), np.float32), np.zeros(2, np.float32)


def run_all(data: Any, offsets: Any) -> list[Any]:
    """One call of each kernel that reads rows."""
    return [
        lambda: kernels.keys(data, offsets, 0),
        lambda: kernels.linear_scores(data, offsets, 0, 0, SLOTS, WEIGHTS, BIAS),
        lambda: kernels.custom_counts(data, offsets, SLOTS, 2),
    ]


def test_good_arrays_are_taken() -> None:
    for call in run_all(DATA, OFFSETS):
        call()


@pytest.mark.parametrize(
    "data",
    [DATA.astype(np.int8), DATA.astype(np.uint16), DATA.astype(np.float64), np.repeat(DATA, 2)[::2], DATA[::-1]],
    ids=["int8", "uint16", "float64", "strided", "backwards"],
)
def test_bytes_of_another_type_or_order_are_refused(data: Any) -> None:
    for call in run_all(data, OFFSETS):
        with pytest.raises(TypeError, match="contiguous array of uint8"):
            call()


@pytest.mark.parametrize(
    "offsets",
    [
        OFFSETS.astype(np.int32),
        OFFSETS.astype(np.uint64),
        OFFSETS.astype(np.float64),
        OFFSETS.astype(">i8"),
        np.repeat(OFFSETS, 2)[::2],
    ],
    ids=["int32", "uint64", "float64", "big-endian", "strided"],
)
def test_offsets_of_another_type_or_order_are_refused(offsets: Any) -> None:
    for call in run_all(DATA, offsets):
        with pytest.raises(TypeError, match="contiguous array of int64"):
            call()


@pytest.mark.parametrize(
    "offsets",
    [
        [],
        [-1, 5],
        [0, 28],
        [0, 2**62],
        [5, 3],
        [0, 20, 10, 27],
        [0, 10, -10, 27],
        [-(2**62), 0],
        [30, 30],
        [0, 2**63 - 1, 27],
        [0, 100, 27],
    ],
    ids=str,
)
def test_offsets_that_lead_outside_the_bytes_are_refused(offsets: list[int]) -> None:
    for call in run_all(DATA, np.array(offsets, np.int64)):
        with pytest.raises(ValueError, match="offsets"):
            call()


def test_offsets_need_not_begin_at_zero_nor_reach_the_end() -> None:
    indptr, keys, kinds = kernels.keys(DATA, np.array([7, 11, 11, 20], np.int64), 0)
    assert (indptr.tolist(), len(keys), kinds.tolist()) == ([0, 1, 1, 3], 3, [0, 1, 0])


def test_no_rows_are_fine() -> None:
    nothing = np.empty(0, np.uint8)
    for call in run_all(nothing, np.zeros(1, np.int64)):
        assert len(call()[-1]) == 0
    for call in run_all(nothing, np.zeros(4, np.int64)):
        assert call()[-1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("size", [0, 1, 3, 6, 33])
def test_a_table_needs_a_power_of_two_of_slots(size: int) -> None:
    slots, some = np.zeros(size, np.uint64), np.array([1], np.uint64)
    for call in (
        lambda: kernels.find(some, slots),
        lambda: kernels.number(some, slots, 0),
        lambda: kernels.linear_scores(DATA, OFFSETS, 0, 0, slots, WEIGHTS, BIAS),
        lambda: kernels.custom_counts(DATA, OFFSETS, slots, 2),
    ):
        with pytest.raises(ValueError, match="power of two"):
            call()


def test_tables_and_keys_of_another_type_are_refused() -> None:
    some = np.array([1, 2], np.uint64)
    wrong: list[tuple[Any, Any]] = [
        (some.astype(np.int64), SLOTS),
        (some, SLOTS.astype(np.int64)),
        (np.repeat(some, 2)[::2], SLOTS),
    ]
    for keys, slots in wrong:
        with pytest.raises(TypeError, match="uint64"):
            kernels.find(keys, slots)
        with pytest.raises(TypeError, match="uint64"):
            kernels.number(keys, slots, 0)


@pytest.mark.parametrize(
    ("weights", "bias", "error"),
    [
        (np.zeros((4, 3), np.float32), BIAS, ValueError),
        (np.zeros(8, np.float32), BIAS, ValueError),
        (np.zeros((4, 2), np.float64), BIAS, TypeError),
        (np.zeros((2, 4), np.float32).T, BIAS, TypeError),
        (WEIGHTS, np.zeros(2, np.float64), TypeError),
        (WEIGHTS, np.zeros(4, np.float32)[::2], TypeError),
    ],
)
def test_weights_of_another_shape_or_type_are_refused(weights: Any, bias: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        kernels.linear_scores(DATA, OFFSETS, 0, 0, SLOTS, weights, bias)


@pytest.mark.parametrize("columns", [[-1], [35], [0, 2**62], [-(2**63)]], ids=str)
def test_columns_that_do_not_exist_are_refused(columns: list[int]) -> None:
    weights = np.zeros((len(columns), 2), np.float32)
    with pytest.raises(ValueError, match="chosen column"):
        kernels.custom_scores(DATA, OFFSETS, SLOTS, 2, np.array(columns, np.int64), 0, weights, BIAS)


def test_too_many_languages_are_refused() -> None:
    with pytest.raises(MemoryError, match="1,024 languages"):
        kernels.linear_scores(DATA, OFFSETS, 0, 0, SLOTS, np.zeros((4, 1025), np.float32), np.zeros(1025, np.float32))
    for width in (-1, 17, 1000):
        with pytest.raises(ValueError, match="at most 16 languages"):
            kernels.custom_counts(DATA, OFFSETS, SLOTS, width)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 100, 5000])
def test_a_new_table_holds_its_keys_and_stays_half_empty(size: int) -> None:
    slots = kernels.new_slots(size)
    keys = np.arange(1, size + 1, dtype=np.uint64)
    numbers, same, used = kernels.number(keys, slots, 0)
    assert same is slots
    assert used == size
    assert numbers.tolist() == list(range(size))
    assert np.count_nonzero(slots.reshape(-1, 2)[:, 0]) * 2 <= len(slots) // 2


def test_numbers_follow_first_appearance_however_often_the_table_grows() -> None:
    keys = np.random.default_rng(0).integers(1, 3000, 20_000).astype(np.uint64)
    order = {key: number for number, key in enumerate(dict.fromkeys(keys.tolist()))}
    slots, used, found = kernels.new_slots(0), 0, []
    for part in np.array_split(keys, 7):
        numbers, slots, used = kernels.number(np.ascontiguousarray(part), slots, used)
        found += numbers.tolist()
    assert found == [order[key] for key in keys.tolist()]
    assert used == len(order)
    assert kernels.find(np.array([1, 5000, 2**64 - 1], np.uint64), slots).tolist() == [order.get(1, -1), -1, -1]


def test_keys_that_fall_on_the_same_slot_are_kept_apart() -> None:
    # Slots are chosen by the upper half of a product: keys a table's size apart in that half collide.
    inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    keys = np.array([(n << 36) * inverse % (1 << 64) for n in range(1, 8)], np.uint64)
    numbers, slots, _ = kernels.number(keys, kernels.new_slots(7), 0)
    assert len(slots) == 32, "sixteen slots, so that all keys want the first"
    assert numbers.tolist() == list(range(7))
    assert kernels.find(keys, slots).tolist() == list(range(7))
