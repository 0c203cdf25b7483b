"""The plots of the report: Figures 1 to 3 and the tables of confusion as heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dragoman import measures
from dragoman.errors import need
from dragoman.report.canvas import BLUE, GREEN, GREY, INK, MARKERS, PALETTE, VERMILION, canvas_of
from dragoman.report.html import Picture
from dragoman.report.plots import Series, confusion_matrices, draw_level, line_plot
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.figures import FOCUS, UrlFigures
from dragoman.studies.url_2008.plan import (
    CCTLD_PLUS,
    NB_WORDS,
    PAPER_FEATURES,
    UrlCell,
    algorithms_of,
    sensitivity_cells,
)
from dragoman.studies.url_2008.published import published_confusion, published_figure
from dragoman.studies.url_2008.tables import THEIR_FEATURES

#: The paper's feature sets and algorithms keep their colours and markers.
FEATURE_COLOURS = {"words": BLUE, "trigrams": VERMILION, "custom": GREEN}
ALGORITHM_MARKERS = {"naive-bayes": "o", "relative-entropy": "s", "max-entropy": "^", "decision-tree": "D"}


def confusions(figures: UrlFigures) -> list[Picture]:
    """Tables 3, 5 and 6 as heat maps."""
    rows = figures.rows(FOCUS)
    truth = figures.tests[FOCUS].truth[rows]

    def ours(cell: UrlCell) -> dict[str, dict[str, float]]:
        matrix = 100 * measures.confusion(truth, figures.answers(cell, FOCUS)[rows])
        return {
            row: dict(zip(figures.languages, values, strict=True))
            for row, values in zip(figures.languages, matrix.tolist(), strict=True)
        }

    pictures: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]] = {
        "Table 3. Confusion of the human judges (theirs)": {"humans, theirs": published_confusion(3, "human")},
        "Table 5. Confusion of ccTLD+, crawl": {
            "theirs": published_confusion(5, "cctld-plus"),
            "ours": ours(CCTLD_PLUS),
        },
        "Table 6. Confusion of naive Bayes on words, crawl": {
            "theirs": published_confusion(6, "naive-bayes"),
            "ours": ours(NB_WORDS),
        },
    }
    return [
        Picture(
            confusion_matrices(matrices),
            f"{title}: percent of the URLs of a language (row) to which a classifier (column) says yes.",
        )
        for title, matrices in pictures.items()
    ]


def share_ticks(shares: Sequence[float]) -> dict[float, str]:
    """The ticks of an axis of training shares."""
    ticks = sorted(set(shares)) if len(set(shares)) <= 5 else [0.001, 0.01, 0.1, 1.0]
    return {tick: f"{100 * tick:g} %" for tick in ticks}


def learning(figures: UrlFigures) -> Picture:
    """Figure 2: F by training size; colour by feature set, marker by algorithm."""
    series = []
    for features in PAPER_FEATURES:
        for algorithm in algorithms_of(features):
            curve = figures.curve(features, algorithm)
            style = FEATURE_COLOURS[THEIR_FEATURES[features]], ALGORITHM_MARKERS[algorithm]
            means, low, high = ([float(part(values)) for values in curve.values()] for part in (np.mean, min, max))
            series.append(Series("", list(curve), means, *style, low, high))
    stated = [published_figure(name).value for name in ("naive-bayes-words-f-crawl-1", "best-single-f-crawl")]
    style = FEATURE_COLOURS["words"], ALGORITHM_MARKERS["naive-bayes"]
    series.append(Series("", [0.01, 1.0], stated, *style, hollow=True))
    with canvas_of(7.2, 4.6, "svg") as canvas:
        axes = canvas.axes
        for line in series:
            line.draw(axes)
        draw_level(axes, "ccTLD+", figures.macro(figures.answers(CCTLD_PLUS, FOCUS), FOCUS))
        ticks = share_ticks([*figures.plan.sizes, 1.0, 0.01])
        axes.set_xscale("log")
        axes.set_xticks(list(ticks), list(ticks.values()))
        axes.set_xticks([], minor=True)
        axes.set(xlabel="share of the training URLs", ylabel="F, mean of the languages", title="Crawl set")
        key = need("plot", "matplotlib.lines").Line2D
        keys = [key([], [], color=colour, linewidth=3, label=name) for name, colour in FEATURE_COLOURS.items()]
        markers = {**ALGORITHM_MARKERS, "hollow: as published": "o"}
        for name, marker in markers.items():
            face = {"markerfacecolor": "white"} if name.startswith("hollow") else {}
            keys.append(key([], [], color=INK, marker=marker, linestyle="none", label=name, **face))
        canvas.figure.legend(handles=keys, loc="outside right upper")
    return Picture(
        canvas.data,
        f"Figure 2. F on the crawl set by share of the {len(figures.corpus.train):,} training URLs; bands: lowest and "
        "highest of the samples drawn at that size. Hollow: what the paper's text states.",
    )


def seen_sites(figures: UrlFigures) -> Picture:
    """Figure 3: the share of test URLs whose site is in the training URLs."""
    series = []
    for number, test in enumerate(figures.tests):
        seen, style = figures.seen_share(test), (PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)])
        series.append(Series(test, list(seen), list(seen.values()), *style))
        if test == FOCUS:
            stated = [published_figure(f"seen-domains-crawl-{percent}").value for percent in (1, 100)]
            theirs = Series(f"{test}, as published", [0.01, 1.0], stated, *style, hollow=True)
    image = line_plot(
        [*series, theirs],
        xlabel="share of the training URLs",
        ylabel="test URLs on a site seen in training",
        size=(7.2, 4.0),
        ticks=share_ticks([*figures.plan.sizes, 1.0, 0.01]),
        log_x=True,
        percent=0,
        between=(0, 1),
    )
    return Picture(
        image,
        "Figure 3. Share of the test URLs whose site is among the training URLs. Hollow: what the paper's text states.",
    )


def sensitivity(figures: UrlFigures) -> Picture:
    """How logistic regression depends on its regulariser."""
    lines: dict[str, dict[float, float]] = {}
    for cell in sensitivity_cells(figures.plan):
        if strength := dict(cell.params).get("strength"):
            f = figures.macro(figures.answers(cell, FOCUS), FOCUS)
            lines.setdefault(cell.features, {})[strength] = f
    image = line_plot(
        [
            Series(name, list(line), list(line.values()), FEATURE_COLOURS[name], MARKERS[number])
            for number, (name, line) in enumerate(lines.items())
        ],
        xlabel="strength (weaker regulariser to the right)",
        ylabel="F",
        title="Crawl set",
        size=(6.4, 3.8),
        ticks={strength: f"{strength:g}" for strength in figures.plan.strengths},
        log_x=True,
        marked={"used here": 10.0},
    )
    return Picture(image, "Sensitivity. Logistic regression by its regulariser, F on the crawl set.")


def tree(figures: UrlFigures) -> Picture:
    """Figure 1: a small tree for German."""
    return Picture(
        tree_plot(figures.tree, "German"),
        "Figure 1. A decision tree for German with six leaves; below each node the German (+) and other (-) URLs of "
        "the judged crawl set that reach it, and the share s answered rightly.",
    )


def tree_plot(tree: Arrays, language: str) -> bytes:
    """A tree of `small_tree` with its tests, answers and counts: yes to the left, no to the right."""
    spots: dict[int, tuple[float, int]] = {}
    leaves, depth = _lay_out(tree, 0, spots, 0, 0)
    with canvas_of(max(4.0, 1.75 * leaves), 1.2 + 1.15 * depth, "svg", phone=False) as canvas:
        canvas.axes.set_axis_off()
        canvas.axes.set(xlim=(-0.6, leaves - 0.4), ylim=(-depth - 0.45, 0.45))
        _draw_node(canvas.axes, tree, 0, spots, language)
    return canvas.data


def _children(tree: Arrays, node: int) -> tuple[int, ...]:
    """The nodes where the answers yes and no lead; none of a leaf."""
    return (int(tree["right"][node]), int(tree["left"][node])) if tree["feature"][node] >= 0 else ()


def _accepts(tree: Arrays, leaf: int) -> bool:
    return float(tree["value"][leaf]) > 0.5


def right_answers(tree: Arrays, node: int) -> int:
    """How many of the URLs that arrive at a node get the right answer."""
    if children := _children(tree, node):
        return sum(right_answers(tree, child) for child in children)
    return int(tree["positives" if _accepts(tree, node) else "negatives"][node])


def _lay_out(tree: Arrays, node: int, spots: dict[int, tuple[float, int]], used: int, level: int) -> tuple[int, int]:
    """The columns used and the depth: a leaf takes the next column, a parent the middle of its children."""
    children = _children(tree, node)
    if not children:
        spots[node] = (float(used), level)
        return used + 1, level
    depths = []
    for child in children:
        used, depth = _lay_out(tree, child, spots, used, level + 1)
        depths.append(depth)
    spots[node] = (sum(spots[child][0] for child in children) / 2, level)
    return used, max(depths)


def _draw_node(axes: Any, tree: Arrays, node: int, spots: dict[int, tuple[float, int]], language: str) -> None:
    x, level = spots[node]
    positives, negatives = int(tree["positives"][node]), int(tree["negatives"][node])
    total = positives + negatives
    ratio = f"\ns = {right_answers(tree, node) / total:.2f}".replace("0.", ".", 1) if total else ""
    if children := _children(tree, node):
        text = f"{tree['names'][node]} > {float(tree['threshold'][node]):g} ?{ratio}"
        box = {"boxstyle": "square,pad=0.4", "facecolor": "white", "edgecolor": INK}
        for child, answer in zip(children, ("yes", "no"), strict=True):
            to_x, to_level = spots[child]
            axes.plot([x, to_x], [-level, -to_level], color=GREY, linewidth=1.3, zorder=1)
            where = ((x + to_x) / 2, -(level + to_level) / 2)
            halo = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            axes.text(*where, answer, ha="center", va="center", fontsize=9, color="#555555", bbox=halo)
            _draw_node(axes, tree, child, spots, language)
    else:
        accepts = _accepts(tree, node)
        text = f"{'' if accepts else 'not '}{language}\n+{positives:,}  −{negatives:,}{ratio}"
        tint = "#D6E9F5" if accepts else "#F9E3D3"
        box = {"boxstyle": "round,pad=0.4", "facecolor": tint, "edgecolor": "#666666"}
    axes.text(x, -level, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
