"""Top-level domains: learnt from URLs (section 5.1), and combined with the scores of a text in a Bayesian way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import BadTable
from dragoman.evaluate.corpus import UrlSet, load_corpus
from dragoman.identifiers.url.address import read_address

Floats = NDArray[np.float64]


def domain_of(url: bytes) -> str:
    """What stands behind the rightmost period of the host; empty where there is none."""
    return (read_address(url).tld or "").lower()


@dataclass(frozen=True)
class Domains:
    """How often each domain was seen with each language, every language having the same number of URLs."""

    counts: Mapping[str, NDArray[np.int64]]
    urls: int

    @classmethod
    def learn(cls, domains: Sequence[str], truth: NDArray[np.int64], width: int) -> Domains:
        """Count."""
        counts: dict[str, NDArray[np.int64]] = {}
        for domain, column in zip(domains, truth.tolist(), strict=True):
            counts.setdefault(domain, np.zeros(width, np.int64))[column] += 1
        return cls(counts, len(domains))

    def best(self, domain: str) -> int:
        """The commonest language of a domain (the first of equals), or -1 for one that was never seen."""
        counts = self.counts.get(domain)
        return -1 if counts is None else int(np.argmax(counts))

    def log_likelihood(self, domain: str, width: int) -> Floats:
        """log P(domain | language), one added to each count; a domain that was never seen says nothing."""
        counts = self.counts.get(domain)
        if counts is None:
            return np.zeros(width)
        totals = np.sum(list(self.counts.values()), axis=0)
        return np.asarray(np.log((counts + 1) / (totals + len(self.counts) + 1)))


@dataclass(frozen=True)
class UrlDomains:
    """Domains for a study: those to learn from, and test domains by language."""

    learnt: Domains
    tests: dict[str, list[str]]
    digests: dict[str, str]


def load_domains(folder: Path, languages: Sequence[str], per_language: int, seed: int) -> UrlDomains:
    """The folder's URLs: as many training URLs of each language, and the domains of the test sets' judge halves."""
    corpus = load_corpus(folder, languages, cap=30, seed=seed)
    rng = np.random.default_rng(seed)
    rows: list[int] = []
    for column, language in enumerate(languages):
        mine = np.flatnonzero(corpus.train.truth == column)
        if not len(mine):
            raise BadTable(f"'{folder}' has no training URL in '{language}'")
        rows += rng.choice(mine, per_language, replace=len(mine) < per_language).tolist()
    train = corpus.train.take(np.array(rows))
    learnt = Domains.learn([domain_of(url) for url in train.urls], train.truth, len(languages))
    tests: dict[str, list[str]] = {}
    for column, language in enumerate(languages):
        tests[language] = [domain for test in corpus.tests.values() for domain in _judged(test, column)]
        if not tests[language]:
            raise BadTable(f"'{folder}' has no test URL in '{language}'")
    return UrlDomains(learnt, tests, corpus.digests)


def _judged(test: UrlSet, column: int) -> list[str]:
    return [domain_of(url) for url in test.urls.take(np.flatnonzero(test.judge & (test.truth == column)))]
