"""How many wanted pages are left where the links of a crawl lead: in the queue, and among what it gave up or left out.

What was asked for is no fair sample of what is left: a crawl asks for the best first. On a server that gave wanted
pages a URL therefore counts with its own evidence, what its address and the text of the link to it say, in a logistic
regression on what was asked for there. How much that evidence counts is learnt, for all servers and for each: within a
book in one language addresses say little, between its translations they say all. Evidence weaker than that of any
wanted page of the server counts in full, for there is nothing to learn from. As long as few pages of the server are
there, their mere share counts too. Servers are mostly of one language or of another: of those that gave no wanted page
next to nothing is expected, and of new ones what servers in general gave.

Pages that no link has been seen to yet are expected as they were found of late on each server: how many of its wanted
URLs that are known now were not known when nine tenths of its wanted pages had been fetched.

That is what a crawl teaches by itself; other crawls teach something else (dragoman.crawl.live.state.beforehand). Each
is far off now and then, and seldom both on the same crawl: what is told is the geometric mean of the two. How right it
is stands in benchmarks/live/README.md; the range that is told with it held nine times out of ten there.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.beforehand import LearntExpectation, UrlPlaces
from dragoman.crawl.live.state.hygiene import FailingNames
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: Addresses are alike whose log-odds are on the same side of each of these.
EDGES = (-7.0, -5.0, -3.0, -1.0, 1.0, 3.0)
#: Pages that the URL model counts for where addresses of a kind are told from others.
MODEL = 5.0
#: Pages that servers in general count for against those of one, those that a server counts for against its URLs of a
#: kind, and pages for which such shares count.
NEW_SERVER, ALIKE, FEW_PAGES = 0.1, 1.0, 24.0
#: What is expected of the weights of a regression: nothing for its start, then for the URL and for the anchor text; how
#: far they are from that, how far those of a server are from them, and steps to find both.
WEIGHTS, FAR, FAR_OF_SERVER, STEPS = (0.0, 0.8, 0.4), (2.0, 0.1, 0.1), (2.0, 0.3, 0.3), 4
#: What anchor texts count beside URLs where evidence is compared; what it counts below that of any wanted page of the
#: server, and how far below that begins.
ANCHOR, BELOW, MARGIN = 0.5, 2.0, 2.0
#: URLs count within these log-odds.
WIDEST = 10.0
#: The part of the wanted pages after which what is found is new, the fewest pages that tell, the most new wanted URLs
#: per wanted page (with more, nothing could be said), and how many there are before anything is known: that counts as
#: much as the fewest pages.
LATE, LEAST_FOUND, FASTEST, UNKNOWN = 0.9, 20, 0.75, 0.3
#: What is new counts from here on: there are many unlikely URLs, and of those the sum is not to be relied on.
LIKELY = 0.3
#: URLs that were asked for looked best, and that flatters what they say of the others: so much more is left.
FLATTERED = 1.2
#: Nine times out of ten what is left is at most so many times more or less.
FACTOR = 3.0
#: URLs whose names are looked at, and URLs that are counted; of more a sample is taken.
NAMES, MOST = 400, 100_000

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]


class CurvePoint(NamedTuple):
    """A crawl after so many pages: those that are wanted, URLs that wait, wanted ones left, requests, seconds."""

    pages: int
    relevant: int
    waiting: int
    expected: float
    requests: int
    seconds: float


class Prospect(NamedTuple):
    """URLs that nobody asked for yet, their servers, the chance of each to be wanted, the share of such names that are
    names of pages, and how many URLs each is for."""

    urls: Numbers
    servers: NDArray[np.int32]
    chances: Chances
    hope: Chances
    times: float = 1.0


class Expectation:
    """How many wanted pages are left, by what is left of known URLs and by how fast new ones are found on each server.

    8 bytes for each wanted page, and what was learnt beforehand needs.
    """

    def __init__(self) -> None:
        #: Of each wanted page in their order: its server, and how many URLs were known with its links.
        self._servers, self._known = array("i"), array("i")
        self.learnt = LearntExpectation()

    def find(self, server: int, links: Sequence[int], known: int) -> None:
        """A wanted page was found on a server; with its links so many URLs are known."""
        self._servers.append(server)
        self._known.append(known)
        self.learnt.link(links)

    def left(self, store: Store, known: int, answered: NumberSet, wanted: NumberSet, failing: FailingNames) -> float:
        """What is left when so many URLs are known, those in `wanted` as wanted pages."""
        prospect = prospect_of(store, known, answered, wanted, failing)
        facts = self.learnt.facts(store, known, answered)
        if not len(prospect.urls) or not len(facts.urls):
            return 0.0
        page_servers, when = (np.array(column, np.int64) for column in (self._servers, self._known))
        pages = np.flatnonzero(wanted.flags(known))
        places = pages, store.server.of(pages)
        by_this_crawl = _left(prospect, page_servers, when, places)
        by_others = self.learnt.left(facts, page_servers, when, prospect.hope, places)
        return float(np.sqrt(by_this_crawl * by_others))


def _left(prospect: Prospect, page_servers: Numbers, known: Numbers, wanted: UrlPlaces) -> float:
    """What is left by what the crawl itself teaches."""
    likely, (pages, servers_of_pages) = prospect.chances >= LIKELY, wanted
    urls, of = np.append(pages, prospect.urls[likely]), np.append(servers_of_pages, prospect.servers[likely])
    worth = np.append(np.ones(len(pages)), prospect.chances[likely] * prospect.times)
    size = 1 + int(max(of.max(initial=0), prospect.servers.max(initial=0), page_servers.max(initial=0)))
    (everywhere,) = _growth(np.zeros_like(page_servers), known, urls, np.zeros_like(of), worth, np.array([UNKNOWN]))
    growth = _growth(page_servers, known, urls, of, worth, np.full(size, everywhere))
    chances = np.bincount(prospect.servers, weights=prospect.chances * prospect.hope, minlength=size)
    return float(FLATTERED * prospect.times * (chances / (1.0 - np.minimum(growth, FASTEST))).sum())


def _growth(
    page_servers: Numbers, known: Numbers, urls: Numbers, servers: NDArray[np.int32], worth: Chances, usual: Chances
) -> Chances:
    """New wanted URLs per wanted page of late, for each server; the `usual` ones count as the fewest pages that tell.

    `page_servers` and `known` are of the wanted pages in their order, the others of URLs that are wanted or likely so.
    """
    pages = np.bincount(page_servers, minlength=len(usual))
    begin = np.maximum(np.minimum(LATE * pages, pages - LEAST_FOUND), 0.0).astype(np.int64)
    telling = np.flatnonzero(begin)
    knew = np.full(len(usual), np.iinfo(np.int64).max)
    knew[telling] = known[np.argsort(page_servers, kind="stable")][(np.cumsum(pages) - pages + begin)[telling]]
    new = np.bincount(servers, weights=worth * (urls >= knew[servers]), minlength=len(usual))
    late = np.where(begin > 0, pages - begin, 0)
    return np.asarray((new + usual * LEAST_FOUND) / (late + LEAST_FOUND))


def prospect_of(store: Store, known: int, answered: NumberSet, wanted: NumberSet, failing: FailingNames) -> Prospect:
    """What is expected of the URLs below `known` that nobody asked for yet; nothing of those whose names fail."""
    asked = answered.flags(known)
    tried = np.flatnonzero(asked)
    step = 1 + max(known - len(answered), 0) // MOST
    tried, left = tried[:: 1 + len(tried) // MOST], np.arange(0, known, step)[~asked[::step]]
    if not len(tried) or not len(left):
        return Prospect(left[:0], np.zeros(0, np.int32), np.zeros(0), np.zeros(0))
    is_wanted = wanted.flags(known)[tried]
    urls, end = np.concatenate([tried, left]), len(tried)
    scores = np.clip(np.frombuffer(store.score, np.float32)[urls], -WIDEST, WIDEST).astype(np.float64)
    names, server = np.unique(store.server.of(urls), return_inverse=True)
    pages = np.bincount(server[:end], minlength=len(names))
    hits = np.bincount(server[:end], weights=is_wanted, minlength=len(pages))
    share = (hits + NEW_SERVER * (hits[pages > 0] / pages[pages > 0]).mean()) / (pages + NEW_SERVER)
    alike = np.digitize(scores, EDGES)
    chances = np.minimum(share[server] * _lift(alike, scores, is_wanted, end)[alike], 1.0)
    if len(good := np.flatnonzero(hits[server] > 0)):
        kind = server * (len(EDGES) + 1) + alike
        tries = np.bincount(kind[:end], minlength=int(kind.max()) + 1)
        known_hits = np.bincount(kind[:end], weights=is_wanted, minlength=len(tries))
        shares = (known_hits[kind] + ALIKE * share[server]) / (tries[kind] + ALIKE)
        anchors = np.frombuffer(store.anchors, np.int8)[urls[good]] / 8
        odds, below = _regression(scores[good], anchors, server[good], is_wanted[good[good < end]])
        few = (FEW_PAGES / (FEW_PAGES + pages))[server[good]] * (below == 0.0)
        chances[good] = few * shares[good] + (1.0 - few) * _chance(odds)
    chances, servers = chances[end:], names[server[end:]]
    return Prospect(left, servers, chances, _hope(store, left, servers, chances, failing), float(step))


def _chance(odds: Chances) -> Chances:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def _regression(
    scores: Chances, anchors: Chances, server: NDArray[np.intp], is_wanted: NDArray[np.bool_]
) -> tuple[Chances, Chances]:
    """The log-odds of URLs, of which the first were asked for, and what of them is for evidence below all that is
    wanted on their servers."""
    evidence, tried = scores + ANCHOR * anchors, len(is_wanted)
    least = np.full(int(server.max()) + 1, np.inf)
    np.minimum.at(least, server[:tried][is_wanted], evidence[:tried][is_wanted])
    below = BELOW * np.minimum(evidence - least[server] + MARGIN, 0.0)
    facts = np.stack([np.ones(len(scores)), scores, anchors])
    asked, of = facts[:, :tried], server[:tried]
    own, weights = np.zeros((3, len(least))), np.array(WEIGHTS)

    def odds(rows: slice) -> Chances:
        start, by_url, by_anchor = (weights[:, None] + own)[:, server[rows]] * facts[:, rows]
        return np.asarray(below[rows] + (start + by_url + by_anchor))

    for _ in range(STEPS):
        chances = _chance(odds(slice(tried)))
        bend = (asked * (chances * (1.0 - chances))) @ asked.T + np.diag(np.array(FAR) ** -2)
        slope = asked @ (is_wanted - chances) - (weights - WEIGHTS) / np.array(FAR) ** 2
        weights = weights + np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
        for fact, most in ((1, 0.3), (2, 0.3), (0, 2.0)):
            chances, value, spread = _chance(odds(slice(tried))), asked[fact], FAR_OF_SERVER[fact] ** -2
            slopes = np.bincount(of, weights=(is_wanted - chances) * value, minlength=own.shape[1]) - own[fact] * spread
            bends = np.bincount(of, weights=chances * (1.0 - chances) * value**2, minlength=own.shape[1]) + spread
            own[fact] += np.clip(slopes / bends, -most, most)
    return odds(slice(None)), below


def _hope(store: Store, left: Numbers, servers: NDArray[np.int32], chances: Chances, failing: FailingNames) -> Chances:
    """The share of what is expected of each URL's server that has names from which pages come, by a sample of all."""
    sums = np.cumsum(chances)
    if not sums[-1] > 0.0:
        return np.ones(len(left))
    places = np.searchsorted(sums, (np.arange(NAMES) + 0.5) / NAMES * sums[-1])
    sample = Counter(left[np.minimum(places, len(left) - 1)].tolist())
    rows = store.rows_of("SELECT id, server, url FROM urls WHERE id IN", sample)
    drawn, hoped = np.zeros((2, 1 + int(servers.max())))
    for number, server, url in rows:
        drawn[server] += sample[number]
        hoped[server] += sample[number] * failing.hope(server, url)
    usual = hoped.sum() / NAMES  # one URL of a server says little of the others
    return np.asarray(((hoped + usual) / (drawn + 1.0))[servers])


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
