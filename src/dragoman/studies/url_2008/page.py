"""The whole report of the URL paper's study as one page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.report.html import Legend, Part, ReportPage, Section, Verbatim
from dragoman.report.tables import CellValue, Column, Table
from dragoman.studies.url_2008 import experiments, results
from dragoman.studies.url_2008.figures import Figures
from dragoman.studies.url_2008.findings import Finding, findings
from dragoman.studies.url_2008.published import inconsistent_cells
from dragoman.studies.url_2008.study import CAP, Study


def claims(found: Sequence[Finding]) -> Table:
    """What agrees with the paper and what does not."""
    rows: list[list[CellValue]] = [[number, one.verdict, one.claim] for number, one in enumerate(found, 1)]
    columns = [Column("", "count"), Column("Here", "text"), Column("The paper's claim", "text")]
    return Table("The paper's findings on our data", columns, rows, "In brackets: the paper's sections.")


def evidence(found: Sequence[Finding], tests: Iterable[str]) -> Table:
    """The figures behind each verdict."""
    names = list(tests)
    rows: list[list[CellValue]] = []
    for number, one in enumerate(found, 1):
        for label, figures in one.evidence:
            rows.append([f"{number}. {one.measured}", label, *(figures.get(test) for test in names)])
    columns = [Column("Measured", "group"), Column("", "text"), *(Column(name, digits=3) for name in names)]
    note = "Square brackets: 95 % interval of the paired difference, resampling sites."
    return Table("The figures behind each verdict", columns, rows, note)


def doubtful() -> Table:
    """Published cells that cannot be right."""
    rows: list[Sequence[CellValue]] = [
        (
            *(f"Table {cell.table}", cell.test_set, cell.language, cell.algorithm, cell.features or ""),
            *(cell.precision, cell.recall, cell.negative, cell.f, results.mark(cell)),
        )
        for cell in inconsistent_cells()
    ]
    columns = [Column(name, "text") for name in ("Table", "Set", "Language", "Algorithm", "Features")]
    columns += [Column(name) for name in ("P", "R", "p(-|-)", "F")] + [Column("Remark", "text")]
    return Table("Published cells that contradict themselves", columns, rows)


def study_page(study: Study, command: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    figures = Figures(study)
    found = list(findings(figures))
    tree_picture, tree_text = experiments.tree(figures)
    seen_picture, seen_table = experiments.seen(figures)
    sensitivity_picture, sensitivity_table = experiments.sensitivity(figures)
    train = study.corpus.train
    sections = [
        Section(
            "What agrees and what does not",
            [
                Legend(
                    "published in 2008, on their URLs",
                    "measured on ours, judge halves, with 95 % intervals by site where given",
                ),
                claims(found),
                evidence(found, figures.tests),
            ],
        ),
        Section("The URLs", [results.sizes(figures)]),
        Section("Every classifier", [results.summary(figures)]),
        Section("Best single and best pairs", [results.best(figures)]),
        Section("Human judges", [experiments.humans(figures), experiments.judges(figures)]),
        Section("The country-code rules", [results.country_codes(figures)]),
        Section("Who is taken for whom", experiments.confusions(figures)),
        Section("Every feature set, algorithm, set and language", list(results.paper_tables(figures))),
        Section(
            "How much training",
            [experiments.learning(figures), experiments.sizes_table(figures), seen_picture, seen_table],
        ),
        Section("Training on content", _content(figures)),
        Section("A tree to read", [tree_picture, Verbatim(tree_text), experiments.greedy(figures)]),
        Section("How much maximum entropy depends on its settings", [sensitivity_picture, sensitivity_table]),
        Section("Kinds of URLs", [experiments.by_stratum(figures)]),
        Section("Other languages", [experiments.open_test(figures)]),
        Section("The published tables, checked", [doubtful()]),
    ]
    digests = "; ".join(f"`{name}` sha256 `{digest}`" for name, digest in sorted(study.corpus.digests.items()))
    return ReportPage(
        "Language from the URL alone: the 2008 study on our data",
        sections,
        lead=(
            "Baykan, Henzinger and Weber, Web Page Language Identification Based on URLs (VLDB 2008). "
            f"Trained on {len(train):,} URLs of five languages (at most {CAP} per site, scale `{study.plan.name}`); "
            "choices made on the tuning halves, every figure below on the judge halves. F is for a balanced test: "
            "accepting everything gives .67."
        ),
        footer=f"Made by `{command}`. Data: {digests}.",
    )


def _content(figures: Figures) -> list[Part]:
    if figures.study.has_text:
        return [experiments.content(figures)]
    return [
        "No text was given (`--text FILE`, a Parquet file with the columns text and lang), so this part is left out."
    ]
