"""Small web graphs at random for the tests of strategies and simulator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.web.graph import Graph


def made_graph(
    seed: int, pages: int = 300, servers: int = 25, share: float = 0.3
) -> tuple[Graph, NDArray[np.bool_], NDArray[np.float32]]:
    """(graph, relevant, score): servers of one language mostly, links at home mostly, a fifth of the URLs only seen."""
    draw = np.random.default_rng(seed)
    server = np.sort(draw.integers(0, servers, pages)).astype(np.int32)
    directory = np.unique(server * 4 + draw.integers(0, 3, pages), return_inverse=True)[1].astype(np.int32)
    likely = np.where(draw.random(servers) < share, 0.8, 0.03)
    language = (draw.random(pages) >= likely[server]).astype(np.int16)
    fetched = draw.random(pages) < 0.8
    language[~fetched] = -1
    links = []
    for page in range(pages):
        home = np.flatnonzero(server == server[page])
        count = int(draw.poisson(4)) if fetched[page] else 0
        ends = np.where(draw.random(count) < 0.7, draw.choice(home, count), draw.integers(0, pages, count))
        links.append(list(dict.fromkeys(int(end) for end in ends if end != page)))
    graph = Graph.of(
        links, server=server, directory=directory, language=language, fetched=fetched, languages=("th", "en"),
        seeds=draw.choice(pages, 3, replace=False),
    )  # fmt: skip
    relevant = graph.is_in("th")
    score = (1.8 * (2 * (draw.random(pages) < np.where(relevant, 0.82, 0.18)) - 1)).astype(np.float32)
    score += draw.normal(0, 1, pages).astype(np.float32)
    return graph, relevant, score


def village() -> Graph:
    """Nine vertices on four servers; th is the language of interest.

    0 and 1 are Thai pages of server 0, 2 is an English page there (another directory); 3 and 4 are English pages of
    server 1; 5 is a Thai page of server 2, reached only through 4; 6 is an English page of server 2; 7 (server 2) and
    8 (server 3) were only seen.
    """
    return Graph.of(
        links=[[1, 2, 3], [0, 7], [1, 4], [4], [5, 3], [6], [5, 8], [], []],
        server=[0, 0, 0, 1, 1, 2, 2, 2, 3],
        directory=[0, 0, 1, 2, 2, 3, 4, 3, 5],
        language=[0, 0, 1, 1, 1, 0, 1, -1, -1],
        length=[400, 20, 300, 500, 500, 40, 200, 0, 0],
        fetched=[True] * 7 + [False] * 2,
        languages=("th", "en"),
        seeds=[0],
        urls=[
            "http://www.siam.co.th/",
            "http://www.siam.co.th/khao.html",
            "http://www.siam.co.th/english/about.html",
            "http://www.hotels.com/",
            "http://www.hotels.com/asia.html",
            "http://bangkok.net/thai.html",
            "http://bangkok.net/en/index.html",
            "http://bangkok.net/more.html",
            "http://far.org/x/",
        ],
    )


def empty() -> Graph:
    """No page at all."""
    return Graph.of(links=[], languages=("th",))


def single() -> Graph:
    """One page without links."""
    return Graph.of(links=[[]], language=[0], languages=("th",), seeds=[0])


def random_graph(pages: int, links: int, seed: int, languages: tuple[str, ...] = ("th", "en")) -> Graph:
    """Links between anything and anything; about a quarter of the vertices only seen."""
    chance = np.random.default_rng(seed)
    fetched = chance.random(pages) < 0.75
    source = np.sort(chance.choice(np.flatnonzero(fetched), links)) if fetched.any() else np.empty(0, np.int64)
    indptr = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=pages), out=indptr[1:])
    server = chance.integers(0, 7, pages).astype(np.int32)
    return Graph(
        indptr,
        chance.integers(0, pages, len(source)).astype(np.uint32),
        server,
        (server * 3 + chance.integers(0, 3, pages)).astype(np.int32),
        np.where(fetched, chance.integers(-1, len(languages), pages), -1).astype(np.int16),
        np.where(fetched, chance.integers(0, 400, pages), 0).astype(np.int32),
        fetched,
        languages,
        chance.integers(0, pages, 2).astype(np.uint32),
    )
