"""The published figures of the URL paper, with what their own arithmetic says about each.

The figures are those of "Web Page Language Identification Based on URLs" (2008), Tables 1-10 and the text, as
printed. Every cell that has P, R, p(-|-) and F is redundant: the paper defines (Section 4.2)

    F = 2 / (1/R + 1/P)                 P = R / (R + 1 - p(-|-))

so a misprint shows itself. `check` recomputes both and says which cells cannot be right.

>>> published_cell(7, "crawl", "de", "naive-bayes", "words").f
0.86
>>> published_macro_f(4, "directory", "cctld-plus")
0.662
>>> [cell.language for cell in inconsistent_cells() if cell.test_set == "search" and cell.table == 4]
['en', 'it']
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from statistics import fmean
from typing import Any

from dragoman.errors import UnknownName

LANGUAGES = ("en", "de", "fr", "es", "it")
TEST_SETS = ("directory", "search", "crawl")
AVERAGE = "average"

F_TOLERANCE = 0.015
_HALF_DIGIT = 0.005
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Cell:
    """One published result: a classifier of `language` on a test set, any of its four numbers or None.

    `algorithm` is a registry name, "human" (Table 2) or "best-pair" (Table 9). `test_set` and `language` may
    be "average" in Tables 8 and 9. `training` is set in Table 10 only: "urls" or "urls-and-content". Where
    rows overlap in the stored text of Table 7, `stored` is what it shows and `note` says how the numbers were
    worked out.
    """

    table: int
    test_set: str
    language: str
    algorithm: str
    features: str | None
    precision: float | None = None
    recall: float | None = None
    negative: float | None = None
    f: float | None = None
    training: str | None = None
    stored: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """What the other numbers of a cell say about its F and its P; None where there is nothing to compare.

    `precision_range` holds every P that R and p(-|-) allow when both were rounded to two digits.
    `truncation_explains` is True when P is off, but would not be if digits had been cut instead of rounded.
    """

    f_recomputed: float | None
    precision_range: tuple[float, float] | None
    f_is_off: bool
    precision_is_off: bool
    truncation_explains: bool

    @property
    def inconsistent(self) -> bool:
        """True where F or P cannot come from the numbers beside it."""
        return self.f_is_off or self.precision_is_off


@dataclass(frozen=True, slots=True)
class SetSize:
    """One row of Table 1: how many URLs of a language a set has for training and for testing."""

    test_set: str
    language: str
    training: int
    test: int


@dataclass(frozen=True, slots=True)
class Pair:
    """The best two (algorithm, feature set) members for one language; mode is "or" or "and"."""

    language: str
    mode: str
    first: tuple[str, str]
    second: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the running text, and where it stands."""

    name: str
    value: float
    where: str
    note: str | None = None


@lru_cache(maxsize=1)
def _document() -> dict[str, Any]:
    source = resources.files("dragoman.data.published").joinpath("url_2008.json")
    document: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return document


@lru_cache(maxsize=16)
def published_cells(table: int) -> tuple[Cell, ...]:
    """The cells of Table 2, 4, 7, 8, 9 or 10, in the paper's order."""
    tables = _document()["tables"]
    known = [name for name in tables if name != "1" and "rows" in tables[name]]
    if str(table) not in known:
        raise UnknownName("table of results", str(table), known)
    return tuple(
        Cell(
            table,
            row["test_set"],
            row["language"],
            row["algorithm"],
            row["features"],
            precision=row.get("P"),
            recall=row.get("R"),
            negative=row.get("N"),
            f=row.get("F"),
            training=row.get("training"),
            stored=row.get("stored"),
            note=row.get("note"),
        )
        for row in tables[str(table)]["rows"]
    )


@lru_cache(maxsize=16)
def _index(table: int) -> Mapping[tuple[str, str, str, str | None, str | None], Cell]:
    return {
        (cell.test_set, cell.language, cell.algorithm, cell.features, cell.training): cell
        for cell in published_cells(table)
    }


def published_cell(
    table: int,
    test_set: str,
    language: str,
    algorithm: str,
    features: str | None = None,
    training: str | None = None,
) -> Cell | None:
    """The cell with that place in that table, or None where the paper has none.

    ccTLD+ differs from ccTLD for English alone: for the other languages Table 4 answers with the ccTLD cell.
    """
    index = _index(table)
    cell = index.get((test_set, language, algorithm, features, training))
    if cell is None and algorithm == "cctld-plus":
        plain = index.get((test_set, language, "cctld", features, training))
        return None if plain is None else replace(plain, algorithm=algorithm)
    return cell


