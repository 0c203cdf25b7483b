"""`GET /v1/url` and `POST /v1/urls`: the languages of URLs."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dragoman.columns import ByteColumn, text_of
from dragoman.errors import shorten
from dragoman.languages import find
from dragoman.serve import batches
from dragoman.serve.judges import Judge
from dragoman.serve.models import BatchAnswer, BatchInJson, BatchQuery, UrlAnswer, UrlQuery
from dragoman.serve.operations import JSON, Operation, as_json, media_type, refuse_twice, validated
from dragoman.serve.problems import Problem
from dragoman.serve.service import Service, service_of
from dragoman.serve.why import why

#: Languages that are told with the reasons, and that the reasons are told for, at least.
_LIKELY = 5
#: What a byte of a URL takes with its reasons, in bytes of a page.
_WHY = 64
#: Commas in a batch per URL that it may have: some URLs have commas of their own.
_VALUES = 10
#: Bytes of a batch that is judged in the event loop itself, about 2,000 URLs: others wait two milliseconds for it.
_FEW = 1 << 17
_MEDIA_TYPES = {
    JSON: JSON,
    "application/x-ndjson": batches.NDJSON,
    "application/ndjson": batches.NDJSON,
    "application/jsonl": batches.NDJSON,
    batches.ARROW: batches.ARROW,
}


async def judge_url(request: Request, query: UrlQuery) -> Response:
    """With `why`, every word of the URL with the language that it speaks for; offsets are characters of the URL."""
    service = service_of(request)
    longest = service.settings.limits.url
    if len(query.u) > longest:
        raise Problem(422, f"u: a URL may have {longest:,} characters, and this one has {len(query.u):,}")
    service.metrics.urls(1)
    url = query.u.encode("utf-8", "surrogateescape")
    if len(query.model_fields_set) == 1:
        tag, probability = await service.single_urls.ask(url)
        return as_json({"url": text_of(url), "language": tag, "probability": probability})
    judge = service.judges.default
    matrix = bool(query.top or query.why)
    answers = judge.answers(ByteColumn.from_rows([url]), query.languages, matrix, query.threshold)
    added = answers.columns()
    row: dict[str, Any] = {"url": text_of(url), "language": added.tags()[0], "probability": added.probabilities()[0]}
    if query.top or query.why:
        row["top"] = batches.likeliest(answers, 0, query.top or _LIKELY)
    if query.why:
        tags = list(answers.top(0, max(query.top, _LIKELY)))
        row |= await service.rooms.run(_WHY * len(url), why, judge.model, row["url"], tags)
    return as_json(row)


async def judge_urls(request: Request, query: BatchQuery) -> Response:
    """As JSON, as NDJSON (a line each) or as an Arrow stream; the answer comes in the same format, row for row.

    A row that is no URL is answered with an error. JSON may have `languages`, `top` and `threshold` in its body; given
    there and in the query, they are refused with 409.
    """
    service = service_of(request)
    kind = _MEDIA_TYPES.get(media_type(request))
    if kind is None:
        raise Problem(415, f"Send a batch as {JSON}, {batches.NDJSON} or {batches.ARROW}")
    body = await request.body()
    # Python is held while JSON is read and written, so only batches that take a while are worth a thread.
    if len(body) < _FEW and not query.model_fields_set and b'"top"' not in body:
        return Response(_judged(service, kind, body, query), media_type=kind)
    return Response(await service.rooms.run(len(body), _judged, service, kind, body, query), media_type=kind)


def _judged(service: Service, kind: str, body: bytes, query: BatchQuery) -> bytes:
    """The answer to a batch, in the format that it came in."""
    limits, judge, asked = service.settings.limits, service.judges.default, query
    if kind == JSON:
        values, judge, asked = _members(service, batches.loads(body, _VALUES * limits.urls), query)
        if len(values) > limits.urls:
            raise batches.too_many(limits.urls)
        rows = batches.from_json(values, limits.url)
    else:
        read = batches.from_ndjson if kind == batches.NDJSON else batches.from_arrow
        rows = read(body, limits.urls, limits.url)
    top = asked.top
    answers = judge.answers(rows.batch, asked.languages, top > 0, asked.threshold)
    service.metrics.urls(len(rows), len(rows.errors))
    if kind == JSON:
        return batches.to_json(judge.name, rows, answers, top)
    return batches.to_ndjson(rows, answers, top) if kind == batches.NDJSON else batches.to_arrow(rows, answers, top)


def _members(service: Service, value: Any, query: BatchQuery) -> tuple[list[Any], Judge, BatchQuery]:
    """The URLs of a batch in JSON, who is to judge them, and what its body and the query say else."""
    if not isinstance(value, dict) or not isinstance(value.get("urls"), list):
        raise Problem(422, 'urls: send an object with a list, as in {"urls": ["http://www.wetter.de/"]}')
    batch = validated(BatchInJson, value)
    refuse_twice(batch, query)
    judge = service.judges.of(batch.model) if "model" in value else service.judges.default
    there = judge.model.languages_
    if "model" in value and (odd := {tag for tag in query.languages if tag not in there and find(tag) not in there}):
        shown = f"'{shorten(min(odd), 40)}', given in the query, is not among those of the model in the body"
        raise Problem(409, f"languages: {shown}")
    both = {name: getattr(batch, name) for name in batch.model_fields_set & BatchQuery.model_fields.keys()}
    return batch.urls, judge, query.model_copy(update=both)


_RAW = {"type": "string", "format": "binary"}
OPERATIONS = (
    Operation("GET", "/v1/url", judge_url, "The language of one URL", {JSON: UrlAnswer}, query=UrlQuery),
    Operation(
        "POST", "/v1/urls", judge_urls, "The languages of a batch of URLs",
        answers={
            JSON: BatchAnswer,
            batches.NDJSON: {"type": "string", "description": "A BatchRow per line"},
            batches.ARROW: _RAW | {"description": "Columns language, probability, error"},
        },
        bodies={
            JSON: (BatchInJson,),
            batches.NDJSON: _RAW | {"description": 'A JSON string or {"url": ...} per line'},
            batches.ARROW: _RAW | {"description": "A stream with a column `url`, not compressed"},
        },
        query=BatchQuery,
    ),
)  # fmt: skip
