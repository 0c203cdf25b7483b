"""What words, sites and n-grams are known by in tables: 64-bit keys, and the rows of n-grams. As the kernels do."""

from __future__ import annotations

from dragoman import kernels
from dragoman.identifiers.url.tokens import lower_case

_MASK = (1 << 64) - 1
_FIRST, _SECOND, _START = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F
#: A boundary before and behind a word in its n-grams.
BLANK = ord("_")
#: What stands for a character beyond ASCII that is no letter.
_OTHER_SIGN = 1
#: Letters of a word that have n-grams.
MOST_LETTERS = 40
#: The lengths of n-grams, boundaries counted.
HOST_LENGTHS, PATH_LENGTHS = (3, 5), (3, 4, 5)


def raw_bytes(text: str) -> bytes:
    """One byte per character: ASCII as it is, another letter as 128 and seven bits of its lower case."""
    return bytes(map(_byte, text))


def _byte(character: str) -> int:
    point = ord(character)
    if point < 0x80:
        return point
    small = kernels.fold(point)
    if not small:
        return _OTHER_SIGN
    return small if small < 0x80 else 0x80 | (small ^ (small >> 7) * 29) & 0x7F


def text_key(text: str) -> int:
    """The key of a text in any case: of its lower case in UTF-8, eight bytes at a time."""
    written = bytes(byte | 0x20 if byte < 0x80 else byte for byte in lower_case(text).encode())
    chunks = [int.from_bytes(written[at : at + 8], "little") for at in range(0, len(written), 8)] or [0]
    h = _START
    for chunk in chunks[:-1]:
        h = (h ^ chunk) * _FIRST & _MASK
        h ^= h >> 32
    h = (h ^ chunks[-1]) * _FIRST & _MASK
    return (h ^ (h >> 32)) * _SECOND & _MASK


def host_rows(word: str, bits: int) -> list[int]:
    """The buckets of the n-grams of a word of the host, and one of the word itself."""
    return [*_gram_rows(word, HOST_LENGTHS, bits), (text_key(word) * _SECOND & _MASK) >> (64 - bits)]


def path_rows(word: str, bits: int) -> list[int]:
    """The rows of the n-grams of a word of the path."""
    return _gram_rows(word, PATH_LENGTHS, bits)


def _gram_rows(word: str, lengths: tuple[int, ...], bits: int) -> list[int]:
    """One multiplication for each n-gram: there are fifty in a URL."""
    written = bytes([BLANK, *raw_bytes(lower_case(word[:MOST_LETTERS])), BLANK])
    grams = [written[at : at + length] for length in lengths for at in range(len(written) - length + 1)]
    return [(int.from_bytes(gram, "little") * _FIRST & _MASK) >> (64 - bits) for gram in grams]
