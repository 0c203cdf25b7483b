"""The plots of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman import languages as names
from dragoman.languages import PRESETS
from dragoman.measures import Interval
from dragoman.report.canvas import GREY, PALETTE, canvas_of, percent_axis
from dragoman.report.html import Picture
from dragoman.report.plots import confusion_matrices
from dragoman.studies.hayati_2004.figures import Figures, spread
from dragoman.studies.hayati_2004.plan import (
    BASE,
    COMMON,
    NARROW,
    NFC,
    OUR_BASE,
    OUR_NFC,
    SELECTED,
    USUAL,
    Variant,
    range_name,
)

_FOUR = (BASE, OUR_BASE, NFC, OUR_NFC)
_MARKERS = "os^DvP"


def _lines(
    x: Sequence[float],
    lines: Mapping[str, Sequence[Interval]],
    xlabel: str,
    ticks: Sequence[str] = (),
    chosen: Mapping[str, float] | None = None,
) -> bytes:
    """Accuracy against something, a line and a band for each method."""
    with canvas_of(7.2, 4.2, "svg") as canvas:
        axes = canvas.axes
        for number, (name, points) in enumerate(lines.items()):
            colour = PALETTE[number % len(PALETTE)]
            values = [point.value for point in points]
            axes.plot(x, values, color=colour, marker=_MARKERS[number % 6], markeredgecolor="white", label=name)
            low, high = [point.low for point in points], [point.high for point in points]
            axes.fill_between(x, low, high, color=colour, alpha=0.14, linewidth=0)
        for text, place in (chosen or {}).items():
            axes.axvline(place, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
            axes.annotate(
                text,
                (place, 0),
                xycoords=("data", "axes fraction"),
                xytext=(4, 4),
                textcoords="offset points",
                color="#555555",
                fontsize=9,
            )
        axes.set_xscale("log")
        if ticks:
            axes.set_xticks(list(x), list(ticks))
            axes.set_xticks([], minor=True)
            axes.tick_params(axis="x", labelsize=8.5)
        percent_axis(axes.yaxis)
        axes.set(xlabel=xlabel, ylabel="right answers")
        axes.legend(loc="lower right")
    return canvas.data


def by_length(figures: Figures) -> Picture:
    """How accuracy grows with length."""
    middles = [(low + high) / 2 for low, high in NARROW]
    lines = {variant.label: [spread(figures.accuracy(variant, lengths)) for lengths in NARROW] for variant in _FOUR}
    image = _lines(middles, lines, "characters of the text", [range_name(lengths) for lengths in NARROW])
    return Picture(image, "Figure 1. Accuracy by length of the text, eleven languages; bands: lowest and highest draw.")


def by_common(figures: Figures) -> Picture:
    """How many n-grams a list needs."""
    x = [float(str(dict(variant.params)["common"])) for variant in COMMON]
    lines = {
        f"{range_name(lengths)} characters": [spread(figures.accuracy(variant, lengths)) for variant in COMMON]
        for lengths in (USUAL, (20, 100), (5, 24))
    }
    ticks = [f"{int(value):,}" for value in x]
    return Picture(
        _lines(x, lines, "C, the n-grams in a list", ticks, {"the paper": 399.0}),
        "Figure 2. Rank order with our choices by the number of n-grams in a list, eleven languages.",
    )


def by_selected(figures: Figures) -> Picture:
    """Fisher against frequency by number of features."""

    def chosen(prefix: str) -> list[Variant]:
        return [variant for variant in SELECTED if variant.name.rpartition("-m")[0] == prefix]

    x = [float(str(dict(variant.params)["selected"])) for variant in chosen("nfc")]
    lines = {
        label: [spread(figures.accuracy(variant, USUAL)) for variant in chosen(prefix)]
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


def by_training(figures: Figures) -> Picture:
    """How much training text is needed."""
    x = [float(size) for size in figures.study.plan.sizes]
    lines = {
        variant.label: [spread(figures.accuracy(variant, USUAL, characters=int(size))) for size in x]
        for variant in _FOUR
    }
    return Picture(
        _lines(x, lines, "training characters per language", [f"{int(value):,}" for value in x]),
        "Figure 4. Accuracy by training text, eleven languages, 20-200 characters.",
    )


def confusion(figures: Figures) -> Picture:
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
