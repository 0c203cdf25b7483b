"""The study's figures: means over the seeds of a size with the lowest and the highest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS
from dragoman.measures import Interval
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.crawling_2007.plan import CrawlingPlan, CrawlJob, Web
from dragoman.studies.intervals import spread
from dragoman.studies.published import published_figures


def published() -> dict[str, Any]:
    """What sections 5.2 and 5.3 say in numbers.

    >>> published()["hard_focused_missed"], published()["first_phase_harvest"]
    (0.1, 0.7)
    """
    strategies: dict[str, Any] = published_figures(__package__)["strategies"]
    return strategies


def percent(share: Interval, digits: int = 1) -> str:
    """`69.0 [68.1, 70.2]`: a share in percent; one number where all seeds have the same.

    >>> percent(Interval(0.55, 0.5, 0.6)), percent(Interval(0.5, 0.5, 0.5)), percent(Interval(np.nan, 0.5, 0.5))
    ('55.0 [50.0, 60.0]', '50.0', 'never reached')
    """
    if np.isnan(share.value):
        return "never reached"
    mean, low, high = (f"{100 * value:.{digits}f}" for value in (share.value, share.low, share.high))
    return mean if low == high else f"{mean} [{low}, {high}]"


@dataclass(frozen=True)
class CrawlingFigures:
    """What tables and findings ask for."""

    plan: CrawlingPlan
    webs: tuple[Web, ...]
    jobs: tuple[CrawlJob, ...]
    cells: Cells

    def about(self, web: Web) -> Arrays:
        """A web's statistics beside the paper's, and its distances."""
        return self.cells.get(f"{web.name}/web")

    def crawl(self, web: Web, job: str) -> Arrays:
        """What came of one crawl."""
        return self.cells.get(f"{web.name}/{job}")

    def sizes(self) -> list[int]:
        """The sizes of the webs, smallest first."""
        return sorted({web.pages for web in self.webs})

    def of_size(self, pages: int) -> list[Web]:
        """The webs of one size."""
        return [web for web in self.webs if web.pages == pages]

    @property
    def judged(self) -> int:
        """The size that findings are about: the largest with three webs or more, else the one with most of them."""
        sizes = self.sizes()
        enough = [pages for pages in sizes if len(self.of_size(pages)) >= 3]
        return max(enough) if enough else max(sizes, key=lambda pages: len(self.of_size(pages)))

    def spread(self, job: str, figure: Callable[[Arrays], float], pages: int = 0) -> Interval:
        """One figure of a crawl over the webs of a size."""
        return spread([float(figure(self.crawl(web, job))) for web in self.of_size(pages or self.judged)])

    def coverage(self, job: str, pages: int = 0) -> Interval:
        """Final coverage."""
        return self.spread(job, lambda cell: cell["final"][0], pages)

    def missed(self, job: str, pages: int = 0) -> Interval:
        """The share of target pages missed at the end."""
        return self.spread(job, lambda cell: 1.0 - float(cell["final"][0]), pages)

    def harvest_at(self, job: str, level: float, pages: int = 0) -> Interval:
        """Harvest when a share of the target pages was reached."""
        return self.spread(job, lambda cell: float(cell["harvest_at"][LEVELS.index(level)]), pages)

    def first_phase(self, job: str, pages: int = 0) -> Interval:
        """Harvest after the first phase (2 million of 18.3 million pages, at this size)."""
        return self.spread(job, lambda cell: float(cell["first_phase"]), pages)

    def crawled(self, job: str, what: int, pages: int = 0) -> Interval:
        """0: pages, 1: the longest queue, 2: servers; as shares of the web's pages."""
        size = pages or self.judged
        return self.spread(job, lambda cell: float(cell["crawled"][what]) / size, pages)

    def missed_within(self, job: str) -> NDArray[np.float64]:
        """Mean misses by distance over the webs of the judged size; as long as the shortest."""
        rows = [self.crawl(web, job)["missed"] for web in self.of_size(self.judged)]
        length = min(len(row) for row in rows)
        with np.errstate(invalid="ignore"):
            mean: NDArray[np.float64] = np.mean([row[:length] for row in rows], axis=0)
        return mean

    def drawn(self) -> Web:
        """The web whose curves are drawn: the first of the largest size."""
        return self.of_size(self.sizes()[-1])[0]

    def shown_jobs(self) -> Iterator[CrawlJob]:
        """The jobs whose curves are drawn."""
        left_out = {"aggressive-server, T 5", "conservative-server, T 5", "conservative-directory, T 20"}
        return (job for job in self.jobs if not job.extra and job.name not in left_out)
