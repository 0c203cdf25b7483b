"""Training text and test sentences in the manner of the HMM paper's section 4.1, from a folder of pages and sentences.

The paper trains and tests on text of one kind, pages of hotels. So do we: clean sentences of Tatoeba and of Debian's
package descriptions, half and half, those of the tuning half to train and those of the judge half to test; training on
documentation pages instead (dragoman.studies.text_draws) is the second domain. Sentences under 20 clean characters
are left out of training; every language is cut to the same number of characters. The paper selects sentences by their
length in clean characters and gives the average of each range; ours are cut (or Tatoeba's joined) to lengths drawn with
that average. From the averages and totals of its Table 4 its longest range holds 287 sentences of 20-100 characters and
221 of 100-200: ours are mixed like that. Declarations of Human Rights are left out: some that are labelled French or
Spanish are in neighbouring languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from dragoman.errors import BadTable
from dragoman.identifiers.text.clean import Rules, clean, sentences
from dragoman.studies.text_draws import CHARACTERS, LENGTHS, Half, LabelledTexts, Lengths, Texts, generator, shuffled

#: The average lengths of the paper's test sentences (Table 4), by range.
AVERAGES = dict(zip(LENGTHS, (68, 140, 100, 101), strict=True))
#: Of the paper's sentences of 20-200 characters, those of 20-100 (the total of the range over its average).
SHORT_SHARE = 287 / (287 + 221)
#: Where test sentences come from.
SOURCES = ("tatoeba", "debian")
#: The paper leaves out sentences of fewer clean characters.
SHORTEST = 20

#: A sentence may be so much shorter or longer than the length that was drawn.
SLACK = 10

Domain = Literal["pages", "sentences"]

#: How text is written: clean, as in the paper, or with what its section 3.4 tried and dropped: capitals that are
#: symbols of their own, and digits and punctuation that are.
WRITINGS = {"clean": Rules(), "case": Rules(fold=False), "marks": Rules(letters=False)}


def _letters(first: int, characters: str) -> dict[int, int]:
    return {ord(character): first + number for number, character in enumerate(characters)}


#: Letters of other scripts stand for them: an alphabet of every script has a symbol for each.
_STAND_INS = {
    "clean": {},
    "case": _letters(0x430, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") | _letters(0x10D0, "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ"),
    "marks": _letters(0x5D0, "0123456789,;:!?'\"()-/"),
}


def training(
    texts: Texts,
    seed: int,
    characters: int = CHARACTERS,
    domain: Domain = "sentences",
    one_in: int = 1,
    writing: str = "clean",
) -> LabelledTexts:
    """Clean documents of each language, `characters` in all; `one_in` = 10 keeps one sentence in ten (their sampling).

    Domain `sentences`: text of the kind of the test sentences, from the tuning half; `pages`: documentation.
    """
    documents: list[str] = []
    labels: list[str] = []
    rules = replace(WRITINGS[writing], shortest=SHORTEST)
    for language in texts.languages:
        left = characters // one_in
        number = 0
        for document in _documents(texts, seed, characters, domain, language):
            if left <= 0:
                break
            chosen = []
            for sentence in sentences(document, rules):
                number += 1
                if left > 0 and number % one_in == 0:
                    chosen.append(sentence[:left])
                    left -= len(chosen[-1]) + 1
            if chosen:
                documents.append(" ".join(chosen).translate(_STAND_INS[writing]))
                labels.append(language)
        if left > 0:
            raise BadTable(f"There is too little text in '{language}' for {characters:,} characters")
    return LabelledTexts(tuple(documents), tuple(labels))


def _documents(texts: Texts, seed: int, characters: int, domain: Domain, language: str) -> Iterator[str]:
    if domain == "pages":
        # Twice the wanted amount, since short sentences are left out.
        yield from texts.only((language,)).training(seed, 2 * characters, documents=40).texts
        return
    rng = generator(seed, "training sentences", language)
    pools = [pool for source in SOURCES if (pool := texts.sentences.get((language, source, "tune")))]
    if not pools:
        raise BadTable(f"There are no sentences in '{language}' (tune)")
    streams = [shuffled(pool, rng, again=True) for pool in pools]
    for _ in range(characters):  # a bound: every document has a character or more
        part = [next(stream) for stream in streams]
        yield "\n".join(text if text.endswith(".") else f"{text}." for text in part)


def drawn_sentences(
    texts: Texts,
    seed: int,
    lengths: Lengths,
    half: Half = "judge",
    per_language: int = 300,
    writing: str = "clean",
) -> LabelledTexts:
    """Clean sentences of each language, of lengths in the range whose average is the paper's."""
    low, high = lengths
    drawn: dict[tuple[str, str], None] = {}
    for language in texts.languages:
        rng = generator(seed, "hmm test", language, str(lengths), half)
        for source in SOURCES:
            pool = texts.sentences.get((language, source, half), [])
            if not pool:
                raise BadTable(f"There are no sentences of {source} in '{language}' ({half})")
            start = len(drawn)
            stream = shuffled(pool, rng, again=True)
            for _ in range(20 * per_language):
                if len(drawn) - start >= per_language // len(SOURCES):
                    break
                length = drawn_length(lengths, rng)
                text = cleaned(next(stream), writing)
                while source == "tatoeba" and len(text) < length:
                    text = f"{text} {cleaned(next(stream), writing)}".strip()
                text = cut(text, length)
                if low <= len(text) <= high and abs(len(text) - length) <= SLACK:
                    drawn.setdefault((language, text))  # the same clean content counts once
    written = tuple(text.translate(_STAND_INS[writing]) for _, text in drawn)
    return LabelledTexts(written, tuple(language for language, _ in drawn))


@lru_cache(maxsize=1 << 16)
def cleaned(text: str, writing: str = "clean") -> str:
    """The clean text: the same few thousand sentences are drawn over and over."""
    return clean(text, WRITINGS[writing])


def drawn_length(lengths: Lengths, rng: np.random.Generator) -> int:
    """A length in the range; on average the paper's (a beta distribution), or the middle where it has none."""
    if lengths == LENGTHS[3]:
        lengths = LENGTHS[0] if rng.random() < SHORT_SHARE else LENGTHS[1]
    low, high = lengths
    mean = (AVERAGES.get(lengths, (low + high) / 2) - low) / (high - low)
    return low + round((high - low) * float(rng.beta(5 * mean, 5 * (1 - mean))))


def cut(text: str, length: int) -> str:
    """The text up to the end of a word that is nearest to the length.

    >>> cut("one two three", 6), cut("one two three", 10), cut("one", 10)
    ('one two', 'one two', 'one')
    """
    before, after = text.rfind(" ", 0, length + 1), text.find(" ", length)
    ends = [end for end in (before, after if after >= 0 else len(text)) if end > 0]
    return text[: min(ends, key=lambda end: abs(end - length))] if ends else text
