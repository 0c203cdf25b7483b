"""A crawl that begins where an earlier one ended: its pages are evidence, and are not fetched again or are first.

Two readings of the earlier files. The first only notes the URLs, so that no page's links put another page of the
earlier crawl into the queue. The second shows every page to the strategy as if it had just been fetched: its language
counts for the record of its server, its links are decided about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urljoin

from dragoman.crawl.live.earlier.archives import Damage, EarlierAnswer, answers, files_of
from dragoman.crawl.live.state.links import Links, links_of
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import AGAIN, CrawlAnswer, digest_of
from dragoman.identifiers.text.document import read_page
from dragoman.label.pages import PagePrediction
from dragoman.types import Language, Page

#: Answers between two commits.
BATCH = 500
Identify = Callable[[Page], PagePrediction]


@dataclass
class Continued:
    """What was taken over from earlier crawls."""

    urls: int = 0
    pages: int = 0
    relevant: int = 0
    #: URLs that are queued: pages that are visited again, and ends of redirects that nobody had followed.
    again: int = 0
    damage: Damage = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """What people should know of it, a line each."""
        summary = (
            f"Earlier crawl: {self.urls:,} URLs, {self.pages:,} pages whose language is known, {self.relevant:,} of "
            f"them wanted; {self.again:,} URLs to ask again"
        )
        damage = sorted(self.damage.items())
        return [summary, *(f"'{name}': {count:,} {kind} left out" for (name, kind), count in damage)]


def note_urls(steering: Steering, paths: Sequence[Path]) -> None:
    """Register every URL of earlier crawls, as not to be asked for. Before the crawl starts; not committed."""
    files = (file for path in paths for file in files_of(path))
    rows = (answer for file in files for answer in answers(file, Counter(), bodies=False))
    urls = (answer.url for answer in rows if answer.for_good)
    while batch := list(islice(urls, BATCH)):
        steering.store.see(steering.numbers(batch))


def take_over(steering: Steering, paths: Sequence[Path], identify: Identify, *, revisit: bool) -> Continued:
    """Show the pages of earlier crawls to the strategy; with `revisit` queue those that are wanted or unknown.

    What was taken over before a kill is not taken over again.
    """
    store = steering.store
    taken = NumberSet(int(row[0]) for row in store.rows("SELECT url FROM earlier"))
    asked = NumberSet(int(row[0]) for row in store.rows("SELECT url FROM log WHERE kind = ?", (AGAIN,)))
    relevant = sum(steering.earlier_languages[language] for language in steering.target.languages)
    result = Continued(len(store.seen()), len(taken), relevant, len(asked))
    for file in (file for path in paths for file in files_of(path)):
        rows = answers(file, result.damage, bodies=True)
        while batch := list(islice(rows, BATCH)):
            for answer, key in zip(batch, steering.numbers([answer.url for answer in batch]), strict=True):
                if key in taken:
                    continue
                for end in _take(steering, answer, key, identify, revisit, result, taken):
                    if end not in asked and (end == key or end not in steering.answered):
                        asked.add(end)
                        steering.ask_again(end)
                        result.again += 1
            store.commit()
    store.set("earlier", [result.urls, result.pages, result.relevant, result.again])
    store.commit()
    return result


def _take(
    steering: Steering, answer: EarlierAnswer, key: int, identify: Identify, revisit: bool, result: Continued,
    taken: NumberSet,
) -> list[int]:  # fmt: skip
    """Count one answer; the URLs that are to be asked for because of it."""
    if answer.location is not None and answer.status is not None and 300 <= answer.status < 400:
        try:
            end = steering.number(urljoin(answer.url, answer.location), key)
        except ValueError:
            end = None
        return [] if end is None else [end]
    if not answer.is_page:
        return []
    language, links = _read(answer, identify)
    relevant = language in steering.target.languages
    if language is not None:
        taken.add(key)
        result.pages += 1
        result.relevant += relevant
        digest = None if answer.body is None else digest_of(answer.body)
        page = CrawlAnswer(key, key, 0.0, 200, language, digest=digest, relevant=relevant, validators=answer.validators)
        steering.earlier(page, links)
    return [key] if revisit and (relevant or language is None) else []


def _read(answer: EarlierAnswer, identify: Identify) -> tuple[Language | None, Links]:
    """Language and links of a page, read as the live crawl reads it; what its file says where it has no body."""
    if answer.body is None:
        return answer.language, []
    try:
        page = read_page(answer.body, answer.kind or None, answer.url, answer.content_language)
        language = identify(page).language
    except (ValueError, ArithmeticError, LookupError, RecursionError):
        return None, []
    return (None, []) if page.kind == "binary" else (language, links_of(page))
