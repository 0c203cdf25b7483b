"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Part, Points, ReportPage, Section
from dragoman.report.tables import CellValue, Column, Table
from dragoman.studies.hayati_2004 import pictures, results
from dragoman.studies.hayati_2004.figures import Figures
from dragoman.studies.hayati_2004.findings import Finding, findings
from dragoman.studies.hayati_2004.study import Study


def claims(found: Sequence[Finding]) -> Table:
    """What agrees with the paper and what does not."""
    rows: list[list[CellValue]] = [[number, one.verdict, one.claim, one.reason] for number, one in enumerate(found, 1)]
    columns = [Column("", "count"), Column("Here", "text"), Column("Claim or question", "text")]
    columns.append(Column("Why, as far as we can tell", "text"))
    return Table("The paper's findings on our data", columns, rows, "In brackets: the paper's sections.")


def evidence(found: Sequence[Finding]) -> Table:
    """The figures behind each verdict."""
    rows: list[list[CellValue]] = [
        [f"{number}. {one.claim}", label, figure]
        for number, one in enumerate(found, 1)
        for label, figure in one.evidence
    ]
    columns = [Column("Finding", "group"), Column("Measured", "text"), Column("Accuracy or difference", digits=3)]
    note = (
        "Square brackets: the lowest and the highest draw, differences taken draw by draw. A claim is confirmed or "
        "contradicted only where every draw agrees, for whole pages and for 20-200 characters, or as the line says."
    )
    return Table("The figures behind each verdict", columns, rows, note)


def study_page(study: Study, command: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    figures = Figures(study)
    found = list(findings(figures))
    no_urls = "No URLs were given (`--urls DIR`), so this part is left out."
    domains: list[Part] = [results.domains(figures)] if study.domains is not None else [no_urls]
    sections = [
        Section(
            "What agrees and what does not",
            [
                Legend("published in 2004, on their pages", "measured on ours, judge half, means of the draws"),
                claims(found),
                evidence(found),
            ],
        ),
        Section("The paper's figures", [results.published_table(figures)]),
        Section("The text", [results.sizes(figures)]),
        Section("Eleven languages", [results.variants(figures, "eleven"), pictures.by_length(figures)]),
        Section("Five languages", [results.variants(figures, "five")]),
        Section(
            "What the paper leaves open, one change at a time",
            [results.changes(figures), pictures.by_common(figures), pictures.by_selected(figures)],
        ),
        Section("How much training", [pictures.by_training(figures)]),
        Section("The top-level domain", domains),
        Section("Who is taken for whom", [results.by_language(figures), pictures.confusion(figures)]),
        Section("Kinds of text", [results.by_source(figures)]),
        Section(
            "What differs from the paper",
            [
                Points(
                    [
                        "The documents: pages of documentation and sentences, not pages of an archive. Training text "
                        "is from pages, test sentences from elsewhere (Tatoeba, package descriptions, the Declaration "
                        "of Human Rights), cut to the lengths; whole pages are tested with models of other pages.",
                        "`our choices` were made on the tuning half of the sentences, for five languages; every figure "
                        "is on the judge half.",
                        "Letters of every script are kept; the paper has Windows-1252. A space alone is no n-gram.",
                        "Norwegian is Bokmål, trained on a handbook in prose, while the Danish pages are manuals full "
                        "of commands and menus: Danish sentences are often taken for Norwegian. Perhaps that is what "
                        "training on another domain than the test costs between close languages.",
                        "A small floor is added to the variances of the Fisher discriminant, without which an n-gram "
                        "that never varies is infinitely good.",
                        "OUTLINKS and INLINKS need links: `benchmarks/links/short_pages.py` tries them; this study "
                        "says from which length on they would pay.",
                    ]
                )
            ],
        ),
    ]
    digests = "; ".join(f"`{name}` sha256 `{digest}`" for name, digest in sorted(study.digests.items()))
    return ReportPage(
        "Language identification on the web: the 2004 study on our data",
        sections,
        lead=(
            "Hayati, Language Identification on the World Wide Web (University of California, Santa Cruz, 2004). BASE "
            "is Cavnar and Trenkle's rank order, NFC is n-grams selected by the Fisher discriminant and compared by "
            "cosine. "
            f"{study.plan.draws} draws, scale `{study.plan.name}`, seed {study.seed}."
        ),
        footer=f"Made by `{command}`. Data: {digests}.",
    )
