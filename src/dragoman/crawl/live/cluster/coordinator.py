"""Coordinator: who carries which shard, what may be fetched, and when the crawl has ended. It knows nothing of Ray."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Owner, Report, ShardFigures
from dragoman.crawl.live.state.expected import CurvePoint
from dragoman.types import Language

#: Pages that a worker may have permits for, as a multiple of those that it may have on their way.
BLOCK = 2
#: Values that a worker tells for a level, at most.
MOST_VALUES = 4_000
#: Shards that begin to move at a time.
MOVES = 4


class Coordinator:
    """Decides for the whole crawl from what workers report.

    **Level.** The level is what the `reach` best of all waiting URLs count: nobody fetches what is below it. Hosts have
    their delays, so not all of these can be fetched at once: while places are free `reach` doubles, while none is it
    falls again.

    **End.** A shard is idle when nothing waits there, nothing is on its way and every message has its receipt. The
    crawl has ended when all shards were idle twice in a row, with the same numbers of messages sent and received, and
    no message is on its way (Mattern's four counters).
    """

    def __init__(self, job: ClusterJob, seconds: float = 0.0) -> None:
        self.job = job
        self.owners: dict[int, Owner] = {}
        self.figures: dict[int, ShardFigures] = {}
        self.reports: dict[int, Report] = {}
        self.ended: str | None = None
        self.level = -math.inf
        self.reach = 0.0
        self._began, self._before = time.monotonic(), seconds
        self._epoch = self._version = 0
        #: The version of `owners` that each worker was told.
        self._told: dict[int, int] = {}
        #: Shards that were told to move and are still carried by somebody; permits of workers that are gone, and the
        #: shards that have to be carried again before it is known what became of these.
        self._moving: dict[int, int] = {}
        self._lost: dict[int, tuple[int, set[int]]] = {}
        self._quiet: tuple[int, int] | None = None
        self.curve: list[CurvePoint] = []

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its runs together."""
        return self._before + time.monotonic() - self._began

    # ---- workers

    def join(self, worker: int) -> None:
        """A worker is there."""
        self.reports[worker] = Report({}, frozenset(), 0, 0, self.job.manners.concurrent, np.empty(0), False, {})

    def leave(self, worker: int) -> None:
        """A worker is gone, and its lease is over: its shards are for others."""
        report = self.reports.pop(worker, None)
        shards = {shard for shard, owner in self.owners.items() if owner.worker == worker}
        if report is not None and shards:
            self._lost[worker] = report.permits, set(shards)
        for shard in shards | {shard for shard, carrier in self._moving.items() if carrier == worker}:
            self._version += self.owners.pop(shard, None) is not None
            self._moving.pop(shard, None)

    def assign(self) -> None:
        """Give every shard to a worker, and let shards move where one has two more than another."""
        if not self.reports:
            return
        load = Counter(dict.fromkeys(self.reports, 0))
        load.update(owner.worker for owner in self.owners.values())
        for shard in range(self.job.shards):
            if shard not in self.owners and shard not in self._moving:
                worker = min(load, key=lambda name: (load[name], name))
                self._epoch = max(self._epoch + 1, int(1000 * time.time()))
                self.owners[shard] = Owner(worker, self._epoch)
                self._version += 1
                load[worker] += 1
        for _ in range(0 if self._moving else MOVES):
            most, least = max(load, key=lambda name: load[name]), min(load, key=lambda name: load[name])
            if load[most] - load[least] < 2:
                return
            shard = max(shard for shard, owner in self.owners.items() if owner.worker == most)
            del self.owners[shard]
            self._version += 1
            self._moving[shard] = most
            load[most] -= 1
            load[least] += 1

    def beat_for(self, worker: int) -> Beat:
        """What to tell a worker now."""
        owners = None if self._told.get(worker) == self._version else dict(self.owners)
        self._told[worker] = self._version
        return Beat(owners, self.level, min(MOST_VALUES, math.ceil(self.reach)), self._grant(worker))

    def _grant(self, worker: int) -> int:
        """Permits for a worker: a block, as long as all that are out cannot be too many."""
        report = self.reports[worker]
        if not self.job.counted or not report.hungry:
            return 0
        wanted = BLOCK * report.slots - report.permits
        if self.job.budget.pages is not None:
            if len(self.figures) < self.job.shards:
                return 0  # how many pages there are is not known yet
            out = sum(other.permits for other in self.reports.values()) + sum(out for out, _ in self._lost.values())
            wanted = min(wanted, self.job.budget.pages - self.pages - out)
        grant = max(wanted, 0)
        if grant:
            self.reports[worker] = _with_permits(report, report.permits + grant)
        return grant

    def heard(self, worker: int, report: Report) -> None:
        """A worker has answered."""
        if worker not in self.reports:
            return
        self.reports[worker] = report
        for shard, figures in report.shards.items():
            if self.owners.get(shard) == Owner(worker, figures.epoch):
                self.figures[shard] = figures
        for shard, carrier in list(self._moving.items()):
            if carrier == worker and shard not in report.held:
                del self._moving[shard]
        for gone, (_, shards) in list(self._lost.items()):
            shards -= report.shards.keys()
            if not shards:
                del self._lost[gone]

    # ---- the whole

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return sum(figures.pages for figures in self.figures.values())

    def quota_pages(self) -> Counter[Language]:
        """Pages of the languages that have quotas."""
        return sum((Counter(figures.quotas) for figures in self.figures.values()), Counter())

    def wave(self) -> None:
        """All workers have answered, or have had the time to: a new level, and perhaps the end."""
        self._set_level()
        every = self.figures.values()
        sums: dict[str, Any] = {name: sum(getattr(one, name) for one in every) for name in CurvePoint._fields[:-1]}
        point = CurvePoint(**sums, seconds=self.seconds)
        if not self.curve or point.pages > self.curve[-1].pages:
            self.curve.append(point)
        if len(self.figures) == self.job.shards and self.ended is None:
            self.ended = self._full() or self._over()

    def _set_level(self) -> None:
        if self.job.shards == 1:
            return  # one queue has an order of its own
        slots = sum(report.slots for report in self.reports.values())
        free = slots - sum(report.active for report in self.reports.values())
        if free > slots // 10 and self.level > -math.inf:
            self.reach = min(2 * self.reach, 1e6)
        elif not free:
            self.reach *= 0.8
        self.reach = max(self.reach, slots)
        values = _joined(report.values for report in self.reports.values())
        count = math.ceil(self.reach)
        self.level = -math.inf if len(values) <= count else float(np.partition(values, len(values) - count)[-count])

    def _full(self) -> str | None:
        if self.job.target.quotas and self.job.target.full(self.quota_pages()):
            return "every quota is full"
        every = self.figures.values()
        return self.job.budget.spent(
            self.pages, sum(one.bytes for one in every), sum(one.hosts for one in every), self.seconds
        )

    def _over(self) -> str | None:
        """Why the crawl is over, if nothing waits and nothing is under way."""
        carried = {shard for report in self.reports.values() for shard in report.shards}
        every = self.figures.values()
        sent, received = sum(one.sent for one in every), sum(one.received for one in every)
        quiet = all(one.idle for one in every) and sent == received and len(carried) == self.job.shards
        before, self._quiet = self._quiet, (sent, received) if quiet else None
        return "nothing waits any more" if quiet and before == self._quiet else None


def _joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    every = list(parts)
    return np.concatenate(every) if every else np.empty(0)


def _with_permits(report: Report, permits: int) -> Report:
    from dataclasses import replace

    return replace(report, permits=permits)
