"""A synthetic web calibrated to the statistics of a real crawl (Tamura et al., 2007).

`make(Recipe(pages=..., seed=...))` gives a graph and what only its maker knows; `urls` its URLs; `statistics` sets its
figures beside the paper's. docs/explanation/synthetic-web.md says what it is made of.
"""

from dragoman.crawl.synth.recipe import Recipe
from dragoman.crawl.synth.statistics import Statistic, statistics, table
from dragoman.crawl.synth.urls import urls
from dragoman.crawl.synth.web import SyntheticWeb, make

__all__ = ["Recipe", "Statistic", "SyntheticWeb", "make", "statistics", "table", "urls"]
