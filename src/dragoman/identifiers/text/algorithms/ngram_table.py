"""What the two n-gram algorithms of Hayati 2004 share: a table of chosen n-grams with a value for every language."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels
from dragoman.errors import BadModel
from dragoman.identifiers.classifier import Arrays, Classifier
from dragoman.identifiers.text.ngrams import NGrams


class NGramTable(Classifier):
    """An algorithm that learns a row of values for each of some n-grams. Parameters are checked by `check`."""

    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)
    #: What a model file calls the values, and their type.
    values: ClassVar[tuple[str, type[np.generic]]]

    shortest: int
    longest: int
    edges: str

    @abstractmethod
    def check(self) -> None:
        """UsageError for parameters that no model can have."""

    @abstractmethod
    def fits(self, table: NDArray[Any]) -> bool:
        """True if no value of a table from a file is one that training never gives."""

    @property
    def ngrams(self) -> NGrams:
        """Which n-grams are counted; UsageError for parameters that make no sense."""
        self.check()
        return NGrams(self.shortest, self.longest, self.edges)

    def keep(self, keys: NDArray[np.uint64], table: NDArray[Any]) -> Self:
        """Take over n-grams, their keys rising, and their values."""
        self.keys_, self.table_ = keys, table
        _, self.slots_, _ = kernels.number(keys, kernels.new_slots(len(keys)), 0)
        self.number_of_ = {int(key): number for number, key in enumerate(keys)}
        return self

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The n-grams and their values."""
        return {}, {"keys": self.keys_, self.values[0]: self.table_}

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Take over a table, after a check that it fits."""
        self.check()
        keys, table = arrays["keys"], arrays[self.values[0]]
        if (
            keys.dtype != np.uint64
            or table.dtype != self.values[1]
            or keys.ndim != 1
            or table.shape != (len(keys), len(self.languages_))
            or (len(keys) and (keys[0] == 0 or np.any(keys[1:] <= keys[:-1])))
            or not self.fits(table)
        ):
            raise BadModel(f"is no {self.algorithm} model: its n-grams and {self.values[0]} do not fit each other")
        return self.keep(keys, table)