def published_macro_f(
    table: int, test_set: str, algorithm: str, features: str | None = None, training: str | None = None
) -> float | None:
    """The mean of the printed F over the five languages, or None when any of the five is missing.

    Printed F that are inconsistent take part: this is the paper's number, not a mended one.
    """
    cells = [published_cell(table, test_set, name, algorithm, features, training) for name in LANGUAGES]
    values = [cell.f for cell in cells if cell is not None and cell.f is not None]
    return round(fmean(values), 4) if len(values) == len(LANGUAGES) else None


def published_sizes() -> tuple[SetSize, ...]:
    """Table 1: the URLs of each set and language."""
    return tuple(SetSize(**row) for row in _document()["tables"]["1"]["rows"])


def published_confusion(table: int, algorithm: str) -> dict[str, dict[str, int]]:
    """Table 3, 5 or 6 in percent: matrix[language of the URL][classifier that said yes]."""
    tables = _document()["tables"]
    known = [name for name in tables if "matrices" in tables[name]]
    if str(table) not in known:
        raise UnknownName("table of confusion", str(table), known)
    matrices = tables[str(table)]["matrices"]
    if algorithm not in matrices:
        raise UnknownName(f"algorithm of Table {table}", algorithm, matrices)
    return {row: dict(columns) for row, columns in matrices[algorithm].items()}


def published_pairs() -> tuple[Pair, ...]:
    """The paper's best combination for each language (Section 5.6)."""
    return tuple(
        Pair(
            entry["language"],
            entry["mode"],
            (entry["first"]["algorithm"], entry["first"]["features"]),
            (entry["second"]["algorithm"], entry["second"]["features"]),
        )
        for entry in _document()["best_pairs"]
    )


def published_figures() -> tuple[Figure, ...]:
    """Every number of the running text that the study compares with."""
    return tuple(Figure(name, **entry) for name, entry in _document()["text"].items())


def published_figure(name: str) -> Figure:
    """The number of the running text with that name, such as "correlation-judges"."""
    entries = _document()["text"]
    if name not in entries:
        raise UnknownName("published figure", name, entries)
    return Figure(name, **entries[name])


def f_from(precision: float, recall: float) -> float:
    """F = 2/(1/R + 1/P); 0 when P or R is 0."""
    return 0.0 if precision <= 0 or recall <= 0 else 2 / (1 / recall + 1 / precision)


def precision_from(recall: float, negative: float) -> float:
    """The precision of a balanced test, P = R/(R + 1 - p(-|-)); 1 when nothing is accepted."""
    accepted = recall + 1 - negative
    return 1.0 if accepted <= 0 else recall / accepted


def _span(printed: float, below: float, above: float) -> tuple[float, float]:
    """The proportions that would have been printed as `printed`."""
    return max(0.0, printed - below), min(1.0, printed + above)


def _precision_span(recall: float, negative: float, below: float, above: float) -> tuple[float, float]:
    # P rises with R and with p(-|-), so the ends of their intervals give the ends of P's.
    low_recall, high_recall = _span(recall, below, above)
    low_negative, high_negative = _span(negative, below, above)
    return precision_from(low_recall, low_negative), precision_from(high_recall, high_negative)


def _apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] > other[1] + _EPSILON or other[0] > one[1] + _EPSILON


def check(cell: Cell) -> Check:
    """What the cell's own numbers say about its F and P.

    F is off when it differs from 2/(1/R + 1/P) by more than .015. P is off when no R and p(-|-) that round to
    the printed ones give a P that rounds to the printed one: intervals of half a unit in the second digit are
    carried through P = R/(R + 1 - p(-|-)) and compared.
    """
    f_recomputed: float | None = None
    f_is_off = False
    if cell.precision is not None and cell.recall is not None:
        f_recomputed = f_from(cell.precision, cell.recall)
        f_is_off = cell.f is not None and abs(cell.f - f_recomputed) > F_TOLERANCE + _EPSILON
    precision_range: tuple[float, float] | None = None
    precision_is_off = truncation_explains = False
    if cell.recall is not None and cell.negative is not None:
        precision_range = _precision_span(cell.recall, cell.negative, _HALF_DIGIT, _HALF_DIGIT)
        if cell.precision is not None:
            precision_is_off = _apart(_span(cell.precision, _HALF_DIGIT, _HALF_DIGIT), precision_range)
            cut = _precision_span(cell.recall, cell.negative, 0.0, 2 * _HALF_DIGIT)
            truncation_explains = precision_is_off and not _apart(_span(cell.precision, 0.0, 2 * _HALF_DIGIT), cut)
    return Check(f_recomputed, precision_range, f_is_off, precision_is_off, truncation_explains)


def inconsistent_cells() -> tuple[Cell, ...]:
    """Every cell of Tables 2, 4 and 7 whose F or P cannot come from the numbers beside it."""
    return tuple(cell for table in (2, 4, 7) for cell in published_cells(table) if check(cell).inconsistent)
