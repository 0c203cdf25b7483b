"""What URLs gave whose names are alike: of one folder, with the same end.

Within a book in one language addresses say little of a page's language, between its translations they say all. So a
URL that waits is compared with those that were asked for and whose names are alike: their share of wanted pages is what
is expected of it, more or less as the evidence for it is above or below that for them. What the evidence counts is
learnt, a little for all servers and a little for each.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.live.state.hygiene import folder_names

#: Pages that what was expected beforehand counts for against those with such names.
BEFOREHAND = 1.0
#: How far what evidence counts is from 1 for all servers, how far for each from that, and steps to find both.
FAR, FAR_OF_SERVER, STEPS, LONGEST_STEP = 0.1, 0.1, 4, 0.3
#: URLs that were asked for and are looked at; of more a sample is taken.
MOST = 100_000
#: Chances count within these.
SUREST = 1e-6

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]


class AlikeUrls(NamedTuple):
    """URLs: their servers, what kinds of names they have, the evidence for each, and the chance of each to be wanted.

    Of those that were asked for, the chance is 0 or 1.
    """

    servers: NDArray[np.int32]
    kinds: NDArray[np.uint32]
    evidence: Chances
    chances: Chances


class AnswersByName:
    """The URLs that were asked for: 9 bytes for each."""

    def __init__(self) -> None:
        self._urls, self._kinds, self._wanted = array("i"), array("I"), array("b")

    def add(self, url: int, address: str, *, is_wanted: bool) -> None:
        """An answer came to a URL."""
        self._urls.append(url)
        self._kinds.append(kind_of(address))
        self._wanted.append(is_wanted)

    def columns(self) -> tuple[Numbers, NDArray[np.uint32], Chances]:
        """The URLs, what kinds of names they have, and 1 for each wanted page."""
        part = slice(None, None, 1 + len(self._urls) // MOST)
        return (
            np.array(self._urls[part], np.int64),
            np.array(self._kinds[part], np.uint32),
            np.array(self._wanted[part], np.float64),
        )


def kind_of(address: str) -> int:
    """A number for the names that are like a URL's.

    >>> kind_of("http://a.de/x/y.de.html") == kind_of("http://a.de/x/z.de.html") != kind_of("http://a.de/x/y.fr.html")
    True
    """
    return crc32(folder_names(address).encode())


def chances_by_kind(waiting: AlikeUrls, asked: AlikeUrls) -> Chances:
    """The chances of URLs that wait, by what those gave that were asked for and have such names.

    `waiting` has what was expected beforehand; that is all there is for names of which nothing was asked for.
    """
    kinds, kind = np.unique(asked.kinds, return_inverse=True)
    if not len(kinds):
        return waiting.chances
    tries = np.bincount(kind)
    hits = np.bincount(kind, weights=asked.chances)
    usual = np.bincount(kind, weights=asked.evidence) / tries
    shares = (hits + 0.5) / (tries + 1.0)
    size = 1 + int(max(waiting.servers.max(), asked.servers.max()))
    counts = _counts(log_odds(shares)[kind], asked.evidence - usual[kind], asked, size)
    row = np.minimum(np.searchsorted(kinds, waiting.kinds), len(kinds) - 1)
    known = np.where(kinds[row] == waiting.kinds, tries[row], 0)
    share = (hits[row] * (known > 0) + BEFOREHAND * waiting.chances) / (known + BEFOREHAND)
    odds = log_odds(share) + counts[waiting.servers] * (waiting.evidence - usual[row])
    weight = known / (known + BEFOREHAND)
    return chances_of(weight * odds + (1.0 - weight) * log_odds(waiting.chances))


def _counts(odds: Chances, more: Chances, asked: AlikeUrls, size: int) -> Chances:
    """What `more` evidence than usual counts on each server, beside the log-odds that such names have there."""
    servers, counts, of_all = asked.servers, np.ones(size), 1.0
    for _ in range(STEPS):
        chances = chances_of(odds + counts[servers] * more)
        slope = (asked.chances - chances) @ more - (of_all - 1.0) / FAR**2
        bend = (chances * (1.0 - chances)) @ more**2 + FAR**-2
        step = float(np.clip(slope / bend, -LONGEST_STEP, LONGEST_STEP))
        of_all, counts = of_all + step, counts + step
        chances = chances_of(odds + counts[servers] * more)
        slopes = np.bincount(servers, weights=(asked.chances - chances) * more, minlength=size)
        bends = np.bincount(servers, weights=chances * (1.0 - chances) * more**2, minlength=size)
        steps = (slopes - (counts - of_all) / FAR_OF_SERVER**2) / (bends + FAR_OF_SERVER**-2)
        counts += np.clip(steps, -LONGEST_STEP, LONGEST_STEP)
    return counts


def chances_of(odds: Chances) -> Chances:
    """Chances by their log-odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def log_odds(chances: Chances) -> Chances:
    """Log-odds of chances, within bounds."""
    chances = np.clip(chances, SUREST, 1.0 - SUREST)
    return np.asarray(np.log(chances / (1.0 - chances)))
