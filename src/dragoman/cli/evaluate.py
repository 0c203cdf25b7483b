"""`dragoman evaluate`: how good models are on labelled URLs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click


@click.command(short_help="How good models are on labelled URLs.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--model", "models", multiple=True, default=("default",), show_default=True, help="Name or path; repeatable."
)
@click.option("--column", default="url", show_default=True, help="Column with the URLs.")
@click.option("--label-column", default="lang", show_default=True, help="Column with the languages.")
@click.option("--languages", help="Judge these languages; rows of others are left out unless --open.")
@click.option("--open", "open_set", is_flag=True, help="Keep rows of languages that the model does not have.")
@click.option("--where", metavar="COLUMN=VALUE", help="Only rows with this value, e.g. half=judge.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for a report with plots.")
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
    URL. In two readings: one yes or no per language, and one answer per URL.
    """
    import numpy as np

    from dragoman.columns import ByteColumn
    from dragoman.errors import BadTable
    from dragoman.evaluate.judging import evaluate as judge
    from dragoman.evaluate.splits import number_sites, sites_of
    from dragoman.evaluate.strata import mixed_sites, strata
    from dragoman.identifiers.answer import choice
    from dragoman.identifiers.models import open_url_model
    from dragoman.report.evaluation import (
        confusion_table,
        evaluation_page,
        language_table,
        stratum_table,
        summary_table,
    )
    from dragoman.tables.labelled.reading import read_labelled

    labelled = read_labelled(file, column, label_column)
    for warning in labelled.warnings:
        click.echo(f"dragoman: {warning}", err=True)
    kept = np.array([label is not None for label in labelled.languages]) & _where(labelled.table, where)
    found: dict[str, dict[str, Any]] = {}
    for name in models:
        model = open_url_model(name)
        judged = choice(model, languages) or model.languages_
        place = {language: number for number, language in enumerate(judged)}
        truth = np.array([place.get(label, -1) for label in labelled.languages], np.int64)
        rows = np.flatnonzero(kept & ((truth >= 0) | open_set))
        if not np.any(truth[rows] >= 0):
            raise BadTable(f"'{file}' has no URL labelled with a language of '{name}': {', '.join(judged)}")
        if len(np.unique(truth[rows])) < 2:
            only = judged[truth[rows][0]]
            raise BadTable(f"'{file}' has URLs of '{only}' only; judging needs two languages or more (or --open)")
        urls = ByteColumn.of(labelled.urls).take(rows)
        sites = number_sites(labelled.sites[rows]) if labelled.sites is not None else sites_of(urls)
        unseen = None
        if "site_unseen" in labelled.table.column_names:
            unseen = labelled.table["site_unseen"].to_numpy()[rows].astype(bool)
        masks = strata(urls, unseen, mixed_sites(sites, truth[rows], sites))
        scores = model.scores(urls).restricted(judged)
        among = model.probabilities(urls)[:, [model.languages_.index(tag) for tag in judged]]
        with np.errstate(invalid="ignore", divide="ignore"):
            stated = among.max(axis=1) / among.sum(axis=1)
        found[name] = {
            reading: judge(scores, truth[rows], sites, reading, model.temperature_, masks, stated=stated)
            for reading in model.readings
        }
    if form == "json":
        plain = {name: {reading: one.to_json() for reading, one in by.items()} for name, by in found.items()}
        click.echo(json.dumps({"file": str(file), "models": plain}, indent=1))
    else:
        tables = [summary_table(found)] if len(found) > 1 else []
        for name, by_reading in found.items():
            named = name if len(found) > 1 else ""
            tables += [language_table(one, named) for one in by_reading.values()]
            tables += [confusion_table(by_reading["best"], named), stratum_table(by_reading, named)]
        click.echo("\n\n".join(table.to_text() for table in tables))
    if output is not None:
        for path in evaluation_page(found, file.name).save(output)[:2]:
            click.echo(str(path), err=True)


def _where(table: Any, where: str | None) -> Any:
    """The rows that a COLUMN=VALUE asks for."""
    import numpy as np

    from dragoman.errors import BadTable

    if where is None:
        return np.ones(table.num_rows, np.bool_)
    column, equals, value = where.partition("=")
    if not equals:
        raise click.UsageError(f"--where takes COLUMN=VALUE, not '{where}'")
    if column not in table.column_names:
        raise BadTable(f"--where: no column '{column}'; the file has {', '.join(table.column_names)}")
    return np.array([str(cell) == value for cell in table[column].to_pylist()])
