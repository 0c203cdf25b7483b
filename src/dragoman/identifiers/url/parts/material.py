"""What a model of parts is made from beside labelled URLs: words, codes, names, sites, scripts and domains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames
from dragoman.identifiers.url.parts.codes import POSITIONS, packed
from dragoman.identifiers.url.parts.domains import DomainPriors, domain_priors
from dragoman.identifiers.url.parts.reading import HAN, KANA
from dragoman.identifiers.url.tokens import tokens
from dragoman.kernels.parts import (
    CODES,
    FAMILY,
    MIXED,
    NO_LANGUAGE,
    PHRASE,
    PLATFORM,
    SHORTENER,
    WORD,
    PartReader,
    SparseRows,
)
from dragoman.kernels.parts_tables import WORD_ENTRIES, small_slots, text_keys
from dragoman.types import Language

#: How much a code at each position counts: log(1 + strength * share) is added to a language's score.
STRENGTHS: Mapping[str, float] = {
    "locale": 4000, "first": 2000, "later": 180, "label": 900, "value": 4000, "mark": 600, "name": 3000,
    "family": 20000, "capitals": 3, "doubtful": 2000, "front": 900,
}  # fmt: skip
SITE_WEIGHT, SCRIPT_WEIGHT = 9.0, 11.0
#: A code whose languages all have less is of several.
_SURE_SHARE = 0.8
#: From this strength on a code decides, and shares of what it means count by this power.
_DECIDES, _HARDLY = 1e6, 6
#: Words as well, and yet codes where they stand alone.
_BELIEVED = frozenset({"da", "de", "el", "es", "ha", "it", "no", "se", "tr"})
#: Han letters without kana are Chinese before they are Japanese, by so much.
_HAN_IN_JAPANESE = 1.5


@dataclass(frozen=True, eq=False)
class WordWeights:
    """Words by the upper halves of their keys, rising; word i has the entries starts[i] to starts[i + 1]."""

    keys: NDArray[np.uint32]
    starts: NDArray[np.int64]
    languages: NDArray[np.uint8]
    weights: NDArray[np.float32]

    @classmethod
    def of(cls, words: Mapping[str, Mapping[Language, float]], languages: Sequence[Language]) -> WordWeights:
        """The table of words in lower case with their weights; of each the eight largest are kept.

        Of two words with equal keys (there are about 150 such pairs among a million) the first is kept.
        """
        number = {tag: column for column, tag in enumerate(languages)}
        return cls.of_entries(
            list(words), [[(number[tag], weight) for tag, weight in entries.items()] for entries in words.values()]
        )

    @classmethod
    def of_entries(cls, words: Sequence[str], entries: Sequence[Sequence[tuple[int, float]]]) -> WordWeights:
        """The same for numbers of languages: one list of (language, weight) for each word."""
        column = ByteColumn.of(words)
        keys, first = np.unique(
            (text_keys(column.data, column.offsets) >> np.uint64(32)).astype(np.uint32), return_index=True
        )
        largest = [
            sorted(entries[word], key=lambda entry: (-entry[1], entry[0]))[:WORD_ENTRIES] for word in first.tolist()
        ]
        return cls(
            keys,
            np.cumsum([0, *map(len, largest)], dtype=np.int64),
            np.array([language for row in largest for language, _ in row], np.uint8),
            np.array([weight for row in largest for _, weight in row], np.float32),
        )


@dataclass(frozen=True, eq=False)
class Material:
    """All that is known before training; plain data."""

    languages: tuple[Language, ...]
    words: WordWeights
    codes: CodeBook
    names: UrlNames
    domains: DomainPriors
    strengths: Mapping[str, float] = field(default_factory=lambda: STRENGTHS)
    site_weight: float = SITE_WEIGHT

    def reader(self) -> PartReader:
        """The tables for reading URLs; names and sites of other languages are left out."""
        number = {tag: column for column, tag in enumerate(self.languages)}
        language, country = (np.full(CODES, NO_LANGUAGE, np.uint8) for _ in range(2))
        wordlike, meaning = np.zeros(CODES, np.uint8), np.full(CODES, -1, np.int16)
        for code, tag in self.codes.languages.items():
            language[packed(code.encode())] = number[tag]
        shares = np.zeros((len(self.codes.countries), len(number)), np.uint8)
        for row, (code, spoken) in enumerate(self.codes.countries.items()):
            country[packed(code.encode())] = row
            for tag, share in spoken.items():
                shares[row, number[tag]] = round(255 * share)
        for row, code in enumerate(self.codes.meanings):
            meaning[packed(code.encode())] = row
        for code, spoken in self.codes.meanings.items():
            if max(spoken.values()) < _SURE_SHARE:
                wordlike[packed(code.encode())] = MIXED
        for code in self.codes.wordlike:
            believed = WORD if code in _BELIEVED else MIXED
            wordlike[packed(code.encode())] = PHRASE if code in self.codes.phrases else believed
        known = self.names
        sites = {site: number[tag] for site, tag in known.sites.items() if tag in number}
        sites |= dict.fromkeys(known.platforms, PLATFORM) | dict.fromkeys(known.families, FAMILY)
        sites |= dict.fromkeys(known.shorteners, SHORTENER)
        return PartReader(
            width=len(number), code_language=language, code_country=country, code_wordlike=wordlike,
            code_meaning=meaning, shares=shares,
            names=_small({name: number[tag] for name, tag in known.names.items() if tag in number}),
            query_keys=_small(dict.fromkeys(known.query_keys, 1)), sites=_small(sites),
            domains=_small({name: row for row, name in enumerate(self.domains.names)}),
            script_runs=np.array(
                [(run.first, run.last, self._script_numbers()[run.script]) for run in known.scripts], np.uint32
            ).reshape(-1, 3),
        )  # fmt: skip

    def _script_numbers(self) -> dict[str, int]:
        others = dict.fromkeys(run.script for run in self.names.scripts if run.script not in ("Han", "Kana"))
        return {"Han": HAN, "Kana": KANA} | {script: KANA + 1 + number for number, script in enumerate(others)}

    def scripts(self) -> SparseRows:
        """What each script adds to the languages that are written in it."""
        numbers = self._script_numbers()
        rows: list[dict[int, float]] = [{} for _ in range(1 + max(numbers.values()))]
        for run in self.names.scripts:
            for tag in run.languages:
                if tag in self.languages:
                    less = _HAN_IN_JAPANESE if run.script == "Han" and tag == "ja" else 0.0
                    rows[numbers[run.script]][self.languages.index(tag)] = SCRIPT_WEIGHT - less
        return _sparse(rows)

    def meanings(self) -> SparseRows:
        """The shares of what codes mean: a row for each language alone, then one for each mixed meaning."""
        number = {tag: column for column, tag in enumerate(self.languages)}
        alone: list[dict[int, float]] = [{column: 1.0} for column in range(len(number))]
        mixed = [{number[tag]: share for tag, share in shares.items()} for shares in self.codes.meanings.values()]
        return _sparse(alone + mixed)


def weighed_meanings(shares: SparseRows, strengths: Mapping[str, float]) -> SparseRows:
    """What each meaning adds at each position.

    Where codes decide, what they hardly ever mean must not come back by what the domain says: rfi.fr/vi/ is Vietnamese.
    """
    factors = np.array([strengths[position] for position in POSITIONS])[:, None]
    meant = np.where(factors > _DECIDES, shares.weights.astype(np.float64) ** _HARDLY, shares.weights)
    return SparseRows(shares.starts, shares.languages, np.log1p(factors * meant).astype(np.float32))


def _sparse(rows: Sequence[Mapping[int, float]]) -> SparseRows:
    return SparseRows(
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
        np.array([language for row in rows for language in row], np.uint8),
        np.array([weight for row in rows for weight in row.values()], np.float32),
    )


def _small(values: Mapping[str, int]) -> NDArray[np.uint64]:
    column = ByteColumn.of(list(values))
    return small_slots(text_keys(column.data, column.offsets), np.array(list(values.values()), np.uint16))


def material_from_urls(urls: ByteColumn, truth: NDArray[np.int64], languages: tuple[Language, ...]) -> Material:
    """The material that labelled URLs alone give: their words and domains, beside the codes and names that ship.

    A word counts where two URLs of a language have it; its weight is the logarithm of one more than their number.
    """
    counts: dict[str, Counter[int]] = {}
    for url, language in zip(urls, truth.tolist(), strict=True):
        for word in {token.text for token in tokens(url) if token.place != "tld"}:
            counts.setdefault(word, Counter())[language] += 1
    words = {word: met for word, met in sorted(counts.items()) if max(met.values()) > 1}
    entries = [[(language, float(np.log1p(n))) for language, n in sorted(met.items())] for met in words.values()]
    codes, names = CodeBook.shipped(languages), UrlNames.shipped()
    return Material(
        languages,
        WordWeights.of_entries(list(words), entries),
        codes,
        names,
        domain_priors(urls, truth, languages, codes.countries, regions=names.regions, left_out=names.platforms),
    )
