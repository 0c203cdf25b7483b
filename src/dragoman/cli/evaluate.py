"""`dragoman evaluate`: how good models are on labelled URLs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dragoman.cli import complete, options
from dragoman.errors import UnfitTable, UsageError, check_extra

#: What training and judging need.
TRAIN = ("pyarrow", "scipy", "sklearn", "tldextract", "wordfreq")


@click.command(short_help="How good models are on labelled URLs.")
@click.argument("file", type=options.PATH)
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("default",),
    show_default=True,
    help="Name or path; repeatable.",
    shell_complete=complete.models,
)
@options.url_column
@options.label_column
@options.chosen_languages("Judge these languages; rows of others are left out unless --open.")
@click.option("--open", "open_set", is_flag=True, help="Keep rows of languages that the model does not have.")
@click.option("--where", metavar="COLUMN=VALUE", help="Only rows with this value, e.g. half=judge.")
@options.table_or_json
@click.option("-o", "--output", type=options.FOLDER, help="Folder for a report with plots.")
def evaluate(
    file: Path,
    models: tuple[str, ...],
    column: str,
    label_column: str,
    languages: str | None,
    open_set: bool,
    where: str | None,
    form: str,
    output: Path | None,
) -> None:
    """Judge models on FILE (Parquet, CSV, TSV or JSONL with a URL and a language per row).

    For each language: P for a balanced test, R, p(-|-), F, ordinary precision; the confusion matrix; mean F by kind of
    URL. In two readings: one yes or no per language, and one answer per URL. Of several models the first is compared
    with each of the others: the difference with its interval, and the rows on which they disagree (all of them in
    disagreements-*.csv with -o). Version, digests, command and date say what was measured.
    """
    check_extra("train", *TRAIN)
    if output is not None:
        check_extra("plot", "matplotlib")
    if where is not None and "=" not in where:
        raise UsageError(f"--where takes COLUMN=VALUE, not '{where}'")
    from dragoman.evaluate.comparing import compare, judge_model
    from dragoman.identifiers.models import open_url_model
    from dragoman.report.comparison import (
        about_table,
        comparison_table,
        disagreement_table,
        provenance,
        write_disagreements,
    )
    from dragoman.report.evaluation import (
        confusion_table,
        evaluation_page,
        language_table,
        stratum_table,
        summary_table,
    )
    from dragoman.tables.labelled.reading import read_labelled

    opened = {name: open_url_model(name) for name in models}
    labelled = read_labelled(file, column, label_column)
    for warning in labelled.warnings:
        click.echo(f"dragoman: {warning}", err=True)
    wanted_rows = _labelled_rows(labelled, where)
    judged = {
        name: judge_model(model, name, labelled, wanted_rows, str(file), languages, open_set)
        for name, model in opened.items()
    }
    readings = {name: by.readings for name, by in judged.items()}
    (first, by_first), *others = judged.items()
    compared = [
        comparison
        for other, by_other in others
        if (comparison := compare(labelled, (first, by_first), (other, by_other)))
    ]
    about = provenance(file, models, click.get_current_context().meta.get("command", "dragoman evaluate"))
    if form == "json":
        plain: dict[str, Any] = {
            name: {reading: evaluation.to_json() for reading, evaluation in by.items()} for name, by in readings.items()
        }
        comparisons = [comparison.to_json() for comparison in compared]
        click.echo(json.dumps({"file": str(file), "about": about, "models": plain, "compared": comparisons}, indent=1))
    else:
        tables = [summary_table(readings)] if len(readings) > 1 else []
        tables += [comparison_table(compared)] if compared else []
        tables += [disagreement_table(comparison) for comparison in compared if comparison.disagreements]
        for name, by_reading in readings.items():
            named = name if len(readings) > 1 else ""
            tables += [language_table(evaluation, named) for evaluation in by_reading.values()]
            tables += [confusion_table(by_reading["best"], named), stratum_table(by_reading, named)]
        click.echo("\n\n".join(table.to_text() for table in [*tables, about_table(about)]))
    if output is not None:
        for path in evaluation_page(readings, file.name, compared, about).save(output)[:2]:
            click.echo(str(path), err=True)
        for comparison in compared:
            click.echo(str(write_disagreements(comparison, output)), err=True)


def _labelled_rows(labelled: Any, where: str | None) -> Any:
    """The rows that have a language and that a COLUMN=VALUE asks for."""
    import numpy as np

    rows = np.array([label is not None for label in labelled.languages])
    if where is None:
        return rows
    column, _, value = where.partition("=")
    if column not in labelled.table.column_names:
        raise UnfitTable(f"--where: no column '{column}'; the file has {', '.join(labelled.table.column_names)}")
    return rows & np.array([str(cell) == value for cell in labelled.table[column].to_pylist()])
