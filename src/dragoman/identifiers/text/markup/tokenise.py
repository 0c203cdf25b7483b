"""HTML becomes visible text, and where each piece of it came from: the plain definition, one character at a time.

The compiled version (dragoman.kernels.markup) is held equal to this one by tests; use text.markup.visible, which takes
whichever is meant for work. It follows the tokenisation of the HTML standard (text, tags, attributes, comments, CDATA,
raw text, character references), makes no tree, and looks at each character a bounded number of times: the cost grows
with the length of the page and nothing else, however deep its tags are nested.

What becomes of white space: a run is one space; at the border of a block it is a line break; none begins or ends the
text. Inside `<pre>` it stays. NUL is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dragoman.identifiers.text.markup.elements import (
    ABSENT,
    ATTRIBUTES,
    BLOCK,
    CLOSED,
    CODED,
    ELEMENTS,
    END,
    FOREIGN,
    KEPT,
    LANGUAGE_ATTRIBUTES,
    NAMES,
    RAW,
    REPLACED,
    REST,
    SAME,
    SEPARATOR,
    SHOWN,
    TOLD,
)
from dragoman.identifiers.text.markup.references import reference_at

_SPACE = frozenset(" \t\n\f\r")
_NAME_ENDS = frozenset(" \t\n\f\r/>")
_PLAIN = re.compile(r"[^ \t\n\f\r&\0]+")
_COMMENT_END = re.compile(r"--!?>")
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_SCRIPT = re.compile(r"<!--|-->|<script(?=[ \t\n\f\r/>])|</script(?=[ \t\n\f\r/>])", re.IGNORECASE | re.ASCII)
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass
class MarkupTokens:
    """The text, and rows of numbers about it; positions are characters of the source, or of the text.

    segments: (text start, source start, source length, SAME | REPLACED | SEPARATOR), in order
    tags: (number in NAMES or -1, END | CLOSED, start, end, end of raw content, place in the text, attributes before)
    attributes: (number in ATTRIBUTES, start of the value, its end)
    """

    text: str = ""
    segments: list[tuple[int, int, int, int]] = field(default_factory=list)
    tags: list[tuple[int, int, int, int, int, int, int]] = field(default_factory=list)
    attributes: list[tuple[int, int, int]] = field(default_factory=list)


def tokenise(source: str, xml: bool = False, all_tags: bool = False) -> MarkupTokens:
    """The tokens of a page. `xml`: `<script/>` is empty and CDATA is text everywhere; `all_tags`: all tags are told.

    >>> found = tokenise("<p>Hello <b>w&ouml;rld</b><p>2 &lt; 3")
    >>> found.text
    'Hello wörld\\n2 < 3'
    """
    reader = _Reader(source, xml, all_tags)
    reader.read()
    reader.tokens.text = "".join(reader.parts)
    return reader.tokens


class _Reader:
    def __init__(self, source: str, xml: bool, all_tags: bool) -> None:
        self.source, self.end, self.xml, self.all_tags = source, len(source), xml, all_tags
        self.tokens = MarkupTokens()
        self.parts: list[str] = []
        self.length = 0
        self.pending = ""  # the separator that comes before the next text, if there is text before it
        self.seen = 0  # where the source of the text so far ends
        self.verbatim = self.absent = self.foreign = 0  # how many such elements are open

    def read(self) -> None:
        source, at = self.source, 0
        while at < self.end:
            start = source.find("<", at)
            start = self.end if start < 0 else start
            self.write(at, start, coded=True, verbatim=self.verbatim > 0)
            at = self.markup(start) if start < self.end else self.end

    def markup(self, start: int) -> int:
        """What begins with the `<` at `start`; returns where to go on."""
        source = self.source
        first = source[start + 1 : start + 2]
        if first in _LETTERS:
            return self.tag(start, start + 1, 0)
        if first == "/":
            second = source[start + 2 : start + 3]
            if second in _LETTERS:
                return self.tag(start, start + 2, END)
            if second:
                return self.after(">", start + 2)  # `</>` and `</ nonsense>`
        elif first == "!":
            if source.startswith("--", start + 2):
                return self.comment(start + 4)
            if (self.xml or self.foreign) and source.startswith("[CDATA[", start + 2):
                stop = source.find("]]>", start + 9)
                stop = self.end if stop < 0 else stop
                self.write(start + 9, stop, coded=False, verbatim=self.verbatim > 0)
                return min(stop + 3, self.end)
            return self.after(">", start + 2)
        elif first == "?":
            return self.after(">", start + 2)
        self.write(start, start + 1, coded=False, verbatim=self.verbatim > 0)
        return start + 1

    def after(self, mark: str, at: int) -> int:
        stop = self.source.find(mark, at)
        return self.end if stop < 0 else stop + len(mark)

    def comment(self, at: int) -> int:
        for short in (">", "->"):
            if self.source.startswith(short, at):
                return at + len(short)
        match = _COMMENT_END.search(self.source, at)
        return match.end() if match else self.end

    def tag(self, start: int, at: int, kind: int) -> int:
        """A tag whose name begins at `at`. One that the end of the page cuts off is dropped."""
        source, end, before = self.source, self.end, len(self.tokens.attributes)
        stop = at
        while stop < end and source[stop] not in _NAME_ENDS:
            stop += 1
        name = source[at:stop].translate(_LOWER)
        does = ELEMENTS.get(name, 0)
        listed = self.all_tags or bool(does & TOLD)
        attributes: list[tuple[int, int, int]] = []
        at = stop
        while True:
            while at < end and source[at] in _SPACE:
                at += 1
            if at >= end:
                return end
            if source[at] == ">":
                at += 1
                break
            if source[at] == "/":
                at += 1
                if at < end and source[at] == ">":
                    kind |= CLOSED
                    at += 1
                    break
                continue
            at = self.attribute(at, attributes)
            if at < 0:
                return end
        speaks = any(ATTRIBUTES[number] in LANGUAGE_ATTRIBUTES for number, _, _ in attributes)
        position, content = self.length, at
        go_on = self.opened(name, does, kind, at) if not kind & END else self.closed(does, at)
        if does & RAW and not kind & END:
            content = go_on
        if (listed or (speaks and not kind & END)) and not self.absent:
            number = NAMES.index(name) if name in ELEMENTS else -1
            self.tokens.tags.append((number, kind, start, at, content, position, before))
            if not kind & END:
                self.tokens.attributes += attributes
        return go_on

    def attribute(self, at: int, attributes: list[tuple[int, int, int]]) -> int:
        """One attribute; returns where it ends, or -1 if the page ends first."""
        source, end, start = self.source, self.end, at
        at += 1  # whatever it is, an equals sign too, it belongs to the name
        while at < end and source[at] not in _NAME_ENDS and source[at] != "=":
            at += 1
        name = source[start:at].translate(_LOWER)
        value = (at, at)
        stop = at
        while at < end and source[at] in _SPACE:
            at += 1
        if at < end and source[at] == "=":
            at += 1
            while at < end and source[at] in _SPACE:
                at += 1
            if at >= end:
                return -1
            if source[at] in "\"'":
                stop = source.find(source[at], at + 1)
                if stop < 0:
                    return -1
                value, stop = (at + 1, stop), stop + 1
            else:
                stop = at
                while stop < end and source[stop] not in _SPACE and source[stop] != ">":
                    stop += 1
                value = (at, stop)
        if name in ATTRIBUTES:
            attributes.append((ATTRIBUTES.index(name), *value))
        return stop

    def opened(self, name: str, does: int, kind: int, at: int) -> int:
        """A start tag that ends at `at`; returns where to go on: behind the content if that is raw."""
        if does & BLOCK:
            self.pending = "\n"
        if kind & CLOSED and (self.xml or self.foreign):
            return at
        self.absent += bool(does & ABSENT)
        self.foreign += bool(does & FOREIGN)
        first = at
        if does & KEPT:
            if self.source.startswith("\r\n", at):
                first = at + 2
            elif self.source.startswith(("\n", "\r"), at):
                first = at + 1
            if not does & RAW:
                self.verbatim += 1
                return first
        if not does & RAW:
            return at
        stop = self.end if does & REST else self.raw_end(name, at)
        if does & SHOWN:
            self.write(min(first, stop), stop, coded=bool(does & CODED), verbatim=True)
        return stop

    def closed(self, does: int, at: int) -> int:
        if does & BLOCK:
            self.pending = "\n"
        self.absent -= bool(does & ABSENT and self.absent)
        self.foreign -= bool(does & FOREIGN and self.foreign)
        self.verbatim -= bool(does & KEPT and not does & RAW and self.verbatim)
        return at

    def raw_end(self, name: str, at: int) -> int:
        """Where the end tag of a raw element begins; in scripts, not inside `<!-- <script> -->`."""
        if name != "script":
            match = re.compile(f"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE | re.ASCII).search(self.source, at)
            return match.start() if match else self.end
        comment = inner = False
        while match := _SCRIPT.search(self.source, at):
            mark = match[0].lower()
            at = match.end()
            if mark == "<!--":
                # its two dashes may be those of `-->` already
                comment, at = True, match.start() + 2
            elif mark == "-->":
                comment = inner = False
            elif mark == "<script":
                inner = inner or comment
            elif inner:
                inner = False
            else:
                return match.start()
        return self.end

    def write(self, at: int, stop: int, coded: bool, verbatim: bool) -> None:
        """The text at..stop of the source, which holds no markup."""
        source = self.source
        if self.absent:
            return
        while at < stop:
            if match := _PLAIN.match(source, at, stop):
                self.put(at, match.end(), source[at : match.end()], SAME)
                at = match.end()
                continue
            char = source[at]
            if char == "&":
                reference = reference_at(source, at, stop) if coded else None
                value, after = reference or ("&", at + 1)
                if value in _SPACE and not verbatim:
                    self.pending = self.pending or " "
                else:
                    self.put(at, after, value, REPLACED if reference else SAME)
                at = after
            elif char == "\0":
                at += 1
            elif not verbatim:
                self.pending = self.pending or " "
                at += 1
            elif source.startswith("\r\n", at) and at + 1 < stop:
                self.put(at, at + 2, "\n", REPLACED)
                at += 2
            else:
                self.put(at, at + 1, "\n" if char == "\r" else char, SAME)
                at += 1

    def put(self, start: int, stop: int, value: str, kind: int) -> None:
        """The text of start..stop, after the separator that waits; neighbours that stay the same are one segment."""
        if self.pending and self.length:
            # A gap of one character is one space or line break: it maps to itself, and joins what is around it.
            separator, self.pending = self.pending, ""
            self.put(self.seen, start, separator, SEPARATOR if start - self.seen > 1 else SAME)
        self.pending = ""
        segments = self.tokens.segments
        if kind == SAME and segments and segments[-1][3] == SAME and segments[-1][1] + segments[-1][2] == start:
            text, source, length, _ = segments[-1]
            segments[-1] = (text, source, length + stop - start, SAME)
        else:
            segments.append((self.length, start, stop - start, kind))
        self.parts.append(value)
        self.length += len(value)
        self.seen = stop
