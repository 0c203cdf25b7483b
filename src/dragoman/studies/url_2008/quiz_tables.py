"""The result of a quiz as tables for people: the person, the model, and the URL paper's human judges."""

from __future__ import annotations

from dragoman import languages
from dragoman.report.tables import CellValue, Column, Table
from dragoman.studies.url_2008.published import published_figure
from dragoman.studies.url_2008.quiz import ENOUGH, Result


def quiz_tables(result: Result) -> list[Table]:
    """Scores, recall by language where there is enough, agreement, and what was missed."""
    tables = [score_table(result), recall_table(result), agreement_table(result), missed_table(result)]
    return [table for table in tables if table.rows]


def score_table(result: Result) -> Table:
    """Everybody's scores beside the paper's human judges."""
    rows: list[list[CellValue]] = [
        [judge, one.accuracy, one.macro_f, one.recall] for judge, one in result.scores.items()
    ]
    their_f, their_recall = published_figure("human-f").value, published_figure("human-recall").value
    rows.append(["two people (the 2008 paper, its URLs)", None, their_f, their_recall])
    columns = [Column("Judge", "text"), Column("right"), Column("F"), Column("recall")]
    note = (
        "Brackets: 95 % interval, resampling URLs. F and recall are means of the languages; F is for a balanced test: "
        'accepting everything gives .667. "Don\'t know" counts as no to every language.'
    )
    return Table(f"Scores on {len(result.urls)} URLs", columns, rows, note)


def recall_table(result: Result) -> Table:
    """Share of each language's URLs that was answered rightly."""
    counts = {language: n for one in result.scores.values() for language, (n, _) in one.by_language.items()}
    rows: list[list[CellValue]] = [
        [languages.name(language), n, *(one.by_language[language][1] for one in result.scores.values())]
        for language, n in counts.items()
    ]
    columns = [Column("Language", "text"), Column("URLs", "count"), *(Column(judge) for judge in result.scores)]
    return Table("Recall by language", columns, rows, f"Languages with {ENOUGH} URLs or more.")


def agreement_table(result: Result) -> Table:
    """How far the judges agree, beside the paper's."""
    rows: list[list[CellValue]] = [
        [f"{one} with {other}", value] for (one, other), value in result.correlations.items()
    ]
    theirs = "correlation-judges", "correlation-best-first", "correlation-best-second"
    labels = "two people", "the first with the best algorithm", "the second with the best algorithm"
    rows += [
        [f"{label} (the 2008 paper)", published_figure(key).value] for label, key in zip(labels, theirs, strict=True)
    ]
    note = "Pearson's correlation over all language x URL indicators."
    return Table("Agreement", [Column("Judges", "text"), Column("correlation")], rows, note)


def missed_table(result: Result) -> Table:
    """URLs that somebody got wrong, with the truth."""
    rows: list[list[CellValue]] = [
        [result.truths[row], *(said[row] or "don't know" for said in result.answers.values()), result.urls[row]]
        for row in result.missed
    ]
    columns = [Column("is", "text"), *(Column(judge, "text") for judge in result.answers), Column("URL", "text")]
    return Table("Where you disagree, or all were wrong", columns, rows)
