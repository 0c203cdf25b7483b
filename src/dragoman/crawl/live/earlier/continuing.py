"""A crawl that begins where an earlier one ended: its pages are evidence, and are not fetched again or are first.

Two readings of the earlier files. The first only notes the URLs, so that no page's links put another page of the
earlier crawl into the queue. The second shows every page to the strategy as if it had just been fetched: its language
counts for the record of its server, its links are decided about. Of a page that several crawls had, the last counts.

Pages that are visited again enter the queue by how likely they have changed (see `visits`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urljoin

from dragoman.crawl.live.earlier.archives import Damage, EarlierAnswer, answers, files_of
from dragoman.crawl.live.earlier.visits import VisitLog
from dragoman.crawl.live.state.links import Links, links_of
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import AGAIN, CrawlAnswer
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
    #: Pages that are not visited again this time, because they have hardly changed.
    later: int = 0
    damage: Damage = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """What people should know of it, a line each."""
        summary = (
            f"Earlier crawl: {self.urls:,} URLs, {self.pages:,} pages whose language is known, {self.relevant:,} of "
            f"them wanted; {self.again:,} URLs to ask again"
        )
        if self.later:
            summary += f", {self.later:,} later, since they have hardly changed"
        damage = sorted(self.damage.items())
        return [summary, *(f"'{name}': {count:,} {kind} left out" for (name, kind), count in damage)]


def note_urls(steering: Steering, paths: Sequence[Path]) -> None:
    """Register every URL of earlier crawls, as not to be asked for. Before the crawl starts; not committed."""
    files = (file for path in paths for file in files_of(path))
    rows = (answer for file in files for answer in answers(file, Counter(), bodies=False))
    urls = (answer.url for answer in rows if answer.for_good)
    while batch := list(islice(urls, BATCH)):
        steering.store.see(steering.numbers(batch))


def take_over(
    steering: Steering, paths: Sequence[Path], identify: Identify, *, revisit: bool, least_chance: float = 0.0
) -> Continued:
    """Show the pages of earlier crawls to the strategy; with `revisit` queue those that are wanted or unknown.

    Pages that have changed with a smaller chance than `least_chance` are not visited this time. What was taken over
    before a kill is not taken over again.
    """
    store = steering.store
    taken = NumberSet(int(row[0]) for row in store.rows("SELECT url FROM earlier"))
    asked = NumberSet(int(row[0]) for row in store.rows("SELECT url FROM log WHERE kind = ?", (AGAIN,)))
    relevant = sum(steering.earlier_languages[language] for language in steering.target.languages)
    result = Continued(len(store.seen()), len(taken), relevant, len(asked))
    files = [file for path in paths for file in files_of(path)]
    visits = _visits(steering, files) if revisit else VisitLog()
    unknown = NumberSet()
    for file in files:
        rows = answers(file, result.damage, bodies=True)
        while batch := list(islice(rows, BATCH)):
            for answer, key in zip(batch, steering.numbers([answer.url for answer in batch]), strict=True):
                if key in taken or visits.is_outdated(key, answer.seconds):
                    continue
                if (end := _end(steering, answer, key)) is not None:
                    if end not in asked and end not in steering.answered:
                        asked.add(end)
                        steering.ask_again(end)
                        result.again += 1
                elif answer.is_page and not _take(steering, answer, key, identify, result, taken):
                    unknown.add(key)
            store.commit()
    if revisit:
        _plan(steering, visits, [key for key in unknown if key not in taken], least_chance, asked, result)
    store.set("earlier", [result.urls, result.pages, result.relevant, result.again])
    store.commit()
    return result


def _visits(steering: Steering, files: Sequence[Path]) -> VisitLog:
    """When the pages of earlier crawls were visited, and how they were then."""
    visits = VisitLog()
    rows = (answer for file in files for answer in answers(file, Counter(), bodies=False))
    dated = (answer for answer in rows if answer.seconds is not None and (answer.is_page or answer.is_same))
    while batch := list(islice(dated, BATCH)):
        for answer, key in zip(batch, steering.numbers([answer.url for answer in batch]), strict=True):
            visits.add(key, answer.seconds or 0.0, answer.digest, same=answer.is_same)
    return visits


def _plan(
    steering: Steering, visits: VisitLog, unknown: Sequence[int], least: float, asked: NumberSet, result: Continued
) -> None:
    """Queue the pages that are wanted or unknown, those that have changed likeliest first."""
    store = steering.store
    pages = [*(int(row[0]) for row in store.rows("SELECT url FROM earlier WHERE relevant ORDER BY seq")), *unknown]
    servers = store.server.of(range(len(store.directory)))
    chances = visits.chances(pages, servers, float(store.get("began"))).tolist()
    for rank, (page, chance) in enumerate(sorted(zip(pages, chances, strict=True), key=lambda row: -row[1])):
        if chance < least:
            result.later += 1
        elif page not in asked:
            asked.add(page)
            steering.ask_again(page, chance)
            result.again += 1
        if rank % BATCH == BATCH - 1:
            store.commit()


def _end(steering: Steering, answer: EarlierAnswer, key: int) -> int | None:
    """Where a redirect leads; None if it is none, or leads nowhere."""
    if answer.location is None or answer.status is None or not 300 <= answer.status < 400:
        return None
    try:
        return steering.number(urljoin(answer.url, answer.location), key)
    except ValueError:
        return None


def _take(
    steering: Steering, answer: EarlierAnswer, key: int, identify: Identify, result: Continued, taken: NumberSet
) -> bool:
    """Count one page; False if its language is not known."""
    language, links = _read(answer, identify)
    relevant = language in steering.target.languages
    if language is not None:
        taken.add(key)
        result.pages += 1
        result.relevant += relevant
        page = CrawlAnswer(
            key, key, 0.0, 200, language, digest=answer.digest, relevant=relevant, validators=answer.validators
        )
        steering.earlier(page, links)
    return language is not None


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
