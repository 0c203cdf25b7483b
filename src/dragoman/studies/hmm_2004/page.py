"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Points, ReportPage, Section
from dragoman.report.tables import Column
from dragoman.studies.claims import Finding, claims_table, evidence_table
from dragoman.studies.hmm_2004 import pictures, tables
from dragoman.studies.hmm_2004.figures import HmmFigures
from dragoman.studies.published import departures


def study_page(figures: HmmFigures, findings: Sequence[Finding], footer: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    legend = Legend("published in 2004, on pages of hotels", "measured on ours, judge half, means of the draws")
    claims = claims_table(findings)
    evidence = evidence_table(
        findings,
        [Column("Claim", "group"), Column("Measured", "text")],
        ["difference of rates"],
        "Differences are taken draw by draw; in brackets the lowest and the highest.",
    )
    sections = [
        Section("What agrees and what does not", [legend, claims, evidence]),
        Section("The text", [tables.sizes(figures)]),
        Section("Streams", [tables.streams(figures), pictures.streams(figures)]),
        Section("Topologies", [tables.topologies(figures)]),
        Section("Length and training size", [tables.lengths_table(figures), tables.other_domain(figures)]),
        Section("Who is taken for whom", [*pictures.confusions(figures), tables.confused(figures)]),
        Section("Number of states", [tables.states(figures), pictures.states(figures)]),
        Section("What changes what", [tables.changes(figures)]),
        Section(
            "Methods, the hybrid and the domain of the training text",
            [tables.methods(figures), pictures.methods(figures), tables.hybrid(figures)],
        ),
        Section("Tracking", [tables.two_languages(figures), tables.tracking(figures), pictures.tracking(figures)]),
        Section("What differs from the paper", [Points(departures(__package__))]),
    ]
    return ReportPage(
        "Hidden Markov models of letters: the 2004 study on our data",
        sections,
        lead=(
            "Xafopoulos, Kotropoulos, Almpanidis and Pitas, Language identification in web documents using discrete "
            "HMMs (Pattern Recognition, 2004). Five languages, 22,446 training characters each, "
            f"{figures.plan.draws} draws, scale `{figures.plan.name}`, seed {figures.seed}."
        ),
        footer=footer,
    )
