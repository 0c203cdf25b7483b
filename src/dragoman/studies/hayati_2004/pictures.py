"""The plots of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman import languages as names
from dragoman.languages import PRESETS
from dragoman.measures import Interval
from dragoman.report.html import Picture
from dragoman.report.plots import Series, confusion_matrices, line_plot
from dragoman.studies.hayati_2004.figures import HayatiFigures
from dragoman.studies.hayati_2004.plan import (
    BASE,
    COMMON,
    FOUR,
    NARROW,
    OUR_BASE,
    OUR_NFC,
    SELECTED,
    USUAL,
    Variant,
)
from dragoman.studies.intervals import spread
from dragoman.studies.text_draws import range_name


def _lines(
    x: Sequence[float],
    lines: Mapping[str, Sequence[Interval]],
    xlabel: str,
    ticks: Sequence[str],
    marked: Mapping[str, float] | None = None,
) -> bytes:
    """Accuracy against something, a line and a band for each method."""
    series = [Series.of(name, x, points, number) for number, (name, points) in enumerate(lines.items())]
    return line_plot(
        series,
        xlabel=xlabel,
        ylabel="right answers",
        size=(9.0, 4.2),
        ticks=dict(zip(x, ticks, strict=True)),
        log_x=True,
        percent=0,
        marked=marked,
    )


def by_length(figures: HayatiFigures) -> Picture:
    """How accuracy grows with length."""
    middles = [(low + high) / 2 for low, high in NARROW]
    lines = {variant.label: [spread(figures.accuracies(variant, lengths)) for lengths in NARROW] for variant in FOUR}
    image = _lines(middles, lines, "characters of the text", [range_name(lengths) for lengths in NARROW])
    return Picture(image, "Figure 1. Accuracy by length of the text, eleven languages; bands: lowest and highest draw.")


def by_common(figures: HayatiFigures) -> Picture:
    """How many n-grams a list needs."""
    x = [float(str(dict(variant.params)["common"])) for variant in COMMON]
    lines = {
        f"{range_name(lengths)} characters": [spread(figures.accuracies(variant, lengths)) for variant in COMMON]
        for lengths in (USUAL, (20, 100), (5, 24))
    }
    ticks = [f"{int(value):,}" for value in x]
    return Picture(
        _lines(x, lines, "C, the n-grams in a list", ticks, {"the paper": 399.0}),
        "Figure 2. Rank order with our choices by the number of n-grams in a list, eleven languages.",
    )


def by_selected(figures: HayatiFigures) -> Picture:
    """Fisher against frequency by number of features."""

    def chosen(prefix: str) -> list[Variant]:
        return [variant for variant in SELECTED if variant.name.rpartition("-m")[0] == prefix]

    x = [float(str(dict(variant.params)["selected"])) for variant in chosen("nfc")]
    lines = {
        label: [spread(figures.accuracies(variant, USUAL)) for variant in chosen(prefix)]
        for prefix, label in (
            ("nfc-ours", "our choices, Fisher"),
            ("nfc-ours-frequency", "our choices, frequency"),
            ("nfc", "NFC, Fisher"),
            ("nfc-frequency", "NFC, frequency"),
        )
    }
    return Picture(
        _lines(x, lines, "features selected", [f"{int(value):,}" for value in x], {"the paper": 1000.0}),
        "Figure 3. Fisher discriminant against plain frequency by the number of features, 20-200 characters.",
    )


def by_training(figures: HayatiFigures) -> Picture:
    """How much training text is needed."""
    x = [float(size) for size in figures.plan.sizes]
    lines = {
        variant.label: [spread(figures.accuracies(variant, USUAL, characters=int(size))) for size in x]
        for variant in FOUR
    }
    return Picture(
        _lines(x, lines, "training characters per language", [f"{int(value):,}" for value in x]),
        "Figure 4. Accuracy by training text, eleven languages, 20-200 characters.",
    )


def confusion(figures: HayatiFigures) -> Picture:
    """Who is taken for whom."""
    order = sorted(PRESETS["eleven"])
    matrices = {}
    for variant in (BASE, OUR_BASE, OUR_NFC):
        matrix = figures.confusion(variant)
        matrices[variant.label] = {
            names.name(tag): {
                names.name(other): 100 * float(matrix[row, column]) / max(1, int(matrix[row].sum()))
                for column, other in enumerate(order)
            }
            for row, tag in enumerate(order)
        }
    image = confusion_matrices(matrices, says="answer", of="language of the text")
    return Picture(image, "Figure 5. Who is taken for whom, in percent of each language's texts, 20-200 characters.")
