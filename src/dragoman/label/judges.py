"""What is asked about the rows of a table: their languages, by URL or text (where they change: dragoman.label.spans).

A judge takes a piece of rows and gives the columns that are added to it. Judges change nothing while they work, so
several threads may ask the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dragoman.columns import LANGUAGE, PROBABILITY, WANTED, AnswerColumns, ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.answer import Answers, answer, check_threshold, choice, reasons
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.operating import OperatingPoint, operating_point
from dragoman.identifiers.url.script import url_scripts, written
from dragoman.tables.pieces import RowPiece
from dragoman.types import Language

SCORES, CONTRIBUTIONS, SCRIPT, WRITTEN = "scores", "contributions", "script", "written"
Choice = str | Iterable[str] | None


class RowJudge(Protocol):
    """Gives the columns that are added to a piece of rows."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def piece_rows(self) -> int | None:
        """The most rows that are judged at a time; None: as many as are read."""

    def __call__(self, piece: RowPiece) -> AnswerColumns:
        """The columns for a piece."""


@dataclass(frozen=True)
class LanguageJudge:
    """The language of each row and its probability, by a model of URLs or of texts (of pages: dragoman.label.pages).

    At an operating point (`point`) it is a yes or no instead of a language. `top` adds the likeliest languages as
    `scores`, `explain` what spoke for and against them as `contributions`, `script` to the languages of URLs their
    `script`, and `written`: both in one.
    """

    model: Classifier
    languages: tuple[Language, ...] | None = None
    threshold: float | None = None
    point: OperatingPoint | None = None
    top: int = 0
    explain: bool = False
    script: bool = False
    piece_rows: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        extra = [SCORES] * bool(self.top) + [CONTRIBUTIONS] * self.explain + [SCRIPT, WRITTEN] * self.script
        return (WANTED if self.point else LANGUAGE, PROBABILITY, *extra)

    def answers(self, column: ByteColumn, matrix: bool = False) -> Answers:
        """The answers to a column of URLs or texts; with `matrix`, the probabilities of all languages are kept."""
        matrix = matrix or self.top > 0 or self.explain
        return answer(self.model, column, self.languages, self.threshold, matrix=matrix, point=self.point)

    def __call__(self, piece: RowPiece) -> AnswerColumns:
        """The columns for a piece."""
        return self.columns(piece.byte_column, self.answers(piece.byte_column))

    def columns(
        self, column: ByteColumn, answers: Answers, more: Mapping[str, Sequence[Any]] | None = None
    ) -> AnswerColumns:
        """The answers to a column as columns of a table, and `more` of them."""
        extra: dict[str, Sequence[Any]] = {}
        if self.top:
            extra[SCORES] = [answers.top(row, self.top) for row in range(len(answers))]
        if self.explain:
            extra[CONTRIBUTIONS] = [
                [
                    {"feature": part.feature, "language": part.language, "weight": round(part.weight, 6)}
                    for part in reasons(self.model, value, answers, row, self.top)
                ]
                for row, value in enumerate(column)
            ]
        if self.script:
            tags = answers.tags()
            extra[SCRIPT] = scripts = url_scripts(column, tags)
            extra[WRITTEN] = written(tags, scripts)
        extra |= more or {}
        if self.point:
            return AnswerColumns.decisions(answers.language >= 0, answers.probability, extra)
        return answers.columns(extra)


def language_judge(
    model: Classifier,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    language: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
    top: int = 0,
    explain: bool = False,
    script: bool = False,
) -> LanguageJudge:
    """The judge that these settings ask for; UsageError where they do not go together."""
    check_threshold(threshold)
    if script and (precision is not None or recall is not None):
        raise UsageError("A yes or no is in no script: leave out the script, or the precision or recall")
    goals = [name for name, value in (("precision", precision), ("recall", recall)) if value is not None]
    if language is None:
        if goals:
            raise UsageError(f"'{goals[0]}' is a promise for one language: say which with 'language'")
        return LanguageJudge(model, choice(model, languages), threshold, None, top, explain, script)
    if languages is not None:
        raise UsageError("'language' asks for one language and 'languages' for a choice: give one of the two")
    chosen = choice(model, language)
    if chosen is None or len(chosen) != 1:
        raise UsageError(f"'language' takes one language, not '{language}'; 'languages' takes several")
    if not goals:
        return LanguageJudge(model, chosen, threshold, None, top, explain, script)
    if len(goals) > 1:
        raise UsageError("'precision' and 'recall' cannot both be chosen: give one, and the other follows")
    if threshold is not None:
        raise UsageError(f"'{goals[0]}' picks the threshold by itself: leave out 'threshold'")
    point = operating_point(model, chosen[0], precision, recall)
    return LanguageJudge(model, None, None, point, top, explain)
