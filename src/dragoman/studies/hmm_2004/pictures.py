"""The plots of the report."""

from __future__ import annotations

from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS
from dragoman.report.canvas import MARKERS, PALETTE, canvas_of, percent_axis
from dragoman.report.html import Picture
from dragoman.report.plots import Series, confusion_matrices, line_plot, theirs_and_ours_bars
from dragoman.studies.hmm_2004.figures import HmmFigures, published, published_confusion
from dragoman.studies.hmm_2004.plan import HMM, METHODS, N_GRAMS, SHORT, states_cell, streams_cell
from dragoman.studies.hmm_2004.tables import NETWORKS
from dragoman.studies.hmm_2004.tracking import PARTS
from dragoman.studies.text_draws import LENGTHS, range_name


def streams(figures: HmmFigures) -> Picture:
    """Table 1 as bars."""
    rates = published(1)["rates"]
    image = theirs_and_ours_bars(
        [name.replace("&", "\n") for name in COMBINATIONS],
        [rates[name] for name in COMBINATIONS],
        [figures.rate(streams_cell(name), SHORT) for name in COMBINATIONS],
        ylabel="identification rate",
        bottom=0.4,
    )
    return Picture(image, "Table 1 as bars: streams and their combinations; lines: lowest and highest draw.")


def states(figures: HmmFigures) -> Picture:
    """The rate by the number of states."""
    numbers = figures.plan.states
    series = Series.of("", numbers, [figures.rate(states_cell(n), SHORT) for n in numbers])
    image = line_plot(
        [series],
        xlabel="emitting states",
        ylabel="identification rate",
        size=(6.0, 3.6),
        ticks={n: str(n) for n in numbers},
        percent=1,
        marked={"the paper's": 3},
    )
    return Picture(image, "States: rate by their number, 20-100 characters; band: lowest and highest draw.")


def methods(figures: HmmFigures) -> Picture:
    """The methods by average length of the sentences."""
    averages = {range_name(lengths): published(4)["lengths"][range_name(lengths)]["average"] for lengths in LENGTHS[:3]}
    order = sorted(LENGTHS[:3], key=lambda lengths: averages[range_name(lengths)])
    names = [range_name(lengths) for lengths in order]
    x = [averages[name] for name in names]
    series = [
        Series.of(name, x, [figures.rate(cell, lengths) for lengths in order], number)
        for number, (name, cell) in enumerate(METHODS.items())
    ]
    for theirs, number in (("hmm/1", 0), ("n-grams", 2)):
        rates = published(4)["rates"]["all"][theirs]
        style = series[number].colour, series[number].marker
        series.append(Series(f"{theirs}, as published", x, [rates[name] for name in names], *style, hollow=True))
    image = line_plot(
        series,
        xlabel="characters of the sentence",
        ylabel="identification rate",
        size=(7.4, 4.2),
        ticks=dict(zip(x, names, strict=True)),
        percent=0,
    )
    return Picture(image, "Methods by length: trained on 22,446 characters of pages; band: lowest and highest draw.")


def confusions(figures: HmmFigures) -> list[Picture]:
    """Table 5 as heat maps."""
    pairs = {
        "HMM with one sequence": {"theirs": published_confusion(5, "hmm/1"), "ours": figures.confusion(HMM, SHORT)},
        "n-grams": {"theirs": published_confusion(5, "n-grams"), "ours": figures.confusion(N_GRAMS, SHORT)},
    }
    return [
        Picture(
            confusion_matrices(matrices, says="identified language", of="language of the sentence"),
            f"Table 5 {name}: percent of the sentences of a language (row) that are taken for another (column), "
            "20-100 characters.",
        )
        for name, matrices in pairs.items()
    ]


def tracking(figures: HmmFigures) -> Picture:
    """Letters right and changes found by penalty."""
    with canvas_of(9.4, 3.8, "svg", panels=2) as canvas:
        for number, part in enumerate(PARTS):
            penalties, *shares = zip(*figures.tracked(part, "judge"), strict=True)
            for axes, share in zip(canvas.axes, shares, strict=True):
                Series(NETWORKS[part], penalties, share, PALETTE[number], MARKERS[number]).draw(axes)
        for axes, name in zip(canvas.axes, ("letters right", "F of changes"), strict=True):
            percent_axis(axes.yaxis)
            axes.set(xlabel="penalty", ylabel=name, ylim=(0, 1))
        handles, labels = canvas.axes[0].get_legend_handles_labels()
        canvas.figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return Picture(canvas.data, "Tracking: the network by its penalty, documents of the judge half.")
