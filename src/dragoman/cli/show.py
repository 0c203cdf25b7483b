"""Answers as tables for people: a line per URL, document or site, written as they come."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from dragoman.columns import AnswerColumns, text_of
from dragoman.errors import printable
from dragoman.tables.formats import Format
from dragoman.tables.pieces import RowPiece

if TYPE_CHECKING:
    from rich.console import Console

    from dragoman.label.by_site import Site

_WIDEST = 300
_LISTED = 5  # languages of a site


def readable(text: str) -> str:
    """Text as a terminal may show it; what is very long is cut."""
    return printable(text if len(text) <= _WIDEST else text[:_WIDEST] + "…")


@contextmanager
def console_on(stream: IO[bytes]) -> Iterator[Console]:
    """A console that writes to a stream of bytes, which stays open."""
    from rich.console import Console

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:  # whoever reads has enough: that is no failure (dragoman.cli.main)
            raise BrokenPipeError

    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
    try:
        yield PipedConsole(file=text, highlight=False)
    finally:
        text.detach()


def _line(console: Console, *parts: str | tuple[str, str]) -> None:
    from rich.text import Text

    console.print(Text.assemble(*parts), soft_wrap=True)


def _answer(tag: str | None, probability: float | None) -> tuple[tuple[str, str], str]:
    """The columns that all answers begin with."""
    sure = "" if probability is None else f"{probability:.3f}"
    return (f"{tag or '-':<10}", "green" if tag else "dim"), f"{sure:<13}"


def _scores(scores: dict[str, float]) -> str:
    return ", ".join(f"{language} {value:.3f}" for language, value in scores.items())


class TableWriter:
    """A Writer of tables with fixed columns, the URL last, so that rows can be written before all are known."""

    format = Format.TABLE

    def __init__(self, stream: IO[bytes]) -> None:
        self.opened = console_on(stream)
        self.console = self.opened.__enter__()
        self.begun = False

    def encode(self, piece: RowPiece, answers: AnswerColumns) -> tuple[RowPiece, AnswerColumns]:
        """The rows as they are: people read slowly enough."""
        return piece, answers

    def write(self, encoded: tuple[RowPiece, AnswerColumns]) -> None:
        """A line per row, and one more where reasons were asked for."""
        piece, answers = encoded
        if not self.begun:
            _line(self.console, (f"{answers.names[0]:<10}{answers.names[1]:<13}", "bold"), ("url", "bold"))
            self.begun = True
        rows = zip(piece.plain().values, answers.tags(), answers.probabilities(), strict=True)
        for row, (url, tag, probability) in enumerate(rows):
            _line(self.console, *_answer(tag, probability), readable(text_of(url)))
            if row in piece.errors:
                _line(self.console, (f"{'':<10}{piece.errors[row]}", "red"))
            for name, values in answers.extra.items():
                _more(self.console, name, values[row], tag)
        self.console.file.flush()

    def close(self) -> None:
        """Let the stream go without closing it."""
        self.opened.__exit__(None, None, None)


def _more(console: Console, name: str, value: Any, tag: str | None) -> None:
    """A line for what was asked for beside the answer; none for a script, which the written form has in it."""
    if not value or name == "script":
        return
    if name == "contributions":
        shown = _reasons(value, tag)
    elif name == "fused":
        shown = _fused(value)
    else:
        shown = value if isinstance(value, str) else _scores(value)
        shown = shown if name == "scores" else f"{name} {shown}"
    _line(console, (f"{'':<10}{shown}", "dim"))


def _reasons(contributions: list[dict[str, Any]], tag: str | None) -> str:
    """What spoke for and against a language, in one line."""
    language = tag or contributions[0]["language"]
    own = [part for part in contributions if part["language"] == language][:8]
    return f"{language}: " + ", ".join(f"{readable(part['feature'])} {part['weight']:+.2f}" for part in own)


def show_documents(rows: Iterable[tuple[Any, ...]], stream: IO[bytes], more: Sequence[str] = ()) -> None:
    """A table of documents, as label.documents has their rows; `more` are the columns that come behind the others."""
    with console_on(stream) as console:
        _line(console, (f"{'language':<10}{'probability':<13}{'declared':<10}{'charset':<14}source", "bold"))
        for source, tag, probability, declared, charset, *others in rows:
            where = f"{declared or '-':<10}{charset or '-':<14}{readable(source)}"
            _line(console, *_answer(tag, probability), where)
            for name, value in zip(more, others, strict=False):
                _more(console, name, value, tag)
            if others[len(more) :] and others[-1]:
                _line(console, (f"{'':<10}{readable(others[-1])}", "red"))


def _fused(value: Mapping[str, Any]) -> str:
    """What all witnesses say together, and each of them."""
    witnesses = ((name, witness) for name, witness in value.items() if isinstance(witness, Mapping))
    return ", ".join(
        [f"fused {value['language'] or '-'}", *(f"{name} {witness['language']}" for name, witness in witnesses)]
    )


def show_sites(sites: Iterable[Site], stream: IO[bytes]) -> None:
    """A table of sites: the likeliest languages in a line, hosts last."""
    with console_on(stream) as console:
        _line(console, (f"{'urls':>10}  {'language':<10}{'share':<7}{'none':<7}host", "bold"))
        for site in sites:
            tag = f"{site.language or '-':<10}", "green" if site.language else "dim"
            none = f"{site.unanswered / site.urls:.2f}"
            others = ", ".join(f"{other} {share:.2f}" for other, share in list(site.shares.items())[1:_LISTED])
            shares = f"{site.share:<7.2f}{none:<7}{readable(site.host or '-')}"
            _line(console, f"{site.urls:>10,}  ", tag, shares, (f"  {others}" if others else "", "dim"))
