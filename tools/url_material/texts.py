"""Labelled texts become frequent words and phrases by language."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

from dragoman import kernels
from dragoman.errors import UnknownLanguage
from dragoman.identifiers.url.dictionaries import spelling_file
from dragoman.languages import normalise

#: Sources that are messages of programs: short, and what menus and paths say.
MESSAGES = frozenset(
    ("mediawiki", "firefox-l10n", "openstreetmap-website", "wikipedia-android", "mozilla-www", "debian")
)
#: Languages that are one to nearly every site: Central Kurdish is labelled as Kurdish.
ONE = {"ckb": "ku"}
MOST_MESSAGES, MOST_SENTENCES, MOST_PHRASES, MOST_WORDS = 5_000, 12_000, 9_000, 60_000
#: Lines of interfaces that are read at most, and that a language needs for them to count as a source of words.
MOST_INTERFACE, LEAST_INTERFACE = 30_000, 1_000
#: Written without spaces: a frequent "word" is a sentence, and the script has said it already.
UNSPACED = frozenset({"zh", "ja", "th", "km", "lo", "my", "bo"})
LONGEST = 24
#: A word that English has so much more often than another language is none of the other's.
MORE_ENGLISH = 15.0
#: A language with less of its letters in Latin script is written in another one.
_LATIN = 0.25


#: What menus say, and how frequent a word is taken to be that they alone have.
MENUS, MENU_WORD = Path(__file__).with_name("menus.tsv"), 5e-6


@cache
def menus() -> dict[str, list[list[str]]]:
    """The words of each phrase of menus.tsv, by language."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for line in MENUS.read_text(encoding="utf-8").splitlines():
        label, _, phrases = line.partition("\t")
        if not line.startswith("#") and (tag := language_of(label)):
            found[tag] += [words for phrase in phrases.split("|") if (words := words_of(phrase))]
    return found


@dataclass
class Lines:
    """The lines of a language: messages of programs, sentences, and messages of what web sites are run with."""

    messages: list[str]
    sentences: list[str]
    interface: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.messages) + len(self.sentences)


@cache
def language_of(label: str) -> str | None:
    """The tag of a label, or None for one that we do not know."""
    try:
        tag = normalise(label)
    except UnknownLanguage:
        return None
    return ONE.get(tag, tag)


