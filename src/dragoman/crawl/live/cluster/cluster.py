"""ClusterCrawl: a crawl on Ray. This process coordinates, actors on the nodes of the cluster carry the shards."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dragoman.crawl.live.cluster.coordinator import Coordinator
from dragoman.crawl.live.cluster.job import ClusterJob
from dragoman.crawl.live.cluster.storage import patiently
from dragoman.crawl.live.cluster.worker import Worker
from dragoman.crawl.live.state.expected import CurvePoint
from dragoman.crawl.live.state.progress import CrawlProgress
from dragoman.errors import DragomanError, UsageError, need
from dragoman.files import file_system, is_remote, write_whole

#: Seconds between two beats, for which an answer to one is waited before others go on, and between two progress files.
BEAT, PATIENCE, STATE = 0.25, 1.0, 2.0
#: Seconds that workers may take to write everything to its end, and for which those that start are waited for.
END, START = 600.0, 30.0
#: Workers that do not start in a row, after which that is told; leases for which one that is not dead may be silent.
MOST_STARTS, LEASES = 4, 3
NAME, FORMAT = "cluster.json", 3


def read_state(output: str) -> dict[str, Any]:
    """What is known of the crawl at a folder or an address; nothing if there is none yet."""
    system, inner = file_system(output)
    if not system.exists(f"{inner}/{NAME}"):
        return {"shards": 1} if system.exists(f"{inner}/crawl.sqlite") else {}
    state: dict[str, Any] = json.loads(system.cat_file(f"{inner}/{NAME}"))
    if state.get("format") != FORMAT:
        raise UsageError(
            f"'{output}' was written by another version of Dragoman: give a new folder and its URLs as --seeds"
        )
    return state


@dataclass
class HiredWorker:
    """A worker, as the coordinator's process knows it."""

    actor: Any
    #: What it has not answered yet, and when it was asked that; the first answer is its process.
    call: Any
    asked: float = math.inf
    #: Its process, once it has answered; True once Ray says that it has died.
    pid: int = 0
    gone: bool = False
    progress: CrawlProgress | None = None


