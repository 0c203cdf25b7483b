"""The algorithms by name. To add one: a file of its own, and a line here; the contract tests find it by themselves."""

from __future__ import annotations

import inspect
from typing import Any

from dragoman.errors import UnknownName, UsageError
from dragoman.models.cctld import CountryCode, CountryCodePlus
from dragoman.models.classifier import Classifier
from dragoman.models.combine import Combined
from dragoman.models.custom import CUSTOM, SELECTION
from dragoman.models.decision_tree import DecisionTree
from dragoman.models.max_entropy import MaxEntropy
from dragoman.models.naive_bayes import NaiveBayes
from dragoman.models.nearest import NearestNeighbours
from dragoman.models.production import Production
from dragoman.models.relative_entropy import RelativeEntropy
from dragoman.url.features import FEATURE_SETS

ALGORITHMS: dict[str, type[Classifier]] = {
    kind.algorithm: kind
    for kind in (
        CountryCode,
        CountryCodePlus,
        NaiveBayes,
        RelativeEntropy,
        MaxEntropy,
        DecisionTree,
        NearestNeighbours,
        Combined,
        Production,
    )
}


def feature_names() -> tuple[str, ...]:
    """The names of all feature sets."""
    return (*FEATURE_SETS, CUSTOM, SELECTION)


def make(algorithm: str, **params: Any) -> Classifier:
    """A new classifier of this name; parameters that are None keep their defaults."""
    if algorithm not in ALGORITHMS:
        raise UnknownName("algorithm", algorithm, ALGORITHMS)
    kind = ALGORITHMS[algorithm]
    given = {name: value for name, value in params.items() if value is not None}
    if (features := given.get("features")) is not None and features not in feature_names():
        raise UnknownName("feature set", features, feature_names())
    known = inspect.signature(kind).parameters
    for name in given:
        if name not in known:
            what = f"takes {', '.join(known)}" if known else "has nothing to set"
            raise UsageError(f"'{algorithm}' has no parameter '{name}'; it {what}")
    return kind(**given)


def make_spec(spec: str, **params: Any) -> Classifier:
    """A new classifier from `algorithm` or `algorithm:features`; parameters it does not have are left out."""
    algorithm, _, features = spec.partition(":")
    if algorithm in ALGORITHMS:
        known = inspect.signature(ALGORITHMS[algorithm]).parameters
        params = {name: value for name, value in params.items() if name in known}
    return make(algorithm, features=features or None, **params)
