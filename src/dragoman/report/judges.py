"""Judges of the same URLs, as tables for people: scores, recall by language, agreement, and what was missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dragoman.evaluate.judges import ENOUGH
from dragoman.languages import name
from dragoman.report.tables import CellValue, Column, Table

_SCORES_NOTE = (
    "Brackets: 95 % interval, resampling URLs. F and recall are means of the languages; F is for a balanced test: "
    'accepting everything gives .667. "Don\'t know" counts as no to every language.'
)
_AGREEMENT_NOTE = "Pearson's correlation over all language x URL indicators."


def judge_tables(
    result: Mapping[str, Any],
    others: Sequence[Sequence[CellValue]] = (),
    other_pairs: Sequence[Sequence[CellValue]] = (),
) -> list[Table]:
    """The tables that have rows, of what `compare_judges` found; `others` are rows of judges of other URLs."""
    judges = result["judges"]
    text = partial(Column, kind="text")
    scores = [[judge, row["accuracy"], row["macro_f"], row["recall"]] for judge, row in judges.items()]
    counts = {tag: row["n"] for judge in judges.values() for tag, row in judge["languages"].items()}
    recall = [
        [name(tag), n, *(row["languages"][tag]["recall"] for row in judges.values())] for tag, n in counts.items()
    ]
    pairs = [[" with ".join(row["judges"]), row["value"]] for row in result["correlations"]]
    missed = [
        [row["language"], *(tag or "don't know" for tag in row["answers"].values()), row["url"]]
        for row in result["urls"]
        if {*row["answers"].values()} != {row["language"]}
    ]
    figures, enough = map(Column, ("right", "F", "recall")), f"Languages with {ENOUGH} URLs or more."
    tables = [
        Table(f"Scores on {result['n']} URLs", [text("Judge"), *figures], [*scores, *others], _SCORES_NOTE),
        Table("Recall by language", [text("Language"), Column("URLs", "count"), *map(Column, judges)], recall, enough),
        Table("Agreement", [text("Judges"), Column("correlation")], [*pairs, *other_pairs], _AGREEMENT_NOTE),
        Table("Where you disagree, or all were wrong", [*map(text, ("is", *judges, "URL"))], missed),
    ]
    return [table for table in tables if table.rows]
