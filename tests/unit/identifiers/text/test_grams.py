from __future__ import annotations

import random

import numpy as np
import pytest
from tests.made_urls import HOSTILE

from dragoman.columns import ByteColumn
from dragoman.identifiers.text.grams import PIECES, SAMPLE, heard, of_word, pieces, read
from dragoman.identifiers.text.identify import open_method
from dragoman.identifiers.text.scripts import main_script, script_table
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
    return [key >> (64 - bits) for word in read(text).words for _, key in of_word(word)]


def compiled(text: bytes, bits: int = 20) -> list[int]:
    batch = ByteColumn.from_rows([b"before", text, b"behind"])
    indptr, buckets = text_buckets(batch.data, batch.offsets, script_table(), bits)
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
    indptr, _ = text_buckets(batch.data, batch.offsets, script_table(), 20)
    assert indptr[-1] <= 5 * (SAMPLE + 6 * PIECES)


def test_words_are_runs_of_letters_in_lower_case() -> None:
    assert read("Don't STOP: 3 pigs, naïve oʻzbek".encode()).words == ["don", "t", "stop", "pigs", "naïve", "o", "zbek"]


def test_only_words_of_the_script_of_a_text_are_read() -> None:
    assert read("Привет, John! 日本".encode()).words == ["привет"]
    assert read("日本語のテスト abc".encode()).words == ["日本語のテスト"]


def test_latin_letters_in_cyrillic_words_are_cyrillic_where_they_look_like_it() -> None:
    latin = "Tридeсeт двa"
    assert not latin.isascii()
    assert read(latin.encode()).words == ["тридесет", "два"]


def test_what_has_no_letters_has_no_features() -> None:
    assert compiled(b"12, 34: 56!") == []
    assert compiled(b"") == []


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Hello", "Latn"),
        ("Ђорђе Љубиша", "Cyrl"),
        ("漢字かなカナ", "Hani"),
        ("한국어", "Hang"),
        ("ߒߞߏ", "Nkoo"),
        ("a text of many words with one слово", "Latn"),
        ("run apt install, а потом перезагрузите машину", "Cyrl"),
        ("𓀀𓀁", None),
        ("12 + 3", None),
    ],
)
def test_the_script_of_a_text(text: str, script: str | None) -> None:
    assert main_script(text) == script


def test_a_bucket_has_a_number_of_bits_that_fits() -> None:
    batch = ByteColumn.from_rows([b"abc"])
    for bits in (0, 33):
        with pytest.raises(ValueError, match="1 to 32 bits"):
            text_buckets(batch.data, batch.offsets, script_table(), bits)
    assert int(np.max(text_buckets(batch.data, batch.offsets, script_table(), 3)[1])) < 8


def test_words_that_stand_as_names_count_half_where_some_word_begins_with_a_small_letter() -> None:
    assert heard("We met Anna, Jean-Luc and Bob. Then we left Łódź".encode()).halves == [
        2,
        2,
        1,
        1,
        1,
        2,
        1,
        2,
        2,
        2,
        1,
    ]
    assert set(heard(b"Novak Djokovic, Rafael Nadal").halves) == {2}
    assert set(heard(b"\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82").halves) == {2}


def test_the_compiled_way_hears_names_and_free_letters_as_the_plain_one_does() -> None:
    model = open_method("text")
    texts = [
        "Flights from Lisbon to São Paulo", "ŁÓDŹ Is A city in Poland", "É", "ab Éb", "Путин met Джон in Moscow и Anna",
        "Łódź, Kraków and Gdańsk are cities in Poland", "We met Bob. Bob Bob bob", "São 2 Paulo’s Élan-Vital é",
        " Hello Paul, we are in Rome." * 2000,
    ]  # fmt: skip
    rows = [text.encode() for text in texts] + [b"We met \xd3lafur\xff Arnalds in R\xc3m"]
    matrix = model.scores(ByteColumn.from_rows(rows)).matrix
    for row, scores in zip(rows, matrix, strict=True):
        assert np.array_equal(np.array(model.plain_scores(row), np.float32), scores, equal_nan=True), row
