"""The country-code rule: the top-level domain alone decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import languages as tables
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch, encode_labels
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.algorithms.linear import LinearTable
from dragoman.identifiers.url.dictionaries import country_codes
from dragoman.identifiers.url.tokens import PLACES
from dragoman.types import Contribution, Scores


class CountryCode(Classifier):
    """A URL is in the language whose countries own its top-level domain; in none where no language does.

    Section 3.2 of the URL paper ("ccTLD"), with its lists for its five languages and those of dragoman.languages for
    others. It needs no training: `fit` only takes note of the languages. Written as a linear model: weight 1 for each
    domain, bias -1/2, so that a score above zero is a yes.

    >>> rule = CountryCode().fit(["http://a.de/", "http://b.fr/"], ["de", "fr"])
    >>> rule.scores(["http://c.at/", "http://d.com/"]).yes.tolist()
    [[True, False], [False, False]]
    """

    algorithm: ClassVar[str] = "cctld"
    english_domains: ClassVar[frozenset[str]] = frozenset()
    #: With five languages, a domain that counts then means 95 %; it is right for .94 to .98 on the tuning halves.
    temperature_: float = 0.23

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Take note of the languages."""
        urls = batch(inputs)
        return self.of(encode_labels(labels, len(urls))[0])

    @classmethod
    def ready(cls, languages: Iterable[str] = tables.FIVE) -> Self:
        """The rule for these languages, without any training."""
        return cls().of(tuple(languages))

    def of(self, languages: tuple[str, ...]) -> Self:
        """Make the table."""
        self.languages_ = languages
        domains = [
            country_codes(language) | (self.english_domains if language == "en" else frozenset())
            for language in languages
        ]
        codes = sorted(set().union(*domains))
        tld = 1 + PLACES.index("tld")
        keys = np.array([word_key(domain, tld) for domain in codes], np.uint64)
        weights = np.array([[float(domain in own) for own in domains] for domain in codes], np.float32)
        weights = weights.reshape(len(codes), len(languages))
        self.table_ = LinearTable.of("placed-words", "counts", keys, weights, np.full(len(languages), -0.5, np.float32))
        self.notes_ = {}
        return self

    def scores(self, inputs: Any) -> Scores:
        """From bytes to scores in the compiled kernel."""
        return Scores(self.languages_, self.table_.scores(batch(inputs)))

    def plain_scores(self, row: bytes) -> list[float]:
        """The same by the plain definition."""
        return self.table_.plain_scores(row)

    def explain(self, row: bytes) -> list[Contribution]:
        """The domain, if it counts."""
        return self.table_.explain(row, self.languages_)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Nothing is learnt."""
        return {}, {}

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the table for the languages of the file."""
        return self.of(self.languages_)


class CountryCodePlus(CountryCode):
    """The country-code rule with `.com` and `.org` counted as English ("ccTLD+" in the URL paper).

    >>> CountryCodePlus.ready().predict(["http://www.wasserbett-test.com/"])
    ['en']
    """

    algorithm: ClassVar[str] = "cctld-plus"
    english_domains: ClassVar[frozenset[str]] = frozenset({"com", "org"})
