"""The study's figures: means over the seeds of a size, and how far unprinted settings of the webs move them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS
from dragoman.measures import Interval
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.crawling_2007.plan import AS_MADE, CrawlingPlan, CrawlJob, Web
from dragoman.studies.intervals import spread
from dragoman.studies.published import published_figures

#: A figure of a finished crawl.
CrawlFigure = Callable[[Arrays], float]
#: The parts of the web after which the harvest at the start of a crawl is told.
EARLY = (0.001, 0.005, 0.01)


def published() -> dict[str, Any]:
    """What sections 5.2 and 5.3 say in numbers.

    >>> published()["hard_focused_missed"], published()["first_phase_harvest"]
    (0.1, 0.7)
    """
    strategies: dict[str, Any] = published_figures(__package__)["strategies"]
    return strategies


def percent(share: Interval, digits: int = 1) -> str:
    """`69.0 [68.1, 70.2]`: a share in percent; one number where all are the same.

    >>> percent(Interval(0.55, 0.5, 0.6)), percent(Interval(0.5, 0.5, 0.5)), percent(Interval(np.nan, 0.5, 0.5))
    ('55.0 [50.0, 60.0]', '50.0', 'never reached')
    """
    if np.isnan(share.value):
        return "never reached"
    mean, low, high = (f"{100 * value:.{digits}f}" for value in (share.value, share.low, share.high))
    return mean if low == high else f"{mean} [{low}, {high}]"


def coverage(cell: Arrays) -> float:
    """Final coverage."""
    return float(cell["final"][0])


def missed(cell: Arrays) -> float:
    """The share of target pages missed at the end."""
    return 1.0 - coverage(cell)


def harvest(cell: Arrays) -> float:
    """Harvest at the end."""
    return float(cell["final"][1])


def first_phase(cell: Arrays) -> float:
    """Harvest after the first phase (2 million of 18.3 million pages, at this size)."""
    return float(cell["first_phase"])


def pages_crawled(cell: Arrays) -> float:
    """How many pages were crawled."""
    return float(cell["crawled"][0])


def longest_queue(cell: Arrays) -> float:
    """How long the queue was at most."""
    return float(cell["crawled"][1])


def servers_accessed(cell: Arrays) -> float:
    """How many servers were accessed."""
    return float(cell["crawled"][2])


def harvest_at(level: float) -> CrawlFigure:
    """Harvest when a share of the target pages was reached."""
    return lambda cell: float(cell["harvest_at"][LEVELS.index(level)])


def harvest_early(part: float) -> CrawlFigure:
    """Harvest after that part of the web."""
    return lambda cell: float(cell["early"][EARLY.index(part)])


def missed_within(distance: int) -> CrawlFigure:
    """The share of the target pages within a distance from the seeds that were missed."""
    return lambda cell: float(cell["missed"][min(distance, len(cell["missed"]) - 1)])


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
        """The sizes of the webs as we make them, smallest first."""
        return sorted({web.pages for web in self.webs if not web.setting})

    def of_size(self, pages: int) -> list[Web]:
        """The webs of one size as we make them."""
        return [web for web in self.webs if web.pages == pages and not web.setting]

    @property
    def judged(self) -> int:
        """The size that findings are about: the largest with three webs or more, else the one with most of them."""
        sizes = self.sizes()
        enough = [pages for pages in sizes if len(self.of_size(pages)) >= 3]
        return max(enough) if enough else max(sizes, key=lambda pages: len(self.of_size(pages)))

    @property
    def judged_webs(self) -> list[Web]:
        """The webs that findings are about."""
        return self.of_size(self.judged)

    @cached_property
    def recipes(self) -> dict[str, list[Web]]:
        """Webs by what they are made of: as we make them at each size, then with one setting changed."""
        groups: dict[str, list[Web]] = {}
        for web in self.webs:
            label = web.label if web.setting or web.pages == self.judged else f"{AS_MADE}, {web.pages:,} pages"
            groups.setdefault(label, []).append(web)
        return groups

    def spread(self, job: str, figure: CrawlFigure, webs: Sequence[Web] = ()) -> Interval:
        """A figure of a crawl over these webs (those that are judged): mean, lowest and highest."""
        return spread([figure(self.crawl(web, job)) for web in webs or self.judged_webs])

    def mean(self, job: str, figure: CrawlFigure, webs: Sequence[Web] = ()) -> float:
        """Its mean."""
        return self.spread(job, figure, webs).value

    def band(self, figure: Callable[[Sequence[Web]], float]) -> Interval:
        """A figure of a group of webs: of those that are judged, with the lowest and the highest over the recipes."""
        values = [figure(webs) for webs in self.recipes.values()]
        return Interval(figure(self.judged_webs), min(values), max(values))

    def missed_by_distance(self, job: str, webs: Sequence[Web] = ()) -> NDArray[np.float64]:
        """Mean misses by distance; as long as the shortest."""
        rows = [self.crawl(web, job)["missed"] for web in webs or self.judged_webs]
        length = min(len(row) for row in rows)
        with np.errstate(invalid="ignore"):
            mean: NDArray[np.float64] = np.mean([row[:length] for row in rows], axis=0)
        return mean

    def gain(self, webs: Sequence[Web] = ()) -> float:
        """Harvest of server-based strategies less that of page-based ones after the first phase."""
        server, page = (
            np.mean([self.mean(job, first_phase, webs) for job in jobs])
            for jobs in (("conservative-server, T 10", "aggressive-server, T 10"), ("hard-focused", "soft-focused"))
        )
        return float(server - page)
