"""What the routes answer with, as models: OpenAPI's schemas are made of them.

They are not used to write answers, of which some hold thousands of rows; tests hold the answers to them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Tag = Annotated[str | None, Field(description="BCP 47 tag; null where nothing could be told")]
Probability = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
PageKind = Literal["html", "text", "binary"]


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


class ModelsAnswer(AnswerBody):
    """The models, and the one that is asked where a request names none."""

    default: str
    models: list[ModelDescription]


class LanguageDescription(AnswerBody):
    """A language, and what can be told to be in it."""

    code: str
    name: str
    of: list[Literal["urls", "texts", "parts of texts"]]


class LanguagesAnswer(AnswerBody):
    """All languages that can be told."""

    languages: list[LanguageDescription]


class HealthAnswer(AnswerBody):
    """Whether the service is ready."""

    ready: bool
    version: str
    models: dict[str, str] = Field(description="Digests")