class ClusterCrawl:
    """A crawl by the workers of a Ray cluster.

    A worker that is lost is replaced. Its shards go to others when its lease is over: until then it may be fetching,
    whatever Ray says of it. One that Ray does not take for dead has some leases' time: it may only be slow, and what it
    has not uploaded would be lost.
    """

    worker: type[Worker] = Worker

    def __init__(self, job: ClusterJob, address: str, workers: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.ray: Any = need("cluster", "ray")
        self.job, self.wanted = job, workers
        before = read_state(job.output)
        self.resumed = bool(before)
        if before and before["shards"] != job.shards:
            raise UsageError(
                f"'{job.output}' is a crawl of {before['shards']} shards, not {job.shards}: give --shards "
                f"{before['shards']}, or a new folder and its URLs as --seeds"
            )
        #: Until when workers of an earlier command may be fetching, which was lost with the head, say.
        self._others_until = time.time() + min(float(before.get("until", 0.0)) - time.time(), job.lease + STATE)
        self._connect(address)
        now = time.monotonic()
        #: How many nodes there are, and when Ray's head was asked that; when a worker was lost.
        self._nodes, self._head_heard, self._lost = 0, now, -math.inf
        self.coordinator = Coordinator(job, float(before.get("seconds", 0.0)))
        self.members: dict[int, HiredWorker] = {}
        self._next_name = self._failed_starts = 0
        self._wait_until, self._over = now + START, threading.Event()
        self.notes: list[str] = []
        self._curve: list[CurvePoint] = []

    # ---- beginning and end

    def _connect(self, address: str) -> None:
        if self.ray.is_initialized():
            return
        local = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"} if address == "local" else {}
        try:
            self.ray.init(None if local else address, log_to_driver=False, logging_level="ERROR", **local)
        except Exception as error:
            raise DragomanError(
                f"There is no Ray cluster at '{address}' ({str(error).splitlines()[0][:120]}): start one with `ray "
                "start --head`, or give --cluster local"
            ) from error

    def run(self, watch: Callable[[], None] = lambda: None) -> CrawlProgress:
        """Crawl to the end; what was found."""
        try:
            self._write_state()
        except Exception as error:
            raise DragomanError(f"'{self.job.output}' cannot be written: {error}") from error
        threading.Thread(target=self._watch_nodes, daemon=True).start()
        telling = threading.Thread(target=self._tell, daemon=True)
        telling.start()
        try:
            time.sleep(max(0.0, self._others_until - time.time()))
            while self.coordinator.ended is None:
                began = time.monotonic()
                self._turn()
                watch()
                time.sleep(max(0.0, BEAT - (time.monotonic() - began)))
        except KeyboardInterrupt:
            pass
        finally:
            self._over.set()
        telling.join()  # or it would say afterwards that the crawl goes on
        return self._finish(self.coordinator.ended or "interrupted")

    def _finish(self, ended: str) -> CrawlProgress:
        there = list(self._ready.values())
        calls = [member.actor.finish.remote(ended) for member in there]
        try:
            answers = self.ray.get(calls, timeout=END)
        except self.ray.exceptions.RayTaskError as error:
            raise DragomanError(_why(error)) from error
        except self.ray.exceptions.RayError as error:
            raise DragomanError(f"A worker was lost at the end ({error}): the same command goes on") from error
        for member, progress in zip(there, answers, strict=True):
            member.progress = progress
            self.ray.kill(member.actor)
        if (whole := self.progress(ended)) is None:
            raise DragomanError("No worker has begun to crawl: look at `ray status`")
        patiently(lambda: self._write_state(whole), lambda: is_remote(self.job.output))
        return whole

    def progress(self, ended: str | None = None) -> CrawlProgress | None:
        """Where the whole crawl stands, as far as workers have told."""
        whole = CrawlProgress.merged([part for member in self.members.values() if (part := member.progress)])
        if whole is None:
            return None
        point = whole.curve[-1]._replace(seconds=self.coordinator.seconds)
        if not self._curve or point.pages > self._curve[-1].pages:
            self._curve.append(point)
        return replace(whole, curve=[*self._curve, point], seconds=point.seconds, ended=ended)

    def _write_state(self, progress: CrawlProgress | None = None) -> None:
        """Say for others where the crawl stands, and for the next run what it has to know."""
        over = progress is not None and progress.ended is not None
        state = {"format": FORMAT, "shards": self.job.shards, "seconds": round(self.coordinator.seconds, 1),
                 "until": 0.0 if over else round(time.time() + self.job.lease, 1)}  # fmt: skip
        write_whole(f"{self.job.output}/{NAME}", json.dumps(state))
        if progress is not None:
            progress.write(self.job.output)

    # ---- a turn

    def _watch_nodes(self) -> None:
        """Ask Ray's head again and again how many nodes there are: who asks waits for as long as it is away."""
        while not self._over.is_set():
            asked = time.monotonic()
            self._nodes, self._head_heard = sum(node["Alive"] for node in self.ray.nodes()), asked
            self._over.wait(PATIENCE)

    def _tell(self) -> None:
        """Write where everything stands: storage that does not answer must not let the leases be over."""
        while not self._over.wait(STATE):
            with suppress(Exception):  # the next one will tell, or the crawl's own files will
                self._write_state(self.progress())

    @property
    def _ready(self) -> dict[int, HiredWorker]:
        return {name: member for name, member in list(self.members.items()) if member.pid and not member.gone}

    def _turn(self) -> None:
        silence = time.monotonic() - self._head_heard
        if silence > self.job.lease:
            raise DragomanError(
                "Ray's head does not answer any more: start it, let the others join it, and give the same command"
            )
        there = silence < 3 * PATIENCE and self._head_heard > self._lost  # who was lost may have been lost with it
        if there:
            self._hire()
        ready = self._ready
        if all(member.pid for member in self.members.values()) or time.monotonic() > self._wait_until:
            self.coordinator.assign()
        for name, member in ready.items():
            if member.call is None:
                beat = self.coordinator.beat_for(name)
                peers = None if beat.owners is None else {name: other.actor for name, other in ready.items()}
                member.call, member.asked = member.actor.beat.remote(beat, peers), time.monotonic()
        if calls := [member.call for member in ready.values()]:
            self.ray.wait(calls, num_returns=len(calls), timeout=PATIENCE)
        for name, member in list(self.members.items()):
            if not member.gone and self.ray.wait([member.call], timeout=0)[0]:
                self._hear(name, member)
            # Nobody takes its shards from a worker before its lease is over: it may be fetching.
            allowed = (1 if member.gone else LEASES) * self.job.lease + BEAT
            if there and member.call is not None and time.monotonic() - member.asked > allowed:
                self.ray.kill(member.actor)
                self.coordinator.leave(name)
                del self.members[name]
        self.coordinator.wave()

    def _hear(self, name: int, member: HiredWorker) -> None:
        """Take what a worker has answered."""
        try:
            answer = self.ray.get(member.call)
        except self.ray.exceptions.RayTaskError as error:
            raise DragomanError(_why(error)) from error
        except self.ray.exceptions.RayError as error:  # also if its node was lost
            member.gone, self._lost = True, time.monotonic()
            if not member.pid:
                del self.members[name]
                self._failed_starts += 1
                if self._failed_starts > MOST_STARTS:
                    raise DragomanError(f"A worker cannot start: {_why(error)}") from error
            return
        member.call = None
        if not member.pid:
            member.pid, self._failed_starts = answer, 0
            return
        member.progress = answer.progress or member.progress
        self.notes += answer.notes
        self.coordinator.heard(name, answer)

    def _hire(self) -> None:
        """Have as many workers as are wanted: one on each node, unless somebody said how many."""
        wanted = min(self.wanted or self._nodes, self.job.shards)
        while sum(not member.gone for member in self.members.values()) < wanted:
            remote = self.ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(self.worker)
            name, self._next_name = self._next_name, self._next_name + 1
            actor = remote.remote(name, self.job)
            self.members[name] = HiredWorker(actor, actor.begin.remote())


def _why(error: Exception) -> str:
    """Why a worker ended: its own words where it has some."""
    cause = getattr(error, "cause", None)
    return str(cause) if isinstance(cause, DragomanError) else str(error).strip().splitlines()[-1]
