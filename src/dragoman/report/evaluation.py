"""An evaluation becomes tables and a page for people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dragoman import languages as tables
from dragoman.evaluate.judging import Evaluation
from dragoman.report import plots
from dragoman.report.html import Page, Part, Picture, Section
from dragoman.report.tables import CellValue, Column, Interval, Table

READINGS = {"binary": "one yes or no per language", "best": "one answer per URL"}


def language_table(evaluation: Evaluation) -> Table:
    """P, R, p(-|-), F and ordinary precision of every language."""
    rows = [
        [
            language,
            tables.name(language),
            one.positives,
            *(_number(value) for value in (one.precision, one.recall, one.negative_success, one.f)),
            _number(one.ordinary_precision),
        ]
        for language, one in zip(evaluation.languages, evaluation.judgements, strict=True)
    ]
    columns = [Column("", "text"), Column("Language", "text"), Column("n", "count")]
    columns += [Column(name, digits=3) for name in ("P", "R", "p(-|-)", "F", "ordinary precision")]
    f = evaluation.macro_f
    note = (
        f"Mean F {f.value:.3f} [{f.low:.3f}, {f.high:.3f}] (95 %, by sites), accuracy {evaluation.accuracy:.3f}, "
        f"calibration error {evaluation.calibration_error:.3f}, {evaluation.rows:,} URLs. P and F are for a balanced "
        "test: accepting everything gives F .667."
    )
    return Table(f"Quality, {READINGS[evaluation.reading]}", columns, rows, note)


def stratum_table(readings: Mapping[str, Evaluation]) -> Table:
    """Mean F by kind of URL, one column per reading."""
    first = next(iter(readings.values()))
    rows = [
        [name, part, n, *(_number(one.by_stratum[name][part][1]) for one in readings.values())]
        for name, parts in first.by_stratum.items()
        for part, (n, _) in parts.items()
    ]
    columns = [Column("Stratum", "group"), Column("", "text"), Column("n", "count")]
    columns += [Column(f"F, {READINGS[reading]}", digits=3) for reading in readings]
    return Table("Mean F by kind of URL", columns, rows)


def confusion_table(evaluation: Evaluation) -> Table:
    """Share of the URLs of a language (row) to which the classifier (column) says yes."""
    rows = [
        [language, *(_number(cell) for cell in row)]
        for language, row in zip(evaluation.languages, evaluation.confusion.tolist(), strict=True)
    ]
    columns = [Column("URLs of", "text"), *(Column(language, "percent", 1) for language in evaluation.languages)]
    return Table(f"Confusion, {READINGS[evaluation.reading]}", columns, rows, "Rows need not sum to 100 %.")


def summary_table(readings: Mapping[str, Mapping[str, Evaluation]]) -> Table:
    """One line per model and reading."""
    rows: list[list[CellValue]] = [
        [
            model,
            READINGS[reading],
            one.rows,
            Interval(one.macro_f.value, one.macro_f.low, one.macro_f.high),
            one.accuracy,
        ]
        for model, by_reading in readings.items()
        for reading, one in by_reading.items()
    ]
    columns = [Column("Model", "group"), Column("Reading", "text"), Column("URLs", "count")]
    return Table("Models", [*columns, Column("mean F", digits=3), Column("accuracy", digits=3)], rows)


def evaluation_page(readings: Mapping[str, Mapping[str, Evaluation]], source: str) -> Page:
    """Everything about every model on one set of URLs."""
    sections = [Section("Models", [summary_table(readings)])]
    for model, by_reading in readings.items():
        parts: list[Part] = []
        for one in by_reading.values():
            parts += [language_table(one), confusion_table(one)]
            if len(one.languages) <= 20:
                matrix = {
                    row: dict(zip(one.languages, (np.nan_to_num(100 * np.array(values))).tolist(), strict=True))
                    for row, values in zip(one.languages, one.confusion.tolist(), strict=True)
                }
                picture = plots.confusion_matrices({READINGS[one.reading]: matrix})
                parts.append(Picture(picture, f"Confusion of {model}, {READINGS[one.reading]}, percent."))
        sections.append(Section(model, [*parts, stratum_table(by_reading)]))
    return Page(f"Evaluation on {source}", sections)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
