"""How often pages changed, by the visits of earlier crawls, and how likely each has changed since the last of them.

A page is taken to change at moments that have nothing to do with one another (a Poisson process), at a rate of its own.
Two visits tell only whether it changed in between, once or often: an interval of d days counts as 1 - exp(-rate * d)
where the page was another one, as exp(-rate * d) where it was the same. Before anything is known of a page it counts as
if it had been seen to change once, in as many days as pages of its server need for a change; and a server as if one of
its pages had been seen to change once in a month. The rate is the likeliest one under both (Cho and Garcia-Molina,
Estimating Frequency of Change, 2003, has the same without a prior, for intervals that are all alike).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

#: Days in which a page changes once before anything is known of its server; also how old a page counts as whose visits
#: have no date.
USUAL = 30.0
#: Visits that are closer than this are one: a page that is reached by two redirects, or a crawl that was resumed.
TOGETHER = 1 / 24
#: The rates that are looked for, in changes a day, and halvings of what lies between.
SLOWEST, FASTEST, HALVINGS = 1e-6, 1e4, 60
#: What stands for the digest of a page that was as before.
_SAME = 0
_DAY = 86_400.0


class VisitLog:
    """When pages were visited and whether they were as before; 20 bytes for each visit.

    >>> log = VisitLog()
    >>> for day, digest in ((0, "a"), (10, "b"), (20, "c")):
    ...     log.add(0, day * 86_400.0, digest)
    ...     log.add(1, day * 86_400.0, "z")
    >>> log.add(1, 30 * 86_400.0, None, same=True)
    >>> [round(float(chance), 2) for chance in log.chances([0, 1, 2], [5, 5, 5], 40 * 86_400.0)]
    [0.85, 0.17, 0.73]
    """

    def __init__(self) -> None:
        self._keys, self._times, self._marks = array("I"), array("d"), array("Q")
        #: The time of the last visit to each page that brought its body.
        self._newest = array("d")

    def add(self, key: int, seconds: float, digest: str | None, *, same: bool = False) -> None:
        """A visit; `same` if it told that nothing had changed, else it is left out where its digest is not known."""
        if digest is None and not same:
            return
        mark = _SAME
        if digest is not None and not same:
            mark = int.from_bytes(blake2b(digest.encode(), digest_size=8).digest(), "little") | 1
            if key >= len(self._newest):
                self._newest.frombytes(bytes(8 * (key + 1 - len(self._newest) + len(self._newest) // 8)))
            self._newest[key] = max(self._newest[key], seconds)
        self._keys.append(key)
        self._times.append(seconds)
        self._marks.append(mark)

    def is_outdated(self, key: int, seconds: float | None) -> bool:
        """True if a later visit brought the page, too."""
        return seconds is not None and key < len(self._newest) and seconds < self._newest[key]

    def chances(
        self, pages: Sequence[int], servers: Sequence[int] | NDArray[np.int32], now: float
    ) -> NDArray[np.float64]:
        """How likely each page has changed since its last visit; `servers` has the number of the server of each URL."""
        asked = np.asarray(pages, np.int64)
        server_of = np.asarray(servers, np.int64)
        keys, times = np.array(self._keys, np.int64), np.array(self._times) / _DAY
        marks = np.array(self._marks, np.uint64)
        order = np.lexsort((times, keys))
        keys, times, marks = keys[order], times[order], marks[order]
        days, changed, owners = _intervals(keys, times, marks)
        of_servers = change_rates(days, changed, server_of[owners], np.full(int(server_of.max(initial=-1)) + 1, USUAL))
        rates = change_rates(days, changed, owners, 1.0 / of_servers[server_of])[asked]
        last = np.full(len(server_of), np.nan)
        last[keys] = times  # the latest stands last
        ages = np.nan_to_num(np.maximum(now / _DAY - last, 0.0), nan=USUAL)[asked]
        return np.asarray(1.0 - np.exp(-rates * ages))


def _intervals(
    keys: NDArray[np.int64], times: NDArray[np.float64], marks: NDArray[np.uint64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Days between two visits of a page, whether it changed in between, and the page. Visits stand by page and time."""
    # A visit that told "as before" has the digest of the last visit that brought one.
    sources = np.maximum.accumulate(np.where(marks != _SAME, np.arange(len(marks)), 0))
    digests = np.where(keys[sources] == keys, marks[sources], _SAME)
    pair = (keys[1:] == keys[:-1]) & (np.diff(times) >= TOGETHER)
    return np.diff(times)[pair], (digests[1:] != digests[:-1])[pair], keys[1:][pair]


def change_rates(
    days: NDArray[np.float64], changed: NDArray[np.bool_], owners: NDArray[np.int64], usual: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Changes a day of each owner of intervals; `usual` are the days in which each would change once.

    >>> rates = change_rates(np.array([60.0, 10.0]), np.array([False, True]), np.array([0, 1]), np.full(3, 30.0))
    >>> [round(1 / float(rate), 1) for rate in rates]
    [90.0, 17.3, 30.0]
    """
    low, high = np.full(len(usual), np.log(SLOWEST)), np.full(len(usual), np.log(FASTEST))
    same = np.bincount(owners[~changed], weights=days[~changed], minlength=len(usual)) + usual
    spans, of = days[changed], owners[changed]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rates = np.exp(middle)
        # The slope of the logarithm of what is likely, which falls as the rate grows.
        pulls = np.bincount(of, weights=spans / np.expm1(np.minimum(rates[of] * spans, 700.0)), minlength=len(usual))
        rises = 1.0 / rates + pulls > same
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return np.asarray(np.exp((low + high) / 2))
