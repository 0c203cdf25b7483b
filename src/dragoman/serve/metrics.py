"""Counters in the text format of Prometheus, summed over all workers.

Every worker adds to a row of its own in memory that all of them share, so nothing is locked, and whichever worker is
asked sums the rows. What was counted by a worker that ended stays.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

#: The routes that are told apart; anything else is `other`.
ROUTES = (
    "/v1/urls", "/v1/url", "/v1/page", "/v1/track", "/v1/models", "/v1/languages", "/v1/runs", "/v1/runs/{name}",
    "/health", "/metrics", "/openapi.json", "other",
)  # fmt: skip
STATUSES = (200, 204, 304, 307, 400, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 431, 500, 503, 504)
#: Upper ends of the intervals of seconds.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_ROUTE = {route: number for number, route in enumerate(ROUTES)}
_OTHER = len(ROUTES) - 1
_STATUS = {status: number for number, status in enumerate(STATUSES)}
_COUNTS = len(ROUTES) * (len(STATUSES) + 1)
_TIMES = len(ROUTES) * (len(SECONDS) + 2)
_URLS, _BAD, _IN_FLIGHT, _STARTS = range(_COUNTS + _TIMES, _COUNTS + _TIMES + 4)
_WIDTH = _STARTS + 1
TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The counters of `workers` workers; made before they are forked, so that they share them.

    >>> counted = Metrics()
    >>> counted.request("/v1/url", 200, 0.002)
    >>> [line for line in counted.text().splitlines() if line.startswith("dragoman_requests_total")]
    ['dragoman_requests_total{route="/v1/url",status="200"} 1']
    """

    def __init__(self, workers: int = 1) -> None:
        self._memory = mmap.mmap(-1, 8 * _WIDTH * workers)
        self._rows: NDArray[np.float64] = np.frombuffer(self._memory, np.float64).reshape(workers, _WIDTH)
        self._own = self._memory
        self.row = memoryview(self._memory).cast("d")[:_WIDTH]

    def become(self, worker: int) -> None:
        """From now on count as this worker; what it had in flight before it was started again is gone."""
        self.row = memoryview(self._memory).cast("d")[worker * _WIDTH : (worker + 1) * _WIDTH]
        self.row[_IN_FLIGHT] = 0
        self.row[_STARTS] += 1

    def begin(self) -> None:
        """A request has come."""
        self.row[_IN_FLIGHT] += 1

    def end(self) -> None:
        """A request has been answered, or has gone away."""
        self.row[_IN_FLIGHT] -= 1

    def request(self, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        number, row = _ROUTE.get(route, _OTHER), self.row
        row[number * (len(STATUSES) + 1) + _STATUS.get(status, len(STATUSES))] += 1
        start = _COUNTS + number * (len(SECONDS) + 2)
        row[start + next((place for place, end in enumerate(SECONDS) if seconds <= end), len(SECONDS))] += 1
        row[start + len(SECONDS) + 1] += seconds

    def urls(self, count: int, bad: int = 0) -> None:
        """So many rows were labelled, and so many of them could not be."""
        self.row[_URLS] += count - bad
        self.row[_BAD] += bad

    def text(self) -> str:
        """All counters of all workers."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        total = self._rows.sum(axis=0)
        counts = total[:_COUNTS].reshape(len(ROUTES), -1).astype(np.int64).tolist()
        yield from _head("dragoman_requests_total", "counter", "Requests, by route and status.")
        for route, row in zip(ROUTES, counts, strict=True):
            for status, count in zip((*map(str, STATUSES), "other"), row, strict=True):
                if count:
                    yield f'dragoman_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head("dragoman_request_seconds", "histogram", "Seconds from a request's header to its answer.")
        for route, times in zip(ROUTES, total[_COUNTS : _COUNTS + _TIMES].reshape(len(ROUTES), -1), strict=True):
            below = np.cumsum(times[:-1]).astype(np.int64).tolist()
            if not below[-1]:
                continue
            for end, count in zip((*map(str, SECONDS), "+Inf"), below, strict=True):
                yield f'dragoman_request_seconds_bucket{{route="{route}",le="{end}"}} {count}'
            yield f'dragoman_request_seconds_sum{{route="{route}"}} {times[-1]:.6f}'
            yield f'dragoman_request_seconds_count{{route="{route}"}} {below[-1]}'
        yield from _one("dragoman_urls_total", "counter", "URLs that were labelled.", total[_URLS])
        yield from _one("dragoman_bad_rows_total", "counter", "Rows of batches that were no URL.", total[_BAD])
        yield from _one("dragoman_requests_in_flight", "gauge", "Requests that are not answered yet.",
                        max(total[_IN_FLIGHT], 0))  # fmt: skip
        yield from _one("dragoman_workers", "gauge", "Processes that answer; these figures are of all of them.",
                        len(self._rows))  # fmt: skip
        yield from _one("dragoman_worker_starts_total", "counter", "Times that a worker became ready.", total[_STARTS])


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _one(name: str, kind: str, about: str, value: float) -> Iterator[str]:
    yield from _head(name, kind, about)
    yield f"{name} {int(value)}"
