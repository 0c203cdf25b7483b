"""Character references in HTML: `&eacute;`, `&#233;` and `&#xE9;` become the characters that they stand for.

Follows the tokenisation of the HTML standard: the longest name that matches; a few old names without their semicolon;
numbers of the C1 controls read as windows-1252; what is no character becomes U+FFFD. What is no reference stays text.

>>> unreference("caf&eacute; &#x65E5; &amp;c &nosuch; &#150;")
'café 日 &c &nosuch; –'
"""

from __future__ import annotations

from functools import cache

#: No name that may stand without its semicolon is longer.
LONGEST_OLD = 6
#: Longer runs of letters and digits are not looked at: no name, its semicolon included, is longer.
LONGEST = 32

#: The numbers 128 to 159 as browsers read them; 0 where the number itself stays.
C1 = (
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
)  # fmt: skip

_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_NAME = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


@cache
def names() -> dict[str, str]:
    """The names, with their semicolon or without it, and what they stand for: the standard's table."""
    from html.entities import html5  # 2231 names: read when the first page has a reference

    return html5


def reference_at(source: str, start: int, end: int, attribute: bool = False) -> tuple[str, int] | None:
    """(characters, where it ends) of the reference that begins with the `&` at `start`; None if there is none.

    In an attribute an old name without its semicolon is text if a letter, a digit or `=` follows: `?a=1&copy=2`.
    """
    at = start + 1
    if at < end and source[at] == "#":
        return _number(source, at + 1, end)
    stop = at
    while stop < end and stop - at < LONGEST and source[stop] in _NAME:
        stop += 1
    if stop < end and source[stop] == ";" and (characters := names().get(source[at : stop + 1])) is not None:
        return characters, stop + 1
    for last in range(min(stop, at + LONGEST_OLD), at + 1, -1):
        if (characters := names().get(source[at:last])) is not None:
            if attribute and last < end and (source[last] in _NAME or source[last] == "="):
                return None
            return characters, last
    return None


def _number(source: str, at: int, end: int) -> tuple[str, int] | None:
    digits, base = _DIGITS, 10
    if at < end and source[at] in "xX":
        at, digits, base = at + 1, _HEX, 16
    stop, value = at, 0
    while stop < end and source[stop] in digits:
        value = min(value * base + int(source[stop], base), 0x110000)
        stop += 1
    if stop == at:
        return None
    return chr(character(value)), stop + (stop < end and source[stop] == ";")


def character(value: int) -> int:
    """The code point that a number stands for.

    >>> [hex(character(value)) for value in (65, 0, 0x92, 0xD800, 0x110000)]
    ['0x41', '0xfffd', '0x2019', '0xfffd', '0xfffd']
    """
    if value == 0 or 0xD800 <= value <= 0xDFFF or value > 0x10FFFF:
        return 0xFFFD
    return (C1[value - 0x80] or value) if 0x80 <= value <= 0x9F else value


def unreference(text: str, attribute: bool = False) -> str:
    """The text with its references replaced."""
    if "&" not in text:
        return text
    parts, at = [], 0
    while (amp := text.find("&", at)) >= 0:
        reference = reference_at(text, amp, len(text), attribute)
        parts.append(text[at:amp] + (reference[0] if reference else "&"))
        at = reference[1] if reference else amp + 1
    return "".join(parts) + text[at:]
