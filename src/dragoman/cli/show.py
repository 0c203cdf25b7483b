"""Answers as a table for people: one line per URL, written as they come."""

from __future__ import annotations

import io
from typing import IO, Any

from dragoman.columns import AnswerColumns, text_of
from dragoman.tables.pieces import Piece

_WIDEST = 300


def readable(text: str) -> str:
    """Text that cannot play tricks on a terminal: what is not printable is escaped, what is very long is cut.

    >>> readable("http://a.de/\\x1b[2J")
    'http://a.de/\\\\x1b[2J'
    """
    shown = text if len(text) <= _WIDEST else text[:_WIDEST] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


class TableWriter:
    """A table with fixed columns, the URL last, so that rows can be written before all are known."""

    def __init__(self, stream: IO[bytes]) -> None:
        from rich.console import Console

        self.text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
        self.console = Console(file=self.text, highlight=False)
        self.begun = False

    def _line(self, *parts: tuple[str, str]) -> None:
        from rich.text import Text

        self.console.print(Text.assemble(*parts), soft_wrap=True)

    def write(self, piece: Piece, added: AnswerColumns) -> None:
        """A line per row, and one more where reasons were asked for."""
        if not self.begun:
            self._line((f"{added.names[0]:<10}{added.names[1]:<13}", "bold"), ("url", "bold"))
            self.begun = True
        rows = zip(piece.plain().urls, added.tags(), added.probabilities(), strict=True)
        for number, (url, tag, value) in enumerate(rows):
            sure = "" if value is None else f"{value:.3f}"
            self._line((f"{tag or '-':<10}", "green" if tag else "dim"), f"{sure:<13}", readable(text_of(url)))  # type: ignore[arg-type]
            if number in piece.errors:
                self._line((f"{'':<10}{piece.errors[number]}", "red"))
            for name, values in added.extra.items():
                if values[number]:
                    self._line((f"{'':<10}{_told(name, values[number], tag)}", "dim"))
        self.text.flush()

    def close(self) -> None:
        """Let the stream go without closing it."""
        self.text.detach()


def _told(name: str, values: Any, tag: str | None) -> str:
    """Scores or contributions as one line."""
    if name == "scores":
        return ", ".join(f"{language} {value:.3f}" for language, value in values.items())
    language = tag or values[0]["language"]
    own = [one for one in values if one["language"] == language][:8]
    return f"{language}: " + ", ".join(f"{readable(one['feature'])} {one['weight']:+.2f}" for one in own)
