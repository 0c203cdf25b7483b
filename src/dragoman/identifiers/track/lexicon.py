"""Lexicon: what a word costs in each language, by how frequent it is and by its characters.

    cost(word | L) = min(-log f(word | L), - sum_i log p(c_i | c_i-n+1 .. c_i-1, L))      in sixteenths, rounded

where f is the frequency of a listed word, and p that of a character after those before it inside the word, `_` being
both edges. p is interpolated over the orders with the weights of Witten and Bell,

    p_n = (n(h c) + t(h) p_n-1) / (n(h) + t(h)),    t(h) the number of different characters after h,

and counted over the list of words, each with the root of its frequency, so that rare words shape the model of words
that are not listed. Only the n-grams that say most over the next shorter one are kept; one that is not there costs
what the next shorter one costs and the back-off of its beginning, which makes all shares sum to one. Everything is a
whole number: sums have no order, and the compiled loops equal the plain ones to the last bit.

A word in Latin letters costs a language of another script at least 2 nats more than the cheapest that is written in
Latin letters: commands and names stand in the texts of all languages, which does not make an English line Khmer.

Cost: for a word of m letters, `order` look-ups per letter, each of which adds up to as many numbers as there are
languages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch, encode_labels
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.track.counting import Frequencies, learn, word_frequencies
from dragoman.identifiers.track.table import arrays_of, build, check, entries, gram_key, restricted
from dragoman.identifiers.track.tokens import TrackTokens, code_points, is_unspaced, plain_tokens, tokens
from dragoman.kernels import track as kernel
from dragoman.types import Scores

#: Costs are in sixteenths of a nat.
UNIT = 16
EDGE, LONGEST, FLOOR, UNKNOWN = "_", 64, 208, 1 << 20
#: A letter that costs more than this by itself has strayed into a language's texts, and does not make a word known.
STRAY = 168
#: What a word in Latin letters costs more in languages of other scripts, and the share of letters that makes a language
#: one of the Latin script (the texts of Japanese have .20, those of Serbian .23).
STRANGER, LATIN = 32, 0.22


class Lexicon(Classifier):
    """Words and the characters of words by language: what the tracker judges tokens by.

    `words` and `grams` are the most that are kept per language. The score of a text is minus the sum of its tokens'
    costs, in nats: log probabilities under a bag of words, and thus overconfident.

    >>> model = Lexicon().fit(["das Haus und der Hund", "the house and the dog"], ["de", "en"])
    >>> model.predict(["der Hund", "the house"])
    ['de', 'en']
    """

    algorithm: ClassVar[str] = "lexicon"
    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)

    def __init__(self, words: int = 7000, grams: int = 4800, order: int = 4) -> None:
        self.words = words
        self.grams = grams
        self.order = order

    def fit(self, inputs: Any, labels: Labels, lists: Mapping[str, Mapping[str, float]] | None = None) -> Self:
        """Learn; `lists` gives word frequencies by language, which then count for more than those of the texts."""
        if not 1 <= self.order <= 8 or self.words < 0 or self.grams < 1:
            raise UsageError(f"{self!r}: order is from 1 to 8, words and grams are counts")
        texts = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(texts))
        if len(self.languages_) > 255:
            raise UsageError(f"'lexicon' takes 255 languages at most, not {len(self.languages_)}")
        counts: list[Counter[str]] = [Counter() for _ in self.languages_]
        for row, column in enumerate(truth.tolist()):
            if column >= 0:
                counts[column].update(words_of(_decoded(texts[row])))
        return self.fit_words(
            {tag: word_frequencies(counts[n], (lists or {}).get(tag)) for n, tag in enumerate(self.languages_)}
        )

    def fit_words(self, frequencies: Mapping[str, Frequencies]) -> Self:
        """Learn from the frequencies of words by language."""
        self.languages_ = tuple(sorted(frequencies))
        by_key: dict[int, dict[int, tuple[int, int]]] = {}
        for number, tag in enumerate(self.languages_):
            grams, words = learn(frequencies[tag], self.words, self.grams, self.order)
            for gram, pair in grams.items():
                by_key.setdefault(gram_key(gram), {})[number] = pair
            for word, cost in words.items():
                by_key.setdefault(word_key(word), {})[number] = (cost, 0)
        self.table_ = build(by_key, self.order)
        self.notes_ = {}
        return self

    def columns(self, languages: Iterable[str]) -> NDArray[np.int32]:
        """The column of each of the lexicon's languages in a choice of them, -1 for those left out."""
        return _columns(self.languages_, tuple(languages))

    def restricted(self, languages: Iterable[str]) -> Lexicon:
        """A lexicon of some of the languages, in this order, that says the same of them and is faster."""
        chosen = tuple(languages)
        smaller = Lexicon(**self.get_params())
        smaller.languages_, smaller.notes_ = chosen, {}
        smaller.table_ = restricted(self.table_, self.columns(chosen))
        return smaller

    def costs(self, points: NDArray[np.uint32], tokens: TrackTokens, languages: Iterable[str]) -> NDArray[np.int32]:
        """What each token costs in each of the languages."""
        chosen = tuple(languages)
        return kernel.costs(points, tokens.starts, tokens.ends, self.table_, self.columns(chosen), self.latin(chosen))

    def latin(self, languages: Iterable[str]) -> NDArray[np.uint8]:
        """1 for each of some languages that is written in Latin letters, as far as the lexicon knows."""
        return _latin(self.table_, self.languages_, tuple(languages))

    def plain_costs(self, text: str, tokens: TrackTokens, languages: Iterable[str]) -> list[list[int]]:
        """The same by the definition at the top of this module."""
        chosen = tuple(languages)
        columns, latin = self.columns(chosen).tolist(), self.latin(chosen).tolist()
        rows: dict[tuple[str, str | None], list[int]] = {}  # words come again, and this is slow
        out = []
        for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
            symbols, word = self._symbols(text, start, end)
            if (symbols, word) not in rows:
                row = self._plain(symbols, word, columns)
                rows[symbols, word] = _strangers_behind(row, latin) if _is_latin(text[start]) else row
            out.append(rows[symbols, word])
        return out

    def _symbols(self, text: str, start: int, end: int) -> tuple[str, str | None]:
        """(symbols, word): what is spelt of a token; where words are written together, it and those before, no word."""
        if is_unspaced(ord(text[start])):
            first = start
            while first > 0 and start - first < self.order - 1 and _in_run(text[first - 1]):
                first -= 1
            return "".join(map(_small, text[first:end])), None
        word = "".join(map(_small, text[start:end][:LONGEST]))
        return EDGE + word + EDGE, word

    def _plain(self, symbols: str, word: str | None, columns: list[int]) -> list[int]:
        width = max(columns) + 1
        cost, hit = [0] * width, [False] * width
        predicted = len(symbols) - 1 if word is None else 1
        backs = [[0] * width for _ in range(self.order)]  # after the n characters before this one
        begun = {0}  # n, if the n characters before are listed: the beginnings of listed n-grams are
        for at, symbol in enumerate(symbols):
            value = [FLOOR] * width
            after = [[0] * width for _ in range(self.order + 1)]
            listed = {0}
            for n in range(1, min(self.order, at + 1) + 1):
                value = [so_far + more for so_far, more in zip(value, backs[n - 1], strict=True)]
                if n - 1 not in begun:
                    continue
                listed_costs = entries(self.table_, gram_key(symbols[at - n + 1 : at + 1]))
                listed |= {n} if listed_costs else set()
                for tag, own, back in listed_costs:
                    if (column := columns[tag]) >= 0:
                        value[column], after[n][column] = own, back
                        usual = n > 1 or own <= STRAY or is_unspaced(ord(symbol))
                        hit[column] |= symbol != EDGE and at >= predicted and usual
            if at >= predicted:
                cost = [so_far + more for so_far, more in zip(cost, value, strict=True)]
            backs, begun = after[: self.order], listed
        for tag, own, _ in entries(self.table_, word_key(word)) if word is not None else ():
            if (column := columns[tag]) >= 0:
                cost[column], hit[column] = min(cost[column], own), True
        return [so_far if seen else UNKNOWN for so_far, seen in zip(cost, hit, strict=True)]

    def scores(self, inputs: Any) -> Scores:
        """Minus the costs of each text's tokens, in nats; NaN where no language knows any of them."""
        texts = batch(inputs)
        matrix = np.full((len(texts), len(self.languages_)), np.nan, np.float32)
        for row in range(len(texts)):
            text = _decoded(texts[row])
            words = tokens(text)
            matrix[row] = _sums(self.costs(code_points(text), words, self.languages_).astype(np.int64))
        return Scores(self.languages_, matrix)

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one text, by the plain definitions."""
        text = _decoded(row)
        rows = self.plain_costs(text, plain_tokens(text), self.languages_)
        return [float(score) for score in _sums(np.array(rows, np.int64).reshape(-1, len(self.languages_)))]

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The table."""
        return {}, dict(arrays_of(self.table_))

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The table again."""
        try:
            self.table_ = kernel.LexiconTable(
                **{name: arrays[name] for name in ("starts", "firsts", "counts", "tags", "values", "backs")},
                prints=arrays["prints"].view("<u2").astype(np.uint16, copy=False),
                order=int(self.order),
            )
            check(self.table_, len(self.languages_))
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise BadModel("is damaged: its tables do not fit each other") from error
        return self


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; in scripts without spaces, the pieces between other characters.

    >>> words_of("L'Été, 日本語")
    ['l', 'été', '日本語']
    """
    parts, words = tokens(text), list[str]()
    behind = -1
    for start, end in zip(parts.starts.tolist(), parts.ends.tolist(), strict=True):
        piece = "".join(map(_small, text[start:end]))
        if start == behind and is_unspaced(ord(text[start])) and is_unspaced(ord(text[start - 1])):
            words[-1] += piece
        else:
            words.append(piece)
        behind = end
    return words


