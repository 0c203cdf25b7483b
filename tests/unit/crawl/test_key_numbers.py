from __future__ import annotations

import pytest

from dragoman.crawl.key_numbers import KeyNumbers


def test_keys_are_numbers_or_anything_else_but_not_both() -> None:
    dense, others = KeyNumbers(), KeyNumbers()
    assert [dense.of(key) for key in (5, 0, 5)] == [5, 0, 5]
    assert [others.of(key) for key in ("b", "a", "b")] == [0, 1, 0]
    assert (dense.key(5), others.key(1)) == (5, "a")
    with pytest.raises(TypeError, match="not both"):
        dense.of("a")
