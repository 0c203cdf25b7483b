"""Labelled URLs from a dump of the Open Directory (DMOZ), `content.rdf.u8` or `content.rdf.u8.gz`, read as a stream.

A page stands in the dump as

    <ExternalPage about="http://www.beispiel.de/">
      <d:Title>...</d:Title>
      <topic>Top/World/Deutsch/Regional/Europa</topic>
    </ExternalPage>

and its category tells the language: that of `X` in `Top/World/X` and `Top/Kids_and_Teens/International/X`, which is a
name such as `Deutsch` or `Chinese_Simplified`; English everywhere else. `Top/World` itself tells none. Before May 2003
a page had no `topic`; it belongs to the `Topic` before it.

The dumps are read line by line, not by an XML parser: those before 2003 are no legal XML, and hold bytes that are no
UTF-8. Cost: one look at each line, none of which is kept.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from dragoman import languages
from dragoman.columns import text_of
from dragoman.errors import BadTable, need
from dragoman.tables.packing import unpacked
from dragoman.tables.source import reading
from dragoman.types import Language

#: Rows that are gathered before they become a column: few enough that Python objects stay few.
ROWS = 1 << 16
#: A line longer than this is cut: no page of a directory needs so much, and a damaged file may have no line ends.
_LONGEST = 1 << 20
_START = re.compile(rb"<(?:ExternalPage about|Topic r:id)=\"([^\"]*)\"")
_TOPIC = re.compile(rb"<topic>([^<]*)</topic>")
_OWN = ("Top/World/", "Top/Kids_and_Teens/International/")
#: Names of categories that are names of languages in no list of names.
_NAMES = {"Česky": "cs", "Slovensko": "sl", "Slovensky": "sk", "Makedonski": "mk", "Lingua_Latina": "la",
          "Uyghurche": "ug"}  # fmt: skip


def is_dump(name: str) -> bool:
    """True for a file that is named as the dumps were.

    >>> is_dump("content.rdf.u8.gz"), is_dump("content.csv.gz")
    (True, False)
    """
    return name.lower().removesuffix(".gz").endswith((".rdf.u8", ".rdf"))


@lru_cache(maxsize=4096)
def language_of(topic: str) -> Language | None:
    """The language of the pages in a category; None where the category tells none.

    >>> [language_of(t) for t in ("Top/World/Deutsch/Kultur", "Top/World/Chinese_Simplified", "Top/Arts", "Top/World")]
    ['de', 'zh', 'en', None]
    """
    if not topic.startswith("Top/") or topic + "/" in _OWN:
        return None
    for start in _OWN:
        if topic.startswith(start):
            name = topic.removeprefix(start).partition("/")[0]
            words = name.split("_")
            # `Chinese_Simplified_GB` is Chinese: the first words that name a language do
            named = (languages.find(" ".join(words[:end])) for end in range(len(words), 0, -1))
            return _NAMES.get(name) or next((tag for tag in named if tag), None)
    return "en"


def pages(stream: Any) -> Iterator[tuple[str, str]]:
    """(URL, category) of every page, in the order of the dump; `stream` gives lines of bytes."""
    url: bytes | None = None
    topic = b""
    while line := stream.readline(_LONGEST):
        if b"<topic>" in line:
            if url is not None and (match := _TOPIC.search(line)):
                yield _text(url), _text(match[1])
                url = None
        elif b"<ExternalPage" in line or b"<Topic" in line:
            if match := _START.search(line):
                if b"<Topic" in line:
                    topic = match[1]
                else:
                    url = match[1]
        elif b"</ExternalPage>" in line:
            if url is not None and topic:
                yield _text(url), _text(topic)
            url = None


def _text(value: bytes) -> str:
    return html.unescape(text_of(value.strip()))


def read_dump(name: str, limit: int | None = None) -> Any:
    """A table with the columns `url` and `lang` of the pages whose category tells a language, at most `limit`."""
    pa = need("bulk", "pyarrow")
    schema = pa.schema([("url", pa.string()), ("lang", pa.string())])
    batches, urls, tags, rows = [], list[str](), list[str](), 0
    with reading(name), Path(name).open("rb") as raw:
        stream, _ = unpacked(raw)
        for url, topic in pages(stream):
            tag = language_of(_category(topic))
            if tag is None:
                continue
            urls.append(url)
            tags.append(tag)
            rows += 1
            if len(urls) == ROWS:
                batches.append(pa.record_batch([pa.array(urls), pa.array(tags)], schema=schema))
                urls, tags = [], []
            if rows == limit:
                break
    if not rows:
        raise BadTable(f"'{name}' has no pages in categories such as Top/World/Deutsch: give content.rdf.u8.gz")
    batches.append(pa.record_batch([pa.array(urls, pa.string()), pa.array(tags, pa.string())], schema=schema))
    return pa.Table.from_batches(batches)


def _category(topic: str) -> str:
    """The first four parts: more tell nothing about the language, and there are a million of them."""
    return "/".join(topic.split("/", 4)[:4])
