"""ClusterCrawl: a crawl on Ray. This process coordinates, actors on the nodes of the cluster carry the shards."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.coordinator import Coordinator
from dragoman.crawl.live.cluster.job import Beat, ClusterJob, Parcel, Report
from dragoman.crawl.live.cluster.storage import put
from dragoman.crawl.live.state.progress import NAME as PROGRESS
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.errors import DragomanError, UsageError, need
from dragoman.files import file_system, is_remote
from dragoman.identifiers.models import DEFAULT

#: Seconds between two beats, for which an answer to one is waited before others go on, and between two progress files.
BEAT, PATIENCE, STATE = 0.25, 1.0, 2.0
#: Seconds that workers may take to write everything to its end, and for which those that start are waited for.
END, START = 600.0, 30.0
#: Workers that do not start in a row, after which that is told.
MOST_STARTS = 4
NAME = "cluster.json"


def read_state(output: str) -> dict[str, Any]:
    """What is known of the crawl at a folder or an address; nothing if there is none yet."""
    system, inner = file_system(output)
    if system.exists(f"{inner}/{NAME}"):
        state: dict[str, Any] = json.loads(system.cat_file(f"{inner}/{NAME}"))
        return state
    return {"shards": 1} if system.exists(f"{inner}/crawl.sqlite") else {}


class WorkerActor:
    """A worker as an actor of Ray: Scrapy's reactor runs in a thread, and calls of the actor are carried out there."""

    def __init__(self, name: int, job: ClusterJob) -> None:
        from dragoman.crawl.live.driver.run import hush
        from dragoman.crawl.live.driver.scoring import UrlScorer
        from dragoman.identifiers.text.identify import open_method

        hush()
        UrlScorer(job.target.languages, job.options.get("model", DEFAULT))  # read now: later it would take lease's time
        open_method()
        self.peers: dict[int, Any] = {}
        self._ready = threading.Event()
        self._error: BaseException | None = None
        threading.Thread(target=self._run, args=(name, job), daemon=True).start()
        self._ready.wait()
        if self._error is not None:
            raise self._error

    def _run(self, name: int, job: ClusterJob) -> None:
        from dragoman.crawl.live.cluster.worker import Worker

        try:
            folder = Path(tempfile.mkdtemp(prefix="dragoman-")) if is_remote(job.output) else Path(job.output)
            self.worker = Worker(name, job, folder, self._send)
            from twisted.internet import reactor

            self.reactor: Any = reactor
            self.reactor.callWhenRunning(self.worker.start)
            self.reactor.callWhenRunning(self._ready.set)
        except BaseException as error:
            self._error = error
            self._ready.set()
            return
        self.worker.process.start(stop_after_crawl=False, install_signal_handlers=False)

    def _there(self, function: Callable[..., Any], *values: Any) -> Any:
        from twisted.internet.threads import blockingCallFromThread

        return blockingCallFromThread(self.reactor, function, *values)

    def _send(self, worker: int, parcel: Parcel, done: Callable[[], None]) -> None:
        peer = self.peers.get(worker)
        if peer is None:
            done()
            return
        arrived = peer.deliver.remote(parcel).future()
        arrived.add_done_callback(lambda _: self.reactor.callFromThread(done))

    def meet(self, peers: dict[int, Any]) -> int:
        """Know more workers; the process that this one is. Calls may overtake one another, so nobody is forgotten."""
        self.peers.update(peers)
        return os.getpid()

    def beat(self, beat: Beat) -> Report:
        """See Worker.beat."""
        report: Report = self._there(self.worker.beat, beat)
        return report

    def deliver(self, parcel: Parcel) -> None:
        """See Worker.deliver."""
        self._there(self.worker.deliver, parcel)

    def progress(self) -> CrawlProgress | None:
        """See Worker.progress."""
        progress: CrawlProgress | None = self._there(self.worker.progress)
        return progress

    def finish(self, reason: str) -> tuple[CrawlProgress | None, dict[int, str]]:
        """See Worker.finish; and what could not be written."""
        progress = self._there(self.worker.finish, reason)
        return progress, dict(self.worker.failures)


