"""`GET /v1/url` and `POST /v1/urls`: the languages of URLs.

Both answer as plain ASGI: what a web framework does for every request would cost several times what the answer does.
What they take and give is declared to OpenAPI by the functions that are registered with FastAPI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from starlette.types import Receive, Scope, Send

from dragoman.columns import ByteColumn, text_of
from dragoman.errors import shorten
from dragoman.serve import batches
from dragoman.serve.judges import Judge
from dragoman.serve.parameters import once, query_of
from dragoman.serve.problems import Problem
from dragoman.serve.together import Together
from dragoman.serve.why import why
from dragoman.types import Language

if TYPE_CHECKING:
    from dragoman.serve.state import State

#: Most languages that a request may ask to be told.
MOST_TOP = 100
#: Languages that are told with the reasons, and that the reasons are told for, at least.
_LIKELY = 5
#: What a byte of a URL takes with its reasons, in bytes of a page.
_WHY = 64
#: Commas in a batch per URL that it may have: some URLs have commas of their own.
_VALUES = 10
#: Bytes of a batch that is judged in the event loop itself, about 2,000 URLs: others wait two milliseconds for it.
_FEW = 1 << 17
_TYPES = {
    "application/json": batches.JSON,
    "application/x-ndjson": batches.NDJSON,
    "application/ndjson": batches.NDJSON,
    "application/jsonl": batches.NDJSON,
    "application/vnd.apache.arrow.stream": batches.ARROW,
}


class OneUrl:
    """`GET /v1/url?u=...`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.together = Together(state.judges.default)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The language of one URL; with `why`, what its parts said."""
        given = query_of(scope["query_string"], ("u", "languages", "why", "top"))
        url = given.get("u")
        if url is None:
            raise Problem(422, "u: give the URL, percent-encoded, as in /v1/url?u=http%3A%2F%2Fwww.wetter.de%2F")
        written = url.encode("utf-8", "surrogateescape")
        longest = self.state.settings.limits.url
        if len(url) > longest:
            raise Problem(422, f"u: a URL may have {longest:,} characters, and this one has {len(url):,}")
        self.state.metrics.urls(1)
        if len(given) == 1:
            tag, probability = await self.together.ask(written)
            found: dict[str, Any] = {"url": text_of(written), "language": tag, "probability": probability}
        else:
            found = await self._in_full(written, given)
        await respond(send, orjson.dumps(found), batches.JSON)

    async def _in_full(self, url: bytes, given: dict[str, str]) -> dict[str, Any]:
        judge = self.state.judges.default
        languages = judge.chosen(listed(given.get("languages")))
        top, reasons = _number(given.get("top")), _truth(given.get("why"))
        answers = judge.answers(ByteColumn.from_rows([url]), languages, bool(top or reasons))
        added = answers.columns()
        found: dict[str, Any] = {
            "url": text_of(url),
            "language": added.tags()[0],
            "probability": added.probabilities()[0],
        }
        if top or reasons:
            found["top"] = batches.likeliest(answers, 0, top or _LIKELY)
        if reasons:
            told = list(answers.top(0, max(top, _LIKELY)))
            found |= await self.state.rooms.run(_WHY * len(url), why, judge.model, found["url"], told)
        return found


class ManyUrls:
    """`POST /v1/urls`."""

    def __init__(self, state: State) -> None:
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The languages of a batch, in the format that it came in."""
        kind = _TYPES.get(content_type(scope)[0])
        if kind is None:
            raise Problem(415, f"Send a batch as {batches.JSON}, {batches.NDJSON} or {batches.ARROW}")
        given = query_of(scope["query_string"], ("languages", "top"))
        body = (await receive())["body"]
        # Python is held while JSON is read and written, so only batches that take a while are worth a thread.
        if len(body) < _FEW and not given and b'"top"' not in body:
            answer = self._answer(kind, body, given)
        else:
            answer = await self.state.rooms.run(len(body), self._answer, kind, body, given)
        await respond(send, answer, kind)

    def _answer(self, kind: str, body: bytes, given: dict[str, str]) -> bytes:
        limits = self.state.settings.limits
        judge = self.state.judges.default
        if kind == batches.JSON:
            values, judge, languages, top = self._members(batches.loads(body, _VALUES * limits.urls), given)
            if len(values) > limits.urls:
                raise batches.too_many(limits.urls)
            rows = batches.from_json(values, limits.url)
        else:
            languages, top = judge.chosen(listed(given.get("languages"))), _number(given.get("top"))
            read = batches.from_ndjson if kind == batches.NDJSON else batches.from_arrow
            rows = read(body, limits.urls, limits.url)
        answers = judge.answers(rows.batch, languages, top > 0)
        self.state.metrics.urls(len(rows), len(rows.errors))
        if kind == batches.JSON:
            return batches.to_json(judge.name, rows, answers, top)
        return batches.to_ndjson(rows, answers, top) if kind == batches.NDJSON else batches.to_arrow(rows, answers, top)

    def _members(self, value: Any, query: dict[str, str]) -> tuple[list[Any], Judge, tuple[Language, ...] | None, int]:
        """The members of a batch in JSON, which may say there what others say in the query."""
        if not isinstance(value, dict) or not isinstance(value.get("urls"), list):
            raise Problem(422, 'urls: send an object with a list, as in {"urls": ["http://www.wetter.de/"]}')
        judge, tags, top = self.state.judges.default, listed(query.get("languages")), _number(query.get("top"))
        if len(value) > 1:
            if unknown := set(value) - {"urls", "model", "languages", "top"}:
                raise Problem(422, f"{min(unknown)[:80]}: not known here; known are urls, model, languages, top")
            for name in ("languages", "top"):
                once(name, value, query)
            if "model" in value:
                if not isinstance(value["model"], str):
                    raise Problem(422, "model: give a name")
                judge = self.state.judges.of(value["model"])
                if odd := set(tags or ()).difference(judge.model.languages_):
                    told = f"'{shorten(min(odd), 40)}', given in the query, is not among those of the model in the body"
                    raise Problem(409, f"languages: {told}")
            if "languages" in value:
                tags = tags_of(value["languages"])
            if "top" in value:
                given = value["top"]
                if type(given) is float and given.is_integer():  # JSON does not tell 3.0 from 3
                    given = int(given)
                top = _number(str(given) if type(given) is int else "")
        return value["urls"], judge, judge.chosen(tags), top


def content_type(scope: Scope) -> tuple[str, str | None]:
    """(type, whole): the media type of a body in lower case, and the header as it is."""
    for name, value in scope["headers"]:
        if name == b"content-type":
            whole = value.decode("latin-1")
            return whole.partition(";")[0].strip().lower(), whole
    return "", None


async def respond(send: Send, body: bytes, kind: str) -> None:
    """An answer that went well."""
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def listed(given: str | None) -> list[str] | None:
    """The languages of a query: tags with commas between them."""
    return None if given is None else given.split(",")


def tags_of(value: Any) -> list[str]:
    """The languages of a JSON body: a list of tags."""
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise Problem(422, 'languages: give a list of tags, as in ["en", "de"]')
    return value


def _truth(given: str | None) -> bool:
    if given in (None, "false", "true"):
        return given == "true"
    raise Problem(422, "why: give true or false")


def _number(given: str | None) -> int:
    if given is None:
        return 0
    if given.isascii() and given.isdigit() and len(given) < 5 and 1 <= int(given) <= MOST_TOP:
        return int(given)
    raise Problem(422, f"top: give a whole number from 1 to {MOST_TOP}")
