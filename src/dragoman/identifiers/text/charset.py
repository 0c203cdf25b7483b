"""Bytes become text, with the facts of how: which charset, who said so, and what had to be set aside.

The order is that of the web standards: a byte order mark, the HTTP header, META, and detection where nobody says
anything. Names are looked up in `data/charsets.tsv`: labels as browsers read them (`latin1` is windows-1252, `gb2312`
is gbk), so a page in a known charset is never refused for the name it gives.

What has a defined answer, and never an exception:

| the page | what is read |
|---|---|
| names a charset that nobody knows, or that Python cannot read | the next in the order |
| names one that its bytes contradict (below) | the next in the order; `set_aside` says which was not believed |
| names one that its bytes make doubtful (below) | what the detector says, if that reads every byte; else the name |
| has bytes that its charset does not have | U+FFFD for each; `replaced` counts them |
| says `utf-16` in META, which it cannot be if that was readable | UTF-8, as the standard says |
| says nothing | UTF-8 if it is valid UTF-8, else what the detector says |
| the same without the detector (the extra `page` is not installed) | UTF-8 if valid, else windows-1252: `assumed` |

Bytes contradict a charset if more than one in ten of those beyond ASCII cannot be read in it; if it is another one and
they are valid UTF-8 with characters beyond ASCII (once for a charset of single bytes, thrice for one of several, where
chance can do it); or if it is UTF-16 and there is no NUL in it. Bytes make a charset doubtful if it is one of the
Latin script and most of those beyond ASCII stand four and more in a row (Thai or Russian that is called `iso-8859-1`),
or if it is one of several bytes and three or more cannot be read. `strict=True` leaves this out and believes what is
said, as a browser does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from dragoman.errors import MissingExtra, need
from dragoman.identifiers.text.markup.visible import Tag, read_markup
from dragoman.types import Language

#: META elements are looked for in this many bytes from the start (browsers promise 1,024 and read on).
HEAD = 1 << 16
_START, _REST = 1 << 12, 512  # the second: bytes in which a tag that names a charset ends, even if it holds a `>`
#: Where nothing is said, this much of the page is shown to the detector.
SAMPLE = 1 << 17

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_IN_CONTENT = re.compile(
    r"charset[ \t\n\f\r]*=[ \t\n\f\r]*(?:\"([^\"]*)\"|'([^']*)'|([^ \t\n\f\r;\"']+))", re.IGNORECASE
)
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_SEVERAL_BYTES = frozenset(("big5", "euc-jp", "euc-kr", "gb18030", "gbk", "johab", "shift_jis"))
_CONTRADICTED = 0.1
#: Charsets for letters of the Latin script, where those beyond ASCII stand between others.
_LATIN = frozenset(
    ("macintosh", *(f"windows-{number}" for number in (1250, 1252, 1254, 1257, 1258)),
     *(f"iso-8859-{number}" for number in (2, 3, 4, 10, 13, 14, 15, 16)))
)  # fmt: skip
#: So many bytes beyond ASCII in a row are many, and with fewer of them in all nothing is doubted.
_IN_A_ROW, _FEW = 4, 24


class Row(NamedTuple):
    """A charset: its name, Python's decoder ("" if there is none), its languages, its labels."""

    name: str
    codec: str
    languages: tuple[Language, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Decoded:
    """A text, and how its bytes were read."""

    text: str
    charset: str
    #: `bom`, `header`, `meta`, `detected` or `assumed`.
    how: str
    #: What was said: (`header` or `meta`, the label as it stands).
    declarations: tuple[tuple[str, str], ...] = ()
    #: Labels that were not believed: unknown, unreadable, or contradicted by the bytes.
    set_aside: tuple[str, ...] = ()
    #: Characters that could not be read and are U+FFFD now.
    replaced: int = 0


@cache
def charsets() -> dict[str, Row]:
    """The known charsets by their names."""
    from importlib.resources import files

    text = files("dragoman.data").joinpath("charsets.tsv").read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.split("\n") if line and line[0] != "#")
    return {row[0]: Row(row[0], row[1], tuple(row[2].split()), tuple(row[3].split())) for row in lines}


@cache
def _labels() -> dict[str, str]:
    names = {label: row.name for row in charsets().values() for label in row.labels}
    for row in charsets().values():
        if row.codec and row.name != "x-user-defined":
            names.setdefault(row.codec, row.name)  # what the detector says
    return names


def charset_of(label: str) -> str | None:
    """The name of the charset that a label means, or None if nobody knows it.

    >>> charset_of(" Latin1 "), charset_of("TIS-620"), charset_of("x-nonsense")
    ('windows-1252', 'windows-874', None)
    """
    given = label.strip(" \t\n\f\r").lower()
    return _labels().get(given) or _labels().get(given.replace("_", "-")) or _labels().get(given.replace("-", "_"))


def in_content_type(value: str) -> str | None:
    """The label in a Content-Type, of the HTTP header or of META.

    >>> in_content_type("text/html; charset=TIS-620")
    'TIS-620'
    """
    match = _IN_CONTENT.search(value[:1000])
    return (match[1] or match[2] or match[3] or "").strip() or None if match else None


def label_of(tag: Tag) -> str | None:
    """The label that a META element gives, in `charset=` or in the content of `http-equiv="Content-Type"`."""
    if tag.name != "meta" or tag.ends:
        return None
    if "charset" in tag.attributes:
        return tag.attributes["charset"].strip() or None
    if tag.attributes.get("http-equiv", "").strip().lower() == "content-type":
        return in_content_type(tag.attributes.get("content", ""))
    return None


