"""How many wanted pages are left where the links of a crawl lead: in the queue, and among what it gave up or left out.

What was asked for is no fair sample of what is left: a crawl asks for the best first. So what a URL that waits is worth
was learnt on other crawls (dragoman.crawl.live.state.beforehand). That counts until URLs were asked for whose names are
alike; then these count (dragoman.crawl.live.state.kinds).

Pages that no link has been seen to yet are expected as they were found of late on each server: how many of its wanted
URLs that are known now were not known when half of its wanted pages had been fetched. Each URL that waits leads to so
many more, and each of those again.

How right it is stands in benchmarks/live/README.md, and how often the truth was within the range that is told with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.beforehand import LearntExpectation, UrlFacts
from dragoman.crawl.live.state.hygiene import FailingNames
from dragoman.crawl.live.state.kinds import AlikeUrls, AnswersByName, chances_by_kind, kind_of
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: The part of the wanted pages after which what is found is new, the fewest pages that tell, the most new wanted URLs
#: per wanted page (with more, nothing could be said), and how many there are before anything is known: that counts as
#: much as the fewest pages.
LATE, LEAST_FOUND, FASTEST, UNKNOWN = 0.5, 20, 0.8, 0.1
#: What is new counts from here on: there are many unlikely URLs, and of those the sum is not to be relied on.
LIKELY = 0.3
#: Nine times out of ten what is left is at most so many times more or less.
FACTOR = 3.0
#: URLs that are drawn of those that wait, and looked at by their names.
DRAWN = 400

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


class DrawnUrls(NamedTuple):
    """URLs that were drawn of those that wait, the share of names like theirs that are names of pages, and how many
    URLs each stands for."""

    urls: Numbers
    alike: AlikeUrls
    hope: Chances
    times: Chances


class Expectation:
    """How many wanted pages are left, by what is left of known URLs and by how fast new ones are found on each server.

    8 bytes for each wanted page, and what is remembered of answers and was learnt beforehand needs.
    """

    def __init__(self) -> None:
        #: Of each wanted page in their order: its server, and how many URLs were known with its links.
        self._servers, self._known = array("i"), array("i")
        self._answers = AnswersByName()
        self.learnt = LearntExpectation()

    def answer(self, store: Store, url: int, *, is_wanted: bool) -> None:
        """An answer came to a URL."""
        self.learnt.answer(store, url, is_wanted=is_wanted)
        self._answers.add(url, store.url(url), is_wanted=is_wanted)

    def find(self, server: int, links: Sequence[int], known: int) -> None:
        """A wanted page was found on a server; with its links so many URLs are known."""
        self._servers.append(server)
        self._known.append(known)
        self.learnt.link(links)

    def left(self, store: Store, known: int, answered: NumberSet, wanted: NumberSet, failing: FailingNames) -> float:
        """What is left when so many URLs are known, those in `wanted` as wanted pages."""
        facts = self.learnt.facts(store, known, answered)
        if not len(facts.urls) or not len(answered):
            return 0.0
        drawn = _drawn(store, facts, failing)
        urls, kinds, is_wanted = self._answers.columns()
        asked = AlikeUrls(store.server.of(urls), kinds, self.learnt.evidence(store, urls, known), is_wanted)
        chances = chances_by_kind(drawn.alike, asked) * drawn.hope
        likely, servers = chances >= LIKELY, drawn.alike.servers
        pages = np.flatnonzero(wanted.flags(known))
        growth = _growths(
            np.array(self._servers, np.int64), np.array(self._known, np.int64), np.append(pages, drawn.urls[likely]),
            np.append(store.server.of(pages), servers[likely]),
            np.append(np.ones(len(pages)), (chances * drawn.times)[likely]), 1 + int(servers.max()),
        )  # fmt: skip
        left = drawn.times * chances / (1.0 - np.minimum(growth[servers], FASTEST))
        return float(left.sum())


def _drawn(store: Store, facts: UrlFacts, failing: FailingNames) -> DrawnUrls:
    """Some of the URLs that wait, by the root of their chances: the likely ones sooner, and others too."""
    chances = facts.chances()
    sums = np.cumsum(np.sqrt(chances))
    places = np.searchsorted(sums, (np.arange(DRAWN) + 0.5) / DRAWN * sums[-1])
    places, counts = np.unique(np.minimum(places, len(sums) - 1), return_counts=True)
    urls = facts.urls[places]
    named = {
        number: (kind_of(url), failing.hope(server, url))
        for number, server, url in store.rows_of("SELECT id, server, url FROM urls WHERE id IN", urls.tolist())
    }
    kinds, hope = zip(*(named[number] for number in urls.tolist()), strict=True)
    alike = AlikeUrls(facts.servers[places], np.array(kinds, np.uint32), facts.evidence()[places], chances[places])
    times = facts.times * counts * sums[-1] / DRAWN / np.sqrt(chances[places])
    return DrawnUrls(urls, alike, np.array(hope), times)


def _growths(
    page_servers: Numbers, known: Numbers, urls: Numbers, servers: NDArray[np.int32], worth: Chances, least: int
) -> Chances:
    """New wanted URLs per wanted page of late, for so many servers at least; those of all count as the fewest pages.

    `page_servers` and `known` are of the wanted pages in their order, the others of URLs that are wanted or likely so.
    """
    (of_all,) = _growth(np.zeros_like(page_servers), known, urls, np.zeros_like(servers), worth, np.array([UNKNOWN]))
    size = max(least, 1 + int(max(servers.max(initial=0), page_servers.max(initial=0))))
    return _growth(page_servers, known, urls, servers, worth, np.full(size, of_all))


def _growth(
    page_servers: Numbers, known: Numbers, urls: Numbers, servers: NDArray[np.int32], worth: Chances, usual: Chances
) -> Chances:
    """The same for as many servers as there are `usual` ones."""
    pages = np.bincount(page_servers, minlength=len(usual))
    begin = np.maximum(np.minimum(LATE * pages, pages - LEAST_FOUND), 0.0).astype(np.int64)
    telling = np.flatnonzero(begin)
    knew = np.full(len(usual), np.iinfo(np.int64).max)
    knew[telling] = known[np.argsort(page_servers, kind="stable")][(np.cumsum(pages) - pages + begin)[telling]]
    new = np.bincount(servers, weights=worth * (urls >= knew[servers]), minlength=len(usual))
    late = np.where(begin > 0, pages - begin, 0)
    return np.asarray((new + usual * LEAST_FOUND) / (late + LEAST_FOUND))
