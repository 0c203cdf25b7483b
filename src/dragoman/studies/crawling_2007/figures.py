"""The study's figures: means over the seeds of a size with the lowest and the highest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS
from dragoman.studies.crawling_2007.plan import Job
from dragoman.studies.crawling_2007.study import Study, Web


@dataclass(frozen=True)
class Spread:
    """A mean with the lowest and the highest value; NaN where a value is missing."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """The spread of some values."""
        return cls(float(np.mean(values)), min(values), max(values))

    def text(self, digits: int = 1, unit: float = 100.0) -> str:
        """`69.0 [68.1, 70.2]` in percent; one number where all are the same."""
        if np.isnan(self.mean):
            return "never reached"
        mean, low, high = (f"{unit * value:.{digits}f}" for value in (self.mean, self.low, self.high))
        return mean if low == high else f"{mean} [{low}, {high}]"


class Figures:
    """What tables and findings ask for."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @property
    def judged(self) -> int:
        """The size that findings are about: the largest with three webs or more, else the one with most of them."""
        sizes = self.study.sizes()
        enough = [pages for pages in sizes if len(self.study.of_size(pages)) >= 3]
        return max(enough) if enough else max(sizes, key=lambda pages: len(self.study.of_size(pages)))

    def spread(self, job: str, figure: Callable[[dict[str, NDArray[np.generic]]], float], pages: int = 0) -> Spread:
        """One figure of a crawl over the webs of a size."""
        found = self.study.job(job)
        return Spread.of(
            [float(figure(self.study.crawl(web, found))) for web in self.study.of_size(pages or self.judged)]
        )

    def coverage(self, job: str, pages: int = 0) -> Spread:
        """Final coverage."""
        return self.spread(job, lambda cell: cell["final"][0], pages)

    def missed(self, job: str, pages: int = 0) -> Spread:
        """The share of target pages missed at the end."""
        return self.spread(job, lambda cell: 1.0 - float(cell["final"][0]), pages)

    def harvest_at(self, job: str, level: float, pages: int = 0) -> Spread:
        """Harvest when a share of the target pages was reached."""
        place = LEVELS.index(level)
        return self.spread(job, lambda cell: float(cell["harvest_at"][place]), pages)

    def first_phase(self, job: str, pages: int = 0) -> Spread:
        """Harvest after the first phase (2 million of 18.3 million pages, at this size)."""
        return self.spread(job, lambda cell: float(cell["first_phase"]), pages)

    def crawled(self, job: str, place: int, pages: int = 0) -> Spread:
        """0: pages, 1: the longest queue, 2: servers; as shares of the web's pages."""
        size = pages or self.judged
        return self.spread(job, lambda cell: float(cell["crawled"][place]) / size, pages)

    def missed_within(self, job: str) -> NDArray[np.float64]:
        """Mean misses by distance over the webs of the judged size; as long as the shortest."""
        rows = [self.study.crawl(web, self.study.job(job))["missed"] for web in self.study.of_size(self.judged)]
        length = min(len(row) for row in rows)
        with np.errstate(invalid="ignore"):
            mean: NDArray[np.float64] = np.mean([row[:length] for row in rows], axis=0)
        return mean

    def drawn(self) -> Web:
        """The web whose curves are drawn: the first of the largest size."""
        return self.study.of_size(self.study.sizes()[-1])[0]

    def shown_jobs(self) -> Iterator[Job]:
        """The jobs whose curves are drawn."""
        left_out = {"aggressive-server, T 5", "conservative-server, T 5", "conservative-directory, T 20"}
        return (job for job in self.study.jobs if not job.extra and job.name not in left_out)