def meta_labels(source: bytes | str) -> list[str]:
    """The labels in all META elements, in their order; those in comments and scripts are none."""
    if isinstance(source, bytes):
        if (last := source.lower().rfind(b"charset")) < 0:
            return []
        # Behind the last tag that may name one nothing has to be read.
        source = source[: max(last + _REST, source.find(b">", last) + 1)].decode("latin-1")
    return [label for tag in read_markup(source).tags() if (label := label_of(tag))]


def decode(data: bytes, content_type: str | None = None, strict: bool = False) -> Decoded:
    """The text of a page's bytes; `content_type` is what the HTTP header says.

    >>> found = decode("<meta charset=koi8-r>Привет".encode("koi8-r"))
    >>> found.text[-6:], found.charset, found.how
    ('Привет', 'koi8-r', 'meta')
    >>> found = decode("Привет".encode(), "text/html; charset=windows-1251")
    >>> found.text, found.how, found.set_aside
    ('Привет', 'detected', ('windows-1251',))
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    declared: list[tuple[str, str]] = []
    if content_type and (label := in_content_type(content_type)):
        declared.append(("header", label))
    # Nearly always it stands at the very start.
    declared += [("meta", label) for label in meta_labels(data[:_START]) or meta_labels(data[:HEAD])]
    valid = _is_utf8(data)
    aside: list[str] = []
    for how, label in declared:
        known = charset_of(label)
        if known and how == "meta":
            known = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(known, known)
        if known is None or not charsets()[known].codec or (not strict and _contradicted(data, known, valid)):
            aside.append(label)
            continue
        if not strict and _doubtful(data, known) and (better := _better(data, known)):
            return _read(data, better, "detected", tuple(declared), (*aside, label))
        return _read(data, known, how, tuple(declared), tuple(aside))
    return _read(data, *_detected(data, valid), tuple(declared), tuple(aside))


def _read(
    data: bytes, name: str, how: str, declared: tuple[tuple[str, str], ...] = (), aside: tuple[str, ...] = ()
) -> Decoded:
    text = data.decode(charsets()[name].codec, "replace")
    # The mark is in the page itself if its bytes are; other charsets do not have it.
    own = data.count(b"\xef\xbf\xbd") if name == "utf-8" else 0
    return Decoded(text, name, how, declared, aside, max(text.count("\ufffd") - own, 0))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A page that was cut off in the middle of a character is still UTF-8.
        return error.start > 0 and error.end == len(data) and error.reason == "unexpected end of data"
    return True


def _contradicted(data: bytes, name: str, valid: bool) -> bool:
    """True if the bytes say that they are not in this charset."""
    head = data[:SAMPLE]
    if name.startswith("utf-16"):
        return b"\0" not in head
    if (name == "utf-8" and valid) or head.isascii():
        return False
    if name != "utf-8" and valid:
        characters = len(head.decode("utf-8", "ignore").encode("ascii", "ignore"))
        beyond_ascii = len(head.decode("utf-8", "ignore")) - characters
        return beyond_ascii >= (3 if name in _SEVERAL_BYTES else 1)
    beyond = len(head) - len(_BEYOND_ASCII.sub(b"", head))
    unread = _read(head, name, "").replaced
    return unread > max(1, _CONTRADICTED * beyond)


def _doubtful(data: bytes, name: str) -> bool:
    """True if another charset should be looked for."""
    head = data[:SAMPLE]
    if name in _SEVERAL_BYTES:
        return _read(head, name, "").replaced > 2
    if name not in _LATIN:
        return False
    runs = [len(run) for run in _BEYOND_ASCII.findall(head)]
    return sum(runs) >= _FEW and 2 * sum(length for length in runs if length >= _IN_A_ROW) > sum(runs)


def _better(data: bytes, name: str) -> str | None:
    """The charset that the detector names, if it reads every byte and is of another kind than the doubtful one."""
    detected, how = _detected(data, valid=False)
    if how != "detected" or detected == name or (name in _LATIN and detected in _LATIN):
        return None
    return None if _read(data[:SAMPLE], detected, "").replaced else detected


def _detected(data: bytes, valid: bool) -> tuple[str, str]:
    """(name, how) for a page that does not say."""
    if wide := _wide(data):
        return wide, "detected"
    if valid and b"\x1b" not in data:  # the escapes of ISO-2022-JP are ASCII
        return "utf-8", "detected"
    try:
        detector = need("page", "resiliparse.parse.encoding")
    except MissingExtra:
        return ("utf-8" if valid else "windows-1252"), "assumed"
    name = charset_of(detector.detect_encoding(data, max_len=SAMPLE, html5_compatible=False) or "")
    if name is None or not charsets()[name].codec or (name == "utf-8" and not valid):
        # The detector answers UTF-8 where it knows nothing, too.
        return ("utf-8" if valid or name == "utf-8" else "windows-1252"), "assumed"
    return name, "detected"


def _wide(data: bytes) -> str | None:
    """UTF-16 without its mark: many NULs, and nearly all of them at every other byte."""
    head = data[:1024]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) <= max(1, len(head) // 8) or min(even, odd) * 8 > max(even, odd):
        return None
    return "utf-16be" if even > odd else "utf-16le"
