"""Answers become the numbers of the paper's tables, and the published ones are read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.languages import FIVE
from dragoman.measures import Interval
from dragoman.studies.hmm_2004.plan import PENALTIES, Cell
from dragoman.studies.hmm_2004.study import Study


@cache
def published(table: int) -> dict[str, Any]:
    """A published table.

    >>> published(1)["rates"]["s&d0"]
    0.94
    """
    path = resources.files("dragoman.data.published").joinpath("hmm_2004.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["tables"][str(table)]
    return found


@dataclass
class Figures:
    """Everything that the tables, plots and findings ask of a study."""

    study: Study

    def rates(self, cell: Cell, lengths: tuple[int, int]) -> NDArray[np.float64]:
        """The rate on each draw: the mean over the languages of the share of sentences identified rightly.

        The paper's rates are such means: pooled, the sentences of its Table 5 give 93 %, not the 95 % of Table 4.
        """
        found = []
        for draw in range(self.study.plan.draws):
            truth, said = self.study.truth(draw, lengths), self.study.said(cell, draw, lengths)
            found.append(np.mean([np.mean(said[truth == column] == column) for column in range(len(FIVE))]))
        return np.array(found)

    def rate(self, cell: Cell, lengths: tuple[int, int]) -> Interval:
        """Mean, lowest and highest of the draws."""
        return interval(self.rates(cell, lengths))

    def gain(self, cell: Cell, other: Cell, lengths: tuple[int, int]) -> Interval:
        """The difference to another cell, draw by draw."""
        return interval(self.rates(cell, lengths) - self.rates(other, lengths))

    def wins(self, cell: Cell, other: Cell, lengths: tuple[int, int]) -> tuple[int, int, int]:
        """On how many draws a cell is ahead of another, level and behind."""
        signs = np.sign(np.round(self.rates(cell, lengths) - self.rates(other, lengths), 9))
        return int(np.sum(signs > 0)), int(np.sum(signs == 0)), int(np.sum(signs < 0))

    def confusion(self, cell: Cell, lengths: tuple[int, int]) -> dict[str, dict[str, float]]:
        """Percent of the sentences of a language (row) that are said to be in another (column), all draws."""
        counts = np.zeros((len(FIVE), len(FIVE)))
        totals = np.zeros(len(FIVE))
        for draw in range(self.study.plan.draws):
            truth, said = self.study.truth(draw, lengths), self.study.said(cell, draw, lengths)
            answered = said >= 0
            np.add.at(counts, (truth[answered], said[answered]), 1)
            totals += np.bincount(truth, minlength=len(FIVE))
        return {
            row: {column: float(100 * counts[i, j] / totals[i]) for j, column in enumerate(FIVE)}
            for i, row in enumerate(FIVE)
        }

    def tracked(self, part: str, half: str) -> list[tuple[float, float, float]]:
        """(penalty, share of letters right, F of the changes) of the network."""
        rows = self.study.tracked(part)[half]
        return [
            (penalty, float(row[0] / max(row[1], 1)), float(2 * row[2] / max(row[3] + row[4], 1)))
            for penalty, row in zip(PENALTIES, rows, strict=True)
        ]

    def best_penalty(self, part: str) -> float:
        """The penalty with the most letters right on the tuning documents."""
        return max(self.tracked(part, "tune"), key=lambda row: row[1])[0]


def theirs(table: int, name: str) -> dict[str, dict[str, float]]:
    """A published confusion matrix in percent of its rows."""
    counts = published(table)["matrices"][name]
    return {
        row: {column: 100 * value / sum(values.values()) for column, value in values.items()}
        for row, values in counts.items()
    }


def interval(values: NDArray[np.float64]) -> Interval:
    """Mean, lowest and highest."""
    return Interval(float(values.mean()), float(values.min()), float(values.max()))
