"""The parts of a URL weighed: the plain definition of a score, and what each word, code and domain adds to it.

score(language) = bias[context] + scripts + codes + the sum over seven parts of gate[context][part] * S(part), where

- S of host n-grams, of known words of the host, of known words of the path, of the n-grams of the path's other words,
  and of the host's words read as if they were of a path is the sum of their weights over the root of their number;
- S of the top-level domain is its row, S of a known site the weight of sites of its language;
- a code adds log(1 + strength[position] * share) to each language it may mean; a script one weight to each of its own.

The context is how many words the path has (0, 1, 2, 3-4, 5-7, 8 or more), the kind of its domain, and whether
there is a code. Sums are of whole numbers, then of single precision in this order, so that the kernels give equal bits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.url.parts.codes import POSITIONS, FoundCode, meaning_of
from dragoman.identifiers.url.parts.domains import ANY_LANGUAGE
from dragoman.identifiers.url.parts.keys import host_rows, path_rows, text_key
from dragoman.identifiers.url.parts.reading import UrlParts, read_parts
from dragoman.kernels.parts import NO_LANGUAGE, PartTables
from dragoman.kernels.parts_tables import word_value

Floats = NDArray[np.float32]
Sums = NDArray[np.int64]
#: The parts that are weighed, in the order in which they are added.
PARTS = ("host n-grams", "host words", "path words", "path n-grams", "host read as a path", "domain", "site")
#: Which step the weights of the first five have.
_STEP = (0, 2, 2, 1, 1)
#: Positions of codes that are whole segments of the path.
_SEGMENTS = ("first", "later", "capitals", "doubtful")


def context_of(path_words: int, domain_kind: int, coded: bool) -> int:
    """The number of a context.

    >>> context_of(0, 0, False), context_of(6, 1, True), context_of(99, 2, True)
    (0, 27, 35)
    """
    bucket = sum(path_words >= least for least in (1, 2, 3, 5, 8))
    return (bucket * 3 + domain_kind) * 2 + coded


class Weighing:
    """One URL under a model: its parts, their sums, its context; `silent` if nothing stands in it."""

    def __init__(self, url: bytes, tables: PartTables) -> None:
        self.tables = tables
        self.parts = read_parts(url, tables.reader)
        self.named: list[tuple[int, str, Sums, int]] = []  # part, name, sums in steps, number of n-grams or words
        self.silent = self.parts is None
        if self.parts is None:
            return
        self.codes = [(code, meaning) for code in self.parts.codes if (meaning := meaning_of(tables.reader, code)) >= 0]
        domain = self.parts.domain
        evidence = (self.codes, self.parts.host_words, self.parts.path_words, domain, self.parts.site)
        self.silent = not any(evidence)
        kind = ANY_LANGUAGE if domain is None else int(tables.domain_kinds[domain[1]])
        self.context = context_of(len(self.parts.path_words), kind, bool(self.codes))
        self.gates = tables.gates[self.context]
        self._sum_words(self.parts)

    def _sum_words(self, parts: UrlParts) -> None:
        tables = self.tables
        for word in parts.host_words:
            rows = host_rows(word, tables.host_index.bits)
            self.named.append((0, f"host:{word}", self._host_sums(rows), len(rows)))
            if (sums := self._word_sums(word)) is not None:
                self.named.append((1, f"host:{word}", sums, 1))
            rows = path_rows(word, tables.path_index.bits)
            self.named.append((4, f"host:{word}", self._path_sums(rows), len(rows)))
        for word in parts.path_words:
            if (sums := self._word_sums(word)) is not None:
                self.named.append((2, f"word:{word}", sums, 1))
            else:
                rows = path_rows(word, tables.path_index.bits)
                self.named.append((3, f"word:{word}", self._path_sums(rows), len(rows)))

    def _host_sums(self, buckets: list[int]) -> Sums:
        sums = np.zeros(self.tables.reader.width, np.int64)
        rows = self.tables.host_index.rows(buckets)
        known = self.tables.host_languages != NO_LANGUAGE
        sums[self.tables.host_languages[known]] = self.tables.host_rows[rows].sum(axis=0, dtype=np.int64)[known]
        return sums

    def _path_sums(self, buckets: list[int]) -> Sums:
        sums = np.zeros(self.tables.reader.width, np.int64)
        rows = self.tables.path_index.rows(buckets)
        languages, weights = np.split(self.tables.path_rows[rows], 2, axis=1)
        np.add.at(sums, languages.ravel(), weights.astype(np.int8).ravel())
        return sums

    def _word_sums(self, word: str) -> Sums | None:
        words = self.tables.words
        value = word_value(words.slots, text_key(word))
        if value < 0:
            return None
        entries = words.entries_of(value)
        sums = np.zeros(self.tables.reader.width, np.int64)
        np.add.at(sums, entries[:, 0], entries[:, 1].astype(np.int8))
        return sums

    def factor(self, part: int) -> np.float32:
        """What a sum of steps of one of the first five parts is multiplied by."""
        number = sum(count for of, _, _, count in self.named if of == part)
        step = np.float32(self.tables.steps[_STEP[part]])
        return np.float32(self.gates[part] * step * (np.float32(1) / np.sqrt(np.float32(number))))

    def scores(self) -> Floats:
        """The score of each language; NaN where nothing stands in the URL."""
        tables = self.tables
        if self.parts is None or self.silent:
            return np.full(tables.reader.width, np.nan, np.float32)
        scores: Floats = tables.bias[self.context].copy()
        for script in self.parts.scripts:
            row = tables.scripts.row(script)
            scores[tables.scripts.languages[row]] += tables.scripts.weights[row]
        for code, meaning in self.codes:
            row = tables.meanings.row(meaning)
            scores[tables.meanings.languages[row]] += tables.meanings.weights[POSITIONS.index(code.position), row]
        for part in range(5):
            if sums := [added for of, _, added, _ in self.named if of == part]:
                scores += self.factor(part) * np.sum(sums, axis=0).astype(np.float32)
        if self.parts.domain is not None:
            scores += self.gates[5] * tables.domains[self.parts.domain[1]]
        if self.parts.site is not None:
            scores[self.parts.site[1]] += self.gates[6] * tables.site_weights[self.parts.site[1]]
        return scores

    def contributions(self) -> Iterator[tuple[str, int, float]]:
        """(name, language, weight) of everything that was added; a language's weights sum to its score."""
        if self.parts is None or self.silent:
            return
        tables, width = self.tables, self.tables.reader.width
        totals: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(width))
        for part, name, sums, _ in self.named:
            totals[name] += float(self.factor(part)) * sums
        for script in self.parts.scripts:
            row = tables.scripts.row(script)
            totals["script"][tables.scripts.languages[row]] += tables.scripts.weights[row]
        for code, meaning in self.codes:
            row = tables.meanings.row(meaning)
            added = tables.meanings.weights[POSITIONS.index(code.position), row]
            totals[self._code_name(code)][tables.meanings.languages[row]] += added
        if self.parts.domain is not None:
            name, number = self.parts.domain
            totals[f".{name}"] += float(self.gates[5]) * tables.domains[number]
        if self.parts.site is not None:
            name, number = self.parts.site
            totals[f"site:{name}"][number] += float(self.gates[6]) * float(tables.site_weights[number])
        totals["(prior)"] += tables.bias[self.context]
        for name, weights in totals.items():
            for language in np.flatnonzero(weights).tolist():
                yield name, language, float(weights[language])

    def _code_name(self, code: FoundCode) -> str:
        """`code:/de/`, `country:/br/`, `name:deutsch`: the code as it is written, with what sets it apart."""
        assert self.parts is not None
        written = self.parts.text[code.start : code.end]
        if code.position == "name":
            return f"name:{written.lower()}"
        around = {"front": "{}.", "label": "{}.", "family": "{}.", "value": "={}"} | dict.fromkeys(_SEGMENTS, "/{}/")
        in_name = code.position == "value" and self.parts.text[code.start - 1] == "."  # intro.uk.html
        shown = f".{written}" if in_name else around.get(code.position, "{}").format(written)
        if code.position == "locale":
            return f"locale:{written}"
        return f"{'country' if self._means_country(code) else 'code'}:{shown}"

    def _means_country(self, code: FoundCode) -> bool:
        """True if the language that a code means most is not the one whose code it is."""
        tables = self.tables
        language, meaning = int(tables.reader.code_language[code.code]), meaning_of(tables.reader, code)
        row = tables.meanings.row(meaning)
        most = int(tables.meanings.languages[row][np.argmax(tables.meanings.weights[0, row])])
        return language == NO_LANGUAGE or most != language