@lru_cache(maxsize=64)
def _columns(known: tuple[str, ...], chosen: tuple[str, ...]) -> NDArray[np.int32]:
    index = {tag: number for number, tag in enumerate(chosen)}
    columns = np.array([index.get(tag, -1) for tag in known], np.int32)
    columns.flags.writeable = False
    return columns


@lru_cache(maxsize=8)
def _latin(table: kernel.LexiconTable, known: tuple[str, ...], chosen: tuple[str, ...]) -> NDArray[np.uint8]:
    shares = dict.fromkeys(known, 0.0)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        for number, cost, _ in entries(table, gram_key(letter)):
            shares[known[number]] += math.exp(-cost / UNIT)
    latin = np.array([shares[tag] >= LATIN for tag in chosen], np.uint8)
    latin.flags.writeable = False
    return latin


def _is_latin(character: str) -> bool:
    return ord(character) < 0x250 or 0x1E00 <= ord(character) <= 0x1EFF


def _strangers_behind(costs: list[int], latin: list[int]) -> list[int]:
    """The costs of a word in Latin letters, none of another script before the cheapest of that script."""
    least = min((cost for cost, own in zip(costs, latin, strict=True) if own), default=UNKNOWN)
    if least == UNKNOWN:
        return costs
    return [cost if own else max(cost, least + STRANGER) for cost, own in zip(costs, latin, strict=True)]


@cache
def _small(character: str) -> str:
    return chr(kernels.fold(ord(character)) or ord(character))


def _in_run(character: str) -> bool:
    return is_unspaced(ord(character)) and bool(kernels.fold(ord(character)))


def _decoded(row: bytes) -> str:
    return bytes(row).decode("utf-8", "replace")


def _sums(costs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Minus the sums over the tokens that some language knows; NaN where there are none."""
    known = costs[(costs < UNKNOWN).any(axis=1)]
    if not len(known):
        return np.full(costs.shape[1], np.nan, np.float32)
    return np.asarray(-np.minimum(known, 64 * UNIT).sum(axis=0) / UNIT, np.float32)