@cache
def _folding() -> dict[int, int]:
    return {point: kernels.fold(point) or ord(" ") for point in range(0x20000)}


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, as addresses are cut: runs of letters and their marks."""
    return text.translate(_folding()).split()


def read_lines(folder: Path, interface: Mapping[str, list[str]]) -> dict[str, Lines]:
    """All lines by language, of sentences.parquet and sentences2.parquet; those of interfaces come from elsewhere."""
    found: dict[str, Lines] = defaultdict(lambda: Lines([], []))
    for name in ("sentences2.parquet", "sentences.parquet"):
        table = parquet.read_table(folder / name, columns=["text", "lang", "source"])
        for text, label, source in zip(*(table[column].to_pylist() for column in table.column_names), strict=True):
            if tag := language_of(label):
                lines = found[tag]
                (lines.messages if source in MESSAGES else lines.sentences).append(text)
    for tag, rows in interface.items():
        if tag in found:
            found[tag].interface = rows
    for lines in found.values():
        if _latin_share(lines) < _LATIN:
            lines.messages, lines.sentences, lines.interface = (
                _other_words(rows) for rows in (lines.messages, lines.sentences, lines.interface)
            )
    return found


def _latin_share(lines: Lines) -> float:
    some = "".join((*lines.messages[:500], *lines.sentences[:500]))
    letters = [letter for letter in some if letter.isalpha()]
    return sum(letter < "\u0250" for letter in letters) / max(1, len(letters))


def _other_words(rows: list[str]) -> list[str]:
    """Lines of another script than Latin without their Latin words, which are English or names."""
    return [text for row in rows if (text := " ".join(word for word in row.split() if not word.isascii()))]


def frequencies(folder: Path, lines: Mapping[str, Lines], languages: Iterable[str]) -> dict[str, dict[str, float]]:
    """How frequent each language's words are: the mean over the sources of words2.parquet and the lines themselves."""
    totals: dict[str, defaultdict[str, float]] = {tag: defaultdict(float) for tag in languages}
    sources: Counter[str] = Counter()
    table = parquet.read_table(folder / "words2.parquet", columns=["source", "lang", "word", "count"])
    columns = [table[column].to_pylist() for column in ("source", "lang", "word", "count")]
    sums: Counter[tuple[str, str]] = Counter()
    for source, label, _, count in zip(*columns, strict=True):
        sums[source, label] += count
    for _, label in sums:
        if (tag := language_of(label)) in totals and tag is not None:
            sources[tag] += 1
    for source, label, word, count in zip(*columns, strict=True):
        tag = language_of(label)
        if tag in totals and tag is not None and len(parts := words_of(word)) == 1 and len(parts[0]) > 1:
            totals[tag][parts[0]] += count / sums[source, label]
    draw = random.Random(1)
    for tag, total in totals.items():
        some = lines.get(tag, Lines([], []))
        counts = Counter(
            word
            for line in (*_some(draw, some.messages, MOST_MESSAGES), *_some(draw, some.sentences, MOST_SENTENCES))
            for word in words_of(line)
            if len(word) > 1
        )
        least, size = (1 if sources[tag] else 0), max(1, counts.total())
        for word, count in counts.items():
            if count > least:
                total[word] += (count - 0.5) / size
        of_interface = Counter(
            word for line in _some(draw, some.interface, MOST_INTERFACE) for word in words_of(line) if len(word) > 1
        )
        said, size = sources[tag] + 1, max(1, of_interface.total())
        if len(some.interface) >= LEAST_INTERFACE:
            said += 1
            for word, count in of_interface.items():
                total[word] += (count - 0.5) / size
        for word in total:
            total[word] /= said
    leave_out_english(totals)
    for tag, total in totals.items():
        for word in (word for words in menus().get(tag, []) for word in words if len(word) > 1):
            total.setdefault(word, MENU_WORD)
    return {tag: dict(sorted(total.items(), key=lambda pair: -pair[1])[:MOST_WORDS]) for tag, total in totals.items()}


def leave_out_english(totals: Mapping[str, dict[str, float]]) -> None:
    """Lists of all languages have English words, quoted and untranslated: those that English has so much more often.

    What a spelling dictionary of the language has as well stays: a lake is a `see` in German.
    """
    english = totals.get("en", {})
    for tag, total in totals.items():
        if tag != "en":
            some = {word for word, value in total.items() if english.get(word, 0.0) > MORE_ENGLISH * value}
            for word in some - _stems(tag) if some else ():
                del total[word]


def _stems(language: str) -> set[str]:
    """The stems of its spelling dictionary in small letters; none where there is no dictionary."""
    path = spelling_file(language)
    if path is None:
        return set()
    charset = re.search(rb"^SET\s+(\S+)", path.with_suffix(".aff").read_bytes(), re.MULTILINE)
    text = path.with_suffix(".dic").read_text(charset[1].decode() if charset else "latin-1", errors="replace")
    return {re.split(r"[/\s]", line, maxsplit=1)[0].lower() for line in text.splitlines()[1:]}


@dataclass(frozen=True)
class Phrases:
    """Lines of a language as lists of words: short messages as they are, and longer texts."""

    messages: list[list[str]]
    sentences: list[list[str]]
    interface: list[list[str]] = field(default_factory=list)


def phrases(lines: Lines, seed: int) -> Phrases:
    """What slugs are made of."""
    draw = random.Random(seed)
    messages = [words_of(line) for line in _some(draw, lines.messages, MOST_PHRASES)]
    sentences = [words_of(line) for line in _some(draw, lines.sentences, MOST_PHRASES)]
    interface = [words_of(line) for line in _some(draw, lines.interface, MOST_INTERFACE)]
    return Phrases(
        [words for words in messages if 1 <= len(words) <= 7 and sum(map(len, words)) >= 3],
        [words for words in sentences if len(words) >= 3],
        [words for words in interface if 1 <= len(words) <= 7 and sum(map(len, words)) >= 3],
    )


def _some(draw: random.Random, rows: list[Any], most: int) -> list[Any]:
    return draw.sample(rows, most) if len(rows) > most else rows
