"""`POST /v1/page` and `POST /v1/track`: the language of a page or a text, and where it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from dragoman.columns import ByteColumn
from dragoman.errors import DragomanError
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.track import track
from dragoman.identifiers.track.tracker import shipped as lexicon
from dragoman.identifiers.track.writing import rows as span_rows
from dragoman.serve.batches import loads
from dragoman.serve.judges import choose
from dragoman.serve.models import HtmlInJson, PageAnswer, PageOptions, PageQuery, TextInJson, TrackAnswer
from dragoman.serve.operations import JSON, Operation, media_type, refuse_twice, validated
from dragoman.serve.problems import Problem
from dragoman.serve.service import Service, service_of
from dragoman.types import Page, Span

#: Languages of a text that are told.
LIKELY = 5

_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class SentPage:
    """A page or a text as a request holds it."""

    content: bytes | str
    content_type: str | None
    url: str
    languages: Sequence[str]
    content_language: str | None = None

    def read(self) -> Page:
        """The page."""
        return read_page(self.content, self.content_type, self.url or None, self.content_language)


async def judge_page(request: Request, query: PageQuery) -> Response:
    """Told from its text, beside what it declares, what its URL alone says, and whether they agree."""
    return await _in_thread(request, query, _page_answer)


async def track_page(request: Request, query: PageQuery) -> Response:
    """The text that a reader sees, spans of it with their languages, and the share of each language in its letters."""
    return await _in_thread(request, query, _track_answer)


async def _in_thread(
    request: Request, query: PageQuery, answer: Callable[[Service, SentPage], dict[str, Any]]
) -> Response:
    kind, service = media_type(request), service_of(request)
    if kind not in _BODIES:
        raise Problem(415, "Send a page or a text as text/html, application/xhtml+xml, text/plain or application/json")
    body, headers = await request.body(), request.headers

    def work() -> bytes:
        if kind == JSON:
            sent = _from_json(body, query)
        else:
            language = headers.get("content-language")
            sent = SentPage(body, headers["content-type"], query.url, query.languages, language)
        if len(sent.url) > service.settings.limits.url:
            raise Problem(422, f"url: a URL may have {service.settings.limits.url:,} characters")
        try:
            return orjson.dumps(answer(service, sent))
        except DragomanError as error:
            raise Problem(422, str(error)) from None

    return Response(await service.rooms.run(len(body), work), media_type=JSON)


def _from_json(body: bytes, query: PageQuery) -> SentPage:
    value = loads(body, len(body))
    if not isinstance(value, dict):
        raise Problem(422, 'Send an object with a page or a text, as in {"html": "<p>Hallo"} or {"text": "Hallo"}')
    if ("html" in value) == ("text" in value):
        raise Problem(422, 'Give one of "html" and "text"')
    model, kind = (HtmlInJson, "text/html") if "html" in value else (TextInJson, "text/plain")
    options: PageOptions = validated(model, value)
    refuse_twice(options, query)
    content = value["html" if "html" in value else "text"]
    return SentPage(content, kind, options.url or query.url, options.languages or query.languages)


def _page_answer(service: Service, sent: SentPage) -> dict[str, Any]:
    """Its language, what it declares, what its URL alone says, and whether they agree."""
    page = sent.read()
    prediction = identify_text(page, languages=choose(open_method().languages_, sent.languages), top=LIKELY)
    probability = prediction.probability
    from_url = _from_url(service, sent.url) if sent.url else None
    return {
        "kind": page.kind,
        "language": prediction.language,
        "probability": None if probability is None else round(probability, 6),
        "top": [
            {"language": language, "probability": round(share, 6)}
            for language, share in (prediction.scores or {}).items()
        ],
        "declared": page.declared,
        "declared_how": page.declared_how,
        "charset": page.charset,
        "charset_how": page.charset_how,
        "title": legible(page.title),
        "letters": sum(map(str.isalpha, page.text)),
        "url": from_url,
        "agreement": {
            "declared": _agree(prediction.language, page.declared),
            "url": _agree(prediction.language, from_url["language"] if from_url else None),
        },
    }


def _from_url(service: Service, url: str) -> dict[str, Any]:
    column = ByteColumn.from_rows([url.encode("utf-8", "surrogateescape")])
    added = service.judges.default.answers(column).columns()
    return {"url": legible(url), "language": added.tags()[0], "probability": added.probabilities()[0]}


def _agree(language: str | None, other: str | None) -> bool | None:
    return None if language is None or other is None else language == other


def _track_answer(service: Service, sent: SentPage) -> dict[str, Any]:
    """The text, its spans, and how much of it each language has."""
    languages = choose(lexicon().languages_, sent.languages)
    page = sent.read()
    spans = track(page, languages) if page.kind == "html" else track(page.text, languages)
    return {
        "kind": page.kind,
        "text": legible(page.text),
        "spans": span_rows(spans),
        "languages": _shares(page.text, spans),
    }


def _shares(text: str, spans: list[Span]) -> list[dict[str, Any]]:
    """The languages by their letters, most first."""
    letters: dict[str | None, int] = {}
    for span in spans:
        letters[span.language] = letters.get(span.language, 0) + sum(map(str.isalpha, text[span.start : span.end]))
    total = sum(letters.values()) or 1
    order = sorted(letters.items(), key=lambda pair: (-pair[1], pair[0] or ""))
    return [{"language": tag, "letters": count, "share": round(count / total, 6)} for tag, count in order]


def legible(text: str | None) -> str | None:
    """The text with a sign in place of each half of a surrogate pair, which UTF-8 cannot hold; its length stays."""
    return None if text is None else _HALVES.sub("\ufffd", text)


_BODIES: dict[str, Any] = {
    **{kind: {"type": "string", "format": "binary"} for kind in ("text/html", "application/xhtml+xml", "text/plain")},
    JSON: (HtmlInJson, TextInJson),
}
OPERATIONS = (
    Operation(
        "POST", "/v1/page", judge_page, "The language of a page or a text",
        answers={JSON: PageAnswer}, bodies=_BODIES, query=PageQuery, languages_of="text",
    ),
    Operation(
        "POST", "/v1/track", track_page, "Where the language of a page or a text changes",
        answers={JSON: TrackAnswer}, bodies=_BODIES, query=PageQuery, languages_of="track",
    ),
)  # fmt: skip
