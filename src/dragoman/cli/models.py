"""`dragoman models`: the models that are there."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from dragoman.cli import complete
from dragoman.errors import BadModel, UnknownLanguage
from dragoman.identifiers import models as shelf
from dragoman.identifiers import operating, quality
from dragoman.languages import name as language_name


@click.command()
@click.argument("name", required=False, metavar="[NAME|PATH]", shell_complete=complete.models)
@click.option("--detail", is_flag=True, help="Everything that is known, also how good it is at each language.")
@click.option("--algorithms", is_flag=True, help="The algorithms and feature sets that `dragoman train` knows.")
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
def models(name: str | None, detail: bool, algorithms: bool, format_: str) -> None:
    """The models that are there: languages, size, digest, quality.

    With a name or the path of a model file, that one only. A language is "supported" where 20 or more real URLs were
    there to judge it by, else "experimental".
    """
    if algorithms:
        known = _algorithms()
        click.echo(json.dumps(known, indent=2) if format_ == "json" else "\n".join(_listed(known)))
        return
    described = [shelf.describe(name)] if name else _all()
    if format_ == "json":
        described = [model | {"by_language": quality.rows(model["notes"], model["languages"])} for model in described]
        click.echo(json.dumps(described[0] if name else described, ensure_ascii=False, indent=2))
    elif detail:
        click.echo("\n\n".join(_detail(model) for model in described))
    else:
        _summary(described)


def _all() -> list[dict[str, Any]]:
    """Every model that opens; one that does not is named, and hides none of the others."""
    described = []
    for name in shelf.names():
        try:
            described.append(shelf.describe(name))
        except BadModel as error:
            click.echo(f"dragoman: {error}", err=True)
    return described


def _algorithms() -> dict[str, dict[str, str]]:
    from dragoman.identifiers.algorithms import ALGORITHMS
    from dragoman.identifiers.url.features import FEATURE_SETS

    return {
        "algorithms": {name: ALGORITHMS.about(name) for name in ALGORITHMS},
        "feature sets": {name: FEATURE_SETS.about(name) for name in FEATURE_SETS},
    }


def _listed(known: dict[str, dict[str, str]]) -> Iterator[str]:
    for kind, named in known.items():
        yield kind
        yield from (f"  {name:<18} {about}" for name, about in named.items())


def _summary(described: list[dict[str, Any]]) -> None:
    # Into a pipe every model has one line, however long.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo("\n".join(_table(described, width)))


def _table(described: list[dict[str, Any]], width: int | None) -> Iterator[str]:
    """A line per model; where that is too narrow, its quality follows in a line of its own. Nothing is ever cut."""
    rows = [("model", "languages", "size", "digest", "algorithm", "features", "quality")]
    for model in described:
        counted, size = f"{len(model['languages'])}", _size(model["size"])
        method = model["algorithm"], model["features"] or "-"
        rows.append((model["name"], counted, size, model["digest"][:12], *method, _quality(model["notes"])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    apart = width is not None and sum(widths) + 2 * len(widths) - 2 > width
    for row in rows:
        # Numbers stand to the right.
        cells = [
            f"{cell:>{size}}" if 0 < n < 3 else f"{cell:<{size}}"
            for n, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells[:-1] if apart else cells).rstrip()
        if apart and row is not rows[0] and row[-1] != "-":
            yield from textwrap.wrap(row[-1], max(width or 0, 40), initial_indent="    ", subsequent_indent="    ")


def _size(size: int) -> str:
    if size == 0:
        return "-"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _quality(notes: dict[str, Any]) -> str:
    best = notes.get("held_out", {}).get("best")
    if best and best["macro_f"]:
        return f"F {best['macro_f']:.3f} on {best['rows']:,} held-out URLs"
    sets = [
        f"{name} {figures['accuracy']:.3f}"
        for name, figures in notes.get("judged", {}).items()
        # a model of texts is judged at many lengths: the usual one here, all with --detail
        if "accuracy" in figures and ("," not in name or name.endswith(", 20-200 characters"))
    ]
    return f"accuracy {', '.join(sets)}" if sets else "-"


def _detail(model: dict[str, Any]) -> str:
    lines = [f"{model['name']}: {model['about']}"]
    rows = {
        "algorithm": model["algorithm"],
        "features": model["features"] or "-",
        "parameters": json.dumps(model["parameters"], ensure_ascii=False),
        "file": model["file"] or "needs none",
        "size": _size(model["size"]),
        "digest": model["digest"],
        "temperature": f"{model['temperature']:g}",
        "languages": ", ".join(f"{tag} ({_named(tag)})" for tag in model["languages"]),
        **{
            key: value if isinstance(value, str) else json.dumps(value) for key, value in _other(model["notes"]).items()
        },
    }
    lines += [f"  {key:<12} {value}" for key, value in rows.items()]
    return "\n".join([*lines, *_by_language(model)])


def _other(notes: dict[str, Any]) -> dict[str, Any]:
    """The notes that have no table of their own."""
    return {key: value for key, value in notes.items() if key not in ("judged", "training_rows", operating.NOTES)}


def _by_language(model: dict[str, Any]) -> Iterator[str]:
    """Figures by test set, when it answers, then a line per language: what it was trained on and how good it is."""
    notes = model["notes"]
    for name, figures in notes.get("judged", {}).items():
        if name != "languages":
            yield f"  {name:<12} " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in figures.items())
    yield from _answering(notes.get(operating.NOTES) or {})
    rows = quality.rows(notes, model["languages"])
    if rows:
        curves = (notes.get(operating.NOTES) or {}).get("languages", {})
        heading = f"{'trained on':>10} {'judged on':>10} {'F':>6} {'precision':>9} {'recall':>6}"
        yield ""
        yield f"  {'':<4} {'language':<22} {heading}  status"
        for row in rows:
            shares = f"{_share(row['f']):>6} {_share(row['precision']):>9} {_share(row['recall']):>6}"
            counts = f"{row['trained_on']:>10,} {row['judged_on']:>10,}"
            yield f"  {row['language']:<4} {_named(row['language']):<22} {counts} {shares}  {_status(row, curves)}"
        yield ""
        yield from _legend(rows, curves, _noun(model["algorithm"]))


def _answering(measured: dict[str, Any]) -> Iterator[str]:
    """When the model answers, and how wrong it then is."""
    if answering := measured.get("answering"):
        yield f"  {'threshold':<12} {answering['threshold']:.3f}" + (
            f": answers {answering['coverage']:.1%} of the URLs, {answering['risk']:.1%} of the answers wrong"
            if "coverage" in answering  # a model of texts tells the threshold alone
            else ""
        )
        for name, figures in answering.get("sets", {}).items():
            yield f"  {'':<12} {name}: answers {figures['coverage']:.1%}, {figures['risk']:.1%} wrong"
    if points := measured.get("risk_coverage"):
        parts = (100, 95, 90, 80, 60)
        near = {part: min(points, key=lambda point: abs(point[1] - part / 100)) for part in parts}
        shown = ", ".join(f"{risk:.1%} of {coverage:.0%}" for _, coverage, risk in near.values())
        yield f"  {'wrong':<12} {shown} (the surest URLs)"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _status(row: dict[str, Any], curves: dict[str, Any]) -> str:
    marks = (
        [str(row["status"])] + ["WEAK"] * row["weak"] + ["points"] * ("threshold" in curves.get(row["language"], {}))
    )
    return ", ".join(marks)


def _noun(algorithm: str) -> str:
    from dragoman.identifiers.algorithms import ALGORITHMS

    return "texts" if algorithm in ALGORITHMS and ALGORITHMS.reads(algorithm) == "text" else "URLs"


def _legend(rows: list[dict[str, Any]], curves: dict[str, Any], noun: str) -> Iterator[str]:
    """What the columns and words of the table mean; words that do not occur are left out."""
    kinds, few = [row["status"] for row in rows], quality.ENOUGH
    yield (
        f"  columns: real {noun} in the language to train on and to judge by; F, precision and recall of the likeliest "
        "language, without a threshold"
    )
    yield f"  {kinds.count(quality.SUPPORTED)} supported: {few} or more real {noun} to judge them by"
    if experimental := kinds.count(quality.EXPERIMENTAL):
        made = f"trained on a few real {noun} and made ones"
        yield f"  {experimental} experimental: fewer; {made}; the figures say little"
    if weak := sum(row["weak"] for row in rows):
        yield f"  {weak} WEAK: supported, but F is under {quality.WEAK}, which a yes to every {noun[:-1]} would reach"
    if any("threshold" in curve for curve in curves.values()):
        yield "  points: has operating points, as in dragoman url --language TAG --precision P"


def _named(tag: str) -> str:
    try:
        return language_name(tag)
    except UnknownLanguage:  # a model may have been trained on labels of one's own
        return "?"
