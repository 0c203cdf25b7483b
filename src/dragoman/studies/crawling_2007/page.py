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
        note="In brackets: lowest and highest over the seeds, or over the recipes where these are named.",
    )
    legend = Legend("published in 2007, on a crawl of the Thai web", "on synthetic webs")
    counts = ", ".join(f"{len(figures.of_size(pages))} of {pages:,} pages" for pages in figures.sizes())
    changed = sum(bool(web.setting) for web in figures.webs)
    sizes = list(reversed(figures.sizes()))
    sections = [
        Section(f"Each statement, on webs of {figures.judged:,} pages", [legend, claims]),
        Section("The webs", [tables.web_statistics(figures), tables.distances(figures), *pictures.webs(figures)]),
        Section("Unprinted settings", [tables.sweep(figures), pictures.gains(figures)]),
        Section("Strategies", [tables.strategies(figures, pages, "strategies") for pages in sizes]),
        Section("Figures 4 to 8", pictures.crawls(figures)),
        Section("Options", [tables.strategies(figures, pages, "options") for pages in sizes]),
        Section("Identification", [tables.identification(), tables.strategies(figures, figures.judged, "errors")]),
        Section("The country's domain", [tables.strategies(figures, figures.judged, "domain")]),
        Section("Other seeds", [tables.other_seeds(figures)]),
        Section("What differs from the paper", [Points(departures(__package__))]),
    ]
    return ReportPage(
        "Language-specific crawling: the 2007 study on synthetic webs",
        sections,
        lead=(
            "Tamura, Somboonviwat and Kitsuregawa, A Method for Language-Specific Web Crawling and Its Evaluation "
            f"(Systems and Computers in Japan 38(2), 2007). Webs: {counts}, and {changed} of {figures.plan.sweep[0]:,} "
            f"pages with one setting changed; scale `{figures.plan.name}`."
        ),
        footer=footer,
    )
