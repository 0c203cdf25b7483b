"""Rank order (BASE): a language is the list of its most common n-grams; a text is near to lists like its own."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Labels, batch, encode_labels
from dragoman.identifiers.text.algorithms.ngram_table import NGramTable
from dragoman.kernels import counting
from dragoman.types import Scores

TIES = ("shared", "first")
MISSING = ("far", "end")


class RankOrder(NGramTable):
    """Cavnar and Trenkle's method as Hayati 2004 describes it (section 3): minus the distance of two ranked lists.

    The n-grams of `shortest` to `longest` characters are ranked by how often they occur, and the `common` most common
    kept: G of a text, G_i of the training documents of a language, joined. With j the rank of g in G,

        d(G, G_i) = sum over g in G of |rank of g in G_i - j|,  and  C + 1 - j where G_i lacks g.

    Scores are -d / ((C + 1) sqrt(n)) for the n n-grams of G: dividing by the same number for all languages changes no
    answer, and the root lets longer texts be surer. NaN where no language has any of a text's n-grams.

    What the paper leaves open; the report in papers/hayati-2004 has what each choice is worth:

    - Ties. Nearly all n-grams of a sentence occur once. `ties="shared"` gives equal counts the lowest of their ranks
      (and keeps all n-grams at the end of the list or none); `ties="first"` ranks shorter n-grams first, then those
      that appear first.
    - Missing n-grams. `missing="end"` is the formula above: a rare n-gram of the text that a language lacks costs less
      than a common one. `missing="far"` lets each cost C + 1.
    - The text's own ranks. With `placed=False` they are left out (j = 0): they say little about a sentence. These three
      are worth half a point at most.
    - Edges (text.ngrams): `space`, `wrap` as in the paper, or `words`: 4 points on text under 25 characters.
    - The number of n-grams. The paper's C = 399 is few for short text: 10,000 are worth 5 points on texts of 20 to 200
      characters in eleven languages, 12 points under 25.
    - Training documents are joined, so their size does not matter.

    `RankOrder.paper()` has the paper's choices. Cost: linear in the text, and n comparisons per language.

    >>> model = RankOrder().fit(["the cat and the dog", "die Katze und der Hund"], ["en", "de"])
    >>> model.predict(["and the", "und die"])
    ['en', 'de']
    """

    algorithm: ClassVar[str] = "rank-order"
    values: ClassVar[tuple[str, type[np.generic]]] = ("ranks", np.int32)

    def __init__(
        self,
        common: int = 10_000,
        shortest: int = 1,
        longest: int = 5,
        edges: str = "space",
        ties: str = "shared",
        missing: str = "far",
        placed: bool = False,
    ) -> None:
        self.common = common
        self.shortest = shortest
        self.longest = longest
        self.edges = edges
        self.ties = ties
        self.missing = missing
        self.placed = placed

    @classmethod
    def paper(cls, common: int = 399) -> RankOrder:
        """BASE with the paper's choices, and where it makes none the plainest: ties in order of appearance."""
        return cls(common, edges="wrap", ties="first", missing="end", placed=True)

    def check(self) -> None:
        """UsageError for parameters that no model can have."""
        if self.common < 1:
            raise UsageError(f"The number of common n-grams must be 1 or more, not {self.common}")
        for name, allowed in (("ties", TIES), ("missing", MISSING)):
            if getattr(self, name) not in allowed:
                raise UsageError(f"'{name}' is one of {', '.join(allowed)}, not '{getattr(self, name)}'")

    def fits(self, table: NDArray[Any]) -> bool:
        """Ranks go from 1 to `common`; 0 is missing."""
        return not np.any((table < 0) | (table > self.common))

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Count the n-grams of each language's texts and rank them."""
        ngrams = self.ngrams
        texts = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(texts))
        indptr, keys, counts = ngrams.counts(texts)
        language = np.repeat(truth, np.diff(indptr))
        ranks: dict[int, NDArray[np.int32]] = {}
        width = len(self.languages_)
        for column in range(width):
            mine = language == column
            numbers, _, size = kernels.number(keys[mine], kernels.new_slots(1), 0)
            total = np.bincount(numbers, counts[mine], size).astype(np.int64)
            grams = np.empty(size, np.uint64)
            grams[numbers] = keys[mine]
            rank = ranked(total, self.ties)
            for number in np.flatnonzero(rank <= self.common).tolist():
                row = ranks.setdefault(int(grams[number]), np.zeros(width, np.int32))
                row[column] = rank[number]
        order = sorted(ranks)
        self.notes_ = {}
        table = np.array([ranks[key] for key in order], np.int32).reshape(-1, width)
        return self.keep(np.array(order, np.uint64), table)

    def scores(self, inputs: Any) -> Scores:
        """Minus the distance to each language, compiled."""
        texts = batch(inputs)
        matrix = counting.rank_scores(
            texts.data, texts.offsets, self.ngrams.sizes, self.slots_, self.table_, self.common,
            shared=self.ties == "shared", placed=self.placed, far=self.missing == "far",
        )  # fmt: skip
        return Scores(self.languages_, matrix)

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one text, by the definition."""
        counts = self.ngrams.plain_counts(row)
        keys = list(counts)
        ranks = ranked(np.array(list(counts.values()), np.int64), self.ties)
        sums, n, known = [0] * len(self.languages_), 0, 0
        for position in np.flatnonzero(ranks <= self.common).tolist():
            n += 1
            own = int(ranks[position]) if self.placed else 0
            number = self.number_of_.get(keys[position])
            known += number is not None
            for column in range(len(sums)):
                theirs = 0 if number is None else int(self.table_[number, column])
                away = self.common + 1 - (0 if self.missing == "far" else own)
                sums[column] += abs(theirs - own) if theirs else abs(away)
        scale = (self.common + 1) * math.sqrt(n)
        return [float(np.float32(-distance / scale)) if known else math.nan for distance in sums]


def ranked(counts: NDArray[np.int64], ties: str) -> NDArray[np.int64]:
    """The rank of each count, the largest first; equal counts share the lowest of their ranks or are ranked in order.

    >>> ranked(np.array([1, 3, 1, 2]), "shared").tolist(), ranked(np.array([1, 3, 1, 2]), "first").tolist()
    ([3, 1, 3, 2], [3, 1, 4, 2])
    """
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(counts), np.int64)
    rank[order] = np.arange(1, len(counts) + 1)
    if ties == "shared" and len(counts):
        falling = counts[order]
        first = np.concatenate([[True], falling[1:] != falling[:-1]])
        rank[order] = np.maximum.accumulate(np.where(first, np.arange(1, len(counts) + 1), 0))
    return rank
