"""How many wanted pages are left where the links of a crawl lead: in the queue, and among what it gave up or left out.

A URL that nobody asked for yet counts with the share of wanted pages among those that were asked for and are like it:
in the same directory with an address that speaks as much for a wanted language, else on the same server, else on
servers that were new to the crawl. Sites are mostly of one language or of another, so a few pages of a server outweigh
what is expected of servers in general.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: Addresses are alike whose log-odds are on the same side of each of these.
EDGES = (-2.0, 0.0, 2.0)
#: Pages that the more general share counts for.
PRIOR = 0.1
#: URLs that are looked at; of more a sample is taken.
MOST = 400_000


def expected_wanted(store: Store, answered: NumberSet, wanted: NumberSet) -> float:
    """How many of the URLs that nobody asked for yet would be wanted pages."""
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
    of_server = _shares(servers, is_wanted, end, np.full(len(urls), _of_new(servers[:end], is_wanted)))
    kinds = len(EDGES) + 1
    of_alike = _shares(servers.astype(np.int64) * kinds + alike, is_wanted, end, of_server)
    of_directory = _shares(directories.astype(np.int64) * kinds + alike, is_wanted, end, of_alike)
    return float(of_directory[end:].sum() * step)


def _shares(
    keys: NDArray[np.int64], is_wanted: NDArray[np.bool_], end: int, general: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The share of wanted URLs among those with the same key that were asked for (the first `end`), for every URL."""
    _, group = np.unique(keys, return_inverse=True)
    size = int(group.max()) + 1
    tried = np.bincount(group[:end], minlength=size)[group]
    hits = np.bincount(group[:end], weights=is_wanted, minlength=size)[group]
    return np.asarray((hits + PRIOR * general) / (tried + PRIOR))


def _of_new(servers: NDArray[np.int32], is_wanted: NDArray[np.bool_]) -> float:
    """The share of wanted pages on servers in general: each counts the same."""
    _, group = np.unique(servers, return_inverse=True)
    shares = np.bincount(group, weights=is_wanted) / np.bincount(group)
    return float(shares.mean())
