"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Points, ReportPage, Section
from dragoman.studies.claims import Finding, claims_table
from dragoman.studies.crawling_2007 import pictures, tables
from dragoman.studies.crawling_2007.figures import CrawlingFigures
from dragoman.studies.published import departures


def study_page(figures: CrawlingFigures, findings: Sequence[Finding], footer: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    claims = claims_table(
        findings,
        title="The paper's statements on our webs",
        claim="The paper's statement",
        measured="Measured",
        reason="Why",
        note="In brackets behind a figure: lowest and highest over the seeds.",
    )
    legend = Legend("published in 2007, on a crawl of the Thai web", "on synthetic webs")
    counts = ", ".join(f"{len(figures.of_size(pages))} of {pages:,} pages" for pages in figures.sizes())
    sections = [
        Section(
            f"Each statement, on webs of {figures.judged:,} pages",
            [legend, claims],
        ),
        Section("The webs", [tables.web_statistics(figures), *pictures.webs(figures)]),
        Section("Strategies", [tables.strategies(figures, pages, extra=False) for pages in reversed(figures.sizes())]),
        Section(
            "Options and ours", [tables.strategies(figures, pages, extra=True) for pages in reversed(figures.sizes())]
        ),
        Section("Figures 4 to 8", pictures.crawls(figures)),
        Section("What differs from the paper", [Points(departures(__package__))]),
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
