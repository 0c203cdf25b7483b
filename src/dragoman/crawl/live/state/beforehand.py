"""What URLs that wait are worth, by what other crawls taught beforehand.

What was asked for is no fair sample of what is left: a crawl asks for the best first. So what each fact about a URL
that waits is worth was learnt on crawls whose truth is known (`benchmarks/live/estimates.py --learn`; which ones is
told in benchmarks/live/README.md):

    log-odds(URL) = weights * (1, log-odds of its server's share of wanted pages, what its address says, what the text
                    of the link to it says, 1 if a wanted page links to it)

where a server's share is drawn towards that of all by one page, and down by half a page. Evidence far below that of any
wanted page of the server counts in full on top of it, and the more of these there are, the sooner: whatever was learnt
elsewhere, that is another part of the site.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.store import Store

#: What the facts are worth, in their order; so many of them are of all URLs, or of the server.
WEIGHTS, OF_SERVER = (-2.483, 0.513, 0.19, 0.436, 1.177), 2
#: Pages that all servers count for against one, and those that are not wanted wherever there are some.
ALL_SERVERS, UNWANTED = 1.0, 0.5
#: What anchor texts count beside URLs where evidence is compared; how far below that of any wanted page it is far, how
#: much farther it has to be for one page (for more by the root of their number), and what it counts then.
ANCHOR, FAR, FARTHER, FAR_COUNTS = 0.5, 2.0, 20.0, 3.5
#: URLs count within these log-odds, and shares within these.
WIDEST, SUREST = 10.0, 1e-4
#: URLs that are counted; of more a sample is taken.
MOST = 100_000

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]


class UrlFacts(NamedTuple):
    """URLs that nobody asked for yet, their servers, the facts about each, what is counted in full, and how many URLs
    each is for."""

    urls: Numbers
    servers: NDArray[np.int32]
    facts: Chances
    far: Chances
    times: float = 1.0

    def chances(self) -> Chances:
        """The chance of each to be wanted."""
        return np.asarray(1.0 / (1.0 + np.exp(-self.facts @ np.array(WEIGHTS) - self.far)))

    def evidence(self) -> Chances:
        """What is known of each beside its server, in log-odds."""
        return np.asarray(self.facts[:, OF_SERVER:] @ np.array(WEIGHTS[OF_SERVER:]))


class LearntExpectation:
    """What is known of URLs. 12 bytes for each server, and one for each URL that a wanted page links to."""

    def __init__(self) -> None:
        #: Of each server: answers, wanted pages, and the least evidence of one of them.
        self._tallies = array("f"), array("f"), array("f")
        self._linked = NumberSet()

    def answer(self, store: Store, url: int, *, is_wanted: bool) -> None:
        """An answer came to a URL."""
        server = store.server[url]
        answers, wanted, least = self._tallies
        if server >= len(answers):
            more = server + 1 - len(answers) + len(answers) // 16
            for tally in self._tallies:
                tally.extend(array("f", [np.inf if tally is least else 0.0]) * more)
        answers[server] += 1.0
        if is_wanted:
            wanted[server] += 1.0
            score = min(max(store.score[url], -WIDEST), WIDEST)
            least[server] = min(least[server], score + ANCHOR * store.anchor(url))

    def link(self, ends: Sequence[int]) -> None:
        """A wanted page links to these."""
        self._linked.update(ends)

    def facts(self, store: Store, known: int, answered: NumberSet) -> UrlFacts:
        """The URLs below `known` that nobody asked for yet, or a sample of them, and what is known of each."""
        step = 1 + max(known - len(answered), 0) // MOST
        urls = np.arange(0, known, step)
        urls = urls[~answered.flags(known)[::step]]
        servers = store.server.of(urls)
        tallies = np.zeros((3, 1 + int(servers.max(initial=0))))
        tallies[2] = np.inf
        for row, tally in zip(tallies, self._tallies, strict=True):
            row[: len(tally)] = np.frombuffer(tally, np.float32)[: len(row)]
        answers, hits, least = tallies
        everywhere = sum(self._tallies[1]) / max(sum(self._tallies[0]), 1.0)
        share = (hits + ALL_SERVERS * everywhere) / (answers + ALL_SERVERS + UNWANTED)
        own = self._own(store, urls, known)
        least -= FAR + FARTHER / np.sqrt(np.maximum(hits, 1.0))
        above = own[:, 0] + ANCHOR * own[:, 1] - least[servers]
        far = np.where(np.isfinite(above), FAR_COUNTS * np.minimum(above, 0.0), 0.0)
        of_server = np.stack([np.ones(len(urls)), _log_odds(share)[servers]], axis=1)
        return UrlFacts(urls, servers, np.hstack([of_server, own]), far, float(step))

    def evidence(self, store: Store, urls: Numbers, known: int) -> Chances:
        """What is known of some URLs beside their servers, in log-odds."""
        return np.asarray(self._own(store, urls, known) @ np.array(WEIGHTS[OF_SERVER:]))

    def _own(self, store: Store, urls: Numbers, known: int) -> Chances:
        """The facts about some URLs beside those about their servers."""
        scores = np.clip(np.frombuffer(store.score, np.float32)[urls], -WIDEST, WIDEST).astype(np.float64)
        anchors = np.frombuffer(store.anchors, np.int8)[urls] / 8
        return np.stack([scores, anchors, self._linked.flags(known)[urls]], axis=1)


def _log_odds(shares: Chances) -> Chances:
    shares = np.clip(shares, SUREST, 1.0 - SUREST)
    return np.asarray(np.log(shares / (1.0 - shares)))
