"""The whole report of the URL paper's study as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Part, ReportPage, Section, Verbatim
from dragoman.report.tables import Column
from dragoman.studies.claims import Finding, claims_table, evidence_table
from dragoman.studies.url_2008 import experiments, pictures, tables
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.plan import CAP

NO_TEXT = "No text was given (`--text FILE`, a Parquet file with the columns text and lang), so this part is left out."


def study_page(figures: UrlFigures, findings: Sequence[Finding], footer: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    legend = Legend(
        "published in 2008, on their URLs", "measured on ours, judge halves, with 95 % intervals by site where given"
    )
    evidence = evidence_table(
        findings,
        [Column("Measured", "group"), Column("", "text")],
        list(figures.tests),
        "Square brackets: 95 % interval of the paired difference, resampling sites.",
    )
    sizes: list[Part] = [pictures.learning(figures), experiments.training_sizes(figures)]
    sizes += [pictures.seen_sites(figures), experiments.seen_sites(figures)]
    sizes.insert(2, experiments.protocols(figures))
    content: list[Part] = [experiments.content(figures) if figures.has_text else NO_TEXT]
    content.append(experiments.counted_tokens(figures))
    tree: list[Part] = [pictures.tree(figures), Verbatim(str(figures.tree["text"])), experiments.greedy(figures)]
    sensitivity: list[Part] = [pictures.sensitivity(figures), experiments.sensitivity(figures)]
    sections = [
        Section("What agrees and what does not", [legend, claims_table(findings), evidence]),
        Section("The URLs", [tables.sizes(figures), experiments.counted_hyphens(figures)]),
        Section("Every classifier", [tables.summary(figures), experiments.tried_first(figures)]),
        Section("Best single and best pairs", [tables.best(figures)]),
        Section("Human judges", [experiments.humans(figures), experiments.judges(figures)]),
        Section("The country-code rules", [tables.country_codes(figures)]),
        Section("Who is taken for whom", pictures.confusions(figures)),
        Section("Every feature set, algorithm, set and language", tables.paper_tables(figures)),
        Section("How much training", sizes),
        Section("Training on content", content),
        Section("A tree to read", tree),
        Section("How much maximum entropy depends on its settings", sensitivity),
        Section("Kinds of URLs", [experiments.by_stratum(figures)]),
        Section("Other languages", [experiments.open_test(figures)]),
        Section("The published tables, checked", [tables.doubtful()]),
    ]
    return ReportPage(
        "Language from the URL alone: the 2008 study on our data",
        sections,
        lead=(
            "Baykan, Henzinger and Weber, Web Page Language Identification Based on URLs (VLDB 2008). "
            f"Trained on {len(figures.corpus.train):,} URLs of five languages (at most {CAP} per site, scale "
            f"`{figures.plan.name}`); choices made on the tuning halves, every figure below on the judge halves. F is "
            "for a balanced test: accepting everything gives .67."
        ),
        footer=footer,
    )
