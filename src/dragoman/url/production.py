"""The features of the production recipe: words, character n-grams, scripts and language codes, each by its place.

| feature | example for `http://fr.example.org/meteo/index_de.html` |
|---|---|
| `tld`: the top-level domain | `org` |
| `host`, `path`: a word | `example`, `meteo` |
| `host-gram`, `path-gram`: three to five characters of a word with boundary marks | `_me`, `_met`, `_mete` |
| `script`: the block of 128 code points of a word's first letter, beyond Latin | `script:8` for Cyrillic |
| `code-label`: two or three letters that are the first label | `fr` |
| `code-segment`: that are a path segment, alone or with a region (`/en/`, `/pt-br/`) | |
| `code-value`: that are a value of the query (`?lang=fr`) | |
| `code-mark`: that end or begin a segment behind or before `_`, `-` or `.` | `de` |
| `code`: the same letters wherever they stand | `fr`, `de` |

Which codes mean a language is learnt, not listed. Letters that may be a code are no word and have no n-grams, so that
what `/ha/` says does not rub off on `/haus`. The lowest two bits of a key say what it is (1 host word, 2 top-level
domain, 3 path word, 0 other), so that training can leave host words and domains out now and then: a model that always
sees them learns sites by heart.
"""

from __future__ import annotations

from collections.abc import Iterator

from dragoman import kernels
from dragoman.url.address import Address, read_address
from dragoman.url.tokens import Token, tokens_of

_MASK = (1 << 64) - 1
NAMESPACES = (
    "host", "tld", "path", "host-gram", "path-gram", "script",
    "code", "code-label", "code-segment", "code-value", "code-mark",
)  # fmt: skip
KINDS = {"host": 1, "tld": 2, "path": 3}
_SHORTEST, _LONGEST = 3, 5


def production_key(namespace: str, points: str | tuple[int, ...]) -> int:
    """The key of a text (or of numbers) in a namespace."""
    h = (NAMESPACES.index(namespace) + 1) * 0xD6E8FEB86659FD93 & _MASK
    for point in points:
        h = (h ^ (point if isinstance(point, int) else ord(point))) * 0x100000001B3 & _MASK
    return ((h ^ (h >> 32)) * 0x9E3779B97F4A7C15 & _MASK & ~3) | KINDS.get(namespace, 0)


def production_features(url: bytes) -> Iterator[tuple[str, int]]:
    """(name, key) of every feature of a URL, in order."""
    address = read_address(url)
    if address.kind != "web":
        return
    text = address.host + address.rest
    for token in tokens_of(address):
        word, place = token.text, token.place
        if len(word) <= 3 and (where := _code_place(address, text, token)):
            yield f"{where}:{word}", production_key(where, word)
            yield f"code:{word}", production_key("code", word)
            continue
        if place == "tld":
            yield f".{word}", production_key("tld", word)
            continue
        yield f"{place}:{word}", production_key(place, word)
        if ord(word[0]) >= 0x250:
            yield f"script:{ord(word[0]) >> 7}", production_key("script", (ord(word[0]) >> 7,))
        marked = f"_{word}_"
        for first in range(len(marked) - _SHORTEST + 1):
            for length in range(_SHORTEST, min(_LONGEST, len(marked) - first) + 1):
                gram = marked[first : first + length]
                yield f"{place}~{gram}", production_key(f"{place}-gram", gram)


def _code_place(address: Address, text: str, token: Token) -> str | None:
    """How a word of two or three letters may be a language code."""
    host_length, start, end, place = len(address.host), token.start, token.end, token.place
    before = text[start - 1] if start not in (0, host_length) else ""
    after = text[end] if end < len(text) else ""
    if place != "path":
        return "code-label" if start == 0 and after == "." and place == "host" else None
    ends = after in ("", "/", "?", "#")
    if before == "/":
        region = text[end + 1 : end + 3]
        closed = end + 3 >= len(text) or text[end + 3] in "/?#"
        if ends or (after in ("-", "_") and len(region) == 2 and all(map(_is_letter, region)) and closed):
            return "code-segment"
    if before == "=" and after in ("", "&", ";", "#", "-", "_"):
        return "code-value"
    if (before in ("_", "-", ".") and (after == "." or ends)) or (before == "/" and after in ("_", "-", ".")):
        return "code-mark"
    return None


def _is_letter(character: str) -> bool:
    return kernels.fold(ord(character)) != 0
