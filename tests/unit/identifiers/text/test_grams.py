from __future__ import annotations

import random

import numpy as np
import pytest
from tests.made_urls import HOSTILE

from dragoman.columns import ByteColumn
from dragoman.identifiers.text.grams import PIECES, SAMPLE, named, pieces, words
from dragoman.kernels.text import text_buckets

TEXTS = [
    "Où est l'école? ÉCOLE!".encode(),
    "日本語のテスト、漢字とかな".encode(),
    "Привет, мир".encode(),
    "ไทย ελληνικά עברית العربية हिन्दी".encode(),
    b"caf\xe9 na\xefve \xff\xc3",
    b"\xe2\x82 cut off \xf0\x9f\x98",
    b"a" * 3000 + b" " + b"b" * 19 + b" " + b"c" * 20 + b" " + b"d" * 21,
]


def plain(text: bytes, bits: int = 20) -> list[int]:
    return [key >> (64 - bits) for _, key in named(text)]


def compiled(text: bytes, bits: int = 20) -> list[int]:
    batch = ByteColumn.from_rows([b"before", text, b"behind"])
    indptr, buckets = text_buckets(batch.data, batch.offsets, bits)
    found: list[int] = buckets[indptr[1] : indptr[2]].tolist()
    return found


@pytest.mark.parametrize("text", [*TEXTS, *HOSTILE.values()], ids=repr)
def test_compiled_features_equal_the_plain_ones(text: bytes) -> None:
    assert compiled(text) == plain(text)


@pytest.mark.parametrize("length", [SAMPLE - 1, SAMPLE, SAMPLE + 1, SAMPLE + 40, 3 * SAMPLE + 7])
@pytest.mark.parametrize("seed", ["abc ", "день ", "語学"])
def test_compiled_features_equal_the_plain_ones_around_the_length_from_which_on_pieces_are_read(
    length: int, seed: str
) -> None:
    text = (seed * length).encode()[:length]
    assert compiled(text) == plain(text)


def test_random_bytes_are_read_alike() -> None:
    rng = random.Random(4)
    for _ in range(50):
        text = bytes(rng.choices((*range(256), *b"    "), k=rng.randint(0, 200)))
        assert compiled(text) == plain(text)


def test_a_long_text_is_read_in_pieces_that_do_not_cut_characters() -> None:
    text = ("день " * 40_000).encode()
    found = list(pieces(text))
    assert len(found) == PIECES
    assert sum(map(len, found)) <= SAMPLE + 6 * PIECES
    assert all(piece.decode() for piece in found)
    assert text.endswith(found[-1])


def test_the_cost_of_a_text_does_not_grow_beyond_a_sample() -> None:
    batch = ByteColumn.from_rows(["words and words " * 4_000_000])
    indptr, _ = text_buckets(batch.data, batch.offsets, 20)
    assert indptr[-1] <= 5 * (SAMPLE + 6 * PIECES)


def test_words_are_runs_of_letters_in_lower_case() -> None:
    assert [word for word in words("Don't STOP: 3 pigs, naïve".encode()) if word] == [
        "don",
        "t",
        "stop",
        "pigs",
        "naïve",
    ]


def test_what_has_no_letters_has_no_features() -> None:
    assert compiled(b"12, 34: 56!") == []
    assert compiled(b"") == []


def test_all_of_han_is_one_block() -> None:
    blocks = {next(named(word.encode()))[0] for word in ("中", "龍", "㐀", "𠀀")}
    assert blocks == {"[68]"}


def test_a_bucket_has_a_number_of_bits_that_fits() -> None:
    batch = ByteColumn.from_rows([b"abc"])
    for bits in (0, 33):
        with pytest.raises(ValueError, match="1 to 32 bits"):
            text_buckets(batch.data, batch.offsets, bits)
    assert int(np.max(text_buckets(batch.data, batch.offsets, 3)[1])) < 8
