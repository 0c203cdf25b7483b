"""The algorithms by name. To add one: a file of its own, and a line here; the contract tests find it by themselves."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.classifier import Classifier


class _Algorithms(Mapping[str, type[Classifier]]):
    """Classes by name, each imported when it is asked for: answering one URL needs one of them, not all."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[Classifier]:
        module, _, attribute = self._places[name].partition(":")
        kind: type[Classifier] = getattr(importlib.import_module(module), attribute)
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


ALGORITHMS: Mapping[str, type[Classifier]] = _Algorithms(
    {
        "cctld": "dragoman.identifiers.url.algorithms.cctld:CountryCode",
        "cctld-plus": "dragoman.identifiers.url.algorithms.cctld:CountryCodePlus",
        "naive-bayes": "dragoman.identifiers.url.algorithms.naive_bayes:NaiveBayes",
        "relative-entropy": "dragoman.identifiers.url.algorithms.relative_entropy:RelativeEntropy",
        "max-entropy": "dragoman.identifiers.url.algorithms.max_entropy:MaxEntropy",
        "decision-tree": "dragoman.identifiers.url.algorithms.decision_tree:DecisionTree",
        "nearest": "dragoman.identifiers.url.algorithms.nearest:NearestNeighbours",
        "combined": "dragoman.identifiers.url.algorithms.combined:Combined",
        "production": "dragoman.identifiers.url.algorithms.production:Production",
        "rank-order": "dragoman.identifiers.text.algorithms.rank_order:RankOrder",
        "fisher-cosine": "dragoman.identifiers.text.algorithms.fisher_cosine:FisherCosine",
        "text": "dragoman.identifiers.text.algorithms.text:Text",
        "hmm": "dragoman.identifiers.text.algorithms.hmm.classifier:Hmm",
        "lexicon": "dragoman.identifiers.track.lexicon:Lexicon",
        "hybrid": "dragoman.identifiers.text.algorithms.hybrid:Hybrid",
    }
)


def feature_names() -> tuple[str, ...]:
    """The names of all feature sets."""
    from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, SELECTION
    from dragoman.identifiers.url.features import FEATURE_SETS

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
