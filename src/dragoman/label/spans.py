"""Where the language changes in the rows of a table, and in documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from dragoman.columns import AnswerColumns
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.track.methods import Ready, open_tracker, placed
from dragoman.identifiers.track.writing import rows as span_rows
from dragoman.label.judges import Choice
from dragoman.tables.pieces import RowPiece
from dragoman.types import Page, Span

SPANS = "spans"


@dataclass(frozen=True)
class SpanJudge:
    """Where the language of each row changes, as `spans`; with `html`, rows are pages."""

    tracker: Ready
    html: bool = False
    names: tuple[str, ...] = (SPANS,)
    #: Tracking a text takes much longer than reading it, and somebody waits to see how far it is.
    piece_rows: int | None = 1 << 10

    def spans(self, page: Page) -> list[Span]:
        """The spans of a page's text; with places in the source if that is HTML."""
        spans = self.tracker(page.text, page.kind == "html")
        return placed(spans, page) if page.kind == "html" else spans

    def __call__(self, piece: RowPiece) -> AnswerColumns:
        """The columns for a piece; null where a row has no text."""
        silent = {*piece.errors, *piece.missing}
        values = [None if row in silent else self._row(value) for row, value in enumerate(piece.byte_column)]
        return AnswerColumns.of_values(len(piece), {SPANS: values})

    def _row(self, value: bytes) -> list[dict[str, Any]]:
        try:
            text = value.decode("utf-8", "surrogatepass")  # half a character of JSON is one, as it was when it came in
        except UnicodeDecodeError:
            text = value.decode("utf-8", "replace")
        return span_rows(self.spans(read_page(text, "text/html" if self.html else "text/plain")))


def span_judge(
    method: str | os.PathLike[str] | Classifier,
    languages: Choice = None,
    html: bool = False,
    threshold: float | None = None,
) -> SpanJudge:
    """The judge that tracks by a method (dragoman.identifiers.track)."""
    if isinstance(method, Classifier):
        raise UsageError("Spans are found by a method with a name, such as 'default' or 'sentences', not by a model")
    return SpanJudge(open_tracker(os.fspath(method), languages, threshold), html)
