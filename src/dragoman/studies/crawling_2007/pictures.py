"""The plots of the report: Figures 1 and 2 of the webs, Figures 4 to 8 of the crawls with bands over the recipes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.report.crawl_plots import CrawlCurves, Line, crawl_figures, crawl_lines
from dragoman.report.html import Picture
from dragoman.report.plots import Series, line_plot
from dragoman.studies.crawling_2007.figures import CrawlingFigures, published
from dragoman.studies.crawling_2007.plan import (
    AGGRESSIVE,
    BFS,
    CONSERVATIVE,
    DIRECTORY,
    HARD,
    LINGUACRAWL,
    PERFECT,
    SCOUT_MODEL,
    SOFT,
    Web,
)
from dragoman.studies.intervals import spread

SHOWN = (
    BFS,
    HARD,
    SOFT,
    AGGRESSIVE,
    CONSERVATIVE,
    "conservative-server, T 5",
    DIRECTORY,
    PERFECT,
    SCOUT_MODEL,
    LINGUACRAWL,
)
COLUMNS = ("coverage", "harvest", "queue", "servers")
#: The curves are drawn for the first part of the web only: what comes later is bfs and soft-focused.
WIDEST, POINTS = 0.28, 200


def webs(figures: CrawlingFigures) -> list[Picture]:
    """How target pages lie in the web."""
    group = figures.of_size(figures.sizes()[-1])
    cells = [figures.about(web) for web in group]
    length = min(len(cell["pages_at"]) for cell in cells)
    pages = np.array([np.cumsum(cell["pages_at"])[:length] for cell in cells])
    target = np.array([np.cumsum(cell["target_at"])[:length] for cell in cells])
    within = np.arange(length)
    share = target / np.maximum(1, pages)
    lines = [Line("share of target pages", "scout", within, share.mean(axis=0)),
             Line("pages, as a share of all", "bfs", within, (pages / pages[:, -1:]).mean(axis=0))]  # fmt: skip
    by_distance = crawl_lines(
        lines,
        xlabel="distance from the seeds, at most",
        ylabel="cumulative share",
        shares=True,
        ends=False,
        bands={"share of target pages": (share.min(axis=0), share.max(axis=0))},
    )
    nearest = cells[0]["nearest_at"][1:]
    counts = np.log10(np.where(nearest > 0, nearest, np.nan))
    to_nearest = crawl_lines(
        [Line("target pages", "conservative-server", np.arange(1, len(nearest) + 1), counts)],
        xlabel="distance to the nearest other target page",
        ylabel="log10 of target pages",
        ends=False,
    )
    size = f"{group[0].pages:,} pages"
    return [
        Picture(by_distance, f"Figure 1: pages and the share of target pages by distance from the seeds, {size}"),
        Picture(to_nearest, f"Figure 2: target pages by distance to the nearest other one, {size}; theirs end at 10"),
    ]


def crawls(figures: CrawlingFigures) -> list[Picture]:
    """What came of each crawl, beside the levels that the paper's text states."""
    size = figures.plan.sweep[0]
    own = figures.of_size(size)
    changed = [web for web in figures.webs if web.setting]
    swept = {job.name for job in figures.jobs if job.swept}
    strategy = {job.name: job.strategy for job in figures.jobs}
    everything = ("bfs", "soft-focused", "perfect", "perfect-fewest")
    curves = []
    runs = {job.name for job in figures.jobs if job.runs_on(own[0])}
    for name in (name for name in SHOWN if name in runs):
        webs = [*own, *changed] if name in swept else own
        lines, bands = _curves(figures, own, webs, name, size)
        missed = None if strategy[name] in everything else figures.missed_by_distance(name, own)
        if missed is not None:
            rows = [figures.crawl(web, name)["missed"] for web in webs]
            length = min(len(missed), *map(len, rows))
            missed = missed[:length]
            part = np.array([row[:length] for row in rows])
            bands["missed"] = part.min(axis=0), part.max(axis=0)
        curves.append(CrawlCurves(name, strategy[name], lines, missed, bands))
    levels = {
        "missed": (published()["hard_focused_missed"], "theirs, hard-focused: nearly 10 % within 6"),
        "harvest": (published()["first_phase_harvest"], "theirs, first phase: about 70 %"),
    }
    drawn = crawl_figures(curves, WIDEST * size, wanted="target pages", levels=levels)
    about = f"{size:,} pages; bands: every recipe and seed"
    captions = {
        "figure-4-misses": f"Figure 4: target pages missed, {about}",
        "figure-5-coverage": f"Figure 5: coverage, {about}; a mark where a crawl ended",
        "figure-6-harvest": f"Figure 6: harvest, {about}",
        "figure-7-queue": f"Figure 7: the queue, {about}",
        "figure-8-servers": f"Figure 8: servers accessed, {about}",
    }
    return [Picture(drawn[name], caption) for name, caption in captions.items()]


Band = tuple[NDArray[np.float64], NDArray[np.float64]]


def _curves(
    figures: CrawlingFigures, own: Sequence[Web], webs: Sequence[Web], job: str, size: int
) -> tuple[dict[str, NDArray[np.float64]], dict[str, Band]]:
    """(mean curves of our own recipe by column, lowest and highest of every recipe), on common numbers of pages."""
    cells = {web: figures.crawl(web, job) for web in webs}
    longest = max(float(cells[web]["pages"][-1]) for web in own)
    grid = np.linspace(size / 1000, min(longest, WIDEST * size), POINTS)
    points: dict[str, NDArray[np.float64]] = {"pages": grid}
    bands: dict[str, Band] = {}
    for column in COLUMNS:
        rows = {web: np.interp(grid, cell["pages"], cell[column]) for web, cell in cells.items()}
        points[column] = np.mean([rows[web] for web in own], axis=0)
        everything = np.array(list(rows.values()))
        bands[column] = everything.min(axis=0), everything.max(axis=0)
    return points, bands


def gains(figures: CrawlingFigures) -> Picture:
    """What `first` decides."""
    groups = {web.value: [other for other in figures.webs if other.label == web.label]
              for web in figures.webs if web.setting == "first"}  # fmt: skip
    groups[figures.of_size(figures.sizes()[0])[0].recipe().first] = figures.of_size(figures.plan.sweep[0])
    x = sorted(groups)
    points = [spread([100 * figures.gain([web]) for web in groups[value]]) for value in x]
    low, high = (100 * gain for gain in published()["server_based_gain"])
    series = [
        Series.of("ours", x, points),
        Series("theirs: 2 to 3", [x[0], x[-1]], [low, low], "#8A8A8A", "", [low, low], [high, high]),
    ]
    image = line_plot(
        series,
        xlabel="`first`: share of the links to other servers that lead to front pages",
        ylabel="points of harvest",
        ticks={value: f"{value:g}" for value in x},
    )
    return Picture(image, "The gain of server-based strategies: points of harvest after the first phase, by `first`")
