"""The production recipe: one softmax over hashed features, trained by descent, kept as bytes.

score(url, language) = step * (sum of the whole-number weights of the URL's kept features) / sqrt(n) + bias[language],
n being the number of all its features, known or not; weights of codes count COARSE times.
Probabilities depend on n, too (dragoman.identifiers.bulk).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, UsageError
from dragoman.identifiers.bulk import BulkClassifier
from dragoman.identifiers.classifier import Arrays, Labels, batch, encode_labels
from dragoman.identifiers.explanation import explained
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.compaction import COARSE, compacted, worth_keeping
from dragoman.identifiers.url.features import feature_set
from dragoman.identifiers.url.production_features import GRAM_LENGTHS, GROUPS, KINDS, features_by_part
from dragoman.kernels.compact import COMMON, Compact, CompactTable
from dragoman.kernels.library import aligned
from dragoman.types import Contribution, Language, Scores

_FEATURES = "production"
#: URLs from which on a language counts by its number; fewer do not count for more: a hundred would outshout thousands.
_ENOUGH = 1000
#: The rate of the last epoch, over the features that are kept, beside the first.
_AGAIN = 0.3
#: What is learnt about one of these counts more than what is learnt about a word: there are few of them in a URL.
RATES = {"tld": 2.0, "code": 3.0, "code-label": 3.0, "code-segment": 3.0, "code-value": 3.0, "code-mark": 3.0}
#: Buckets (bits) by group. In memory every bucket of n-grams has a row, kept or not: no index has to be looked into.
BITS = {"grams": 18, "words": 19, "codes": 14}
#: N-grams and words that are kept, so that the file stays below 20 MB and the index of words near the processor; all
#: codes are.
MOST_GRAMS, MOST_WORDS = 1 << 17, 65_536


class Production(BulkClassifier):
    """A multi-way linear model over the features of dragoman.identifiers.url.production_features, made for bulk.

    Training: plain stochastic gradient descent on the log loss, rate falling to zero, features hashed into buckets;
    host words and top-level domains left out with the chance `dropout`; languages weighted by their number to the power
    of -balance; `made` URLs per real one (identifiers.url.augmentation); the mean of `runs`, each with other made URLs.
    Then the features that matter most are kept, learn once more, and become bytes (identifiers.url.compaction). One
    thread, so the same seed gives the same bytes. Cost: rows x features x languages per epoch, about 15 seconds for a
    million URLs and 80 languages.

    Scoring: one pass from bytes to answers, without a Python object per URL.
    """

    algorithm: ClassVar[str] = "production"
    table_: Compact

    def __init__(
        self,
        kept: int = MOST_WORDS,
        epochs: int = 4,
        rate: float = 1.0,
        dropout: float = 0.2,
        balance: float = 0.6,
        made: float = 1.2,
        runs: int = 3,
        seed: int = 0,
    ) -> None:
        self.kept = kept
        self.epochs = epochs
        self.rate = rate
        self.dropout = dropout
        self.balance = balance
        self.made = made
        self.runs = runs
        self.seed = seed

    def fit(self, inputs: Any, labels: Labels, texts: Mapping[str, list[str]] | None = None) -> Self:
        """Learn; `texts` by language give words for made URLs beyond the word lists of the package wordfreq."""
        from dragoman.identifiers.url.augmentation import augment

        if self.runs < 1:
            raise UsageError(f"'production' needs one run or more, not {self.runs}")
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls))
        rows = np.flatnonzero(truth >= 0)
        urls, truth = urls.take(rows), truth[rows]
        bits, counts = tuple(BITS.values()), np.bincount(truth, minlength=len(self.languages_))
        weights = np.zeros((sum(1 << one for one in bits), len(counts)), np.float32)
        bias = np.zeros(len(counts), np.float32)
        for run in range(self.runs):
            number = round(self.made * len(rows))
            more, of = augment(urls, truth, self.languages_, number, texts or {}, self.seed + run)
            indptr, keys, _ = feature_set(_FEATURES).keys(ByteColumn.joined([urls, more]))
            found = self._descend(indptr, keys, truth, of, self.seed + run, self.rate, self.epochs)
            weights += found[0] / self.runs
            bias += found[1] / self.runs
        met = np.bincount(buckets(keys), minlength=len(weights))
        kept = worth_keeping(weights, met, bits, (MOST_GRAMS, self.kept, 1 << BITS["codes"]))
        weights *= kept[:, None]
        # the features that are left learn to do without the others
        again = self._descend(
            indptr, keys, truth, of, self.seed + self.runs, _AGAIN * self.rate, 1, kept, (weights, bias)
        )
        self.table_ = compacted(*again, kept, counts, bits)
        self.slope_ = 0.0
        self.notes_ = {}
        return self

    def _descend(
        self,
        indptr: NDArray[np.int64],
        keys: NDArray[np.uint64],
        truth: NDArray[np.int64],
        made: NDArray[np.int64],
        seed: int,
        rate: float,
        epochs: int,
        kept: NDArray[np.uint8] | None = None,
        start: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(weights, bias) after some epochs over real URLs of languages `truth`, then made ones of languages `made`."""
        width = len(self.languages_)
        counts = np.bincount(truth, minlength=width).astype(np.float64)
        importance = np.maximum(counts, _ENOUGH) ** -self.balance
        importance *= counts.sum() / (importance * counts).sum()
        of_rows = np.concatenate([importance[truth], np.ones(len(made))]).astype(np.float32)
        labels = np.concatenate([truth, made]).astype(np.int32)
        dropout, rates = np.zeros(16, np.float32), np.ones(16, np.float32)
        dropout[[KINDS.index("host"), KINDS.index("tld")]] = self.dropout
        rates[[KINDS.index(kind) for kind in RATES]] = list(RATES.values())
        bits = tuple(BITS.values())
        if start is None:
            start = np.zeros((sum(1 << one for one in bits), width), np.float32), np.zeros(width, np.float32)
        weights, bias = start
        rng = np.random.default_rng(seed)
        for epoch in range(epochs):
            falling = (rate * (1 - epoch / epochs), rate * (1 - (epoch + 1) / epochs))
            order = rng.permutation(len(labels))
            kernels.descend(
                indptr, keys, labels, of_rows, order, bits, weights, bias, falling, dropout, rates,
                seed=1 + epoch + 100 * seed, kept=kept,
            )  # fmt: skip
        return weights, bias

    def scores_and_features(self, rows: ByteColumn) -> tuple[Scores, NDArray[np.int32]]:
        """The scores of every URL, by language instead of by column, and the number of its features."""
        by_column, features = super().scores_and_features(rows)
        matrix = np.empty_like(by_column.matrix)
        matrix[:, self.table_.order] = by_column.matrix
        return Scores(self.languages_, matrix), features

    def column_numbers(self, languages: Sequence[Language]) -> NDArray[np.int32]:
        """Columns have an order of their own."""
        return np.argsort(self.table_.order)[super().column_numbers(languages)].astype(np.int32)

    def plain_scores(self, row: bytes) -> list[float]:
        """The definition at the top of this module, for one URL."""
        rows, n = self._rows(row)
        sums = np.sum([steps for _, steps in rows], axis=0, dtype=np.float32)
        if not np.any(sums):
            return [math.nan] * len(self.languages_)
        by_column = sums * (np.float32(self.table_.step) / np.sqrt(np.float32(n))) + self.table_.bias
        return [float(by_column[column]) for column in np.argsort(self.table_.order)]

    def _rows(self, url: bytes) -> tuple[list[tuple[str, NDArray[np.int64]]], int]:
        """The parts of the kept features of a URL, their weights in steps by column, and the number of all features."""
        if read_address(url).kind != "web":
            return [], 0
        named = list(features_by_part(url))
        found = []
        for part, _, key in named:
            group = list(GROUPS)[_GROUP_OF[key & 15]]
            bucket = key >> (64 - BITS[group])
            if group == "grams":
                steps = np.zeros(len(self.languages_), np.int64)
                steps[:COMMON] = self.table_.grams[bucket][: len(steps)]
            else:
                table = self.table_.words if group == "words" else self.table_.codes
                steps = table.row(int(table.index[bucket]), len(self.languages_)) * (COARSE if group == "codes" else 1)
            if steps.any():
                found.append((part, steps))
        return found, len(named)

    def explain(self, row: bytes) -> list[Contribution]:
        """What each word, code and domain said, and the bias as `(prior)`; a language's weights sum to its score.

        A word says what it says itself and what its n-grams say.
        """
        rows, n = self._rows(row)
        scale = self.table_.step / math.sqrt(n) if n else 0.0
        names = [self.languages_[number] for number in self.table_.order.tolist()]
        total: dict[str, NDArray[np.int64]] = {}
        for part, steps in rows:
            total[part] = total.get(part, 0) + steps
        weights = {part: (steps * scale).tolist() for part, steps in total.items()}
        return explained(names, weights, self.table_.bias.tolist() if rows else ())

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The tables."""
        arrays: Arrays = {"bias": self.table_.bias, "order": self.table_.order}
        said = np.flatnonzero(self.table_.grams.any(axis=1))
        arrays["grams-buckets"], arrays["grams-common"] = said.astype(np.uint32), self.table_.grams[said]
        wide = {}
        for name, table in (("words", self.table_.words), ("codes", self.table_.codes)):
            kept = np.flatnonzero(table.index)
            arrays[f"{name}-buckets"] = kept[np.argsort(table.index[kept])].astype(np.uint32)
            arrays[f"{name}-common"], arrays[f"{name}-rare"] = table.common, table.rare
            wide[name] = len(table.rare)
        header = {"bits": BITS, "grams": _GRAMS, "step": self.table_.step, "slope": self.slope_, "wide": wide}
        return header, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tables again."""
        if header.get("grams") != _GRAMS:
            raise BadModel("reads other n-grams than this version of Dragoman does: train it again")
        try:
            if header["bits"] != BITS:
                raise ValueError("other tables than these")
            grams = aligned((1 << BITS["grams"], COMMON))
            said = arrays["grams-buckets"]
            grams[said] = arrays["grams-common"]
            if len(said) != len(arrays["grams-common"]) or np.any(np.diff(said.astype(np.int64)) < 1):
                raise ValueError("one row for each bucket")
            tables = []
            for name in ("words", "codes"):
                kept, common, rare = (arrays[f"{name}-{part}"] for part in ("buckets", "common", "rare"))
                places = np.zeros(1 << BITS[name], np.uint32)
                places[kept] = np.arange(1, 1 + len(kept))
                if len(common) != 1 + np.count_nonzero(places) or len(rare) != header["wide"][name]:
                    raise ValueError("one row for each bucket, and row 0")
                tables.append(CompactTable(places, common, rare))
            if len(arrays["bias"]) != len(self.languages_):
                raise ValueError("one bias for each language")
            self.table_ = Compact(grams, tables[0], tables[1], arrays["bias"], arrays["order"], float(header["step"]))
        except (ValueError, IndexError, KeyError) as error:
            raise BadModel("is damaged: its tables do not fit each other") from error
        self.slope_ = float(header["slope"])
        return self


#: The lengths of n-grams as a model's file notes them: weights mean nothing for others.
_GRAMS = {place: list(lengths) for place, lengths in GRAM_LENGTHS.items()}
_GROUP_OF = [number for number, kinds in enumerate(GROUPS.values()) for _ in kinds]


def buckets(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The place of each key among the weights in training, where the tables of the groups stand behind each other."""
    group = np.array(_GROUP_OF, np.int64)[(keys & np.uint64(15)).astype(np.int64)]
    bits = np.array(list(BITS.values()), np.int64)
    first = np.cumsum([0, *(1 << bits[:-1])])
    return np.asarray(first[group] + (keys >> (64 - bits[group]).astype(np.uint64)).astype(np.int64))
