"""`POST /v1/page` and `POST /v1/track`: the language of a page or a text, and where it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from starlette.types import Receive, Scope, Send

from dragoman.columns import ByteColumn
from dragoman.errors import DragomanError
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.track import track
from dragoman.identifiers.track.tracker import shipped as lexicon
from dragoman.identifiers.track.writing import rows as span_rows
from dragoman.serve import batches
from dragoman.serve.judges import chosen
from dragoman.serve.parameters import once, query_of
from dragoman.serve.problems import Problem
from dragoman.serve.urls import content_type, listed, respond, tags_of
from dragoman.types import Page, Span

if TYPE_CHECKING:
    from dragoman.serve.state import State

_MARKUP = ("text/html", "application/xhtml+xml")
_TAKEN = "text/html, application/xhtml+xml, text/plain or application/json"
_HALVES = re.compile("[\ud800-\udfff]")
_MEMBERS = ("html", "text", "url", "languages")


@dataclass(frozen=True)
class Given:
    """A page or a text as a request holds it."""

    data: bytes | str
    content_type: str
    url: str | None = None
    languages: Sequence[str] | None = None
    content_language: str | None = None

    def page(self) -> Page:
        """The page, read."""
        return read_page(self.data, self.content_type, self.url, self.content_language)


class _OfPages:
    """What both routes share: a body becomes a page, and the work is done in a thread."""

    def __init__(self, state: State) -> None:
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        kind, whole = content_type(scope)
        if kind not in (*_MARKUP, "text/plain", batches.JSON):
            raise Problem(415, f"Send a page or a text as {_TAKEN}")
        query = query_of(scope["query_string"], ("url", "languages"))
        said = (value.decode("latin-1") for name, value in scope["headers"] if name == b"content-language")
        body = (await receive())["body"]
        answer = await self.state.rooms.run(len(body), self._work, kind, whole, body, query, next(said, None))
        await respond(send, answer, batches.JSON)

    def _work(self, kind: str, whole: str, body: bytes, query: dict[str, str], language: str | None) -> bytes:
        given = (
            _from_json(body, query)
            if kind == batches.JSON
            else Given(body, whole, query.get("url"), listed(query.get("languages")), language)
        )
        if given.url and len(given.url) > self.state.settings.limits.url:
            raise Problem(422, f"url: a URL may have {self.state.settings.limits.url:,} characters")
        try:
            found = self.answer(given)
        except DragomanError as error:
            raise Problem(422, str(error)) from None
        return orjson.dumps(found)

    def answer(self, given: Given) -> dict[str, Any]:
        """What is told about the page."""
        raise NotImplementedError


class AboutPage(_OfPages):
    """`POST /v1/page`."""

    def answer(self, given: Given) -> dict[str, Any]:
        """Its language, what it declares, what its URL alone says, and whether they agree."""
        page = given.page()
        text = page.text if any(map(str.isalpha, page.text)) else page.title or ""
        told = identify_text(text, languages=chosen(open_method().languages_, given.languages))
        from_url = self._from_url(given.url)
        return {
            "kind": page.kind,
            "language": told.language,
            "probability": _rounded(told.probability),
            "declared": page.declared,
            "declared_how": page.declared_how,
            "charset": page.charset,
            "charset_how": page.charset_how,
            "title": legible(page.title),
            "letters": sum(map(str.isalpha, page.text)),
            "url": from_url,
            "agreement": {
                "declared": _agree(told.language, page.declared),
                "url": _agree(told.language, from_url["language"] if from_url else None),
            },
        }

    def _from_url(self, url: str | None) -> dict[str, Any] | None:
        if not url:
            return None
        judge = self.state.judges.default
        added = judge.answers(ByteColumn.from_rows([url.encode("utf-8", "surrogateescape")])).columns()
        return {"url": legible(url), "language": added.tags()[0], "probability": added.probabilities()[0]}


class TrackedPage(_OfPages):
    """`POST /v1/track`."""

    def answer(self, given: Given) -> dict[str, Any]:
        """The text, its spans, and how much of it each language has."""
        among = chosen(lexicon().languages_, given.languages)
        page = given.page()
        spans = track(page, among) if page.kind == "html" else track(page.text, among)
        return {
            "kind": page.kind,
            "text": legible(page.text),
            "spans": span_rows(spans),
            "languages": _shares(page.text, spans),
        }


def _from_json(body: bytes, query: dict[str, str]) -> Given:
    value = batches.loads(body, len(body))
    if not isinstance(value, dict):
        raise Problem(422, 'Send an object with a page or a text, as in {"html": "<p>Hallo"} or {"text": "Hallo"}')
    if unknown := set(value) - set(_MEMBERS):
        raise Problem(422, f"{min(unknown)[:80]}: not known here; known are {', '.join(_MEMBERS)}")
    if ("html" in value) == ("text" in value):
        raise Problem(422, 'Give one of "html" and "text"')
    for name in ("html", "text", "url"):
        if name in value and not isinstance(value[name], str):
            raise Problem(422, f"{name}: give a string")
    for name in ("url", "languages"):
        once(name, value, query)
    languages = tags_of(value["languages"]) if "languages" in value else listed(query.get("languages"))
    name = "html" if "html" in value else "text"
    return Given(
        value[name], "text/html" if name == "html" else "text/plain", value.get("url", query.get("url")), languages
    )


def _shares(text: str, spans: list[Span]) -> list[dict[str, Any]]:
    """The languages by their letters, most first."""
    letters: dict[str | None, int] = {}
    for span in spans:
        letters[span.language] = letters.get(span.language, 0) + sum(map(str.isalpha, text[span.start : span.end]))
    total = sum(letters.values()) or 1
    order = sorted(letters.items(), key=lambda pair: (-pair[1], pair[0] or ""))
    return [{"language": tag, "letters": count, "share": round(count / total, 6)} for tag, count in order]


def _agree(one: str | None, other: str | None) -> bool | None:
    return None if one is None or other is None else one == other


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def legible(text: str | None) -> str | None:
    """The text with a sign in place of each half of a surrogate pair, which UTF-8 cannot hold; its length stays."""
    return None if text is None else _HALVES.sub("\ufffd", text)
