"""Answers become the numbers of the report: accuracies by draw, on the judge half."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.languages import PRESETS
from dragoman.measures import Interval
from dragoman.studies.hayati_2004.plan import PAGES, USUAL, Cell, Variant
from dragoman.studies.hayati_2004.study import Lengths, Study
from dragoman.studies.text_draws import CHARACTERS

#: Languages that are easily taken for each other (section 3.4 names Spanish and Italian).
KIN = (("da", "no", "sv"), ("es", "fr", "it", "pt"), ("de", "en", "nl"))


def spread(values: Sequence[float]) -> Interval:
    """The mean of the draws, with the lowest and the highest."""
    return Interval(float(np.mean(values)), float(min(values)), float(max(values)))


@lru_cache(maxsize=1)
def published() -> dict[str, float]:
    """The paper's accuracies by name."""
    source = resources.files("dragoman.data.published").joinpath("hayati_2004.json")
    document: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return {name: float(entry["value"]) for name, entry in document["accuracy"].items()}


class Figures:
    """A finished study, read."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.draws = range(study.plan.draws)

    def accuracy(
        self,
        variant: Variant,
        lengths: Lengths | None,
        languages: str = "eleven",
        characters: int = CHARACTERS,
        source: str = "",
    ) -> list[float]:
        """The share of right answers in each draw; without lengths: on whole pages."""
        found = []
        for draw in self.draws:
            cell = Cell(variant, languages, draw, characters, PAGES if lengths is None else "sentences")
            right = self.study.said(cell, lengths) == self.study.truth(languages, draw, lengths)
            if source:
                right = right[np.array(self.study.test(languages, draw, lengths).sources) == source]
            found.append(float(right.mean()))
        return found

    def domains(self, variant: Variant, lengths: Lengths) -> tuple[list[float], list[float]]:
        """(the domain alone, domain and text): the share of right answers in each draw."""
        alone, both = [], []
        for draw in self.draws:
            by_domain, by_both = self.study.with_domains(Cell(variant, "eleven", draw), lengths)
            truth = self.study.truth("eleven", draw, lengths)
            alone.append(float((by_domain == truth).mean()))
            both.append(float((by_both == truth).mean()))
        return alone, both

    def confusion(self, variant: Variant, lengths: Lengths = USUAL) -> NDArray[np.int64]:
        """How often each language (row) was taken for each (column), all draws together; no answer is left out."""
        width = len(PRESETS["eleven"])
        matrix = np.zeros((width, width), np.int64)
        for draw in self.draws:
            said = self.study.said(Cell(variant, "eleven", draw), lengths)
            truth = self.study.truth("eleven", draw, lengths)
            np.add.at(matrix, (truth[said >= 0], said[said >= 0]), 1)
        return matrix

    def kin_share(self, variant: Variant) -> float:
        """The share of errors that stay among close languages."""
        order = sorted(PRESETS["eleven"])
        matrix = self.confusion(variant)
        group = np.array([next((n for n, kin in enumerate(KIN) if tag in kin), -1 - place) for place, tag in enumerate(order)])  # fmt: skip  # noqa: E501
        wrong = matrix * ~np.eye(len(order), dtype=bool)
        return float((wrong * (group[:, None] == group[None, :])).sum() / max(1, wrong.sum()))
