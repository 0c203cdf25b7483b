"""A synthetic web's statistics beside those of the paper, with the misfits named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.crawl.synth.recipe import published
from dragoman.kernels.graph import distances
from dragoman.web.graph import Graph
from dragoman.web.locality import Locality, locality

_NAMES = (
    ("target page", "pages_table", "target"),
    ("other page on a target server", "pages_table", "mixed"),
    ("other page on another server", "pages_table", "other"),
    ("target server", "servers_table", "target"),
    ("other server", "servers_table", "other"),
)


@dataclass(frozen=True)
class Statistic:
    """One figure of the paper (None: it prints none), what we have, and how far apart they may be."""

    name: str
    paper: float | None
    ours: float | None
    allowed: float

    @property
    def fits(self) -> bool:
        """True if the difference is allowed; where the paper prints nothing, everything is."""
        return self.paper is None or (self.ours is not None and abs(self.ours - self.paper) <= self.allowed)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"name": self.name, "paper": self.paper, "ours": self.ours, "allowed": self.allowed, "fits": self.fits}


def statistics(graph: Graph, language: str, measured: Locality | None = None) -> list[Statistic]:
    """The shares of Tables 4 and 5, of URLs only seen and of target pages, and what hard-focused can reach.

    In percent. Allowed is 1 point, or 0.2 points for shares under 2. What hard-focused reaches in all is not printed
    in the paper (of the pages within distance 6 "nearly 10 %" are left): made webs were fitted to about 89.5 %.
    """
    measured = measured or locality(graph, language)
    return [*_tables(measured), *_sizes(graph, measured), _hard_focused(graph, language)]


def _tables(measured: Locality) -> Iterator[Statistic]:
    for row, (name, table, key) in zip(measured.rows(), _NAMES, strict=True):
        theirs = published()[table][key]
        for where, extra, ours in (("", "", row["share"]), (", between servers", "_between", row["between_share"])):
            good, bad = theirs["target" + extra], theirs["other" + extra]
            share = 100 * good / (good + bad)
            to = "target pages" if table == "pages_table" else "target servers"
            yield Statistic(
                f"links from {name} to {to}{where}",
                share,
                None if ours is None else 100 * ours,
                0.2 if share < 2 else 1,
            )


def _sizes(graph: Graph, measured: Locality) -> Iterator[Statistic]:
    paper = published()
    seen = 100 * paper["seen"] / (paper["seen"] + paper["pages"])
    yield Statistic("URLs only seen", seen, 100 * (1 - measured.pages / len(graph)) if len(graph) else None, 2)
    target = 100 * paper["target_pages"] / paper["pages"]
    yield Statistic("target pages", target, 100 * measured.target_pages / measured.pages if measured.pages else None, 1)
    servers = 100 * paper["target_servers"] / paper["servers"]
    live = len(np.unique(graph.server[graph.fetched]))
    yield Statistic("target servers", servers, 100 * measured.target_servers / live if live else None, 1)
    per_page = paper["links"] / paper["pages"]
    yield Statistic("links per page", per_page, graph.links / measured.pages if measured.pages else None, 0.3)


def _hard_focused(graph: Graph, language: str) -> Statistic:
    target = graph.is_in(language)
    reached = distances(graph.indptr, graph.targets, graph.seeds, target) >= 0
    total = int(target.sum())
    share = 100 * int((reached & target).sum()) / total if total else None
    return Statistic("target pages that hard-focused reaches", None, share, 100.0)


def table(rows: list[Statistic]) -> list[str]:
    """Lines for people: the paper's figure, ours, and a word where they do not fit."""
    lines = [f"{'percent':<66} {'paper':>7} {'here':>7}"]
    for row in rows:
        paper, ours = ("-" if value is None else f"{value:.2f}" for value in (row.paper, row.ours))
        misfit = "" if row.fits else f"  MISFIT (allowed: {row.allowed:g})"
        lines.append(f"{row.name:<66} {paper:>7} {ours:>7}{misfit}")
    return lines
