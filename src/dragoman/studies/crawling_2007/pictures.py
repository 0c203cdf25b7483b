"""The plots of the report: Figures 1 and 2 of the webs, Figures 4 to 8 of the crawls."""

from __future__ import annotations

import numpy as np

from dragoman.report.crawl_plots import CrawlCurves, Line, crawl_figures, crawl_lines
from dragoman.report.html import Picture
from dragoman.studies.crawling_2007.figures import CrawlingFigures, published


def webs(figures: CrawlingFigures) -> list[Picture]:
    """How target pages lie in the web."""
    web = figures.drawn()
    about = figures.about(web)
    share = np.cumsum(about["target_at"]) / np.maximum(1, np.cumsum(about["pages_at"]))
    by_distance = crawl_lines(
        [Line("share of target pages", "scout", np.arange(len(share)), share)],
        xlabel="distance from the seeds, at most",
        ylabel="target pages among all",
        shares=True,
        ends=False,
    )
    nearest = about["nearest_at"][1:]
    counts = np.log10(np.where(nearest > 0, nearest, np.nan))
    to_nearest = crawl_lines(
        [Line("target pages", "conservative-server", np.arange(1, len(nearest) + 1), counts)],
        xlabel="distance to the nearest other target page",
        ylabel="log10 of target pages",
        ends=False,
    )
    size = f"{web.pages:,} pages"
    return [
        Picture(by_distance, f"Figure 1: share of target pages by distance from the seeds, {size}"),
        Picture(to_nearest, f"Figure 2: target pages by distance to the nearest other one, {size}; theirs end at 10"),
    ]


def crawls(figures: CrawlingFigures) -> list[Picture]:
    """What came of each crawl, beside the levels that the paper's text states."""
    web = figures.drawn()
    everything = ("bfs", "soft-focused", "perfect", "perfect-fewest")
    curves = [
        CrawlCurves(job.name, job.strategy, cell, None if job.strategy in everything else cell["missed"])
        for job, cell in ((job, figures.crawl(web, job.name)) for job in figures.shown_jobs())
    ]
    levels = {
        "missed": (published()["hard_focused_missed"], "theirs, hard-focused: nearly 10 %"),
        "harvest": (published()["first_phase_harvest"], "theirs, first phase: about 70 %"),
    }
    drawn = crawl_figures(curves, 0.28 * web.pages, wanted="target pages", levels=levels)
    size = f"{web.pages:,} pages"
    captions = {
        "figure-4-misses": f"Figure 4: target pages missed, {size}",
        "figure-5-coverage": f"Figure 5: coverage, {size}; a mark where a crawl ended",
        "figure-6-harvest": f"Figure 6: harvest, {size}",
        "figure-7-queue": f"Figure 7: the queue, {size}",
        "figure-8-servers": f"Figure 8: servers accessed, {size}",
    }
    return [Picture(drawn[name], caption) for name, caption in captions.items()]
