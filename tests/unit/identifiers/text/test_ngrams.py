from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.made_urls import HOSTILE, WORDS

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.text.ngrams import EDGES, NGrams, words_of
from dragoman.kernels import counting

ROWS = [row for row in HOSTILE.values() if len(row) < 10_000] + [" ".join(words).encode() for words in WORDS.values()]
KINDS = [NGrams(*sizes, edges) for sizes in ((1, 5), (3, 3), (8, 8)) for edges in EDGES]


def compiled(kind: NGrams, rows: list[bytes]) -> list[dict[int, int]]:
    indptr, keys, counts = kind.counts(ByteColumn.from_rows(rows))
    pairs = list(zip(keys.tolist(), counts.tolist(), strict=True))
    return [dict(pairs[start:stop]) for start, stop in pairwise(indptr.tolist())]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_compiled_counts_equal_plain_ones_in_the_same_order(kind: NGrams) -> None:
    for row, found in zip(ROWS, compiled(kind, ROWS), strict=True):
        assert list(found.items()) == list(kind.plain_counts(row).items()), row[:80]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode()), st.sampled_from(KINDS))
def test_compiled_counts_equal_plain_ones_for_any_bytes(row: bytes, kind: NGrams) -> None:
    assert compiled(kind, [row]) == [kind.plain_counts(row)]


def test_there_are_as_many_ngrams_as_characters_on_a_ring() -> None:
    for text in (b"a", b"ab", b"the quick brown fox"):
        assert len(list(NGrams(3, 3, "wrap").of(text))) == len(text)
    assert list(NGrams(3, 3, "wrap").of(b"a")) == ["aaa"]
    assert list(NGrams(2, 2, "space").of(b"ab c")) == ["ab", "b ", " c", "c ", " a"]


def test_a_space_alone_is_no_ngram() -> None:
    for edges in EDGES:
        assert " " not in list(NGrams(1, 5, edges).of(b"a b c"))


def test_everything_but_letters_is_a_space() -> None:
    assert words_of(b" 12 a--b\x00\xe9.\n") == "a b \xe9"
    assert words_of(b"...") == ""
    assert list(NGrams(1, 5, "wrap").of(b"12 !")) == []


def test_a_long_text_between_short_ones_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    long = bytes(rng.integers(97, 123, 200_000, dtype=np.uint8))
    kind = NGrams(1, 5, "wrap")
    assert compiled(kind, [ROWS[5], long, ROWS[5], ROWS[6]])[2:] == compiled(kind, [ROWS[5], ROWS[6]])


def test_wrong_sizes_and_edges_are_refused() -> None:
    for sizes in ((0, 3), (3, 2), (1, 9)):
        with pytest.raises(UsageError):
            NGrams(*sizes, "wrap")
        with pytest.raises(ValueError, match="n-grams"):
            counting.count(np.empty(0, np.uint8), np.zeros(1, np.int64), *sizes, "wrap")
    with pytest.raises(UsageError):
        NGrams(1, 5, "torn")


def test_a_table_that_leads_outside_is_refused() -> None:
    data, offsets = np.frombuffer(b"abc", np.uint8), np.array([0, 3])
    ranks = np.ones((1, 2), np.int32)
    slots = np.zeros(8, np.uint64)
    slots[0:2] = (5, 1)  # the number of a row that is not there
    for bad in (slots, np.ones(8, np.uint64), np.zeros(6, np.uint64)):
        with pytest.raises(ValueError, match="table"):
            counting.cosines(data, offsets, (1, 3, "wrap"), bad, ranks.astype(np.float32), root=False)
