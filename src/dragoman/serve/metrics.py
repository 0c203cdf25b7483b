"""Counters for Prometheus: of this process, or of all processes that share a folder for them.

Where the environment names a folder in PROMETHEUS_MULTIPROC_DIR, as it does in the workers of a service, the client
library writes every process's counters there, and whichever worker is asked sums them. What was counted by a worker
that ended stays.
"""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

#: The folder that workers share, in the environment; read by the client library when it is imported.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
#: Upper ends of the intervals of seconds.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What a worker counts.

    >>> counted = Metrics()
    >>> counted.request("/v1/url", 200, 0.002)
    >>> [line for line in counted.text().decode().splitlines() if line.startswith("dragoman_requests_total")]
    ['dragoman_requests_total{route="/v1/url",status="200"} 1.0']
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._folder = os.environ.get(FOLDER)
        own = None if self._folder else self._registry
        routes = Counter("dragoman_requests", "Requests, by route and status.", ["route", "status"], registry=own)
        seconds = Histogram(
            "dragoman_request_seconds", "Seconds from a request's header to its answer.", ["route"],
            buckets=SECONDS, registry=own,
        )  # fmt: skip
        self._routes, self._seconds = routes, seconds
        self._children: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._urls = Counter("dragoman_urls", "URLs that were labelled.", registry=own)
        self._bad_rows = Counter("dragoman_bad_rows", "Rows of batches that were no URL.", registry=own)
        self.in_flight = Gauge(
            "dragoman_requests_in_flight", "Requests that are not answered yet.",
            multiprocess_mode="livesum", registry=own,
        )  # fmt: skip
        self._ended = Counter(
            "dragoman_connections_ended", "Connections that were refused or given up, by reason.", ["reason"],
            registry=own,
        )  # fmt: skip
        self._workers = Gauge(
            "dragoman_workers", "Processes that answer; these figures are of all of them.",
            multiprocess_mode="livesum", registry=own,
        )  # fmt: skip
        self._starts = Counter("dragoman_worker_starts", "Times that a worker became ready.", registry=own)
        if self._folder:
            MultiProcessCollector(self._registry, self._folder)  # type: ignore[no-untyped-call]

    def worker_is_ready(self) -> None:
        """Count this process as a worker, and those that have gone no longer."""
        for path in Path(self._folder or "/nowhere").glob("gauge_live*_*.db"):
            number = int(path.stem.rpartition("_")[2])
            if number != os.getpid() and not _is_alive(number):
                mark_process_dead(number, self._folder)  # type: ignore[no-untyped-call]
        self._workers.set(1)
        self._starts.inc()

    def request(self, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        children = self._children.get((route, status))
        if children is None:
            children = self._routes.labels(route, str(status)), self._seconds.labels(route)
            self._children[route, status] = children
        children[0].inc()
        children[1].observe(seconds)

    def connection_ended(self, reason: str) -> None:
        """A connection was refused (too-many, header-too-large) or given up (no-header, not-read)."""
        self._ended.labels(reason).inc()

    def urls(self, count: int, bad: int = 0) -> None:
        """So many rows were labelled, and so many of them could not be."""
        self._urls.inc(count - bad)
        if bad:
            self._bad_rows.inc(bad)

    def text(self) -> bytes:
        """All counters."""
        return generate_latest(self._registry)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
