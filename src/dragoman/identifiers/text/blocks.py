"""What a page is judged by: its blocks of text, weighed by how much running text each has.

A page is more than its text: menus, names of languages, choices, notices about cookies, commands and code stand around
it, often in other languages. Each line of the visible text is a block (see text.markup.tokenise), and what it weighs is
its length times a share:

    0      names of languages, `<select>`, links that promise a language, commands and code
    .05    notices about cookies, and lines of a footer about rights, which are English everywhere
    .1 .. 1  by the number of its words (1 from eight words on, or .6 where a shorter one ends as a sentence does)
    x .3   in `<nav>` and `<menu>`; x .2 where most of a block is links of few words (.05 if there are several),
           x .5 in `<pre>`

Rows of names inside a block are taken out of it. Blocks of running text are pieces by themselves, their sentences where
they are in two scripts; others are put together until there is enough of them to judge. Where nothing is left that
weighs anything, everything but the names counts, then the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.text.code_lines import is_code
from dragoman.identifiers.text.language_names import is_of_names, may_have_names, without_menus
from dragoman.identifiers.text.markup.stretches import CHOICE, CODE, LANGUAGE_LINK, LINK, NAVIGATION, NOTICE
from dragoman.kernels.phrases import SoughtPhrases
from dragoman.types import Page

#: So much of a text is looked at, and so many pieces of it are judged by themselves.
MOST_TEXT, MOST_PIECES = 200_000, 100
#: Pieces of short blocks are put together up to this length, and a piece of running text is not longer than this.
TOGETHER, LONGEST_PIECE = 300, 2000
#: A share from which on a block is running text.
RUNNING = 0.5
#: By the number of words, from 0 to 8.
_BY_WORDS = (0.1, 0.1, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
_SENTENCE = 0.6
#: Notices about cookies.
_NOTED = 0.05
#: What a character of a dense script counts more, and what a Chinese one does on top of it.
_DENSER, _HAN_DENSER = 1.0, 1.5
#: Links in a block, and how many of them must be names of languages for it to be a menu of them.
_LINKS, _NAMED = 3, 0.6
#: What is short enough to be the name of a language.
_SHORT = 60
_ENDS = frozenset(".!?…。！？।؟։")
#: What notices about cookies speak of, in small letters.
_COOKIES = (  # noqa: SIM905 (a list of this length reads better as words)
    "cookie;gdpr;dsgvo;rgpd;privacy policy;privacy choices;privacy settings;personal data;our partners;your consent;"
    "datenschutzerkl;personenbezogene daten;einwilligung;données personnelles;consentement;datos personales;"
    "consentimiento;dati personali;persoonsgegevens;accept all;reject all;クッキー;쿠키;куки;кукі;ملفات تعريف الارتباط;"
    "คุกกี้;עוגיות"
).split(";")
_ABOUT_COOKIES = SoughtPhrases(_COOKIES)
#: What lines about rights have, and how long they are at most.
_RIGHTS = re.compile(r"©|\(c\)\s*\d{4}|copyright\s+(?:by\b|\d{4})|all rights reserved|powered by", re.IGNORECASE)
_LONGEST_RIGHTS = 160
#: Scripts that say more in a character, and mostly write words together.
_DENSE = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]+")
_LETTER = re.compile(r"[^\W\d_]")
#: Letters of Latin and of other scripts, the number of either that is much, and where sentences end.
_LATIN, _OTHERS = re.compile("[A-Za-z\u00c0-\u024f]+"), re.compile("[\u0370-\u1dff\u3040-\u9fff\uac00-\ud7a3]+")
_MUCH, _SENTENCES = 15, re.compile("(?<=[.!?…؟։])\\s+|(?<=[。！？।])")
_NOTHING = np.empty((0, 3), np.int64)


@dataclass(frozen=True)
class PageText:
    """What is judged of a page: its running text as a whole, and the pieces it is made of with their weights."""

    text: str
    pieces: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()


def running_text(page: Page) -> PageText:
    """The running text of a page, or the whole of it where there is none.

    >>> from dragoman.identifiers.text.document import read_page
    >>> menu = "<select><option>Deutsch<option>Русский</select><p>Welcome to our little shop by the sea."
    >>> running_text(read_page(menu)).text
    'Welcome to our little shop by the sea.'
    """
    running = weighed(page.text, page.stretches)
    title = page.title or ""
    return running if running.text or not title else PageText(title, (title,), (float(len(title)),))


def weighed(text: str, stretches: NDArray[np.int64] = _NOTHING) -> PageText:
    """The running text in a text, given the stretches of it that are something else (text.markup.stretches)."""
    blocks = list(_blocks(text[:MOST_TEXT], stretches))
    heavy = [block for block in blocks if block.share > 0]
    if not heavy:
        left = "\n".join(block.text for block in blocks if block.share == 0)
        return PageText(left, (left,), (float(len(left)),)) if _LETTER.search(left) else PageText("")
    pieces = list(_pieces(heavy))
    pieces = pieces[:: -(-len(pieces) // MOST_PIECES)]
    running = sum(piece.weight for piece in pieces if piece.share >= RUNNING)
    least = RUNNING if 2 * running >= sum(piece.weight for piece in pieces) else 0.0
    return PageText(
        "\n".join(piece.text for piece in pieces if piece.share >= least),
        tuple(piece.text for piece in pieces),
        tuple(piece.weight for piece in pieces),
    )


class TextBlock(NamedTuple):
    """A block, what it is long (a character of a script that says more in one counts for more), and its share."""

    text: str
    size: float
    share: float

    @property
    def weight(self) -> float:
        """What it weighs."""
        return self.size * self.share


def _blocks(text: str, stretches: NDArray[np.int64]) -> Iterator[TextBlock]:
    """The blocks with a letter; names of languages have the share -1."""
    cover = _Cover(stretches)
    small = text.lower()
    names, cookies = may_have_names(small), _ABOUT_COOKIES.any_in(small)
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if line and _LETTER.search(line):
            shares = cover.shares(start, end)
            yield _block(line, shares, [text[first:last] for first, last in cover.links], names, cookies)
        start = end + 1


def _block(line: str, shares: dict[int, float], links: list[str], names: bool, cookies: bool) -> TextBlock:
    if names:
        if len(links) >= _LINKS and sum(map(is_of_names, links)) >= _NAMED * len(links):
            return TextBlock(line, len(line), -1.0)
        line = line if len(line) <= _SHORT else without_menus(line)
        if (len(line) <= _SHORT and is_of_names(line)) or not _LETTER.search(line):
            return TextBlock(line, len(line), -1.0)
    if shares.get(LANGUAGE_LINK, 0) > 0.5 and len(line) <= _SHORT:
        return TextBlock(line, len(line), -1.0)
    words, size = line.count(" ") + 1, float(len(line))
    if not line.isascii() and (dense := size - len(_DENSE.sub("", line))):
        han = len(line) - len(_HAN.sub("", line))
        words, size = max(words, int(dense) // 2), size + _DENSER * dense + _HAN_DENSER * han
    in_code = shares.get(CODE, 0)
    if shares.get(CHOICE, 0) > 0.5 or (in_code > 0.5 and words < 6) or is_code(line):
        return TextBlock(line, size, 0.0)
    share = _BY_WORDS[min(words, 8)]
    if words > 2 and line.rstrip("\"'”’»）) ")[-1:] in _ENDS:
        share = max(share, _SENTENCE)
    noted = shares.get(NOTICE, 0) > 0.5 or (len(line) <= _LONGEST_RIGHTS and _RIGHTS.search(line))
    if noted or (cookies and _ABOUT_COOKIES.any_in(line.lower())):
        share = min(share, _NOTED)
    if shares.get(NAVIGATION, 0) > 0.5:
        share *= 0.3
    if shares.get(LINK, 0) > 0.5 and words < 6 * max(1, len(links)):
        share *= 0.2 if len(links) < _LINKS else 0.05
    return TextBlock(line, size, share * (0.5 if in_code > 0.5 else 1.0))


def _pieces(blocks: list[TextBlock]) -> Iterator[TextBlock]:
    """Running blocks as they are, cut where they are long; others together, with the mean of their shares."""
    waiting = list[TextBlock]()
    length = 0.0
    for block in blocks:
        running = block.share >= RUNNING
        # a notice is a piece by itself
        if waiting and (running or length >= TOGETHER or (waiting[0].share <= _NOTED) != (block.share <= _NOTED)):
            yield _joined(waiting, length)
            waiting, length = [], 0.0
        if not running:
            waiting.append(block)
            length += block.size
            continue
        for sentence in _by_script(block.text):
            for at in range(0, len(sentence), LONGEST_PIECE):
                part = sentence[at : at + LONGEST_PIECE]
                yield TextBlock(part, block.size * len(part) / len(block.text), block.share)
    if waiting:
        yield _joined(waiting, length)


def _by_script(text: str) -> list[str]:
    """The sentences of a block that has much text in Latin letters and in others: a block is judged in one script."""
    if text.isascii():
        return [text]
    if any(len(text) - len(letters.sub("", text)) < _MUCH for letters in (_OTHERS, _LATIN)):
        return [text]
    return [sentence for sentence in _SENTENCES.split(text) if _LETTER.search(sentence)]


def _joined(blocks: list[TextBlock], size: float) -> TextBlock:
    return TextBlock("\n".join(block.text for block in blocks), size, sum(block.weight for block in blocks) / size)


class _Cover:
    """How much of a block lies in stretches of each kind, asked for block after block."""

    def __init__(self, stretches: NDArray[np.int64]) -> None:
        self.rows = stretches[np.argsort(stretches[:, 0], kind="stable")].tolist()
        self.next = 0
        #: The links that begin in the block that was asked for last.
        self.links: list[tuple[int, int]] = []
        self.open: list[list[int]] = []

    def shares(self, start: int, end: int) -> dict[int, float]:
        """The share of start..end in each kind; blocks are asked for in order."""
        while self.next < len(self.rows) and self.rows[self.next][0] < end:
            self.open.append(self.rows[self.next])
            self.next += 1
        self.open = [row for row in self.open if row[1] > start]
        shares: dict[int, float] = {}
        for first, last, kind in self.open:
            covered = min(end, last) - max(start, first)
            if covered > 0:
                shares[kind] = shares.get(kind, 0.0) + covered / (end - start)
        self.links = [
            (first, min(last, end)) for first, last, kind in self.open if kind == LINK and start <= first < end
        ]
        return shares
