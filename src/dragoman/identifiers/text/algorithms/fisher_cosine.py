"""Fisher and cosine (NFC): the n-grams that best tell languages apart, and the angle between text and language."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Labels, batch, encode_labels
from dragoman.identifiers.text.algorithms.ngram_table import NGramTable
from dragoman.kernels import counting
from dragoman.types import Scores

SELECTIONS = ("fisher", "frequency")


class FisherCosine(NGramTable):
    """The NFC algorithm of Hayati 2004 (section 4): the cosine of a text's n-grams with each language's.

    Freq(g, d) is how often g occurs in the training document d, all of a document's n-grams scaled to a vector of
    length 1; mu_i(g) is its mean over the documents of language i, var_i(g) its variance. The `selected` n-grams with
    the largest Fisher discriminant

        F(g) = sum over pairs of languages of (mu_i(g) - mu_j(g))^2 / (sum over i of var_i(g) + floor)

    are the features. A language is the vector of their counts in all its documents, of length 1; so is a text, and the
    score is the dot product of the two, from 0 to 1. NaN where a text has none of the features.

    What the paper leaves open; the report in papers/hayati-2004 has what each choice is worth:

    - The training documents' size. A variance needs documents; one document per language has none, and an n-gram that
      never varies would have an infinite discriminant. Documents are therefore cut into pieces of `document` characters
      (0: they are taken as they come), and `floor` is added to the variances. Neither matters much.
    - Ties of the discriminant: the n-gram that appears first in the training documents goes first.
    - Edges (text.ngrams): `space`, `wrap` as in the paper, or `words`: 5 points on text under 25 characters.
    - `selection="frequency"` takes the n-grams with the largest mean of mu_i instead: the paper's control, never made.
    - `root=True` takes square roots of all counts, so that the few commonest n-grams do not outweigh the rest: 6 points
      on texts of 20 to 200 characters in eleven languages. Not in the paper.
    - N-grams of 1 to 5 characters (`shortest`, `longest`) instead of 3: left open there.

    `FisherCosine.paper()` has the paper's choices. Cost: linear in the text, and one product per feature and language.

    >>> model = FisherCosine().fit(["the cat and the dog", "die Katze und der Hund"], ["en", "de"])
    >>> model.predict(["and the", "und die"])
    ['en', 'de']
    """

    algorithm: ClassVar[str] = "fisher-cosine"
    values: ClassVar[tuple[str, type[np.generic]]] = ("weights", np.float32)

    def __init__(
        self,
        selected: int = 1000,
        shortest: int = 3,
        longest: int = 3,
        selection: str = "fisher",
        edges: str = "space",
        document: int = 1000,
        floor: float = 1e-6,
        root: bool = True,
    ) -> None:
        self.selected = selected
        self.shortest = shortest
        self.longest = longest
        self.selection = selection
        self.edges = edges
        self.document = document
        self.floor = floor
        self.root = root

    @classmethod
    def paper(cls, selected: int = 1000) -> FisherCosine:
        """NFC with the paper's choices: trigrams on a ring, documents as they come."""
        return cls(selected, edges="wrap", document=0, root=False)

    def check(self) -> None:
        """UsageError for parameters that no model can have."""
        if self.selected < 1:
            raise UsageError(f"The number of selected n-grams must be 1 or more, not {self.selected}")
        if self.selection not in SELECTIONS:
            raise UsageError(f"'selection' is one of {', '.join(SELECTIONS)}, not '{self.selection}'")
        if self.document < 0 or not self.floor > 0:
            raise UsageError(f"'document' must be 0 or more and 'floor' above 0, not {self.document} and {self.floor}")

    def fits(self, table: NDArray[Any]) -> bool:
        """Weights are numbers."""
        return bool(np.isfinite(table).all())

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Select the n-grams and make the languages' vectors."""
        ngrams = self.ngrams
        texts = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(texts))
        width = len(self.languages_)
        texts, truth = _documents(texts, truth, self.document)
        indptr, keys, counts = ngrams.counts(texts)
        keep = np.repeat(truth >= 0, np.diff(indptr))
        numbers, _, size = kernels.number(keys[keep], kernels.new_slots(1), 0)
        grams = np.empty(size, np.uint64)
        grams[numbers] = keys[keep]
        document = np.repeat(np.arange(len(truth)), np.diff(indptr))[keep]
        value = counts[keep].astype(np.float64)
        if self.root:
            value = np.sqrt(value)
        worth = self._worth(numbers, document, value, truth, size)
        chosen = np.sort(np.argsort(-worth, kind="stable")[: self.selected])
        cells = numbers * width + truth[document]
        total = np.bincount(cells, counts[keep], size * width).reshape(size, width)
        vectors = np.sqrt(total[chosen]) if self.root else total[chosen]
        lengths = np.sqrt((vectors**2).sum(axis=0))
        weights = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        order = np.argsort(grams[chosen])
        self.notes_ = {}
        return self.keep(grams[chosen][order], np.ascontiguousarray(weights[order]))

    def _worth(
        self,
        numbers: NDArray[np.int32],
        document: NDArray[np.int64],
        value: NDArray[np.float64],
        truth: NDArray[np.int64],
        size: int,
    ) -> NDArray[np.float64]:
        """What each n-gram is selected by. A document without n-grams counts as one, with Freq 0."""
        width = len(self.languages_)
        lengths = np.sqrt(np.bincount(document, value**2, len(truth)))
        share = value / lengths[document]
        documents = np.bincount(truth[truth >= 0], minlength=width)
        cells = numbers.astype(np.int64) * width + truth[document]
        mean = np.bincount(cells, share, size * width).reshape(size, width) / documents
        if self.selection == "frequency":
            return np.asarray(mean.mean(axis=1))
        square = np.bincount(cells, share**2, size * width).reshape(size, width) / documents
        within = np.maximum(square - mean**2, 0.0).sum(axis=1)
        between = width * (mean**2).sum(axis=1) - mean.sum(axis=1) ** 2  # = sum over pairs of squared differences
        return np.asarray(between / (within + self.floor))

    def scores(self, inputs: Any) -> Scores:
        """The cosine with each language, compiled."""
        texts = batch(inputs)
        sizes = self.ngrams.sizes
        matrix = counting.cosines(texts.data, texts.offsets, sizes, self.slots_, self.table_, root=self.root)
        return Scores(self.languages_, matrix)

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one text, by the definition; sums in the order in which its n-grams appear."""
        sums, square = np.zeros(len(self.languages_)), 0.0
        for key, count in self.ngrams.plain_counts(row).items():
            number = self.number_of_.get(key)
            if number is not None:
                value = math.sqrt(count) if self.root else float(count)
                square += value * value
                sums += value * self.table_[number].astype(np.float64)
        if square == 0:
            return [math.nan] * len(sums)
        return [float(np.float32(dot / math.sqrt(square))) for dot in sums.tolist()]


def _documents(texts: ByteColumn, truth: NDArray[np.int64], size: int) -> tuple[ByteColumn, NDArray[np.int64]]:
    """The training documents: the texts, cut at spaces into pieces of about `size` characters (0: as they come)."""
    if size == 0:
        return texts, truth
    pieces: list[str] = []
    labels: list[int] = []
    for text, label in zip(texts, truth.tolist(), strict=True):
        cut, length = [[]], 0  # type: list[list[str]], int
        for word in text.decode("utf-8", "dragoman-latin-1").split():
            if length >= size:
                cut.append([])
                length = 0
            cut[-1].append(word)
            length += len(word) + 1
        pieces.extend(" ".join(words) for words in cut)
        labels.extend([label] * len(cut))
    return ByteColumn.from_rows(pieces), np.array(labels, np.int64)
