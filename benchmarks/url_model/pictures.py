"""The pictures of the judgement, as PNG bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from targets import COVERAGE, RISK_RATIO, SUPPORTED_ROWS

from dragoman.report.canvas import BLUE, GREY, INK, PALETTE, VERMILION, canvas_of, drawable, percent_axis

_DASHED = (0, (4, 3))


def reliability(honesty: Mapping[str, Any]) -> bytes:
    """Share right against stated probability, a panel per set; on the diagonal the model means what it says."""
    with canvas_of(3.4 * len(honesty), 3.7, "png", panels=len(honesty)) as canvas:
        for panel, (name, figures) in zip(_panels(canvas.axes, honesty), honesty.items(), strict=True):
            parts = figures["reliability"]
            panel.plot([0, 1], [0, 1], color=GREY, linestyle=_DASHED, linewidth=1.2)
            stated, right = [part["stated"] for part in parts], [part["right"] for part in parts]
            panel.plot(stated, right, color=BLUE, marker="o", markersize=5, markeredgecolor="white")
            error = f"error {figures['calibration_error']:.3f}"
            panel.annotate(error, (0.97, 0.05), xycoords="axes fraction", ha="right", color=INK)
            low = max(0.0, min([*stated, *right, 0.5]) - 0.05)
            panel.set(xlim=(low, 1.01), ylim=(low, 1.01), aspect="equal", xlabel="stated probability")
            panel.set_title(f"{drawable(name)}\n{figures['n']:,} URLs")
            percent_axis(panel.xaxis)
            percent_axis(panel.yaxis)
        _panels(canvas.axes, honesty)[0].set_ylabel("share right")
    return canvas.data


def risk_coverage(honesty: Mapping[str, Any]) -> bytes:
    """Share of wrong answers against the share of URLs answered, the least certain left out first."""
    with canvas_of(6.8, 4.2, "png") as canvas:
        axes = canvas.axes
        for colour, (name, figures) in zip(PALETTE, honesty.items(), strict=False):
            # Of a handful of URLs a share says nothing: the curve begins where there are some.
            points = [point for point in figures["curve"] if point[0] >= 0.05]
            axes.plot([x for x, _ in points], [y for _, y in points], color=colour, label=drawable(name))
            axes.plot([COVERAGE], [RISK_RATIO * figures["risk"]], color=colour, marker="_", markersize=14, mew=2.5)
        axes.axvline(COVERAGE, color=GREY, linestyle=_DASHED, linewidth=1.2)
        axes.set(xlabel="share of the URLs answered", ylabel="share of the answers that are wrong", xlim=(0, 1.005))
        axes.set_title("Risk by coverage (bars: half of the full risk)")
        axes.set_ylim(bottom=0)
        percent_axis(axes.xaxis)
        percent_axis(axes.yaxis)
        axes.legend(loc="upper left")
    return canvas.data


def languages(figures: Mapping[str, Mapping[str, Any]]) -> bytes:
    """F of every language with a judged URL, sorted: on the left those with enough to be listed as supported."""
    rows = sorted(
        ((tag, one["f"], one["n"]) for tag, one in figures.items() if one["known"] and one["n"]),
        key=lambda row: (row[1], row[2]),
    )
    sides = {
        f"{SUPPORTED_ROWS} judged URLs or more": (BLUE, [row for row in rows if row[2] >= SUPPORTED_ROWS]),
        f"fewer than {SUPPORTED_ROWS}": (VERMILION, [row for row in rows if row[2] < SUPPORTED_ROWS]),
    }
    most = max(1, *(len(side) for _, side in sides.values()))
    with canvas_of(9.0, 1.2 + 0.2 * most, "png", panels=2) as canvas:
        for panel, (name, (colour, side)) in zip(canvas.axes, sides.items(), strict=True):
            places = range(most - len(side), most)
            for place, (_, f, _n) in zip(places, side, strict=True):
                panel.plot([0, f], [place, place], color="#E6E6E6", linewidth=1.5)
                panel.plot([f], [place], color=colour, marker="o", markersize=6)
            panel.set_yticks(list(places), [f"{drawable(tag)} ({n:,})" for tag, _, n in side], fontsize=8)
            panel.set(xlim=(-0.02, 1.02), ylim=(-0.8, most - 0.2), xlabel="balanced F", title=name)
            panel.grid(axis="y", visible=False)
    return canvas.data


def _panels(axes: Any, of: Mapping[str, Any]) -> Any:
    return axes if len(of) > 1 else [axes]
