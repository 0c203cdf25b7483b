"""A claim is tried on webs of every recipe: settings that the paper does not print may turn it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dragoman.studies.claims import Ruling, by_setting
from dragoman.studies.crawling_2007.figures import CrawlFigure, CrawlingFigures, percent
from dragoman.studies.crawling_2007.plan import Web

Webs = Sequence[Web]


def ruling(figures: CrawlingFigures, holds: Callable[[Webs], bool]) -> Ruling:
    """The ruling on a claim; where a change of a setting turns it, that is named."""
    return by_setting({label: bool(holds(webs)) for label, webs in figures.recipes.items()})


def over_recipes(figures: CrawlingFigures, job: str, figure: CrawlFigure, digits: int = 1) -> str:
    """A figure of a crawl in percent, with the lowest and the highest over the recipes."""
    return f"{percent(figures.band(lambda webs: figures.mean(job, figure, webs)), digits)} %"
