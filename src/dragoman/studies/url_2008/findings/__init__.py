"""Which of the paper's claims hold on our data: each with its figures, intervals and a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.studies.claims import Finding
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.findings.about_classifiers import classifier_claims
from dragoman.studies.url_2008.findings.about_training import training_claims
from dragoman.studies.url_2008.findings.about_urls import url_claims


def findings(figures: UrlFigures) -> Iterator[Finding]:
    """The paper's claims, in its order."""
    yield from url_claims(figures)
    yield from classifier_claims(figures)
    yield from training_claims(figures)
