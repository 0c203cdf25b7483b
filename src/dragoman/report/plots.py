"""Plots as SVG or PNG bytes: the URL paper's figures, theirs beside ours, and small ones for demonstrations.

Every function returns the bytes of one picture; `image="png"` asks for PNG. matplotlib is imported at the
first plot, from the extra `plot`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.errors import UsageError, need
from dragoman.report.canvas import (
    ALGORITHM_MARKERS,
    BLUE,
    FEATURE_COLOURS,
    GREY,
    INK,
    PALE,
    PALE_COLOURS,
    PALETTE,
    SPARE_MARKERS,
    Image,
    assign,
    canvas_of,
    drawable,
    floats,
    percent_axis,
    share_axis,
)

#: Longer names of languages are cut in heat maps.
_LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a learning curve: macro F against the share of the training URLs, with optional bounds."""

    features: str
    algorithm: str
    shares: Sequence[float]
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of a tree to draw: an inner node has a test and both branches, a leaf a label.

    `positives` and `negatives` count the test URLs that arrive here. `accepts` says what a leaf answers;
    where every leaf below a node says it, the node shows its success ratio s, as in the paper's Figure 1.
    """

    test: str | None
    yes: DrawnNode | None
    no: DrawnNode | None
    label: str | None
    positives: int
    negatives: int
    accepts: bool | None = None

    def right(self) -> int | None:
        """How many of the URLs that arrive here get the right answer, or None where a leaf has none."""
        if self.yes is not None and self.no is not None:
            yes, no = self.yes.right(), self.no.right()
            return None if yes is None or no is None else yes + no
        if self.accepts is None:
            return None
        return self.positives if self.accepts else self.negatives


def learning_curves(
    curves: Sequence[Curve],
    *,
    baselines: Mapping[str, float] | None = None,
    theirs: Sequence[Curve] = (),
    title: str = "",
    ylabel: str = "F, mean of the languages",
    image: Image = "svg",
) -> bytes:
    """Macro F against the share of the training URLs: colour by feature set, marker by algorithm (Figure 2).

    `baselines` are drawn as level lines, `theirs` (published points) as hollow markers.
    """
    colours = assign([c.features for c in [*curves, *theirs]], FEATURE_COLOURS, PALETTE)
    markers = assign([c.algorithm for c in [*curves, *theirs]], ALGORITHM_MARKERS, SPARE_MARKERS)
    with canvas_of(7.2, 4.6, image) as canvas:
        axes = canvas.axes
        for curve in curves:
            colour, marker = colours[curve.features], markers[curve.algorithm]
            axes.plot(curve.shares, floats(curve.values), color=colour, marker=marker, markeredgecolor="white")
            if curve.low and curve.high:
                band = floats(curve.low), floats(curve.high)
                axes.fill_between(curve.shares, *band, color=colour, alpha=0.12, linewidth=0)
        for curve in theirs:
            axes.plot(
                curve.shares,
                floats(curve.values),
                linestyle="none",
                marker=markers[curve.algorithm],
                color=colours[curve.features],
                markerfacecolor="white",
                markersize=8,
                markeredgewidth=1.8,
            )
        for name, value in (baselines or {}).items():
            axes.axhline(value, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
            axes.annotate(
                drawable(name),
                (1, value),
                xycoords=("axes fraction", "data"),
                xytext=(-4, 3),
                textcoords="offset points",
                ha="right",
                color="#555555",
                fontsize=9,
            )
        share_axis(axes, [share for curve in [*curves, *theirs] for share in curve.shares])
        axes.set(ylabel=ylabel, title=title)
        line = need("plot", "matplotlib.lines").Line2D
        keys = [line([], [], color=colour, linewidth=3, label=drawable(name)) for name, colour in colours.items()]
        keys += [
            line([], [], color=INK, marker=marker, linestyle="none", label=drawable(name))
            for name, marker in markers.items()
        ]
        if theirs:
            hollow = {"color": INK, "marker": "o", "markerfacecolor": "white", "linestyle": "none"}
            keys.append(line([], [], label="hollow: as published", **hollow))
        canvas.figure.legend(handles=keys, loc="outside right upper")
    return canvas.data


def seen_sites(
    shares: Sequence[float],
    seen: Mapping[str, Sequence[float | None]],
    *,
    theirs: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    title: str = "",
    image: Image = "svg",
) -> bytes:
    """The share of test URLs whose site is in the training URLs, one line per test set (Figure 3).

    `theirs` holds published (training share, seen share) points per test set, drawn hollow.
    """
    published = theirs or {}
    colours = assign([*seen, *published], {}, PALETTE)
    markers = assign([*seen, *published], {}, "os^Dv" + SPARE_MARKERS)
    with canvas_of(6.4, 4.0, image) as canvas:
        axes = canvas.axes
        for name, values in seen.items():
            style = {"color": colours[name], "marker": markers[name]}
            axes.plot(shares, floats(values), label=drawable(name), markeredgecolor="white", **style)
        for name, points in published.items():
            x, y = zip(*points, strict=True)
            style = {"color": colours[name], "marker": markers[name], "markerfacecolor": "white"}
            label = f"{drawable(name)}, as published"
            axes.plot(x, y, linestyle="none", markersize=8, markeredgewidth=1.8, label=label, **style)
        share_axis(axes, [*shares, *(x for points in published.values() for x, _ in points)])
        percent_axis(axes.yaxis)
        axes.set(ylabel="test URLs on a site seen in training", title=title, ylim=(0, 1))
        axes.legend(loc="upper left")
    return canvas.data


def theirs_and_ours_bars(
    labels: Sequence[str],
    theirs: Sequence[float | None],
    ours: Sequence[float | None],
    *,
    low: Sequence[float | None] = (),
    high: Sequence[float | None] = (),
    ylabel: str = "F",
    title: str = "",
    bottom: float = 0.0,
    image: Image = "svg",
) -> bytes:
    """Pairs of bars, the published number in grey and ours in blue with its interval; a missing one is a gap.

    A `bottom` above 0 cuts the axis: the label then says so.
    """
    lengths = {len(labels), len(theirs), len(ours), *(len(bound) for bound in (low, high) if bound)}
    if len(lengths) != 1:
        raise UsageError(f"Bars need one number per label: got {len(labels)} labels and {sorted(lengths)} numbers.")
    with canvas_of(max(4.5, 1.6 + 0.85 * len(labels)), 3.8, image) as canvas:
        axes = canvas.axes
        for offset, values, colour, name in ((-0.2, theirs, "#B5ADA3", "theirs"), (0.2, ours, BLUE, "ours")):
            here = [(i, v) for i, v in enumerate(values) if v is not None]
            places = [i + offset for i, _ in here]
            axes.bar(places, [v for _, v in here], width=0.37, color=colour, label=name)
            for i, height in here:
                bound = high[i] if name == "ours" and high else None
                text = f"{height:.2f}".replace("0.", ".", 1)
                axes.annotate(
                    text,
                    (i + offset, max(height, bound or 0)),
                    xytext=(0, 2),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8.5,
                )
        if low and high:
            for i, (value, below, above) in enumerate(zip(ours, low, high, strict=True)):
                if value is not None and below is not None and above is not None:
                    spread = [[max(0.0, value - below)], [max(0.0, above - value)]]
                    axes.errorbar([i + 0.2], [value], yerr=spread, color=INK, capsize=3, linewidth=1.2)
        axes.set_xticks(range(len(labels)), [drawable(label) for label in labels])
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="x", visible=False)
        cut = f" (axis starts at {bottom:g})" if bottom else ""
        axes.set(ylabel=ylabel + cut, title=title, ylim=(bottom, None))
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
    with canvas_of((side + margin + 0.4) * len(matrices), height, image, panels=len(matrices)) as canvas:
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
    colours = assign([language for row in best for language, _ in row], {}, PALETTE)
    with canvas_of(7.0, 0.9 + 0.62 * max(1, len(urls)), image) as canvas:
        axes = canvas.axes
        for i, (url, row) in enumerate(zip(urls, best, strict=True)):
            start = 0.0
            for language, probability in row:
                axes.barh(i, probability, left=start, height=0.42, color=colours[language], edgecolor="white")
                if probability >= 0.07:
                    text = f"{language} {100 * probability:.0f} %" if probability >= 0.15 else language
                    middle = start + probability / 2
                    ink = INK if colours[language] in PALE_COLOURS else "white"
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


def sensitivity_line(
    x: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    xlabel: str,
    ylabel: str = "F",
    chosen: float | None = None,
    log_x: bool = False,
    title: str = "",
    image: Image = "svg",
) -> bytes:
    """How a measure changes with a setting (regulariser, threshold), a line per name; `chosen` is marked."""
    colours = assign(list(lines), FEATURE_COLOURS, PALETTE)
    markers = assign(list(lines), {}, "os^Dv" + SPARE_MARKERS)
    with canvas_of(6.4, 3.8, image) as canvas:
        axes = canvas.axes
        for name, values in lines.items():
            style = {"color": colours[name], "marker": markers[name]}
            axes.plot(x, floats(values), label=drawable(name), markeredgecolor="white", **style)
        if chosen is not None:
            axes.axvline(chosen, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
            axes.annotate(
                "used here",
                (chosen, 0),
                xycoords=("data", "axes fraction"),
                xytext=(4, 4),
                textcoords="offset points",
                color="#555555",
                fontsize=9,
            )
        if log_x:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("e-0", "e-"))
        axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
        if len(lines) > 1:
            canvas.figure.legend(loc="outside right upper")
    return canvas.data


def decision_tree(root: DrawnNode, *, title: str = "", image: Image = "svg") -> bytes:
    """The tree with its tests, answers and counts, as in Figure 1: yes to the left, no to the right."""
    places: dict[int, tuple[float, int]] = {}
    leaves, depth = _lay_out(root, places, 0, 0)
    with canvas_of(max(4.0, 1.75 * leaves), 1.2 + 1.15 * depth, image) as canvas:
        axes = canvas.axes
        axes.set_axis_off()
        axes.set(xlim=(-0.6, leaves - 0.4), ylim=(-depth - 0.45, 0.45), title=title)
        _draw_node(axes, root, places)
    return canvas.data


def _lay_out(node: DrawnNode, places: dict[int, tuple[float, int]], used: int, level: int) -> tuple[int, int]:
    """The columns used and the depth: a leaf takes the next column, a parent the middle of its children."""
    if node.yes is None or node.no is None:
        places[id(node)] = (float(used), level)
        return used + 1, level
    used, left = _lay_out(node.yes, places, used, level + 1)
    used, right = _lay_out(node.no, places, used, level + 1)
    places[id(node)] = ((places[id(node.yes)][0] + places[id(node.no)][0]) / 2, level)
    return used, max(left, right)


def _draw_node(axes: Any, node: DrawnNode, places: dict[int, tuple[float, int]]) -> None:
    x, level = places[id(node)]
    right, total = node.right(), node.positives + node.negatives
    ratio = "" if right is None or not total else f"\ns = {right / total:.2f}".replace("0.", ".", 1)
    if node.yes is None or node.no is None:
        text = f"{drawable(node.label or '')}\n+{node.positives:,}  −{node.negatives:,}{ratio}"
        tint = {None: "#F2F2F2", True: "#D6E9F5", False: "#F9E3D3"}[node.accepts]
        box = {"boxstyle": "round,pad=0.4", "facecolor": tint, "edgecolor": "#666666"}
    else:
        text = f"{drawable(node.test or '')}{ratio}"
        box = {"boxstyle": "square,pad=0.4", "facecolor": "white", "edgecolor": INK}
        for child, answer in ((node.yes, "yes"), (node.no, "no")):
            to_x, to_level = places[id(child)]
            axes.plot([x, to_x], [-level, -to_level], color=GREY, linewidth=1.3, zorder=1)
            where = ((x + to_x) / 2, -(level + to_level) / 2)
            halo = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            axes.text(*where, answer, ha="center", va="center", fontsize=9, color="#555555", bbox=halo)
            _draw_node(axes, child, places)
    axes.text(x, -level, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
