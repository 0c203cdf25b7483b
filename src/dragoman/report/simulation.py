"""What comes of simulated crawls: a table for people, the curves as rows, and plots like the paper's Figures 4 to 8."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS, Run, misses_by_distance
from dragoman.report.canvas import Image
from dragoman.report.crawl_plots import CrawlCurves, crawl_figures
from dragoman.report.tables import Column, Table
from dragoman.web.graph import Graph


@dataclass(frozen=True, eq=False)
class Shown:
    """A run and the share of relevant pages it missed within each distance from the seeds."""

    run: Run
    missed: NDArray[np.float64]
    #: True if it visited every page that can be reached.
    exhaustive: bool

    @classmethod
    def of(cls, run: Run, distance: NDArray[np.int32], relevant: NDArray[np.bool_]) -> Shown:
        """A run on a web whose pages are that far from the seeds."""
        everything = len(run.order) == np.count_nonzero(distance >= 0)
        return cls(run, misses_by_distance(run, distance, relevant), everything)

    @property
    def name(self) -> str:
        """The strategy, with its tolerance where that matters."""
        return f"{self.run.strategy}, T {self.run.tolerance}" if self.run.tolerant else self.run.strategy


def summary_table(shown: Sequence[Shown]) -> Table:
    """One row per run."""
    columns = [Column("strategy", "text"), Column("T", "text")]
    columns += [Column(name, "percent", 3) for name in ("coverage", "harvest")]
    columns += [Column(name, "count") for name in ("pages", "max queue", "servers")]
    columns += [Column(f"at {100 * level:g} %", "percent", 3) for level in LEVELS]
    rows = []
    for run in (each.run for each in shown):
        summary = run.summary()
        figures = [summary[name] for name in ("coverage", "harvest", "pages", "max_queue", "servers")]
        harvests = [run.harvest_at(level) for level in LEVELS]
        rows.append([run.strategy, str(run.tolerance) if run.tolerant else "", *figures, *harvests])
    note = "Right of servers: harvest when that share of the relevant pages was reached."
    return Table("Simulated crawls", columns, rows, note)


def curve_columns(shown: Sequence[Shown]) -> dict[str, Any]:
    """The columns of curves.parquet: strategy, tolerance, and the points of each run."""
    curves = [each.run.curve() for each in shown]
    names = ("pages", "relevant", "coverage", "harvest", "queue", "servers")
    points = {name: np.concatenate([np.empty(0), *(curve[name] for curve in curves)]) for name in names}
    return _runs(shown, [len(curve["pages"]) for curve in curves]) | points


def missed_columns(shown: Sequence[Shown]) -> dict[str, Any]:
    """The columns of misses.parquet: strategy, tolerance, distance, and the share missed within it."""
    lengths = [len(each.missed) for each in shown]
    missed = np.concatenate([np.empty(0), *(each.missed for each in shown)])
    return _runs(shown, lengths) | {"distance": _counted(lengths), "missed": missed}


def event_columns(shown: Sequence[Shown], graph: Graph) -> dict[str, Any]:
    """The columns of events.parquet: a row per page of each crawl, in its order, with what was found there."""
    lengths = [len(each.run.order) for each in shown]
    order = np.concatenate([np.empty(0, np.uint32), *(each.run.order for each in shown)])
    relevant = [np.diff(each.run.relevant_so_far, prepend=0) > 0 for each in shown]
    columns = _runs(shown, lengths) | {
        "step": _counted(lengths),
        "page": order,
        "server": graph.server[order],
        "relevant": np.concatenate([np.empty(0, np.bool_), *relevant]),
    }
    if graph.urls is not None:
        columns["url"] = [row.decode("utf-8", "replace") for row in graph.urls.take(order)]
    return columns


def _runs(shown: Sequence[Shown], lengths: Sequence[int]) -> dict[str, Any]:
    """The columns that say which run a row is of, for so many rows of each."""
    return {
        "strategy": np.repeat([each.run.strategy for each in shown], lengths).astype(str).tolist(),
        "tolerance": np.repeat(np.array([each.run.tolerance for each in shown], np.int64), lengths),
    }


def _counted(lengths: Sequence[int]) -> NDArray[np.int64]:
    """0, 1, 2 ... of each run."""
    return np.concatenate([np.empty(0, np.int64), *(np.arange(length) for length in lengths)])


def figures(shown: Sequence[Shown], image: Image = "svg") -> dict[str, bytes]:
    """The paper's Figures 4 to 8 for these runs, by file name without ending."""
    ended = [len(each.run.order) for each in shown if not each.exhaustive]
    widest = 1.6 * max(ended, default=0) or None  # bfs and soft-focused go on for long after the others
    crawls = []
    for each in shown:
        foregone = each.exhaustive or each.run.strategy_class.omniscient  # it misses nothing
        crawls.append(CrawlCurves(each.name, each.run.strategy, each.run.curve(), None if foregone else each.missed))
    return crawl_figures(crawls, widest, image=image)
