"""Damaged web archives (benchmarks/archives/damage.py), a few of them."""

from __future__ import annotations

from damage import run


def test_damaged_archives_are_read_as_far_as_they_can_be() -> None:
    assert run(60, seed=4) == 0
