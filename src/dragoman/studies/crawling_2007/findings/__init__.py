"""Each statement of the paper, whether it holds on our webs, and the figures behind the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.studies.claims import Finding
from dragoman.studies.crawling_2007.figures import CrawlingFigures
from dragoman.studies.crawling_2007.findings.about_webs import graph_claims, identification_claims
from dragoman.studies.crawling_2007.findings.costs import efficiency_claims, open_questions
from dragoman.studies.crawling_2007.findings.strategies import (
    coverage_claims,
    harvest_claims,
    misses_claims,
    tolerance_claims,
)


def findings(figures: CrawlingFigures) -> Iterator[Finding]:
    """The paper's statements in its order."""
    for claims in (
        identification_claims,
        graph_claims,
        misses_claims,
        tolerance_claims,
        coverage_claims,
        harvest_claims,
        efficiency_claims,
        open_questions,
    ):
        yield from claims(figures)
