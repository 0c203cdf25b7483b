"""The study of language-specific crawling: every web made, looked at and crawled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS, Run, distances, misses_by_distance, simulate
from dragoman.crawl.synth import Recipe, SyntheticWeb, make
from dragoman.crawl.synth.recipe import published as thai_web
from dragoman.crawl.synth.statistics import statistics
from dragoman.crawl.synth.urls import urls
from dragoman.crawl.url_scores import model_score, noisy_score
from dragoman.report.html import ReportPage
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding
from dragoman.studies.crawling_2007.figures import CrawlingFigures, published
from dragoman.studies.crawling_2007.findings import findings
from dragoman.studies.crawling_2007.page import study_page
from dragoman.studies.crawling_2007.plan import SCALES, CrawlingPlan, CrawlJob, Web, jobs
from dragoman.studies.study import Piece, Progress, Study
from dragoman.web.locality import locality

LANGUAGE = "th"
#: Points of a curve, and the first phase: the part of the web that the paper had crawled when it speaks of 70 %.
POINTS = 400
FIRST_PHASE = published()["first_phase_pages"] / thai_web()["pages"]


class CrawlingStudy(Study[CrawlingPlan]):
    """A Method for Language-Specific Web Crawling and Its Evaluation (Tamura and others, 2007), on synthetic webs."""

    scales = SCALES

    def load(self, progress: Progress) -> None:
        """Nothing is read: the study makes its own webs."""
        self.jobs = tuple(jobs(self.plan))
        self.webs = tuple(
            Web(pages, 100 + 10 * self.seed + number) for pages, count in self.plan.webs for number in range(count)
        )
        # The pieces of one web follow each other: one web at a time is enough.
        self.made = lru_cache(maxsize=1)(_made)

    def recipe(self) -> dict[str, Any]:
        """The crawls and the webs."""
        return {"jobs": repr(self.jobs), "web": repr(Recipe())}

    @cached_property
    def figures(self) -> CrawlingFigures:
        """What the finished pieces say."""
        return CrawlingFigures(self.plan, self.webs, self.jobs, self.cells)

    def report(self) -> tuple[list[Finding], ReportPage]:
        """What came of the claims, and the page."""
        claims = list(findings(self.figures))
        return claims, study_page(self.figures, claims, self.footer)

    def pieces(self) -> Sequence[Piece]:
        """Of every web its statistics, then every crawl."""
        return [
            piece
            for web in self.webs
            for piece in (
                Piece(f"{web.name}/web", partial(self._about, web)),
                *(Piece(f"{web.name}/{job.name}", partial(self._crawl, web, job)) for job in self.jobs),
            )
        ]

    def _about(self, web: Web) -> Arrays:
        graph = self.made(web).web.graph
        local = locality(graph, LANGUAGE)
        rows = statistics(graph, LANGUAGE, local)
        return {
            "names": np.array([row.name for row in rows], np.str_),
            "paper": np.array([row.paper for row in rows]),
            "ours": np.array([np.nan if row.ours is None else row.ours for row in rows]),
            "allowed": np.array([row.allowed for row in rows]),
            "pages_at": local.pages_at,
            "target_at": local.target_at,
            "nearest_at": local.nearest_at,
            "alone": np.array(local.alone),
        }

    def _crawl(self, web: Web, job: CrawlJob) -> Arrays:
        made = self.made(web)
        score = made.score(job.score, web.seed)
        options = job.options_for(web.pages)
        run = simulate(made.web.graph, made.relevant, job.strategy, options, score=score, points=POINTS)
        curve: Mapping[str, NDArray[np.generic]] = run.curve()
        first = min(len(run.order), max(1, round(FIRST_PHASE * int(np.count_nonzero(made.distance >= 0)))))
        return {
            **curve,
            "missed": misses_by_distance(run, made.distance, made.relevant),
            "final": np.array([run.coverage, run.harvest]),
            "crawled": np.array([len(run.order), int(run.queue.max(initial=0)), int(run.servers[-1])]),
            "harvest_at": np.array([_harvest_at(run, level) for level in LEVELS]),
            "first_phase": np.array(float(run.found[first - 1]) / first),
        }


@dataclass
class _MadeWeb:
    """A synthetic web with what every crawl of it needs."""

    web: SyntheticWeb
    relevant: NDArray[np.bool_]
    distance: NDArray[np.int32]

    @cached_property
    def by_model(self) -> NDArray[np.float32]:
        return model_score(urls(self.web), (LANGUAGE,))

    def score(self, kind: str, seed: int) -> NDArray[np.float32] | None:
        """What a crawl knows of URLs: nothing, a noisy score, or that of our URL model."""
        if kind == "noisy":
            return noisy_score(self.web.latent == 0, self.web.graph.server, seed=seed)
        return self.by_model if kind == "model" else None


def _made(web: Web) -> _MadeWeb:
    made = make(Recipe(pages=web.pages, seed=web.seed))
    return _MadeWeb(made, made.graph.is_in(LANGUAGE), distances(made.graph))


def _harvest_at(run: Run, level: float) -> float:
    share = run.harvest_at(level)
    return np.nan if share is None else share
