"""How many wanted pages are left where the links of a crawl lead: in the queue, and among what it gave up or left out.

What was asked for is no fair sample of what is left: a crawl asks for the best first. On a server that gave wanted
pages a URL therefore counts with its own evidence, what its address and the text of the link to it say, and the share
of wanted pages on the server only shifts that (a logistic regression with one free number for each server); as long as
few pages of the server are there, their mere share counts too. Servers are mostly of one language or of another: of
those that gave no wanted page next to nothing is expected, and of new ones what servers in general gave.

Pages that no link has been seen to yet are expected as they were found of late: how many of the wanted URLs that are
known now were not known when nine tenths of the wanted pages had been fetched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.hygiene import FailingNames
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: Addresses are alike whose log-odds are on the same side of each of these.
EDGES = (-7.0, -5.0, -3.0, -1.0, 1.0, 3.0)
#: Pages that the URL model counts for where addresses of a kind are told from others.
MODEL = 5.0
#: Pages that servers in general count for against those of one, those that a server counts for against its URLs of a
#: kind, and pages for which such shares count.
NEW_SERVER, ALIKE, FEW_PAGES = 0.1, 1.0, 12.0
#: What anchor texts count beside URLs, how far from what URLs say servers are, in log-odds, and steps to find that.
ANCHOR, SPREAD, STEPS = 0.5, 2.0, 12
#: URLs count within these log-odds.
WIDEST = 10.0
#: The part of the wanted pages after which what is found is new, the fewest pages that tell, the most new wanted URLs
#: per wanted page (with more, nothing could be said), and how many there are before anything is known: that counts as
#: much as the fewest pages.
LATE, LEAST_FOUND, FASTEST, UNKNOWN = 0.9, 20, 0.75, 0.3
#: What is new counts from here on: there are many unlikely URLs, and of those the sum is not to be relied on.
LIKELY = 0.3
#: URLs whose names are looked at, and URLs that are counted; of more a sample is taken.
NAMES, MOST = 400, 100_000


class CurvePoint(NamedTuple):
    """A crawl after so many pages: those that are wanted, URLs that wait, wanted ones left, requests, seconds."""

    pages: int
    relevant: int
    waiting: int
    expected: float
    requests: int
    seconds: float


class Prospect(NamedTuple):
    """URLs that nobody asked for yet, in rising order, and how many wanted pages each of them is expected to be."""

    urls: NDArray[np.int64]
    chances: NDArray[np.float64]

    def since(self, number: int, least: float = 0.0) -> float:
        """How many wanted pages are expected of URLs from a number on, of those that are at least so likely."""
        chances = self.chances[np.searchsorted(self.urls, number) :]
        return float(chances[chances >= least].sum())


class Expectation:
    """How many wanted pages are left, by what is left of known URLs and by how fast new ones are found."""

    def __init__(self) -> None:
        #: (wanted pages found, URLs known) as the crawl went on.
        self._history: list[tuple[int, int]] = []

    def left(self, relevant: int, known: int, prospect: Prospect, wanted: NumberSet) -> float:
        """What is left when so many wanted pages were found and so many URLs are known."""
        if not self._history or relevant > self._history[-1][0]:
            self._history.append((relevant, known))
        begin = bisect_left(self._history, min(LATE * relevant, relevant - LEAST_FOUND), key=lambda point: point[0])
        had, knew = self._history[begin]
        growth = UNKNOWN
        if relevant - had >= 0.9 * LEAST_FOUND:
            new = prospect.since(knew, LIKELY) + float(wanted.flags(known)[knew:].sum())
            growth = (new + UNKNOWN * LEAST_FOUND) / (relevant - had + LEAST_FOUND)
        return prospect.since(0) / (1.0 - min(growth, FASTEST))


def prospect_of(store: Store, known: int, answered: NumberSet, wanted: NumberSet, failing: FailingNames) -> Prospect:
    """What is expected of the URLs below `known` that nobody asked for yet; nothing of those whose names fail."""
    asked = answered.flags(known)
    tried = np.flatnonzero(asked)
    tried, step = tried[:: 1 + len(tried) // MOST], 1 + (known - len(tried)) // MOST
    left = np.arange(0, known, step)[~asked[::step]]
    if not len(tried) or not len(left):
        return Prospect(left[:0], np.zeros(0))
    is_wanted = wanted.flags(known)[tried]
    urls, end = np.concatenate([tried, left]), len(tried)
    scores = np.clip(np.frombuffer(store.score, np.float32)[urls], -WIDEST, WIDEST).astype(np.float64)
    _, server = np.unique(store.server.of(urls), return_inverse=True)
    pages = np.bincount(server[:end], minlength=int(server.max()) + 1)
    hits = np.bincount(server[:end], weights=is_wanted, minlength=len(pages))
    share = (hits + NEW_SERVER * (hits[pages > 0] / pages[pages > 0]).mean()) / (pages + NEW_SERVER)
    evidence = scores + ANCHOR / 8 * np.frombuffer(store.anchors, np.int8)[urls]
    shifted = _chance(evidence + _shifts(evidence[:end], server[:end], is_wanted, len(pages))[server])
    alike = np.digitize(scores, EDGES)
    likely = np.minimum(share[server] * _lift(alike, scores, is_wanted, end)[alike], 1.0)
    kind = server * (len(EDGES) + 1) + alike
    tries = np.bincount(kind[:end], minlength=int(kind.max()) + 1)
    shares = (np.bincount(kind[:end], weights=is_wanted, minlength=len(tries))[kind] + ALIKE * share[server]) / (
        tries[kind] + ALIKE
    )
    few = (FEW_PAGES / (FEW_PAGES + pages))[server]
    chances = np.where(hits[server] > 0, few * shares + (1.0 - few) * shifted, likely)[end:]
    return Prospect(left, chances * (step * _hope(store, left, chances, failing)))


def _chance(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def _shifts(
    evidence: NDArray[np.float64], server: NDArray[np.intp], is_wanted: NDArray[np.bool_], servers: int
) -> NDArray[np.float64]:
    """By how much the log-odds of each server's URLs are higher than they look, by those that were asked for."""
    shifts = np.zeros(servers)
    for _ in range(STEPS):
        chances = _chance(evidence + shifts[server])
        slope = np.bincount(server, weights=is_wanted - chances, minlength=servers) - shifts / SPREAD**2
        bend = np.bincount(server, weights=chances * (1.0 - chances), minlength=servers) + SPREAD**-2
        shifts += np.clip(slope / bend, -2.0, 2.0)
    return shifts


def _hope(store: Store, left: NDArray[np.int64], chances: NDArray[np.float64], failing: FailingNames) -> float:
    """The share of what is expected that has names from which pages come, by a sample of what is expected."""
    sums = np.cumsum(chances)
    if not sums[-1] > 0.0:
        return 1.0
    places = np.searchsorted(sums, (np.arange(NAMES) + 0.5) / NAMES * sums[-1])
    sample = Counter(left[np.minimum(places, len(left) - 1)].tolist())
    rows = store.rows_of("SELECT id, server, url FROM urls WHERE id IN", sample)
    return sum(sample[number] * failing.hope(server, url) for number, server, url in rows) / NAMES


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
