"""How many wanted pages are left where the links of a crawl lead: in the queue, and among what it gave up or left out.

A URL that nobody asked for yet counts with the share of wanted pages among those that were asked for and are like it:
in the same directory with an address that speaks as much for a wanted language, else on the same server, else on
servers that were new to the crawl. Sites are mostly of one language or of another, so a few pages of a server outweigh
what is expected of servers in general.

Pages that no link has been seen to yet are expected as they were found so far: of what was known when half of the
wanted pages had been fetched and what is known now, the difference came with the pages in between.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.hygiene import FailingNames
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: Addresses are alike whose log-odds are on the same side of each of these.
EDGES = (-7.0, -5.0, -3.0, -1.0, 1.0, 3.0)
#: Pages that the more general share counts for: that of all servers, of a server, of a server's addresses of a kind.
PRIORS = (0.1, 10.0, 2.0)
#: Pages that the URL model counts for where addresses of a kind are told from others.
MODEL = 5.0
#: New wanted URLs per wanted page are no more than this, or nothing could be said; so many pages tell how many.
FASTEST, LEAST_FOUND = 0.6, 20
#: URLs of a server and kind whose names are looked at.
SAMPLE = 200
#: URLs that are looked at; of more a sample is taken.
MOST = 400_000


class CurvePoint(NamedTuple):
    """A crawl after so many pages: those that are wanted, URLs that wait, wanted ones left, requests, seconds."""

    pages: int
    relevant: int
    waiting: int
    expected: float
    requests: int
    seconds: float


class Expectation:
    """How many wanted pages are left, by what is left of known URLs and by how fast new ones are found.

    >>> left = Expectation()
    >>> [round(left.left(*point)) for point in ((10, 20.0), (50, 30.0), (100, 20.0), (150, 0.0))]
    [50, 75, 50, 0]
    """

    def __init__(self) -> None:
        #: (wanted pages found, found and known to be left) as the crawl went on.
        self._history: list[tuple[int, float]] = []

    def left(self, found: int, known: float) -> float:
        """What is left when so many wanted pages were found and so many of the known URLs are expected to be wanted."""
        if not self._history or found > self._history[-1][0]:
            self._history.append((found, found + known))
        begin = bisect_left(self._history, found / 2, key=lambda point: point[0])
        half, total = self._history[min(begin, len(self._history) - 1)]
        growth = (found + known - total) / (found - half) if found - half >= LEAST_FOUND else FASTEST
        return known / (1.0 - min(max(growth, 0.0), FASTEST))


def expected_wanted(store: Store, answered: NumberSet, wanted: NumberSet, failing: FailingNames) -> float:
    """How many of the URLs that nobody asked for yet would be wanted pages; none of those whose names fail."""
    count = len(store.server)
    asked = answered.flags(count)
    if not asked.any():
        return 0.0
    step = 1 + count // MOST
    left = np.arange(0, count, step)[~asked[::step]]
    if not len(left):
        return 0.0
    tried = np.flatnonzero(asked)
    is_wanted = wanted.flags(count)[tried]
    urls = np.concatenate([tried, left])
    servers, directories, scores = (np.array(column)[urls] for column in (store.server, store.directory, store.score))
    alike = np.digitize(scores, EDGES)
    end = len(tried)
    of_server = _shares(servers, is_wanted, end, np.full(len(urls), _of_new(servers[:end], is_wanted)), PRIORS[0])
    lift = _lift(alike, scores, is_wanted, end)
    kinds = len(EDGES) + 1
    of_alike = _shares(
        servers.astype(np.int64) * kinds + alike,
        is_wanted,
        end,
        np.minimum(of_server * lift[alike], 1.0),
        PRIORS[1],
    )
    of_directory = _shares(directories.astype(np.int64) * kinds + alike, is_wanted, end, of_alike, PRIORS[2])
    hopeful = _hopeful(store, left, servers[end:], alike[end:], failing)
    return float((of_directory[end:] * hopeful).sum() * step)


def _hopeful(
    store: Store,
    left: NDArray[np.int64],
    servers: NDArray[np.int32],
    alike: NDArray[np.intp],
    failing: FailingNames,
) -> NDArray[np.float64]:
    """1 for each URL, less on servers where names of a kind fail: the share of other names in a sample of each."""
    hopeful = np.ones(len(left))
    for server, kind in product(failing.servers, range(len(EDGES) + 1)):
        here = np.flatnonzero((servers == server) & (alike == kind))
        sample = left[here[:: 1 + len(here) // SAMPLE]].tolist()
        if sample:
            urls = [url for (url,) in store.rows_of("SELECT url FROM urls WHERE id IN", sample)]
            hopeful[here] = sum(not failing.fails(server, url) for url in urls) / len(urls)
    return hopeful


def _lift(
    alike: NDArray[np.intp], scores: NDArray[np.float32], is_wanted: NDArray[np.bool_], end: int
) -> NDArray[np.float64]:
    """How many times more wanted pages there are among URLs of a kind than among all; the URL model counts too."""
    kinds = len(EDGES) + 1
    sizes = np.maximum(np.bincount(alike, minlength=kinds), 1)
    promised = np.bincount(alike, weights=1.0 / (1.0 + np.exp(-scores.astype(np.float64))), minlength=kinds) / sizes
    tried = np.bincount(alike[:end], minlength=kinds)
    hits = np.bincount(alike[:end], weights=is_wanted, minlength=kinds)
    shares = (hits + MODEL * promised) / (tried + MODEL)
    return np.asarray(shares / max(float(is_wanted.mean()), 1e-3))


def _shares(
    keys: NDArray[np.int64], is_wanted: NDArray[np.bool_], end: int, general: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """The share of wanted URLs among those with the same key that were asked for (the first `end`), for every URL."""
    _, group = np.unique(keys, return_inverse=True)
    size = int(group.max()) + 1
    tried = np.bincount(group[:end], minlength=size)[group]
    hits = np.bincount(group[:end], weights=is_wanted, minlength=size)[group]
    return np.asarray((hits + prior * general) / (tried + prior))


def _of_new(servers: NDArray[np.int32], is_wanted: NDArray[np.bool_]) -> float:
    """The share of wanted pages on servers in general: each counts the same."""
    _, group = np.unique(servers, return_inverse=True)
    shares = np.bincount(group, weights=is_wanted) / np.bincount(group)
    return float(shares.mean())
