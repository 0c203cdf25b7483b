"""Every registered algorithm with every feature set that it takes, trained on made-up URLs. No name stands here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tests.made_urls import Labelled, labelled_texts, labelled_urls

from dragoman.errors import BadTable, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import ALGORITHMS, make, parameters
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.algorithms.custom_columns import CustomColumns
from dragoman.identifiers.url.features import FEATURE_SETS


@dataclass(frozen=True)
class Case:
    """An algorithm, and the features it is to use (None: it has no choice)."""

    algorithm: str
    features: str | None

    def __str__(self) -> str:
        return self.algorithm if self.features is None else f"{self.algorithm}:{self.features}"

    @property
    def reads(self) -> str:
        return ALGORITHMS.reads(self.algorithm)

    def make(self) -> Classifier:
        return make(self.algorithm, features=self.features)

    @property
    def data(self) -> Labelled:
        """Training URLs, few and small languages where their dictionaries have to be read; or sentences."""
        if self.reads == "text":
            return labelled_texts(("de", "en", "es", "fr", "it", "ru"))
        slow = self.features is not None and CustomColumns.covers(self.features)
        return labelled_urls(("af", "en", "vi") if slow else ("de", "en", "es", "fr", "it", "ru"))

    def fit(self) -> Classifier:
        return self.make().fit(self.data.urls, self.data.labels)


def _accepted(case: Case) -> bool:
    """Features that an algorithm cannot use are refused before anything else, so that asking costs nothing."""
    try:
        case.make().fit([], [])
    except UsageError:
        return False
    except BadTable:
        return True
    raise AssertionError(f"{case} learnt from nothing")


def _cases(algorithm: str) -> list[Case]:
    choice = FEATURE_SETS if "features" in parameters(algorithm) else (None,)
    every = [Case(algorithm, features) for features in choice]
    return [case for case in every if _accepted(case)]


CASES_OF = {algorithm: _cases(algorithm) for algorithm in ALGORITHMS}
CASES = [case for cases in CASES_OF.values() for case in cases]


@cache
def fitted(case: Case) -> Classifier:
    """The trained classifier; tests share it and must leave it as it is."""
    return case.fit()


def digests() -> dict[str, str]:
    """The digest of every case's file."""
    return {str(case): store.to_bytes(fitted(case))[-store.DIGEST :].hex() for case in CASES}
