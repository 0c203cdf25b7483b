"""The coordinator without workers: who carries what, how many pages may be fetched, and when the end has come."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dragoman.crawl.live.cluster.coordinator import Coordinator
from dragoman.crawl.live.cluster.job import ClusterJob, Report, ShardFigures
from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.state.targets import Budget, Target

BUSY = ShardFigures(0, False, 0, 0, 0, 0, {})


def job(shards: int = 4, **more: object) -> ClusterJob:
    return ClusterJob("folder", shards, Target(("th",)), [], Manners(concurrent=4), **more)  # type: ignore[arg-type]


def join(coordinator: Coordinator, worker: int) -> None:
    """A worker answers for the first time."""
    coordinator.heard(worker, Report())


def report(coordinator: Coordinator, worker: int, permits: int = 0, pages: int = 0, **figures: object) -> Report:
    """What a worker says that carries all that it is to carry."""
    coordinator.beat_for(worker)
    shards = {
        number: BUSY._replace(epoch=owner.epoch, pages=pages, **figures)  # type: ignore[arg-type]
        for number, owner in coordinator.owners.items()
        if owner.worker == worker
    }
    return Report(shards, permits, hungry=True)


def test_shards_are_spread_and_move_to_workers_that_come_later() -> None:
    coordinator = Coordinator(job(6))
    join(coordinator, 0)
    coordinator.assign()
    assert {owner.worker for owner in coordinator.owners.values()} == {0}
    coordinator.heard(0, report(coordinator, 0))
    join(coordinator, 1)
    coordinator.assign()
    assert len(coordinator.owners) == 3, "three are let go"
    carried = coordinator.reports[0]
    coordinator.heard(0, carried)
    coordinator.assign()
    assert len(coordinator.owners) == 3, "nobody else has them before they are let go"
    coordinator.heard(0, report(coordinator, 0))
    coordinator.assign()
    assert [owner.worker for _, owner in sorted(coordinator.owners.items())] == [0, 0, 0, 1, 1, 1]


def test_the_shards_of_a_lost_worker_get_a_later_epoch() -> None:
    coordinator = Coordinator(job(2))
    join(coordinator, 0)
    join(coordinator, 1)
    coordinator.assign()
    before = dict(coordinator.owners)
    coordinator.leave(0)
    coordinator.assign()
    (moved,) = (number for number, owner in before.items() if owner.worker == 0)
    assert coordinator.owners[moved].worker == 1
    assert coordinator.owners[moved].epoch > max(owner.epoch for owner in before.values())


def test_there_are_never_more_permits_out_than_pages_may_be_fetched() -> None:
    coordinator = Coordinator(job(2, budget=Budget(pages=10)))
    for worker in (0, 1):
        join(coordinator, worker)
    coordinator.assign()
    assert coordinator.beat_for(0).grant == 0, "who knows how many pages there are"
    for worker in (0, 1):
        coordinator.heard(worker, report(coordinator, worker, pages=1))
    assert [coordinator.beat_for(worker).grant for worker in (0, 1)] == [8, 0]
    coordinator.heard(0, report(coordinator, 0, permits=2, pages=5))
    coordinator.leave(0)
    assert coordinator.beat_for(1).grant == 0, "the two of the worker that is gone may have been used"
    coordinator.assign()
    coordinator.heard(1, report(coordinator, 1, permits=2, pages=3))
    assert coordinator.pages == 6
    assert coordinator.beat_for(1).grant == 2


def test_far_from_the_end_a_worker_has_permits_enough_until_the_next_beat() -> None:
    for target, budget in ((Target(("th",)), Budget(pages=802)), (Target(("th",), {"th": 800}), Budget())):
        coordinator = Coordinator(replace(job(2, budget=budget), target=target))
        for worker in (0, 1):
            join(coordinator, worker)
        coordinator.assign()
        for worker in (0, 1):
            coordinator.heard(worker, report(coordinator, worker, pages=1))
        assert [coordinator.beat_for(worker).grant for worker in (0, 1)] == [200, 200], "half of what is left"
        for worker in (0, 1):
            coordinator.heard(worker, report(coordinator, worker, permits=150, pages=370, quotas={"th": 370}))
        assert coordinator.beat_for(0).grant == 0, "with 60 or 62 left none has more than a small block"


def test_pages_that_came_while_a_shard_was_let_go_are_counted_before_there_are_more_permits() -> None:
    coordinator = Coordinator(job(4, budget=Budget(pages=10)))
    join(coordinator, 0)
    coordinator.assign()
    coordinator.heard(0, report(coordinator, 0, permits=1, pages=2))
    join(coordinator, 1)
    coordinator.assign()
    letting_go = report(coordinator, 0, pages=2)
    assert len(letting_go.shards) == 2
    coordinator.heard(0, letting_go)  # one page more has come, in a shard that nobody tells of any more
    assert coordinator.beat_for(0).grant == 0
    coordinator.assign()
    for worker, pages in ((0, 2), (1, 3)):
        coordinator.heard(worker, report(coordinator, worker, pages=pages))
    assert coordinator.beat_for(1).grant == 0, "all ten are there"


def test_the_end_is_when_all_are_idle_twice_and_told_nothing_in_between() -> None:
    coordinator = Coordinator(job(2))
    join(coordinator, 0)
    coordinator.assign()
    coordinator.heard(0, report(coordinator, 0, idle=False, lines=1))
    coordinator.wave()
    coordinator.heard(0, report(coordinator, 0, idle=True, lines=1))
    coordinator.wave()
    assert coordinator.ended is None, "once is not enough"
    coordinator.heard(0, report(coordinator, 0, idle=True, lines=2))
    coordinator.wave()
    assert coordinator.ended is None, "something happened in between"
    coordinator.wave()
    assert coordinator.ended is None, "nobody has said anything new"
    coordinator.heard(0, report(coordinator, 0, idle=True, lines=2))
    coordinator.wave()
    assert coordinator.ended == "nothing waits any more"


def test_what_a_worker_said_before_the_last_wave_does_not_end_the_crawl() -> None:
    coordinator = Coordinator(job(2))
    for worker in (0, 1):
        join(coordinator, worker)
    coordinator.assign()
    idle = [report(coordinator, worker, idle=True) for worker in (0, 1)]
    coordinator.heard(0, idle[0])
    early = report(coordinator, 0, idle=True)
    coordinator.heard(1, idle[1])
    coordinator.wave()
    coordinator.heard(0, early)
    coordinator.heard(1, report(coordinator, 1, idle=True))
    coordinator.wave()
    assert coordinator.ended is None
    coordinator.heard(0, report(coordinator, 0, idle=True))
    coordinator.wave()
    assert coordinator.ended == "nothing waits any more"


def test_the_level_is_what_the_best_of_all_count_and_falls_while_places_are_free() -> None:
    coordinator = Coordinator(job(2))
    for worker in (0, 1):
        join(coordinator, worker)
    coordinator.assign()
    for worker, top in ((0, 100.0), (1, 50.0)):
        said = report(coordinator, worker)
        coordinator.heard(worker, replace(said, active=4, values=np.arange(top, top - 40, -1)))
    coordinator.wave()
    assert coordinator.level == 93.0, "so many as there are places"
    for worker, said in list(coordinator.reports.items()):
        coordinator.heard(worker, replace(said, active=1))
    coordinator.wave()
    assert coordinator.level == 93.0, "they have something to fetch"
    for worker, said in list(coordinator.reports.items()):
        coordinator.heard(worker, replace(said, hungry=False))
    coordinator.wave()
    assert coordinator.level == 89.0
    for worker, said in list(coordinator.reports.items()):
        coordinator.heard(worker, replace(said, values=said.values[:2]))
    coordinator.wave()
    assert coordinator.level == -math.inf


def test_nobody_fetches_what_is_hardly_worth_it_while_better_urls_wait_for_busy_hosts() -> None:
    coordinator = Coordinator(job(2))
    for worker in (0, 1):
        join(coordinator, worker)
        coordinator.heard(worker, replace(report(coordinator, worker), likely=worker == 1))
    coordinator.wave()
    assert coordinator.level == Target(("th",)).new_strategy().least > -math.inf
    coordinator.heard(1, report(coordinator, 1))
    coordinator.wave()
    assert coordinator.level == -math.inf
