"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Part, Points, ReportPage, Section
from dragoman.report.tables import Column
from dragoman.studies.claims import Finding, claims_table, evidence_table
from dragoman.studies.hayati_2004 import pictures, tables
from dragoman.studies.hayati_2004.figures import HayatiFigures
from dragoman.studies.published import departures


def study_page(figures: HayatiFigures, findings: Sequence[Finding], footer: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    claims = claims_table(findings, claim="Claim or question", reason="Why, as far as we can tell")
    evidence = evidence_table(
        findings,
        [Column("Finding", "group"), Column("Measured", "text")],
        ["Accuracy or difference"],
        "Square brackets: the lowest and the highest draw, differences taken draw by draw. A claim is confirmed or "
        "contradicted only where every draw agrees, for whole pages and for 20-200 characters, or as the line says.",
    )
    legend = Legend("published in 2004, on their pages", "measured on ours, judge half, means of the draws")
    no_urls = "No URLs were given (`--urls DIR`), so this part is left out."
    domains: list[Part] = [tables.domains(figures)] if figures.domains is not None else [no_urls]
    sections = [
        Section("What agrees and what does not", [legend, claims, evidence]),
        Section("The paper's figures", [tables.published_table(figures)]),
        Section("The text", [tables.sizes(figures)]),
        Section("Eleven languages", [tables.variants(figures, "eleven"), pictures.by_length(figures)]),
        Section("Five languages", [tables.variants(figures, "five")]),
        Section(
            "What the paper leaves open, one change at a time",
            [tables.changes(figures), pictures.by_common(figures), pictures.by_selected(figures)],
        ),
        Section("How much training", [pictures.by_training(figures)]),
        Section("The top-level domain", domains),
        Section("Links", [tables.links(figures), tables.reconciled(figures)]),
        Section(
            "Who is taken for whom",
            [tables.by_language(figures), tables.neighbours(figures), pictures.confusion(figures)],
        ),
        Section("Kinds of text", [tables.by_source(figures)]),
        Section("What differs from the paper", [Points(departures(__package__))]),
    ]
    return ReportPage(
        "Language identification on the web: the 2004 study on our data",
        sections,
        lead=(
            "Hayati, Language Identification on the World Wide Web (University of California, Santa Cruz, 2004). BASE "
            "is Cavnar and Trenkle's rank order, NFC is n-grams selected by the Fisher discriminant and compared by "
            "cosine. "
            f"{figures.plan.draws} draws, scale `{figures.plan.name}`, seed {figures.seed}."
        ),
        footer=footer,
    )
