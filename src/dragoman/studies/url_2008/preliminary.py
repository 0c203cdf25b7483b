"""What the paper tried first (section 2) and printed no figures of: rank order and Markov chains, and relative entropy.

All three learn from the trigrams of the same sample, even in languages, and give one answer per URL.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import Corpus
from dragoman.identifiers.text.algorithms.rank_order import RankOrder
from dragoman.identifiers.url.algorithms.relative_entropy import RelativeEntropy
from dragoman.identifiers.url.tokens import tokens
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.plan import UrlPlan

#: The methods, in the order of the paper's sentence.
METHODS = ("Markov chain", "rank order", "relative entropy")
#: What is added to the count of every character behind every pair.
SMOOTHING = 0.1


def preliminary(corpus: Corpus, plan: UrlPlan) -> Arrays:
    """The column of the answer (-1: none) of each method to each judged URL, by `method/set`."""
    train = corpus.train
    share = min(plan.preliminary_rows // len(corpus.languages), int(np.bincount(train.truth).min()))
    rng = np.random.default_rng(0)
    chosen = [rng.choice(np.flatnonzero(train.truth == n), share, replace=False) for n in range(len(corpus.languages))]
    sample = train.take(np.sort(np.concatenate(chosen)))
    labels = np.array(corpus.languages, object)[sample.truth]
    texts = list(spoken(sample.urls))
    chain = MarkovChain(texts, sample.truth.tolist(), len(corpus.languages))
    ranks = RankOrder.paper().fit(texts, labels)
    entropy = RelativeEntropy("trigrams").fit(sample.urls, labels)
    answers: Arrays = {}
    for name, test in corpus.tests.items():
        judged = np.flatnonzero(test.judge & (test.truth >= 0))
        part = test.urls.take(judged)
        spoken_urls = list(spoken(part))
        by_method = (
            np.array([chain.answer(text) for text in spoken_urls], np.int64),
            ranks.scores(spoken_urls).restricted(corpus.languages).best,
            entropy.scores(part).restricted(corpus.languages).best,
        )
        for method, columns in zip(METHODS, by_method, strict=True):
            answers[f"{method}/{name}"] = np.full(len(test), -1, np.int64)
            answers[f"{method}/{name}"][judged] = columns
    return answers


def spoken(urls: ByteColumn) -> Iterator[str]:
    """The tokens of every URL, as a text of words."""
    return (" ".join(token.text for token in tokens(url)) for url in urls)


class MarkovChain:
    """How likely each character is behind the two before it, inside words: one chain per language (Dunning 1994)."""

    def __init__(self, texts: Sequence[str], truth: Sequence[int], languages: int) -> None:
        self.triples: list[Counter[str]] = [Counter() for _ in range(languages)]
        self.pairs: list[Counter[str]] = [Counter() for _ in range(languages)]
        for text, column in zip(texts, truth, strict=True):
            for triple in trigrams(text):
                self.triples[column][triple] += 1
                self.pairs[column][triple[:2]] += 1
        self.characters = len({triple[2] for counts in self.triples for triple in counts})

    def log_probabilities(self, text: str) -> NDArray[np.float64]:
        """log p(text | language) of every language."""
        sums = np.zeros(len(self.triples))
        for triple in trigrams(text):
            for column, (triples, pairs) in enumerate(zip(self.triples, self.pairs, strict=True)):
                behind = pairs[triple[:2]] + SMOOTHING * self.characters
                sums[column] += math.log((triples[triple] + SMOOTHING) / behind)
        return sums

    def answer(self, text: str) -> int:
        """The likeliest language, or -1 for a text without words."""
        return int(np.argmax(self.log_probabilities(text))) if text else -1


def trigrams(text: str) -> Iterable[str]:
    """The trigrams inside the words of a text, with boundary marks.

    >>> list(trigrams("der x"))
    ['_de', 'der', 'er_', '_x_']
    """
    marked = (f"_{word}_" for word in text.split())
    return (word[start : start + 3] for word in marked for start in range(len(word) - 2))
