"""Crawls of a stored graph without any network: a strategy's Python class, or its compiled twin where it names one."""

from dragoman.crawl.simulate.runs import LEVELS, Run, distances, misses_by_distance
from dragoman.crawl.simulate.sharded import Shards
from dragoman.crawl.simulate.simulation import Simulation, simulate

__all__ = ["LEVELS", "Run", "Shards", "Simulation", "distances", "misses_by_distance", "simulate"]
