"""The custom-made features of the URL paper: 13 per language and 9 more, so 74 for its five languages.

The paper names the families but never lists the 74; these are ours, built from the same families (section 3.1):

| family | per language | other |
|---|---|---|
| `tld code`: the top-level domain is one of the language's country codes (yes or no) | 1 | |
| `host code`, `path code`: such a code stands before, after the first slash (yes or no) | 2 | |
| `.com`, `.org`, `.net` (yes or no) | | 3 |
| `spelling`: tokens in the spelling dictionary: in all, before, after the first slash | 3 | |
| `city`: tokens that are cities of the language's countries: in all, before, after | 3 | |
| `trained`: tokens in the trained dictionary: in all, before, after | 3 | |
| `hyphens`: in all, before, after | | 3 |
| `merged`: tokens in any of the language's three dictionaries | 1 | |
| `nowhere`: tokens in no dictionary of any language: in all, before, after | | 3 |

Greedy selection in the paper kept 15: host code, spelling and trained, once per language (`SELECTED`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.features import feature_set
from dragoman.identifiers.url.tokens import tokens

#: The order of the bit fields in a dictionary's values.
DICTIONARIES = ("code", "spelling", "city", "trained")
#: The families that the paper's greedy selection kept, one feature per language each.
SELECTED = ("host code", "spelling", "trained")
#: Four bit fields of one bit per language must fit 64 bits.
LANGUAGE_LIMIT = 16
GENERIC = ("com", "org", "net")


def feature_names(languages: Sequence[str]) -> list[str]:
    """The name of every feature, in the order of the columns.

    >>> len(feature_names(["en", "de", "fr", "es", "it"]))
    74
    """
    names = [f"{family} {language}" for family in ("tld code", "host code", "path code") for language in languages]
    names += [f".{domain}" for domain in GENERIC]
    for family in ("spelling", "city", "trained"):
        names += [f"{family}{where} {language}" for where in ("", " before", " after") for language in languages]
    names += ["hyphens", "hyphens before", "hyphens after"]
    names += [f"merged {language}" for language in languages]
    return [*names, "nowhere", "nowhere before", "nowhere after"]


def selected_names(languages: Sequence[str]) -> list[str]:
    """The names of the features that the paper's selection kept.

    >>> selected_names(["en", "de"])
    ['host code en', 'host code de', 'spelling en', 'spelling de', 'trained en', 'trained de']
    """
    return [f"{family} {language}" for family in SELECTED for language in languages]


@dataclass(frozen=True, eq=False)
class Dictionaries:
    """Hashed word sets: keys of words in rising order, and a bit for each dictionary and language that has the word."""

    languages: tuple[str, ...]
    keys: NDArray[np.uint64]
    bits: NDArray[np.uint64]
    slots: NDArray[np.uint64]

    @classmethod
    def of(cls, languages: tuple[str, ...], keys: NDArray[np.uint64], bits: NDArray[np.uint64]) -> Dictionaries:
        """Dictionaries ready for look-ups."""
        if len(languages) > LANGUAGE_LIMIT:
            raise UsageError(
                f"Custom-made features serve at most {LANGUAGE_LIMIT} languages, not {len(languages)}; choose some"
            )
        keys, bits = np.ascontiguousarray(keys, np.uint64), np.ascontiguousarray(bits, np.uint64)
        if len(keys) != len(bits):
            raise ValueError(f"{len(keys)} words, but bits for {len(bits)}")
        _, slots, _ = kernels.number(keys, kernels.new_slots(len(keys)), 0)
        pairs = slots.reshape(-1, 2)
        taken = pairs[:, 0] != 0
        pairs[taken, 1] = bits[pairs[taken, 1].astype(np.int64)]
        return cls(languages, keys, bits, slots)

    @classmethod
    def from_words(
        cls, languages: tuple[str, ...], words: Mapping[tuple[str, str], NDArray[np.uint64]]
    ) -> Dictionaries:
        """Dictionaries from the keys of words, by (dictionary, language)."""
        nothing = cls.of(languages, np.empty(0, np.uint64), np.empty(0, np.uint64))
        return nothing.with_words(words)

    def with_words(self, words: Mapping[tuple[str, str], NDArray[np.uint64]]) -> Dictionaries:
        """These dictionaries and more words; what is there stays as it is, so that large ones are merged once."""
        width = len(self.languages)
        columns = [
            (words[name, language], np.uint64(1 << (DICTIONARIES.index(name) * width + number)))
            for name in DICTIONARIES
            for number, language in enumerate(self.languages)
            if (name, language) in words
        ]
        all_keys = np.concatenate([np.empty(0, np.uint64), *(keys for keys, _ in columns)])
        added, inverse = np.unique(all_keys, return_inverse=True)
        bits = np.zeros(len(added), np.uint64)
        if columns:
            np.bitwise_or.at(bits, inverse, np.concatenate([np.full(len(k), b, np.uint64) for k, b in columns]))
        places = np.minimum(np.searchsorted(self.keys, added), max(len(self.keys) - 1, 0))
        known = self.keys[places] == added if len(self.keys) else np.zeros(len(added), np.bool_)
        old = self.bits.copy()
        old[places[known]] |= bits[known]
        keys = np.concatenate([self.keys, added[~known]])
        order = np.argsort(keys, kind="stable")
        return Dictionaries.of(self.languages, keys[order], np.concatenate([old, bits[~known]])[order])

    def counts(self, urls: ByteColumn) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """(counts, kinds): one row of features per URL, by the compiled kernel."""
        return kernels.custom_counts(urls.data, urls.offsets, self.slots, len(self.languages))

    def plain_counts(self, url: bytes) -> list[float]:
        """The definition: the features of one URL."""
        values = dict.fromkeys(feature_names(self.languages), 0.0)
        address = read_address(url)
        if address.kind != "web":
            return list(values.values())
        for token in tokens(url):
            key = word_key(token.text)
            row = int(np.searchsorted(self.keys, np.uint64(key)))
            bits = int(self.bits[row]) if row < len(self.keys) and int(self.keys[row]) == key else 0
            side = "after" if token.place == "path" else "before"
            if token.place == "tld" and token.text in GENERIC:
                values[f".{token.text}"] = 1.0
            for number, language in enumerate(self.languages):
                has = {name: bits >> (n * len(self.languages) + number) & 1 for n, name in enumerate(DICTIONARIES)}
                if has["code"]:
                    if token.place == "tld":
                        values[f"tld code {language}"] = 1.0
                    values[f"{'path' if token.place == 'path' else 'host'} code {language}"] = 1.0
                for name in DICTIONARIES[1:]:
                    values[f"{name} {language}"] += has[name]
                    values[f"{name} {side} {language}"] += has[name]
                values[f"merged {language}"] += any(has[name] for name in DICTIONARIES[1:])
            if not bits >> len(self.languages):
                values["nowhere"] += 1
                values[f"nowhere {side}"] += 1
        for text, side in ((address.host, "before"), (address.rest, "after")):
            values["hyphens"] += text.count("-")
            values[f"hyphens {side}"] += text.count("-")
        return list(values.values())


def word_keys(words: Sequence[str]) -> NDArray[np.uint64]:
    """The keys of those words that are one token each, hashed by the kernel."""
    urls = ByteColumn.from_rows(["/" + word for word in words])
    indptr, keys, _ = feature_set("words").keys(urls)
    single = np.diff(indptr) == 1
    return np.unique(keys[indptr[:-1][single]])
