"""Names of features as 64-bit keys: what words and n-grams are known by in tables and model files.

Two of a million words meet with a chance of about one in 40 million. The compiled loops hash in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable

#: Where the hash of a word begins; other beginnings keep equal words apart.
WORD_START = 0xCBF29CE484222325
_MASK, _FNV_PRIME = (1 << 64) - 1, 0x100000001B3


def mix(key: int) -> int:
    """A bijection of 64 bits that spreads every bit over all; never 0, which marks a free slot."""
    key ^= key >> 33
    key = key * 0xFF51AFD7ED558CCD & _MASK
    key ^= key >> 33
    key = key * 0xC4CEB9FE1A85EC53 & _MASK
    key ^= key >> 33
    return key or 1


def characters_key(characters: Iterable[str], start: int = WORD_START) -> int:
    """The key of some characters, one after the other: FNV-1a over their code points, mixed."""
    key = start
    for character in characters:
        key = (key ^ ord(character)) * _FNV_PRIME & _MASK
    return mix(key)


def word_key(word: str, namespace: int = 0) -> int:
    """The key of a word; namespaces keep equal words apart."""
    return characters_key(word, WORD_START + namespace)
