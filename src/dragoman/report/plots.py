"""Plots as SVG or PNG bytes: lines with bands, bars of theirs and ours, heat maps, and probabilities of URLs.

Every function returns the bytes of one picture; `image="png"` asks for PNG. matplotlib is imported at the
first plot, from the extra `plot`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.errors import UsageError
from dragoman.measures import Interval
from dragoman.report.canvas import (
    BLUE,
    GREY,
    INK,
    MARKERS,
    PALE,
    PALETTE,
    Image,
    canvas_of,
    drawable,
    floats,
    language_colour,
    percent_axis,
)

#: Longer names of languages are cut in heat maps.
_LONGEST_NAME = 20
#: Languages whose heat map can be read on a phone.
_MOST_NARROW = 7


@dataclass(frozen=True, slots=True)
class Series:
    """A line of points, with a band where it has bounds; hollow: single points, as published."""

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    colour: str = BLUE
    marker: str = "o"
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()
    hollow: bool = False

    @classmethod
    def of(cls, name: str, x: Sequence[float], points: Sequence[Interval], number: int = 0) -> Series:
        """Figures with their intervals as the band; the number of the series chooses colour and marker."""
        y, low, high = ([getattr(point, part) for point in points] for part in ("value", "low", "high"))
        return cls(name, x, y, PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)], low, high)

    def draw(self, axes: Any) -> None:
        """Draw it, under its name in the legend."""
        style: dict[str, Any] = {"color": self.colour, "marker": self.marker, "label": drawable(self.name)}
        if self.hollow:
            style |= {"linestyle": "none", "markerfacecolor": "white", "markersize": 8, "markeredgewidth": 1.8}
            axes.plot(self.x, floats(self.y), **style)
            return
        axes.plot(self.x, floats(self.y), markeredgecolor="white", **style)
        if self.low and self.high:
            axes.fill_between(self.x, floats(self.low), floats(self.high), color=self.colour, alpha=0.12, linewidth=0)


def draw_level(axes: Any, text: str, value: float) -> None:
    """A value drawn across, its name at the right end."""
    axes.axhline(value, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
    where = {"xycoords": ("axes fraction", "data"), "xytext": (-4, 3), "textcoords": "offset points"}
    axes.annotate(drawable(text), (1, value), ha="right", color="#555555", fontsize=9, **where)


def line_plot(
    series: Sequence[Series],
    *,
    xlabel: str,
    ylabel: str,
    title: str = "",
    size: tuple[float, float] = (7.2, 4.2),
    ticks: Mapping[float, str] | None = None,
    log_x: bool = False,
    percent: int | None = None,
    marked: Mapping[str, float] | None = None,
    between: tuple[float, float] | None = None,
    image: Image = "svg",
) -> bytes:
    """Lines over a setting or a size, with a legend where they are several.

    `percent`: y is a share, ticked in percent with so many digits. `marked` are places of x by what is said of them,
    `between` the ends of y.
    """
    with canvas_of(*size, image) as canvas:
        axes = canvas.axes
        for line in series:
            line.draw(axes)
        for text, x in (marked or {}).items():
            axes.axvline(x, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
            where = {"xycoords": ("data", "axes fraction"), "xytext": (4, 4), "textcoords": "offset points"}
            axes.annotate(drawable(text), (x, 0), color="#555555", fontsize=9, **where)
        if log_x:
            axes.set_xscale("log")
        if ticks:
            axes.set_xticks(list(ticks), list(ticks.values()))
            axes.set_xticks([], minor=True)
            axes.tick_params(axis="x", labelsize=10 if len(ticks) < 7 else 8.5)
        if percent is not None:
            percent_axis(axes.yaxis, percent)
        axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
        if between is not None:
            axes.set_ylim(*between)
        if len(series) > 1:
            canvas.figure.legend(loc="outside right upper")
    return canvas.data


def theirs_and_ours_bars(
    labels: Sequence[str],
    theirs: Sequence[float],
    ours: Sequence[Interval],
    *,
    ylabel: str,
    bottom: float = 0.0,
    image: Image = "svg",
) -> bytes:
    """Pairs of bars, the published number in grey and ours in blue with its interval.

    A `bottom` above 0 cuts the axis: the label then says so.
    """
    if not len(labels) == len(theirs) == len(ours):
        raise UsageError(f"Bars need one number per label: {len(labels)} labels, {len(theirs)} and {len(ours)} numbers")
    with canvas_of(max(4.5, 1.6 + 0.85 * len(labels)), 3.8, image) as canvas:
        axes = canvas.axes
        values, high = [figure.value for figure in ours], [figure.high for figure in ours]
        bars = ((-0.2, theirs, theirs, "#B5ADA3", "theirs"), (0.2, values, high, BLUE, "ours"))
        for offset, heights, tops, colour, name in bars:
            axes.bar([i + offset for i in range(len(labels))], heights, width=0.37, color=colour, label=name)
            for i, (height, top) in enumerate(zip(heights, tops, strict=True)):
                text, where = f"{height:.2f}".replace("0.", ".", 1), (i + offset, max(height, top))
                style = {"textcoords": "offset points", "ha": "center", "fontsize": 8.5}
                axes.annotate(text, where, xytext=(0, 2), **style)
        for i, figure in enumerate(ours):
            bounds = [[max(0.0, figure.value - figure.low)], [max(0.0, figure.high - figure.value)]]
            axes.errorbar([i + 0.2], [figure.value], yerr=bounds, color=INK, capsize=3, linewidth=1.2)
        axes.set_xticks(range(len(labels)), [drawable(label) for label in labels])
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="x", visible=False)
        cut = f" (axis starts at {bottom:g})" if bottom else ""
        axes.set(ylabel=ylabel + cut, ylim=(bottom, None))
        axes.margins(y=0.12)
        canvas.figure.legend(loc="outside lower center", ncols=2)
    return canvas.data


def confusion_matrices(
    matrices: Mapping[str, Mapping[str, Mapping[str, float]]],
    *,
    title: str = "",
    says: str = "classifier that says yes",
    of: str = "language of the URL",
    image: Image = "svg",
) -> bytes:
    """Heat maps side by side, one per name: matrix[language of the URL][classifier saying yes] in percent.

    The picture grows with the number of languages; names of columns that are wider than a cell stand upright.
    """
    if not matrices:
        raise UsageError("No confusion matrix was given; one or more are needed.")
    most, letters = 1, 1
    for matrix in matrices.values():
        columns = list(dict.fromkeys(column for row in matrix.values() for column in row))
        most = max(most, len(matrix), len(columns))
        letters = max([letters, *(len(drawable(name, _LONGEST_NAME)) for name in [*matrix, *columns])])
    side = max(2.6, 0.36 * most)  # inches of a heat map: a cell holds three digits
    upright = letters * 0.1 > side / most
    margin = 0.4 + 0.1 * letters
    height = side + 0.9 + (margin if upright else 0.4)
    wide = (side + margin + 0.4) * len(matrices)
    with canvas_of(wide, height, image, panels=len(matrices), phone=most <= _MOST_NARROW) as canvas:
        panels = canvas.axes if len(matrices) > 1 else [canvas.axes]
        for panel, (name, matrix) in zip(panels, matrices.items(), strict=True):
            rows = list(matrix)
            columns = list(dict.fromkeys(column for row in matrix.values() for column in row))
            grid = [[matrix[row].get(column, 0.0) for column in columns] for row in rows]
            panel.imshow(grid, cmap="Blues", vmin=0, vmax=115, aspect="equal")
            for i, row_values in enumerate(grid):
                for j, value in enumerate(row_values):
                    colour = "white" if value > 60 else INK
                    panel.text(j, i, f"{value:.0f}", ha="center", va="center", color=colour)
            turned = {"rotation": 90} if upright else {}
            panel.set_xticks(range(len(columns)), [drawable(name, _LONGEST_NAME) for name in columns], **turned)
            panel.set_yticks(range(len(rows)), [drawable(name, _LONGEST_NAME) for name in rows])
            panel.tick_params(length=0)
            panel.grid(visible=False)
            for spine in panel.spines.values():
                spine.set_visible(False)
            panel.set(xlabel=says, ylabel=of)
            panel.set_title(textwrap.fill(drawable(name), max(24, int(side * 9))))
        if title:
            canvas.figure.suptitle(title, fontweight="bold")
    return canvas.data


def probability_bars(
    urls: Sequence[str],
    probabilities: Sequence[Mapping[str, float]],
    *,
    top: int = 4,
    title: str = "",
    image: Image = "svg",
) -> bytes:
    """One bar of 100 % per URL, cut into its `top` likeliest languages and the rest in grey."""
    if len(urls) != len(probabilities):
        raise UsageError(
            f"{len(urls)} URLs with {len(probabilities)} rows of probabilities; the numbers must be equal."
        )
    best = [sorted(row.items(), key=lambda item: (-item[1], item[0]))[:top] for row in probabilities]
    with canvas_of(7.0, 0.9 + 0.62 * max(1, len(urls)), image) as canvas:
        axes = canvas.axes
        for i, (url, row) in enumerate(zip(urls, best, strict=True)):
            start = 0.0
            for language, probability in row:
                colour, ink = language_colour(language)
                axes.barh(i, probability, left=start, height=0.42, color=colour, edgecolor="white")
                if probability >= 0.07:
                    text = f"{language} {100 * probability:.0f} %" if probability >= 0.15 else language
                    middle = start + probability / 2
                    axes.text(middle, i, text, ha="center", va="center", color=ink, fontsize=9, weight="bold")
                start += probability
            axes.barh(i, max(0.0, 1 - start), left=start, height=0.42, color=PALE)
            axes.text(0, i - 0.28, drawable(url, 80), ha="left", va="bottom", fontsize=9)
        axes.set(xlim=(0, 1), ylim=(len(urls) - 0.6, -0.75), xlabel="probability", title=title)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y", visible=False)
        percent_axis(axes.xaxis)
    return canvas.data
