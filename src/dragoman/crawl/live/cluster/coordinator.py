"""Coordinator: who carries which shard, what may be fetched, and when the crawl has ended. It knows nothing of Ray."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace

import numpy as np

from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Owner, Report, ShardFigures, largest
from dragoman.types import Language

#: Pages that a worker may have permits for when few are left, as a multiple of those that it may have on their way.
BLOCK = 2
#: Values that a worker tells for a level, at most.
MOST_VALUES = 4_000
#: Shards that begin to move at a time.
MOVES = 4


class Coordinator:
    """Decides for the whole crawl from what workers report.

    **Level.** The level is what the `reach` best of all waiting URLs count: nobody fetches what is below it. Hosts have
    their delays, so not all of these can be fetched at once: while more than a quarter of all places are free with
    workers that have nothing above the level `reach` grows, while none is it falls again. A place that is free for a
    moment says nothing. What is hardly worth a request is not fetched only because the hosts of better URLs are busy;
    and only a little of it where none are known any more: links to them may be on their way between shards.

    **End.** A shard is idle when nothing waits there, nothing is on its way and every message has its receipt. The
    crawl has ended when all shards were idle twice in a row and told nothing in between: whatever was told before
    the first time was taken in before the second (as in Mattern's counting).
    """

    def __init__(self, job: ClusterJob, seconds: float = 0.0) -> None:
        self.job = job
        self.owners: dict[int, Owner] = {}
        #: Where the shards stand that somebody carries.
        self.figures: dict[int, ShardFigures] = {}
        self.reports: dict[int, Report] = {}
        self.ended: str | None = None
        self.level, self.reach = -math.inf, 0.0
        self._places, self._least = job.manners.concurrent, job.target.new_strategy().least
        self._began = time.monotonic() - seconds
        self._epoch = self._version = 0
        #: The version of `owners` that each worker was told.
        self._owners_version: dict[int, int] = {}
        #: The workers that were asked in this wave, and those that have answered that.
        self._asked, self._news = set[int](), set[int]()
        self._quiet: int | None = None

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its runs together."""
        return time.monotonic() - self._began

    @property
    def pages(self) -> int:
        """How many pages the shards have that somebody carries."""
        return sum(figures.pages for figures in self.figures.values())

    # ---- workers

    def leave(self, worker: int) -> None:
        """A worker is gone, and its lease is over: its shards are for others."""
        self.reports.pop(worker, None)
        for shard in [shard for shard, owner in self.owners.items() if owner.worker == worker]:
            self._take_back(shard)

    def _take_back(self, shard: int) -> None:
        del self.owners[shard]
        self.figures.pop(shard, None)  # more pages may have come since
        self._version += 1

    def assign(self) -> None:
        """Give shards that nobody holds to workers, and let some move where one worker has two more than another."""
        if not self.reports:
            return
        held = {shard for report in self.reports.values() for shard in report.shards}
        load = Counter(dict.fromkeys(self.reports, 0))
        load.update(owner.worker for owner in self.owners.values())
        for shard in set(range(self.job.shards)) - self.owners.keys() - held:
            worker = min(load, key=lambda name: (load[name], name))
            self._epoch = max(self._epoch + 1, int(1000 * time.time()))
            self.owners[shard] = Owner(worker, self._epoch)
            self._version += 1
            load[worker] += 1
        most, least = max(load, key=lambda name: load[name]), min(load, key=lambda name: load[name])
        if len(self.owners) == self.job.shards:  # else some are on the move
            carried = sorted(shard for shard in self.figures if self.owners[shard].worker == most)
            for shard in carried[::-1][: min(MOVES, (load[most] - load[least]) // 2)]:
                self._take_back(shard)

    def beat_for(self, worker: int) -> Beat:
        """What to tell a worker now."""
        owners = None if self._owners_version.get(worker) == self._version else dict(self.owners)
        self._owners_version[worker] = self._version
        self._asked.add(worker)
        return Beat(owners, self.level, min(MOST_VALUES, math.ceil(self.reach)), self._grant(worker))

    def _grant(self, worker: int) -> int:
        """Permits for a worker: a block, as long as all that are out cannot be too many."""
        report = self.reports.get(worker, Report())
        if not self.job.counted or not report.hungry:
            return 0
        left = self._left()
        grant = max(left // (2 * len(self.reports)), BLOCK * self._places) - report.permits
        if self.job.budget.pages is not None:
            grant = min(grant, left - sum(other.permits for other in self.reports.values()))
        grant = max(grant, 0)
        self.reports[worker] = replace(report, permits=report.permits + grant)
        return grant

    def _left(self) -> int:
        """How many pages may be fetched before a budget, or all quotas, can be full; 0 as long as that is not known."""
        if len(self.figures) < self.job.shards:
            return 0
        quotas, pages, counts = self.job.target.quotas, self.job.budget.pages, self._counts()
        lefts = [sum(max(0, quota - counts[language]) for language, quota in quotas.items())] if quotas else []
        return min([*lefts, pages - self.pages] if pages is not None else lefts)

    def _counts(self) -> Counter[Language]:
        """Pages by language that has a quota."""
        return sum((Counter(figures.quotas) for figures in self.figures.values()), Counter())

    def heard(self, worker: int, report: Report) -> None:
        """A worker has answered; from the first time on it takes part."""
        self.reports[worker] = report
        self._news |= self._asked & {worker}
        for shard, figures in report.shards.items():
            if figures is not None and self.owners.get(shard) == Owner(worker, figures.epoch):
                self.figures[shard] = figures

    # ---- the whole

    def wave(self) -> None:
        """Workers have answered, or have had the time to: a new level; once all of them have, perhaps the end."""
        if self.job.shards > 1:  # one queue has an order of its own
            self._set_level()
        if len(self.figures) < self.job.shards or self._news < self.reports.keys():
            return
        self._asked, self._news = set(), set()
        shards = self.figures.values()
        if self.job.target.full(self._counts()):
            self.ended = "every quota is full"
            return
        used = (sum(figures.bytes for figures in shards), sum(figures.hosts for figures in shards))
        self.ended = self.job.budget.spent(self.pages, *used, self.seconds)
        before, lines = self._quiet, sum(figures.lines for figures in shards)
        self._quiet = lines if all(figures.idle for figures in shards) else None
        if self.ended is None and before is not None and before == self._quiet:
            self.ended = "nothing waits any more"

    def _set_level(self) -> None:
        slots = self._places * len(self.reports)
        idle = sum(self._places - report.active for report in self.reports.values() if not report.hungry)
        if idle > slots // 4 and self.level > -math.inf:
            self.reach = min(1.5 * self.reach, 1e6)
        elif not idle:
            self.reach *= 0.8
        self.reach = max(self.reach, slots)
        count = math.ceil(self.reach)
        values = largest((report.values for report in self.reports.values()), count + 1)
        self.level = -math.inf if len(values) <= count else float(np.sort(values)[1])
        if self.level < self._least and any(report.likely for report in self.reports.values()):
            self.level, self.reach = self._least, slots  # once nothing else is known, little of the rest is fetched
