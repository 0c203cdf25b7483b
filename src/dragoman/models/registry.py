"""The algorithms by name. To add one: a file of its own, and a line here; the contract tests find it by themselves."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from dragoman.errors import UnknownName, UsageError
from dragoman.models.classifier import Classifier


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
        "cctld": "dragoman.models.cctld:CountryCode",
        "cctld-plus": "dragoman.models.cctld:CountryCodePlus",
        "naive-bayes": "dragoman.models.naive_bayes:NaiveBayes",
        "relative-entropy": "dragoman.models.relative_entropy:RelativeEntropy",
        "max-entropy": "dragoman.models.max_entropy:MaxEntropy",
        "decision-tree": "dragoman.models.decision_tree:DecisionTree",
        "nearest": "dragoman.models.nearest:NearestNeighbours",
        "combined": "dragoman.models.combine:Combined",
        "production": "dragoman.models.production:Production",
        "rank-order": "dragoman.page.rank_order:RankOrder",
        "fisher-cosine": "dragoman.page.fisher_cosine:FisherCosine",
        "text": "dragoman.page.identifier:Text",
        "hmm": "dragoman.page.hmm.classifier:Hmm",
        "lexicon": "dragoman.page.track.lexicon:Lexicon",
        "hybrid": "dragoman.page.hybrid:Hybrid",
    }
)


def feature_names() -> tuple[str, ...]:
    """The names of all feature sets."""
    from dragoman.models.custom import CUSTOM, SELECTION
    from dragoman.url.features import FEATURE_SETS

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
