"""Phrases in a text: the kernel says what `in` says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.identifiers.text.language_names import COMMON
from dragoman.kernels.phrases import SoughtPhrases

ALPHABET = st.text("ab中\ud800 ", max_size=20)


@given(st.lists(st.text("ab中", min_size=2, max_size=4), max_size=6), ALPHABET)
def test_a_phrase_is_found_wherever_it_stands(phrases: list[str], text: str) -> None:
    assert SoughtPhrases(phrases).any_in(text) == any(phrase in text for phrase in phrases)


@pytest.mark.parametrize("name", COMMON)
def test_each_common_name_is_found_at_both_ends_of_a_text(name: str) -> None:
    phrases = SoughtPhrases(COMMON)
    assert phrases.any_in(f"{name} xyz")
    assert phrases.any_in(f"xyz {name}".encode())
    assert not phrases.any_in(f"xyz {name[:-1]}")


def test_a_phrase_of_one_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="two bytes"):
        SoughtPhrases(["a"])
