from __future__ import annotations

import numpy as np
import pytest

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UnknownName
from dragoman.identifiers.hashing import mix, word_key
from dragoman.identifiers.url.features import FEATURE_SETS, Vocabulary, feature_set, trigram_key


def test_an_unknown_feature_set_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        feature_set("trigram")
    assert all(name in str(caught.value) for name in FEATURE_SETS)
    assert "Did you mean 'trigrams'?" in str(caught.value)


def test_mix_is_a_bijection_that_never_gives_zero() -> None:
    values = [*range(2000), *((1 << 64) - 1 - n for n in range(2000)), *(1 << n for n in range(64))]
    found = [mix(value) for value in values]
    assert len(set(found)) >= len(set(values)) - 1, "only 0 and the value that gives 1 may meet"
    assert min(found) > 0
    assert max(found) < 1 << 64


def test_namespaces_keep_equal_words_apart() -> None:
    assert len({word_key("it", namespace) for namespace in range(4)}) == 4


def test_trigram_keys_are_exact() -> None:
    grams = ["abc", "abd", "bac", "_ab", "ab_", "\U0010ffff\U0010ffff\U0010ffff", "\x00\x00\x01"]
    assert len({trigram_key(gram) for gram in grams}) == len(grams)


def test_a_vocabulary_grows_beyond_its_first_table() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [a + b + c + d for a in letters for b in letters for c in letters for d in letters[:8]]
    vocabulary = Vocabulary.empty(feature_set("words"))
    first = len(vocabulary.slots)
    counts = vocabulary.learn(ByteColumn.from_rows(["/" + word for word in words]))
    assert vocabulary.size == len(words) == counts.shape[1]
    assert len(vocabulary.slots) > first
    assert vocabulary.keys().tolist() == [word_key(word) for word in words]
    assert kernels.find(vocabulary.keys(), vocabulary.slots).tolist() == list(range(len(words)))


def test_counts_count() -> None:
    vocabulary = Vocabulary.empty(feature_set("words"))
    counts = vocabulary.learn(ByteColumn.from_rows(["/haus/haus/baum", "", "/baum"]))
    assert counts.toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert vocabulary.counts(ByteColumn.from_rows(["/neu/haus", "/neu"])).toarray().tolist() == [[1, 0], [0, 0]]


def test_nothing_learnt_is_an_empty_matrix() -> None:
    vocabulary = Vocabulary.empty(feature_set("words"))
    assert vocabulary.learn(ByteColumn.from_rows([])).shape == (0, 0)
    assert vocabulary.counts(ByteColumn.from_rows(["/haus"])).shape == (1, 0)
    assert vocabulary.keys().dtype == np.uint64
