"""The study of language-specific crawling: every web made, looked at and crawled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import LEVELS, Run, misses_by_distance, simulate
from dragoman.crawl.synth import Recipe
from dragoman.crawl.synth.recipe import published as thai_web
from dragoman.crawl.synth.statistics import statistics
from dragoman.report.html import ReportPage
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding
from dragoman.studies.crawling_2007.figures import EARLY, CrawlingFigures, published
from dragoman.studies.crawling_2007.findings import findings
from dragoman.studies.crawling_2007.page import study_page
from dragoman.studies.crawling_2007.plan import SCALES, CrawlingPlan, CrawlJob, Web, jobs
from dragoman.studies.crawling_2007.webs import LANGUAGE, MadeWeb
from dragoman.studies.study import Piece, Progress, Study
from dragoman.web.locality import locality

#: Points of a curve, and the first phase: the part of the web that the paper had crawled when it speaks of 70 %.
POINTS = 400
FIRST_PHASE = published()["first_phase_pages"] / thai_web()["pages"]


class CrawlingStudy(Study[CrawlingPlan]):
    """A Method for Language-Specific Web Crawling and Its Evaluation (Tamura and others, 2007), on synthetic webs."""

    scales = SCALES

    def load(self, progress: Progress) -> None:
        """Nothing is read: the study makes its own webs."""
        self.jobs = tuple(jobs())
        self.webs = tuple(self.plan.all_webs(self.seed))
        # The pieces of one web follow each other: one web at a time is enough.
        self.made = lru_cache(maxsize=1)(MadeWeb.of)

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
        """Of every web its statistics, then every crawl; of those with a changed setting the crawls that are swept."""
        return [
            piece
            for web in self.webs
            for piece in (
                Piece(f"{web.name}/web", partial(self._about, web)),
                *(
                    Piece(f"{web.name}/{job.name}", partial(self._crawl, web, job))
                    for job in self.jobs
                    if job.runs_on(web)
                ),
            )
        ]

    def _about(self, web: Web) -> Arrays:
        made = self.made(web)
        local = locality(made.web.graph, LANGUAGE)
        rows = statistics(made.web.graph, LANGUAGE, local)
        about = {
            "names": np.array([row.name for row in rows], np.str_),
            "paper": np.array([np.nan if row.paper is None else row.paper for row in rows]),
            "ours": np.array([np.nan if row.ours is None else row.ours for row in rows]),
            "allowed": np.array([row.allowed for row in rows]),
            "pages_at": local.pages_at,
            "target_at": local.target_at,
            "nearest_at": local.nearest_at,
            "alone": np.array(local.alone),
        }
        if not web.setting:
            at_home = made.relevant & made.national[made.web.graph.server]
            about["national"] = np.array(at_home.sum() / made.relevant.sum())
            truth, taken = made.relevant, made.identified
            about["identified"] = np.array([(taken & truth).sum(), (taken & ~truth).sum(), truth.sum()])
        return about

    def _crawl(self, web: Web, job: CrawlJob) -> Arrays:
        made = self.made(web)
        taken = made.identified if job.identified else made.relevant
        graph, options = made.graph_for(job), job.options_for(web.pages)
        run = simulate(graph, taken, job.strategy, options, score=made.score(job.score), points=POINTS)
        # Whatever the crawl took for relevant, the figures are about the target pages of the whole web.
        truth = made.relevant
        run = replace(
            run, relevant_so_far=np.cumsum(truth[run.order], dtype=np.int64), total=int(np.count_nonzero(truth))
        )
        curve: Mapping[str, NDArray[np.generic]] = run.curve()
        reachable = int(np.count_nonzero(made.distance >= 0))
        return {
            **curve,
            "missed": misses_by_distance(run, made.distance, truth),
            "final": np.array([run.coverage, run.harvest]),
            "crawled": np.array([len(run.order), int(run.queue.max(initial=0)), int(run.servers[-1])]),
            "harvest_at": np.array([_harvest_at(run, level) for level in LEVELS]),
            "first_phase": np.array(_harvest_after(run, FIRST_PHASE * reachable)),
            "early": np.array([_harvest_after(run, share * web.pages) for share in EARLY]),
        }


def _harvest_after(run: Run, pages: float) -> float:
    """Harvest after so many pages, or at the end of a shorter crawl."""
    after = min(len(run.order), max(1, round(pages)))
    return float(run.relevant_so_far[after - 1]) / after


def _harvest_at(run: Run, level: float) -> float:
    share = run.harvest_at(level)
    return np.nan if share is None else share
