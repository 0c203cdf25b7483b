"""What every registered feature set promises. Nothing here names one, and none can be left out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.made_urls import HOSTILE, LONG, WORDS, Labelled

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.custom_features import DICTIONARIES, LANGUAGE_LIMIT, Dictionaries, word_keys
from dragoman.identifiers.url.custom_features import feature_names as custom_names
from dragoman.identifiers.url.features import FEATURE_SETS, CompiledSet, FeatureSet, Vocabulary, feature_set
from dragoman.kernels import KINDS

ROWS = list(HOSTILE.values())
SHORT = [row for row in ROWS if len(row) < 10_000]


#: The custom-made ones are columns, and have tests of their own at the end.
KEYED = [feature_set(name) for name, kind in FEATURE_SETS.items() if issubclass(kind, FeatureSet)]


@pytest.fixture(params=KEYED, ids=lambda features: features.name)
def features(request: pytest.FixtureRequest) -> FeatureSet:
    chosen: FeatureSet = request.param
    return chosen


@pytest.fixture
def good(six_languages: Labelled) -> list[bytes]:
    return [url.encode() for url in six_languages.urls]


def keys_of(features: FeatureSet, rows: list[bytes]) -> list[list[int]]:
    indptr, keys, _ = features.keys(ByteColumn.from_rows(rows))
    return [keys[start:stop].tolist() for start, stop in pairwise(indptr)]


def test_a_feature_set_is_registered_under_its_own_name(features: FeatureSet) -> None:
    assert feature_set(features.name) is features
    assert FEATURE_SETS.about(features.name)
    assert "\n" not in FEATURE_SETS.about(features.name)


def test_no_two_feature_sets_share_a_number() -> None:
    numbers = sorted(features.number for features in KEYED if isinstance(features, CompiledSet))
    assert numbers == list(range(len(numbers)))


def test_plain_keys_equal_compiled_keys(features: FeatureSet, good: list[bytes]) -> None:
    rows = good + ROWS
    for row, keys in zip(rows, keys_of(features, rows), strict=True):
        assert features.plain_keys(row) == keys, row[:80]


@pytest.mark.parametrize("name", LONG)
def test_plain_keys_equal_compiled_keys_of_long_rows(features: FeatureSet, name: str) -> None:
    assert [features.plain_keys(LONG[name])] == keys_of(features, [LONG[name]])


def test_plain_kinds_equal_compiled_kinds(features: FeatureSet, good: list[bytes]) -> None:
    rows = [*good, *ROWS, *LONG.values()]
    kinds = features.keys(ByteColumn.from_rows(rows))[2]
    assert [KINDS[kind] for kind in kinds] == [read_address(row).kind for row in rows]


def test_what_is_no_web_address_has_no_keys(features: FeatureSet) -> None:
    for row, keys in zip(ROWS, keys_of(features, ROWS), strict=True):
        assert read_address(row).kind == "web" or not keys


def test_names_and_keys_go_together(features: FeatureSet, good: list[bytes]) -> None:
    pairs = {pair for row in good + SHORT for pair in features.named(row)}
    assert len({name for name, _ in pairs}) == len(pairs) == len({key for _, key in pairs})
    assert len(pairs) > 200
    assert all(0 < key < 1 << 64 for _, key in pairs), "0 marks a free slot"


def test_one_equals_the_row_of_many_and_neighbours_do_not_matter(features: FeatureSet, good: list[bytes]) -> None:
    rows = [row for pair in zip(good[: len(ROWS)], ROWS, strict=True) for row in pair]
    assert [keys_of(features, [row])[0] for row in rows] == keys_of(features, rows)


def test_an_empty_batch_has_no_keys(features: FeatureSet) -> None:
    indptr, keys, kinds = features.keys(ByteColumn.from_rows([]))
    assert (indptr.tolist(), keys.tolist(), kinds.tolist()) == ([0], [], [])


def test_a_vocabulary_numbers_keys_in_the_order_of_their_appearance(features: FeatureSet, good: list[bytes]) -> None:
    vocabulary = Vocabulary.empty(features)
    counts = vocabulary.learn(ByteColumn.from_rows(good), rows=50)
    every = [key for row in good for key in features.plain_keys(row)]
    assert vocabulary.keys().tolist() == list(dict.fromkeys(every))
    assert vocabulary.size == counts.shape[1] == len(set(every))
    assert counts.sum() == len(every)
    number = {key: column for column, key in enumerate(vocabulary.keys().tolist())}
    for row in (0, 49, 50, 99):
        expected = np.bincount([number[key] for key in features.plain_keys(good[row])], minlength=vocabulary.size)
        assert counts[row].toarray().ravel().tolist() == expected.tolist()


def test_a_vocabulary_leaves_out_what_it_does_not_know(features: FeatureSet, good: list[bytes]) -> None:
    vocabulary = Vocabulary.empty(features)
    learnt = vocabulary.learn(ByteColumn.from_rows(good[:100]))
    again = Vocabulary.of(features, vocabulary.keys())
    batch = ByteColumn.from_rows(good[:100])
    assert (again.counts(batch) != learnt).nnz == 0
    known = set(vocabulary.keys().tolist())
    counts = again.counts(ByteColumn.from_rows(good + SHORT))
    assert counts.shape == (len(good) + len(SHORT), vocabulary.size)
    expected = [sum(key in known for key in features.plain_keys(row)) for row in good + SHORT]
    assert np.asarray(counts.sum(axis=1)).ravel().tolist() == expected


def made_dictionaries(width: int) -> Dictionaries:
    """Small dictionaries, some of whose words several languages share."""
    pool = sorted({word for words in WORDS.values() for word in words} | {"com", "de", "org", "example", "ru", "рф"})
    languages = tuple(f"l{number}" for number in range(width))
    words = {
        (name, language): word_keys(pool[place * 4 + number :: 5 + place])
        for place, name in enumerate(DICTIONARIES)
        for number, language in enumerate(languages)
    }
    words["trained", languages[-1]] = word_keys(pool)  # the last bit of all, set for every word
    return Dictionaries.from_words(languages, words)


@pytest.mark.parametrize("width", [1, 2, 5, LANGUAGE_LIMIT])
def test_plain_counts_of_custom_features_equal_compiled_counts(width: int, good: list[bytes]) -> None:
    dictionaries = made_dictionaries(width)
    rows = good[:100] + SHORT
    counts, kinds = dictionaries.counts(ByteColumn.from_rows(rows))
    assert counts.shape == (len(rows), len(custom_names(dictionaries.languages)))
    assert [KINDS[kind] for kind in kinds] == [read_address(row).kind for row in rows]
    for row, found in zip(rows, counts.tolist(), strict=True):
        assert dictionaries.plain_counts(row) == found, row
    assert (counts.max(axis=0) > 0).mean() > 0.8, "too few features ever speak for this to be a test"
