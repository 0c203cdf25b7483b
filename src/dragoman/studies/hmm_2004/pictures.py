"""The plots of the report."""

from __future__ import annotations

from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS
from dragoman.report import plots
from dragoman.report.canvas import GREY, PALETTE, canvas_of, percent_axis
from dragoman.report.html import Picture
from dragoman.studies.hmm_2004.figures import Figures, published, theirs
from dragoman.studies.hmm_2004.plan import HMM, METHODS, N_GRAMS, SHORT, states_cell, streams_cell
from dragoman.studies.hmm_2004.results import NETWORKS
from dragoman.studies.hmm_2004.tracking import PARTS
from dragoman.studies.text_draws import LENGTHS

_MARKERS = "os^DvP"


def streams(figures: Figures) -> Picture:
    """Table 1 as bars."""
    rates = published(1)["rates"]
    ours = [figures.rate(streams_cell(name), SHORT) for name in COMBINATIONS]
    image = plots.theirs_and_ours_bars(
        [name.replace("&", "\n") for name in COMBINATIONS],
        [rates[name] for name in COMBINATIONS],
        [one.value for one in ours],
        low=[one.low for one in ours],
        high=[one.high for one in ours],
        ylabel="identification rate",
        bottom=0.4,
    )
    return Picture(image, "Table 1 as bars: streams and their combinations; lines: lowest and highest draw.")


def states(figures: Figures) -> Picture:
    """The rate by the number of states."""
    numbers = list(figures.study.plan.states)
    points = [figures.rate(states_cell(n), SHORT) for n in numbers]
    with canvas_of(6.0, 3.6, "svg") as canvas:
        axes = canvas.axes
        axes.plot(numbers, [one.value for one in points], color=PALETTE[0], marker="o", markeredgecolor="white")
        low, high = [one.low for one in points], [one.high for one in points]
        axes.fill_between(numbers, low, high, color=PALETTE[0], alpha=0.14, linewidth=0)
        axes.axvline(3, color=GREY, linestyle=(0, (4, 3)), linewidth=1.2)
        axes.annotate(
            "the paper's", (3, 0), xycoords=("data", "axes fraction"), xytext=(4, 4), textcoords="offset points"
        )
        axes.set_xticks(numbers)
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.1f} %")
        axes.set(xlabel="emitting states", ylabel="identification rate")
    return Picture(canvas.data, "States: rate by their number, 20-100 characters; band: lowest and highest draw.")


def methods(figures: Figures) -> Picture:
    """The methods by average length of the sentences."""
    averages = published(4)["lengths"]
    order = sorted(LENGTHS[:3], key=lambda one: averages[f"{one[0]}-{one[1]}"]["average"])
    x = [averages[f"{one[0]}-{one[1]}"]["average"] for one in order]
    with canvas_of(7.4, 4.2, "svg") as canvas:
        axes = canvas.axes
        for number, (name, cell) in enumerate(METHODS.items()):
            points = [figures.rate(cell, one) for one in order]
            colour = PALETTE[number % len(PALETTE)]
            style = {"color": colour, "marker": _MARKERS[number % 6], "markeredgecolor": "white"}
            axes.plot(x, [one.value for one in points], label=name, **style)
            low, high = [one.low for one in points], [one.high for one in points]
            axes.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0)
        for name, number in (("hmm/1", 0), ("n-grams", 2)):
            rates = published(4)["rates"]["all"][name]
            y = [rates[f"{one[0]}-{one[1]}"] for one in order]
            style = {"color": PALETTE[number], "marker": _MARKERS[number], "markerfacecolor": "white"}
            axes.plot(x, y, linestyle="none", markersize=8, label=f"{name}, as published", **style)
        axes.set_xticks(x, [f"{one[0]}-{one[1]}" for one in order])
        percent_axis(axes.yaxis)
        axes.set(xlabel="characters of the sentence", ylabel="identification rate")
        canvas.figure.legend(loc="outside right upper")
    return Picture(
        canvas.data, "Methods by length: trained on 22,446 characters of pages; band: lowest and highest draw."
    )


def confusions(figures: Figures) -> list[Picture]:
    """Table 5 as heat maps."""
    pairs = {
        "HMM with one sequence": {"theirs": theirs(5, "hmm/1"), "ours": figures.confusion(HMM, SHORT)},
        "n-grams": {"theirs": theirs(5, "n-grams"), "ours": figures.confusion(N_GRAMS, SHORT)},
    }
    return [
        Picture(
            plots.confusion_matrices(matrices, says="identified language", of="language of the sentence"),
            f"Table 5 {name}: percent of the sentences of a language (row) that are taken for another (column), "
            "20-100 characters.",
        )
        for name, matrices in pairs.items()
    ]


def tracking(figures: Figures) -> Picture:
    """Letters right and changes found by penalty."""
    with canvas_of(9.4, 3.8, "svg", panels=2) as canvas:
        for number, part in enumerate(PARTS):
            rows = figures.tracked(part, "judge")
            style = {"color": PALETTE[number], "marker": _MARKERS[number], "markeredgecolor": "white"}
            for axes, column in zip(canvas.axes, (1, 2), strict=True):
                axes.plot([row[0] for row in rows], [row[column] for row in rows], label=NETWORKS[part], **style)
        for axes, name in zip(canvas.axes, ("letters right", "F of changes"), strict=True):
            percent_axis(axes.yaxis)
            axes.set(xlabel="penalty", ylabel=name, ylim=(0, 1))
        handles, labels = canvas.axes[0].get_legend_handles_labels()
        canvas.figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return Picture(canvas.data, "Tracking: the network by its penalty, documents of the judge half.")
