"""Pages, judged: their languages by running text, the share of each language, and all witnesses together.

`PageJudge` serves the rows of tables, documents and people (`identify_page`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from dragoman.columns import AnswerColumns, ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.answer import outcomes_of
from dragoman.identifiers.operating import default_threshold
from dragoman.identifiers.text.blocks import PageText, running_text, weighed
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import DEFAULT, Method, open_method
from dragoman.identifiers.text.markup.stretches import stretches_of
from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.identifiers.text.mixture import judged_pages
from dragoman.identifiers.text.written import written_forms
from dragoman.label.judges import SCRIPT, WRITTEN, Choice, LanguageJudge, language_judge
from dragoman.label.witnesses import Witnesses, fused_answer
from dragoman.tables.pieces import RowPiece
from dragoman.types import Language, Page

LANGUAGES, FUSED, OUTCOME = "languages", "fused", "outcome"


class SeenPage(NamedTuple):
    """What is judged of a page: its text, and what else speaks of its language."""

    text: PageText
    witnesses: Witnesses = Witnesses()

    @classmethod
    def of(cls, page: Page) -> SeenPage:
        """A page that was read."""
        return cls(running_text(page), Witnesses.of(page))

    @classmethod
    def of_row(cls, row: bytes) -> SeenPage:
        """A page in a table, where it is UTF-8 already, whatever it says about its charset; its text alone."""
        try:
            source = row.decode()
        except UnicodeDecodeError:
            return cls.of(read_page(row, "text/html"))
        markup = read_markup(source)  # without the links and all the rest: five times as fast
        text = weighed(markup.text, stretches_of(markup))
        return cls(text) if text.text else cls.of(read_page(source, "text/html"))

    @classmethod
    def of_whole_row(cls, row: bytes) -> SeenPage:
        """The same with what it says about its language."""
        return cls.of(read_page(row.decode("utf-8", "replace"), "text/html"))

    @classmethod
    def of_text(cls, row: bytes) -> SeenPage:
        """A text in a table: it is judged as it is, and its lines are its pieces."""
        text = row.decode("utf-8", "replace")
        return cls(replace(weighed(text), text=text))


@dataclass(frozen=True)
class PageJudge:
    """The language of each page and its probability; `shares`, `fused`, `script` and `outcome` add columns.

    `languages` is the share of each language of the page's running text. `fused` is the answer of all witnesses
    together (dragoman.label.witnesses), with its probability and what each of them said. `script` is the script of the
    answer and `written` both in one (`eng_Latn`); `outcome` says why there is no language.
    """

    judge: LanguageJudge
    html: bool = True
    shares: bool = False
    fused: bool = False
    script: bool = False
    outcome: bool = False
    piece_rows: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        written = [SCRIPT, WRITTEN] * self.script
        return (
            *self.judge.names,
            *[LANGUAGES] * self.shares,
            *[FUSED] * self.fused,
            *written,
            *[OUTCOME] * self.outcome,
        )

    def columns(self, pages: Sequence[SeenPage]) -> AnswerColumns:
        """The columns for some pages."""
        model, texts = self.judge.model, [page.text for page in pages]
        judged = judged_pages(model, texts, self.judge.languages, whole=self.fused and self.html)
        column = ByteColumn.from_rows(judged.texts if self.html else [text.text for text in texts])
        if judged.answers is None:
            answers = self.judge.answers(column, matrix=self.fused)
        else:
            threshold = self.judge.threshold
            answers = judged.answers.above(default_threshold(model) if threshold is None else threshold)
        more: dict[str, Sequence[Any]] = {}
        if self.shares:
            more[LANGUAGES] = judged.shares
        if self.fused:
            lengths = [len(text) for text in judged.texts]
            more[FUSED] = [
                fused_answer(answers, row, length, page.witnesses)
                for row, (length, page) in enumerate(zip(lengths, pages, strict=True))
            ]
        if self.script:
            written = written_forms(self.judge.model, column, answers.tags())
            more[SCRIPT] = [form and form.partition("_")[2] for form in written]
            more[WRITTEN] = written
        if self.outcome:
            reasons = dict.fromkeys(range(len(column)), None) | outcomes_of(self.judge.model, column, answers)
            more[OUTCOME] = list(reasons.values())
        return self.judge.columns(column, answers, more)

    def __call__(self, piece: RowPiece) -> AnswerColumns:
        """The columns for a piece of a table."""
        read: Callable[[bytes], SeenPage] = SeenPage.of_row
        if not self.html:
            read = SeenPage.of_text
        elif self.fused:
            read = SeenPage.of_whole_row
        return self.columns([read(row) for row in piece.byte_column])


def page_judge(
    method: Method,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    html: bool = True,
    shares: bool = False,
    fused: bool = False,
    script: bool = False,
    outcome: bool = False,
    **settings: Any,
) -> PageJudge:
    """The judge that these settings ask for; `settings` are those of dragoman.label.judges.language_judge."""
    judge = language_judge(open_method(method), languages, threshold, **settings)
    if (shares or fused) and judge.languages is not None and len(judge.languages) == 1:
        raise UsageError("Shares and the fused answer are for several languages: ask for more than one, or for all")
    if fused and judge.point is not None:
        raise UsageError("A fused answer has no operating point: leave out the precision or the recall")
    return PageJudge(judge, html, shares, fused, script, outcome)


@dataclass(frozen=True)
class PagePrediction:
    """What is told about a page: its language by its text, the shares of its languages, and the fused answer."""

    language: Language | None
    probability: float | None
    languages: Mapping[Language, float] = field(default_factory=dict)
    #: The answer of all witnesses together, its probability, and what each said (dragoman.label.witnesses).
    fused: Mapping[str, Any] = field(default_factory=dict)
    declared: Language | None = None
    charset: str | None = None
    #: The script of its text, where that was asked for.
    script: str | None = None


def identify_page(
    page: bytes | str | Page,
    *,
    content_type: str | None = None,
    content_language: str | None = None,
    url: str | None = None,
    method: Method = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
) -> PagePrediction:
    """What is known about the language of one page: bytes, a text with markup, or a page that was read.

    `content_type` and `content_language` are the values of the HTTP header, and `url` is where the page came from; the
    others are those of `identify_text`.

    >>> found = identify_page("<html lang=en><p>Morgen scheint die Sonne.<p>Im Norden regnet es.", url="http://a.de/")
    >>> found.language, found.languages, found.declared, found.fused["language"]
    ('de', {'de': 1.0}, 'en', 'de')
    """
    read = page if isinstance(page, Page) else read_page(page, content_type, url, content_language)
    judge = page_judge(method, languages, threshold, shares=True, fused=True)
    columns = judge.columns([SeenPage.of(read)])
    return PagePrediction(
        columns.tags()[0],
        columns.probabilities()[0],
        columns.extra[LANGUAGES][0],
        columns.extra[FUSED][0],
        read.declared,
        read.charset,
    )
