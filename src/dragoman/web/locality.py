"""How languages keep together in a graph: links between languages, and distances to pages in one language.

The analysis of section 3 of Tamura, Somboonviwat and Kitsuregawa (2007), for any graph and any language: Table 4 (pages
at both ends of links), Table 5 (servers at both ends), Figure 1 (share of target pages by distance from the seeds) and
Figure 2 (distance from one target page to the nearest other one). Each is linear in vertices and links and needs at
most some 30 bytes per vertex beside the graph.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels import graph as kernel
from dragoman.types import Language
from dragoman.web.graph import Graph

#: The rows of Table 4 and Table 5.
PAGE_ROWS = ("target page", "other page on a target server", "other page on another server")
SERVER_ROWS = ("target server", "other server")


@dataclass(frozen=True, eq=False)
class Locality:
    """What a graph says about one language. Tables: links to (target, other), all and between servers."""

    language: Language
    pages: int
    target_pages: int
    target_servers: int
    #: [row, 0 target or 1 other]: links, and links between servers, by page (3 rows) and by server (2 rows).
    page_table: NDArray[np.int64]
    page_table_between: NDArray[np.int64]
    server_table: NDArray[np.int64]
    server_table_between: NDArray[np.int64]
    #: By distance from the seeds: fetched pages and target pages, not cumulated.
    pages_at: NDArray[np.int64]
    target_at: NDArray[np.int64]
    #: Target pages by the distance from the nearest other target page; element 0 is 0.
    nearest_at: NDArray[np.int64]
    #: Target pages to which no path from another one leads.
    alone: int

    @property
    def target_share_within(self) -> NDArray[np.float64]:
        """The share of target pages among the pages within each distance (Figure 1)."""
        within: NDArray[np.float64] = np.cumsum(self.target_at) / np.maximum(1, np.cumsum(self.pages_at))
        return within

    def rows(self) -> list[dict[str, Any]]:
        """Tables 4 and 5 for people and JSON; a share is None where there are no links."""
        tables = (
            ("pages", PAGE_ROWS, self.page_table, self.page_table_between),
            ("servers", SERVER_ROWS, self.server_table, self.server_table_between),
        )
        return [
            {
                "table": table,
                "from": name,
                "to_target": int(all_links[row, 0]),
                "to_other": int(all_links[row, 1]),
                "share": share(all_links[row]),
                "between_to_target": int(between[row, 0]),
                "between_to_other": int(between[row, 1]),
                "between_share": share(between[row]),
            }
            for table, names, all_links, between in tables
            for row, name in enumerate(names)
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything, with plain numbers."""
        return {
            "language": self.language,
            "pages": self.pages,
            "target_pages": self.target_pages,
            "target_servers": self.target_servers,
            "links": self.rows(),
            "distance_from_seeds": {"pages": self.pages_at.tolist(), "target_pages": self.target_at.tolist()},
            "distance_to_nearest": {"target_pages": self.nearest_at.tolist(), "alone": self.alone},
        }


def share(row: NDArray[np.int64]) -> float | None:
    """The first of the two numbers as a share of both."""
    total = int(row.sum())
    return int(row[0]) / total if total else None


def locality(graph: Graph, language: str) -> Locality:
    """The tables and distances of a graph for one language.

    As in the paper, a target server has at least one target page, other servers have pages but no target page, and
    servers that gave no page are left out; Table 4 counts links between fetched pages, Table 5 also those to URLs that
    were only seen. Several links between two pages count as often as the graph has them.
    """
    target = graph.is_in(language)
    servers = server_kinds(graph, target)
    of_page = page_groups(graph, target, servers)
    pages = kernel.joined(graph.indptr, graph.targets, of_page, graph.server, 3)
    of_server = np.full(graph.servers, kernel.LEFT_OUT, np.uint8)
    of_server[servers >= 0] = 1 - servers[servers >= 0]
    table = kernel.joined(graph.indptr, graph.targets, of_server[graph.server], graph.server, 2)
    from_seeds = kernel.distances(graph.indptr, graph.targets, graph.seeds)
    nearest = kernel.nearest(graph.indptr, graph.targets, target)[target]
    far = int(from_seeds.max(initial=0)) + 1
    by_page, by_page_between = (np.stack([counts[:, 0], counts[:, 1:].sum(axis=1)], axis=1) for counts in pages)
    return Locality(
        language,
        int(graph.fetched.sum()),
        int(target.sum()),
        int((servers == 1).sum()),
        by_page,
        by_page_between,
        table[0],
        table[1],
        np.bincount(from_seeds[graph.fetched & (from_seeds >= 0)], minlength=far),
        np.bincount(from_seeds[target & (from_seeds >= 0)], minlength=far),
        np.bincount(nearest[nearest > 0], minlength=2),
        int((nearest < 0).sum()),
    )


def server_kinds(graph: Graph, target: NDArray[np.bool_]) -> NDArray[np.int8]:
    """1 for servers with a target page, 0 for those with other pages only, -1 for those without a fetched page."""
    kinds = np.full(graph.servers, -1, np.int8)
    kinds[graph.server[graph.fetched]] = 0
    kinds[graph.server[target]] = 1
    return kinds


def page_groups(graph: Graph, target: NDArray[np.bool_], servers: NDArray[np.int8]) -> NDArray[np.uint8]:
    """The row of Table 4 that each vertex belongs to; LEFT_OUT where it was not fetched."""
    groups = (2 - servers[graph.server]).astype(np.uint8)  # 1 on a target server, 2 on another
    groups[target] = 0
    groups[~graph.fetched] = kernel.LEFT_OUT
    return groups


def plain_joined(graph: Graph, group: NDArray[np.uint8], groups: int) -> NDArray[np.int64]:
    """What kernels.graph.joined counts, one link at a time."""
    counts = np.zeros((2, groups, groups), np.int64)
    for page in range(len(graph)):
        for end in graph.targets[graph.indptr[page] : graph.indptr[page + 1]]:
            if kernel.LEFT_OUT in (group[page], group[end]):
                continue
            counts[0, group[page], group[end]] += 1
            counts[1, group[page], group[end]] += graph.server[page] != graph.server[end]
    return counts


def plain_distances(graph: Graph, sources: NDArray[np.uint32], through: NDArray[np.bool_] | None = None) -> list[int]:
    """What kernels.graph.distances finds: breadth-first search."""
    distance = [-1] * len(graph)
    queue = deque(dict.fromkeys(map(int, sources)))
    for source in queue:
        distance[source] = 0
    while queue:
        page = queue.popleft()
        if through is None or through[page]:
            for end in map(int, graph.targets[graph.indptr[page] : graph.indptr[page + 1]]):
                if distance[end] < 0:
                    distance[end] = distance[page] + 1
                    queue.append(end)
    return distance


def plain_nearest(graph: Graph, marked: NDArray[np.bool_]) -> list[int]:
    """What kernels.graph.nearest finds: a search from every marked page. Quadratic; for tests and small graphs."""
    nearest = [-1] * len(graph)
    for source in np.flatnonzero(marked).astype(np.uint32):
        for page, distance in enumerate(plain_distances(graph, np.array([source], np.uint32))):
            if marked[page] and distance > 0 and (nearest[page] < 0 or distance < nearest[page]):
                nearest[page] = distance
    return nearest
