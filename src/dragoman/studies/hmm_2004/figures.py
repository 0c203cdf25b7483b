"""Answers become the numbers of the paper's tables; the published ones are beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.languages import FIVE
from dragoman.measures import Interval
from dragoman.studies.cells import Cells
from dragoman.studies.hmm_2004.draws import drawn_sentences
from dragoman.studies.hmm_2004.plan import PENALTIES, HmmCell, HmmPlan
from dragoman.studies.hmm_2004.two_languages import READINGS
from dragoman.studies.intervals import differences, spread
from dragoman.studies.published import published_figures
from dragoman.studies.text_draws import LENGTHS, LabelledTexts, Lengths, Texts, range_name


def published(table: int) -> dict[str, Any]:
    """A published table.

    >>> published(1)["rates"]["s&d0"]
    0.94
    """
    contents: dict[str, Any] = published_figures(__package__)["tables"][str(table)]
    return contents


def published_rate(name: str) -> Interval:
    """The rate of Table 5 with its 95 % interval: the mean over the languages, from the counts of sentences.

    Each language's rate is drawn from what its count allows (a beta distribution, Jeffreys' prior).

    >>> rate = published_rate("hmm/1")
    >>> [round(figure, 2) for figure in (rate.value, rate.low, rate.high)]
    [0.95, 0.91, 0.96]
    """
    rows = published(5)["matrices"][name]
    hits = np.array([row[language] for language, row in rows.items()])
    counts = np.array([sum(row.values()) for row in rows.values()])
    drawn = np.random.default_rng(0).beta(hits + 0.5, counts - hits + 0.5, (20_000, len(hits))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(float(np.mean(hits / counts)), float(low), float(high))


def published_confusion(table: int, name: str) -> dict[str, dict[str, float]]:
    """A published confusion matrix in percent of its rows."""
    counts = published(table)["matrices"][name]
    return {
        row: {column: 100 * value / sum(values.values()) for column, value in values.items()}
        for row, values in counts.items()
    }


@dataclass
class HmmFigures:
    """Everything that the tables, plots and findings ask of a study."""

    texts: Texts
    plan: HmmPlan
    seed: int
    cells: Cells
    _tests: dict[tuple[int, Lengths, str], LabelledTexts] = field(default_factory=dict)

    def seed_of(self, draw: int) -> int:
        """The seed of a draw."""
        return 1000 * self.seed + draw

    def test(self, draw: int, lengths: Lengths, writing: str = "clean") -> LabelledTexts:
        """The test sentences of a draw, of the judge half."""
        key = (draw, lengths, writing)
        if key not in self._tests:
            seed, count = self.seed_of(draw), self.plan.per_language
            self._tests[key] = drawn_sentences(self.texts, seed, lengths, "judge", count, writing)
        return self._tests[key]

    def answers(self, cell: HmmCell, lengths: Lengths) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """(languages, answers) of each draw as columns, -1 for no answer."""
        return [
            (
                np.array([FIVE.index(label) for label in self.test(draw, lengths, cell.writing).labels], np.int64),
                np.asarray(self.cells.get(f"{cell.name}/{draw}")[range_name(lengths)], np.int64),
            )
            for draw in range(self.plan.draws)
        ]

    def seconds(self, cell: HmmCell) -> float:
        """How long a cell took to train, mean of the draws."""
        return float(np.mean([self.cells.get(f"{cell.name}/{draw}")["seconds"] for draw in range(self.plan.draws)]))

    def rates(self, cell: HmmCell, lengths: Lengths) -> list[float]:
        """The rate on each draw: the mean over the languages of the share of sentences identified rightly.

        The paper's rates are such means: pooled, the sentences of its Table 5 give 93 %, not the 95 % of Table 4.
        """
        return [
            float(np.mean([np.mean(answer[truth == column] == column) for column in range(len(FIVE))]))
            for truth, answer in self.answers(cell, lengths)
        ]

    def rate(self, cell: HmmCell, lengths: Lengths) -> Interval:
        """Mean, lowest and highest of the draws."""
        return spread(self.rates(cell, lengths))

    def gain(self, cell: HmmCell, other: HmmCell, lengths: Lengths) -> Interval:
        """The difference to another cell, draw by draw."""
        return differences(self.rates(cell, lengths), self.rates(other, lengths))

    def wins(self, cell: HmmCell, other: HmmCell, lengths: Lengths) -> tuple[int, int, int]:
        """On how many draws a cell is ahead of another, level and behind."""
        signs = np.sign(np.round(np.subtract(self.rates(cell, lengths), self.rates(other, lengths)), 9))
        return int(np.sum(signs > 0)), int(np.sum(signs == 0)), int(np.sum(signs < 0))

    def confusion(self, cell: HmmCell, lengths: Lengths) -> dict[str, dict[str, float]]:
        """Percent of the sentences of a language (row) that are said to be in another (column), all draws."""
        counts = np.zeros((len(FIVE), len(FIVE)))
        totals = np.zeros(len(FIVE))
        for truth, answer in self.answers(cell, lengths):
            np.add.at(counts, (truth[answer >= 0], answer[answer >= 0]), 1)
            totals += np.bincount(truth, minlength=len(FIVE))
        return {
            row: {column: float(100 * counts[i, j] / totals[i]) for j, column in enumerate(FIVE)}
            for i, row in enumerate(FIVE)
        }

    def confused(self, cell: HmmCell, lengths: Lengths = LENGTHS[0]) -> dict[str, float]:
        """Percent of the sentences of two languages that are taken for the other one, the most confused first."""
        matrix = self.confusion(cell, lengths)
        pairs = {f"{a}-{b}": (matrix[a][b] + matrix[b][a]) / 2 for a, b in combinations(FIVE, 2)}
        return dict(sorted(pairs.items(), key=lambda pair: -pair[1]))

    def page(self, reading: str) -> list[tuple[int, int, str]]:
        """(spans, where the second begins, the first languages) that a reading makes of our page, for each draw."""
        cells = [self.cells.get(f"page/{draw}") for draw in range(self.plan.draws)]
        at = READINGS.index(reading)
        return [(int(cell["spans"][at]), int(cell["second"][at]), str(cell["languages"][at])) for cell in cells]

    def tracked(self, part: str, half: str) -> list[tuple[float, float, float]]:
        """(penalty, share of letters right, F of the changes) of the network."""
        rows = self.cells.get(f"tracking/{part}")[half]
        return [
            (penalty, float(row[0] / max(row[1], 1)), float(2 * row[2] / max(row[3] + row[4], 1)))
            for penalty, row in zip(PENALTIES, rows, strict=True)
        ]

    def best_penalty(self, part: str) -> float:
        """The penalty with the most letters right on the tuning documents."""
        return max(self.tracked(part, "tune"), key=lambda row: row[1])[0]
