"""The whole report as one page."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.report.html import Legend, Points, ReportPage, Section
from dragoman.report.tables import CellValue, Column, Table
from dragoman.studies.hmm_2004 import pictures, results
from dragoman.studies.hmm_2004.figures import Figures
from dragoman.studies.hmm_2004.findings import Finding, findings
from dragoman.studies.hmm_2004.study import Study

DEPARTURES = (
    "The text: documentation pages for training, sentences of Tatoeba and of package descriptions for testing, where "
    "the paper trains and tests on pages of hotels. Lengths are in clean characters with the paper's averages.",
    "Rates are means over the languages, as the paper's are: pooled, the sentences of its Table 5 give 93 %, not 95 %.",
    "The paper states no emission floor; ours is a tenth of an observation in every cell.",
    "Its range of differences, 1 to 119, has no room for the start value of y with diaeresis (120): ours has.",
    "The stop list is ours: theirs is not printed.",
    "A text of fewer symbols than states has no path through a left-right model and no answer, which counts as wrong.",
    "Streams are not independent, so that their product is a score and never a probability.",
)


def claims(found: Sequence[Finding]) -> Table:
    """What agrees with the paper and what does not."""
    rows: list[list[CellValue]] = [[number, one.verdict, one.claim] for number, one in enumerate(found, 1)]
    columns = [Column("", "count"), Column("Here", "text"), Column("The paper's claim", "text")]
    return Table("The paper's findings on our data", columns, rows, "In brackets: the paper's sections and tables.")


def evidence(found: Sequence[Finding]) -> Table:
    """The figures behind each verdict."""
    rows: list[list[CellValue]] = [
        [f"{number}. {one.claim}", label, figure]
        for number, one in enumerate(found, 1)
        for label, figure in one.evidence
    ]
    columns = [Column("Claim", "group"), Column("Measured", "text"), Column("difference of rates", digits=3)]
    note = "Differences are taken draw by draw; in brackets the lowest and the highest."
    return Table("The figures behind each verdict", columns, rows, note)


def study_page(study: Study, command: str) -> ReportPage:
    """The report: theirs and ours side by side."""
    figures = Figures(study)
    found = list(findings(figures))
    legend = Legend("published in 2004, on pages of hotels", "measured on ours, judge half, means of the draws")
    sections = [
        Section("What agrees and what does not", [legend, claims(found), evidence(found)]),
        Section("The text", [results.sizes(study)]),
        Section("Streams", [results.streams(figures), pictures.streams(figures)]),
        Section("Topologies", [results.topologies(figures)]),
        Section("Length and training size", [results.lengths_table(figures)]),
        Section("Who is taken for whom", pictures.confusions(figures)),
        Section("Number of states", [results.states(figures), pictures.states(figures)]),
        Section("What changes what", [results.changes(figures)]),
        Section(
            "Methods, the hybrid and the domain of the training text",
            [results.methods(figures), pictures.methods(figures), results.hybrid(figures)],
        ),
        Section("Tracking", [results.tracking(figures), pictures.tracking(figures)]),
        Section("What differs from the paper", [Points(DEPARTURES)]),
    ]
    digests = "; ".join(f"`{name}` sha256 `{digest}`" for name, digest in sorted(study.texts.digests.items()))
    return ReportPage(
        "Hidden Markov models of letters: the 2004 study on our data",
        sections,
        lead=(
            "Xafopoulos, Kotropoulos, Almpanidis and Pitas, Language identification in web documents using discrete "
            "HMMs (Pattern Recognition, 2004). Five languages, 22,446 training characters each, "
            f"{study.plan.draws} draws, scale `{study.plan.name}`, seed {study.seed}."
        ),
        footer=f"Made by `{command}`. Data: {digests}.",
    )
