"""The features of the production recipe: words, character n-grams, scripts and language codes, each by its place.

| kind | what | of `http://fr.example.org/meteo/index_de.html` |
|---|---|---|
| `host-gram` | three or five characters of a word of the host with its boundaries | `_ex`, `_exam`, `exa` |
| `path-gram` | four characters of a word of the path with its boundaries | `_met`, `mete`, `eteo`, `teo_` |
| `host`, `path` | a word | `example`, `meteo` |
| `tld` | the top-level domain | `org` |
| `script` | the block of 128 code points of a word's first letter, beyond Latin | 8 for Cyrillic |
| `code-label` | two or three letters that are the first label | `fr` |
| `code-segment` | that are a path segment, alone or with a region (`/en/`, `/pt-br/`) | |
| `code-value` | that are a value of the query (`?lang=fr`) | |
| `code-mark` | that end or begin a segment behind or before `_`, `-` or `.` | `de` |
| `code` | the same letters wherever they stand | `fr`, `de` |

Which codes mean a language is learnt, not listed. Letters that may be a code are no word and have no n-grams, so that
what `/ha/` says does not rub off on `/haus`.

A feature is a 64-bit key: its highest bits are its place in a table, its lowest four say its kind, so that training can
leave host words and domains out now and then (a model that always sees them learns sites by heart), and an experiment
can leave out any. Characters count as one byte each: ASCII as it is, any other letter as 128 and seven bits of it. So
the URL's own bytes can be hashed eight at a time, and n-grams of other scripts still have whole letters; that letters
of two scripts may share a byte costs less than longer keys, for the script is a feature too.

N-grams are most of what a URL has, so their lengths were chosen for speed as well: with three, four and five of host
and path alike there were 111 in a URL on average, with these there are 47, and no test set tells the difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from dragoman import kernels
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import tokens_of

_MASK = (1 << 64) - 1
_FIRST, _SECOND, _SEED = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F
#: The kinds of features; the position is the number in the lowest four bits of a key.
KINDS = (
    "host-gram", "path-gram", "host", "path", "tld", "script",
    "code", "code-label", "code-segment", "code-value", "code-mark",
)  # fmt: skip
GRAMS = KINDS[:2]
#: Kinds by group; each group has its own table: n-grams, of which a URL has many, words, and what says more than words.
GROUPS = {"grams": KINDS[:2], "words": KINDS[2:4], "codes": KINDS[4:]}
#: The lengths of n-grams, boundaries counted.
GRAM_LENGTHS = {"host": (3, 5), "path": (4,)}


def production_key(kind: str, text: bytes) -> int:
    """The key of some bytes as a feature of a kind."""
    number = KINDS.index(kind)
    h = (number + 1) * _SEED & _MASK
    chunks = [int.from_bytes(text[at : at + 8], "little") for at in range(0, len(text), 8)]
    for chunk in chunks[:-1]:
        h = (h ^ chunk) * _FIRST & _MASK
        h ^= h >> 32
    h = (h ^ chunks[-1]) * _FIRST & _MASK
    if kind not in GRAMS:  # n-grams are too many for a second round
        h = (h ^ (h >> 32)) * _SECOND & _MASK
    return h & ~15 | number


def production_features(url: bytes) -> Iterator[tuple[str, int]]:
    """(name, key) of every feature of a URL: words and codes in order, then n-grams of each length.

    >>> [name for name, _ in production_features(b"http://de.uno.org/sur")][:4]
    ['code-label:de', 'code:de', 'host:uno', '.org']
    """
    return ((name, key) for _, name, key in features_by_part(url))


def features_by_part(url: bytes) -> Iterator[tuple[str, str, int]]:
    """(part, name, key) of every feature: an n-gram's part is the word it stands in, any other is a part of its own.

    >>> [part for part, name, _ in features_by_part(b"http://haus.org/") if name == "host~_ha"]
    ['host:haus']
    """
    address = read_address(url)
    if address.kind != "web":
        return
    host_length = len(address.host)
    text = address.host + address.rest
    blanked = ["_"] * (len(text) + 2)  # a boundary before and behind
    part_at = [""] * (len(text) + 2)
    for token in tokens_of(address):
        word, place = token.text, token.place
        written = bytes(map(_byte, word))
        if len(word) <= 3 and (where := _code_place(host_length, text, token.start, token.end)):
            for kind in (where, "code"):
                yield f"{kind}:{word}", f"{kind}:{word}", production_key(kind, written)
        elif place == "tld":
            yield f".{word}", f".{word}", production_key("tld", written)
        else:
            yield f"{place}:{word}", f"{place}:{word}", production_key(place, written)
            if ord(word[0]) >= 0x250:
                block = ord(word[0]) >> 7
                name = f"script:{block}"
                yield name, name, production_key("script", block.to_bytes(2, "little"))
            blanked[token.start + 1 : token.end + 1] = word
            # one text for all places of a word: with a copy for each, a long word would take its length squared
            part_at[token.start + 1 : token.end + 1] = [f"{place}:{word}"] * len(word)
    for where, lengths in GRAM_LENGTHS.items():
        first, last = (1, host_length) if where == "host" else (host_length + 1, len(text))
        for length in lengths:
            for at in range(first, last + 1):
                gram = "".join(blanked[at - 1 : at - 1 + length])
                if len(gram) == length and "_" not in gram[1:-1]:
                    key = production_key(f"{where}-gram", bytes(map(_byte, gram)))
                    yield part_at[at], f"{where}~{gram}", key


def _byte(letter: str) -> int:
    """The byte that stands for a letter (in lower case already) or a boundary."""
    point = ord(letter)
    return point if point < 0x80 else 0x80 | (point ^ (point >> 7) * 29) & 0x7F


def _code_place(host_length: int, text: str, start: int, end: int) -> str | None:
    """How a word of two or three letters may be a language code."""
    before = text[start - 1] if start not in (0, host_length) else ""
    after = text[end] if end < len(text) else ""
    if start < host_length:
        return "code-label" if start == 0 and after == "." else None
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
