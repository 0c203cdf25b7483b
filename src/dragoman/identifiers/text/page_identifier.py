"""Identifiers of texts that come trained: other people's, and those that other packages add to `page --method`."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Arrays, Classifier, Labels
from dragoman.languages import find
from dragoman.types import Language

#: What a language that an identifier did not name is given: below all that it names.
_FLOOR = 1e-9

Ranked = Iterable[tuple[str, float]]


class PageIdentifier(Classifier):
    """An identifier that is there already. One writes `codes` and `ranked`.

    Codes are normalised (dragoman.languages), so several of them can be one of our tags (`nb` and `nn` are `no`); the
    likelier one speaks for both. Codes that the table of languages does not have are left out.

    >>> class Shouting(PageIdentifier):
    ...     algorithm = "shouting"
    ...
    ...     def codes(self):
    ...         return ["eng", "deu"]
    ...
    ...     def ranked(self, text, among):
    ...         return [("deu", 0.9), ("eng", 0.1)] if text.isupper() else [("eng", 0.8), ("deu", 0.2)]
    >>> Shouting().predict(["ACHTUNG", "mind the gap", "42"])
    ['de', 'en', None]
    """

    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)
    chooses: ClassVar[bool] = True

    def __init__(self) -> None:
        self._tags = {code: tag for code in self.codes() if (tag := find(code)) is not None}
        self.languages_ = tuple(sorted(set(self._tags.values())))

    @abstractmethod
    def codes(self) -> Iterable[str]:
        """The codes of its languages; called once, before anything else, so what must be loaded is loaded here."""

    @abstractmethod
    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Codes with probabilities; `among` are those to choose from (None: all), for identifiers that can."""

    def _probabilities(self, text: bytes, chosen: frozenset[Language] | None) -> dict[Language, float]:
        """Our tags with probabilities; nothing where there is no letter."""
        readable = text.decode("utf-8", "replace")
        if not any(map(str.isalpha, readable)):
            return {}
        codes = None if chosen is None else frozenset(code for code, tag in self._tags.items() if tag in chosen)
        by_tag: dict[Language, float] = {}
        for code, probability in self.ranked(readable, codes):
            tag = self._tags.get(code)
            if tag is not None and (chosen is None or tag in chosen):
                by_tag[tag] = max(by_tag.get(tag, 0.0), probability)
        return by_tag

    def plain_scores(self, row: bytes) -> list[float]:
        """The logarithms of its probabilities; the same low value for all languages that it does not name."""
        by_tag = self._probabilities(row, None)
        if not by_tag:
            return [math.nan] * len(self.languages_)
        return [math.log(max(by_tag.get(tag, 0.0), _FLOOR)) for tag in self.languages_]

    def best(
        self, rows: ByteColumn, chosen: tuple[Language, ...] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every text, among the chosen; -1 and NaN where it names none of them."""
        names = chosen or self.languages_
        best, certain = np.full(len(rows), -1, np.int32), np.full(len(rows), np.nan, np.float32)
        among = None if chosen is None else frozenset(chosen)
        for row, text in enumerate(rows):
            by_tag = self._probabilities(text, among)
            if by_tag:
                tag = max(by_tag, key=by_tag.__getitem__)
                total = sum(by_tag.values()) if chosen else 1.0
                best[row], certain[row] = names.index(tag), min(1.0, by_tag[tag] / (total or 1.0))
        return best, certain

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Refused: it comes trained."""
        raise UsageError(f"'{self.algorithm}' comes trained and cannot be trained here; 'text' can")

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Refused: it has files of its own."""
        raise UsageError(f"'{self.algorithm}' has files of its own and cannot be saved here")

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Refused, as `state` is."""
        raise UsageError(f"'{self.algorithm}' has files of its own and cannot be loaded here")
