"""The columns of custom-made features that a model uses, with the dictionaries they need and, once learnt, weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.identifiers.classifier import Arrays
from dragoman.identifiers.explanation import explained
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.custom_features import Dictionaries, feature_names, selected_names
from dragoman.identifiers.url.dictionaries import held_out_counts, learn_dictionaries
from dragoman.identifiers.url.features import FEATURE_SETS
from dragoman.types import Contribution

#: How a row's counts are scaled; the position is the number that the kernels take.
SCALINGS = ("counts", "shares", "roots")
#: All custom-made features, and the paper's selection of three per language.
CUSTOM, SELECTION = "custom", "custom-selected"


class CustomSet:
    """All custom-made features."""

    name: ClassVar[str] = CUSTOM

    @staticmethod
    def chosen(languages: Sequence[str]) -> list[str]:
        """The names of the columns for these languages."""
        return feature_names(languages)


class SelectedSet(CustomSet):
    """The three custom-made features per language that the URL paper kept."""

    name: ClassVar[str] = SELECTION

    @staticmethod
    def chosen(languages: Sequence[str]) -> list[str]:
        """The names of the columns for these languages."""
        return selected_names(languages)


@dataclass(frozen=True, eq=False)
class CustomColumns:
    """Chosen columns of the custom-made features; scores are their scaled counts times weights, plus bias."""

    features: str
    scaling: str
    dictionaries: Dictionaries
    columns: NDArray[np.int64]
    weights: NDArray[np.float32] | None = None
    bias: NDArray[np.float32] | None = None

    @staticmethod
    def covers(features: str) -> bool:
        """True for the names of feature sets that are made by hand."""
        return issubclass(FEATURE_SETS[features], CustomSet)

    @classmethod
    def learnt(
        cls, features: str, scaling: str, languages: tuple[str, ...], urls: ByteColumn, truth: NDArray[np.int64]
    ) -> tuple[CustomColumns, NDArray[np.float32]]:
        """(columns, counts): the columns of a feature set, with dictionaries from packages and from these URLs.

        The counts, to train on, are by dictionaries that did not see the URL itself (`held_out_counts`).
        """
        columns = cls.over(features, scaling, learn_dictionaries(languages, urls, truth))
        return columns, np.ascontiguousarray(held_out_counts(languages, urls, truth)[:, columns.columns])

    @classmethod
    def over(cls, features: str, scaling: str, dictionaries: Dictionaries) -> CustomColumns:
        """The columns of a feature set over dictionaries that exist."""
        names = feature_names(dictionaries.languages)
        chosen = FEATURE_SETS[features].chosen(dictionaries.languages)
        return cls(features, scaling, dictionaries, np.array([names.index(name) for name in chosen], np.int64))

    @property
    def names(self) -> list[str]:
        """The name of every column."""
        names = feature_names(self.dictionaries.languages)
        return [names[column] for column in self.columns]

    def counts(self, urls: ByteColumn) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(counts, web): the chosen columns, and which rows are web addresses."""
        counts, kinds = self.dictionaries.counts(urls)
        return np.ascontiguousarray(counts[:, self.columns]), kinds == 0

    def with_weights(self, weights: NDArray[np.float32], bias: NDArray[np.float32]) -> CustomColumns:
        """The same columns with what a linear model learnt."""
        return replace(self, weights=weights, bias=bias)

    def _learnt(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        if self.weights is None or self.bias is None:
            raise RuntimeError("these columns have no weights: only linear models score by them")
        return self.weights, self.bias

    def scores(self, urls: ByteColumn, threads: int = 1) -> NDArray[np.float32]:
        """From bytes to scores in the compiled kernel."""
        weights_of, bias_of = self._learnt()
        words = self.dictionaries
        return kernels.custom_scores(
            urls.data,
            urls.offsets,
            words.slots,
            len(words.languages),
            self.columns,
            SCALINGS.index(self.scaling),
            weights_of,
            bias_of,
        )

    def plain_scores(self, url: bytes) -> list[float]:
        """The definition, for one URL."""
        weights_of, bias_of = self._learnt()
        if read_address(url).kind != "web":
            return [math.nan] * len(bias_of)
        all_counts = self.dictionaries.plain_counts(url)
        counts = [all_counts[column] for column in self.columns]
        sums = [0.0] * len(bias_of)
        for count, weights in zip(counts, weights_of.tolist(), strict=True):
            for column, weight in enumerate(weights):
                sums[column] += count * weight
        scale = self._scale(sum(counts))
        return [float(np.float32(total * scale + bias)) for total, bias in zip(sums, bias_of.tolist(), strict=True)]

    def _scale(self, total: float) -> float:
        if total == 0 or self.scaling == "counts":
            return 1.0
        return 1.0 / (total if self.scaling == "shares" else math.sqrt(total))

    def explain(self, url: bytes, languages: tuple[str, ...]) -> list[Contribution]:
        """Every feature that is not zero, scaled, and the bias as `(prior)`."""
        weights_of, bias_of = self._learnt()
        all_counts = self.dictionaries.plain_counts(url)
        counts = [all_counts[column] for column in self.columns]
        scale = self._scale(sum(counts))
        rows = zip(self.names, counts, weights_of.tolist(), strict=True)
        parts = {name: [count * weight * scale for weight in weights] for name, count, weights in rows if count}
        return explained(languages, parts, bias_of.tolist())

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The dictionaries, and the weights if there are any."""
        arrays: Arrays = {
            "dictionary_keys": self.dictionaries.keys,
            "dictionary_bits": self.dictionaries.bits,
        }
        if self.weights is not None and self.bias is not None:
            arrays |= {"weights": self.weights, "bias": self.bias}
        return {"features": self.features, "scaling": self.scaling}, arrays

    @classmethod
    def restored(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], languages: tuple[str, ...]
    ) -> CustomColumns:
        """The columns again, from what `state` gave."""
        dictionaries = Dictionaries.of(languages, arrays["dictionary_keys"], arrays["dictionary_bits"])
        columns = cls.over(header["features"], header["scaling"], dictionaries)
        if "weights" not in arrays:
            return columns
        if arrays["weights"].shape != (len(columns.columns), len(arrays["bias"])):
            raise ValueError(f"weights of shape {arrays['weights'].shape} for {len(columns.columns)} features")
        return columns.with_weights(
            np.ascontiguousarray(arrays["weights"], np.float32),
            np.ascontiguousarray(arrays["bias"], np.float32),
        )
