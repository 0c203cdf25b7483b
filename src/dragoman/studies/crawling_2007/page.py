"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.report.crawl_plots import Line, crawl_lines
from dragoman.report.html import Legend, Part, Picture, Points, ReportPage, Section
from dragoman.studies.claims import Finding, claims_table
from dragoman.studies.crawling_2007 import tables
from dragoman.studies.crawling_2007.figures import CrawlingFigures, published

DEPARTURES = (
    "The webs are synthetic: the paper's crawl of 2004 is not to be had. They are made to have the shares of its "
    "Tables 4 and 5; everything else about them is ours, so a statement that fails here may hold on the real web.",
    "Relevance is the page's language itself: identification is taken to be free of errors.",
    "A URL that waits with low priority and is found on a relevant page moves up (promotion); the paper does not say. "
    "Among equals the first found goes first.",
    "N_a <= T means T + 1 downloads. A server's waiting URLs leave the queue when it turns irrelevant. Step 4.5 asks "
    "for servers from which nothing was downloaded. The queue counts URLs; those without content stay in it, as in "
    "Figure 7.",
    "Perfect is the breadth-first tree of the target pages, as in the paper; `perfect-fewest` takes the paths with the "
    "fewest other pages.",
    "The noisy score has recall .82 with false positives .18 (d' 1.8; half of the variance of its noise is shared by a "
    "server's URLs). scout was tuned on webs of other seeds.",
)


def study_page(figures: CrawlingFigures, findings: Sequence[Finding], footer: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    claims = claims_table(
        findings,
        title="The paper's statements on our webs",
        claim="The paper's statement",
        measured="Measured",
        reason="Why",
        note="In brackets behind a statement: the paper's section; behind a figure: lowest and highest over the seeds.",
    )
    legend = Legend("published in 2007, on a crawl of the Thai web", "on synthetic webs")
    counts = ", ".join(f"{len(figures.of_size(pages))} of {pages:,} pages" for pages in figures.sizes())
    sections = [
        Section(
            f"Each statement, on webs of {figures.judged:,} pages",
            [legend, claims],
        ),
        Section("The webs", [tables.web_statistics(figures), *_graph_pictures(figures)]),
        Section("Strategies", [tables.strategies(figures, pages, extra=False) for pages in reversed(figures.sizes())]),
        Section(
            "Options and ours", [tables.strategies(figures, pages, extra=True) for pages in reversed(figures.sizes())]
        ),
        Section("Figures 4 to 8", _crawl_pictures(figures)),
        Section("What differs from the paper", [Points(DEPARTURES)]),
    ]
    return ReportPage(
        "Language-specific crawling: the 2007 study on synthetic webs",
        sections,
        lead=(
            "Tamura, Somboonviwat and Kitsuregawa, A Method for Language-Specific Web Crawling and Its Evaluation "
            f"(Systems and Computers in Japan 38(2), 2007). Webs: {counts}; scale `{figures.plan.name}`."
        ),
        footer=footer,
    )


def _graph_pictures(figures: CrawlingFigures) -> list[Part]:
    about = figures.about(figures.drawn())
    share = np.cumsum(about["target_at"]) / np.maximum(1, np.cumsum(about["pages_at"]))
    one = crawl_lines(
        [Line("share of target pages", "scout", np.arange(len(share)), share)],
        xlabel="distance from the seeds, at most", ylabel="target pages among all", shares=True, ends=False,
    )  # fmt: skip
    nearest = about["nearest_at"][1:]
    with_any = np.where(nearest > 0, nearest, np.nan)
    two = crawl_lines(
        [Line("target pages", "conservative-server", np.arange(1, len(nearest) + 1), np.log10(with_any))],
        xlabel="distance to the nearest other target page", ylabel="log10 of target pages", ends=False,
    )  # fmt: skip
    drawn = f"{figures.drawn().pages:,} pages"
    return [
        Picture(one, f"Figure 1: share of target pages by distance from the seeds, {drawn}"),
        Picture(two, f"Figure 2: target pages by distance to the nearest other one, {drawn}; theirs end at 10"),
    ]


def _crawl_pictures(figures: CrawlingFigures) -> list[Part]:
    web = figures.drawn()
    jobs = list(figures.shown_jobs())
    cells = {job.name: figures.crawl(web, job.name) for job in jobs}
    widest = 0.28 * web.pages

    def lines(column: str) -> list[Line]:
        return [Line(job.name, job.strategy, cells[job.name]["pages"], cells[job.name][column]) for job in jobs]

    def top(column: str) -> float:
        return 1.05 * max(float(np.max(cell[column][cell["pages"] <= widest], initial=1)) for cell in cells.values())

    missing = [
        Line(job.name, job.strategy, np.arange(len(cells[job.name]["missed"])), cells[job.name]["missed"])
        for job in jobs
        if job.strategy not in ("bfs", "soft-focused", "perfect", "perfect-fewest")
    ]
    pages, size = "pages crawled", f"{web.pages:,} pages"
    return [
        Picture(
            crawl_lines(missing, xlabel="distance from the seeds, at most", ylabel="target pages missed", shares=True,
                        ends=False, level=(published()["hard_focused_missed"], "theirs, hard-focused: nearly 10 %")),
            f"Figure 4: target pages missed, {size}",
        ),
        Picture(
            crawl_lines(lines("coverage"), xlabel=pages, ylabel="coverage", shares=True, widest=widest, highest=1.03),
            f"Figure 5: coverage, {size}; a mark where a crawl ended",
        ),
        Picture(
            crawl_lines(lines("harvest"), xlabel=pages, ylabel="harvest", shares=True, widest=widest, highest=1.03,
                        level=(published()["first_phase_harvest"], "theirs, first phase: about 70 %")),
            f"Figure 6: harvest, {size}",
        ),
        Picture(
            crawl_lines(lines("queue"), xlabel=pages, ylabel="URLs in the queue", widest=widest, highest=top("queue")),
            f"Figure 7: the queue, {size}",
        ),
        Picture(
            crawl_lines(lines("servers"), xlabel=pages, ylabel="servers accessed", widest=widest,
                        highest=top("servers")),
            f"Figure 8: servers accessed, {size}",
        ),
    ]  # fmt: skip
