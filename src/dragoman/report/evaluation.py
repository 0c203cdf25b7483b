"""An evaluation becomes tables and a page for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dragoman import languages as tables
from dragoman.evaluate.comparing import Comparison
from dragoman.evaluate.judging import Evaluation
from dragoman.report import plots
from dragoman.report.comparison import READINGS, about_table, comparison_table, disagreement_table
from dragoman.report.html import Part, Picture, ReportPage, Section
from dragoman.report.tables import CellValue, Column, Table

#: Of a model with many languages, a confusion matrix shows the most frequent ones.
MOST_SHOWN = 20


def present(evaluation: Evaluation, most: int | None = None) -> list[int]:
    """The columns of the languages that have a judged URL (all, where the model has few), at most the most frequent."""
    counts = [judgement.positives for judgement in evaluation.judgements]
    columns = [n for n, count in enumerate(counts) if count or len(counts) <= MOST_SHOWN]
    if most is not None and len(columns) > most:
        columns = sorted(sorted(columns, key=lambda n: -counts[n])[:most])
    return columns


def language_table(evaluation: Evaluation, model: str = "") -> Table:
    """P, R, p(-|-), F and ordinary precision of every language; `model` heads the title, here and below."""
    figures = ("precision", "recall", "negative_success", "f", "ordinary_precision")
    rows = [
        [
            language,
            tables.name(language),
            judgement.positives,
            *(_number(getattr(judgement, figure)) for figure in figures),
        ]
        for language, judgement in ((evaluation.languages[n], evaluation.judgements[n]) for n in present(evaluation))
    ]
    columns = [Column("", "text"), Column("Language", "text"), Column("n", "count")]
    columns += [Column(name, digits=3) for name in ("P", "R", "p(-|-)", "F", "ordinary precision")]
    f = evaluation.macro_f
    note = (
        f"Mean F {f.value:.3f} [{f.low:.3f}, {f.high:.3f}] (95 %, by sites), accuracy {evaluation.accuracy:.3f}, "
        f"calibration error {evaluation.calibration_error:.3f}, {evaluation.rows:,} URLs. P and F are for a balanced "
        "test: accepting everything gives F .667."
    )
    return Table(_title(f"Quality, {READINGS[evaluation.reading]}", model), columns, rows, note)


def stratum_table(readings: Mapping[str, Evaluation], model: str = "") -> Table:
    """Mean F by kind of URL, one column per reading."""
    first = next(iter(readings.values()))
    rows = [
        [name, part, n, *(_number(evaluation.by_stratum[name][part][1]) for evaluation in readings.values())]
        for name, parts in first.by_stratum.items()
        for part, (n, _) in parts.items()
    ]
    columns = [Column("Stratum", "group"), Column("", "text"), Column("n", "count")]
    columns += [Column(f"F, {READINGS[reading]}", digits=3) for reading in readings]
    return Table(_title("Mean F by kind of URL", model), columns, rows)


def confusion_table(evaluation: Evaluation, model: str = "") -> Table:
    """Share of the URLs of a language (row) to which the classifier (column) says yes."""
    shown = present(evaluation, MOST_SHOWN)
    rows = [[evaluation.languages[n], *(_number(evaluation.confusion[n, m]) for m in shown)] for n in shown]
    columns = [Column("URLs of", "text"), *(Column(evaluation.languages[n], "percent", 1) for n in shown)]
    title = _title(f"Confusion, {READINGS[evaluation.reading]}", model)
    left = len(evaluation.languages) - len(shown)
    note = "Rows need not sum to 100 %." + (f" {left} languages with fewer or no URLs are left out." if left else "")
    return Table(title, columns, rows, note)


def summary_table(readings: Mapping[str, Mapping[str, Evaluation]]) -> Table:
    """One line per model and reading."""
    rows: list[list[CellValue]] = [
        [model, READINGS[reading], evaluation.rows, evaluation.macro_f, evaluation.accuracy]
        for model, by_reading in readings.items()
        for reading, evaluation in by_reading.items()
    ]
    columns = [Column("Model", "group"), Column("Reading", "text"), Column("URLs", "count")]
    return Table("Models", [*columns, Column("mean F", digits=3), Column("accuracy", digits=3)], rows)


def evaluation_page(
    readings: Mapping[str, Mapping[str, Evaluation]],
    source: str,
    compared: Sequence[Comparison],
    about: Mapping[str, Any],
) -> ReportPage:
    """Everything about every model on one set of URLs, and where the figures come from."""
    sections = [Section("Models", [summary_table(readings)])]
    if compared:
        tables = [disagreement_table(comparison) for comparison in compared if comparison.disagreements]
        sections.append(Section("Compared", [comparison_table(compared), *tables]))
    for model, by_reading in readings.items():
        named = model if len(readings) > 1 else ""  # the tables of one model need no name
        parts: list[Part] = []
        for evaluation in by_reading.values():
            parts += [language_table(evaluation, named), confusion_table(evaluation, named)]
            if len(evaluation.languages) <= 20:
                matrix = {
                    row: dict(zip(evaluation.languages, (np.nan_to_num(100 * np.array(values))).tolist(), strict=True))
                    for row, values in zip(evaluation.languages, evaluation.confusion.tolist(), strict=True)
                }
                picture = plots.confusion_matrices({_title(READINGS[evaluation.reading], named): matrix})
                parts.append(Picture(picture, f"Confusion of {model}, {READINGS[evaluation.reading]}, percent."))
        sections.append(Section(model, [*parts, stratum_table(by_reading, named)]))
    sections.append(Section("What was measured", [about_table(about)]))
    return ReportPage(f"Evaluation on {source}", sections)


def _title(text: str, model: str) -> str:
    return f"{model}: {text}" if model else text


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
