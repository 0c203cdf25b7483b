"""Plots of crawls: one line per strategy over pages or distance, as in Figures 4 to 8 of the 2007 paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.report.canvas import (
    BLUE,
    GREEN,
    GREY,
    INK,
    MARKERS,
    ORANGE,
    PALETTE,
    PURPLE,
    SKY,
    VERMILION,
    Image,
    canvas_of,
    drawable,
    percent_axis,
)

#: Strategies keep their colours in every plot; other tolerances of one strategy are dashed.
COLOURS = {
    "scout": VERMILION,
    "conservative-server": BLUE,
    "aggressive-server": SKY,
    "conservative-directory": PURPLE,
    "hard-focused": ORANGE,
    "soft-focused": GREEN,
    "bfs": GREY,
    "lately": GREY,
    "linguacrawl": "#B8A000",
    "trafilatura": "#882255",
    "perfect": INK,
    "perfect-fewest": "#7F5F3F",
}
_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (2, 1.5)), (0, (1, 1)))


@dataclass(frozen=True, eq=False)
class Line:
    """A strategy's line: a name for the key, the strategy that gives its colour, and its points."""

    name: str
    strategy: str
    x: NDArray[Any]
    y: NDArray[Any]


def crawl_lines(
    lines: Sequence[Line],
    *,
    xlabel: str,
    ylabel: str,
    title: str = "",
    shares: bool = False,
    ends: bool = True,
    bands: Mapping[str, tuple[NDArray[Any], NDArray[Any]]] | None = None,
    level: tuple[float, str] | None = None,
    widest: float | None = None,
    highest: float | None = None,
    image: Image = "svg",
) -> bytes:
    """Lines over pages or distance; a mark at the right end shows where a crawl ended.

    Each line has a marker of its own, set where the others have none, so that lines which cover each other are told
    apart.

    `bands` are (low, high) by name of a line, `level` a published value drawn across, `widest` and `highest` ends of
    the axes: what goes beyond is cut off.
    """
    dashes: dict[str, int] = {}
    with canvas_of(7.6, 4.4, image) as canvas:
        axes = canvas.axes
        for number, line in enumerate(lines):
            style = _DASHES[dashes.get(line.strategy, 0) % len(_DASHES)]
            dashes[line.strategy] = dashes.get(line.strategy, 0) + 1
            colour = COLOURS.get(line.strategy, PALETTE[number % len(PALETTE)])
            width = 2.6 if line.strategy == "scout" else 1.6
            axes.plot(
                line.x, line.y, color=colour, linestyle=style, linewidth=width, label=drawable(line.name),
                marker=MARKERS[number % len(MARKERS)], markersize=4.5, markeredgecolor="white", markeredgewidth=0.5,
                markevery=_marked(number, len(lines), len(line.x)),
            )  # fmt: skip
            if bands and line.name in bands:
                axes.fill_between(line.x, *bands[line.name], color=colour, alpha=0.15, linewidth=0)
            if ends and len(line.x):
                axes.plot(line.x[-1], line.y[-1], marker="o", color=colour, markersize=6, markeredgecolor="white")
        if level is not None:
            axes.axhline(level[0], color=GREY, linestyle=(0, (4, 3)), linewidth=1.1)
            axes.annotate(
                drawable(level[1]), (1, level[0]), xycoords=("axes fraction", "data"), xytext=(-4, 4),
                textcoords="offset points", ha="right", color="#555555", fontsize=9,
            )  # fmt: skip
        axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
        if widest is not None:
            axes.set_xlim(0, widest)
        axes.set_ylim(0, highest)
        if shares:
            percent_axis(axes.yaxis)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.xaxis.set_major_formatter(_short)
        if not shares:
            axes.yaxis.set_major_formatter(_short)
        if lines:
            canvas.figure.legend(loc="outside right upper")
    return canvas.data


@dataclass(frozen=True, eq=False)
class CrawlCurves:
    """A crawl to draw: name and strategy, its points by column, and the share of the wanted pages missed by distance.

    Without the latter it is not drawn among those that missed something.
    """

    name: str
    strategy: str
    points: Mapping[str, NDArray[Any]]
    missed: NDArray[np.float64] | None
    #: (lowest, highest) by column, and of `missed`, as long as the points.
    bands: Mapping[str, tuple[NDArray[Any], NDArray[Any]]] = field(default_factory=dict)


def crawl_figures(
    crawls: Sequence[CrawlCurves],
    widest: float | None,
    *,
    wanted: str = "relevant pages",
    levels: Mapping[str, tuple[float, str]] | None = None,
    image: Image = "svg",
) -> dict[str, bytes]:
    """Figures 4 to 8 of the 2007 paper for these crawls, by file name without ending; `levels` by column.

    Crawls of more than the `widest` number of pages are cut off.
    """
    published = levels or {}
    missed = [
        Line(crawl.name, crawl.strategy, np.arange(len(crawl.missed)), crawl.missed)
        for crawl in crawls
        if crawl.missed is not None
    ]
    pictures = {
        "figure-4-misses": crawl_lines(
            missed,
            xlabel="distance from the seeds, at most",
            ylabel=f"{wanted} missed",
            shares=True,
            ends=False,
            bands=_bands(crawls, "missed"),
            level=published.get("missed"),
            image=image,
        )
    }
    for name, column, label, shares in (
        ("figure-5-coverage", "coverage", "coverage", True),
        ("figure-6-harvest", "harvest", "harvest", True),
        ("figure-7-queue", "queue", "URLs in the queue", False),
        ("figure-8-servers", "servers", "servers accessed", False),
    ):
        curves = [crawl.points[column][crawl.points["pages"] <= (widest or np.inf)] for crawl in crawls]
        top = 1.05 * max((float(np.max(curve, initial=0)) for curve in curves), default=0) or None
        pictures[name] = crawl_lines(
            [Line(crawl.name, crawl.strategy, crawl.points["pages"], crawl.points[column]) for crawl in crawls],
            xlabel="pages crawled",
            ylabel=label,
            shares=shares,
            widest=widest,
            highest=1.03 if shares else top,
            bands=_bands(crawls, column),
            level=published.get(column),
            image=image,
        )
    return pictures


def _bands(crawls: Sequence[CrawlCurves], column: str) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    return {crawl.name: crawl.bands[column] for crawl in crawls if column in crawl.bands}


def _marked(number: int, lines: int, points: int) -> tuple[int, int]:
    """(first point with a marker, points between markers) of a line: about eight, staggered over the lines.

    >>> [_marked(number, 4, 80) for number in range(4)]
    [(0, 10), (2, 10), (5, 10), (7, 10)]
    """
    between = max(1, points // 8)
    return number * between // lines, between


def _short(value: float, _: int = 0) -> str:
    """12000 as 12k, 3000000 as 3M.

    >>> _short(12000.0), _short(2500000.0), _short(7.0)
    ('12k', '2.5M', '7')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def thinned(values: NDArray[Any], points: int = 400) -> NDArray[np.int64]:
    """About so many places of a long array, its last among them."""
    if not len(values):
        return np.empty(0, np.int64)
    return np.unique(np.linspace(0, len(values) - 1, points).round().astype(np.int64))
