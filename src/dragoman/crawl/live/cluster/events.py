"""The events of a shared crawl as bytes: what the log in Redis holds, and every process carries out in its order.

An event is a JSON list whose first entry is its kind, packed with zlib where that makes it shorter:

- `B`, process, seeds: the crawl begins; a URL that may be new is [URL, score, guess].
- `P`, URL, process: it left the queue, for this process. `S`, URL, process, reason: it is let go.
- `N`, process, parent, URL, score, guess: a redirect leads there, so it needs a number.
- `M`, URL, process, end: its redirect leads there, and nobody else is to fetch that.
- `A`, process, answer: an answer, page or not.
- `R`, process: it has left or is taken for dead; what it held waits again.

URLs that every process knows are numbers: all number them in the order of the log.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.errors import DragomanError
from dragoman.types import Language

Event = list[Any]
#: A link of a page: its number where it was known to whoever fetched the page, else URL, score and guess.
Link = int | list[Any]

#: Text that many events have, so that short ones are packed well too.
_USUAL = (
    b'"status 404""status 500""no answer in time""robots.txt forbids it""too many links on the page""iso-8859-1"'
    b'"windows-1252"["https://www.","http://www.index.html.php?id=.com/.org/.net/.de/.jp/.th/"pages-00000.warc.gz"'
    b'["A","",{"0":"en"},null,200,"th","en",0.99,null,"utf-8",1,"sha1:","http://'
)
#: What an answer is sent as, in this order; links go separately.
_NAMES = tuple(one.name for one in fields(CrawlAnswer) if one.name != "links")
_TIME, _PROBABILITY = _NAMES.index("time"), _NAMES.index("probability")
_PACKED = b"z"


def pack(event: Event) -> bytes:
    """An event as bytes.

    >>> pack(["P", 7, "a.1"]), unpack(pack(["S", 7, "a.1", "host has given its share of pages"]))[:2]
    (b'["P",7,"a.1"]', ['S', 7])
    """
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    if len(text) < 60:
        return text
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, zdict=_USUAL)
    packed = _PACKED + packer.compress(text) + packer.flush()
    return packed if len(packed) < len(text) else text


def unpack(data: bytes) -> Event:
    """The event again."""
    try:
        if data[:1] == _PACKED:
            data = zlib.decompressobj(-15, zdict=_USUAL).decompress(data[1:])
        event = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, zlib.error) as error:
        raise DragomanError(f"The log of the shared crawl holds what is no event: {error}") from error
    if not isinstance(event, list) or not event:
        raise DragomanError("The log of the shared crawl holds what is no event: use a Redis database of its own")
    return event


def answer_event(who: str, answer: CrawlAnswer, links: Sequence[Link], archive: Sequence[Any]) -> Event:
    """An answer as an event; `archive` is the WARC file and its length, with this answer in it."""
    row = [getattr(answer, name) for name in _NAMES]
    row[_TIME] = round(answer.time, 3)
    row[_PROBABILITY] = None if answer.probability is None else _short(answer.probability)
    return ["A", who, row, list(links), list(archive)]


def answer_of(event: Event) -> CrawlAnswer:
    """The answer of an event, its links still missing."""
    answer = CrawlAnswer(**dict(zip(_NAMES, event[2], strict=True)))
    answer.hreflang = {int(place): language for place, language in answer.hreflang.items()}
    return answer


def new_url(url: str, said: tuple[float, Language | None]) -> list[Any]:
    """A URL that may be new, with what the URL model says of it."""
    return [url, _short(said[0]), said[1]]


def _short(number: float) -> float:
    """A number with as many digits as 32 bits have: half as long, and the same once it is stored."""
    return float(f"{number:.9g}")
