"""What the routes are asked with and what they answer with, as models: OpenAPI's schemas are made of them.

What comes in is checked with them. They are not used to write answers, of which some hold thousands of rows; tests hold
the answers to them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from dragoman.serve.operations import WHOLE, Flag, Inputs, ListedTags, Tags, Threshold, Top, UrlText

#: Most questions of a quiz.
MOST_QUESTIONS = 200
_URL = "Where the page came from"
Tag = Annotated[str | None, Field(description="BCP 47 tag; null where nothing could be told")]
Probability = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
PageKind = Literal["html", "text", "binary"]


class UrlQuery(Inputs):
    """What is asked about a single URL."""

    u: UrlText = Field(description="The URL, percent-encoded, as in /v1/url?u=http%3A%2F%2Fwww.wetter.de%2F")
    languages: ListedTags = Field(default_factory=list)
    why: Flag = Field(False, description="Tell what each part of the URL said")
    top: Top = 0
    threshold: Threshold = None


class BatchQuery(Inputs):
    """What is asked about all URLs of a batch."""

    languages: ListedTags = Field(default_factory=list)
    top: Top = 0
    threshold: Threshold = None


class BatchInJson(Inputs):
    """A batch in JSON, which says there what others say in the query."""

    urls: SkipValidation[list[Any]] = Field(description="Strings; anything else is answered with an error")
    model: str = ""
    languages: Tags = Field(default_factory=list)
    top: Top = 0
    threshold: Threshold = None


class PageQuery(Inputs):
    """What is said of a page beside its body."""

    url: UrlText = Field("", description=_URL)
    languages: ListedTags = Field(default_factory=list)


class PageOptions(Inputs):
    """The same, in a body in JSON."""

    url: str = Field("", description=_URL)
    languages: Tags = Field(default_factory=list)


class HtmlInJson(PageOptions):
    """A page in JSON."""

    html: str = Field(description="A page")


class TextInJson(PageOptions):
    """A text in JSON."""

    text: str = Field(description="A text")


class QuizQuery(Inputs):
    """Which questions of the quiz are asked."""

    n: Annotated[int, Field(strict=True, ge=1, le=MOST_QUESTIONS, description="How many URLs"), WHOLE] = 20
    seed: Annotated[int, Field(strict=True, ge=0, lt=1 << 32, description="Draw the same URLs again"), WHOLE] = -1


class QuizAnswer(Inputs):
    """One answer: a URL of the quiz and the language that somebody took it for; null is "don't know"."""

    url: str = Field(max_length=4_000)
    answer: str | None = Field(default=None, max_length=40)


class QuizAnswers(Inputs):
    """The answers of one person, each URL once."""

    answers: list[QuizAnswer] = Field(min_length=1, max_length=MOST_QUESTIONS)


class AnswerBody(BaseModel):
    """An answer has these members and no others."""

    model_config = ConfigDict(extra="forbid")


class ProblemDetails(AnswerBody):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class LikelyLanguage(AnswerBody):
    """One of the likeliest languages."""

    language: str
    probability: float


class JudgedUrl(AnswerBody):
    """A URL and its language."""

    url: str | None
    language: Tag
    probability: Probability | None


class BatchRow(JudgedUrl):
    """The answer to a row of a batch; `error` in those that are no URL."""

    top: list[LikelyLanguage] = Field(default_factory=list)
    error: str = ""


class BatchAnswer(AnswerBody):
    """The answers to a batch, row for row."""

    model: str
    results: list[BatchRow]


class UrlReason(AnswerBody):
    """What something spoke for: the language that it spoke for most, and its weights for the likeliest languages."""

    language: Tag
    weight: float
    weights: dict[str, float]


class UrlPart(UrlReason):
    """A word of the URL, and where it stands: characters of the URL."""

    start: Count
    end: Count
    text: str


class UrlFeature(UrlReason):
    """What stands nowhere in the URL, as the prior."""

    feature: str


class UrlAnswer(JudgedUrl):
    """The answer to a single URL."""

    top: list[LikelyLanguage] = Field(default_factory=list)
    parts: list[UrlPart] = Field(default_factory=list)
    others: list[UrlFeature] = Field(default_factory=list)


class PageAgreement(AnswerBody):
    """Whether the language of a text is the one that is declared, and the one of its URL."""

    declared: bool | None
    url: bool | None


class PageAnswer(AnswerBody):
    """The language of a page, and what it says of itself."""

    kind: PageKind
    language: Tag
    probability: Probability | None
    top: list[LikelyLanguage] = Field(description="The likeliest languages of the text; none where nothing can be told")
    declared: Tag
    declared_how: str | None
    charset: str | None
    charset_how: str | None
    title: str | None
    letters: Count
    url: JudgedUrl | None = Field(description="What the URL alone says")
    agreement: PageAgreement


class TrackedSpan(AnswerBody):
    """Half-open offsets in characters: of the text, and, for HTML, of its source."""

    start: Count
    end: Count
    language: Tag
    probability: float | None = None
    source_start: Count = 0
    source_end: Count = 0


class LanguageShare(AnswerBody):
    """How many letters of a text are in a language."""

    language: Tag
    letters: Count
    share: float


class TrackAnswer(AnswerBody):
    """Where the language of a page changes."""

    kind: PageKind
    text: str = Field(description="What a reader sees")
    spans: list[TrackedSpan]
    languages: list[LanguageShare]


class ModelDescription(AnswerBody):
    """A model that is there."""

    name: str
    reads: Literal["urls", "text"]
    algorithm: str
    about: str
    languages: list[str]
    size: Count
    digest: str
    file: str | None
    threshold: Probability | None = Field(description="Below it the answer is none; null where none was measured")


class ModelsAnswer(AnswerBody):
    """The models, and the one that is asked where a request names none."""

    default: str
    models: list[ModelDescription]


class LanguageDescription(AnswerBody):
    """A language, and what can be told to be in it."""

    code: str
    name: str
    hue: Annotated[int, Field(ge=0, lt=360, description="Its colour in every picture, in degrees")]
    of: list[Literal["urls", "texts", "parts of texts"]]


class LanguagesAnswer(AnswerBody):
    """All languages that can be told."""

    languages: list[LanguageDescription]


class HealthAnswer(AnswerBody):
    """Whether the service is ready."""

    ready: bool
    version: str
    models: dict[str, str] = Field(description="Digests")
