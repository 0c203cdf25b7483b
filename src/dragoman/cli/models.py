"""`dragoman models`: the models that are there."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from dragoman.errors import UnknownLanguage
from dragoman.languages import name as language_name
from dragoman.models import operating, quality, shelf


@click.command()
@click.argument("name", required=False, metavar="[NAME|PATH]")
@click.option("--detail", is_flag=True, help="Everything that is known, also how good it is at each language.")
@click.option("--algorithms", is_flag=True, help="The algorithms and feature sets that `dragoman train` knows.")
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
def models(name: str | None, detail: bool, algorithms: bool, format_: str) -> None:
    """The models that are there: languages, size, digest, quality.

    With a name or the path of a model file, that one only. A language is "supported" where 20 or more real URLs were
    there to judge it by, else "experimental".
    """
    if algorithms:
        click.echo("\n".join(_algorithms()))
        return
    found = [shelf.describe(one) for one in ([name] if name else shelf.names())]
    if format_ == "json":
        found = [one | {"by_language": quality.rows(one["notes"], one["languages"])} for one in found]
        click.echo(json.dumps(found[0] if name else found, ensure_ascii=False, indent=2))
    elif detail:
        click.echo("\n\n".join(_detail(one) for one in found))
    else:
        _summary(found)


def _algorithms() -> Iterator[str]:
    from dragoman.models.custom import CUSTOM, SELECTION
    from dragoman.models.registry import ALGORITHMS
    from dragoman.url.features import FEATURE_SETS

    yield "algorithms"
    yield from (f"  {name:<18} {kind.about}" for name, kind in ALGORITHMS.items())
    yield "feature sets"
    yield from (f"  {name:<18} {one.about}" for name, one in FEATURE_SETS.items())
    yield f"  {CUSTOM:<18} custom-made features: country codes, dictionaries, hyphens"
    yield f"  {SELECTION:<18} the three custom-made features per language that the URL paper kept"


def _summary(found: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("model", "algorithm", "features", "languages", "size", "digest", "quality"):
        table.add_column(heading, justify="right" if heading == "size" else "left", no_wrap=True)
    for one in found:
        table.add_row(
            one["name"],
            one["algorithm"],
            one["features"] or "-",
            _some(one["languages"]),
            _size(one["size"]),
            one["digest"][:12],
            _quality(one["notes"]),
        )
    # Into a pipe nothing is cut to the width of a terminal that is not there.
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


def _some(languages: list[str], most: int = 8) -> str:
    shown = ", ".join(languages[:most])
    return shown if len(languages) <= most else f"{len(languages)}: {shown}, ..."


def _size(size: int) -> str:
    if size == 0:
        return "-"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _quality(notes: dict[str, Any]) -> str:
    best = notes.get("held_out", {}).get("best")
    if best and best["macro_f"]:
        return f"F {best['macro_f']:.3f} on {best['rows']:,} held-out URLs"
    sets = [f"{name} {one['accuracy']:.3f}" for name, one in notes.get("judged", {}).items() if "accuracy" in one]
    return f"accuracy {', '.join(sets)}" if sets else "-"


def _detail(one: dict[str, Any]) -> str:
    lines = [f"{one['name']}: {one['about']}"]
    rows = {
        "algorithm": one["algorithm"],
        "features": one["features"] or "-",
        "parameters": json.dumps(one["parameters"], ensure_ascii=False),
        "file": one["file"] or "needs none",
        "size": _size(one["size"]),
        "digest": one["digest"],
        "temperature": f"{one['temperature']:g}",
        "languages": ", ".join(f"{tag} ({_named(tag)})" for tag in one["languages"]),
        **{key: value if isinstance(value, str) else json.dumps(value) for key, value in _other(one["notes"]).items()},
    }
    lines += [f"  {key:<12} {value}" for key, value in rows.items()]
    return "\n".join([*lines, *_by_language(one)])


def _other(notes: dict[str, Any]) -> dict[str, Any]:
    """The notes that have no table of their own."""
    return {key: value for key, value in notes.items() if key not in ("judged", "training_rows", operating.NOTES)}


def _by_language(one: dict[str, Any]) -> Iterator[str]:
    """Figures by test set, when it answers, then a line per language: what it was trained on and how good it is."""
    notes = one["notes"]
    for name, figures in notes.get("judged", {}).items():
        if name != "languages":
            yield f"  {name:<12} " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in figures.items())
    yield from _answering(notes.get(operating.NOTES) or {})
    rows = quality.rows(notes, one["languages"])
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
        yield from _legend(rows)


def _answering(measured: dict[str, Any]) -> Iterator[str]:
    """When the model answers, and how wrong it then is."""
    if answering := measured.get("answering"):
        yield (
            f"  {'threshold':<12} {answering['threshold']:.3f}: answers {answering['coverage']:.1%} of the URLs, "
            f"{answering['risk']:.1%} of the answers wrong"
        )
        for name, one in answering.get("sets", {}).items():
            yield f"  {'':<12} {name}: answers {one['coverage']:.1%}, {one['risk']:.1%} wrong"
    if points := measured.get("risk_coverage"):
        parts = (100, 95, 90, 80, 60)
        near = {part: min(points, key=lambda one: abs(one[1] - part / 100)) for part in parts}
        shown = ", ".join(f"{risk:.1%} of {coverage:.0%}" for _, coverage, risk in near.values())
        yield f"  {'wrong':<12} {shown} (the surest URLs)"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _status(row: dict[str, Any], curves: dict[str, Any]) -> str:
    marks = (
        [str(row["status"])] + ["WEAK"] * row["weak"] + ["points"] * ("threshold" in curves.get(row["language"], {}))
    )
    return ", ".join(marks)


def _legend(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What the words of the table mean."""
    kinds, few = [row["status"] for row in rows], quality.ENOUGH
    yield f"  {kinds.count(quality.SUPPORTED)} supported: {few} or more real URLs to judge them by"
    experimental = kinds.count(quality.EXPERIMENTAL)
    yield f"  {experimental} experimental: fewer; trained on some real URLs and made ones, so the figures say little"
    yield f"  WEAK: F under {quality.WEAK}, which a yes to every URL would reach"
    yield "  points: has operating points, as in dragoman url --language TAG --precision P"
    yield "  Precision and recall are those of the likeliest language, without a threshold"


def _named(tag: str) -> str:
    try:
        return language_name(tag)
    except UnknownLanguage:  # a model may have been trained on labels of one's own
        return "?"
