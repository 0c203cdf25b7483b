"""A synthetic web calibrated to the statistics of a real crawl (Tamura et al., 2007).

`make(Recipe(pages=..., seed=...))` gives a graph and what only its maker knows; `urls` and `noisy_scores` give its
URLs and a score for each; `statistics` sets its figures beside the paper's. docs/explanation/synthetic-web.md says
what it is made of.
"""

from dragoman.crawl.synth.recipe import Recipe
from dragoman.crawl.synth.statistics import Statistic, statistics, table
from dragoman.crawl.synth.urls import chunks, noisy_scores, urls
from dragoman.crawl.synth.web import SyntheticWeb, make

__all__ = ["Recipe", "Statistic", "SyntheticWeb", "chunks", "make", "noisy_scores", "statistics", "table", "urls"]
