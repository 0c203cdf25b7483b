"""The whole study: every web made, looked at and crawled; what came out is kept and read again by the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS, Run, distances, misses_by_distance, simulate
from dragoman.crawl.synth import Recipe, SyntheticWeb, make
from dragoman.crawl.synth.recipe import published as thai_web
from dragoman.crawl.synth.statistics import statistics
from dragoman.crawl.synth.urls import urls
from dragoman.crawl.url_scores import model_score, noisy_score
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.crawling_2007.plan import SCALES, Job, Plan, jobs
from dragoman.studies.crawling_2007.published import published
from dragoman.web.locality import locality

#: Changes with the meaning of the kept pieces, so that old ones are not read as new.
EDITION = 1
LANGUAGE = "th"
#: Points of a curve, and the first phase: the part of the web that the paper had crawled when it speaks of 70 %.
POINTS = 400
FIRST_PHASE = published()["first_phase_pages"] / thai_web()["pages"]

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Web:
    """One synthetic web of the study."""

    pages: int
    seed: int

    @property
    def name(self) -> str:
        """The name of its pieces."""
        return f"{self.pages}/{self.seed}"


@dataclass(frozen=True)
class Study:
    """A finished study, ready to be read."""

    plan: Plan
    webs: tuple[Web, ...]
    jobs: tuple[Job, ...]
    cells: Cells

    def about(self, web: Web) -> Arrays:
        """A web's statistics beside the paper's, and its distances."""
        return self.cells.get(f"{web.name}/web")

    def crawl(self, web: Web, job: Job) -> Arrays:
        """What came of one crawl."""
        return self.cells.get(f"{web.name}/{job.name}")

    def sizes(self) -> list[int]:
        """The sizes of the webs, smallest first."""
        return sorted({web.pages for web in self.webs})

    def of_size(self, pages: int) -> list[Web]:
        """The webs of one size."""
        return [web for web in self.webs if web.pages == pages]

    def job(self, name: str) -> Job:
        """The job of that name."""
        return next(job for job in self.jobs if job.name == name)


def run_study(out: Path, scale: str, report: Report, seed: int = 0) -> Study:
    """Make and crawl what is not there yet; `report(done, total, what)` is told about each piece."""
    plan = SCALES[scale]
    todo = jobs(plan)
    kept = Cells(out, {"edition": EDITION, "plan": repr(plan), "jobs": repr(todo), "web": repr(Recipe()), "seed": seed})
    webs = tuple(Web(pages, 100 + 10 * seed + number) for pages, count in plan.webs for number in range(count))
    total = len(webs) * (len(todo) + 1)
    for place, web in enumerate(webs):
        done = place * (len(todo) + 1)
        missing = [job for job in todo if not kept.has(f"{web.name}/{job.name}")]
        if not missing and kept.has(f"{web.name}/web"):
            continue
        report(done, total, f"making a web of {web.pages:,} pages")
        made = make(Recipe(pages=web.pages, seed=web.seed))
        kept.compute(f"{web.name}/web", lambda made=made: _about(made))  # type: ignore[misc]
        _crawls(made, web, missing, kept, lambda more, what, done=done: report(done + more, total, what))  # type: ignore[misc]
    report(total, total, "done")
    return Study(plan, webs, tuple(todo), kept)


def _about(web: SyntheticWeb) -> Arrays:
    found = locality(web.graph, LANGUAGE)
    rows = statistics(web.graph, LANGUAGE, found)
    return {
        "names": np.array([row.name for row in rows], np.str_),
        "paper": np.array([row.paper for row in rows]),
        "ours": np.array([np.nan if row.ours is None else row.ours for row in rows]),
        "allowed": np.array([row.allowed for row in rows]),
        "pages_at": found.pages_at,
        "target_at": found.target_at,
        "nearest_at": found.nearest_at,
        "alone": np.array(found.alone),
    }


def _crawls(web: SyntheticWeb, named: Web, todo: list[Job], kept: Cells, report: Callable[[int, str], None]) -> None:
    graph = web.graph
    relevant, distance = graph.is_in(LANGUAGE), distances(graph)
    scores: dict[str, NDArray[np.float32] | None] = {"none": None}
    for number, job in enumerate(todo):
        report(number, f"{named.pages:,} pages: {job.name}")
        if job.score == "noisy" and "noisy" not in scores:
            scores["noisy"] = noisy_score(web.latent == 0, graph.server, seed=named.seed)
        if job.score == "model" and "model" not in scores:
            scores["model"] = model_score(urls(web), (LANGUAGE,))
        run = simulate(
            graph, relevant, job.strategy, job.options_for(named.pages), score=scores[job.score], points=POINTS
        )
        found = _kept(run, distance, relevant)
        kept.compute(f"{named.name}/{job.name}", lambda found=found: found)  # type: ignore[misc]


def _kept(run: Run, distance: NDArray[np.int32], relevant: NDArray[np.bool_]) -> Arrays:
    def share(value: float | None) -> float:
        return np.nan if value is None else value

    curve: Mapping[str, NDArray[np.generic]] = run.curve()
    first = min(len(run.order), max(1, round(FIRST_PHASE * int(np.count_nonzero(distance >= 0)))))
    return {
        **curve,
        "missed": misses_by_distance(run, distance, relevant),
        "final": np.array([run.coverage, run.harvest]),
        "crawled": np.array([len(run.order), int(run.queue.max(initial=0)), int(run.servers[-1])]),
        "harvest_at": np.array([share(run.harvest_at(level)) for level in LEVELS]),
        "first_phase": np.array(float(run.found[first - 1]) / first),
    }
