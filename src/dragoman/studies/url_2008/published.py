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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any

from dragoman.errors import UnknownName
from dragoman.identifiers.url.algorithms.combined import Rule
from dragoman.languages import FIVE
from dragoman.measures import f_measure
from dragoman.studies.published import published_figures

F_TOLERANCE = 0.015
_HALF_DIGIT = 0.005
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class PublishedCell:
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
class TextFigure:
    """One number of the running text, and where it stands."""

    name: str
    value: float
    where: str
    note: str | None = None


#: Our names of the numbers that the tables print under letters.
_NUMBERS = {"P": "precision", "R": "recall", "N": "negative", "F": "f"}


def _document() -> dict[str, Any]:
    return published_figures(__package__)


def _known(kind: str, name: str, entries: Mapping[str, Any]) -> Any:
    if name not in entries:
        raise UnknownName(kind, name, entries)
    return entries[name]


@cache
def published_cells(table: int) -> tuple[PublishedCell, ...]:
    """The cells of Table 2, 4, 7, 8, 9 or 10, in the paper's order."""
    tables = {name: entry["rows"] for name, entry in _document()["tables"].items() if name != "1" and "rows" in entry}
    rows = _known("table of results", str(table), tables)
    return tuple(PublishedCell(table, **{_NUMBERS.get(key, key): row[key] for key in row}) for row in rows)


@cache
def _index(table: int) -> Mapping[tuple[str, str, str, str | None, str | None], PublishedCell]:
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
) -> PublishedCell | None:
    """The cell with that place in that table, or None where the paper has none.

    ccTLD+ differs from ccTLD for English alone: for the other languages Table 4 answers with the ccTLD cell.
    """
    index = _index(table)
    cell = index.get((test_set, language, algorithm, features, training))
    if cell is None and algorithm == "cctld-plus":
        plain = index.get((test_set, language, "cctld", features, training))
        return None if plain is None else replace(plain, algorithm=algorithm)
    return cell


def published_macro_f(table: int, test_set: str, algorithm: str, features: str | None = None) -> float | None:
    """The mean of the printed F over the five languages, or None when any of the five is missing.

    Printed F that are inconsistent take part: this is the paper's number, not a mended one.
    """
    cells = [published_cell(table, test_set, language, algorithm, features) for language in FIVE]
    values = [cell.f for cell in cells if cell is not None and cell.f is not None]
    return round(fmean(values), 4) if len(values) == len(FIVE) else None


def published_sizes() -> dict[tuple[str, str], tuple[int, int]]:
    """Table 1: (training, test) URLs of each set and language."""
    rows = _document()["tables"]["1"]["rows"]
    return {(row["test_set"], row["language"]): (row["training"], row["test"]) for row in rows}


def published_confusion(table: int, algorithm: str) -> dict[str, dict[str, int]]:
    """Table 3, 5 or 6 in percent: matrix[language of the URL][classifier that said yes]."""
    tables = {name: entry["matrices"] for name, entry in _document()["tables"].items() if "matrices" in entry}
    matrices = _known("table of confusion", str(table), tables)
    matrix: dict[str, dict[str, int]] = _known(f"algorithm of Table {table}", algorithm, matrices)
    return matrix


def published_pairs() -> dict[str, Rule]:
    """The paper's best combination for each language (Section 5.6)."""

    def name(member: Mapping[str, str]) -> str:
        return f"{member['algorithm']}:{member['features']}"

    pairs = _document()["best_pairs"]
    return {pair["language"]: Rule(name(pair["first"]), name(pair["second"]), pair["mode"]) for pair in pairs}


def published_figure(name: str) -> TextFigure:
    """The number of the running text with that name, such as "correlation-judges"."""
    return TextFigure(name, **_known("published figure", name, _document()["text"]))


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


def _apart(first: tuple[float, float], other: tuple[float, float]) -> bool:
    return first[0] > other[1] + _EPSILON or other[0] > first[1] + _EPSILON


def check(cell: PublishedCell) -> Check:
    """What the cell's own numbers say about its F and P.

    F is off when it differs from 2/(1/R + 1/P) by more than .015. P is off when no R and p(-|-) that round to
    the printed ones give a P that rounds to the printed one: intervals of half a unit in the second digit are
    carried through P = R/(R + 1 - p(-|-)) and compared.
    """
    f_recomputed: float | None = None
    f_is_off = False
    if cell.precision is not None and cell.recall is not None:
        f_recomputed = f_measure(cell.precision, cell.recall)
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


def inconsistent_cells() -> tuple[PublishedCell, ...]:
    """Every cell of Tables 2, 4 and 7 whose F or P cannot come from the numbers beside it."""
    return tuple(cell for table in (2, 4, 7) for cell in published_cells(table) if check(cell).inconsistent)
