"""The tables of the report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.crawl.simulate import LEVELS
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.crawling_2007.figures import Figures, Spread
from dragoman.studies.crawling_2007.findings import Finding


def claims(found: Sequence[Finding]) -> Table:
    """Each statement of the paper with its verdict, figures and reason."""
    rows: list[list[CellValue]] = [
        [number, one.verdict, one.claim, one.measured, one.reason] for number, one in enumerate(found, 1)
    ]
    names = ("Here", "The paper's statement", "Measured", "Why")
    return Table(
        "The paper's statements on our webs", [Column("", "count"), *(Column(name, "text") for name in names)], rows,
        "In brackets behind a statement: the paper's section; behind a figure: lowest and highest over the seeds.",
    )  # fmt: skip


def web_statistics(figures: Figures) -> Table:
    """Tables 4 and 5 and sizes, theirs and ours at each size."""
    study = figures.study
    cells = {pages: [study.about(web) for web in study.of_size(pages)] for pages in study.sizes()}
    first = next(iter(cells.values()))[0]
    rows: list[list[CellValue]] = []
    for place, name in enumerate(first["names"].tolist()):
        row: list[CellValue] = [str(name)]
        for group in cells.values():
            values = [float(cell["ours"][place]) for cell in group]
            misfit = any(abs(value - float(first["paper"][place])) > float(first["allowed"][place]) for value in values)
            spread = Interval(float(np.mean(values)), min(values), max(values)) if len(values) > 1 else values[0]
            row.append(Versus(float(first["paper"][place]), spread, "beyond what is allowed" if misfit else ""))
        rows.append(row)
    columns = [Column("percent", "text"), *(Column(f"{pages:,} pages", "pair", 2) for pages in cells)]
    note = (
        "Allowed: 1 point, 0.2 for shares under 2; hard-focused 86 to 93 %. Links per page are a number, not percent."
    )
    return Table("Tables 4 and 5 and sizes", columns, rows, note)


def _cell(spread: Spread) -> CellValue:
    if np.isnan(spread.mean):
        return None
    if spread.low == spread.high:
        return 100 * spread.mean
    return Interval(100 * spread.mean, 100 * spread.low, 100 * spread.high)


def strategies(figures: Figures, pages: int, *, extra: bool) -> Table:
    """Coverage, harvest, queue and servers of each strategy on webs of one size."""
    rows: list[list[CellValue]] = []
    for job in figures.study.jobs:
        if job.extra is not extra:
            continue
        final = figures.spread(job.name, lambda cell: float(cell["final"][1]), pages)
        rows.append([
            job.name, _cell(figures.coverage(job.name, pages)), _cell(final),
            *(_cell(figures.crawled(job.name, place, pages)) for place in range(3)),
            _cell(figures.first_phase(job.name, pages)),
            *(_cell(figures.harvest_at(job.name, level, pages)) for level in LEVELS),
        ])  # fmt: skip
    names = ["coverage", "harvest", "pages", "max queue", "servers", "first phase"]
    names += [f"at {100 * level:g} %" for level in LEVELS]
    title = "Options that the paper leaves open, and ours" if extra else "Strategies"
    webs = len(figures.study.of_size(pages))
    return Table(
        f"{title}, {pages:,} pages, {webs} {'seeds' if webs > 1 else 'seed'}",
        [Column("strategy", "text"), *(Column(name, digits=1) for name in names)],
        rows,
        "Percent. Pages, longest queue and servers are relative to the pages of the web. First phase: harvest after "
        "10.9 % of the web, as 2 of 18.3 million pages. At: harvest when that share of the target pages was reached.",
    )