@dataclass
class HiredWorker:
    """A worker, as the coordinator's process knows it."""

    actor: Any
    #: The beat that it has not answered yet, and when the last one was sent that it has answered.
    beat: Any = None
    beat_sent: float = 0.0
    heard: float = 0.0
    #: How long the last answer took.
    took: float = 0.0
    ready: bool = False
    pid: int | None = None
    gone: bool = False


class ClusterCrawl:
    """A crawl by the workers of a Ray cluster.

    A worker that is lost is replaced. Its shards go to others when its lease is over: until then it may be fetching,
    whatever Ray says of it.
    """

    def __init__(self, job: ClusterJob, address: str, workers: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.ray: Any = need("cluster", "ray")
        self.job, self._wanted = job, workers
        before = read_state(job.output)
        self.resumed = bool(before)
        if before and before["shards"] != job.shards:
            raise UsageError(
                f"'{job.output}' is a crawl of {before['shards']} shards, not {job.shards}: give --shards "
                f"{before['shards']}, or a new folder and its URLs as --seeds"
            )
        self._connect(address)
        self.coordinator = Coordinator(job, float(before.get("seconds", 0.0)))
        self.members: dict[int, HiredWorker] = {}
        self._names = itertools.count()
        self._failed_starts = 0
        self._wait_until = time.monotonic() + START
        self.notes: list[str] = []
        self.progress: CrawlProgress | None = None
        self._next_state = 0.0

    # ---- beginning and end

    def _connect(self, address: str) -> None:
        if self.ray.is_initialized():
            return
        try:
            self.ray.init(
                None if address == "local" else address,
                log_to_driver=False,
                logging_level="ERROR",
                **({"include_dashboard": False, "_node_ip_address": "127.0.0.1"} if address == "local" else {}),
            )
        except Exception as error:
            raise DragomanError(
                f"There is no Ray cluster at '{address}' ({str(error).splitlines()[0][:120]}): start one with `ray "
                "start --head`, or give --cluster local"
            ) from error

    def run(self, watch: Callable[[], None] | None = None) -> CrawlProgress:
        """Crawl to the end; what was found."""
        self._write_state()
        ended = "interrupted"
        try:
            while self.coordinator.ended is None:
                began = time.monotonic()
                self._turn()
                if watch is not None:
                    watch()
                time.sleep(max(0.0, BEAT - (time.monotonic() - began)))
            ended = self.coordinator.ended
        except KeyboardInterrupt:
            pass
        return self._finish(ended)

    def _finish(self, ended: str) -> CrawlProgress:
        calls = {name: member.actor.finish.remote(ended) for name, member in self.members.items() if member.ready}
        parts, failures = [], dict[int, str]()
        for call in calls.values():
            try:
                progress, wrong = self.ray.get(call, timeout=END)
            except self.ray.exceptions.RayError as error:
                raise DragomanError(f"A worker was lost at the end ({error}): the same command goes on") from error
            failures |= wrong
            if progress is not None:
                parts.append(progress)
        for member in self.members.values():
            self.ray.kill(member.actor)
        if failures:
            raise DragomanError(next(iter(failures.values())))
        if not parts:
            raise DragomanError("No worker has begun to crawl: look at `ray status`")
        self.progress = self._whole(parts, ended)
        self._write_state()
        return self.progress

    def _whole(self, parts: list[CrawlProgress], ended: str | None) -> CrawlProgress:
        whole = CrawlProgress.merged(parts)
        curve = [*self.coordinator.curve, *whole.curve]
        return replace(whole, curve=curve, seconds=self.coordinator.seconds, ended=ended)

    def _write_state(self) -> None:
        state = {"shards": self.job.shards, "seconds": round(self.coordinator.seconds, 1)}
        put(f"{self.job.output}/{NAME}", json.dumps(state))
        if self.progress is not None:
            put(f"{self.job.output}/{PROGRESS}", json.dumps(self.progress.as_json()))

    # ---- a turn

    def _turn(self) -> None:
        self._hire()
        self._look_after()
        coordinator = self.coordinator
        if all(member.ready for member in self.members.values()) or time.monotonic() > self._wait_until:
            coordinator.assign()
        ready = {name: member for name, member in self.members.items() if member.ready and not member.gone}
        for name, member in ready.items():
            if member.beat is None:
                member.beat_sent = time.monotonic()
                member.beat = member.actor.beat.remote(coordinator.beat_for(name))
        calls = [member.beat for member in ready.values() if member.beat is not None]
        if calls:
            self.ray.wait(calls, num_returns=len(calls), timeout=PATIENCE)
        for name, member in ready.items():
            self._hear(name, member)
        coordinator.wave()
        if time.monotonic() >= self._next_state and ready:
            self._next_state = time.monotonic() + STATE
            self._show(list(ready.values()))

    def _hear(self, name: int, member: HiredWorker) -> None:
        if member.beat is None or not self.ray.wait([member.beat], timeout=0)[0]:
            return
        try:
            report: Report = self.ray.get(member.beat)
        except self.ray.exceptions.RayTaskError as error:
            raise DragomanError(f"A worker failed: {str(error).strip().splitlines()[-1]}") from error
        except self.ray.exceptions.RayError:
            member.gone, member.beat = True, None
            return
        member.beat, member.heard, member.took = None, member.beat_sent, time.monotonic() - member.beat_sent
        self.notes += report.notes
        self.coordinator.heard(name, report)
        if report.failures:
            self._fail(next(iter(report.failures.values())))

    def _fail(self, reason: str) -> None:
        """A shard cannot be carried; right after its worker was killed another one may have to try again."""
        if "Another process is crawling" not in reason:
            raise DragomanError(reason)

    def _look_after(self) -> None:
        """Take shards from workers that were not heard of for the time of a lease."""
        lease, now = self.job.lease, time.monotonic()
        for name, member in list(self.members.items()):
            if member.ready and now - member.heard > lease + BEAT:
                self.ray.kill(member.actor)
                self.coordinator.leave(name)
                del self.members[name]

    def _hire(self) -> None:
        """Have as many workers as are wanted: one on each node, unless somebody said how many."""
        wanted = self._wanted or sum(node["Alive"] for node in self.ray.nodes())
        wanted = min(wanted, self.job.shards)
        there = sum(not member.gone for member in self.members.values())
        actor = self.ray.remote(num_cpus=1, max_concurrency=8, scheduling_strategy="SPREAD")(WorkerActor)
        for name in itertools.islice(self._names, max(0, wanted - there)):
            self.members[name] = HiredWorker(actor.remote(name, self.job), heard=time.monotonic())
            self.members[name].beat = self.members[name].actor.meet.remote({})
        new = False
        for name, member in list(self.members.items()):
            if not member.ready and member.beat is not None and self.ray.wait([member.beat], timeout=0)[0]:
                try:
                    member.pid = self.ray.get(member.beat)
                except self.ray.exceptions.RayError as error:  # also if its node was lost meanwhile
                    self._failed_starts += 1
                    del self.members[name]
                    if self._failed_starts > MOST_STARTS:
                        raise DragomanError(f"A worker cannot start: {str(error).strip().splitlines()[-1]}") from error
                    continue
                self._failed_starts = 0
                member.beat, member.ready, member.heard, new = None, True, time.monotonic(), True
                self.coordinator.join(name)
        if new:
            peers = {name: member.actor for name, member in self.members.items() if member.ready}
            for member in self.members.values():
                if member.ready:
                    member.actor.meet.remote(peers)

    def _show(self, members: list[HiredWorker]) -> None:
        """Write progress.json."""
        calls = [member.actor.progress.remote() for member in members if not member.gone]
        there, _ = self.ray.wait(calls, num_returns=len(calls), timeout=PATIENCE)
        try:
            parts = [part for part in self.ray.get(there) if part is not None]
        except self.ray.exceptions.RayError:
            return
        if parts:
            self.progress = self._whole(parts, None)
        with suppress(Exception):  # the next one will tell, or the crawl's own files will
            self._write_state()
