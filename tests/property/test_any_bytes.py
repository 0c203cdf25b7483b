"""Any bytes are a URL: plain and compiled agree, and nothing raises."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.made_urls import HOSTILE

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import Address, decode, decode_label, read_address
from dragoman.identifiers.url.custom_features import DICTIONARIES, Dictionaries, word_keys
from dragoman.identifiers.url.features import CompiledSet
from dragoman.identifiers.url.tokens import STOP_WORDS, tokens, words_of

#: Pieces that make a URL of most mixtures, so that random bytes reach the corners of the reader.
PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b" ", b"\n"]),
    st.sampled_from(
        b"http: https:// ftp:/ // mailto: www. . .. :80 : @ [ ] / \\ ? # xn-- xn--mnchen-3ya xn--p1ai - index html com "
        b"% %4 %2e %C3%A9 %E7 %00 \xc3 \xe2\x82 \xed\xa0\x80 \xf0\x9f\x8c \x00".split()
    ),
    st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass")),
)
ANY_BYTES = st.one_of(st.binary(max_size=80), st.lists(PIECES, max_size=12).map(b"".join))

WORDS = word_keys(["com", "www", "index", "mnchen", "münchen", "рф", "ab", "html"])
DICTIONARY = Dictionaries.from_words(("x", "y"), {(name, "y"): WORDS for name in DICTIONARIES})


@pytest.mark.parametrize("features", [kind() for kind in CompiledSet.__subclasses__()], ids=lambda one: one.name)
@settings(max_examples=400, deadline=None)
@given(rows=st.lists(ANY_BYTES, min_size=1, max_size=4))
@example(rows=[row for row in HOSTILE.values() if len(row) < 1000])
def test_plain_keys_and_kinds_equal_compiled_ones(features: CompiledSet, rows: list[bytes]) -> None:
    indptr, keys, kinds = features.keys(ByteColumn.from_rows(rows))
    for number, row in enumerate(rows):
        assert kernels.KINDS[kinds[number]] == read_address(row).kind
        assert features.plain_keys(row) == keys[indptr[number] : indptr[number + 1]].tolist()


@settings(max_examples=400, deadline=None)
@given(rows=st.lists(ANY_BYTES, min_size=1, max_size=4))
def test_plain_custom_features_equal_compiled_ones(rows: list[bytes]) -> None:
    counts, kinds = DICTIONARY.counts(ByteColumn.from_rows(rows))
    for number, row in enumerate(rows):
        assert kernels.KINDS[kinds[number]] == read_address(row).kind
        assert DICTIONARY.plain_counts(row) == counts[number].tolist()


@settings(max_examples=300, deadline=None)
@given(url=ANY_BYTES)
def test_tokens_are_lower_case_words_of_two_letters_or_more(url: bytes) -> None:
    for token in tokens(url):
        assert len(token.text) >= 2
        assert token.text not in STOP_WORDS
        assert all(kernels.fold(ord(character)) == ord(character) for character in token.text)


@settings(max_examples=300, deadline=None)
@given(url=ANY_BYTES, left=st.binary(max_size=3), right=st.binary(max_size=3))
def test_blanks_around_a_url_do_not_matter(url: bytes, left: bytes, right: bytes) -> None:
    blanks = bytes(range(0x21))
    left, right = (bytes(blanks[byte % 0x21] for byte in side) for side in (left, right))
    assert read_address(left + url + right) == read_address(url)


@settings(max_examples=300, deadline=None)
@given(url=ANY_BYTES)
def test_only_web_addresses_have_parts(url: bytes) -> None:
    address = read_address(url)
    assert address.kind in kernels.KINDS
    assert address.kind == "web" or address == Address(address.kind)


@settings(max_examples=300, deadline=None)
@given(first=st.binary(max_size=40), second=st.binary(max_size=40))
def test_the_tokens_of_two_paths_are_those_of_each(first: bytes, second: bytes) -> None:
    paths = [b"/" + part.strip(bytes(range(0x21))).replace(b"%", b"") for part in (first, second)]
    whole, one, two = (
        [(token.text, token.place) for token in tokens(b"http://host" + path)] for path in (b"".join(paths), *paths)
    )
    assert whole == one + two[1:]


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=20))
def test_text_comes_back_from_its_escapes(text: str) -> None:
    raw = text.encode("utf-8", "ignore")
    assert decode("".join(f"%{byte:02X}" for byte in raw).encode()) == raw.decode()
    assert decode("".join(f"%{byte:02x}" for byte in raw).encode()) == raw.decode()


@settings(max_examples=500, deadline=None)
@given(label=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_punycode_is_decoded_as_python_decodes_it(label: str) -> None:
    encoded = label.encode("punycode").decode()
    written = "xn--" + encoded
    if len(written) > 63 or "." in written or written == "xn--":
        assert decode_label(written) == written or "." in written
        return
    assert decode_label(written) == encoded.encode().decode("punycode")
    assert label.isascii() or decode_label(written) == label


@settings(max_examples=500, deadline=None)
@given(rest=st.text("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-", min_size=1, max_size=59))
def test_any_label_is_decoded_or_stays(rest: str) -> None:
    found = decode_label("xn--" + rest)
    try:
        expected = rest.encode().decode("punycode")
    except UnicodeError:
        assert found == "xn--" + rest
        return
    if any(0xD800 <= ord(character) <= 0xDFFF for character in expected):
        expected = "xn--" + rest
    assert found == expected


def letter(point: int) -> int:
    """What the kernels' table should say, by this Python's Unicode."""
    character = chr(point)
    return ord(character.lower()[0]) if unicodedata.category(character)[0] in "LM" else 0


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table is that of Unicode 14")
def test_the_table_of_letters_is_unicode_14_in_full() -> None:
    wrong = [point for point in range(0x110000) if kernels.fold(point) != letter(point)]
    assert wrong == []


@pytest.mark.parametrize(
    "block",
    [
        range(0x0250),  # Latin
        range(0x0370, 0x0500),  # Greek, Cyrillic
        range(0x05D0, 0x05EB),  # Hebrew
        range(0x0620, 0x0660),  # Arabic
        range(0x0905, 0x0950),  # Devanagari
        range(0x0E01, 0x0E3B),  # Thai
        range(0x10A0, 0x10C6),  # Georgian
        range(0x3041, 0x3097),  # Hiragana
        range(0x4E00, 0x9FA6),  # Han
        range(0xAC00, 0xD7A4),  # Hangul
        range(0xD800, 0xE010),  # surrogates, private use
        range(0xFF21, 0xFF3B),  # full-width capitals
        range(0x10400, 0x10428),  # Deseret capitals
        range(0x20000, 0x2A6D7),  # more Han, beyond the direct table
    ],
    ids=lambda block: f"{block.start:04X}",
)
def test_the_table_of_letters_is_right_in_blocks_that_do_not_change(block: range) -> None:
    assert [point for point in block if kernels.fold(point) != letter(point)] == []


@pytest.mark.parametrize("point", [0x110000, 0x7FFFFFFF, 0xFFFFFFFF])
def test_what_is_no_code_point_is_no_letter(point: int) -> None:
    assert kernels.fold(point) == 0


def test_the_long_lower_case_of_one_letter_is_its_first_part() -> None:
    assert list(words_of("İSTANBUL")) == ["istanbul"]
